#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace clusterloom {

/// Labels that are not cluster numbers.
inline constexpr std::int32_t kNoise = -1;
inline constexpr std::int32_t kSkippedRow = -2;

/// What a point is to DBSCAN.
enum class PointRole : std::uint8_t { Noise = 0, Border = 1, Core = 2 };

/// ε and minPts. A point is core when it has ≥ minPts neighbours within ε, itself included.
struct DbscanParams {
  double eps = 0.5;
  std::int64_t minPts = 5;
};

/// Seconds spent by stage of one run.
struct StageSeconds {
  double index = 0;
  double join = 0;
  double label = 0;
  double total = 0;
};

/// One batch of a join on a GPU. Seconds since the join began.
struct BatchStory {
  int stream = 0;
  double start = 0;        ///< its kernel began
  double kernelEnd = 0;    ///< its kernel ended
  double transferEnd = 0;  ///< its result was in host memory; kernelEnd when nothing is sent
  double end = 0;          ///< the host had taken it in
  std::uint64_t queries = 0;
  std::uint64_t pairs = 0;
  std::uint64_t bytes = 0;  ///< sent to the host
  int replays = 0;          ///< how often it had to be cut in two, its buffer being too small
};

/// A kernel of a run and what it took.
struct KernelStory {
  std::string name;
  double seconds = 0;    ///< on the device, all its launches
  int launches = 0;
  int registers = 0;     ///< per thread
  double occupancy = 0;  ///< warps that fit on a multiprocessor at once, as a fraction of the most
};

/// What a run did, for the status line, --json and the runs table.
struct RunStory {
  std::string backend;   ///< "cpu", …
  int threads = 0;
  std::string strategy;  ///< describe(strategy) with every auto resolved
  int indexedDims = 0;
  std::uint64_t cells = 0;                  ///< non-empty cells of the index
  std::uint64_t batches = 0;
  std::uint64_t distanceCalculations = 0;   ///< done; 0 when not counted
  StageSeconds seconds;
  std::vector<BatchStory> timeline;  ///< GPU joins only
  std::vector<KernelStory> kernels;  ///< GPU runs only
  std::string note;  ///< what the engine had to say (sides enlarged, option overridden, …); may be empty
};

/// Adds a remark to a story; nothing where it is empty.
inline void addNote(RunStory& story, std::string_view note) {
  if (!story.note.empty() && !note.empty()) story.note += ' ';
  story.note += note;
}

/// DBSCAN's answer: scikit-learn's labelling, element by element. Clusters are numbered 0, 1, … by
/// their lowest core point; a border point takes the lowest-numbered cluster among the core points
/// within ε; noise is −1.
struct Clustering {
  DbscanParams params;
  std::vector<std::int32_t> labels;  ///< one a point
  std::vector<PointRole> roles;      ///< one a point
  std::int32_t clusters = 0;
  std::uint64_t coreCount = 0;
  std::uint64_t borderCount = 0;
  std::uint64_t noiseCount = 0;
  RunStory story;
};

}  // namespace clusterloom
