#pragma once

#include <QString>
#include <QStringList>

namespace clusterloom {

/// Recently opened files, newest first, at most ten, kept in QSettings; missing ones are dropped
/// when the list is read.
QStringList recentFiles();
void addRecentFile(const QString& path);
void clearRecentFiles();

}  // namespace clusterloom
