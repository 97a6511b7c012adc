#include "engine/cuda/distributed/peer_exchange.h"

#include <set>
#include <thread>

namespace clusterloom {
namespace {

// Lets `reader` read memory of `owner`, once a process: to ask again is an error. False where the
// hardware cannot.
bool enableOnce(int reader, int owner) {
  static std::mutex mutex;
  static std::set<std::pair<int, int>> enabled;
  const std::lock_guard lock(mutex);
  if (enabled.contains({reader, owner})) return true;
  const OnDevice current(reader);
  const cudaError_t error = cudaDeviceEnablePeerAccess(owner, 0);
  if (error != cudaSuccess) cudaGetLastError();
  if (error != cudaSuccess && error != cudaErrorPeerAccessAlreadyEnabled) return false;
  enabled.insert({reader, owner});
  return true;
}

// The same for the memory of `owner`'s pool.
bool enableAccess(const Device& reader, const Device& owner) {
  int possible = 0;
  CUDA_CHECK(cudaDeviceCanAccessPeer(&possible, reader.id(), owner.id()));
  if (possible == 0) return false;
  if (!enableOnce(reader.id(), owner.id())) return false;
  cudaMemAccessDesc access{};
  access.location.type = cudaMemLocationTypeDevice;
  access.location.id = reader.id();
  access.flags = cudaMemAccessFlagsProtReadWrite;
  if (cudaMemPoolSetAccess(owner.pool(), &access, 1) == cudaSuccess) return true;
  cudaGetLastError();
  return false;
}

}  // namespace

PeerGroup::PeerGroup(std::vector<const Device*> devices, Way way)
    : devices_(std::move(devices)),
      direct_(devices_.size() * devices_.size(), 0),
      messages_(2 * devices_.size() * devices_.size()) {
  for (const Device* device : devices_) kept_.push_back(device->keepFreedMemory());
  const std::size_t ranks = devices_.size();
  for (std::size_t reader = 0; reader < ranks; ++reader)
    for (std::size_t owner = 0; owner < ranks; ++owner) {
      if (reader == owner) {
        direct_[reader * ranks + owner] = 1;
      } else if (way == Way::Direct) {
        const Device& a = *devices_[reader];
        const Device& b = *devices_[owner];
        direct_[reader * ranks + owner] = a.id() == b.id() || enableAccess(a, b);
      }
    }
}

bool PeerGroup::direct(int reader, int owner) const {
  return direct_[std::size_t(reader) * devices_.size() + std::size_t(owner)] != 0;
}

const char* PeerGroup::describe() const {
  if (staged()) return "staged through host memory";
  const bool one = std::all_of(devices_.begin(), devices_.end(),
                               [&](const Device* d) { return d->id() == devices_.front()->id(); });
  return one ? "one GPU" : "peer copies";
}

void PeerGroup::enter() {
  const std::lock_guard lock(mutex_);
  ++entered_;
}

void PeerGroup::leave() {
  std::unique_lock lock(mutex_);
  ++left_;
  // The last one prepares the next run.
  if (left_ == entered_) {
    entered_ = left_ = 0;
    told_ = 0;
    changed_.notify_all();
    return;
  }
  changed_.wait(lock, [&] { return entered_ == 0; });
}

PeerExchange::PeerExchange(Communicator& communicator, PeerGroup& group, GpuRun& run,
                           RankRecord* record)
    : communicator_(communicator),
      group_(group),
      run_(run),
      record_(record),
      ended_(communicator.ended()) {
  group_.enter();
}

PeerExchange::~PeerExchange() {
  cudaStreamSynchronize(copies_);
  cudaStreamSynchronize(run_.stream());
  group_.leave();
}

void PeerExchange::awaitMessages() {
  using namespace std::chrono;
  const double since = record_ != nullptr ? record_->now() : 0;
  const std::uint64_t all = (round_ + 1) * std::uint64_t(group_.size());
  group_.told_.fetch_add(1, std::memory_order_release);
  const auto start = steady_clock::now();
  while (group_.told_.load(std::memory_order_acquire) < all) {
    if (ended_.stop_requested()) throw RanksFailed{*communicator_.failure()};
    if (run_.task().cancelled()) throw CudaStopped{};
    if (steady_clock::now() - start > rankOptionsForGpus().spin)
      std::this_thread::sleep_for(microseconds(20));
  }
  if (record_ != nullptr) record_->add(RankActivity::Waiting, since);
}

void PeerExchange::done() {
  copied_.record(copies_);
  CUDA_CHECK(cudaStreamWaitEvent(run_.stream(), copied_, 0));
  taken_.record(run_.stream());
  const std::vector<cudaEvent_t> taken =
      swapWithAll(std::vector<cudaEvent_t>(std::size_t(group_.size()), taken_));
  for (const cudaEvent_t event : taken) CUDA_CHECK(cudaStreamWaitEvent(run_.stream(), event, 0));
}

void PeerExchange::takeBytes(const Offer& offer, const std::byte* from, void* into,
                             std::size_t bytes) {
  if (bytes == 0) return;
  const int self = communicator_.rank();
  if (!group_.direct(self, offer.rank)) {
    takeStaged(offer, from, static_cast<std::byte*>(into), bytes);
    return;
  }
  const int to = run_.device().id();
  const int there = group_.device(offer.rank).id();
  // All data have arrived, and no rank uses the memory any longer.
  begin_.record(run_.stream());
  CUDA_CHECK(cudaStreamWaitEvent(copies_, begin_, 0));
  CUDA_CHECK(cudaStreamWaitEvent(copies_, offer.ready, 0));
  if (to == there)
    CUDA_CHECK(cudaMemcpyAsync(into, from, bytes, cudaMemcpyDeviceToDevice, copies_));
  else
    CUDA_CHECK(cudaMemcpyPeerAsync(into, to, from, there, bytes, copies_));
}

void PeerExchange::takeStaged(const Offer& offer, const std::byte* from, std::byte* into,
                              std::size_t bytes) {
  const double since = record_ != nullptr ? record_->now() : 0;
  SlabPool::Slab slab = run_.device().slabs().take();
  const std::span<std::byte> memory = slab.as<std::byte>();
  for (std::size_t at = 0; at < bytes; at += memory.size()) {
    const std::size_t some = std::min(memory.size(), bytes - at);
    if (run_.task().cancelled()) throw CudaStopped{};
    {
      const OnDevice owner(group_.device(offer.rank).id());
      const Stream stream;
      CUDA_CHECK(cudaStreamWaitEvent(stream, offer.ready, 0));
      CUDA_CHECK(cudaMemcpyAsync(memory.data(), from + at, some, cudaMemcpyDeviceToHost, stream));
      CUDA_CHECK(cudaStreamSynchronize(stream));
    }
    CUDA_CHECK(
        cudaMemcpyAsync(into + at, memory.data(), some, cudaMemcpyHostToDevice, run_.stream()));
    run_.wait();
  }
  if (record_ != nullptr) record_->add(RankActivity::Moving, since);
}

}  // namespace clusterloom
