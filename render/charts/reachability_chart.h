#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/dbscan/clustering.h"
#include "engine/hierarchy/reachability.h"
#include "render/charts/chart.h"

namespace clusterloom {

/// The reachability plot: bars in the order of the plot, heights in ε (logarithmic), in the colours
/// of the clusters on show; the line of ε can be dragged, wheel and keys zoom across. Where several
/// bars share a pixel, the lowest is drawn solid and the highest behind it.
class ReachabilityChart final : public EpsChart {
 public:
  ReachabilityChart();
  MakeTable table() const override;
  std::uint64_t longTableRows() const override;
  /// nullptr empties the chart.
  void setData(std::shared_ptr<const Reachability> plot);
  /// The clusters that colour the bars, by palette indices of each (nullptr: their numbers);
  /// nullptr, or labels of another number of points: none.
  void setClustering(std::shared_ptr<const Clustering> clustering,
                     std::shared_ptr<const std::vector<std::int32_t>> colours = nullptr);
  /// A click gives the point of the bar under it.
  void setOnPick(std::function<void(std::uint32_t point)> onPick);
  /// Marks the bar of a point; −1: none.
  void setMarked(std::int64_t point);

 private:
  struct Parts;
  Parts* parts_;
};

}  // namespace clusterloom
