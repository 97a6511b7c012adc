#pragma once

#include <QString>
#include <vector>

#include "engine/io/read.h"
#include "ui/session/parameters.h"

namespace clusterloom {

/// A file that was opened: a point cloud with the choices made when it was imported, or a session.
struct RecentFile {
  QString path;
  bool isSession = false;
  ReadOptions read;       ///< of a cloud
  ScalingChoice scaling;  ///< of a cloud
};

/// The files opened lately, newest first, at most ten, kept in QSettings; missing ones are dropped
/// when the list is read.
std::vector<RecentFile> recentFiles();
/// Adds a file at the front; an older entry of the same path is replaced.
void addRecentFile(const RecentFile& file);
void clearRecentFiles();

}  // namespace clusterloom
