#pragma once

#include <memory>
#include <string>
#include <vector>

#include "render/charts/chart.h"

namespace clusterloom {

/// Response time of one strategy at some ε.
struct ResponsePoint {
  double eps = 0;
  double seconds = 0;
  double selectivity = 0;  ///< (ordered pairs − points) / points
};

/// A strategy's response times, by ascending ε.
struct ResponseCurve {
  std::string name;
  std::vector<ResponsePoint> points;
};

/// Response time of strategies against ε (both logarithmic, left axis), and the selectivity, which
/// is the same for all (right axis, logarithmic): the main plot of the papers.
class ResponseChart final : public Chart {
 public:
  ResponseChart();
  ~ResponseChart() override;
  MakeTable table() const override;
  /// Curves so far, all of one cloud; empty empties the chart. `times` describes the measurement
  /// ("counts on CPU, 2 threads").
  void setData(std::vector<ResponseCurve> curves, const std::string& times);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace clusterloom
