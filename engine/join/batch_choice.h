#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "engine/core/run_stats.h"

namespace clusterloom {

/// The figures of one measured batched join, kept for later choices.
struct BatchRun {
  std::string machine;  ///< the device, as Backend::describe names it
  std::string work;     ///< what was joined and how, without ε and the batch size
  double eps = 0;
  std::uint64_t pairs = 0;    ///< found in all
  std::uint64_t batches = 0;  ///< n_b, at least 2
  int streams = 1;
  double seconds = 0;  ///< response time of the join, without the index
  double buffers = 0;  ///< T2: seconds until the last stream had its buffers, over the streams

  friend bool operator==(const BatchRun&, const BatchRun&) = default;
};

/// The join whose batch size is chosen.
struct BatchWork {
  std::string machine;
  std::string work;
  double eps = 0;
  int dims = 1;                  ///< of the ball whose volume the workload is taken to follow
  std::uint64_t batchPairs = 0;  ///< b_s that was requested; 0: to be chosen
};

/// A batch size, and why.
struct BatchChoice {
  std::uint64_t batchPairs = 0;                    ///< b_s; 0: the engine's standard size
  std::optional<BatchPrediction> prediction = {};  ///< without what the join is and took
  std::string note = {};  ///< one sentence for a person; empty: b_s was requested
};

/// Chooses b_s, unless it was requested, and predicts by the batch-size model [Gowanlock 2018,
/// §5.4] (engine/join/batch_model.h), fitted on earlier runs of the same work on the same machine:
/// two runs at one ε with different numbers of batches, at the ε that is nearest to that of the
/// join. Repeated runs count by their median, and their spread is the noise; where no run was
/// repeated, the noise is taken as 2 % of the time. V is the ratio of the pairs where this ε was
/// measured before, else the ratio of the volumes. There are at least as many batches as streams,
/// unless they would have fewer than kLeastBatchPairs pairs.
///
/// Where only one number of batches was measured at this ε, the choice is half its batch size, so
/// that the next choice can be by the model. Where nothing can be fitted, the standard size, and
/// nothing is predicted.
BatchChoice chooseBatch(std::span<const BatchRun> runs, const BatchWork& work);

}  // namespace clusterloom
