#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/shared_pass.h"
#include "render/charts/chart.h"

namespace clusterloom {

/// One time line of the chart: a pass that CPU and GPU shared.
struct ProcessorPanel {
  std::string name;                        ///< of the division
  std::shared_ptr<const SharedPass> pass;  ///< not null
  int streams = 0;                         ///< rows of the GPU
  int threads = 0;                         ///< rows of the CPU
};

/// What the chart shows, one time line below the other.
struct ProcessorTimes {
  std::vector<ProcessorPanel> panels;
  bool measured = false;  ///< else modelled
};

/// "imbalance 7.3 %: the GPU ended 12.3 ms before the CPU".
std::string imbalanceWords(const SharedPass& pass);
/// "CPU and GPU met after 61.2 % of the queries, 84.0 % of the candidates"; of a static division
/// what the GPU was given.
std::string meetingWords(const SharedPass& pass);
/// "predicted 12.3 ms, took 14.1 ms" of a division that goes by a model [Gallet 2020, eq. 3]; empty
/// without one.
std::string forecastWords(const SharedPass& pass);
/// One batch in a line: processor, queries and their places in the order, candidates, time.
std::string batchWords(const SharedBatch& batch);
/// Number of the batch that did a query of the order; −1: none did.
std::int64_t batchOfQuery(const SharedPass& pass, std::uint32_t query);

/// How both processors share the queries of a join [Gallet 2020, §4]: a row for each GPU stream and
/// CPU thread, in which batches are bars in the colour of their workload (candidates per query); a
/// strip above them with the queries in their order, heaviest on the left, and the place where CPU
/// and GPU met; the imbalance in words. A broken line shows the time that a model predicted.
/// Several divisions are drawn below each other on one time axis. A click or the arrow keys pick a
/// batch.
class ProcessorChart final : public Chart {
 public:
  /// `batch` is a place in pass.batches; −1: none.
  using PickFn = std::function<void(std::size_t panel, std::int64_t batch)>;

  ProcessorChart();
  MakeTable table() const override;
  /// nullptr or no batches empty the chart.
  void setData(std::shared_ptr<const ProcessorTimes> times);
  /// Marks one batch in each panel, by its place; −1: none.
  void setMarked(std::vector<std::int64_t> batchOfPanel);
  void setOnPick(PickFn onPick);

 private:
  struct Parts;
  Parts* parts_;
};

}  // namespace clusterloom
