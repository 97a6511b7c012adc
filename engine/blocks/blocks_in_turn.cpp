#include "engine/blocks/blocks_in_turn.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <queue>
#include <utility>

#include "engine/blocks/block_passes.h"
#include "engine/cloud/stratified_sample.h"
#include "engine/core/stopwatch.h"
#include "engine/cpu/cpu_backend.h"
#include "engine/join/join_plan.h"

namespace clusterloom {
namespace {

// What is left of a block after its points.
struct BlockRest {
  std::uint32_t firstCluster = 0;  // among those of all blocks
  std::uint32_t clusters = 0;
  std::uint64_t links = 0;
  std::uint64_t choices = 0;
};

// A backend without joins of two clouds leaves them to the CPU. Those by another metric have them.
class Joins {
 public:
  Joins(const Backend& backend, int threads)
      : cpu_(backend.limits().twoClouds ? nullptr : makeCpuBackend(threads)),
        joins_(cpu_ ? *cpu_ : backend) {}
  const Backend& operator*() const { return joins_; }

 private:
  const std::unique_ptr<const Backend> cpu_;
  const Backend& joins_;
};

// DBSCAN of the cloud, and the labels of its points or of queries.
class Run {
 public:
  Run(BlockPasses& passes, const BlockFile& cloud, bool queries, const DbscanParams& params,
      const Backend& backend, const Backend& joins, const Strategy& strategy, const Task& task)
      : passes_(passes),
        cloud_(cloud),
        queries_(queries),
        params_(params),
        backend_(backend),
        joins_(joins),
        strategy_(strategy),
        task_(task) {}

  Result<BlockRun> all(OutputSet& outputs, const std::string& labels) {
    Result<void> done = passes_.divide([this](const PointCloud& point) { return tryWith(point); });
    if (!done) return tl::unexpected(done.error());
    Stopwatch watch;
    passes_.describe(found_);
    rest_.resize(passes_.blocks().size());
    done = passes_.forEachBlock(
        BlockPass::Work, BlockPass::Work, queries_,
        [&](std::size_t b, const BlockPoints& points) { return clusterOne(b, points); });
    found_.blockSeconds = watch.lap();
    if (done) done = merge();
    if (done && queries_) {
      found_.mergeSeconds = watch.lap();
      done = labelQueries();
      found_.blockSeconds += watch.lap();
    } else if (done && passes_.withRows()) {
      done = relabelBlocks();
    }
    if (done && passes_.withRows())
      done = passes_.writeRows(outputs, labels, "labels-", "<i4", kSkippedRow);
    found_.mergeSeconds += watch.lap();
    if (!done) return tl::unexpected(done.error());
    return std::move(found_);
  }

 private:
  Result<void> tryWith(const PointCloud& point) const {
    const std::vector<double> one(cloud_.weights.empty() ? 0 : 1, 1.0);
    const Backend& backend = one.empty() ? backend_ : joins_;
    if (auto fine = dbscanOf(backend, point, one, params_, strategy_, passes_.quiet()); !fine)
      return tl::unexpected(fine.error());
    if (!queries_) return {};
    return checkStrategy(strategy_, SinkKind::LowestLabels, backend_.limits(), point.dims(),
                         JoinSides::TwoClouds);
  }

  template <class Value>
  Result<void> append(const char* name, std::size_t b, const std::vector<Value>& values) const {
    return ScratchFolder::append(passes_.fileOf(name, b), std::as_bytes(std::span(values)));
  }
  template <class Value>
  Result<std::vector<Value>> read(const char* name, std::size_t b, std::uint64_t size) const {
    std::vector<Value> values(size);
    auto done =
        ScratchFolder::read(passes_.fileOf(name, b), 0, std::as_writable_bytes(std::span(values)));
    if (!done) return tl::unexpected(done.error());
    return values;
  }
  // The final numbers of a block's clusters.
  std::span<const std::int32_t> numbersOf(std::size_t b) const {
    return std::span(numbers_).subspan(rest_[b].firstCluster, rest_[b].clusters);
  }

