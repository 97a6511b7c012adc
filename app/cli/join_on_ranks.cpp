
#include "app/cli/console.h"
#include "app/cli/join_options.h"
#include "app/cli/ranks.h"
#include "engine/cloud/directions.h"
#include "engine/core/stopwatch.h"
#include "engine/distributed/check_parts.h"
#include "engine/distributed/read_parts.h"
#include "engine/distributed/ring_join.h"
#include "engine/distributed/ring_output.h"
#include "engine/distributed/selection.h"
#include "engine/io/packing/packing.h"
#include "engine/io/write.h"

namespace clusterloom::cli {
namespace {

// A rank's part of the cloud, a uniform selection.
struct RingCloud {
  PointCloud part;
  std::uint64_t points = 0;   // of the whole cloud
  std::uint64_t skipped = 0;  // rows of the file
  FileRows rowOf;             // of the points of the whole cloud
  double readSeconds = 0;
};

// Each rank reads its own rows of the file.
Result<RingCloud> readCloud(const JoinOptions& options, Communicator& communicator,
                            const Task& task) {
  const Stopwatch reading;
  auto rows = readParts(communicator, options.input.path, options.input.read, task);
  if (!rows) return tl::unexpected(rows.error());
  if (!rows->note.empty()) sayNote(rows->note);
  sayOfSkippedRows(options.input.path, rows->skippedOfAll, rows->rowsOfAll);
  sayOfColumns(rows->data, options.input.path);
  PointCloud& block = rows->data.cloud;
  if (auto scaled = scaleParts(communicator, options.engine.scaling, block, task); !scaled)
    return tl::unexpected(scaled.error());
  if (auto valid = validateParts(communicator, block, task, rowsOfPart(*rows)); !valid)
    return tl::unexpected(valid.error());
  if (options.engine.space.metric == Metric::Cosine) {
    auto vectors = directions(block, task, rowsOfPart(*rows));
    if (!vectors) return tl::unexpected(vectors.error());
    block = std::move(*vectors);
  }
  const auto firsts = firstPointsOfRanks(communicator, block.size(), task);
  if (!firsts) return tl::unexpected(firsts.error());
  const std::vector<std::span<const std::uint64_t>> toAll(std::size_t(communicator.size()),
                                                          rows->data.skippedRows);
  const auto skippedOfEach = communicator.exchange(toAll, task);
  if (!skippedOfEach) return tl::unexpected(skippedOfEach.error());
  std::vector<std::uint64_t> skipped;
  for (const auto& ofOne : *skippedOfEach)
    skipped.insert(skipped.end(), ofOne.begin(), ofOne.end());
  auto part = blocksToPart(communicator, block, (*firsts)[std::size_t(communicator.rank())], task);
  if (!part) return tl::unexpected(part.error());
  return RingCloud{.part = std::move(*part),
                   .points = firsts->back(),
                   .skipped = rows->skippedOfAll,
                   .rowOf = FileRows(std::move(skipped)),
                   .readSeconds = reading.seconds()};
}

/// The counts that rows of neighbours contain.
RingCounts countsOf(const RingTable& table) {
  RingCounts counts;
  for (std::size_t row = 0; row + 1 < table.offsets.size(); ++row)
    counts.counts.push_back(table.offsets[row + 1] - table.offsets[row]);
  counts.pairs = table.pairs;
  counts.candidates = table.candidates;
  return counts;
}

Result<void> ringOnce(const JoinOptions& options, const RingCloud& cloud, const Backend& backend,
                      double eps, const Stopwatch& total, Communicator& communicator,
                      const Task& task) {
  const std::uint64_t points = cloud.points;
  const bool vectors = options.engine.space.metric == Metric::Cosine;
  const auto radius = vectors ? chordOfCosine(eps) : Result<double>(eps);
  if (!radius) return tl::unexpected(radius.error());
  const RingInput input{.part = cloud.part,
                        .points = points,
                        .backend = backend,
                        .eps = *radius,
                        .strategy = options.engine.strategy};
  RingInput counting = input;
  counting.strategy.route = Strategy{}.route;  // counts are no pairs
  RingTable table;
  RingCounts counts;
  RunStats stats;
  if (options.pairs.empty()) {
    auto found = ringCounts(communicator, counting, task);
    if (!found) return tl::unexpected(found.error());
    counts = std::move(*found);
    stats = firstWork(counts.stats, "counting");
  } else {
    auto made = ringTable(communicator, input, task);
    if (!made) return tl::unexpected(made.error());
    table = std::move(*made);
    counts = countsOf(table);
    stats = firstWork(table.stats, "pairs");
  }
  DistanceHistogram histogram;
  if (!options.histogram.empty()) {
    auto made = ringHistogram(communicator, counting, options.bins, task);
    if (!made) return tl::unexpected(made.error());
    addWork(stats, made->stats, "histogram");
    histogram = std::move(*made);
  }

  const Stopwatch writing;
  OutputSet outputs;
  if (!options.counts.empty())
    if (auto done = writeRingCounts(communicator, outputs, options.counts, counts.counts, points,
                                    cloud.rowOf, task);
        !done)
      return done;
  if (!options.pairs.empty())
    if (auto done =
            writeRingPairs(communicator, outputs, options.pairs, table, points, cloud.rowOf, task);
        !done)
      return done;
  if (!options.histogram.empty() && communicator.rank() == 0)
    if (auto done = writeHistogram({outputs, options.histogram}, histogram); !done) return done;
  // Nothing is replaced before all ranks have come so far.
  if (auto all = communicator.barrier(task); !all) return all;
  if (communicator.rank() == 0)
    if (auto done = outputs.commit(); !done) return done;
  return printJoin(options,
                   {.path = options.input.path,
                    .dims = cloud.part.dims(),
                    .skipped = cloud.skipped,
                    .eps = eps,
                    .space = options.engine.space,
                    .readSeconds = cloud.readSeconds,
                    .total = total},
                   {.points = points, .pairs = counts.pairs, .candidates = counts.candidates},
                   stats, writing.seconds());
}

Result<void> checkRanksCall(const JoinOptions& options) {
  if (!options.input.other.empty())
    return badCall(
        "Ranks join a cloud with itself; leave --with out, or start the program without mpirun.");
  if (options.engine.backendOptions.allDevices || !options.engine.backendOptions.devices.empty())
    return badCall(
        "--devices shares a join inside one process; under mpirun each rank takes one GPU. Leave "
        "--devices out.");
  for (const std::string& path : {options.counts, options.pairs})
    if (packingOfName(path) != Packing::None)
      return badCall(path + ": several ranks write .npy uncompressed. Give a name without " +
                     std::string(packingKindOf(packingOfName(path)).extension) + ".");
  return {};
}

}  // namespace

Result<void> joinOnRanks(const JoinOptions& options, const std::function<Result<void>()>& check,
                         const Task& task) {
  // mpirun ends the job with the first rank that ends, so that the ranks must agree on an error.
  return runOnStartedRanks(task, [&](Communicator& communicator, const Task& own) -> Result<void> {
    if (auto fine = check(); !fine) return fine;
    if (auto fine = checkRanksCall(options); !fine) return fine;
    const Stopwatch total;
    const auto values = epsValues(options.eps);
    if (!values) return tl::unexpected(values.error());
    if (auto fine = checkSquares(*values, options.engine.space); !fine) return fine;
    const auto backend = makeStartedBackend(options.engine);
    if (!backend) return tl::unexpected(backend.error());
    const auto cloud = readCloud(options, communicator, own);
    if (!cloud) return tl::unexpected(cloud.error());
    for (const double eps : *values)
      if (auto done = ringOnce(options, *cloud, **backend, eps, total, communicator, own); !done)
        return done;
    return {};
  });
}

}  // namespace clusterloom::cli
