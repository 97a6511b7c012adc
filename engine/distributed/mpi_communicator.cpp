#include "engine/distributed/mpi_communicator.h"

#include <mpi.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <list>
#include <mutex>
#include <thread>

namespace clusterloom {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kData = 1;
constexpr int kControl = 2;
constexpr int kProgress = 3;
constexpr std::size_t kControlBytes = 4096;
constexpr std::size_t kBufferBytes = std::size_t{64} << 20;  // of all ranks' chunks together
constexpr std::size_t kMostReceives = 8;                     // chunks on their way to this rank
constexpr std::size_t kMostSends = 2;                        // and to each other rank
constexpr std::chrono::milliseconds kMessageLook{
    20};                                         // how often a rank that waits looks for a stop
constexpr std::chrono::milliseconds kIdle{2};    // how often it looks for failures of others
constexpr std::chrono::milliseconds kTell{100};  // how often a rank tells rank 0 its progress
constexpr double kNoMoreProgress = -1;           // the last one that it tells
constexpr std::chrono::seconds kPatience{8};     // for the other ranks at the end of a failed job

// One side of a message. The process's own thread owns it; the thread of MPI works on it while it
// is in a queue or a chunk.
struct MessageSide {
  std::byte* bytes = nullptr;
  std::size_t size = 0;
  std::size_t started = 0;  // bytes that are in chunks or further
  std::size_t done = 0;
};

// Part of a message that MPI is working on, in its own memory: the side may be gone before MPI is
// done.
struct Chunk {
  MPI_Request request = MPI_REQUEST_NULL;
  std::vector<std::byte> bytes;
  MessageSide* side = nullptr;
  std::size_t offset = 0;
  int other = 0;
};

std::vector<std::byte> packed(const Error& error) {
  std::vector<std::byte> bytes{static_cast<std::byte>(error.kind)};
  for (const char c : error.message.substr(0, kControlBytes - 1))
    bytes.push_back(static_cast<std::byte>(c));
  return bytes;
}

Error unpacked(std::span<const std::byte> bytes) {
  Error error{.kind = static_cast<ErrorKind>(bytes.front()), .message = {}};
  for (const std::byte b : bytes.subspan(1)) error.message += static_cast<char>(b);
  return error;
}

// The messages of this process. One mutex guards everything; the thread of MPI holds it for one
// round of calls that do not wait.
class Post {
 public:
  explicit Post(const MpiOptions& options) : host_(hostName()) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    const auto ranks = std::size_t(size_);
    chunkBytes_ = options.chunkBytes > 0
                      ? options.chunkBytes
                      : std::clamp<std::size_t>(kBufferBytes / (kMostSends * ranks), 1 << 16,
                                                std::size_t{4} << 20);
    sent_.resize(ranks);
    expected_.resize(ranks);
    sending_.resize(ranks);
    progress_.resize(ranks);
    thread_ = std::jthread([this] { run(); });
  }

