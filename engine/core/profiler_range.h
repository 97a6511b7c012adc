#pragma once

#include <atomic>

namespace clusterloom {

/// Where the ranges of this process go: two functions, called on the thread of the range.
struct RangeSink {
  void (*begin)(const char* name);
  void (*end)();  ///< of the range that this thread began last
};

/// The sink of all ranges; null for none. Initially NVTX, which Nsight Systems and other profilers
/// record, in builds that found its header (CLUSTERLOOM_NVTX in CMake). Another sink must outlive
/// all ranges.
extern std::atomic<const RangeSink*> rangeSink;

/// A named phase of the work of this thread, for profilers. Ranges nest as scopes do, and the
/// engine has one for each stage of its work on the CPU (SharedProgress is one) and on a GPU.
/// Without a sink a range costs one read of a pointer; with NVTX but no profiler, a few
/// nanoseconds. Names are literals.
class ProfilerRange {
 public:
  explicit ProfilerRange(const char* name) : sink_(rangeSink.load(std::memory_order_relaxed)) {
    if (sink_ != nullptr) sink_->begin(name);
  }
  ~ProfilerRange() {
    if (sink_ != nullptr) sink_->end();
  }
  ProfilerRange(const ProfilerRange&) = delete;
  ProfilerRange& operator=(const ProfilerRange&) = delete;

  /// Ends this range and begins the next one.
  void next(const char* name) {
    if (sink_ == nullptr) return;
    sink_->end();
    sink_->begin(name);
  }

 private:
  const RangeSink* sink_;
};

}  // namespace clusterloom
