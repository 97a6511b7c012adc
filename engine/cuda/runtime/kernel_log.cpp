#include "engine/cuda/runtime/kernel_log.h"

#include <algorithm>

namespace clusterloom {
namespace {

KernelStats statsOf(const KernelShape& kernel) {
  KernelStats stats;
  stats.name = kernel.name;
  cudaFuncAttributes attributes{};
  CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel.function));
  stats.registers = attributes.numRegs;
  int blocks = 0;
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel.function,
                                                           int(kernel.block), kernel.sharedBytes));
  int device = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  int threads = 1;
  CUDA_CHECK(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device));
  stats.occupancy = double(blocks) * kernel.block / threads;
  return stats;
}

// Index of the stats of that name; the number of stats when there is none.
std::size_t find(const std::vector<KernelStats>& stats, const std::string& name) {
  const auto known = std::find_if(stats.begin(), stats.end(),
                                  [&](const KernelStats& s) { return s.name == name; });
  return std::size_t(known - stats.begin());
}

}  // namespace

KernelLog::Timed& KernelLog::next(const KernelShape& kernel) {
  const std::size_t stats = find(stats_, kernel.name);
  if (stats == stats_.size()) stats_.push_back(statsOf(kernel));
  if (used_ == queued_.size()) queued_.emplace_back();
  Timed& timed = queued_[used_++];
  timed.stats = stats;
  return timed;
}

void KernelLog::settle() {
  for (std::size_t i = 0; i < used_; ++i) {
    KernelStats& stats = stats_[queued_[i].stats];
    stats.seconds += millisecondsBetween(queued_[i].start, queued_[i].end) / 1e3;
    ++stats.launches;
  }
  used_ = 0;
}

void KernelLog::add(const std::vector<KernelStats>& stats) {
  for (const KernelStats& other : stats) {
    const std::size_t at = find(stats_, other.name);
    if (at == stats_.size()) {
      stats_.push_back(other);
    } else {
      stats_[at].seconds += other.seconds;
      stats_[at].launches += other.launches;
    }
  }
}

const std::vector<KernelStats>& KernelLog::stats() {
  settle();
  return stats_;
}

}  // namespace clusterloom
