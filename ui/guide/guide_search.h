#pragma once

#include <QString>
#include <vector>

namespace clusterloom {

/// One place in the guide where the words of a search occur.
struct GuideMatch {
  int page = 0;        ///< index into guidePages()
  int occurrence = 0;  ///< which one on that page, from 0
  QString context;     ///< the words with some text around them, on one line
};

/// The places where `words` occur, letter case ignored, in reading order; at most `limit`.
std::vector<GuideMatch> findInGuide(const QString& words, int limit);

}  // namespace clusterloom
