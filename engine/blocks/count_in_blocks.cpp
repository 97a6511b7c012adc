#include <numeric>

#include "engine/blocks/block_passes.h"
#include "engine/core/stopwatch.h"

namespace clusterloom {
namespace {

// The neighbours of a block's own points, or of its queries.
Result<std::vector<std::uint32_t>> countBlock(const BlockPasses& passes, std::size_t b,
                                              const BlockPoints& points, bool two, double eps,
                                              const Backend& backend, const Strategy& strategy,
                                              RunStats& stats) {
  BlockPoints queries;
  if (two) {
    auto read = passes.queriesOf(b);
    if (!read) return tl::unexpected(read.error());
    queries = std::move(*read);
    if (queries.places.empty()) return std::vector<std::uint32_t>{};
  }
  const JoinInput input = two ? JoinInput(queries.cloud, points.cloud) : JoinInput(points.cloud);
  auto found = backend.count(input, eps, strategy, passes.quiet());
  if (!found) return tl::unexpected(found.error());
  stats = howOf(found->stats);
  if (two) return std::move(found->counts);
  std::size_t own = 0;
  for (std::size_t p = 0; p < points.places.size(); ++p)
    if (points.places[p] != Place::Halo) found->counts[own++] = found->counts[p];
  found->counts.resize(own);
  return std::move(found->counts);
}

Result<BlockRun> count(BlockPasses& passes, bool two, double eps, const Backend& backend,
                       const Strategy& strategy, OutputSet& outputs, const std::string& path) {
  const auto tryWith = [&](const PointCloud& point) -> Result<void> {
    const JoinInput input = two ? JoinInput(point, point) : JoinInput(point);
    const auto fine = backend.count(input, eps, strategy, passes.quiet());
    return fine ? Result<void>() : tl::unexpected(fine.error());
  };
  if (auto done = passes.divide(tryWith); !done) return tl::unexpected(done.error());
  BlockRun found;
  passes.describe(found);
  Stopwatch watch;
  std::uint64_t largest = 0;
  const auto write = [&](std::size_t b, const std::vector<std::uint32_t>& counts) {
    return passes.withRows() ? ScratchFolder::append(passes.fileOf("counts-", b),
                                                     std::as_bytes(std::span(counts)))
                             : Result<void>();
  };
  Result<void> done = passes.forEachBlock(
      BlockPass::Work, BlockPass::Label, false,
      [&](std::size_t b, const BlockPoints& points) -> Result<void> {
        RunStats stats;
        const auto counts = countBlock(passes, b, points, two, eps, backend, strategy, stats);
        if (!counts) return tl::unexpected(counts.error());
        found.pairs += std::accumulate(counts->begin(), counts->end(), std::uint64_t{0});
        if (points.places.size() > largest) {
          largest = points.places.size();
          found.stats = stats;
        }
        return write(b, *counts);
      });
  for (std::size_t b = 0; done && b < passes.blocks().size(); ++b) {
    const BlockContent& block = passes.blocks()[b];
    if (block.points == 0 && block.queries > 0)
      done = write(b, std::vector<std::uint32_t>(block.queries, 0));
  }
  found.blockSeconds = watch.lap();
  if (done && passes.withRows()) done = passes.writeRows(outputs, path, "counts-", "<u4", 0);
  found.mergeSeconds = watch.lap();
  if (!done) return tl::unexpected(done.error());
  return found;
}

}  // namespace

Result<BlockRun> countInBlocks(const BlockFile& cloud, const BlockFile* queries, double eps,
                               const Backend& backend, const Strategy& strategy,
                               const BlockOptions& options, OutputSet& outputs,
                               const std::string& counts, const Task& task) {
  return onBlocks(cloud.path, eps, backend, strategy, options, [&](const BlockTools& tools) {
    const double ofPoints = tools.space.eps();
    // Half of ε, since a halo is twice as wide as what it is for.
    BlockPasses passes(cloud, queries, ofPoints / 2, tools, options, !counts.empty(),
                       "joining in blocks", task);
    return count(passes, queries != nullptr, ofPoints, tools.backend, tools.strategy, outputs,
                 counts);
  });
}

}  // namespace clusterloom
