#include "engine/cuda/cuda_backend.h"

#include <new>
#include <utility>

#include "engine/core/memory_budget.h"
#include "engine/cuda/dbscan/fused_dbscan.h"
#include "engine/cuda/dbscan/g_dbscan.h"
#include "engine/cuda/dbscan/lane_dbscan.h"
#include "engine/cuda/grid/device_cloud.h"
#include "engine/cuda/join/batches.h"
#include "engine/cuda/join/brute_force.h"
#include "engine/cuda/join/kernels/tile_count.h"
#include "engine/cuda/join/results/device_counts.h"
#include "engine/cuda/join/results/results.h"
#include "engine/cuda/measure/measured_load.h"
#include "engine/cuda/product/product_join.h"
#include "engine/cuda/product/product_tiles.h"
#include "engine/cuda/runtime/device.h"
#include "engine/cuda/runtime/failure.h"
#include "engine/cuda/runtime/probe.h"
#include "engine/dbscan/labelling.h"
#include "engine/join/threads_per_point.h"
#include "engine/joins_by.h"
#include "engine/load/load_kernel.h"

namespace clusterloom {
namespace {

constexpr BackendLimits kLimits{.name = "cuda",
                                .threadGroups = true,
                                .singlePrecision = true,
                                .keyValueSort = true,
                                .gDbscan = true,
                                .twoClouds = true};

// The same run where there are no threads per point, streams or blocks.
Strategy withoutGpuOptions(Strategy strategy) {
  strategy.threadsPerPoint = 1;
  strategy.route = ResultRoute::CountScanFill;
  strategy.streams = 0;
  strategy.blockSize = 0;
  return strategy;
}

class CudaBackend final : public JoinsBy<CudaBackend> {
 public:
  CudaBackend(GpuInfo gpu, std::shared_ptr<const Backend> instead, Metric metric)
      : gpu_(std::move(gpu)), device_(gpu_.id), instead_(std::move(instead)), metric_(metric) {}

  std::string_view name() const override { return kLimits.name; }
  BackendLimits limits() const override {
    BackendLimits limits = ownLimits();
    if (metric_ != Metric::Euclidean)
      limits = {.name = kLimits.name, .twoClouds = true, .noOptions = true};
    if (!instead_) return limits;
    const BackendLimits others = instead_->limits();
    limits.cpuMethods = others.cpuMethods;
    limits.bruteForceManyDims = others.bruteForceManyDims;
    limits.products |= others.products;
    limits.manyDims |= others.manyDims;
    return limits;
  }
  std::string describe() const override { return nameOf(gpu_); }
  std::vector<GpuDevice> devices() const override { return knownGpus(gpu_); }
  Result<std::shared_ptr<const Backend>> withMetric(Metric metric) const override {
    std::shared_ptr<const Backend> instead;
    if (instead_) {
      auto made = instead_->withMetric(metric);
      if (!made) return made;
      instead = std::move(*made);
    }
    try {
      return std::make_shared<const CudaBackend>(gpu_, std::move(instead), metric);
    } catch (const CudaFailure& failure) {
      return unavailable(errorOf(failure).message);
    }
  }

