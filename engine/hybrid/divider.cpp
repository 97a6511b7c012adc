#include "engine/hybrid/divider.h"

#include <algorithm>
#include <cmath>

#include "engine/core/lower_bound.h"

namespace clusterloom {
namespace {

// The weight of earlier batches of a lane in its rate, each time it ends another one.
constexpr double kMemory = 0.75;
// Shorter batches cost more in launches and wake-ups than they save at the end.
constexpr double kLeastGpuSeconds = 4e-4;
constexpr double kLeastCpuSeconds = 5e-5;
// The first batches of all lanes of a side as a share of what is left, before its rate is known, …
constexpr double kFirstShare = 1.0 / 32;
// … and as a share of its rest where a rate is expected, which may be wrong by a factor.
constexpr double kExpectedShareOfRest = 1.0 / 2;
// The share of a side's rest that its lanes take at once. Not more: workloads grow towards the
// front and rates change with them, so that a batch may take twice as long as it should.
constexpr double kShareOfRest = 1.0 / 3;
// Batches while the other side's rate is unknown: it may be far faster and need the rest soon.
constexpr double kGpuSecondsAlone = 4e-3;
constexpr double kCpuSecondsAlone = 1e-3;

std::size_t slot(Processor processor) { return std::size_t(processor); }

}  // namespace

Divider::Divider(const OrderedQueries& queries, DivisionPlan plan)
    : queries_(queries), plan_(std::move(plan)), ends_(queries.size(), plan_.begun) {}

std::optional<TicketRange> Divider::nextForGpu() {
  if (dropped_.load(std::memory_order_relaxed) || gpuFailed_.load(std::memory_order_relaxed))
    return std::nullopt;
  const std::uint32_t limit = isStatic(plan_.division) ? plan_.boundary : queries_.size();
  const TicketRange range =
      ends_.takeFront(limit, [this](std::uint32_t front, std::uint32_t back) -> std::uint32_t {
        const auto cut = std::upper_bound(plan_.cuts.begin(), plan_.cuts.end(), front);
        const std::uint32_t whole = (cut == plan_.cuts.end() ? queries_.size() : *cut) - front;
        return plan_.division == Division::Adaptive ? std::min(whole, adaptiveFront(front, back))
                                                    : whole;
      });
  if (range.empty()) return std::nullopt;
  return range;
}

std::optional<TicketRange> Divider::nextForCpu() {
  if (dropped_.load(std::memory_order_relaxed)) return std::nullopt;
  const bool alone = gpuFailed_.load(std::memory_order_acquire);
  if (alone) {
    const std::lock_guard lock(mutex_);
    while (!unfinished_.empty()) {
      TicketRange& rest = unfinished_.back();
      if (rest.empty()) {
        unfinished_.pop_back();
        continue;
      }
      const std::uint32_t taken = std::min(rest.size(), plan_.cpuBatch);
      rest.end -= taken;
      return TicketRange{rest.end, rest.end + taken};
    }
  }
  const std::uint32_t limit = isStatic(plan_.division) && !alone ? plan_.boundary : 0;
  const TicketRange range =
      ends_.takeBack(limit, [this, alone](std::uint32_t front, std::uint32_t back) {
        return plan_.division == Division::Adaptive && !alone ? adaptiveBack(front, back)
                                                              : plan_.cpuBatch;
      });
  if (range.empty()) return std::nullopt;
  return range;
}

void Divider::done(Processor processor, TicketRange range, double seconds) {
  if (plan_.division != Division::Adaptive) return;
  const std::lock_guard lock(mutex_);
  Rate& rate = sums_[slot(processor)];
  // The lanes of a side end in turn: each batch reduces the weight of the others' by its share.
  const double memory = std::pow(kMemory, 1.0 / std::max(1, lanesOf(processor)));
  rate.work =
      memory * rate.work + queries_.workBefore(range.end) - queries_.workBefore(range.begin);
  rate.queries = memory * rate.queries + range.size();
  rate.seconds = memory * rate.seconds + std::max(seconds, 1e-9);
  queriesPerWork_[slot(processor)].store(rate.queries / rate.work, std::memory_order_relaxed);
  rates_[slot(processor)].store(lanesOf(processor) * rate.work / rate.seconds,
                                std::memory_order_relaxed);
}

void Divider::gpuFailed(TicketRange unfinished) {
  {
    const std::lock_guard lock(mutex_);
    if (!unfinished.empty()) unfinished_.push_back(unfinished);
  }
  gpuFailed_.store(true, std::memory_order_release);
}

bool Divider::cpuIsDone() const {
  if (dropped_.load(std::memory_order_relaxed)) return true;
  const TicketRange left = ends_.left();
  if (!gpuFailed_.load(std::memory_order_acquire))
    return left.empty() || (isStatic(plan_.division) && left.end <= plan_.boundary);
  if (!left.empty()) return false;
  const std::lock_guard lock(mutex_);
  return std::all_of(unfinished_.begin(), unfinished_.end(),
                     [](const TicketRange& range) { return range.empty(); });
}

double Divider::measuredRate(Processor processor) const {
  return rates_[slot(processor)].load(std::memory_order_relaxed);
}

// Of a side that is not measured yet, by the expected rates of both: an effect that makes one side
// slower than expected, such as its queries, mostly does so to the other.
double Divider::rateOf(Processor processor) const {
  const double measured = measuredRate(processor);
  if (measured > 0 || !plan_.expected.known()) return measured;
  const bool onGpu = processor == Processor::Gpu;
  const double mine = onGpu ? plan_.expected.gpu : plan_.expected.cpu;
  const double theirs = onGpu ? plan_.expected.cpu : plan_.expected.gpu;
  const double others = measuredRate(onGpu ? Processor::Cpu : Processor::Gpu);
  return others > 0 ? others * mine / theirs : mine;
}

// The first query with at least `work` work before it.
std::uint32_t Divider::firstWithWork(double work) const {
  return firstNotBefore(std::uint32_t{0}, queries_.size(),
                        [&](std::uint32_t query) { return queries_.workBefore(query) < work; });
}

double Divider::adaptiveWork(double left, Processor processor) const {
  const bool onGpu = processor == Processor::Gpu;
  const double mine = rateOf(processor);
  const double theirs = rateOf(onGpu ? Processor::Cpu : Processor::Gpu);
  const double least = (onGpu ? kLeastGpuSeconds : kLeastCpuSeconds) * mine;
  const double alone = (onGpu ? kGpuSecondsAlone : kCpuSecondsAlone) * mine;
  const bool others = lanesOf(onGpu ? Processor::Cpu : Processor::Gpu) > 0;
  double work = kFirstShare * left;
  if (!(measuredRate(processor) > 0)) {
    if (onGpu && mine > 0 && theirs > 0)
      work = kExpectedShareOfRest * left * mine / (mine + theirs);
  } else if (others && !(theirs > 0)) {
    work = std::max(least, std::min(alone, kShareOfRest * left));
  } else {
    work = std::max(least, kShareOfRest * left * mine / (mine + theirs));
  }
  return work / std::max(1, lanesOf(processor));
}

std::uint32_t Divider::adaptiveFront(std::uint32_t front, std::uint32_t back) const {
  const double before = queries_.workBefore(front);
  const double left = queries_.workBefore(back) - before;
  const double work = adaptiveWork(left, Processor::Gpu);
  const std::uint32_t end = firstWithWork(before + work);
  return std::min(end > front ? end - front : 1, mostQueries(work, Processor::Gpu));
}

std::uint32_t Divider::adaptiveBack(std::uint32_t front, std::uint32_t back) const {
  const double before = queries_.workBefore(back);
  const double left = before - queries_.workBefore(front);
  const double work = adaptiveWork(left, Processor::Cpu);
  const std::uint32_t begin = firstWithWork(before - work);
  const std::uint32_t size = begin < back ? back - begin : 1;
  if (measuredRate(Processor::Cpu) > 0) return std::min(size, mostQueries(work, Processor::Cpu));
  // The lightest queries come first: a small share of the work may be most of the queries.
  const double queries = kFirstShare * (back - front) / std::max(1, plan_.threads);
  return std::min({size, plan_.cpuBatch, std::uint32_t(std::max(1.0, queries))});
}

// As many queries as a side's last batches had for this work, should its time go by queries.
std::uint32_t Divider::mostQueries(double work, Processor processor) const {
  const double each = queriesPerWork_[slot(processor)].load(std::memory_order_relaxed);
  const double most = queries_.size();
  return std::uint32_t(each > 0 ? std::clamp(each * work, 1.0, most) : most);
}

}  // namespace clusterloom
