#include "fibers/fiber_block.h"

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <string_view>

#include "fibers/fiber_warp.h"

namespace clusterloom {
namespace {

class FiberBlock {
 public:
  FiberBlock(const FiberProgram& program, const BlockShape& shape)
      : shape_(shape), shared_(shape.sharedBytes), random_(shape.schedule) {
    for (std::uint32_t first = 0; first < shape.threads; first += FiberLane::width)
      warps_.push_back(std::make_unique<FiberWarp>(program, shape_, first, shared_));
  }

  std::optional<WarpFault> run(std::vector<WarpSteps>* steps) {
    if (steps != nullptr) steps->resize(warps_.size());
    for (;;) {
      std::optional<WarpFault> fault;
      bool moved = turn(steps, shape_.schedule != 0, fault);
      if (!moved && shape_.schedule != 0) moved = turn(steps, false, fault);
      if (!fault) fault = faultOfBarrier();
      if (fault) return fault;
      if (passBarrier() || moved) continue;
      const std::string waiting = whoWaits();
      if (waiting.empty()) return {};
      return WarpFault{WarpFaultKind::Deadlock, waiting};
    }
  }

 private:
  // Lets the warps, or those drawn, go on by a turn.
  bool turn(std::vector<WarpSteps>* steps, bool drawn, std::optional<WarpFault>& fault) {
    bool moved = false;
    for (std::size_t w = 0; w < warps_.size() && !fault; ++w) {
      if (drawn && random_() % 2 == 0) continue;
      moved = warps_[w]->turn(steps == nullptr ? nullptr : &(*steps)[w]) || moved;
      fault = warps_[w]->fault();
    }
    return moved;
  }

  /// Calls each(warp, lane) for every thread until it returns true.
  template <class Each>
  bool anyThread(const Each& each) const {
    for (const auto& warp : warps_)
      for (std::uint32_t i = 0; i < warp->lanes(); ++i)
        if (each(*warp, i)) return true;
    return false;
  }

  // Why the threads that wait at a block barrier will never pass it.
  std::optional<WarpFault> faultOfBarrier() const {
    const FiberWarp* first = nullptr;
    std::uint32_t lane = 0;
    anyThread([&](const FiberWarp& warp, std::uint32_t i) {
      if (warp.barrier(i) == nullptr) return false;
      first = &warp;
      lane = i;
      return true;
    });
    if (first == nullptr) return {};
    std::optional<WarpFault> fault;
    const std::source_location& where = first->barrier(lane)->where;
    anyThread([&](const FiberWarp& warp, std::uint32_t i) {
      const FiberWarp::Barrier* barrier = warp.barrier(i);
      if (warp.ended(i))
        fault = {WarpFaultKind::LaneLeft,
                 first->waiting(lane) + " waits for " + warp.name(i) + ", which has ended"};
      else if (barrier != nullptr &&
               (barrier->where.line() != where.line() ||
                barrier->where.column() != where.column() ||
                std::string_view(barrier->where.file_name()) != where.file_name()))
        fault = {WarpFaultKind::DifferentBarriers, first->waiting(lane) + ", " + warp.waiting(i)};
      return fault.has_value();
    });
    return fault;
  }

  bool passBarrier() {
    bool said = false;
    const bool missing = anyThread([&](const FiberWarp& warp, std::uint32_t i) {
      const FiberWarp::Barrier* barrier = warp.barrier(i);
      said = said || (barrier != nullptr && barrier->said);
      return barrier == nullptr;
    });
    if (missing || warps_.empty()) return false;
    shared_.passBarrier();
    for (const auto& warp : warps_) warp->passBarrier(said);
    return true;
  }

  std::string whoWaits() const {
    std::string text;
    for (const auto& warp : warps_) {
      const std::string waiting = warp->waiting();
      if (!waiting.empty()) text += (text.empty() ? "" : ", ") + waiting;
    }
    return text;
  }

  BlockShape shape_;
  SharedMemory shared_;
  std::mt19937_64 random_;
  std::vector<std::unique_ptr<FiberWarp>> warps_;
};

}  // namespace

std::optional<WarpFault> runBlock(const FiberProgram& program, const BlockShape& shape,
                                  std::vector<WarpSteps>* steps) {
  FiberBlock block(program, shape);
  return block.run(steps);
}

std::optional<WarpFault> runWarp(const FiberProgram& program, std::uint32_t lanes,
                                 WarpSteps* steps) {
  const BlockShape shape{.threads = std::min(lanes, FiberLane::width)};
  if (steps == nullptr) return runBlock(program, shape);
  std::vector<WarpSteps> ofWarps{*steps};
  const auto fault = runBlock(program, shape, &ofWarps);
  *steps = ofWarps.front();
  return fault;
}

}  // namespace clusterloom
