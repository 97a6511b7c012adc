#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/engine_options.h"
#include "app/cli/input_options.h"
#include "app/cli/json_output.h"
#include "engine/backend.h"
#include "engine/core/result.h"
#include "engine/core/stopwatch.h"
#include "engine/core/task.h"
#include "engine/hierarchies.h"

namespace clusterloom::cli {

/// The second cloud of a call; `scaled` in the units of the run and with the coordinates in its
/// order.
struct OtherCloud {
  Input input;
  PointCloud scaled;
};

/// One run of the engine for a call: the input of every command that takes FILE and ε.
struct EngineRun {
  const Backend& backend;
  const Input& input;
  const ScaledCloud& scaled;
  const OtherCloud* other;  ///< nullptr in a call with one cloud
  const Space& space;
  double eps;
  const Stopwatch& total;  ///< since the call began
  const Task& task;

  /// FILE with itself, or its points as queries among those of the other cloud.
  JoinInput join() const {
    return other == nullptr ? JoinInput(scaled.cloud()) : JoinInput(scaled.cloud(), other->scaled);
  }
  double readSeconds() const {
    return input.seconds + (other == nullptr ? 0 : other->input.seconds);
  }
};

/// Says on standard error where the names of the two coordinates of a file of the call say another
/// order than --geographic.
void sayOfOrder(const Space& space, const InputOptions& input, const std::string& path,
                const std::vector<std::string>& names);

/// Reads the other cloud of a call, as FILE was read, whose points are `cloud`; null where the call
/// has one cloud. BadInput for other dimensions than those of `cloud`.
Result<std::unique_ptr<OtherCloud>> readOther(const InputOptions& input,
                                              const ScalingChoice& scaling, const PointCloud& cloud,
                                              const Task& task);
/// The points of FILE in the units of the run. Where there is another cloud, the one that is
/// searched, both are scaled by its offsets and factors, and `other->scaled` becomes its points.
Result<ScaledCloud> scaleClouds(const ScalingChoice& scaling, const PointCloud& cloud,
                                OtherCloud* other);

/// Checks ε and then, by `check`, the rest of the call; makes the backend, reads and scales the
/// cloud, or both, and calls `run` for every ε, until one fails. The backend is that of the space.
Result<void> runForEachEps(const EpsOptions& eps, const std::function<Result<void>()>& check,
                           const InputOptions& input, const EngineOptions& engine, const Task& task,
                           const std::function<Result<void>(const EngineRun&)>& run);

/// Prints the note, if there is one, on standard error, and the summary with a line for each file
/// written; `written` may have empty names.
Result<void> printSummary(const std::string& note, std::string summary,
                          const std::vector<std::string>& written);
/// The output of a run: only the object with `json`, else the summary with the note of the stats.
Result<void> printResult(bool json, const Json& object, const RunStats& stats, std::string summary,
                         const std::vector<std::string>& written);

/// The other cloud of a run: file, points and skipped rows.
Json describeOther(const std::string& path, std::uint64_t points, std::uint64_t skipped);
Json describeOther(const OtherCloud& other);

/// The lines that summaries share.
std::string pointsLine(const PointCloud& cloud);
std::string pointsLine(std::uint64_t points, std::size_t dims);
/// The line about the other cloud of a call, with a line break; empty where there is none.
std::string withLine(const OtherCloud* other);
std::string engineLine(const RunStats& stats);
/// The processor that computed nearest neighbours or a hierarchy: "on the GPU" or "with 2 threads".
std::string placeText(const HierarchyPlace& place, int threads);
/// How ranks shared the points of a divided DBSCAN, with a line break; empty without ranks.
std::string dividedLine(const std::vector<RankStats>& ranks);
/// `doing`: what the engine did, e.g. "clustering".
std::string timeLine(const EngineRun& run, const std::string& doing, const RunStats& stats);
std::string timeLine(const Stopwatch& total, double readSeconds, const std::string& doing,
                     const RunStats& stats);

}  // namespace clusterloom::cli
