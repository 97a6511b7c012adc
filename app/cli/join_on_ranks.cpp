#include <memory>

#include "app/cli/console.h"
#include "app/cli/join_options.h"
#include "app/cli/ranks.h"
#include "engine/core/stopwatch.h"
#include "engine/distributed/mpi_communicator.h"
#include "engine/distributed/ring_join.h"
#include "engine/distributed/ring_output.h"
#include "engine/distributed/selection.h"
#include "engine/io/write.h"
#include "engine/version.h"

namespace clusterloom::cli {
namespace {

// The ranks must have read the same cloud with the same program: they would otherwise join parts
// of different clouds.
Result<void> checkAlike(Communicator& communicator, const EngineRun& run, const Task& task) {
  const Dataset& data = run.input.data;
  std::string mine = std::string(kVersion) + '\n' + data.source.hash + '\n' +
                     std::to_string(data.cloud.size()) + '\n' + std::to_string(data.cloud.dims());
  std::vector<char> first(mine.begin(), mine.end());
  if (auto sent = communicator.broadcast(0, first, task); !sent) return sent;
  if (std::string(first.begin(), first.end()) == mine) return {};
  return fail(ErrorKind::BadInput, data.source.path +
                                       ": this rank has read another file, or is another version "
                                       "of the program, than rank 0. Start the same program "
                                       "with the same file on all machines.");
}

Result<void> ringOnce(const JoinOptions& options, const EngineRun& run,
                      Communicator& communicator) {
  if (auto alike = checkAlike(communicator, run, run.task); !alike) return alike;
  const auto ranks = static_cast<std::uint64_t>(communicator.size());
  const std::uint64_t points = run.scaled.cloud().size();
  const PointCloud part =
      selectionOf(run.scaled.cloud(), static_cast<std::uint64_t>(communicator.rank()), ranks);
  const RingInput input{.part = part,
                        .points = points,
                        .backend = run.backend,
                        .eps = run.eps,
                        .strategy = options.engine.strategy};
  RingTable table;
  if (!options.pairs.empty()) {
    auto made = ringTable(communicator, input, run.task);
    if (!made) return tl::unexpected(made.error());
    table = std::move(*made);
  }
  RingInput counting = input;
  counting.strategy.route = Strategy{}.route;  // counts are no pairs
  const auto counts = ringCounts(communicator, counting, run.task);
  if (!counts) return tl::unexpected(counts.error());
  RunStats stats = counts->stats;
  if (!options.pairs.empty()) addWork(stats, table.stats);
  DistanceHistogram histogram;
  if (!options.histogram.empty()) {
    auto made = ringHistogram(communicator, counting, options.bins, run.task);
    if (!made) return tl::unexpected(made.error());
    addWork(stats, made->stats);
    histogram = std::move(*made);
  }

  const Stopwatch writing;
  OutputSet outputs;
  std::vector<std::string> written;
  if (!options.counts.empty()) {
    if (auto done = writeRingCounts(communicator, outputs, options.counts, counts->counts, points,
                                    run.task);
        !done)
      return done;
    written.push_back(options.counts);
  }
  if (!options.pairs.empty()) {
    if (auto done = writeRingPairs(communicator, outputs, options.pairs, table, points, run.task);
        !done)
      return done;
    written.push_back(options.pairs);
  }
  if (!options.histogram.empty()) {
    if (communicator.rank() == 0)
      if (auto done = writeHistogram({outputs, options.histogram}, histogram); !done) return done;
    written.push_back(options.histogram);
  }
  // Nothing is replaced before all ranks have come so far.
  if (auto all = communicator.barrier(run.task); !all) return all;
  if (communicator.rank() == 0)
    if (auto done = outputs.commit(); !done) return done;
  return printJoin(options, run,
                   {.points = points, .pairs = counts->pairs, .candidates = counts->candidates},
                   stats, writing.seconds(), written);
}

Result<void> checkCall(const JoinOptions& options) {
  if (!options.input.other.empty())
    return fail(ErrorKind::BadCall,
                "Ranks join a cloud with itself; leave --with out, or start the program without "
                "mpirun.");
  if (options.engine.backendOptions.allDevices || !options.engine.backendOptions.devices.empty())
    return fail(ErrorKind::BadCall,
                "--devices shares a join inside one process; under mpirun each rank takes one GPU. "
                "Leave --devices out.");
  return {};
}

// Each rank of a machine its own GPU, unless the call names one.
Result<void> chooseGpu(EngineOptions& engine) {
  if (engine.backendOptions.device >= 0 || engine.backend == "cpu") return {};
  const auto backend = makeBackend(engine.backend, engine.backendOptions);
  if (!backend) return tl::unexpected(backend.error());
  const std::vector<GpuDevice> devices = (*backend)->devices();
  if (devices.size() > 1)
    engine.backendOptions.device =
        devices[static_cast<std::size_t>(startedLocalRank()) % devices.size()].number;
  return {};
}

}  // namespace

Result<void> joinOnRanks(const JoinOptions& options, const std::function<Result<void>()>& check,
                         const Task& task) {
  // mpirun ends the job with the first rank that ends, so that the ranks must agree on an error.
  return runOnRanks({}, task, [&](Communicator& communicator, const Task& own) -> Result<void> {
    if (auto fine = check(); !fine) return fine;
    if (auto fine = checkCall(options); !fine) return fine;
    EngineOptions engine = options.engine;
    if (auto chosen = chooseGpu(engine); !chosen) return chosen;
    return runForEachEps(
        options.eps, [] { return Result<void>(); }, options.input, engine, own,
        [&](const EngineRun& run) { return ringOnce(options, run, communicator); });
  });
}

}  // namespace clusterloom::cli
