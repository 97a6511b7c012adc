#include "render/charts/eps_series.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/core/number_text.h"
#include "render/paint/ticks.h"
#include "render/paint/translated_text.h"

namespace clusterloom {
namespace {

constexpr double kDecades = 100;  // numbers of clusters that far apart get a logarithmic axis
// The low end of that axis stands for zero clusters.
constexpr double kZeroClusters = 0.3;

}  // namespace

bool isLogarithmic(ClusterAxis axis, double least, double most) {
  if (axis != ClusterAxis::Automatic) return axis == ClusterAxis::Logarithmic;
  return most >= kDecades * least;
}

PlotAxis setSeriesAxes(PlotArea& area, bool logarithmic, double most) {
  area.y = {logarithmic ? kZeroClusters : 0,
            logarithmic ? most * std::pow(most / kZeroClusters, 0.08) : most * 1.08,
            logarithmic,
            area.y.from,
            area.y.to,
            true};
  return {0, 108, false, area.y.from, area.y.to};
}

void paintSeriesAxes(Painter& painter, const PlotArea& area, const PlotAxis& share,
                     const Theme& theme) {
  const double r = painter.ratio();
  for (const int percent : {0, 25, 50, 75, 100})
    painter.text(std::to_string(percent) + " %", area.right + 6 * r, share.pixel(percent),
                 Across::Left, Along::Centre, theme.faintText, 10.5);
  painter.line(area.right, area.bottom, area.right, area.top, theme.line);
  if (area.y.logarithmic)
    painter.text("0", area.left - 6 * r, area.bottom, Across::Right, Along::Centre, theme.faintText,
                 10.5);
}

ChartHeader seriesHeader(const Theme& theme, bool circles, bool band) {
  ChartHeader header;
  const std::array<std::string, 3> names{translate("Charts", "clusters"),
                                         translate("Charts", "noise %"),
                                         translate("Charts", "largest cluster %")};
  for (std::size_t i = 0; i < names.size(); ++i)
    header.addEntry(names[i], theme.series[i], ChartHeader::Swatch::Line);
  if (circles)
    header.addEntry(translate("Charts", "found again %"), theme.text, ChartHeader::Swatch::Ring);
  if (band) header.addEntry(translate("Charts", "stability %"), theme.text);
  return header;
}

void paintFoundAgain(Painter& painter, const PlotArea& area, const PlotAxis& share,
                     const std::vector<FoundAgainAt>& found, const Theme& theme) {
  for (const FoundAgainAt& at : found)
    if (at.eps >= area.x.low && at.eps <= area.x.high)
      painter.circle(area.x.pixel(at.eps), share.pixel(100 * at.share), 4.5 * painter.ratio(),
                     theme.text, 1.8);
}

std::string epsTag(double eps, const std::vector<FoundAgainAt>& found) {
  const std::string text = "ε " + shortNumber(eps);
  const auto at = std::find_if(found.begin(), found.end(),
                               [eps](const FoundAgainAt& one) { return one.eps == eps; });
  if (at == found.end()) return text;
  return text + " · " + filled(translate("Charts", "found again %1"), {percentText(at->share)});
}

std::string seriesWords(double eps, std::uint64_t clusters, std::uint64_t noise,
                        std::uint64_t largest, std::uint64_t points) {
  const double n = double(std::max<std::uint64_t>(points, 1));
  return "ε " + shortNumber(eps) + " · " +
         countedText("Charts", "%1 clusters", "1 cluster", clusters) + " · " +
         filled(translate("Charts", "noise %1 · largest %2"),
                {percentText(double(noise) / n), percentText(double(largest) / n)});
}

}  // namespace clusterloom
