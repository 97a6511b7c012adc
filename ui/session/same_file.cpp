#include "ui/session/same_file.h"

#include <QFileInfo>
#include <algorithm>
#include <filesystem>

namespace clusterloom {

bool isSameFile(const QString& one, const QString& other) {
  if (one.isEmpty() || other.isEmpty()) return false;
  if (QFileInfo(one).absoluteFilePath() == QFileInfo(other).absoluteFilePath()) return true;
  std::error_code unreachable;  // a file that does not exist is not the other one
  return std::filesystem::equivalent(one.toStdString(), other.toStdString(), unreachable);
}

bool isOneOf(const QString& path, const QStringList& files) {
  return std::ranges::any_of(files, [&](const QString& file) { return isSameFile(path, file); });
}

}  // namespace clusterloom