  Result<NeighbourCounts> join(const JoinCall<NeighbourCounts>& call) const {
    const auto& input = call.input;
    return run(call, [&](GpuRun& gpu, const JoinPlan& plan) {
      if (call.strategy.method == Method::BruteForce)
        return bruteForceCountsOnGpu(gpu, input, plan.squaredEps);
      if (plan.strategy.method == Method::Products)
        return productCountsOnGpu(gpu, input, call.eps, plan.squaredEps);
      if (input.twoClouds || plan.metric != Metric::Euclidean)
        return countOnGpu(gpu, input, call.eps, plan);
      auto byTiles = countByTilesOnGpu(gpu, input, call.eps, plan);
      return byTiles ? std::move(*byTiles) : countOnGpu(gpu, input, call.eps, plan);
    });
  }
  Result<PairList> join(const JoinCall<PairList>& call) const {
    return run(call, [&](GpuRun& gpu, const JoinPlan& plan) {
      if (call.strategy.method == Method::BruteForce)
        return bruteForcePairsOnGpu(gpu, call.input, plan.squaredEps);
      if (plan.strategy.method == Method::Products)
        return productPairsOnGpu(gpu, call.input, call.eps, plan.squaredEps);
      if (call.strategy.route == ResultRoute::KeyValueSort)
        return pairsByKeyOnGpu(gpu, call.input, call.eps, plan);
      return pairsOnGpu(gpu, call.input, call.eps, plan);
    });
  }
  Result<NeighbourTable> join(const JoinCall<NeighbourTable>& call) const {
    return run(call, [&](GpuRun& gpu, const JoinPlan& plan) {
      if (call.strategy.method == Method::BruteForce)
        return bruteForceTableOnGpu(gpu, call.input, plan.squaredEps);
      if (plan.strategy.method == Method::Products)
        return productTableOnGpu(gpu, call.input, call.eps, plan.squaredEps);
      if (call.strategy.route == ResultRoute::KeyValueSort)
        return tableByKeyOnGpu(gpu, call.input, call.eps, plan);
      return tableOnGpu(gpu, call.input, call.eps, plan, 0);
    });
  }
  Result<DistanceHistogram> join(const JoinCall<DistanceHistogram>& call) const {
    const auto edges = makeDistanceBins(call.eps, call.bins);
    if (!edges) return tl::unexpected(edges.error());
    return run(call, [&](GpuRun& gpu, const JoinPlan& plan) {
      if (plan.strategy.method == Method::Products)
        return productHistogramOnGpu(gpu, call.input, call.eps, plan.squaredEps, *edges);
      return histogramOnGpu(gpu, call.input, call.eps, *edges, plan);
    });
  }
  Result<LowestLabels> join(JoinCall<LowestLabels> call) const {
    call.input.twoClouds = true;
    return run(call, [&](GpuRun& gpu, const JoinPlan& plan) -> Result<LowestLabels> {
      if (auto fits = checkLabels(call.input, call.labels); !fits)
        return tl::unexpected(fits.error());
      if (call.strategy.method == Method::BruteForce)
        return bruteForceLowestLabelsOnGpu(gpu, call.input, call.labels, plan.squaredEps);
      if (plan.strategy.method == Method::Products)
        return productLowestLabelsOnGpu(gpu, call.input, call.labels, call.eps, plan.squaredEps);
      return lowestLabelsOnGpu(gpu, call.input, call.labels, call.eps, plan);
    });
  }
  Result<Clustering> join(const JoinCall<Clustering>& call) const {
    const auto& input = call.input;
    const DbscanParams params = call.params();
    if (params.minPts < 1)
      return badCall("minPts must be at least 1, not " + std::to_string(params.minPts) + ".");
    return run(call, [&](GpuRun& gpu, const JoinPlan& plan) -> Result<Clustering> {
      const Method method = call.strategy.method;
      if (method == Method::Grid)
        if (auto noise = withoutCorePoints(input.points.size(), params)) return std::move(*noise);
      if (method == Method::BruteForce)
        return bruteForceDbscanOnGpu(gpu, input, params, plan.squaredEps);
      if (plan.strategy.method == Method::Products)
        return productDbscanOnGpu(gpu, input, params, plan.squaredEps);
      if (isGDbscan(method))
        return gDbscanOnGpu(gpu, input, params, plan.squaredEps, call.strategy);
      if (plan.strategy.denseCells == Toggle::On)
        return fusedDbscanOnGpu(gpu, input, params,
                                GpuFusedPlan{.squaredEps = plan.squaredEps,
                                             .metric = plan.metric,
                                             .dims = plan.dims,
                                             .earlyStop = plan.strategy.earlyStop == Toggle::On});
      return laneDbscanOnGpu(gpu, input, params, plan);
    });
  }
  Result<LoadReport> load(const PointCloud& cloud, double eps, const Strategy& strategy,
                          const LoadRequest& request, const Task& task) const override {
    if (metric_ != Metric::Euclidean) return noLoadOf(metric_);
    if (strategy.method != Method::Grid)
      return badCall("The load of warps is that of the grid's join; choose the method grid.");
    const Strategy batched = withBatchesOf(request.kernel, strategy);
    return run<LoadReport>(
        {cloud, eps, batched, sinkOf(request.kernel), task}, true,
        [&](GpuRun& gpu, const JoinPlan& plan) -> Result<LoadReport> {
          LoadReport report = measureLoadOnGpu(gpu, cloud, eps, plan, request,
                                               weightsOn(request.machine, request.kernel));
          addNote(report.stats, threadsNote(plan.strategy, report.threadsPerPoint));
          return report;
        },
        // The model knows threads per point and streams.
        [&](const Strategy&) { return instead_->load(cloud, eps, strategy, request, task); });
  }

