#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <string_view>

#include "engine/core/predicate.h"
#include "engine/core/shared_progress.h"
#include "engine/product/product_tile.h"
#include "engine/product/rounded_points.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace clusterloom {

/// One or two clouds rounded alike. Positions of a join of two clouds are those of the indexed
/// points, then those of the queries.
struct ProductInput {
  const RoundedPoints& points;
  const RoundedPoints* queries = nullptr;  ///< of another cloud; without: the points themselves

  const RoundedPoints& asking() const { return queries != nullptr ? *queries : points; }
  std::uint32_t firstQuery() const {
    return queries != nullptr ? std::uint32_t(points.pointIds.size()) : 0;
  }
};

/// A visit of pairs (TileSearch::search) that is told their leaves before the first of them, and
/// with each pair the squared distance of its rounded points.
template <class Visit>
concept TileVisit = requires(Visit& visit, const LeafOf& leaf) {
  visit.begin(leaf, leaf);
};

/// Finds the pairs within ε of a leaf of queries and a leaf of points.
class TileSearch {
 public:
  /// Keeps the panels of `group` leaves of queries that follow each other; `points` has those of
  /// the leaves of points.
  TileSearch(const ProductInput& input, double eps, double squaredEps, std::size_t group,
             LeafPanels& points)
      : input_(input),
        eps_(eps),
        squaredEps_(squaredEps),
        compute_(bestProductTile()),
        queryPanels_(input.asking(), group),
        pointPanels_(points) {}

  /// Calls visit(p, q) with positions of a query and a point, or what a TileVisit has. Of one cloud
  /// each unordered pair is found once, p = q included, where b ≥ a.
  template <class Visit>
  void search(std::size_t a, std::size_t b, Visit&& visit) {
    const LeafOf asking{input_.asking(), a};
    const LeafOf asked{input_.points, b};
    const bool same = input_.queries == nullptr && a == b;
    const bool bothWays = input_.queries == nullptr && a != b;
    const TileReach reach = tileReach(asking, asked, eps_);
    compute_({.a = queryPanels_.of(a),
              .b = pointPanels_.of(b),
              .pairsOfDims = asked.points.pairsOfDims,
              .normsA = asking.points.norms.data() + a * kTilePoints,
              .normsB = asked.points.norms.data() + b * kTilePoints,
              .outside = reach.outside,
              .squares = squares_,
              .near = near_});
    const std::uint64_t filled = ~std::uint64_t{0} >> (kTilePoints - asked.leaf().count);
    pairs_ += std::uint64_t{bothWays ? 2U : 1U} * asking.leaf().count * asked.leaf().count;
    [[maybe_unused]] bool begun = false;
    for (std::size_t row = 0; row < asking.leaf().count; ++row) {
      std::uint64_t near = near_[row] & filled;
      if (same) near &= ~std::uint64_t{0} << row;
      for (; near != 0; near &= near - 1) {
        const auto column = std::size_t(std::countr_zero(near));
        const std::uint32_t p = asking.leaf().first + std::uint32_t(row);
        const std::uint32_t q = asked.leaf().first + std::uint32_t(column);
        const std::int32_t square = squares_[row * kTilePoints + column];
        if (square > reach.inside && !within(p, q)) continue;
        if constexpr (TileVisit<Visit>) {
          if (!begun) visit.begin(asking, asked);
          begun = true;
          visit(input_.firstQuery() + p, q, square);
        } else {
          visit(input_.firstQuery() + p, q);
        }
      }
    }
  }

  /// Ordered pairs of points of the tiles that were computed.
  std::uint64_t pairs() const { return pairs_; }

 private:
  bool within(std::size_t p, std::size_t q) const {
    return withinEps(canonicalSquaredDistance(input_.asking(), p, input_.points, q), squaredEps_);
  }

  const ProductInput input_;
  double eps_;
  double squaredEps_;
  TileFunction compute_;
  LeafPanels queryPanels_;
  LeafPanels& pointPanels_;
  std::uint64_t pairs_ = 0;
  std::uint64_t near_[kTilePoints] = {};
  alignas(64) std::int32_t squares_[kTilePoints * kTilePoints] = {};
};

/// Finds every pair of points within ε by exact products of rounded coordinates, in parallel.
/// `makeVisit()` gives for each task a function of two positions (TileSearch::search). Cost: n
/// products of 16-bit integers for each pair of points whose leaves are not proven apart; each pair
/// of one cloud is computed once. Returns the ordered pairs that were examined. Cancelled.
template <class MakeVisit>
Result<std::uint64_t> runProductJoin(const ProductInput& input, double eps, double squaredEps,
                                     std::string_view stage, const Task& task,
                                     const MakeVisit& makeVisit) {
  // As many leaves share each reading of another leaf as stay in the cache of a core.
  constexpr std::size_t kCacheBytes = 256 << 10;
  const std::size_t group = std::clamp<std::size_t>(
      kCacheBytes / (input.points.leafSize() * sizeof(std::int16_t)), 1, 16);
  const std::size_t asking = input.asking().leaves.size();
  const std::size_t leaves = input.points.leaves.size();
  const std::size_t leavesAtOnce = panelsAtOnce(input.points);
  const bool oneCloud = input.queries == nullptr;
  std::atomic<std::uint64_t> pairs = 0;
  SharedProgress progress(task, stage, oneCloud ? leaves * (leaves + 1) / 2 : asking * leaves);
  LeafPanels panels(input.points, leavesAtOnce);
  for (std::size_t from = 0; from < leaves && !task.cancelled(); from += leavesAtOnce) {
    const std::size_t to = std::min(leaves, from + leavesAtOnce);
    tbb::parallel_for(from, to, [&](std::size_t b) {
      if (!task.cancelled()) panels.of(b);
    });
    const std::size_t queries = oneCloud ? to : asking;
    // Of one cloud, groups with a low number have the most leaves to compare with.
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, (queries + group - 1) / group, 1),
        [&](const auto& range) {
          auto visit = makeVisit();
          TileSearch search(input, eps, squaredEps, group, panels);
          for (std::size_t g = range.begin(); g < range.end(); ++g) {
            const std::size_t first = g * group;
            const std::size_t end = std::min(queries, first + group);
            for (std::size_t b = oneCloud ? std::max(from, first) : from; b < to; ++b) {
              if (task.cancelled()) return;
              const std::size_t last = oneCloud ? std::min(end, b + 1) : end;
              for (std::size_t a = first; a < last; ++a)
                if (leastDistance({input.asking(), a}, {input.points, b}) <=
                    reachOut({input.asking(), a}, {input.points, b}, eps))
                  search.search(a, b, visit);
              progress.add(last - first);
            }
          }
          pairs += search.pairs();
        },
        tbb::simple_partitioner());
  }
  if (task.cancelled()) return cancelledError();
  return pairs.load();
}

}  // namespace clusterloom
