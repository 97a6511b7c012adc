#pragma once

#include <QByteArray>
#include <QImage>
#include <QString>
#include <QStringList>
#include <cstdint>
#include <functional>

#include "engine/core/result.h"

namespace clusterloom {

/// The most bytes that readSmallFile reads.
inline constexpr std::int64_t kMostSmallFile = std::int64_t{64} << 20;

/// The bytes of a session or lesson file. Io when it cannot be read; BadInput unless it is a
/// regular file (a device or a FIFO may never end) of at most 64 MiB. The message begins with the
/// path.
Result<QByteArray> readSmallFile(const QString& path);

/// Whether both paths lead to one file: isSameFile of engine/io/output_set.h.
bool isSameFile(const QString& one, const QString& other);

/// Whether the path leads to one of these files, as isSameFile() compares.
bool isOneOf(const QString& path, const QStringList& files);

/// Writes what `make` makes as a PNG file, atomically; for a worker. TooLarge where the picture
/// does not fit into memory; Io.
Result<void> writePicture(const QString& path, const std::function<QImage()>& make);

}  // namespace clusterloom
