#pragma once

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

/// A part of a join: "counting"; "filling" the rows of its table; "sorting" them; "transfer" of
/// what was found to the list of pairs, or from a GPU. Batches on a GPU sort and send rows while
/// others are filled, which is all "filling". Where several joins are summed up also a whole one:
/// "pairs", "histogram", ….
struct JoinPhase {
  std::string name;
  double seconds = 0;
  std::uint64_t distanceCalculations = 0;
};

/// What the batch-size model [Gowanlock 2018, §5.4] predicted for a join in batches, beside what it
/// took: T = T1·V + θ·n_b + S·T2(b_s). Times in seconds.
struct BatchPrediction {
  std::string join = {};  ///< "pairs" or "table"
  double predicted = 0;   ///< T
  double measured = 0;    ///< what the join took, without the index
  double joining = 0;     ///< T1 of the runs that the model was fitted to, at their ε
  double volume = 1;      ///< V: how many times their workload this join was expected to have
  double perBatch = 0;    ///< θ
  double batches = 0;     ///< n_b
  double buffers = 0;     ///< T2(b_s): a stream takes its buffers
  int streams = 1;        ///< S
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
  /// The phases of seconds.join, in order. Filled by counts on the CPU, by lists of pairs and
  /// neighbour tables, and where several joins of any backend are summed up.
  std::vector<JoinPhase> phases;
  /// One for each join that was predicted. The timeline of DBSCAN is that of the first.
  std::vector<BatchPrediction> predictions;
  std::vector<BatchStats> timeline;  ///< GPU joins only
  /// When the last stream of the timeline had its buffers, page-locked and on the device; 0: not
  /// known.
  double streamsReady = 0;
  std::vector<KernelStats> kernels;  ///< GPU runs only
  std::vector<SharedPass> passes;    ///< joins by CPU and GPU together only
  std::vector<RankStats> ranks;      ///< runs that several ranks or devices share only
  /// Joins by query sets only, by stage and set.
  std::vector<QuerySetStats> querySets;
  /// The rank that owned each point; divided DBSCAN in one process only.
  std::shared_ptr<const std::vector<std::uint16_t>> owners;
  /// Runs by the adaptive division of the backend hybrid only. Without passes where one processor
  /// did all.
  std::optional<SharingChoice> sharing;
  std::string note;  ///< remarks of the engine (an option overridden, …); may be empty
};

/// How a run was done, without its figures: what the runs on parts of a cloud share.
inline RunStats howOf(const RunStats& run) {
  RunStats how;
  how.backend = run.backend;
  how.threads = run.threads;
  how.strategy = run.strategy;
  how.indexedDims = run.indexedDims;
  how.note = run.note;
  return how;
}

/// Appends `note` to `stats.note`, separated by a space; does nothing when it is empty.
inline void addNote(RunStats& stats, std::string_view note) {
  if (!stats.note.empty() && !note.empty()) stats.note += ' ';
  stats.note += note;
}

}  // namespace clusterloom
