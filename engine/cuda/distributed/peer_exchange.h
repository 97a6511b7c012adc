#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "engine/core/result.h"
#include "engine/cuda/runtime/device.h"
#include "engine/distributed/communicator.h"
#include "engine/distributed/rank_record.h"

namespace clusterloom {

/// The GPUs of the ranks of one process, by rank; ranks may share a GPU. Lets each GPU read the
/// memory of the others where the hardware can. As long as it exists the GPUs' pools keep all
/// memory that is freed: a run that waits in between would otherwise give memory back and take it
/// again.
class PeerGroup {
 public:
  /// How memory goes from one GPU to another.
  enum class Way {
    Direct,  ///< by peer copies where the GPUs can, else as Staged
    Staged,  ///< through page-locked host memory
  };

  /// The devices must outlive the group. Throws CudaFailure.
  explicit PeerGroup(std::vector<const Device*> devices, Way way = Way::Direct);
  ~PeerGroup();
  PeerGroup(const PeerGroup&) = delete;
  PeerGroup& operator=(const PeerGroup&) = delete;

  int size() const { return static_cast<int>(devices_.size()); }
  const Device& device(int rank) const { return *devices_[static_cast<std::size_t>(rank)]; }
  /// Whether the GPU of one rank reads the memory of the other's itself.
  bool direct(int reader, int owner) const;
  /// For display: "peer copies", "one GPU" or "staged through host memory".
  const char* describe() const;

 private:
  friend class PeerExchange;
  // Ranks that have begun to exchange, and those that no longer read memory of others.
  void enter();
  void leave();

  std::vector<const Device*> devices_;
  std::vector<std::uint8_t> direct_;                   // [reader · size + owner]
  std::map<cudaMemPool_t, std::uint64_t> keptBefore_;  // bytes
  std::mutex mutex_;
  std::condition_variable changed_;
  int entered_ = 0;
  int left_ = 0;
};

/// The communicator failed, or another rank. Thrown inside engine/cuda only.
struct RanksFailed {
  Error error;
};

/// Exchanges device memory between the ranks of one process: messages with places in memory go by
/// the communicator, the memory by copies of the receiver, beside its stream and ordered by events.
/// No call waits for the device, except where memory is staged. One object a rank and run, at most
/// one run of a group at a time. Functions throw RanksFailed, CudaFailure and CudaStopped.
///
/// What was offered must stay until `done` has returned; it may then be freed in the order of the
/// stream. The destructor waits for the stream and for all other ranks that have begun, so that no
/// rank reads memory of another that has failed: destroy it before the offered memory.
class PeerExchange {
 public:
  /// What one rank gives another: `columns` times `count` values, column after column.
  struct Offer {
    const void* data = nullptr;
    std::uint64_t count = 0;
    cudaEvent_t ready = nullptr;
    int rank = 0;  ///< who gives it
  };

  /// All must outlive it.
  PeerExchange(Communicator& communicator, PeerGroup& group, GpuRun& run, RankRecord* record);
  ~PeerExchange();
  PeerExchange(const PeerExchange&) = delete;
  PeerExchange& operator=(const PeerExchange&) = delete;

  /// Collective: gives each rank what `toEach` has for it, as far as the stream has computed it,
  /// and returns what each gives this one. An entry of this rank itself comes back as it is.
  std::vector<Offer> offer(std::vector<Offer> toEach);
  /// Queues the copy of a column of an offer into memory that is not used until `done`.
  template <class T>
  void take(const Offer& offer, std::size_t column, T* into) {
    takeBytes(offer, static_cast<const std::byte*>(offer.data) + column * offer.count * sizeof(T),
              into, offer.count * sizeof(T));
  }
  /// Collective: all have queued what they take. What follows on the stream finds it there.
  void done();

 private:
  void takeBytes(const Offer& offer, const std::byte* from, void* into, std::size_t bytes);
  void takeStaged(const Offer& offer, const std::byte* from, std::byte* into, std::size_t bytes);
  template <class T>
  std::vector<T> swapWithAll(const std::vector<T>& toEach);

  Communicator& communicator_;
  PeerGroup& group_;
  GpuRun& run_;
  RankRecord* record_;
  Stream copies_;  // beside the run's, so that kernels go on meanwhile
  Event begin_;
  Event ready_;
  Event taken_;
};

}  // namespace clusterloom
