#pragma once

#include <QString>
#include <QStringList>

namespace clusterloom {

/// The files opened lately, newest first, at most ten, kept in QSettings; missing ones are dropped
/// when the list is read.
QStringList recentFiles();
void addRecentFile(const QString& path);
void clearRecentFiles();

}  // namespace clusterloom
