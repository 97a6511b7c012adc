#include "app/cli/ranks.h"

#include <tbb/info.h>

#include <algorithm>
#include <utility>

#include "app/cli/value_options.h"
#include "engine/distributed/local_communicator.h"
#include "engine/distributed/mpi_communicator.h"

namespace clusterloom::cli {
namespace {

// Of this process, until endRanks.
std::unique_ptr<Communicator>& processCommunicator() {
  static std::unique_ptr<Communicator> communicator;
  return communicator;
}

}  // namespace

void addRankOptions(CLI::App& parser, RankOptions& options) {
  addIntegerOption(parser, "--ranks", options.ranks, 1, 1024,
                   "Share the work between N ranks in this process, which divide the threads\n"
                   "and take the GPUs in turn. mpirun -n N clusterloom-cli … does the same\n"
                   "with processes, on one machine or several")
      ->type_name("N")
      ->group("Run");
}

bool isOnRanks(const RankOptions& options) { return startedRanks() > 1 || options.ranks > 0; }

Result<void> runOnRanks(const RankOptions& options, const Task& task, const RankBody& body) {
  if (startedRanks() == 1) return runLocalRanks(options.ranks, task, body);
  if (options.ranks > 0)
    return fail(ErrorKind::BadCall,
                "--ranks is for a call without mpirun; leave it out, or start the program alone.");
  auto made = makeMpiCommunicator();
  if (!made) return tl::unexpected(made.error());
  processCommunicator() = std::move(*made);
  Communicator& communicator = *processCommunicator();
  const Task own{.stop = task.stop,
                 .progress = communicator.rank() == 0 ? task.progress : ProgressFn{}};
  return runRank(communicator, own, [&](const Task& linked) -> Result<void> {
    try {
      return body(communicator, linked);
    } catch (const std::bad_alloc&) {
      return fail(ErrorKind::TooLarge, "There is not enough memory for this run.");
    }
  });
}

void endRanks() { processCommunicator().reset(); }

int threadsOfRank(const RankOptions& ranks, const EngineOptions& engine) {
  const int threads = engine.backendOptions.threads > 0 ? engine.backendOptions.threads
                                                        : tbb::info::default_concurrency();
  return std::max(1, threads / std::max(1, ranks.ranks));
}

Result<std::unique_ptr<Backend>> makeRankBackend(const Communicator& communicator,
                                                 const RankOptions& ranks,
                                                 const EngineOptions& engine) {
  BackendOptions options = engine.backendOptions;
  options.threads = threadsOfRank(ranks, engine);
  auto backend = makeBackend(engine.backend, options);
  if (!backend || options.device >= 0) return backend;
  const std::vector<GpuDevice> devices = (*backend)->devices();
  const int here = ranks.ranks > 0 ? communicator.rank() : startedLocalRank();
  if (devices.size() < 2 || here % static_cast<int>(devices.size()) == 0) return backend;
  options.device = devices[static_cast<std::size_t>(here) % devices.size()].number;
  return makeBackend(engine.backend, options);
}

}  // namespace clusterloom::cli
