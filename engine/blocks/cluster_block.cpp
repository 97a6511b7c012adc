#include "engine/blocks/cluster_block.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/blocks/near_labels.h"
#include "engine/cloud/stratified_sample.h"
#include "engine/core/chunks.h"

namespace clusterloom {
namespace {

// Pairs of border points and core points that are in memory at once, at most.
constexpr std::uint64_t kPairsAtOnce = std::uint64_t{1} << 20;

// The points for which `belongs`, ascending.
template <class Belongs>
std::vector<std::uint32_t> pointsWhere(std::size_t points, const Belongs& belongs) {
  std::vector<std::vector<std::uint32_t>> found(chunksOf(points));
  forChunks(points, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p)
      if (belongs(p)) found[chunk].push_back(std::uint32_t(p));
  });
  return joined(std::move(found));
}

// Finds the choices of border points.
class Choices {
 public:
  Choices(const BlockPoints& block, const Clustering& local,
          const std::vector<std::uint8_t>& linked, const Backend& joins, double eps,
          std::uint64_t mostPairs, const Task& task)
      : block_(block),
        local_(local),
        linked_(linked),
        joins_(joins),
        eps_(eps),
        mostPairs_(mostPairs),
        task_(task) {}

  Result<std::vector<BorderChoice>> find() {
    const std::size_t points = block_.places.size();
    cores_ = pointsWhere(points, [&](std::size_t p) {
      return local_.roles[p] == PointRole::Core && linked_[std::size_t(local_.labels[p])] != 0;
    });
    // Most border points have no linked cluster near them, or only their own.
    const NearLabels near(block_.cloud, cores_, local_.labels, eps_);
    const std::vector<std::uint32_t> border = pointsWhere(points, [&](std::size_t p) {
      return local_.roles[p] == PointRole::Border && block_.places[p] != Place::Halo &&
             local_.labels[p] < near.highest(block_.cloud, p);
    });
    if (border.empty()) return std::vector<BorderChoice>{};
    coreCloud_ = pointsOf(block_.cloud, cores_);
    const auto open = ofSeveral(border);
    if (!open) return tl::unexpected(open.error());
    return listed(*open);
  }

 private:
  // The border points with a linked cluster behind their own one: their last such cluster is behind
  // it. One join without a pair in memory.
  Result<std::vector<std::uint32_t>> ofSeveral(const std::vector<std::uint32_t>& border) const {
    std::vector<std::int32_t> backwards;
    backwards.reserve(cores_.size());
    for (const std::uint32_t p : cores_)
      backwards.push_back(local_.clusters - 1 - local_.labels[p]);
    const PointCloud queries = pointsOf(block_.cloud, border);
    const auto lowest =
        joins_.lowestLabels(JoinInput(queries, coreCloud_), backwards, eps_, Strategy{}, task_);
    if (!lowest) return tl::unexpected(lowest.error());
    std::vector<std::uint32_t> several;
    for (std::size_t i = 0; i < border.size(); ++i)
      if (lowest->labels[i] != kNoise &&
          local_.clusters - 1 - lowest->labels[i] > local_.labels[border[i]])
        several.push_back(border[i]);
    return several;
  }

  // Their places among the own points.
  std::vector<std::uint32_t> amongOwn(const std::vector<std::uint32_t>& points) const {
    std::vector<std::uint32_t> own;
    own.reserve(points.size());
    std::uint32_t before = 0;
    auto from = block_.places.begin();
    for (const std::uint32_t p : points) {
      const auto to = block_.places.begin() + std::ptrdiff_t(p);
      before += std::uint32_t(to - from - std::count(from, to, Place::Halo));
      from = to;
      own.push_back(before);
    }
    return own;
  }

