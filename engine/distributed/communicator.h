#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/core/result.h"
#include "engine/core/task.h"

namespace clusterloom {

/// Types that can be sent: trivially copyable values.
template <class T>
concept Sendable = std::is_trivially_copyable_v<T>;

/// Bytes for one rank.
struct Outgoing {
  int to;
  std::span<const std::byte> bytes;
};

/// Space for the bytes that one rank sends; its size is the number of bytes that come.
struct Incoming {
  int from;
  std::span<std::byte> bytes;
};

/// Messages in transit, which progress while the caller computes (at the latest in `wait`). Their
/// bytes must stay in place until `wait` returns or the transfer is destroyed.
class Transfer {
 public:
  virtual ~Transfer() = default;
  /// Returns once all messages have arrived and all sent ones were taken; an error when any rank
  /// has failed or stopped. Cancelled when the task is stopped, which ends the job on all ranks.
  virtual Result<void> wait(const Task& task) = 0;
};

/// Connects the ranks of one job, numbered 0 … size − 1. Each rank has its own Communicator and
/// calls it from one thread at a time; `fail`, `failure`, `ended` and the progress functions may be
/// called from any thread. All ranks call the collective functions (from `barrier` on) in the same
/// order. Messages from one rank to another arrive in the order in which they were started. A
/// message may have more than 2³¹ bytes.
///
/// A rank that fails ends the job on all ranks: every call that waits, and every later one, returns
/// the error, which names the rank. Use `runRank`, which does this.
class Communicator {
 public:
  Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  virtual ~Communicator() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Name of the machine that this rank runs on.
  virtual std::string host() const = 0;

  /// Starts messages to and from other ranks, or this one. Empty ones are left out: both sides know
  /// the length.
  virtual std::unique_ptr<Transfer> start(const std::vector<Outgoing>& out,
                                          const std::vector<Incoming>& in) = 0;

  /// Ends the job on all ranks with this error of this rank; the first error stays. Returns at
  /// once.
  virtual void fail(const Error& error) = 0;
  /// The error that ended the job: the message names the rank and its machine, where there are
  /// several ranks. ErrorKind::Cancelled after a stop.
  virtual std::optional<Error> failure() const = 0;
  /// Sends this rank's progress to rank 0, soon and without waiting: a newer value replaces one
  /// that has not been sent yet (engine/distributed/rank_progress.h).
  virtual void tellProgress(double value) = 0;
  /// On rank 0: the last progress of each rank, 0 where it has sent none yet.
  virtual std::vector<double> toldProgress() = 0;
  /// Requested as soon as the job has ended by an error or a stop of any rank.
  virtual std::stop_token ended() const = 0;

  /// Sends values to a rank that receives as many.
  template <Sendable T>
  Result<void> send(int to, std::span<const T> values, const Task& task) {
    return start({{to, std::as_bytes(values)}}, {})->wait(task);
  }
  template <Sendable T>
  Result<void> receive(int from, std::span<T> values, const Task& task) {
    return start({}, {{from, std::as_writable_bytes(values)}})->wait(task);
  }

  /// Returns once all ranks have called it.
  Result<void> barrier(const Task& task);

  /// Gives all ranks the values of `root`; all have as many.
  template <Sendable T>
  Result<void> broadcast(int root, std::span<T> values, const Task& task) {
    return broadcastBytes(root, std::as_writable_bytes(values), task);
  }
  /// The same where only `root` knows how many there are.
  template <Sendable T>
  Result<void> broadcast(int root, std::vector<T>& values, const Task& task) {
    std::uint64_t size = values.size();
    if (auto sent = broadcast(root, std::span(&size, 1), task); !sent) return sent;
    values.resize(size);
    return broadcast(root, std::span(values), task);
  }

  /// Element by element combine(a, b) of the values of all ranks, on all ranks, always in the same
  /// order: a comes from lower ranks than b.
  template <Sendable T, class Combine>
  Result<void> allReduce(std::span<T> values, const Combine& combine, const Task& task) {
    std::vector<T> theirs(values.size());
    for (int step = 1; step < size(); step *= 2) {
      if ((rank() & step) != 0) {
        if (auto sent = send(rank() - step, std::span<const T>(values), task); !sent) return sent;
        break;
      }
      if (rank() + step >= size()) continue;
      if (auto got = receive(rank() + step, std::span(theirs), task); !got) return got;
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = combine(values[i], theirs[i]);
    }
    return broadcast(0, values, task);
  }
  /// The same for one value.
  template <Sendable T, class Combine>
  Result<T> allReduce(T value, const Combine& combine, const Task& task) {
    if (auto done = allReduce(std::span(&value, 1), combine, task); !done)
      return tl::unexpected(done.error());
    return value;
  }
  template <Sendable T>
  Result<T> sum(T value, const Task& task) {
    return allReduce(
        value, [](T a, T b) { return static_cast<T>(a + b); }, task);
  }
  template <Sendable T>
  Result<T> least(T value, const Task& task) {
    return allReduce(
        value, [](T a, T b) { return std::min(a, b); }, task);
  }
  template <Sendable T>
  Result<T> largest(T value, const Task& task) {
    return allReduce(
        value, [](T a, T b) { return std::max(a, b); }, task);
  }

