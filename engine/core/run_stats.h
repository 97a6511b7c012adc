#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/rank_stats.h"
#include "engine/core/shared_pass.h"

namespace clusterloom {

/// Seconds spent by stage of one run.
struct StageSeconds {
  double index = 0;
  double join = 0;
  double label = 0;
  double total = 0;
};

/// One batch of a join on a GPU. Seconds since the join began.
struct BatchStats {
  int stream = 0;
  double start = 0;        ///< its kernel began
  double kernelEnd = 0;    ///< its kernel ended
  double transferEnd = 0;  ///< its result was in host memory; kernelEnd when nothing is copied
  double end = 0;          ///< the host had processed it
  std::uint64_t queries = 0;
  std::uint64_t pairs = 0;
  std::uint64_t bytes = 0;  ///< copied to the host
  int replays = 0;          ///< how often it was split because its buffer was too small
};

/// A kernel of a run and its cost.
struct KernelStats {
  std::string name;
  double seconds = 0;  ///< on the device, all its launches
  int launches = 0;
  int registers = 0;     ///< per thread
  double occupancy = 0;  ///< warps that fit on a multiprocessor at once, as a fraction of the most
};

/// A part of a join: "counting", "filling", "sorting" (of rows), "transfer" (to the list of pairs).
/// Where several joins are summed up also a whole one: "pairs", "histogram", ….
struct JoinPhase {
  std::string name;
  double seconds = 0;
  std::uint64_t distanceCalculations = 0;
};

/// Statistics of one run, for the status line, --json and the runs table.
struct RunStats {
  std::string backend;  ///< "cpu", …
  int threads = 0;
  std::string strategy;  ///< describe(strategy) with every auto resolved
  int indexedDims = 0;
  std::uint64_t cells = 0;  ///< non-empty cells of the index
  std::uint64_t batches = 0;
  std::uint64_t distanceCalculations = 0;  ///< done; 0 when not counted
  StageSeconds seconds;
  /// Of seconds.join, in order. The joins of the CPU fill it that count or collect pairs, and
  /// whoever sums up several joins of any backend.
  std::vector<JoinPhase> phases;
  double predictedJoin = 0;  ///< seconds.join by the batch-size model; 0: not predicted
  /// seconds.join of the join that was predicted, where several are summed up; else 0.
  double predictedJoinTook = 0;
  std::vector<BatchStats> timeline;  ///< GPU joins only
  std::vector<KernelStats> kernels;  ///< GPU runs only
  std::vector<SharedPass> passes;    ///< joins by CPU and GPU together only
  std::vector<RankStats> ranks;      ///< runs that several ranks or devices share only
  /// The rank that owned each point; divided DBSCAN in one process only.
  std::shared_ptr<const std::vector<std::uint16_t>> owners;
  /// Runs by the adaptive division of the backend hybrid only. Without passes where one processor
  /// did all.
  std::optional<SharingChoice> sharing;
  std::string note;  ///< remarks of the engine (an option overridden, …); may be empty
};

/// Appends `note` to `stats.note`, separated by a space; does nothing when it is empty.
inline void addNote(RunStats& stats, std::string_view note) {
  if (!stats.note.empty() && !note.empty()) stats.note += ' ';
  stats.note += note;
}

}  // namespace clusterloom
