#include "ui/session/recent_files.h"

#include <QFileInfo>
#include <QSettings>
#include <QStringList>

#include "ui/session/session_state.h"

namespace clusterloom {

namespace {

constexpr std::size_t kMost = 10;

QString key() { return QStringLiteral("recentFiles"); }

/// A cloud is kept as the text of a session that holds no more than its import choices, a session
/// as its path.
QString written(const RecentFile& file) {
  if (file.isSession) return file.path;
  SessionState choices;
  choices.dataPath = file.path;
  choices.read = file.read;
  choices.parameters.scaling = file.scaling;
  return QString::fromUtf8(toJson(choices, QFileInfo(file.path).absolutePath()));
}

RecentFile read(const QString& text) {
  if (!text.startsWith(QLatin1Char('{'))) return {text, true, {}, {}};
  const auto choices = sessionFromJson(text.toUtf8(), {});
  if (!choices) return {};
  return {choices->dataPath, false, choices->read, choices->parameters.scaling};
}

}  // namespace

std::vector<RecentFile> recentFiles() {
  std::vector<RecentFile> present;
  for (const QString& text : QSettings().value(key()).toStringList()) {
    RecentFile file = read(text);
    if (!file.path.isEmpty() && QFileInfo::exists(file.path)) present.push_back(std::move(file));
  }
  return present;
}

void addRecentFile(const RecentFile& file) {
  RecentFile added = file;
  added.path = QFileInfo(file.path).absoluteFilePath();
  std::vector<RecentFile> files = recentFiles();
  std::erase_if(files, [&](const RecentFile& old) { return old.path == added.path; });
  files.insert(files.begin(), added);
  if (files.size() > kMost) files.resize(kMost);
  QStringList texts;
  for (const RecentFile& kept : files) texts << written(kept);
  QSettings().setValue(key(), texts);
}

void clearRecentFiles() { QSettings().remove(key()); }

}  // namespace clusterloom