 private:
  // The limits of this GPU itself.
  BackendLimits ownLimits() const {
    BackendLimits limits = kLimits;
    limits.products = gpu_.major >= kLeastMajorOfProducts;
    limits.productsOfBytes = limits.choosesProducts = limits.manyDims = limits.products;
    return limits;
  }

  // The only way by another metric: lanes compare the coordinates of adjacent cells.
  Result<JoinPlan> planByMetric(const JoinArguments& call, const BackendLimits& gpu) const {
    if (auto legal = call.checkFor(limits()); !legal) return tl::unexpected(legal.error());
    const Strategy strategy{.sortIdu = Toggle::Off, .shortCircuit = Toggle::Off};
    auto plan = planJoin(call.input, call.eps, strategy, call.sink, gpu, call.task);
    if (plan) plan->metric = metric_;
    return plan;
  }

  static bool isForTheOther(const JoinArguments& call, const BackendLimits& own) {
    const Method method = call.strategy.method;
    if (isCpuMethod(method) || (method == Method::Products && !own.products)) return true;
    if (call.input.points.dims() <= kMaxGridDims) return false;
    return !own.manyDims || method == Method::BruteForce;
  }

  template <class T, class OnGpu>
  Result<T> run(const JoinCall<T>& call, const OnGpu& onGpu) const {
    return run<T>(call, false, onGpu, [&](const Strategy& plain) {
      JoinCall<T> other = call;
      other.strategy = plain;
      return other.on(*instead_);
    });
  }

  // Plans and runs `onGpu(run, plan)`; exceptions of this module become values here. Where the
  // GPU's memory ran out and held copies of prepared clouds, the run is repeated once without them.
  // Where the GPU fails, `onOther(strategy)` takes over if there is another backend. It also does
  // all calls that the GPU does not support. `loads`: the load of a grid's warps is measured.
  template <class T, class OnGpu, class OnOther>
  Result<T> run(const JoinArguments& call, bool loads, const OnGpu& onGpu,
                const OnOther& onOther) const {
    BackendLimits limits = ownLimits();
    if (metric_ != Metric::Euclidean) limits.choosesProducts = limits.manyDims = false;
    // The load is that of lanes, as the model has it.
    if (loads) limits.choosesProducts = limits.manyDims = limits.productsOfBytes = false;
    if (instead_ && isForTheOther(call, limits)) return onOther(call.strategy);
    const auto attempt = [&](GpuRun::Copies copies) -> Result<T> {
      const auto plan = metric_ == Metric::Euclidean ? planJoin(call.input, call.eps, call.strategy,
                                                                call.sink, limits, call.task)
                                                     : planByMetric(call, limits);
      if (!plan) return tl::unexpected(plan.error());
      GpuRun gpu(device_, call.task, copies);
      Result<T> result = onGpu(gpu, *plan);
      if (result) fillStats(result->stats, *plan);
      if (result && copies == GpuRun::Copies::OfTheRun) addNote(result->stats, kCopiesDropped);
      return result;
    };
    try {
      return retriedWithoutCopies(device_, attempt);
    } catch (const CudaStopped&) {
      return cancelledError();
    } catch (const CudaFailure& failure) {
      const Error error = errorOf(failure);
      if (call.task.cancelled()) return cancelledError();
      if (!instead_ || isGDbscan(call.strategy.method)) return tl::unexpected(error);
      Result<T> result = onOther(withoutGpuOptions(call.strategy));
      if (result) addNote(result->stats, error.message + " This run was done by the CPU.");
      return result;
    } catch (const std::bad_alloc&) {
      return tl::unexpected(outOfMemory());
    }
  }

  static void fillStats(RunStats& stats, const JoinPlan& plan) {
    describePlan(plan, kLimits.name, stats);
    if (plan.metric != Metric::Euclidean)
      stats.strategy += ", " + std::string(toText(plan.metric)) + " distances";
    stats.seconds.total = stats.seconds.index + stats.seconds.join + stats.seconds.label;
  }

  GpuInfo gpu_;
  Device device_;
  std::shared_ptr<const Backend> instead_;
  Metric metric_;  ///< Euclidean, Manhattan or Chebyshev
};

}  // namespace

Result<std::unique_ptr<Backend>> makeCudaBackend(std::unique_ptr<Backend> instead, int device) {
  auto gpu = findGpu(device);
  if (!gpu) return tl::unexpected(gpu.error());
  try {
    return std::make_unique<CudaBackend>(std::move(*gpu), std::move(instead), Metric::Euclidean);
  } catch (const CudaFailure& failure) {
    return unavailable(errorOf(failure).message);
  }
}

}  // namespace clusterloom
