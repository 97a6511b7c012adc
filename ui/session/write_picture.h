#pragma once

#include <QImage>
#include <QString>
#include <functional>

#include "engine/core/result.h"

namespace clusterloom {

/// Writes what `make` makes as a PNG file, atomically; for a worker. TooLarge where the picture
/// does not fit into memory; Io.
Result<void> writePicture(const QString& path, const std::function<QImage()>& make);

}  // namespace clusterloom
