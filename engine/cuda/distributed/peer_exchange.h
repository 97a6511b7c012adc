#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <stop_token>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/core/result.h"
#include "engine/cuda/runtime/device.h"
#include "engine/distributed/communicator.h"
#include "engine/distributed/local_communicator.h"
#include "engine/distributed/rank_record.h"

namespace clusterloom {

/// How ranks with GPUs wait for each other: a run exchanges some dozens of short messages.
inline LocalRankOptions rankOptionsForGpus() { return {.spin = std::chrono::microseconds(500)}; }

/// The GPUs of the ranks of one process, by rank; ranks may share a GPU. Lets each GPU read the
/// memory of the others where the hardware can. While it exists, the GPUs' pools keep all freed
/// memory: a run that waits would otherwise return memory and take it again.
class PeerGroup {
 public:
  /// How memory goes from one GPU to another.
  enum class Way {
    Direct,  ///< by peer copies where the GPUs can, else as Staged
    Staged,  ///< through page-locked host memory
  };

  /// The devices must outlive the group. Throws CudaFailure.
  explicit PeerGroup(std::vector<const Device*> devices, Way way = Way::Direct);
  PeerGroup(const PeerGroup&) = delete;
  PeerGroup& operator=(const PeerGroup&) = delete;

  int size() const { return int(devices_.size()); }
  const Device& device(int rank) const { return *devices_[std::size_t(rank)]; }
  /// Whether the GPU of one rank can read the memory of the other's GPU directly.
  bool direct(int reader, int owner) const;
  /// Whether memory goes through the host between some of them.
  bool staged() const {
    return std::find(direct_.begin(), direct_.end(), std::uint8_t{0}) != direct_.end();
  }
  /// For display: "peer copies", "one GPU" or "staged through host memory".
  const char* describe() const;

 private:
  friend class PeerExchange;
  // Ranks that have begun to exchange, and those that no longer read memory of others.
  void enter();
  void leave();
  // The message of one rank to another in one round. There are places for two rounds: a rank that
  // begins the round after the next knows that all others have read theirs.
  static constexpr std::size_t kMessageBytes = 64;
  struct alignas(kMessageBytes) Message {
    std::byte bytes[kMessageBytes];
  };
  Message& message(std::uint64_t round, int from, int to) {
    const auto ranks = devices_.size();
    return messages_[(round % 2 * ranks + std::size_t(from)) * ranks + std::size_t(to)];
  }

  std::vector<const Device*> devices_;
  std::vector<std::shared_ptr<const void>> kept_;  // freed memory of the devices
  std::vector<std::uint8_t> direct_;               // [reader · size + owner]
  std::mutex mutex_;
  std::condition_variable changed_;
  int entered_ = 0;
  int left_ = 0;
  std::vector<Message> messages_;
  std::atomic<std::uint64_t> told_{0};  // ranks that have written their messages, of all rounds
};

/// The communicator failed, or another rank. Thrown inside engine/cuda only.
struct RanksFailed {
  Error error;
};

/// Exchanges device memory between the ranks of one process: messages with places in memory go
/// through memory that the group has for them, since a run has some dozens of them and each delays
/// all ranks, the device memory by copies of the receiver, beside its stream and ordered by events.
/// No call waits for the device, except where memory is staged. One object a rank and run, at most
/// one run of a group at a time. Functions throw RanksFailed, CudaFailure and CudaStopped.
///
/// Offered memory must stay until `done` has returned; it may then be freed in the order of the
/// stream. The destructor waits for the stream and for all other ranks that have begun, so that no
/// rank reads memory of another that has failed: destroy it before the offered memory.
class PeerExchange {
 public:
  /// Memory that one rank lets another read: columns of `count` values, one after the other.
  struct Offer {
    const void* data = nullptr;
    std::uint64_t count = 0;
    std::uint64_t tag = 0;  ///< a number that goes with it
    cudaEvent_t ready = nullptr;
    int rank = 0;  ///< who gives it
  };

