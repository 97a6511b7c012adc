#pragma once

#include <string>
#include <vector>

#include "render/charts/chart.h"

namespace clusterloom {

/// Time of one strategy at some ε.
struct ResponsePoint {
  double eps = 0;
  double seconds = 0;      ///< median of the runs
  double selectivity = 0;  ///< (ordered pairs − points) / points
  double least = 0;        ///< seconds of the fastest and of the slowest run
  double most = 0;
  int runs = 1;
};

/// A strategy's response times, by ascending ε.
struct ResponseCurve {
  std::string name;
  std::vector<ResponsePoint> points;
};

/// Time of index and join of strategies against ε (both logarithmic, left axis), with the spread of
/// repeated runs as upright lines, and the selectivity, which is the same for all (right axis,
/// logarithmic): the main plot of the papers.
class ResponseChart final : public Chart {
 public:
  ResponseChart();
  MakeTable table() const override;
  /// Curves so far, all of one cloud; empty empties the chart. `times` describes the measurement
  /// ("counts on CPU, 2 threads").
  void setData(std::vector<ResponseCurve> curves, const std::string& times);

 private:
  struct Parts;
  Parts* parts_;
};

}  // namespace clusterloom
