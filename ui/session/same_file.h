#pragma once

#include <QString>
#include <QStringList>

namespace clusterloom {

/// True when both paths lead to the same existing file on disk (same device and inode, so links and
/// other spellings count), or are the same path.
bool isSameFile(const QString& one, const QString& other);

/// Whether the path leads to one of these files, as isSameFile() compares.
bool isOneOf(const QString& path, const QStringList& files);

}  // namespace clusterloom
