#pragma once

#include <QString>

namespace clusterloom {

/// True when both paths lead to the same existing file on disk (same device and inode, so links and
/// other spellings count), or are the same path.
bool isSameFile(const QString& one, const QString& other);

}  // namespace clusterloom
