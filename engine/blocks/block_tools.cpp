#include "engine/blocks/block_tools.h"

#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <exception>
#include <memory>
#include <new>
#include <utility>

#include "engine/core/memory_budget.h"
#include "engine/core/predicate.h"

namespace clusterloom {

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
