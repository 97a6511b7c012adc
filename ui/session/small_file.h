#pragma once

#include <QByteArray>
#include <QString>
#include <cstdint>

#include "engine/core/result.h"

namespace clusterloom {

/// The most bytes that readSmallFile reads.
inline constexpr std::int64_t kMostSmallFile = std::int64_t{64} << 20;

/// The bytes of a session or lesson file. Io when it cannot be read; BadInput unless it is a
/// regular file (a device or a FIFO may never end) of at most 64 MiB. The message begins with the
/// path.
Result<QByteArray> readSmallFile(const QString& path);

}  // namespace clusterloom
