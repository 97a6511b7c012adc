#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "engine/distributed/communicator.h"

namespace clusterloom {

/// How ranks in one process work.
struct LocalRankOptions {
  /// Bytes that are copied at once; a copy stops between two such pieces.
  std::size_t chunkBytes = std::size_t{64} << 20;
  /// How long a rank that waits keeps its processor before it sleeps: ranks with devices exchange
  /// many short messages, and to wake a thread takes longer than most of them.
  std::chrono::microseconds spin{0};
};

/// The communicators of `ranks` ≥ 1 ranks in this process, by rank, each for its own thread. A
/// message is copied from the sender's memory to the receiver's by whichever of them waits. They
/// may outlive each other; a rank that is destroyed before it has called as many collective
/// functions as the others leaves these waiting.
std::vector<std::unique_ptr<Communicator>> makeLocalCommunicators(
    int ranks, const LocalRankOptions& options = {});

/// Runs `body(communicator, task)` on `ranks` ranks, each on its own thread, by `runRank`, and
/// returns the first error, if any. Progress is that of all ranks (rank_progress.h). TooLarge when
/// the threads cannot be started.
Result<void> runLocalRanks(
    int ranks, const Task& task,
    const std::function<Result<void>(Communicator& communicator, const Task& task)>& body,
    const LocalRankOptions& options = {});

}  // namespace clusterloom
