#include "engine/distributed/local_communicator.h"

#include <atomic>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>

#include "engine/distributed/rank_progress.h"

namespace clusterloom {
namespace {

// How often a rank that waits looks whether it was stopped. Others wake it for everything else.
constexpr std::chrono::milliseconds kThreadLook{20};

enum class State { Open, Copying, Done };

// One side of a message: where its bytes are read or written.
struct ThreadSide {
  std::byte* bytes = nullptr;
  std::size_t size = 0;
  State state = State::Open;
};

// The messages from one rank to another that have no partner yet, in order. Only one of the two is
// ever non-empty between two calls of `match`.
struct Line {
  std::deque<ThreadSide*> sent;
  std::deque<ThreadSide*> expected;
};

// Wakes a waiting rank.
struct Signal {
  std::condition_variable changed;
  std::atomic<std::uint64_t> changes{0};  // number of notifications through `changed`

  void tell() {
    changes.fetch_add(1, std::memory_order_release);
    changed.notify_all();
  }
};

// The data that the ranks share.
struct Hub {
  Hub(int count, LocalRankOptions how)
      : ranks(count),
        options(how),
        signals(std::size_t(count)),
        lines(std::size_t(count) * count),
        told(std::size_t(count)) {}

  const int ranks;
  const LocalRankOptions options;
  const std::string host = hostName();
  std::mutex mutex;
  std::vector<Signal> signals;  // of each rank, since a message concerns two of many
  std::vector<Line> lines;
  std::optional<Error> failure;
  std::stop_source ended;
  std::vector<std::atomic<double>> told;  // progress of each rank

  void tell(int rank) { signals[std::size_t(rank)].tell(); }

  Line& line(int from, int to) { return lines[std::size_t(from) * ranks + to]; }

  void fail(int rank, const Error& error) {
    {
      const std::lock_guard lock(mutex);
      if (failure) return;
      failure = namingRank(error, rank, ranks, host);
    }
    for (Signal& signal : signals) signal.tell();
    ended.request_stop();
  }

  // Copies the messages from a rank to another that both have started. False when their lengths
  // differ.
  bool match(int sender, int receiver, std::unique_lock<std::mutex>& lock) {
    Line& line = this->line(sender, receiver);
    while (!line.sent.empty() && !line.expected.empty() && !failure) {
      ThreadSide& from = *line.sent.front();
      ThreadSide& to = *line.expected.front();
      if (from.size != to.size) return false;
      line.sent.pop_front();
      line.expected.pop_front();
      from.state = to.state = State::Copying;
      lock.unlock();
      for (std::size_t at = 0; at < from.size && !ended.stop_requested(); at += options.chunkBytes)
        std::memcpy(to.bytes + at, from.bytes + at, std::min(options.chunkBytes, from.size - at));
      lock.lock();
      from.state = to.state = State::Done;
      tell(sender);
      tell(receiver);
    }
    return true;
  }
};

class LocalTransfer final : public Transfer {
 public:
  LocalTransfer(std::shared_ptr<Hub> hub, int rank, const std::vector<Outgoing>& out,
                const std::vector<Incoming>& in)
      : hub_(std::move(hub)), rank_(rank), sides_(out.size() + in.size()) {
    const std::lock_guard lock(hub_->mutex);
    auto side = sides_.begin();
    for (const Outgoing& message : out) {
      if (message.bytes.empty()) continue;
      // A sender's bytes are only read.
      *side = {const_cast<std::byte*>(message.bytes.data()), message.bytes.size()};
      add(rank, message.to).sent.push_back(&*side++);
      hub_->tell(message.to);
    }
    for (const Incoming& message : in) {
      if (message.bytes.empty()) continue;
      *side = {message.bytes.data(), message.bytes.size()};
      add(message.from, rank).expected.push_back(&*side++);
      hub_->tell(message.from);
    }
    sides_.resize(std::size_t(side - sides_.begin()));
  }

  ~LocalTransfer() override {
    std::unique_lock lock(hub_->mutex);
    for (auto& [from, to] : lines_) {
      std::erase_if(hub_->line(from, to).sent, [&](ThreadSide* side) { return isOwn(side); });
      std::erase_if(hub_->line(from, to).expected, [&](ThreadSide* side) { return isOwn(side); });
    }
    signal().changed.wait(lock, [&] { return count(State::Copying) == 0; });
  }