  // Ends the thread once all sent messages were taken, or, after a failure, once all ranks know.
  ~Post() {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
    }
    wake_.notify_all();
    thread_.join();
  }

  int rank() const { return rank_; }
  int size() const { return size_; }
  const std::string& host() const { return host_; }
  std::stop_token ended() const { return ended_.get_token(); }
  std::optional<Error> failure() {
    const std::lock_guard lock(mutex_);
    return failure_;
  }

  void fail(const Error& error) {
    {
      const std::lock_guard lock(mutex_);
      if (failure_) return;
      failure_ = namingRank(error, rank_, size_, host_);
      announce_ = true;
    }
    wake_.notify_all();
    changed_.notify_all();
    ended_.request_stop();
  }

  void tellProgress(double value) { latest_.store(value, std::memory_order_relaxed); }
  std::vector<double> toldProgress() {
    const std::lock_guard lock(mutex_);
    progress_[std::size_t(rank_)] = latest_.load(std::memory_order_relaxed);
    return progress_;
  }

  void add(int to, MessageSide& side) {
    const std::lock_guard lock(mutex_);
    sent_[std::size_t(to)].push_back(&side);
    ++open_;
    wake_.notify_all();
  }
  void expect(int from, MessageSide& side) {
    const std::lock_guard lock(mutex_);
    expected_[std::size_t(from)].push_back(&side);
    ++open_;
    wake_.notify_all();
  }

  // Forgets sides that are not done, whose memory is about to go.
  void forget(std::span<MessageSide> sides) {
    const std::lock_guard lock(mutex_);
    const auto own = [&](const MessageSide* side) {
      return side >= sides.data() && side < sides.data() + sides.size();
    };
    for (auto* queues : {&sent_, &expected_})
      for (auto& queue : *queues) open_ -= std::size_t(std::erase_if(queue, own));
    for (auto* chunks : {&sending_, &receiving_})
      for (auto& list : *chunks)
        for (Chunk& chunk : list)
          if (chunk.side != nullptr && own(chunk.side)) chunk.side = nullptr;
  }

  Result<void> wait(std::span<MessageSide> sides, const Task& task) {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (failure_) return tl::unexpected(*failure_);
      if (std::all_of(sides.begin(), sides.end(),
                      [](const MessageSide& side) { return side.done == side.size; }))
        return {};
      if (task.cancelled()) {
        lock.unlock();
        fail({.kind = ErrorKind::Cancelled, .message = "stopped"});
        lock.lock();
        continue;
      }
      changed_.wait_for(lock, kMessageLook);
    }
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    MPI_Irecv(control_.data(), int(control_.size()), MPI_BYTE, MPI_ANY_SOURCE, kControl,
              MPI_COMM_WORLD, &controlRequest_);
    auto pause = std::chrono::microseconds(1);
    while (!failure_) {
      const bool busy = open_ > 0 || flying() > 0;
      bool moved = false;
      try {
        passProgressOn(closing_ && !busy);
        if (closing_ && !busy && progressEnded()) break;
        moved = sendChunks() | receiveChunks();
      } catch (const std::bad_alloc&) {
        failLocked({.kind = ErrorKind::TooLarge,
                    .message = "There is not enough memory for messages between ranks."});
      }
      hearControl(lock);
      if (moved) changed_.notify_all();
      // While messages are on their way the pauses grow from nothing to some 0.1 ms, so that ranks
      // that share processors do not take them from each other.
      pause = moved ? std::chrono::microseconds(1)
                    : std::min(pause * 2, std::chrono::microseconds(128));
      if (!busy)
        wake_.wait_for(lock, kIdle);
      else if (!moved && pause.count() > 8)
        wake_.wait_for(lock, pause);
      else {
        lock.unlock();
        std::this_thread::yield();
        lock.lock();
      }
    }
    if (failure_) endFailed(lock);
    MPI_Cancel(&controlRequest_);
    MPI_Wait(&controlRequest_, MPI_STATUS_IGNORE);
  }

  std::size_t flying() const {
    std::size_t count = 0;
    for (const auto& list : receiving_) count += list.size();
    for (const auto& list : sending_) count += list.size();
    return count;
  }

  // A rank tells rank 0 what is new, at most once in a while and one message at a time; the last
  // one, so that rank 0 knows that all have arrived.
  void passProgressOn(bool last) {
    const auto now = Clock::now();
    if (!last && now - passed_ < kTell) return;
    passed_ = now;
    if (rank_ == 0) {
      std::list<Chunk> arrived;
      std::size_t length = 0;
      while (Chunk* chunk = matched(MPI_ANY_SOURCE, kProgress, arrived, length)) {
        MPI_Wait(&chunk->request, MPI_STATUS_IGNORE);  // it is here already
        double value = 0;
        std::memcpy(&value, chunk->bytes.data(), sizeof value);
        if (value == kNoMoreProgress)
          ++endedRanks_;
        else
          progress_[std::size_t(chunk->other)] = value;
      }
      return;
    }
    if (!telling_.empty() && tested(telling_.front())) telling_.pop_front();
    const double value = last ? kNoMoreProgress : latest_.load(std::memory_order_relaxed);
    if (!telling_.empty() || value == told_) return;
    told_ = value;
    Chunk& chunk = telling_.emplace_back();
    chunk.bytes.resize(sizeof value);
    std::memcpy(chunk.bytes.data(), &value, sizeof value);
    MPI_Isend(chunk.bytes.data(), sizeof value, MPI_BYTE, 0, kProgress, MPI_COMM_WORLD,
              &chunk.request);
  }
  bool progressEnded() const {
    return rank_ == 0 ? endedRanks_ == size_ - 1 : told_ == kNoMoreProgress && telling_.empty();
  }

  bool sendChunks() {
    bool moved = false;
    for (std::size_t to = 0; to < sent_.size(); ++to) {
      auto& list = sending_[to];
      while (!list.empty() && tested(list.front())) {
        if (MessageSide* side = list.front().side) side->done += list.front().bytes.size();
        list.pop_front();
        moved = true;
      }
      while (!sent_[to].empty() && list.size() < kMostSends) {
        MessageSide& side = *sent_[to].front();
        const std::size_t size = std::min(chunkBytes_, side.size - side.started);
        Chunk made;
        made.bytes.assign(side.bytes + side.started, side.bytes + side.started + size);
        made.side = &side;
        Chunk& chunk = list.emplace_back(std::move(made));
        MPI_Isend(chunk.bytes.data(), int(size), MPI_BYTE, int(to), kData, MPI_COMM_WORLD,
                  &chunk.request);
        side.started += size;
        if (side.started == side.size) {
          sent_[to].pop_front();
          --open_;
        }
        moved = true;
      }
    }
    return moved;
  }

  bool receiveChunks() {
    bool moved = false;
    auto& list = receiving_.front();
    for (auto chunk = list.begin(); chunk != list.end();) {
      if (!tested(*chunk)) {
        ++chunk;
        continue;
      }
      if (MessageSide* side = chunk->side) {
        std::memcpy(side->bytes + chunk->offset, chunk->bytes.data(), chunk->bytes.size());
        side->done += chunk->bytes.size();
      }
      chunk = list.erase(chunk);
      moved = true;
    }
    for (std::size_t from = 0; from < expected_.size(); ++from) {
      while (!expected_[from].empty() && list.size() < kMostReceives && !failure_) {
        MessageSide& side = *expected_[from].front();
        const std::size_t size = std::min(chunkBytes_, side.size - side.started);
        std::size_t length = 0;
        Chunk* chunk = matched(int(from), kData, list, length);
        if (chunk == nullptr) break;
        moved = true;
        if (length != size) {
          failLocked({.kind = ErrorKind::Io,
                      .message = "Rank " + std::to_string(from) +
                                 " has sent a message of another length than is expected."});
          break;
        }
        chunk->side = &side;
        chunk->offset = side.started;
        side.started += size;
        if (side.started == side.size) {
          expected_[from].pop_front();
          --open_;
        }
      }
    }
    return moved;
  }

  // Starts to receive a message that has arrived; null where there is none. Only this thread
  // receives: the message that is received is the one that was found, also after std::bad_alloc.
  static Chunk* matched(int from, int tag, std::list<Chunk>& list, std::size_t& length) {
    int found = 0;
    MPI_Status status;
    MPI_Iprobe(from, tag, MPI_COMM_WORLD, &found, &status);
    if (!found) return nullptr;
    int count = 0;
    MPI_Get_count(&status, MPI_BYTE, &count);
    length = std::size_t(count);
    Chunk made;
    made.bytes.resize(length);
    made.other = status.MPI_SOURCE;
    Chunk& chunk = list.emplace_back(std::move(made));
    MPI_Irecv(chunk.bytes.data(), count, MPI_BYTE, chunk.other, tag, MPI_COMM_WORLD,
              &chunk.request);
    return &chunk;
  }

  static bool tested(Chunk& chunk) {
    int done = 0;
    MPI_Test(&chunk.request, &done, MPI_STATUS_IGNORE);
    return done != 0;
  }

  void failLocked(const Error& error) {
    if (failure_) return;
    failure_ = namingRank(error, rank_, size_, host_);
    announce_ = true;
    changed_.notify_all();
  }

  // Takes over the failure of another rank.
  void hearControl(std::unique_lock<std::mutex>& lock) {
    int heard = 0;
    MPI_Status status;
    MPI_Test(&controlRequest_, &heard, &status);
    if (heard) {
      int count = 0;
      MPI_Get_count(&status, MPI_BYTE, &count);
      if (!failure_) failure_ = unpacked(std::span(control_).first(std::size_t(count)));
      MPI_Irecv(control_.data(), int(control_.size()), MPI_BYTE, MPI_ANY_SOURCE, kControl,
                MPI_COMM_WORLD, &controlRequest_);
    }
    if (failure_ && !ended_.stop_requested()) {
      changed_.notify_all();
      lock.unlock();
      ended_.request_stop();  // calls back, so without the mutex
      lock.lock();
    }
  }

  // Tells the others, then receives and discards all that is on its way until every rank has got
  // rid of what it has sent: MPI can then be ended in order.
  void endFailed(std::unique_lock<std::mutex>& lock) {
    const auto begin = Clock::now();
    std::list<Chunk> leaving;
    for (auto& list : sending_) leaving.splice(leaving.end(), list);
    leaving.splice(leaving.end(), telling_);
    for (Chunk& chunk : leaving) chunk.side = nullptr;
    for (Chunk& chunk : receiving_.front()) chunk.side = nullptr;
    if (announce_)
      for (int r = 0; r < size_; ++r) {
        if (r == rank_) continue;
        Chunk& chunk = leaving.emplace_back();
        chunk.bytes = packed(*failure_);
        MPI_Isend(chunk.bytes.data(), int(chunk.bytes.size()), MPI_BYTE, r, kControl,
                  MPI_COMM_WORLD, &chunk.request);
      }
    MPI_Request all = MPI_REQUEST_NULL;
    bool gathering = false;
    for (int everyone = 0; everyone == 0 && Clock::now() - begin < kPatience;) {
      auto& arriving = receiving_.front();
      std::size_t length = 0;
      try {
        while (matched(MPI_ANY_SOURCE, kData, arriving, length) != nullptr) {
        }
        while (matched(MPI_ANY_SOURCE, kProgress, arriving, length) != nullptr) {
        }
      } catch (const std::bad_alloc&) {
        // Once messages that are arriving have been discarded there is memory for others.
      }
      std::erase_if(arriving, tested);
      std::erase_if(leaving, tested);
      hearControl(lock);
      if (!gathering && leaving.empty()) {
        MPI_Ibarrier(MPI_COMM_WORLD, &all);
        gathering = true;
      }
      if (gathering && arriving.empty()) MPI_Test(&all, &everyone, MPI_STATUS_IGNORE);
      lock.unlock();
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      lock.lock();
    }
  }

  int rank_ = 0;
  int size_ = 1;
  std::string host_;
  std::size_t chunkBytes_ = 0;

  std::mutex mutex_;
  std::condition_variable wake_;                    // of the thread of MPI
  std::condition_variable changed_;                 // of a rank that waits
  std::vector<std::deque<MessageSide*>> sent_;      // by receiver, not all in chunks yet
  std::vector<std::deque<MessageSide*>> expected_;  // by sender
  std::size_t open_ = 0;                            // sides in these queues
  std::vector<std::list<Chunk>> sending_;           // by receiver
  std::vector<std::list<Chunk>> receiving_{1};
  std::atomic<double> latest_ = 0;  // progress of this rank
  double told_ = 0;                 // that rank 0 knows of
  std::list<Chunk> telling_;        // at most one message of it
  Clock::time_point passed_ = {};
  std::vector<double> progress_;  // on rank 0, by rank
  int endedRanks_ = 0;            // on rank 0: that tell no more
  std::vector<std::byte> control_ = std::vector<std::byte>(kControlBytes);
  MPI_Request controlRequest_ = MPI_REQUEST_NULL;
  std::optional<Error> failure_;
  bool announce_ = false;
  bool closing_ = false;
  std::stop_source ended_;
  std::jthread thread_;
};

