#include <string>

#include "app/cli/cluster_options.h"
#include "app/cli/console.h"
#include "app/cli/engine_run.h"
#include "app/cli/json_output.h"
#include "app/cli/outputs.h"
#include "app/cli/ranks.h"
#include "app/cli/space_options.h"
#include "engine/cloud/directions.h"
#include "engine/core/stopwatch.h"
#include "engine/distributed/distributed_dbscan.h"
#include "engine/distributed/divided_backend.h"
#include "engine/distributed/rank_record.h"
#include "engine/distributed/read_parts.h"
#include "engine/distributed/write_parts.h"
#include "engine/io/packing/packing.h"

namespace clusterloom::cli {
namespace {

// For ranks in several processes.
Result<void> checkOutputsOfRanks(const ClusterOptions& options) {
  if (!options.labels.empty() && !writesLabelsOnly(options.labels) &&
      !canWriteParts(options.labels))
    return badCall("--labels " + options.labels + ": several ranks write .npy, .csv and .ply.");
  if (writesLabelsOnly(options.labels) && packingOfName(options.labels) != Packing::None)
    return badCall("--labels " + options.labels +
                   ": several ranks write .npy uncompressed. Give a name without " +
                   std::string(packingKindOf(packingOfName(options.labels)).extension) +
                   ", or one that ends in .csv.gz.");
  if (options.allowLoss)
    return badCall(
        "--allow-loss is for columns other than the coordinates, which several ranks do not write. "
        "Leave it out.");
  if (!options.clusters.empty() || !options.image.empty())
    return badCall(
        "--clusters and --image need all points in one place. Write the labels with several ranks, "
        "or start the program as one.");
  if (options.provenance)
    return badCall(
        "--provenance needs the hash of the whole file, which no rank reads. Leave it out.");
  return {};
}

struct Seconds {
  double read = 0;
  double write = 0;
};

Json describeRun(const std::string& file, const DistributedClustering& found,
                 const DbscanParams& params, const RunStats& stats, std::size_t dims,
                 const Space& space, const RankPart& part, const Seconds& seconds,
                 const Stopwatch& total) {
  Json object{{"file", file},      {"points", found.points},
              {"dims", dims},      {"skipped", part.skippedOfAll},
              {"eps", params.eps}, {"min_pts", params.minPts}};
  addSpace(object, space);
  addStats(object, stats);
  addClusters(object, found);
  const RankReport& first = found.ranks.front();
  object["seconds"] = {{"read", seconds.read},     {"divide", first.divide},
                       {"cluster", first.cluster}, {"merge", first.merge},
                       {"write", seconds.write},   {"total", total.seconds()}};
  return object;
}

std::string summaryOf(const DistributedClustering& found, const DbscanParams& params,
                      const RunStats& stats, std::size_t dims, const Space& space,
                      const Seconds& seconds, const Stopwatch& total) {
  return pointsLine(found.points, dims) + '\n' + spaceLine(space) +
         clusterLines(params, found, found.points) + '\n' + engineLine(stats) + '\n' +
         dividedLine(stats.ranks) +
         summaryLine("time", duration(total.seconds()) + " (reading " + duration(seconds.read) +
                                 ", clustering " + duration(found.ranks.front().total) + ")");
}

class Run {
 public:
  Run(const ClusterOptions& options, Communicator& communicator, const RankEngine& engine,
      const Task& task)
      : options_(options),
        plain_(communicator),
        communicator_(communicator, record_),
        engine_(engine),
        task_(task) {}

  Result<void> all(const std::vector<double>& values) {
    const Stopwatch reading;
    if (isTreeMetric(metric())) {
      auto with = engine_.backend.withMetric(metric());
      if (!with) return tl::unexpected(with.error());
      withMetric_ = std::move(*with);
    }
    if (auto begun = record_.begin(plain_, task_); !begun) return begun;
    record_.enter(RankPhase::Read);
    auto part = readParts(communicator_, options_.input.path, options_.input.read, task_);
    if (!part) return tl::unexpected(part.error());
    part_ = std::move(*part);
    seconds_.read = reading.seconds();
    if (speaks() && !part_.note.empty()) sayNote(part_.note);
    if (speaks()) sayOfSkippedRows(options_.input.path, part_.skippedOfAll, part_.rowsOfAll);
    if (speaks()) sayOfColumns(part_.data, options_.input.path);
    rowOf_ = rowsOfPart(part_);
    // Points are written in original units, and clustering takes them.
    if (withCoordinates()) original_ = part_;
    const auto scaled = scaleParts(communicator_, options_.engine.scaling, part_.data.cloud, task_);
    if (!scaled) return tl::unexpected(scaled.error());
    if (metric() == Metric::Cosine) {
      auto vectors = directions(part_.data.cloud, task_, rowOf_);
      if (!vectors) return tl::unexpected(vectors.error());
      part_.data.cloud = std::move(*vectors);
    }
    record_.leave();
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i > 0)
        if (auto begun = record_.begin(plain_, task_); !begun) return begun;
      if (auto done = once(values[i], i + 1 == values.size()); !done) return done;
    }
    return {};
  }

