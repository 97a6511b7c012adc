#include "ui/view/colour_key.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <array>

#include "render/paint/palette.h"
#include "render/scene/point_colours.h"
#include "ui/session/cluster_run.h"
#include "ui/session/derived_results.h"
#include "ui/session/session.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

constexpr int kMostEntries = 12;

struct ColourKeyTexts {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::ColourKey)
};

QString entry(const Colour& colour, const QString& word) {
  return QStringLiteral("<span style='color:rgb(%1,%2,%3)'>●</span> %4")
      .arg(colour.r)
      .arg(colour.g)
      .arg(colour.b)
      .arg(word.toHtmlEscaped());
}

QStringList entriesOfRoles(Background background) {
  // From the function that colours the points, so that the key is right.
  const std::array<PointRole, 3> roles{PointRole::Core, PointRole::Border, PointRole::Noise};
  const std::array<std::int32_t, 3> labels{0, 0, kNoise};
  const std::array<std::uint32_t, 3> order{0, 1, 2};
  ColourRequest request;
  request.by = PointColouring::Role;
  request.background = background;
  request.roles = roles;
  request.labels = labels;
  const std::vector<std::uint8_t> rgb = colourPoints(request, order);
  const QStringList words{ColourKeyTexts::tr("core"), ColourKeyTexts::tr("border"),
                          ColourKeyTexts::tr("noise")};
  QStringList entries;
  for (int i = 0; i < 3; ++i) {
    const auto at = 4 * std::size_t(i);
    entries << entry({rgb[at], rgb[at + 1], rgb[at + 2]}, words[i]);
  }
  return entries;
}

QStringList entriesOfCategories(const std::vector<std::string>& words, Background background) {
  QStringList entries;
  const int shown = std::min(int(words.size()), kMostEntries);
  for (int i = 0; i < shown; ++i)
    entries << entry(clusterColour(i, background),
                     words[std::size_t(i)].empty() ? ColourKeyTexts::tr("no value")
                                                   : QString::fromStdString(words[std::size_t(i)]));
  if (shown < int(words.size()))
    entries << ColourKeyTexts::tr("and %1 more").arg(count(words.size() - std::size_t(shown)));
  return entries;
}

}  // namespace

QString colourKeyText(const Session& session, Background background) {
  if (session.clusterRun().preview()) return {};
  const DisplayState& display = session.display();
  QStringList entries;
  if (const auto result = session.clusterRun().result();
      display.colourBy == ColourBy::Role && result && !result->clustering.roles.empty()) {
    entries = entriesOfRoles(background);
  } else if (display.colourBy == ColourBy::Attribute) {
    const auto values = session.derived().colourValues();
    if (values && values->by == display.colourBy && !values->words.empty())
      entries = entriesOfCategories(values->words, background);
  }
  return entries.join(QStringLiteral("<br>"));
}

}  // namespace clusterloom
