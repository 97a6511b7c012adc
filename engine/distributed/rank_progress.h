#pragma once

#include <map>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

#include "engine/core/task.h"
#include "engine/distributed/communicator.h"

namespace clusterloom {

/// Progress over all ranks: each sends its progress to rank 0, without waiting, and rank 0 reports
/// the stage of the rank that is furthest behind and the mean fraction of all ranks in it. Each
/// rank makes one for the time of its part of the job and gives `function()` to its task.
class RankProgress {
 public:
  /// `report` is called on rank 0 only, from this rank's threads and the thread of the
  /// RankProgress, never from two at once. Empty: nothing is reported there. The communicator
  /// outlives it.
  RankProgress(Communicator& communicator, ProgressFn report);
  /// Reports a last time and ends its thread; `report` is not called afterwards.
  ~RankProgress();
  RankProgress(const RankProgress&) = delete;
  RankProgress& operator=(const RankProgress&) = delete;

  ProgressFn function();

 private:
  void take(std::string_view stage, double fraction);
  void reportAll();
  /// Reports now and then until it is stopped.
  void tick(const std::stop_token& stop);

  Communicator& communicator_;
  const ProgressFn report_;
  std::mutex mutex_;
  int shared_ = 0;  ///< number of the shared stage, see rank_progress.cpp
  int own_ = 0;     ///< number of this rank's own stage; 0: it is in the shared one
  std::vector<std::string_view> ownNames_;  ///< own stages since the shared one began
  std::string_view stage_;
  std::map<int, std::string_view> names_;  ///< of the stages that rank 0 was in, by number
  std::jthread ticker_;
};

/// The stage of the rank that is furthest behind, and the mean fraction in it of all ranks, from
/// the numbers that they sent: a whole number for the stage and the fraction behind the point.
struct ProgressOfRanks {
  int stage = 0;
  double fraction = 0;
};
ProgressOfRanks progressOf(const std::vector<double>& told);

}  // namespace clusterloom
