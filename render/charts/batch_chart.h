#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/load/load_report.h"
#include "render/charts/chart.h"

namespace clusterloom {

/// Batches over time: of a run on a GPU, one row a stream with its kernels, transfers and the
/// host's work on the neighbour table; of a modelled one the span of each batch, in as many rows as
/// overlap in time.
class BatchChart final : public Chart {
 public:
  BatchChart();
  ~BatchChart() override;
  MakeTable table() const override;
  /// A recorded timeline; empty empties the chart. `predictedEnd`: seconds that the batch-size
  /// model predicted for all of it; 0: not predicted.
  void setTimeline(std::vector<BatchStats> timeline, double predictedEnd = 0);
  /// The timeline in the report's stats, else the spans of its warps; nullptr empties the chart.
  void setReport(const std::shared_ptr<const LoadReport>& report);
  /// Marks a batch; −1: none.
  void setMarked(std::int64_t batch);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace clusterloom
