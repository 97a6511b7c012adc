#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clusterloom {

enum class Processor { Gpu, Cpu };

/// One batch of a pass that both processors work on. Seconds since the pass began.
struct SharedBatch {
  Processor processor = Processor::Cpu;
  int lane = 0;  ///< GPU stream or CPU thread
  double start = 0;
  double end = 0;
  double transfer = 0;           ///< seconds of it spent copying to the host; GPU only
  std::uint32_t firstQuery = 0;  ///< it did queries [firstQuery, firstQuery + queries) of the order
  std::uint32_t queries = 0;
  std::uint64_t candidates = 0;
  std::uint64_t bytes = 0;  ///< copied to the host; GPU only
  int replays = 0;          ///< how often it was split because its buffer was too small
};

/// How a run was given to CPU and GPU, decided before it by the speed that is expected of each.
struct SharingChoice {
  enum class By { Both, Gpu, Cpu };
  By by = By::Both;
  double cpuToGpu = 0;  ///< throughput of the CPU over that of the GPU, as expected; 0: unknown
};

/// The prediction behind a division by fixed shares: the volume model [Gallet 2020, eq. 1 to 3].
/// Seconds.
struct DivisionForecast {
  double referenceEps = 0;  ///< ε_r, at which both processors were timed; 0 in a model
  double volumeRatio = 1;   ///< volume of the search at the join's ε over that at ε_r
  double gpuAlone = 0;      ///< T^GPU: all queries by the GPU alone
  double cpuAlone = 0;      ///< T^CPU: all queries by the CPU alone
  double together = 0;      ///< T^HEGJoin: all queries by both, if neither waits for the other
};

/// How CPU and GPU shared one pass over the queries of a join [Gallet 2020, §4].
struct SharedPass {
  std::string stage;                 ///< "counting", "filling", "core test"
  std::string division;              ///< the option's word
  double start = 0;                  ///< seconds since the join began
  std::vector<SharedBatch> batches;  ///< by start
  int streams = 0;                   ///< lanes of the GPU
  int threads = 0;                   ///< lanes of the CPU
  std::uint32_t queries = 0;         ///< of the whole pass
  std::uint32_t meeting = 0;  ///< queries before this one in the order were for the GPU, others not
  double gpuEnd = 0;          ///< seconds since the pass began; 0 when it did nothing
  double cpuEnd = 0;
  double imbalance = 0;        ///< |gpuEnd − cpuEnd| / the later one [Gallet 2020, §5.4.5]
  double gpuQueries = 0;       ///< share of the queries that the GPU did, 0 … 1
  double gpuCandidates = 0;    ///< share of the candidates
  double predictedShare = -1;  ///< share given to the GPU beforehand; −1 where there was none
  /// Of a division by fixed shares, in passes that count all neighbours.
  std::optional<DivisionForecast> forecast = std::nullopt;
  /// Point of each query of the order.
  std::shared_ptr<const std::vector<std::uint32_t>> order;

  /// Seconds that the pass took, to be compared with forecast->together.
  double end() const { return std::max(gpuEnd, cpuEnd); }
};

}  // namespace clusterloom
