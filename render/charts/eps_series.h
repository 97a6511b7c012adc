#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "render/charts/chart_header.h"
#include "render/charts/plot_area.h"

namespace clusterloom {

// What the charts of clusters, noise and largest cluster against ε share.

/// How the axis of the clusters is divided. Automatic: logarithmic where the numbers of clusters
/// differ by a factor of 100 or more.
enum class ClusterAxis { Automatic, Linear, Logarithmic };

/// Whether the axis is logarithmic where the numbers of clusters above 0 go from least to most.
bool isLogarithmic(ClusterAxis axis, double least, double most);

/// Sets the left axis, clusters up to `most`, and gives the right one, % of points, with the same
/// space above the highest point. Zero clusters are at the low end of a logarithmic axis.
PlotAxis setSeriesAxes(PlotArea& area, bool logarithmic, double most);

/// The right axis and, on a logarithmic left one, its 0.
void paintSeriesAxes(Painter& painter, const PlotArea& area, const PlotAxis& share,
                     const Theme& theme);
/// The share (0 … 1) of samples in which the clusters of an ε were found again.
struct FoundAgainAt {
  double eps = 0;
  double share = 0;
  friend bool operator==(const FoundAgainAt&, const FoundAgainAt&) = default;
};

/// Which colour is which series; circles and the band are named where there are some.
ChartHeader seriesHeader(const Theme& theme, bool circles, bool band = false);
/// A circle for each ε that is on show, on the right axis.
void paintFoundAgain(Painter& painter, const PlotArea& area, const PlotAxis& share,
                     const std::vector<FoundAgainAt>& found, const Theme& theme);
/// "ε 0.31", or "ε 0.31 · found again 93.0 %" where that is known.
std::string epsTag(double eps, const std::vector<FoundAgainAt>& found);

/// "ε 0.31 · 8 clusters · noise 6.3 % · largest 19.1 %".
std::string seriesWords(double eps, std::uint64_t clusters, std::uint64_t noise,
                        std::uint64_t largest, std::uint64_t points);

}  // namespace clusterloom
