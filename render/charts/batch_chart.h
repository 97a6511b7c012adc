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
  MakeTable table() const override;
  /// A recorded timeline; empty empties the chart. The first of `predictions`, if any, is that of
  /// its join by the batch-size model: it is shown beside what the join took.
  void setTimeline(std::vector<BatchStats> timeline,
                   const std::vector<BatchPrediction>& predictions = {});
  /// The timeline in the report's stats, else the spans of its warps; nullptr empties the chart.
  void setReport(const std::shared_ptr<const LoadReport>& report);
  /// Marks a batch; −1: none.
  void setMarked(std::int64_t batch);

 private:
  struct Parts;
  Parts* parts_;
};

}  // namespace clusterloom
