#include "engine/distributed/communicator.h"

#include <unistd.h>

#include <array>

namespace clusterloom {

// Each rank hears from those 1, 2, 4, … before it: after the last round from all.
Result<void> Communicator::barrier(const Task& task) {
  for (int step = 1; step < size(); step *= 2) {
    const std::byte out{1};
    std::byte in{};
    const int to = (rank() + step) % size();
    const int from = (rank() + size() - step) % size();
    if (auto done = start({{to, {&out, 1}}}, {{from, {&in, 1}}})->wait(task); !done) return done;
  }
  if (auto error = failure()) return tl::unexpected(*error);
  return {};
}

// A binomial tree: a rank receives from the one without its lowest set bit and passes on to those
// with one lower bit more. Ranks are counted from the root.
Result<void> Communicator::broadcastBytes(int root, std::span<std::byte> bytes, const Task& task) {
  const int own = (rank() + size() - root) % size();
  int step = 1;
  while (step < size() && (own & step) == 0) step *= 2;
  if (own != 0)
    if (auto got = start({}, {{(own - step + root) % size(), bytes}})->wait(task); !got) return got;
  std::vector<Outgoing> out;
  for (step /= 2; step > 0; step /= 2)
    if (own + step < size()) out.push_back({(own + step + root) % size(), bytes});
  return start(out, {})->wait(task);
}

Result<void> Communicator::allGatherBytes(std::span<std::byte> all, std::size_t each,
                                          const Task& task) {
  const auto of = [&](int r) { return all.subspan(std::size_t(r) * each, each); };
  std::vector<Outgoing> out;
  std::vector<Incoming> in;
  if (rank() != 0) out.push_back({0, of(rank())});
  if (rank() == 0)
    for (int r = 1; r < size(); ++r) in.push_back({r, of(r)});
  if (auto done = start(out, in)->wait(task); !done) return done;
  return broadcastBytes(0, all, task);
}

Result<std::vector<std::uint64_t>> Communicator::exchangeLengths(
    const std::vector<std::uint64_t>& lengths, const Task& task) {
  std::vector<std::uint64_t> coming(lengths.size());
  std::vector<Outgoing> out;
  std::vector<Incoming> in;
  for (int r = 0; r < size(); ++r) {
    const auto at = std::size_t(r);
    if (r == rank()) {
      coming[at] = lengths[at];
      continue;
    }
    out.push_back({r, std::as_bytes(std::span(&lengths[at], 1))});
    in.push_back({r, std::as_writable_bytes(std::span(&coming[at], 1))});
  }
  if (auto done = start(out, in)->wait(task); !done) return tl::unexpected(done.error());
  return coming;
}

Error namingRank(const Error& error, int rank, int ranks, const std::string& host) {
  if (ranks == 1 || error.kind == ErrorKind::Cancelled || error.kind == ErrorKind::BadCall)
    return error;
  Error named = error;
  named.message = "Rank " + std::to_string(rank) + " on " + host + ": " + error.message;
  return named;
}

std::string hostName() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0') return "this machine";
  return name.data();
}

}  // namespace clusterloom
