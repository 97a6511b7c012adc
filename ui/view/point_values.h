#pragma once

#include <QString>
#include <QStringList>
#include <cstddef>

#include "engine/cloud/dataset.h"

namespace clusterloom {

/// A coordinate of a point as the file has it.
QString coordinateText(const Dataset& dataset, std::size_t dimension, std::size_t point);
/// The value of a column beside the coordinates as the file has it.
QString attributeText(const Dataset& dataset, const Attribute& attribute, std::size_t point);

/// The values of the text columns of a point, a line each, as "type: B cell"; the first few that
/// are not empty, shortened where they are long.
QStringList labelsOf(const Dataset& dataset, std::size_t point);

}  // namespace clusterloom
