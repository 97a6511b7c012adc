#include "ui/session/recent_files.h"

#include <QFileInfo>
#include <QSettings>

namespace clusterloom {

namespace {

constexpr qsizetype kMost = 10;

QString key() { return QStringLiteral("recentFiles"); }

}  // namespace

QStringList recentFiles() {
  QStringList present;
  for (const QString& path : QSettings().value(key()).toStringList())
    if (QFileInfo::exists(path)) present.append(path);
  return present;
}

void addRecentFile(const QString& path) {
  const QString absolute = QFileInfo(path).absoluteFilePath();
  QStringList files = recentFiles();
  files.removeAll(absolute);
  files.prepend(absolute);
  while (files.size() > kMost) files.removeLast();
  QSettings().setValue(key(), files);
}

void clearRecentFiles() { QSettings().remove(key()); }

}  // namespace clusterloom