  Result<void> wait(const Task& task) override {
    std::unique_lock lock(hub_->mutex);
    while (!hub_->failure) {
      for (const auto& [from, to] : lines_)
        if (!hub_->match(from, to, lock)) {
          lock.unlock();
          hub_->fail(rank_,
                     {.kind = ErrorKind::Io,
                      .message = "The ranks " + std::to_string(from) + " and " +
                                 std::to_string(to) + " expect messages of different lengths."});
          lock.lock();
          break;
        }
      if (hub_->failure) break;
      if (count(State::Done) == sides_.size()) return {};
      if (task.cancelled()) {
        lock.unlock();
        hub_->fail(rank_, {.kind = ErrorKind::Cancelled, .message = "stopped"});
        lock.lock();
        break;
      }
      waitForChange(lock);
    }
    return tl::unexpected(*hub_->failure);
  }

 private:
  void waitForChange(std::unique_lock<std::mutex>& lock) {
    using std::chrono::steady_clock;
    Signal& own = signal();
    if (hub_->options.spin.count() > 0) {
      const std::uint64_t seen = own.changes.load(std::memory_order_acquire);
      lock.unlock();
      const auto end = steady_clock::now() + hub_->options.spin;
      while (own.changes.load(std::memory_order_acquire) == seen && steady_clock::now() < end) {
      }
      lock.lock();
      if (own.changes.load(std::memory_order_acquire) != seen) return;
    }
    own.changed.wait_for(lock, kThreadLook);
  }
  Signal& signal() { return hub_->signals[std::size_t(rank_)]; }
  Line& add(int from, int to) {
    lines_.emplace_back(from, to);
    return hub_->line(from, to);
  }
  bool isOwn(const ThreadSide* side) const {
    return side >= sides_.data() && side < sides_.data() + sides_.size();
  }
  std::size_t count(State state) const {
    return std::size_t(std::count_if(sides_.begin(), sides_.end(),
                                     [&](const ThreadSide& side) { return side.state == state; }));
  }

  std::shared_ptr<Hub> hub_;
  int rank_;
  std::vector<ThreadSide> sides_;
  std::vector<std::pair<int, int>> lines_;
};

class LocalCommunicator final : public Communicator {
 public:
  LocalCommunicator(std::shared_ptr<Hub> hub, int rank) : hub_(std::move(hub)), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return hub_->ranks; }
  std::string host() const override { return hub_->host; }
  std::unique_ptr<Transfer> start(const std::vector<Outgoing>& out,
                                  const std::vector<Incoming>& in) override {
    return std::make_unique<LocalTransfer>(hub_, rank_, out, in);
  }
  void fail(const Error& error) override { hub_->fail(rank_, error); }
  std::optional<Error> failure() const override {
    const std::lock_guard lock(hub_->mutex);
    return hub_->failure;
  }
  std::stop_token ended() const override { return hub_->ended.get_token(); }
  void tellProgress(double value) override {
    hub_->told[std::size_t(rank_)].store(value, std::memory_order_relaxed);
  }
  std::vector<double> toldProgress() override {
    std::vector<double> told;
    for (const std::atomic<double>& value : hub_->told)
      told.push_back(value.load(std::memory_order_relaxed));
    return told;
  }

 private:
  std::shared_ptr<Hub> hub_;
  int rank_;
};

}  // namespace

std::vector<std::unique_ptr<Communicator>> makeLocalCommunicators(int ranks,
                                                                  const LocalRankOptions& options) {
  const auto hub = std::make_shared<Hub>(ranks, options);
  std::vector<std::unique_ptr<Communicator>> all;
  for (int r = 0; r < ranks; ++r) all.push_back(std::make_unique<LocalCommunicator>(hub, r));
  return all;
}

Result<void> runLocalRanks(
    int ranks, const Task& task,
    const std::function<Result<void>(Communicator& communicator, const Task& task)>& body,
    const LocalRankOptions& options) {
  const auto communicators = makeLocalCommunicators(ranks, options);
  const auto runOne = [&](Communicator& communicator) {
    RankProgress progress(communicator, task.progress);
    const Task own{.stop = task.stop,
                   .progress = task.progress ? progress.function() : ProgressFn{}};
    // The error is the same on all ranks and is taken from the communicator below.
    (void)runRank(communicator, own,
                  [&](const Task& linked) { return body(communicator, linked); });
  };
  {
    std::vector<std::jthread> threads;
    try {
      for (std::size_t r = 1; r < communicators.size(); ++r)
        threads.emplace_back([&, r] { runOne(*communicators[r]); });
    } catch (const std::system_error& error) {
      communicators[0]->fail({.kind = ErrorKind::TooLarge,
                              .message = "The threads of " + std::to_string(ranks) +
                                         " ranks cannot be started (" + error.what() +
                                         "); use fewer ranks or raise the limits (ulimit -u)."});
    }
    runOne(*communicators[0]);
  }
  if (auto error = communicators[0]->failure()) return tl::unexpected(*error);
  return {};
}

}  // namespace clusterloom
