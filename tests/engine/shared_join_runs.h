#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "cloud_draws.h"
#include "engine/cpu/brute_force.h"
#include "engine/hybrid/shared_join.h"
#include "tests/stand_in_device.h"

/// Joins that the CPU shares with a stand-in for a GPU: what the tests of their answers and those
/// of their times have in common.
namespace shared_runs {

using namespace clusterloom;

inline constexpr Division kAllDivisions[] = {Division::Dyn, Division::Queries, Division::Candidates,
                                             Division::Adaptive};

struct Run {
  Division division = Division::Adaptive;
  StandInSpec device = {};
  int threads = 2;
  std::uint32_t cpuBatch = 16;
  std::uint64_t batchPairs = kSharedBatchPairs;
  AccessPattern pattern = AccessPattern::Tile;
  MakeCpuSide cpu = makeGridSide;
  SideRates expected = {};
};

struct Answer {
  std::vector<std::uint32_t> counts;  // by point
  NeighbourTable table;
  std::vector<SharedPass> passes;
  std::string note;
};

/// Counts and rows of a cloud by both.
inline Result<Answer> shared(const PointCloud& cloud, double eps, const Run& run,
                             const Task& task = {}) {
  const auto plan =
      planJoin(cloud, eps, {.pattern = run.pattern, .order = QueryOrder::WorkQueue},
               SinkKind::NeighbourTable, {.name = "test", .threadGroups = true}, task);
  if (!plan) return tl::unexpected(plan.error());
  const auto device = makeStandInDevice(run.device);
  const SharedSetup setup{.device = *device,
                          .makeCpuSide = run.cpu,
                          .threads = run.threads,
                          .division = run.division,
                          .cpuBatch = run.cpuBatch,
                          .batchPairs = run.batchPairs,
                          .expected = run.expected};
  const JoinInput input(cloud);
  const SharedWork work{input, eps, *plan};
  SharedJoin join(setup, work, task);
  if (auto prepared = join.prepare(); !prepared) return tl::unexpected(prepared.error());
  Answer answer;
  std::vector<std::uint32_t> counts(cloud.size());
  JoinSink counting(counts);
  auto pass = join.pass({.stage = "counting"}, counting);
  if (!pass) return tl::unexpected(pass.error());
  answer.passes.push_back(*pass);
  answer.counts.resize(cloud.size());
  answer.table.offsets.assign(cloud.size() + 1, 0);
  for (std::size_t q = 0; q < counts.size(); ++q) {
    answer.counts[(*join.queries().points)[q]] = counts[q];
    answer.table.offsets[(*join.queries().points)[q] + 1] = counts[q];
  }
  std::partial_sum(answer.table.offsets.begin(), answer.table.offsets.end(),
                   answer.table.offsets.begin());
  answer.table.ids.resize(answer.table.offsets.back());
  JoinSink filling(answer.table, join.queries());
  pass = join.pass({.stage = "filling", .neighbours = counts}, filling);
  if (!pass) return tl::unexpected(pass.error());
  answer.passes.push_back(*pass);
  answer.note = join.note();
  return answer;
}

/// What is wrong with an answer; empty when nothing is.
inline std::string wrong(const PointCloud& cloud, double eps, const Result<Answer>& answer) {
  if (!answer) return "error: " + answer.error().message;
  const auto counts = bruteForceCounts(cloud, eps, {});
  const auto pairs = bruteForcePairs(cloud, eps, {});
  if (answer->counts != counts->counts) return "counts differ";
  std::size_t at = 0;
  for (std::size_t p = 0; p < cloud.size(); ++p)
    for (std::uint64_t i = answer->table.offsets[p]; i < answer->table.offsets[p + 1]; ++i, ++at)
      if (pairs->pairs[at].p != static_cast<std::int32_t>(p) ||
          pairs->pairs[at].q != answer->table.ids[i])
        return "row of point " + std::to_string(p) + " differs";
  if (at != pairs->pairs.size()) return "pairs are missing";
  for (const SharedPass& pass : answer->passes) {
    std::vector<SharedBatch> batches = pass.batches;
    std::sort(batches.begin(), batches.end(), [](const SharedBatch& a, const SharedBatch& b) {
      return a.firstQuery < b.firstQuery;
    });
    std::uint32_t next = 0;
    for (const SharedBatch& batch : batches) {
      if (batch.firstQuery != next) return "batches overlap or leave queries out";
      next += batch.queries;
      if (batch.end < batch.start) return "a batch ends before it starts";
    }
    if (next != cloud.size()) return "batches leave the last queries out";
    if (pass.gpuQueries < 0 || pass.gpuQueries > 1 || pass.imbalance < 0 || pass.imbalance > 1)
      return "shares are out of range";
  }
  return {};
}

inline PointCloud blobs(std::size_t n, std::uint64_t seed = 7, std::size_t dims = 2) {
  std::mt19937_64 random(seed);
  return draws::draw(random, "blobs", n, dims);
}

/// The CPU's side, slowed down to a speed: so that a whole schedule is known beforehand.
class PacedSide final : public CpuSide {
 public:
  PacedSide(std::unique_ptr<CpuSide> side, double secondsPerQuery)
      : side_(std::move(side)), seconds_(secondsPerQuery) {}
  std::unique_ptr<CpuWorker> worker() const override;

  const std::unique_ptr<CpuSide> side_;
  const double seconds_;
};

class PacedWorker final : public CpuWorker {
 public:
  explicit PacedWorker(const PacedSide& side) : side_(side), worker_(side.side_->worker()) {}
  std::uint32_t count(std::uint32_t point, std::uint32_t enough) override {
    pace();
    return worker_->count(point, enough);
  }
  void row(std::uint32_t point, std::span<std::int32_t> row) override {
    pace();
    worker_->row(point, row);
  }

 private:
  // Sleeps are inexact: the next ones are shorter by what one was too long.
  void pace() {
    const auto now = std::chrono::steady_clock::now();
    if (now > due_ + std::chrono::milliseconds(20)) due_ = now;  // it had nothing to do
    due_ += std::chrono::duration_cast<std::chrono::steady_clock::duration>(
        std::chrono::duration<double>(side_.seconds_));
    if (due_ > now + std::chrono::milliseconds(1)) std::this_thread::sleep_until(due_);
  }
  const PacedSide& side_;
  std::unique_ptr<CpuWorker> worker_;
  std::chrono::steady_clock::time_point due_{};
};

inline std::unique_ptr<CpuWorker> PacedSide::worker() const {
  return std::make_unique<PacedWorker>(*this);
}

inline MakeCpuSide paced(double secondsPerQuery) {
  return [secondsPerQuery](const SharedWork& work,
                           const Task& task) -> Result<std::unique_ptr<CpuSide>> {
    auto side = makeGridSide(work, task);
    if (!side) return tl::unexpected(side.error());
    return std::make_unique<PacedSide>(std::move(*side), secondsPerQuery);
  };
}

}  // namespace shared_runs
