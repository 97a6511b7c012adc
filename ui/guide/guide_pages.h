#pragma once

#include <QString>
#include <QStringList>
#include <QUrl>
#include <vector>

#include "ui/words/language.h"

namespace clusterloom {

/// A compiled-in page of the user's guide: Markdown from resources/guide.
struct GuidePage {
  QString name;          ///< of its file, without the ending: "exploring"
  QString title;         ///< its first heading
  QStringList sections;  ///< its headings of the second level, in order
  QString markdown;
  QString text;  ///< plain text without markup, for the search
};

/// The pages in reading order: "index" first, then those it links to, in the order of its links.
/// A page that is not translated is English.
const std::vector<GuidePage>& guidePages(QStringView language = clusterloom::language());

/// The url of a page, for a text browser; the same in every language.
QUrl guideUrl(const QString& name);

/// The resource of the picture that a page names with this url. Every picture exists twice,
/// NAME.png for light windows and NAME-dark.png for dark ones.
QString guidePicture(const QUrl& url, bool dark);

/// The name of the page at such a url; empty for other urls.
QString guidePageName(const QUrl& url);

/// The name of the interactive picture that a page links to as "NAME.picture"; empty for other
/// urls.
QString interactivePictureName(const QUrl& url);

/// One place in the guide where the words of a search occur.
struct GuideMatch {
  int page = 0;        ///< index into guidePages()
  int occurrence = 0;  ///< which one on that page, from 0
  QString context;     ///< the words with some text around them, on one line
};

/// The places where `words` occur, letter case ignored, in reading order; at most `limit`.
std::vector<GuideMatch> findInGuide(const QString& words, int limit);

}  // namespace clusterloom
