#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "engine/core/shared_pass.h"
#include "engine/hybrid/ordered_queries.h"
#include "engine/hybrid/query_ends.h"
#include "engine/join/division.h"

namespace clusterloom {

/// Queries that a CPU thread takes at once unless told otherwise [Gallet 2020, §5.3].
inline constexpr std::uint32_t kCpuBatch = 1024;

/// The input that decides which processor does which queries of a pass.
struct DivisionPlan {
  Division division = Division::Adaptive;
  /// Static divisions: queries before it are the GPU's.
  std::uint32_t boundary = 0;
  /// First query of each batch of the GPU, and n. Adaptive batches end at the next cut at the
  /// latest: a batch must fit into its buffer.
  std::vector<std::uint32_t> cuts = {};
  std::uint32_t cpuBatch = kCpuBatch;  ///< adaptive: the largest first batch of a thread
  /// Adaptive: what the sides are expected to do before their first batches are measured; only the
  /// ratio counts.
  SideRates expected = {};
  std::uint32_t begun = 0;  ///< queries before this one were handed to the GPU earlier
  int streams = 3;          ///< of the GPU; 0: the CPU does all
  int threads = 1;          ///< of the CPU
};

/// Hands out the batches of one pass: to the GPU from the front of the order, to CPU threads from
/// its back. Used by all threads at once, and by the simulation. Under Dyn and Adaptive the CPU may
/// take everything that the GPU leaves, under the static divisions nothing before the boundary.
///
/// Adaptive: a batch is a third of the work that is left for its side when the rest is divided by
/// the rates measured so far, spread over the side's lanes, and has no more queries for its work
/// than the batches before it; so no batch lasts longer than a third of the time that is left,
/// whether queries or candidates take it, and both sides end together but for the smallest batches.
/// Rates are those of the last few batches: workloads change along the order, and with them the
/// rates. Where rates are expected, the GPU's first batches are half of its share by them, so that
/// most of its work is done by kernels that fill it; otherwise first batches are small.
class Divider {
 public:
  /// `queries` must outlive this.
  Divider(const OrderedQueries& queries, DivisionPlan plan);

  std::optional<TicketRange> nextForGpu();
  std::optional<TicketRange> nextForCpu();
  /// A batch was done in `seconds` seconds.
  void done(Processor processor, TicketRange range, double seconds);

  /// The GPU has failed: `unfinished`, which it had taken, and all queries reserved for it go to
  /// the CPU.
  void gpuFailed(TicketRange unfinished);
  /// Hands out nothing more.
  void drop() { dropped_.store(true, std::memory_order_relaxed); }

  /// Whether no queries are left for the CPU at this moment.
  bool cpuIsDone() const;
  /// Queries before this one were handed to the GPU.
  std::uint32_t meeting() const { return ends_.left().begin; }

 private:
  struct Rate {
    double work = 0;
    double queries = 0;
    double seconds = 0;
  };

  double measuredRate(Processor processor) const;
  double rateOf(Processor processor) const;
  std::uint32_t firstWithWork(double work) const;
  double adaptiveWork(double left, Processor processor) const;
  std::uint32_t adaptiveFront(std::uint32_t front, std::uint32_t back) const;
  std::uint32_t adaptiveBack(std::uint32_t front, std::uint32_t back) const;
  std::uint32_t mostQueries(double work, Processor processor) const;
  int lanesOf(Processor processor) const {
    return processor == Processor::Gpu ? plan_.streams : plan_.threads;
  }

  const OrderedQueries& queries_;
  const DivisionPlan plan_;
  QueryEnds ends_;
  std::atomic<bool> dropped_{false};
  std::atomic<bool> gpuFailed_{false};
  std::array<std::atomic<double>, 2> rates_{};  // work per second of a side; 0: not measured
  std::array<std::atomic<double>, 2> queriesPerWork_{};  // of its last batches; 0: not measured
  mutable std::mutex mutex_;
  std::array<Rate, 2> sums_;             // guarded
  std::vector<TicketRange> unfinished_;  // guarded
};

}  // namespace clusterloom