class MpiTransfer final : public Transfer {
 public:
  MpiTransfer(Post& post, const std::vector<Outgoing>& out, const std::vector<Incoming>& in)
      : post_(post), sides_(out.size() + in.size()) {
    auto side = sides_.begin();
    for (const Outgoing& message : out) {
      if (message.bytes.empty()) continue;
      // A sender's bytes are only read.
      *side = {const_cast<std::byte*>(message.bytes.data()), message.bytes.size()};
      post_.add(message.to, *side++);
    }
    for (const Incoming& message : in) {
      if (message.bytes.empty()) continue;
      *side = {message.bytes.data(), message.bytes.size()};
      post_.expect(message.from, *side++);
    }
  }
  ~MpiTransfer() override { post_.forget(sides_); }
  Result<void> wait(const Task& task) override { return post_.wait(sides_, task); }

 private:
  Post& post_;
  std::vector<MessageSide> sides_;
};

class MpiCommunicator final : public Communicator {
 public:
  explicit MpiCommunicator(const MpiOptions& options) : post_(std::in_place, options) {}

  ~MpiCommunicator() override {
    const bool failed = post_->failure().has_value();
    post_.reset();
    // Where a rank does not come to the end this one does not wait for it for ever.
    std::jthread watchdog;
    if (failed)
      watchdog = std::jthread([](const std::stop_token& over) {
        const auto begin = Clock::now();
        while (!over.stop_requested() && Clock::now() - begin < kPatience)
          std::this_thread::sleep_for(std::chrono::milliseconds(20));
        if (!over.stop_requested()) ::_exit(1);
      });
    MPI_Finalize();
  }

