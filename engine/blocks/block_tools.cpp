#include "engine/blocks/block_tools.h"

#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <utility>

#include "engine/cloud/directions.h"
#include "engine/core/memory_budget.h"
#include "engine/core/predicate.h"
#include "engine/dbscan/backend_in_space.h"

namespace clusterloom {

Result<BlockSpace> BlockSpace::make(const Space& space, const ScalingChoice& scaling, double eps) {
  if (auto fine = checkSpace(space, scaling.kind); !fine) return tl::unexpected(fine.error());
  BlockSpace made;
  made.space_ = space;
  made.scaling_ = scaling;
  made.eps_ = made.epsOfFile_ = eps;
  if (!space.sphere && space.metric != Metric::Cosine) return made;
  const auto chord = space.sphere ? chordOf(eps, *space.sphere) : chordOfCosine(eps);
  if (!chord) return tl::unexpected(chord.error());
  made.eps_ = *chord;
  return made;
}

Metric BlockSpace::metric() const {
  return isTreeMetric(space_.metric) ? space_.metric : Metric::Euclidean;
}

Result<void> BlockSpace::begin(PointCloud& point) {
  const auto scaling = makeScaling(scaling_.kind, point, scaling_.factors);
  if (!scaling) return tl::unexpected(scaling.error());
  if (!space_.periods.empty()) {
    auto box = makePeriodicBox(scaledPeriods(space_, *scaling), point);
    if (!box) return tl::unexpected(box.error());
    if (auto fine = checkEps(*box, epsOfFile_, point.names); !fine) return fine;
    box_ = std::move(*box);
  }
  auto seen = points(applyScaling(point, *scaling), {}, {});
  if (!seen) return tl::unexpected(seen.error());
  point = std::move(*seen);
  return {};
}

Result<PointCloud> BlockSpace::points(PointCloud part, const RowOfPoint& rowOf,
                                      const Task& task) const {
  if (part.size() > 0 && space_.metric == Metric::Cosine) return directions(part, task, rowOf);
  if (isPeriodic()) return wrapped(part, box_, task);
  if (!space_.sphere) return part;
  if (auto fine = checkAngles(part, *space_.sphere, rowOf); !fine)
    return tl::unexpected(fine.error());
  return unitVectors(part, *space_.sphere, task);
}

double BlockSpace::copies(double reach) const {
  double all = 1;
  for (const double period : box_.periods)
    if (period > 0) all *= 1 + 2 * std::min(1.0, reach / period);
  return all;
}

Result<CloudWithImages> BlockSpace::images(PointCloud points, double reach,
                                           const Task& task) const {
  if (!isPeriodic()) return CloudWithImages{std::move(points), {}};
  return withImages(std::move(points), box_, reach, task);
}

Result<BlockRun> onBlocks(const std::string& path, double eps, const Backend& backend,
                          const Strategy& strategy, const BlockOptions& options,
                          const std::function<Result<BlockRun>(const BlockTools&)>& run) {
  if (options.memory < kLeastBlockMemory)
    return badCall("Blocks need " + memoryText(kLeastBlockMemory) + " of memory at least.");
  if (options.scaling.kind != Scaling::Kind::None && options.scaling.kind != Scaling::Kind::Factors)
    return badCall(
        "In blocks, coordinates keep the units of the file or are multiplied by factors; other "
        "scalings need all points in memory.");
  if (auto fine = epsSquared(eps); !fine) return tl::unexpected(fine.error());
  auto space = BlockSpace::make(options.space, options.scaling, eps);
  if (!space) return tl::unexpected(space.error());
  std::shared_ptr<const Backend> byMetric;
  if (space->metric() != Metric::Euclidean) {
    auto made = backend.withMetric(space->metric());
    if (!made) return tl::unexpected(made.error());
    byMetric = std::move(*made);
  }
  const int threads = options.threads > 0 ? options.threads : tbb::info::default_concurrency();
  const BlockTools tools{threads, byMetric ? *byMetric : backend, strategy, std::move(*space)};
  tbb::task_arena arena(threads);
  try {
    return arena.execute([&] { return run(tools); });
  } catch (const std::bad_alloc&) {
    return tooLarge(path + ": memory ran out while working in blocks.");
  } catch (const std::exception& error) {
    return ioError(path + ": cannot be worked on in blocks (" + error.what() + ").");
  }
}

}  // namespace clusterloom
