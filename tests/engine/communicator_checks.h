#pragma once

// What every Communicator must do, as bodies of a rank: the ranks of one process and those of MPI
// are tested with the same ones.

#include <chrono>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "engine/distributed/communicator.h"

namespace clusterloom::checks {

inline Result<void> expect(bool fine, const std::string& what) {
  if (!fine) return fail(ErrorKind::BadInput, "wrong: " + what);
  return {};
}

// The values that rank `from` sends to rank `to`: any number, often none.
inline std::vector<std::uint64_t> drawnFor(unsigned seed, int from, int to, std::size_t most) {
  std::mt19937_64 random(seed * 10007ULL + static_cast<unsigned>(from) * 101 +
                         static_cast<unsigned>(to));
  std::vector<std::uint64_t> values(random() % 3 == 0 ? 0 : random() % most);
  for (auto& value : values) value = random();
  return values;
}

// Rank 0 hears what each rank has told last, while the ranks send other messages.
inline Result<void> progressArrives(Communicator& c, const Task& task) {
  const double base = 100.25;
  for (const double value : {1.0, 50.0, base + c.rank()}) {
    c.tellProgress(value);
    if (auto all = c.barrier(task); !all) return all;
  }
  std::vector<double> told;
  const auto wanted = [&] {
    told = c.toldProgress();
    for (int r = 0; r < c.size(); ++r)
      if (told[static_cast<std::size_t>(r)] != base + r) return false;
    return true;
  };
  if (c.rank() == 0)
    for (int i = 0; i < 2000 && !wanted(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
  const bool heard = c.rank() != 0 || wanted();
  if (auto all = c.barrier(task); !all) return all;
  // Values that nobody waits for do no harm at the end.
  c.tellProgress(base + 1000);
  return expect(heard, "what ranks told");
}

// Every rank sends ten messages of different lengths round the ring.
inline Result<void> messagesKeepTheirOrder(Communicator& c, const Task& task) {
  const int ranks = c.size();

  const int to = (c.rank() + 1) % ranks;
  const int from = (c.rank() + ranks - 1) % ranks;
  std::vector<std::vector<int>> sent(10);
  std::vector<std::vector<int>> got(10);
  std::vector<std::unique_ptr<Transfer>> transfers;
  for (std::size_t i = 0; i < 10; ++i) {
    sent[i].assign(10 - i, c.rank() * 100 + static_cast<int>(i));
    got[i].resize(10 - i);
    transfers.push_back(c.start({{to, std::as_bytes(std::span(sent[i]))}},
                                {{from, std::as_writable_bytes(std::span(got[i]))}}));
  }
  for (const auto& transfer : transfers)
    if (auto fine = transfer->wait(task); !fine) return fine;
  for (std::size_t i = 0; i < 10; ++i)
    if (got[i] != std::vector<int>(10 - i, from * 100 + static_cast<int>(i)))
      return expect(false, "message " + std::to_string(i));
  return {};
}

// All to all, 50 times.
inline Result<void> exchangesOfAnyLength(Communicator& c, const Task& task) {
  const int ranks = c.size();

  for (unsigned round = 0; round < 50; ++round) {
    const std::size_t most = round % 2 == 0 ? 5 : 3000;
    std::vector<std::vector<std::uint64_t>> toEach;
    for (int r = 0; r < ranks; ++r) toEach.push_back(drawnFor(round, c.rank(), r, most));
    const auto got = c.exchange(toEach, task);
    if (!got) return tl::unexpected(got.error());
    for (int r = 0; r < ranks; ++r)
      if ((*got)[static_cast<std::size_t>(r)] != drawnFor(round, r, c.rank(), most))
        return expect(false, "values of rank " + std::to_string(r));
  }
  return {};
}

// Sum, least and largest.
inline Result<void> reductions(Communicator& c, const Task& task) {
  const int ranks = c.size();

  const auto sum = c.sum<std::uint64_t>(1ULL << (8 * c.rank()), task);
  const auto least = c.least(10.0 - c.rank(), task);
  const auto largest = c.largest(std::int32_t{c.rank() * c.rank()}, task);
  if (!sum || !least || !largest) return expect(false, "a reduction failed");
  std::uint64_t wanted = 0;
  for (int r = 0; r < ranks; ++r) wanted += 1ULL << (8 * r);
  if (auto fine = expect(*sum == wanted, "sum"); !fine) return fine;
  if (auto fine = expect(*least == 11.0 - ranks, "least"); !fine) return fine;
  return expect(*largest == (ranks - 1) * (ranks - 1), "largest");
}

// Appending digits is associative, but not commutative.
inline Result<void> reductionsKeepTheOrderOfRanks(Communicator& c, const Task& task) {
  const int ranks = c.size();

  struct Digits {
    std::uint64_t value = 0;
    std::uint64_t base = 1;
  };

  std::vector<Digits> values(3);
  for (std::size_t i = 0; i < 3; ++i)
    values[i] = {static_cast<std::uint64_t>(c.rank() + 1) % 10 + (i == 2 ? 1 : 0), 10};
  auto fine = c.allReduce(
      std::span(values),
      [](const Digits& a, const Digits& b) {
        return Digits{a.value * b.base + b.value, a.base * b.base};
      },
      task);
  if (!fine) return fine;
  std::uint64_t wanted = 0;
  for (int r = 0; r < ranks; ++r) wanted = wanted * 10 + static_cast<std::uint64_t>(r + 1);
  if (auto right = expect(values[0].value == wanted, "digits"); !right) return right;
  return expect(values[1].value == wanted && values[2].value != wanted, "elements");
}

// Any number of values from each rank.
inline Result<void> broadcastsFromEveryRoot(Communicator& c, const Task& task) {
  const int ranks = c.size();

  for (int root = 0; root < ranks; ++root) {
    std::vector<std::uint64_t> values;
    if (c.rank() == root) values = drawnFor(1, root, root, 1000);
    if (auto sent = c.broadcast(root, values, task); !sent) return sent;
    if (values != drawnFor(1, root, root, 1000))
      return expect(false, "values of root " + std::to_string(root));
  }
  return {};
}

// All-gather and gather.
inline Result<void> gathers(Communicator& c, const Task& task) {
  const int ranks = c.size();

  const auto ofAll = c.allGather(c.rank() * 7, task);
  if (!ofAll) return tl::unexpected(ofAll.error());
  for (int r = 0; r < ranks; ++r)
    if ((*ofAll)[static_cast<std::size_t>(r)] != r * 7) return expect(false, "all-gather");
  const int root = ranks / 2;
  const auto own = drawnFor(2, c.rank(), 0, 100);
  const auto onRoot = c.gather(root, std::span<const std::uint64_t>(own), task);
  if (!onRoot) return tl::unexpected(onRoot.error());
  if (c.rank() != root) return expect(onRoot->empty(), "gather on another rank");
  for (int r = 0; r < ranks; ++r)
    if ((*onRoot)[static_cast<std::size_t>(r)] != drawnFor(2, r, 0, 100))
      return expect(false, "gather");
  return {};
}

// A message of `bytes` bytes from the first to the last rank.
inline Result<void> longMessage(Communicator& c, std::size_t bytes, const Task& task) {
  const auto valueAt = [](std::size_t i) { return static_cast<std::uint8_t>(i * 31 + i / 251); };
  std::vector<std::uint8_t> out(c.rank() == 0 ? bytes : 0);
  std::vector<std::uint8_t> in(c.rank() == c.size() - 1 ? bytes : 0);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = valueAt(i);
  std::vector<Outgoing> sent;
  std::vector<Incoming> expected;
  if (c.rank() == 0) sent.push_back({c.size() - 1, std::as_bytes(std::span(out))});
  if (!in.empty()) expected.push_back({0, std::as_writable_bytes(std::span(in))});
  if (auto done = c.start(sent, expected)->wait(task); !done) return done;
  for (std::size_t i = 0; i < in.size(); ++i)
    if (in[i] != valueAt(i)) return expect(false, "byte " + std::to_string(i));
  return {};
}

}  // namespace clusterloom::checks
