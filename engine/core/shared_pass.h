#pragma once

#include <cstdint>
#include <memory>
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

/// How a run of a backend for both processors was given to them, decided before it by what is
/// expected of each.
struct SharingChoice {
  enum class By { Both, Gpu, Cpu };
  By by = By::Both;
  double cpuToGpu = 0;  ///< throughput of the CPU over that of the GPU, as expected; 0: unknown
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
  /// Point of each query of the order.
  std::shared_ptr<const std::vector<std::uint32_t>> order;
};

}  // namespace clusterloom
