#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "engine/hierarchy/parameter_map.h"
#include "render/charts/chart.h"

namespace clusterloom {

/// What the cells of the map show.
enum class MapQuantity { Clusters, Noise, Largest };

/// What DBSCAN finds over ε (across, logarithmic) and minPts (upwards): one cell for each pair of
/// the map, exact. A click gives the pair of a cell, as do arrow keys and Return; the parameters on
/// show are marked.
class ParameterMapChart final : public Chart {
 public:
  ParameterMapChart();
  MakeTable table() const override;
  /// A map of a cloud of `points` points; nullptr empties the chart.
  void setData(std::shared_ptr<const ParameterMap> map, std::uint64_t points);
  void setQuantity(MapQuantity quantity);
  MapQuantity quantity() const;
  /// The parameters to mark; an ε of 0: none.
  void setMarked(double eps, std::int64_t minPts);
  void setOnPick(std::function<void(double eps, std::int64_t minPts)> onPick);

 private:
  struct Parts;
  Parts* parts_;
};

}  // namespace clusterloom
