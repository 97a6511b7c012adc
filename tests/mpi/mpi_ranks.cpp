// One rank of a job that a test starts by mpirun: mpi_ranks WHAT [CHUNK]. Prints what went wrong on
// rank 0, "fine" otherwise, and exits 0, or 1 after an error, 130 after a stop.
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "communicator_checks.h"
#include "engine/distributed/mpi_communicator.h"

using namespace clusterloom;

namespace {

// Messages of up to 4,096 chunks: for each few of them the ranks wait for each other, for a time
// slice of whatever else a busy machine runs.
Result<void> allChecks(Communicator& c, std::size_t chunk, const Task& task) {
  for (const auto check :
       {checks::messagesKeepTheirOrder, checks::exchangesOfAnyLength, checks::reductions,
        checks::reductionsKeepTheOrderOfRanks, checks::broadcastsFromEveryRoot, checks::gathers,
        checks::progressArrives})
    if (auto done = check(c, task); !done) return done;
  const std::size_t longest = chunk > 0 ? 4096 * chunk : 3'000'000;
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{65},
                                  std::size_t{4096}, std::size_t{5000}, longest})
    if (auto done = checks::longMessage(c, bytes, task); !done) return done;
  return c.barrier(task);
}

// The last rank fails while the others wait, half of them with messages on their way.
Result<void> failingLast(Communicator& c, const Task& task) {
  if (c.rank() == c.size() - 1) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    return fail(ErrorKind::Io, "part.npy cannot be read.");
  }
  std::vector<double> values(1 << 20);
  const int last = c.size() - 1;
  if (c.rank() % 2 == 0) return c.send(last, std::span<const double>(values), task);
  return c.receive(last, std::span(values), task);
}

// One rank computes until it is stopped, the others wait for it.
Result<void> failingWhileComputing(Communicator& c, const Task& task) {
  if (c.rank() == c.size() - 1) return fail(ErrorKind::TooLarge, "no memory");
  while (!task.cancelled()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return cancelledError();
}

// Messages of different lengths on the two sides.
Result<void> unequal(Communicator& c, const Task& task) {
  std::vector<int> values(c.rank() == 0 ? 3 : 4);
  if (c.rank() == 0) return c.send(c.size() - 1, std::span<const int>(values), task);
  if (c.rank() == c.size() - 1) return c.receive(0, std::span(values), task);
  return {};
}

Result<void> stopped(Communicator& c, const std::stop_source& source, const Task& task) {
  if (c.rank() == 0) const_cast<std::stop_source&>(source).request_stop();
  return c.barrier(task);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const std::size_t chunk = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 0;
  auto communicator = makeMpiCommunicator({.chunkBytes = chunk});
  if (!communicator) {
    std::printf("%s\n", communicator.error().message.c_str());
    return 1;
  }
  Communicator& c = **communicator;
  const std::stop_source source;
  const Task own{.stop = source.get_token(), .progress = {}};
  const auto done = runRank(c, own, [&](const Task& task) -> Result<void> {
    if (what == "checks") return allChecks(c, chunk, task);
    if (what == "fail") return failingLast(c, task);
    if (what == "compute") return failingWhileComputing(c, task);
    if (what == "unequal") return unequal(c, task);
    if (what == "stop") return stopped(c, source, task);
    return fail(ErrorKind::BadCall, "There is no check " + what + ".");
  });
  if (c.rank() == 0) std::printf("%s\n", done ? "fine" : done.error().message.c_str());
  std::fflush(stdout);
  communicator->reset();
  return done ? 0 : done.error().kind == ErrorKind::Cancelled ? 130 : 1;
}
