#include "ui/guide/guide_search.h"

#include <algorithm>

#include "ui/guide/guide_pages.h"

namespace clusterloom {

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