  Result<std::vector<BorderChoice>> listed(const std::vector<std::uint32_t>& open) const {
    std::vector<BorderChoice> choices;
    if (open.empty()) return choices;
    const std::vector<std::uint32_t> own = amongOwn(open);
    // Points that weigh little may have many neighbours without being core.
    const PointCloud all = pointsOf(block_.cloud, open);
    const auto near = joins_.count(JoinInput(all, coreCloud_), eps_, Strategy{}, task_);
    if (!near) return tl::unexpected(near.error());
    std::size_t end = 0;
    for (std::size_t begin = 0; begin < open.size(); begin = end) {
      std::uint64_t expected = near->counts[end++];
      while (end < open.size() && expected + near->counts[end] <= mostPairs_)
        expected += near->counts[end++];
      const auto some = std::span(open).subspan(begin, end - begin);
      const PointCloud queries = pointsOf(block_.cloud, some);
      const auto pairs = joins_.pairs(JoinInput(queries, coreCloud_), eps_, Strategy{}, task_);
      if (!pairs) return tl::unexpected(pairs.error());
      std::vector<BorderChoice> found;
      for (const Pair& pair : pairs->pairs) {
        const auto query = begin + std::size_t(pair.p);
        const std::int32_t cluster = local_.labels[cores_[std::size_t(pair.q)]];
        if (cluster > local_.labels[open[query]]) found.push_back({own[query], cluster});
      }
      const auto key = [](const BorderChoice& c) { return std::pair(c.point, c.cluster); };
      std::ranges::sort(found, {}, key);
      const auto [from, to] = std::ranges::unique(found, {}, key);
      found.erase(from, to);
      choices.insert(choices.end(), found.begin(), found.end());
    }
    return choices;
  }

  const BlockPoints& block_;
  const Clustering& local_;
  const std::vector<std::uint8_t>& linked_;
  const Backend& joins_;
  const double eps_;
  const std::uint64_t mostPairs_;
  const Task& task_;
  std::vector<std::uint32_t> cores_;  // core points of linked clusters
  PointCloud coreCloud_;
};

// Points of the halo that may lack neighbours: no own point is within ε of them. Empty where that
// does not matter.
Result<std::vector<std::uint8_t>> incomplete(const BlockPoints& block, double eps,
                                             const Backend& joins, const Task& task) {
  std::vector<std::uint8_t> lacking;
  if (std::ranges::none_of(block.weights, [](double w) { return w < 0; })) return lacking;
  std::vector<std::uint32_t> own;
  std::vector<std::uint32_t> halo;
  for (std::size_t p = 0; p < block.places.size(); ++p)
    (block.places[p] == Place::Halo ? halo : own).push_back(std::uint32_t(p));
  if (halo.empty()) return lacking;
  lacking.assign(block.places.size(), 0);
  for (const std::uint32_t p : halo) lacking[p] = 1;
  if (own.empty()) return lacking;
  const PointCloud queries = pointsOf(block.cloud, halo);
  const PointCloud points = pointsOf(block.cloud, own);
  const std::vector<std::int32_t> labels(own.size(), 0);
  const auto near = joins.lowestLabels(JoinInput(queries, points), labels, eps, Strategy{}, task);
  if (!near) return tl::unexpected(near.error());
  for (std::size_t i = 0; i < halo.size(); ++i)
    if (near->labels[i] != kNoise) lacking[halo[i]] = 0;
  return lacking;
}

Result<Clustering> clusterPoints(const BlockPoints& block, const DbscanParams& params,
                                 const Backend& backend, const Backend& joins,
                                 const Strategy& strategy, const Task& task,
                                 std::uint64_t mostPairs) {
  if (block.weights.empty()) return backend.dbscan(block.cloud, params, strategy, task);
  const auto lacking = incomplete(block, params.eps, joins, task);
  if (!lacking) return tl::unexpected(lacking.error());
  return weightedDbscan(joins, block.cloud, block.weights, params, strategy, task, *lacking,
                        mostPairs);
}

// The results for consecutive points of a block.
struct Chunk {
  std::size_t ownBefore = 0;
  std::int32_t highest = -1;  // label of a core point in it; then of one before it
  std::uint64_t core = 0;     // of own points, as the next two
  std::uint64_t border = 0;
  std::uint64_t noise = 0;
};

