#include "ui/guide/guide_pages.h"

#include <QFile>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextDocument>
#include <algorithm>
#include <map>

static void registerGuide() { Q_INIT_RESOURCE(guide); }

namespace clusterloom {

namespace {

GuidePage readPage(const QString& name, const QString& language) {
  GuidePage page;
  page.name = name;
  QFile file(translatedFile(QStringLiteral(":/guide"), name + QStringLiteral(".md"), language));
  if (!file.open(QIODevice::ReadOnly)) return page;
  page.markdown = QString::fromUtf8(file.readAll());
  QTextDocument document;
  document.setMarkdown(page.markdown);
  page.text = document.toPlainText();
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
    const int level = block.blockFormat().headingLevel();
    if (level == 1 && page.title.isEmpty()) page.title = block.text();
    if (level == 2) page.sections << block.text();
  }
  return page;
}

std::vector<GuidePage> readPages(const QString& language) {
  registerGuide();
  std::vector<GuidePage> pages{readPage(QStringLiteral("index"), language)};
  static const QRegularExpression link(QStringLiteral(R"(\]\((\w[\w-]*)\.md\))"));
  QStringList seen{QStringLiteral("index")};
  for (auto found = link.globalMatch(pages.front().markdown); found.hasNext();) {
    const QString name = found.next().captured(1);
    if (seen.contains(name)) continue;
    seen << name;
    pages.push_back(readPage(name, language));
  }
  return pages;
}

}  // namespace

const std::vector<GuidePage>& guidePages(QStringView language) {
  static std::map<QString, std::vector<GuidePage>> pages;
  const QString key = language.toString();
  const auto found = pages.find(key);
  return found != pages.end() ? found->second : pages.emplace(key, readPages(key)).first->second;
}

QUrl guideUrl(const QString& name) { return QUrl(QStringLiteral("qrc:/guide/%1.md").arg(name)); }

QString guidePicture(const QUrl& url, bool dark) {
  QString path = QLatin1Char(':') + url.path();
  const QString ending = QStringLiteral(".png");
  if (dark && path.endsWith(ending)) path.insert(path.size() - ending.size(), "-dark");
  return path;
}

namespace {
/// NAME of "/guide/NAME" + ending; empty for other urls.
QString nameIn(const QUrl& url, const QString& ending) {
  const QString path = url.path();
  const QString folder = QStringLiteral("/guide/");
  if (!path.startsWith(folder) || !path.endsWith(ending)) return {};
  return path.mid(folder.size(), path.size() - folder.size() - ending.size());
}
}  // namespace

QString guidePageName(const QUrl& url) { return nameIn(url, QStringLiteral(".md")); }

QString interactivePictureName(const QUrl& url) { return nameIn(url, QStringLiteral(".picture")); }

namespace {

constexpr qsizetype kBefore = 12;  // characters: few, so that a narrow list shows the words
constexpr qsizetype kAfter = 40;

/// The text around [at, at + length), cut at blanks where that is possible.
QString contextOf(const QString& text, qsizetype at, qsizetype length) {
  qsizetype begin = std::max<qsizetype>(0, at - kBefore);
  qsizetype end = std::min(text.size(), at + length + kAfter);
  while (begin > 0 && begin < at && !text[begin - 1].isSpace()) ++begin;
  while (end < text.size() && end > at + length && !text[end].isSpace()) --end;
  QString context = text.mid(begin, end - begin).simplified();
  if (begin > 0) context.prepend(QStringLiteral("… "));
  if (end < text.size()) context.append(QStringLiteral(" …"));
  return context;
}

}  // namespace

std::vector<GuideMatch> findInGuide(const QString& words, int limit) {
  std::vector<GuideMatch> matches;
  if (words.isEmpty()) return matches;
  const auto& pages = guidePages();
  for (std::size_t page = 0; page < pages.size(); ++page) {
    const QString& text = pages[page].text;
    int occurrence = 0;
    for (qsizetype at = text.indexOf(words, 0, Qt::CaseInsensitive); at >= 0;
         at = text.indexOf(words, at + words.size(), Qt::CaseInsensitive)) {
      if (int(matches.size()) == limit) return matches;
      matches.push_back({int(page), occurrence++, contextOf(text, at, words.size())});
    }
  }
  return matches;
}

}  // namespace clusterloom