  /// One value of each rank, on all ranks, by rank.
  template <Sendable T>
  Result<std::vector<T>> allGather(const T& value, const Task& task) {
    std::vector<T> values(static_cast<std::size_t>(size()));
    values[std::size_t(rank())] = value;
    auto done = allGatherBytes(std::as_writable_bytes(std::span(values)), sizeof(T), task);
    if (!done) return tl::unexpected(done.error());
    return values;
  }

  /// The values of each rank, of any number, on `root`, by rank; nothing on the others.
  template <Sendable T>
  Result<std::vector<std::vector<T>>> gather(int root, std::span<const T> values,
                                             const Task& task) {
    std::vector<std::span<const T>> toEach(static_cast<std::size_t>(size()));
    toEach[std::size_t(root)] = values;
    auto all = exchange(toEach, task);
    if (all && rank() != root) all->clear();
    return all;
  }

  /// All to all: sends toEach[r] to rank r, of any length, and returns what each rank has sent to
  /// this one, by rank.
  template <Sendable T>
  Result<std::vector<std::vector<T>>> exchange(const std::vector<std::span<const T>>& toEach,
                                               const Task& task) {
    const auto ranks = std::size_t(size());
    std::vector<std::uint64_t> lengths(ranks);
    for (std::size_t r = 0; r < ranks; ++r) lengths[r] = toEach[r].size();
    const auto coming = exchangeLengths(lengths, task);
    if (!coming) return tl::unexpected(coming.error());
    std::vector<std::vector<T>> fromEach(ranks);
    std::vector<Outgoing> out;
    std::vector<Incoming> in;
    for (std::size_t r = 0; r < ranks; ++r) {
      if (int(r) == rank()) {
        fromEach[r].assign(toEach[r].begin(), toEach[r].end());
        continue;
      }
      fromEach[r].resize((*coming)[r]);
      out.push_back({int(r), std::as_bytes(toEach[r])});
      in.push_back({int(r), std::as_writable_bytes(std::span(fromEach[r]))});
    }
    if (auto done = start(out, in)->wait(task); !done) return tl::unexpected(done.error());
    return fromEach;
  }
  template <Sendable T>
  Result<std::vector<std::vector<T>>> exchange(const std::vector<std::vector<T>>& toEach,
                                               const Task& task) {
    return exchange(std::vector<std::span<const T>>(toEach.begin(), toEach.end()), task);
  }

  /// Sends lengths[r] to rank r; returns what each rank has sent to this one.
  Result<std::vector<std::uint64_t>> exchangeLengths(const std::vector<std::uint64_t>& lengths,
                                                     const Task& task);

 private:
  Result<void> broadcastBytes(int root, std::span<std::byte> bytes, const Task& task);
  // `all` has `each` bytes of every rank, those of this one filled in.
  Result<void> allGatherBytes(std::span<std::byte> all, std::size_t each, const Task& task);
};

/// An error of a rank as all ranks report it: the message names the rank and its machine. A stop, a
/// wrong call, which all ranks were given, and an error of a job with one rank are returned
/// unchanged.
Error namingRank(const Error& error, int rank, int ranks, const std::string& host);

/// Runs a rank's part of a job: `body(task)` returns a Result and gets a task that is stopped as
/// soon as any rank fails or stops. All ranks succeed, or all return an error: an error of `body`,
/// or a stop of `task`, ends the job on all ranks, and a rank that is done waits for the others. An
/// exception is an error like others: the other ranks would wait for ever.
template <class Body>
auto runRank(Communicator& communicator, const Task& task, const Body& body)
    -> std::invoke_result_t<Body, const Task&> {
  std::stop_source source;
  const std::stop_callback byOthers(communicator.ended(), [&] { source.request_stop(); });
  const std::stop_callback byCaller(task.stop, [&] {
    communicator.fail(Error{.kind = ErrorKind::Cancelled, .message = "stopped"});
  });
  const Task own{.stop = source.get_token(), .progress = task.progress};
  const auto caught = [&]() -> std::invoke_result_t<Body, const Task&> {
    try {
      return body(own);
    } catch (const std::bad_alloc&) {
      return tooLarge("There is not enough memory for this run.");
    } catch (const std::exception& error) {
      return ioError(error.what());
    }
  };
  auto answer = caught();
  if (!answer) communicator.fail(answer.error());
  // Fails at once where the job has ended already.
  if (auto all = communicator.barrier(own); !all)
    return tl::unexpected(communicator.failure().value_or(all.error()));
  return answer;
}

/// The name of this machine, for messages that say on which one a rank runs.
std::string hostName();

}  // namespace clusterloom
