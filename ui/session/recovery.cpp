#include "ui/session/recovery.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <QUuid>

namespace clusterloom {

namespace {

QString lockOf(const QString& file) { return file + QStringLiteral(".lock"); }

/// True when no running program holds the autosave. A lock whose program has died counts as free.
bool isLeftBehind(const QString& file) {
  QLockFile lock(lockOf(file));
  lock.setStaleLockTime(0);  // never by age: a window may stay open for weeks
  return lock.tryLock(0);
}

}  // namespace

Recovery::Recovery(const QString& directory)
    : directory_(directory.isEmpty()
                     ? QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) +
                           QStringLiteral("/autosave")
                     : directory) {
  if (!QDir().mkpath(directory_)) return;
  const QString path = QStringLiteral("%1/%2-%3.json")
                           .arg(directory_)
                           .arg(QCoreApplication::applicationPid())
                           .arg(QUuid::createUuid().toString(QUuid::Id128).left(8));
  lock_ = std::make_unique<QLockFile>(lockOf(path));
  lock_->setStaleLockTime(0);
  if (lock_->tryLock(0)) path_ = path;
}

Recovery::~Recovery() {
  if (!path_.isEmpty()) QFile::remove(path_);  // before the lock goes, else it looks left behind
}

std::optional<QString> Recovery::recoverable() const {
  const QFileInfoList files = QDir(directory_)
                                  .entryInfoList({QStringLiteral("*.json")}, QDir::Files,
                                                 QDir::Time);  // newest first
  for (const QFileInfo& file : files) {
    const QString path = file.filePath();
    if (path != path_ && file.size() > 0 && isLeftBehind(path)) return path;
  }
  return std::nullopt;
}

void Recovery::discard(const QString& path) {
  const QDir folder(directory_);
  QStringList files{path};
  // Locks of programs that ended before they had anything to keep.
  for (const QString& lock : folder.entryList({QStringLiteral("*.json.lock")}, QDir::Files))
    if (const QString file = folder.filePath(lock).chopped(5); !QFile::exists(file)) files << file;
  for (const QString& file : files) {
    if (file == path_ || !isLeftBehind(file)) continue;
    QFile::remove(file);
    QFile::remove(lockOf(file));
  }
}

}  // namespace clusterloom
