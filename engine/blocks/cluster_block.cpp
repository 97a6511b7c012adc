#include "engine/blocks/cluster_block.h"

#include <algorithm>
#include <limits>

#include "engine/cloud/stratified_sample.h"

namespace clusterloom {
namespace {

constexpr std::uint64_t kPairsAtOnce = std::uint64_t{1} << 20;

// The places of own border points in the block, with their places among the own points.
struct BorderPoints {
  std::vector<std::uint32_t> points;
  std::vector<std::uint32_t> own;
};

// Finds the choices of border points.
class Choices {
 public:
  Choices(const BlockPoints& block, const Clustering& local,
          const std::vector<std::uint8_t>& linked, const Backend& joins, double eps,
          const Task& task)
      : block_(block), local_(local), linked_(linked), joins_(joins), eps_(eps), task_(task) {}

  Result<std::vector<BorderChoice>> find() {
    std::int32_t last = local_.clusters - 1;
    while (last >= 0 && !linked_[std::size_t(last)]) --last;
    BorderPoints border;
    std::int32_t first = last;  // the lowest of their labels
    std::uint32_t own = 0;
    for (std::size_t p = 0; p < block_.places.size(); ++p) {
      if (block_.places[p] == Place::Halo) continue;
      const std::int32_t label = local_.labels[p];
      if (local_.roles[p] == PointRole::Border && label < last) {
        border.points.push_back(std::uint32_t(p));
        border.own.push_back(own);
        first = std::min(first, label);
      }
      ++own;
    }
    for (std::size_t p = 0; p < block_.places.size(); ++p)
      if (local_.roles[p] == PointRole::Core && local_.labels[p] > first &&
          linked_[std::size_t(local_.labels[p])])
        cores_.push_back(std::uint32_t(p));
    if (border.points.empty() || cores_.empty()) return std::vector<BorderChoice>{};
    coreCloud_ = pointsOf(block_.cloud, cores_);
    auto open = ofSeveral(border);
    if (!open) return tl::unexpected(open.error());
    return listed(*open);
  }

 private:
  // The border points with a linked cluster behind their own one: their last such cluster is behind
  // it. One join without a pair in memory.
  Result<BorderPoints> ofSeveral(const BorderPoints& border) const {
    std::vector<std::int32_t> backwards;
    backwards.reserve(cores_.size());
    for (const std::uint32_t p : cores_)
      backwards.push_back(local_.clusters - 1 - local_.labels[p]);
    const PointCloud queries = pointsOf(block_.cloud, border.points);
    const auto lowest =
        joins_.lowestLabels(JoinInput(queries, coreCloud_), backwards, eps_, Strategy{}, task_);
    if (!lowest) return tl::unexpected(lowest.error());
    BorderPoints several;
    for (std::size_t i = 0; i < border.points.size(); ++i)
      if (lowest->labels[i] != kNoise &&
          local_.clusters - 1 - lowest->labels[i] > local_.labels[border.points[i]]) {
        several.points.push_back(border.points[i]);
        several.own.push_back(border.own[i]);
      }
    return several;
  }

  Result<std::vector<BorderChoice>> listed(const BorderPoints& open) const {
    // A border point has fewer than minPts neighbours.
    const std::uint64_t most =
        std::min<std::uint64_t>(std::uint64_t(local_.params.minPts), cores_.size());
    const std::size_t atOnce = std::max<std::uint64_t>(1, kPairsAtOnce / most);
    std::vector<BorderChoice> choices;
    for (std::size_t begin = 0; begin < open.points.size(); begin += atOnce) {
      const auto some =
          std::span(open.points).subspan(begin, std::min(atOnce, open.points.size() - begin));
      const PointCloud queries = pointsOf(block_.cloud, some);
      const auto pairs = joins_.pairs(JoinInput(queries, coreCloud_), eps_, Strategy{}, task_);
      if (!pairs) return tl::unexpected(pairs.error());
      std::vector<BorderChoice> found;
      for (const Pair& pair : pairs->pairs) {
        const auto query = begin + std::size_t(pair.p);
        const std::int32_t cluster = local_.labels[cores_[std::size_t(pair.q)]];
        if (cluster > local_.labels[open.points[query]])
          found.push_back({open.own[query], cluster});
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

}  // namespace

Result<BlockClusters> clusterBlock(const BlockPoints& points, const DbscanParams& params,
                                   const Backend& backend, const Backend& joins,
                                   const Strategy& strategy, const Task& task,
                                   std::uint64_t mostPairs) {
  BlockClusters found;
  if (points.cloud.size() == 0) return found;
  const auto local = clusterPoints(points, params, backend, joins, strategy, task, mostPairs);
  if (!local) return tl::unexpected(local.error());
  const auto clusters = std::size_t(local->clusters);
  found.stats = local->stats;
  found.lowest.assign(clusters, std::numeric_limits<std::uint64_t>::max());
  std::vector<std::uint8_t> linked(clusters, 0);
  for (std::size_t p = 0; p < points.places.size(); ++p) {
    const std::int32_t label = local->labels[p];
    const bool core = local->roles[p] == PointRole::Core;
    found.cores.push_back(core ? label : kNoise);
    if (core) {
      const auto cluster = std::size_t(label);
      found.lowest[cluster] = std::min(found.lowest[cluster], points.ids[p]);
      if (points.places[p] != Place::Inner) {
        found.links.push_back({points.ids[p], std::uint32_t(label)});
        linked[cluster] = 1;
      }
    }
    if (points.places[p] == Place::Halo) continue;
    found.labels.push_back(label);
    found.roles.push_back(local->roles[p]);
    found.coreCount += core;
    found.borderCount += local->roles[p] == PointRole::Border;
    found.noiseCount += local->roles[p] == PointRole::Noise;
  }
  auto choices = Choices(points, *local, linked, joins, params.eps, task).find();
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
