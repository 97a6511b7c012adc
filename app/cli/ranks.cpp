#include "app/cli/ranks.h"

#include <tbb/info.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "app/cli/console.h"
#include "app/cli/part_library.h"
#include "app/cli/value_options.h"
#include "app/mpi/make_communicator.h"
#include "engine/distributed/local_communicator.h"
#include "engine/distributed/mpi_communicator.h"
#include "engine/distributed/rank_progress.h"
#include "engine/local_ranks.h"

namespace clusterloom::cli {
namespace {

// The communicator of this process, until endRanks.
std::unique_ptr<Communicator>& processCommunicator() {
  static std::unique_ptr<Communicator> communicator;
  return communicator;
}

// An error that no other rank knows of. Rank 0 says its own; where it ends as well, mpirun ends the
// others before they speak.
tl::unexpected<Error> sayAlone(Error error) {
  if (startedRank() > 0) {
    std::this_thread::sleep_for(std::chrono::seconds(1));
    unmuteConsole();
    error.message = "Rank " + std::to_string(startedRank()) + ": " + error.message;
  }
  return tl::unexpected(std::move(error));
}

}  // namespace

void addRankOptions(CLI::App& parser, EngineOptions& options) {
  addIntegerOption(parser, "--ranks", options.backendOptions.ranks, 1, BackendOptions::kMostRanks,
                   "Share the work between N ranks in this process. They divide the threads and\n"
                   "are spread evenly over the GPUs. mpirun -n N clusterloom-cli … does the same\n"
                   "with processes, on one machine or several")
      ->type_name("N")
      ->group("Run");
}

bool asksForRanks(const EngineOptions& options) {
  const BackendOptions& backend = options.backendOptions;
  return backend.ranks > 0 || backend.allDevices || !backend.devices.empty();
}

bool isStartedOnRanks() { return startedRanks() != 1; }

Result<void> runOnStartedRanks(const Task& task, const RankBody& body) {
  const auto make =
      loadPart({.name = kMpiLibrary,
                .symbol = kMpiSymbol,
                .purpose = "A job of several processes",
                .howBuilt = "It is made by a build with -DCLUSTERLOOM_MPI=ON, which needs "
                            "libopenmpi-dev. Or start the program without mpirun.",
                .global = true});  // the plugins of Open MPI 4 need its names
  if (!make) return sayAlone(make.error());
  auto made = reinterpret_cast<MakeMpiCommunicator*>(*make)({});
  if (!made) return sayAlone(made.error());
  processCommunicator() = std::move(*made);
  Communicator& communicator = *processCommunicator();
  // Rank 0 alone may have a terminal; the others do not know whether it has.
  RankProgress progress(communicator, task.progress);
  const Task own{.stop = task.stop, .progress = progress.function()};
  return runRank(communicator, own, [&](const Task& linked) { return body(communicator, linked); });
}

Result<void> runOnRanks(const EngineOptions& engine, const std::function<Result<void>()>& check,
                        const Task& task, const EngineBody& body) {
  if (!isStartedOnRanks()) {
    if (auto fine = check(); !fine) return fine;
    const auto ranks = makeRanksHere(engine.backend, engine.backendOptions);
    if (!ranks) return tl::unexpected(ranks.error());
    const RanksOnDevices* const onDevices = ranks->onDevices.get();
    return runLocalRanks(
        int(ranks->backends.size()), task,
        [&](Communicator& communicator, const Task& own) {
          const auto self = std::size_t(communicator.rank());
          return body(communicator, {*ranks->backends[self], onDevices}, own);
        },
        onDevices != nullptr ? onDevices->rankOptions() : LocalRankOptions{});
  }
  return runOnStartedRanks(task, [&](Communicator& communicator, const Task& own) -> Result<void> {
    if (auto fine = check(); !fine) return fine;
    if (engine.backendOptions.ranks > 0)
      return badCall(
          "--ranks is for a call without mpirun; leave it out, or start the program alone.");
    if (asksForRanks(engine))
      return badCall(
          "--devices is for a call without mpirun, under which each rank takes one GPU. Leave "
          "--devices out.");
    const auto backend = makeStartedBackend(engine);
    if (!backend) return tl::unexpected(backend.error());
    return body(communicator, {**backend}, own);
  });
}

void endRanks() { processCommunicator().reset(); }

void endRanksTogether(const Error& refusal) {
  // Without MPI nothing can be waited for, and the call has been refused anyway.
  if (isStartedOnRanks() && !processCommunicator())
    (void)runOnStartedRanks(
        {}, [&](Communicator&, const Task&) -> Result<void> { return tl::unexpected(refusal); });
  endRanks();
}

int threadsOfRank(const Communicator& communicator, const EngineOptions& engine) {
  const int threads = engine.backendOptions.threads > 0 ? engine.backendOptions.threads
                                                        : tbb::info::default_concurrency();
  return isStartedOnRanks() ? threads : std::max(1, threads / communicator.size());
}

Result<std::unique_ptr<Backend>> makeStartedBackend(const EngineOptions& engine) {
  BackendOptions options = engine.backendOptions;
  auto backend = makeBackend(engine.backend, options);
  if (!backend || options.device >= 0) return backend;
  const std::vector<GpuDevice> devices = (*backend)->devices();
  const auto here = std::size_t(startedLocalRank());
  if (devices.size() < 2 || here % devices.size() == 0) return backend;
  options.device = devices[here % devices.size()].number;
  return makeBackend(engine.backend, options);
}

}  // namespace clusterloom::cli
