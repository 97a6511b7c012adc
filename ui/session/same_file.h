#pragma once

#include <QString>
#include <QStringList>

namespace clusterloom {

/// Whether both paths lead to one file: isSameFile of engine/io/output_set.h.
bool isSameFile(const QString& one, const QString& other);

/// Whether the path leads to one of these files, as isSameFile() compares.
bool isOneOf(const QString& path, const QStringList& files);

}  // namespace clusterloom
