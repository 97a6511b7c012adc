#include "engine/hierarchies.h"

#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <algorithm>

#include "engine/cloud/directions.h"
#include "engine/core/parallel_for.h"
#include "engine/hierarchy/cosine_hierarchy.h"
#include "engine/hierarchy/exact_squares.h"
#include "engine/hierarchy/hierarchy_builder.h"
#include "engine/hierarchy/minimum_spanning_tree.h"
#include "engine/join/backend_kinds.h"

#ifdef CLUSTERLOOM_HAS_CUDA
#include "engine/cuda/hierarchy/hierarchy_gpu.h"
#include "engine/cuda/runtime/probe.h"
#endif

namespace clusterloom {
namespace {

// Points from which on a GPU is worth its start and the transfers.
constexpr std::size_t kLarge = 100'000;

#ifdef CLUSTERLOOM_HAS_CUDA
/// Whether to use a GPU, where one answers.
bool wantsGpu(const HierarchyProcessor& processor, std::size_t points) {
  const BackendKind kind = backendKind(processor.backend);
  return kind.onDevice && (!kind.decides || points >= kLarge || processor.device >= 0);
}

/// Calls `onGpu(gpu)`, or `onCpu()` where the processor or its state requires it. `isFor(gpu)` says
/// whether a GPU does it, `refusal` why not.
template <class T, class IsFor, class OnGpu, class OnCpu>
Result<T> onProcessor(const HierarchyProcessor& processor, std::size_t points, const Task& task,
                      HierarchyPlace& place, const IsFor& isFor, const std::string& refusal,
                      const OnGpu& onGpu, const OnCpu& onCpu) {
  const bool asked = !backendKind(processor.backend).decides;
  if (!wantsGpu(processor, points)) return onCpu();
  const auto gpu = HierarchyGpu::open(processor.device);
  if (!gpu) {
    // A device that was named is not replaced.
    if (asked || processor.device >= 0) return tl::unexpected(gpu.error());
    return onCpu();
  }
  if (!isFor(*gpu)) {
    if (asked) return badCall(refusal);
    return onCpu();
  }
  Result<T> result = onGpu(*gpu);
  if (result || asked || task.cancelled() ||
      (result.error().kind != ErrorKind::TooLarge &&
       result.error().kind != ErrorKind::Unavailable)) {
    place.backend = kDeviceBackend;
    return result;
  }
  place.note = result.error().message + " This was done by the CPU.";
  return onCpu();
}
#else
template <class T, class IsFor, class OnGpu, class OnCpu>
Result<T> onProcessor(const HierarchyProcessor& processor, std::size_t, const Task&,
                      HierarchyPlace&, const IsFor&, const std::string&, const OnGpu&,
                      const OnCpu& onCpu) {
  const BackendKind kind = backendKind(processor.backend);
  if (kind.onDevice && !kind.decides)
    return unavailable("The backend cuda is not in this build; choose cpu or auto.");
  if (processor.device >= 0)
    return badCall(
        "The number of a GPU (--device) needs the backend cuda, which is not in this build.");
  return onCpu();
}
#endif

/// BadCall where a GPU is requested for work that only the CPU does.
Result<void> refuseGpu(const HierarchyProcessor& processor, const std::string& what) {
  const BackendKind kind = backendKind(processor.backend);
  if (processor.device < 0 && (!kind.onDevice || kind.decides)) return {};
  return badCall(what + " by the CPU, not by cuda. Choose the backend cpu.");
}

/// The part of a space that only the CPU supports; empty where a GPU supports all.
std::string onlyByCpu(const std::vector<double>& periods, Metric metric) {
  if (!periods.empty()) return "in a periodic box";
  return isTreeMetric(metric) ? "of " + std::string(toText(metric)) + " distances" : std::string();
}

/// buildHierarchy without cosine distances and without a check of squares.
Result<Hierarchy> hierarchyHere(const JoinInput& input, const HierarchyOptions& options,
                                const HierarchyProcessor& processor, const Task& task,
                                HierarchyPlace* place) {
  HierarchyPlace here;
  if (const std::string what = onlyByCpu(options.periods, options.metric); !what.empty()) {
    if (auto fine = refuseGpu(processor, "Hierarchies " + what + " are built"); !fine)
      return tl::unexpected(fine.error());
    if (place != nullptr) *place = here;
    return Hierarchy::build(input.points, options, task);
  }
  const bool longLists = HierarchyBuilder::needsLongLists(options.minPts, input.points.size());
  auto result = onProcessor<Hierarchy>(
      processor, input.points.size(), task, here,
      [&](const auto& gpu) { return !longLists && gpu.buildsHierarchies(input.points.dims()); },
      longLists ? "A GPU builds hierarchies for minPts up to " + std::to_string(kMaxNearest) +
                      ". Choose the backend cpu."
                : "This GPU builds hierarchies in at most " + std::to_string(kMaxGridDims) +
                      " dimensions; more takes compute capability 8.0, and this cloud has " +
                      std::to_string(input.points.dims()) + ". Choose the backend cpu.",
      [&](const auto& gpu) { return gpu.hierarchy(input, options, task); },
      [&] { return Hierarchy::build(input.points, options, task); });
  if (place != nullptr) *place = here;
  return result;
}

/// findNearest without cosine distances and without a check of squares.
Result<NearestNeighbours> nearestHere(const JoinInput& input, int k, int threads,
                                      const HierarchyProcessor& processor, const Task& task,
                                      HierarchyPlace* place, const std::vector<double>& periods,
                                      Metric metric) {
  HierarchyPlace here;
  const std::string what =
      input.twoClouds ? std::string("in another cloud") : onlyByCpu(periods, metric);
  if (!what.empty()) {
    if (auto fine = refuseGpu(processor, "Neighbours " + what + " are found"); !fine)
      return tl::unexpected(fine.error());
    if (place != nullptr) *place = here;
    return input.twoClouds
               ? nearestOf(input.queries, input.points, k, threads, task, periods, metric)
               : nearestNeighbours(input.points, k, threads, task, periods, metric);
  }
  auto result = onProcessor<NearestNeighbours>(
      processor, input.points.size(), task, here,
      [&](const auto& gpu) { return gpu.findsNearest(input.points.dims(), k); },
      "This GPU finds at most " + std::to_string(kMaxNearest) + " neighbours in at most " +
          std::to_string(kMaxGridDims) +
          " dimensions; more takes compute capability 8.0. Choose the "
          "backend cpu.",
      [&](const auto& gpu) { return gpu.nearest(input, k, task); },
      [&] { return nearestNeighbours(input.points, k, threads, task); });
  if (place != nullptr) *place = here;
  return result;
}

/// Orders what has become equal by ids. The point itself stays first.
void orderTies(NearestNeighbours& found, bool twoClouds) {
  const auto k = std::size_t(found.k);
  parallelFor(found.points, 4096, [&](std::size_t p) {
    const double* const distances = found.squaredDistances.data() + p * k;
    std::uint32_t* const ids = found.ids.data() + p * k;
    std::size_t end = 0;
    for (std::size_t i = twoClouds ? 0 : 1; i < k; i = end) {
      for (end = i + 1; end < k && distances[end] == distances[i];) ++end;
      std::sort(ids + i, ids + end);
    }
  });
}

Result<NearestNeighbours> nearestDirections(const JoinInput& input, int k, int threads,
                                            const HierarchyProcessor& processor, const Task& task,
                                            HierarchyPlace* place) {
  if (auto valid = validate(input); !valid) return tl::unexpected(valid.error());
  const auto points = directions(input.points, task);
  if (!points) return tl::unexpected(points.error());
  Result<PointCloud> queries;
  if (input.twoClouds) queries = directions(input.queries, task);
  if (!queries) return tl::unexpected(queries.error());
  auto found = nearestHere(input.twoClouds ? JoinInput(*queries, *points) : JoinInput(*points), k,
                           threads, processor, task, place, {}, Metric::Euclidean);
  if (!found) return found;
  for (double& value : found->squaredDistances) value = squaredCosine(value);
  orderTies(*found, input.twoClouds);
  return found;
}

}  // namespace

Result<void> checkProcessor(const HierarchyProcessor& processor) {
  const BackendKind kind = backendKind(processor.backend);
  if (!kind.buildsHierarchies)
    return badCall("Nearest neighbours and hierarchies are computed by auto, cpu or cuda, not by " +
                   processor.backend + ".");
  if (!kind.onDevice && processor.device >= 0)
    return badCall("The backend cpu runs on no GPU; --device is for auto and cuda.");
  return {};
}

bool runsOnGpu([[maybe_unused]] const HierarchyProcessor& processor,
               [[maybe_unused]] std::size_t points) {
#ifdef CLUSTERLOOM_HAS_CUDA
  return wantsGpu(processor, points) && findGpu(processor.device).has_value();
#else
  return false;
#endif
}

Result<Hierarchy> buildHierarchy(const JoinInput& input, const HierarchyOptions& options,
                                 const HierarchyProcessor& processor, const Task& task,
                                 HierarchyPlace* place) {
  if (auto fine = checkProcessor(processor); !fine) return tl::unexpected(fine.error());
  // Squares of chords that underflow are those of cosine distances of 0.
  if (options.metric == Metric::Cosine)
    return cosineHierarchy(
        input.points, options,
        [&](const PointCloud& vectors, const HierarchyOptions& euclidean) {
          return hierarchyHere(vectors, euclidean, processor, task, place);
        },
        task);
  auto result = hierarchyHere(input, options, processor, task, place);
  if (!result) return result;
  if (auto fine = checkSquares(input.points, *result, options.periods); !fine)
    return tl::unexpected(fine.error());
  return result;
}

Result<NearestNeighbours> findNearest(const JoinInput& input, int k, int threads,
                                      const HierarchyProcessor& processor, const Task& task,
                                      HierarchyPlace* place, const std::vector<double>& periods,
                                      Metric metric) {
  if (auto fine = checkProcessor(processor); !fine) return tl::unexpected(fine.error());
  if (metric == Metric::Cosine) {
    if (auto fine = checkCosine(periods); !fine) return tl::unexpected(fine.error());
    return nearestDirections(input, k, threads, processor, task, place);
  }
  auto result = nearestHere(input, k, threads, processor, task, place, periods, metric);
  if (!result) return result;
  const int available = tbb::info::default_concurrency();
  tbb::task_arena arena(threads > 0 ? std::min(threads, available) : available);
  const auto fine = arena.execute([&] { return checkSquares(input, *result, periods); });
  if (!fine) return tl::unexpected(fine.error());
  return result;
}

Result<LargeArray<TreeEdge>> findSpanningTree(const PointCloud& cloud,
                                              const HierarchyOptions& options, const Task& task) {
  if (options.metric != Metric::Cosine) {
    auto edges = minimumSpanningTree(cloud, options, task);
    if (!edges) return edges;
    if (auto fine = checkSquares(cloud, *edges, options.minPts, options.periods); !fine)
      return tl::unexpected(fine.error());
    return edges;
  }
  if (auto fine = checkCosine(options.periods); !fine) return tl::unexpected(fine.error());
  if (auto valid = HierarchyBuilder::check(cloud, options); !valid)
    return tl::unexpected(valid.error());
  const auto vectors = directions(cloud, task);
  if (!vectors) return tl::unexpected(vectors.error());
  HierarchyOptions ofChords = options;
  ofChords.metric = Metric::Euclidean;
  auto edges = minimumSpanningTree(*vectors, ofChords, task);
  if (edges)
    for (TreeEdge& edge : *edges) edge.squaredWeight = squaredCosine(edge.squaredWeight);
  return edges;
}

}  // namespace clusterloom