 private:
  Result<void> write(OutputSet& outputs, DistributedClustering& found) {
    if (!withCoordinates())
      return writeLabelsOfParts(communicator_, outputs, options_.labels, part_, found.labels,
                                task_);
    if (auto done =
            writeLabelledParts(communicator_, outputs, options_.labels, std::move(original_),
                               std::move(found.labels), std::move(found.roles), task_);
        !done)
      return done;
    // Nothing is replaced before all ranks have come so far.
    return communicator_.barrier(task_);
  }

  // Whether the labels are written with coordinates.
  bool withCoordinates() const {
    return !options_.labels.empty() && !writesLabelsOnly(options_.labels);
  }
  bool speaks() const { return communicator_.rank() == 0; }
  Metric metric() const { return options_.engine.space.metric; }

  // Takes the points the last time.
  Result<DistributedClustering> clustered(DbscanParams params, bool last) {
    PointCloud& part = part_.data.cloud;
    const bool vectors = metric() == Metric::Cosine;
    if (vectors) {
      const auto chord = chordOfCosine(params.eps);
      if (!chord) return tl::unexpected(chord.error());
      params.eps = *chord;
    }
    const Strategy& strategy = options_.engine.strategy;
    const DistributedOptions how{.threads = threadsOfRank(plain_, options_.engine),
                                 .roles = withCoordinates(),
                                 .record = &record_,
                                 .rowOf = rowOf_,
                                 .metric = vectors ? Metric::Euclidean : metric()};
    const Backend& backend = withMetric_ ? *withMetric_ : engine_.backend;
    const RanksOnDevices* const onDevices = withMetric_ ? nullptr : engine_.onDevices;
    return dbscanOfPart(onDevices, communicator_, part, params, strategy, how, task_, [&] {
      return distributedDbscan(communicator_, last ? std::move(part) : part, params, backend,
                               strategy, how, task_);
    });
  }

  Result<void> once(double eps, bool last) {
    const DbscanParams params{eps, options_.minPts};
    const std::size_t dims = part_.data.cloud.dims();
    auto found = clustered(params, last);
    if (!found) return tl::unexpected(found.error());
    const Stopwatch writing;
    if (!options_.labels.empty()) {
      record_.enter(RankPhase::Write);
      OutputSet outputs;
      if (auto done = write(outputs, *found); !done) return done;
      if (auto done = outputs.commit(); !done) return done;
      record_.leave();
    }
    seconds_.write = writing.seconds();
    auto spans = gatherSpans(plain_, record_, task_);
    if (!spans) return tl::unexpected(spans.error());
    if (!speaks()) return {};
    RunStats stats = howOf(found->stats);  // counts of this rank alone are not those of all ranks
    stats.ranks = rankStatsOf(found->ranks, std::move(*spans));
    return printResult(
        options_.json || options_.eps.isSweep(),
        describeRun(options_.input.path, *found, params, stats, dims, options_.engine.space, part_,
                    seconds_, total_),
        stats, summaryOf(*found, params, stats, dims, options_.engine.space, seconds_, total_),
        {options_.labels});
  }

  const ClusterOptions& options_;
  Communicator& plain_;
  RankRecord record_;
  RecordingCommunicator communicator_;  // plain_, recorded
  const RankEngine& engine_;
  std::shared_ptr<const Backend> withMetric_;  // of the engine; null for Euclidean distances
  const Task& task_;
  const Stopwatch total_;
  RankPart part_;
  RowOfPoint rowOf_;   // of its points
  RankPart original_;  // before it is scaled; only withCoordinates()
  Seconds seconds_;
};

}  // namespace

bool needsAllPoints(const ClusterOptions& options) {
  return (!options.labels.empty() && !writesLabelsOnly(options.labels)) ||
         !options.clusters.empty() || !options.image.empty() || options.provenance ||
         !isForRanks(options.engine.space) || !options.weights.empty() || !options.by.empty();
}

Result<void> clusterOnRanks(const ClusterOptions& options,
                            const std::function<Result<void>()>& check, const Task& task) {
  const auto checkAll = [&]() -> Result<void> {
    if (auto fine = check(); !fine) return fine;
    const auto values = epsValues(options.eps);
    if (!values) return tl::unexpected(values.error());
    if (auto fine = checkSquares(*values, options.engine.space); !fine) return fine;
    return checkOutputsOfRanks(options);
  };
  return runOnRanks(options.engine, checkAll, task,
                    [&](Communicator& communicator, const RankEngine& engine, const Task& own) {
                      return Run(options, communicator, engine, own).all(*epsValues(options.eps));
                    });
}

}  // namespace clusterloom::cli