// Labels and roles of the points, without the choices of border points.
void describe(const BlockPoints& points, const Clustering& local, BlockClusters& found) {
  const std::size_t held = points.places.size();
  const auto isCore = [&](std::size_t p) { return local.roles[p] == PointRole::Core; };
  std::vector<Chunk> chunks(chunksOf(held));
  forChunks(held, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
    Chunk& here = chunks[chunk];
    for (std::size_t p = begin; p < end; ++p) {
      here.ownBefore += points.places[p] != Place::Halo;
      if (isCore(p)) here.highest = std::max(here.highest, local.labels[p]);
    }
  });
  std::size_t own = 0;
  std::int32_t highest = -1;
  for (Chunk& chunk : chunks) {
    own += std::exchange(chunk.ownBefore, own);
    highest = std::max(std::exchange(chunk.highest, highest), highest);
  }
  found.lowest.resize(std::size_t(local.clusters));
  found.cores.resize(held);
  found.labels.resize(own);
  found.roles.resize(own);
  std::vector<std::vector<BlockLink>> links(chunks.size());
  forChunks(held, [&](std::size_t number, std::size_t begin, std::size_t end) {
    Chunk& here = chunks[number];
    std::int32_t seen = here.highest;
    std::size_t at = here.ownBefore;
    for (std::size_t p = begin; p < end; ++p) {
      const std::int32_t label = local.labels[p];
      found.cores[p] = isCore(p) ? label : kNoise;
      if (isCore(p)) {
        // Clusters are numbered by their lowest core points.
        if (label > seen) found.lowest[std::size_t(label)] = points.ids[p];
        seen = std::max(seen, label);
        if (points.places[p] != Place::Inner)
          links[number].push_back({points.ids[p], std::uint32_t(label)});
      }
      if (points.places[p] == Place::Halo) continue;
      found.labels[at] = label;
      found.roles[at++] = local.roles[p];
      here.core += isCore(p);
      here.border += local.roles[p] == PointRole::Border;
      here.noise += local.roles[p] == PointRole::Noise;
    }
  });
  found.links = joined(std::move(links));
  for (const Chunk& chunk : chunks) {
    found.coreCount += chunk.core;
    found.borderCount += chunk.border;
    found.noiseCount += chunk.noise;
  }
}

}  // namespace

Result<BlockClusters> clusterBlock(const BlockPoints& points, const DbscanParams& params,
                                   const Backend& backend, const Backend& joins,
                                   const Strategy& strategy, const Task& task,
                                   std::uint64_t mostPairs) {
  BlockClusters found;
  if (points.cloud.size() == 0) return found;
  const auto local = clusterPoints(points, params, backend, joins, strategy, task, mostPairs);
  if (!local) return tl::unexpected(local.error());
  found.stats = local->stats;
  describe(points, *local, found);
  std::vector<std::uint8_t> linked(std::size_t(local->clusters), 0);
  for (const BlockLink& link : found.links) linked[link.cluster] = 1;
  auto choices =
      Choices(points, *local, linked, joins, params.eps, std::min(mostPairs, kPairsAtOnce), task)
          .find();
  if (!choices) return tl::unexpected(choices.error());
  found.choices = std::move(*choices);
  return found;
}

Result<std::uint32_t> BlockMerge::add(std::span<const std::uint64_t> lowest) {
  const std::uint64_t before = forest_.size();
  if (before + lowest.size() >= std::numeric_limits<std::uint32_t>::max())
    return tl::unexpected(checkClusterCount(before + lowest.size()).error());
  for (const std::uint64_t id : lowest) forest_.add(id);
  return std::uint32_t(before);
}

void BlockMerge::link(std::uint64_t id, std::uint32_t cluster) {
  if (linked_ && id == lastId_) forest_.unite(lastCluster_, cluster);
  lastId_ = id;
  lastCluster_ = cluster;
  linked_ = true;
}

void relabel(std::span<std::int32_t> labels, std::span<const BorderChoice> choices,
             std::span<const std::int32_t> numbers) {
  for (std::int32_t& label : labels)
    if (label >= 0) label = numbers[std::size_t(label)];
  for (const BorderChoice& choice : choices)
    labels[choice.point] = std::min(labels[choice.point], numbers[std::size_t(choice.cluster)]);
}

}  // namespace clusterloom