  Result<void> clusterOne(std::size_t b, const BlockPoints& points) {
    // A neighbour takes four bytes in a table, and as many while it is filled.
    auto one = clusterBlock(points, params_, backend_, joins_, strategy_, passes_.quiet(),
                            passes_.budget() / 8 / 8);
    if (!one) return tl::unexpected(one.error());
    BlockRest& rest = rest_[b];
    const auto first = merge_.add(one->lowest);
    if (!first) return tl::unexpected(first.error());
    if (merge_.clusters() * ClusterForest::kBytes > passes_.budget() / 4)
      return tooLarge(cloud_.path + ": the blocks have more than " +
                      std::to_string(merge_.clusters()) +
                      " clusters, which do not fit into the memory. Allow more, or use a larger ε "
                      "or minPts.");
    rest.firstCluster = *first;
    rest.clusters = std::uint32_t(one->lowest.size());
    rest.links = one->links.size();
    rest.choices = one->choices.size();
    for (BlockLink& link : one->links) link.cluster += *first;
    found_.coreCount += one->coreCount;
    found_.borderCount += one->borderCount;
    found_.noiseCount += one->noiseCount;
    noteStats(points.places.size(), one->stats);
    auto done = append("links-", b, one->links);
    if (done && queries_) done = append("cores-", b, one->cores);
    if (queries_ || !passes_.withRows()) return done;
    if (done) done = append("labels-", b, one->labels);
    if (done) done = append("choices-", b, one->choices);
    return done;
  }

  // Those of the largest block.
  void noteStats(std::uint64_t points, const RunStats& stats) {
    if (points <= largestSeen_) return;
    largestSeen_ = points;
    found_.stats = howOf(stats);
    // That a block has fewer points than minPts means nothing for the whole cloud.
    const auto minPts = std::uint64_t(params_.minPts);
    if (points < minPts && minPts <= found_.cloud.points()) found_.stats.note.clear();
  }

  // Goes through the links of all blocks in the order of their points.
  Result<void> merge() {
    const std::size_t atOnce = passes_.valuesAtOnce(sizeof(BlockLink));
    std::vector<ScratchValues<BlockLink>> links;
    using Next = std::pair<BlockLink, std::size_t>;  // with the number of its list
    const auto later = [](const Next& a, const Next& b) { return a.first.id > b.first.id; };
    std::priority_queue<Next, std::vector<Next>, decltype(later)> next(later);
    const auto take = [&](std::size_t list) -> Result<void> {
      if (links[list].atEnd()) return {};
      const auto link = links[list].next();
      if (!link) return tl::unexpected(link.error());
      next.emplace(*link, list);
      return {};
    };
    for (std::size_t b = 0; b < rest_.size(); ++b) {
      links.emplace_back(passes_.fileOf("links-", b), rest_[b].links, atOnce);
      if (auto taken = take(b); !taken) return taken;
    }
    for (std::uint64_t i = 0; !next.empty(); ++i) {
      if (i % 65536 == 0 && task_.cancelled()) return cancelledError();
      const auto [link, list] = next.top();
      next.pop();
      merge_.link(link.id, link.cluster);
      if (auto taken = take(list); !taken) return taken;
    }
    auto numbers = merge_.numbers();
    if (!numbers) return tl::unexpected(numbers.error());
    numbers_ = std::move(numbers->numbers);
    found_.clusters = numbers->clusters;
    return {};
  }

  // The final labels of the blocks' own points, in place of those of the blocks.
  Result<void> relabelBlocks() const {
    for (std::size_t b = 0; b < rest_.size(); ++b) {
      if (task_.cancelled()) return cancelledError();
      const std::uint64_t own = passes_.blocks()[b].own;
      if (own == 0) continue;
      auto labels = read<std::int32_t>("labels-", b, own);
      if (!labels) return tl::unexpected(labels.error());
      const auto choices = read<BorderChoice>("choices-", b, rest_[b].choices);
      if (!choices) return tl::unexpected(choices.error());
      relabel(*labels, *choices, numbersOf(b));
      std::error_code ignored;
      std::filesystem::remove(passes_.fileOf("labels-", b), ignored);
      if (auto done = append("labels-", b, *labels); !done) return done;
    }
    return {};
  }