  int rank() const override { return post_->rank(); }
  int size() const override { return post_->size(); }
  std::string host() const override { return post_->host(); }
  std::unique_ptr<Transfer> start(const std::vector<Outgoing>& out,
                                  const std::vector<Incoming>& in) override {
    return std::make_unique<MpiTransfer>(*post_, out, in);
  }
  void fail(const Error& error) override { post_->fail(error); }
  std::optional<Error> failure() const override { return post_->failure(); }
  std::stop_token ended() const override { return post_->ended(); }
  void tellProgress(double value) override { post_->tellProgress(value); }
  std::vector<double> toldProgress() override { return post_->toldProgress(); }

 private:
  mutable std::optional<Post> post_;
};

}  // namespace

Result<std::unique_ptr<Communicator>> makeMpiCommunicator(const MpiOptions& options) {
  int provided = MPI_THREAD_SINGLE;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS)
    return unavailable("MPI cannot be started on " + hostName() + ".");
  if (provided < MPI_THREAD_SERIALIZED) {
    MPI_Finalize();
    return unavailable("This MPI does not work with several threads (MPI_THREAD_SERIALIZED).");
  }
  // Without the starter's help each process is a separate MPI world, and would do the whole work.
  const int started = startedRanks();
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (started > 1 && size != started) {
    MPI_Finalize();
    return badCall(withoutMpiText(started));
  }
  return std::make_unique<MpiCommunicator>(options);
}

}  // namespace clusterloom