  /// Where another rank may write: columns of `count` values, and where its own begin in them.
  struct Place {
    double* columns = nullptr;
    std::uint64_t count = 0;
    std::uint64_t first = 0;
    cudaEvent_t ready = nullptr;
    int rank = 0;  ///< whose memory it is
  };

  /// All must outlive it.
  PeerExchange(Communicator& communicator, PeerGroup& group, GpuRun& run, RankRecord* record);
  ~PeerExchange();
  PeerExchange(const PeerExchange&) = delete;
  PeerExchange& operator=(const PeerExchange&) = delete;

  /// Collective: gives each rank what `toEach` has for it, as far as the stream has computed it,
  /// and returns what each gives this one. An entry for this rank itself is returned unchanged.
  std::vector<Offer> offer(std::vector<Offer> toEach) { return give(std::move(toEach)); }
  /// The same with memory to write to, as soon as the stream has got here.
  std::vector<Place> open(std::vector<Place> toEach) { return give(std::move(toEach)); }
  /// Whether kernels of this rank reach the memory of another rank's GPU.
  bool reaches(int rank) const { return group_.direct(communicator_.rank(), rank); }
  /// Whether some rank does not reach some other. The same on all ranks.
  bool staged() const { return group_.staged(); }
  /// Later work on the stream waits for this event of another rank.
  void await(cudaEvent_t ready) { CUDA_CHECK(cudaStreamWaitEvent(run_.stream(), ready, 0)); }
  /// The first column of an offer for kernels that follow on the stream: where it is, or copied
  /// into `local` where the rank is not reached.
  template <class T>
  const T* readable(const Offer& offer, DeviceBuffer<T>& local) {
    if (offer.count == 0) return nullptr;
    if (reaches(offer.rank)) {
      await(offer.ready);
      return static_cast<const T*>(offer.data);
    }
    local = DeviceBuffer<T>(run_.lease(), offer.count);
    take(offer, 0, local.data());
    return local.data();
  }
  /// Queues the copy of a column of an offer into memory that is not used until `done`.
  template <class T>
  void take(const Offer& offer, std::size_t column, T* into) {
    takeBytes(offer, static_cast<const std::byte*>(offer.data) + column * offer.count * sizeof(T),
              into, offer.count * sizeof(T));
  }
  /// Collective: all ranks have queued their reads and writes. Work queued on the stream after this
  /// sees the data.
  void done();

 private:
  void takeBytes(const Offer& offer, const std::byte* from, void* into, std::size_t bytes);
  void takeStaged(const Offer& offer, const std::byte* from, std::byte* into, std::size_t bytes);
  template <class Given>
  std::vector<Given> give(std::vector<Given> toEach) {
    ready_.record(run_.stream());
    for (Given& given : toEach) {
      given.ready = ready_;
      given.rank = communicator_.rank();
    }
    return swapWithAll(toEach);
  }
  template <class T>
  std::vector<T> swapWithAll(const std::vector<T>& toEach);
  // Ends when all ranks have written their messages of this round.
  void awaitMessages();

  Communicator& communicator_;
  PeerGroup& group_;
  GpuRun& run_;
  RankRecord* record_;
  Stream copies_;  // beside the run's, so that kernels go on meanwhile
  Event begin_;
  Event copied_;
  Event ready_;
  Event taken_;
  std::stop_token ended_;
  std::uint64_t round_ = 0;
};

template <class T>
std::vector<T> PeerExchange::swapWithAll(const std::vector<T>& toEach) {
  static_assert(sizeof(T) <= PeerGroup::kMessageBytes && std::is_trivially_copyable_v<T>);
  const int self = communicator_.rank();
  std::vector<T> fromEach(toEach.size());
  for (int r = 0; r < group_.size(); ++r)
    std::memcpy(group_.message(round_, self, r).bytes, &toEach[std::size_t(r)], sizeof(T));
  awaitMessages();
  for (int r = 0; r < group_.size(); ++r)
    // As bytes: types with default member initialisers are not trivial, but can be copied as bytes.
    std::memcpy(static_cast<void*>(&fromEach[std::size_t(r)]),
                group_.message(round_, r, self).bytes, sizeof(T));
  ++round_;
  return fromEach;
}

}  // namespace clusterloom