  Result<void> labelQueries() {
    auto done = passes_.forEachBlock(
        BlockPass::Label, BlockPass::Label, false,
        [&](std::size_t b, BlockPoints& points) { return labelQueriesOf(b, points); });
    for (std::size_t b = 0; done && b < rest_.size(); ++b) {
      const BlockContent& block = passes_.blocks()[b];
      if (block.points == 0 && block.queries > 0 && passes_.withRows())
        done = append("labels-", b, std::vector<std::int32_t>(block.queries, kNoise));
    }
    return done;
  }

  Result<void> labelQueriesOf(std::size_t b, BlockPoints& points) {
    const std::uint64_t count = passes_.blocks()[b].queries;
    if (count == 0) return {};
    const auto clusters = read<std::int32_t>("cores-", b, points.places.size());
    if (!clusters) return tl::unexpected(clusters.error());
    std::vector<std::uint32_t> cores;
    std::vector<std::int32_t> numbers;
    for (std::size_t p = 0; p < clusters->size(); ++p) {
      if ((*clusters)[p] == kNoise) continue;
      cores.push_back(std::uint32_t(p));
      numbers.push_back(numbersOf(b)[std::size_t((*clusters)[p])]);
    }
    std::vector<std::int32_t> labels(count, kNoise);
    if (!cores.empty()) {
      const PointCloud cloud = pointsOf(points.cloud, cores);
      points = {};
      const auto queries = passes_.queriesOf(b);
      if (!queries) return tl::unexpected(queries.error());
      auto found = joins_.lowestLabels(JoinInput(queries->cloud, cloud), numbers, params_.eps,
                                       strategy_, passes_.quiet());
      if (!found) return tl::unexpected(found.error());
      labels = std::move(found->labels);
    }
    found_.labelled += count - std::uint64_t(std::ranges::count(labels, kNoise));
    return passes_.withRows() ? append("labels-", b, labels) : Result<void>();
  }

  BlockPasses& passes_;
  const BlockFile& cloud_;
  const bool queries_;
  const DbscanParams& params_;
  const Backend& backend_;
  const Backend& joins_;  // of two clouds
  const Strategy& strategy_;
  const Task& task_;
  std::vector<BlockRest> rest_;
  BlockMerge merge_;
  std::vector<std::int32_t> numbers_;  // of the clusters of all blocks
  std::uint64_t largestSeen_ = 0;
  BlockRun found_;
};

Result<BlockRun> runInBlocks(const BlockFile& cloud, const BlockFile* queries,
                             const DbscanParams& params, const Backend& backend,
                             const Strategy& strategy, const BlockOptions& options,
                             OutputSet& outputs, const std::string& labels, const Task& task) {
  return onBlocks(cloud.path, params.eps, backend, strategy, options, [&](const BlockTools& tools) {
    const Joins joins(tools.backend, tools.threads);
    const DbscanParams ofPoints{tools.space.eps(), params.minPts};
    BlockPasses passes(cloud, queries, ofPoints.eps, tools, options, !labels.empty(),
                       "clustering in blocks", task);
    return Run(passes, cloud, queries != nullptr, ofPoints, tools.backend, *joins, tools.strategy,
               task)
        .all(outputs, labels);
  });
}

}  // namespace

Result<BlockRun> clusterInBlocks(const BlockFile& file, const DbscanParams& params,
                                 const Backend& backend, const Strategy& strategy,
                                 const BlockOptions& options, OutputSet& outputs,
                                 const std::string& labels, const Task& task) {
  return runInBlocks(file, nullptr, params, backend, strategy, options, outputs, labels, task);
}

Result<BlockRun> labelInBlocks(const BlockFile& cloud, const BlockFile& queries,
                               const DbscanParams& params, const Backend& backend,
                               const Strategy& strategy, const BlockOptions& options,
                               OutputSet& outputs, const std::string& labels, const Task& task) {
  if (!cloud.weights.empty())
    return badCall(
        "New points cannot be labelled by the clusters of weighted points; leave the "
        "weights out.");
  return runInBlocks(cloud, &queries, params, backend, strategy, options, outputs, labels, task);
}

}  // namespace clusterloom
