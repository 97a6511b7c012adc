#pragma once

#include <QString>
#include <QStringList>
#include <QUrl>
#include <vector>

namespace clusterloom {

/// A page of the user's guide as it is compiled in: Markdown from resources/guide.
struct GuidePage {
  QString name;          ///< of its file, without the ending: "exploring"
  QString title;         ///< its first heading
  QStringList sections;  ///< its headings of the second level, in order
  QString markdown;
  QString text;  ///< as it is read, without the marks: what a search looks through
};

/// The pages in reading order: "index" first, then those it links to, in the order of its links.
const std::vector<GuidePage>& guidePages();

/// Where a page lies, for a text browser.
QUrl guideUrl(const QString& name);

/// Where among the resources the picture lies that a page names with this url. Every picture is
/// there twice, NAME.png for light windows and NAME-dark.png for dark ones.
QString guidePicture(const QUrl& url, bool dark);

/// The name of the page at such a place; empty for what is no page.
QString guidePageName(const QUrl& url);

}  // namespace clusterloom
