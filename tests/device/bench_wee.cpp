// Warp execution efficiency beside [Gallet 2019]'s tables III to VI: the papers' pair-writing
// kernels with batches of 10⁸ pairs.
//
//   bench_wee                  from kernels that watch their warps: WEE in turns of the loops, with
//                              the weights of the pair-writing kernels, seconds of the plain
//                              kernels
//   bench_wee occupancy        launches the first batch for several batch sizes, and with and
//                              without UNICOMP [Gowanlock 2018, tables 4 and 5], for the same
//                              profiler
//   bench_wee launch BATCHES   only launches the plain kernels, BATCHES of each strategy, evenly
//                              taken of all, for a profiler: ncu --clock-control none --csv
//                              -k regex:joinKernel --metrics
//                              smsp__thread_inst_executed_per_inst_executed.ratio bench_wee launch
//                              4
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "engine/cuda/join/device_join.h"
#include "engine/cuda/measure/measured_load.h"
#include "engine/cuda/runtime/probe.h"
#include "engine/load/load_kernel.h"
#include "tests/device/paper_clouds.h"

using namespace clusterloom;

namespace {

constexpr std::uint64_t kBatchPairs = 100'000'000;
constexpr BackendLimits kLimits{.name = "cuda", .threadGroups = true};

// The plain kernels that write pairs; `most` batches of them. Device seconds of all that ran.
double launchPlain(GpuRun& run, const PointCloud& cloud, double eps, const JoinPlan& plan,
                   std::size_t most, std::size_t& batches, std::uint64_t batchPairs = kBatchPairs) {
  DeviceJoin join(plan);
  prepareDeviceJoin(run, cloud, eps, {.pairs = batchPairs}, join);
  batches = join.schedule.batches();
  const auto room =
      static_cast<std::uint64_t>(join.estimatedPairs / static_cast<double>(batches) * 1.2) + 1024;
  DeviceBuffer<std::uint64_t> keys(run.lease(), room);
  DeviceBuffer<std::uint64_t> found(run.lease(), 1);
  DeviceBuffer<std::uint32_t> head(run.lease(), 1);
  const std::size_t taken = std::min(most, batches);
  for (std::size_t i = 0; i < taken; ++i) {
    const std::size_t b = i * batches / taken;
    const std::uint32_t begin = join.schedule.batchBegin[b];
    found.fillBytes(0);
    run.wait();
    const auto start = run.mailbox<std::uint32_t>(1);
    start[0] = begin;
    head.upload(start);
    launchJoin(launchOn(run, join, run.stream()), join.view,
               rangeOf(run, join, begin, join.schedule.batchBegin[b + 1],
                       join.schedule.workQueue ? head.data() : nullptr),
               LanePairSink<CudaLane>{.pointIds = join.grid.pointIds.data(),
                                      .keys = keys.data(),
                                      .capacity = keys.size(),
                                      .found = found.data()});
    run.wait();
  }
  double seconds = 0;
  for (const KernelStats& kernel : join.log.stats())
    if (kernel.name == "write pairs") seconds += kernel.seconds;
  return seconds;
}

// What tables 4 and 5 of [Gowanlock 2018] are about: batch sizes with UNICOMP; with and without it.
void launchForOccupancy(const Device& device, const Task& task) {
  const auto first = [&](const paperClouds::Case& c, AccessPattern pattern, std::uint64_t pairs) {
    const PointCloud cloud = paperClouds::make(c);
    const paperClouds::Named named{"", pattern, QueryOrder::Bins, 1};
    const auto plan = planJoin(cloud, c.eps, paperClouds::strategyOf(named, c.dims),
                               SinkKind::Pairs, kLimits, task);
    GpuRun run(device, task);
    std::size_t batches = 0;
    const double seconds = launchPlain(run, cloud, c.eps, *plan, 1, batches, pairs);
    std::printf("%s, %s, b_s %g: first of %zu batches, %.2f ms\n", paperClouds::nameOf(c).c_str(),
                toText(pattern).c_str(), static_cast<double>(pairs), batches, 1e3 * seconds);
    std::fflush(stdout);
  };
  for (const std::uint64_t pairs : {50'000'000, 100'000'000, 200'000'000, 300'000'000, 900'000'000})
    first({"expo", 2, 2'000'000, 0.0004}, AccessPattern::Unicomp, pairs);
  for (const std::size_t dims : {5, 6})
    for (const AccessPattern pattern : {AccessPattern::Full, AccessPattern::Unicomp})
      first({"unif", dims, 2'000'000, 8}, pattern, kBatchPairs);
}

}  // namespace

int main(int argc, char** argv) {
  const bool launchOnly = argc > 2 && std::strcmp(argv[1], "launch") == 0;
  const GpuProbe probe = probeGpus();
  if (probe.usable.empty()) {
    std::printf("no device: %s\n", probe.reason.c_str());
    return 77;
  }
  const Device device(probe.usable.front().id);
  const Task task;
  if (argc > 1 && std::strcmp(argv[1], "occupancy") == 0) {
    launchForOccupancy(device, task);
    return 0;
  }
  for (const paperClouds::JoinGoal& goal : paperClouds::kTables) {
    const paperClouds::Case& c = goal.cloud;
    const PointCloud cloud = paperClouds::make(c);
    std::printf("%s\n", paperClouds::nameOf(c).c_str());
    for (const paperClouds::Named& named : paperClouds::kOf000) {
      const auto plan = planJoin(cloud, c.eps, paperClouds::strategyOf(named, c.dims),
                                 SinkKind::Pairs, kLimits, task);
      if (!plan) {
        std::printf("%s: %s\n", named.name, plan.error().message.c_str());
        return 1;
      }
      GpuRun run(device, task);
      std::size_t batches = 0;
      if (launchOnly) {
        const auto most = static_cast<std::size_t>(std::max(1, std::atoi(argv[2])));
        launchPlain(run, cloud, c.eps, *plan, most, batches);
        std::printf("  %s: %zu of %zu batches\n", named.name, std::min(most, batches), batches);
        continue;
      }
      const double plain = launchPlain(run, cloud, c.eps, *plan, ~std::size_t{0}, batches);
      const LoadReport report = measureLoadOnGpu(
          run, cloud, c.eps, *plan, {.kernel = LoadKernel::Pairs}, weightsOf(LoadKernel::Pairs));
      const double candidateLoop =
          static_cast<double>(report.laneSteps[static_cast<int>(Loop::Candidate)]) /
          (32.0 * static_cast<double>(report.steps[static_cast<int>(Loop::Candidate)]));
      std::printf(
          "  %-30s weighted %5.1f %%, turns %5.1f %%, candidate loop %5.1f %%, %zu batches, plain "
          "kernels %8.1f ms, watched makespan %8.1f ms (ideal %8.1f), %llu pairs, %llu distances\n",
          named.name, 100 * report.wee,
          100 * warpExecutionEfficiency(report.steps, report.laneSteps, {}), 100 * candidateLoop,
          batches, 1e3 * plain, 1e3 * report.makespan, 1e3 * report.idealMakespan,
          static_cast<unsigned long long>(report.pairs),
          static_cast<unsigned long long>(report.distanceCalculations));
      std::fflush(stdout);
    }
  }
  return 0;
}
