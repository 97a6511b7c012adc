#include "engine/ego/super_ego.h"

#include <algorithm>

#include "engine/core/lane.h"

namespace clusterloom {
namespace {

/// The most points of a job's sequences: "a few thousand", and for large clouds enough that
/// the jobs of the densest cloud fit into memory.
std::uint32_t longestOfJobs(std::size_t points) {
  return std::uint32_t(std::max(points / 1024, std::clamp<std::size_t>(points / 256, 512, 4096)));
}

/// Counters for one sequence of a job. Those that changed are added to the counts of the cloud,
/// which other threads count into too, when the job is done.
template <class Real>
class JobCounts {
 public:
  void begin(const EgoSequence& sequence) {
    begin_ = sequence.begin;
    if (counters_.size() < sequence.size()) {
      counters_.resize(sequence.size(), 0);
      touched_.resize(sequence.size() / kGroup + 1, 0);
    }
  }
  CounterOf<Real>* touch(const EgoSequence& part) {
    for (std::uint32_t g = (part.begin - begin_) / kGroup; g <= (part.end - 1 - begin_) / kGroup;
         ++g)
      touched_[g] = 1;
    return counters_.data() + (part.begin - begin_);
  }
  void finish(std::span<std::uint32_t> counts) {
    for (std::size_t g = 0; g < touched_.size(); ++g) {
      if (touched_[g] == 0) continue;
      touched_[g] = 0;
      const std::size_t end = std::min(counters_.size(), (g + 1) * kGroup);
      for (std::size_t i = g * kGroup; i < end; ++i) {
        if (counters_[i] == 0) continue;
        SerialLane{}.add(&counts[begin_ + i], std::uint32_t(counters_[i]));
        counters_[i] = 0;
      }
    }
  }

 private:
  static constexpr std::size_t kGroup = 16;
  std::uint32_t begin_ = 0;
  std::vector<CounterOf<Real>> counters_;
  std::vector<std::uint8_t> touched_;
};

template <class Real>
class CountWorker {
 public:
  CountWorker(const EgoIndex& index, const SimpleJoin<Real>& join, std::span<std::uint32_t> counts,
              const Task& task)
      : index_(index), join_(join), counts_(counts), task_(task) {}

  EgoWork operator()(const EgoJob& job) {
    EgoWork done;
    a_.begin(index_.sequences[job.a]);
    JobCounts<Real>& ofB = job.a == job.b ? a_ : b_;
    if (job.a != job.b) b_.begin(index_.sequences[job.b]);
    visitShortSequences(index_, job, [&](std::uint32_t a, std::uint32_t b, int start) {
      if (task_.cancelled()) return;
      const EgoSequence& x = index_.sequences[a];
      const EgoSequence& y = index_.sequences[b];
      done += workOf(x, y, a == b);
      CounterOf<Real>* const rows = a_.touch(x);
      if (a == b) {
        for (std::uint32_t p = x.begin; p < x.end; ++p)
          rows[p - x.begin] +=
              static_cast<CounterOf<Real>>(countNeighbours(join_, p, {y.begin, y.end}, start));
      } else {
        countPairs(join_, {x.begin, x.end}, {y.begin, y.end}, start, rows, ofB.touch(y));
      }
    });
    a_.finish(counts_);
    if (job.a != job.b) b_.finish(counts_);
    return done;
  }

 private:
  const EgoIndex& index_;
  const SimpleJoin<Real>& join_;
  std::span<std::uint32_t> counts_;
  const Task& task_;
  JobCounts<Real> a_;
  JobCounts<Real> b_;
};

}  // namespace

Result<std::unique_ptr<EgoCloud>> prepareEgoCloud(const PointCloud& cloud, double eps,
                                                  const JoinPlan& plan, bool forSuperEgo,
                                                  const Task& task) {
  auto ego = std::make_unique<EgoCloud>();
  auto index = buildEgoIndex(cloud, eps, task);
  if (!index) return tl::unexpected(index.error());
  ego->index = std::move(*index);
  ego->join = simpleJoinOf(ego->index, plan.squaredEps);
  if (plan.strategy.precision == Precision::Single)
    ego->single = singleOffsetsOf(ego->index, plan.single, plan.squaredEps);
  if (forSuperEgo)
    egoSelfJoin(ego->index, 0, longestOfJobs(cloud.size()),
                [&](std::uint32_t a, std::uint32_t b, int start) {
                  ego->jobs.push_back({a, b, start});
                });
  if (task.cancelled()) return cancelledError();
  return ego;
}

Result<EgoWork> countBySuperEgo(const EgoCloud& ego, std::string_view stage,
                                std::span<std::uint32_t> counts, const Task& task) {
  return withSimpleJoin(ego, [&]<class Real>(const SimpleJoin<Real>& join) {
    return runEgoJobs(ego, stage, task,
                      [&] { return CountWorker<Real>(ego.index, join, counts, task); });
  });
}

}  // namespace clusterloom
