#include "engine/join/cost_of_k.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include "engine/cloud/stratified_sample.h"
#include "engine/core/parallel_for.h"
#include "engine/core/predicate.h"
#include "engine/grid/dimension_order.h"
#include "engine/grid/grid_index.h"
#include "engine/grid/grid_queries.h"
#include "engine/join/tile_cost.h"

namespace clusterloom {
namespace {

// The cost of a coordinate within SORTIDU's window of a tile: a window keeps tiles from comparing
// whole rows with vectors or matrix units. Measured in 2-D and 3-D: two thirds of the coordinates
// took 2.3 to 3.4 times the time.
constexpr double kWindowedCoordinate = 5;
constexpr std::size_t kCostSampledOneIn = 100;
constexpr std::size_t kLeastSample = 256;
constexpr std::size_t kQueriesPerRound = 256;
// Steps of all sampled queries: about a quarter of a second on one core.
constexpr std::uint64_t kMostSteps = std::uint64_t{1} << 24;
// Candidates of a query and k whose distances are looked at.
constexpr std::uint64_t kLookedAt = 64;

struct Options {
  AccessPattern pattern = AccessPattern::Tile;
  Toggle sortIdu = Toggle::Auto;
  bool shortCircuit = false;
  std::vector<int> order;     // dimensions as indexed
  std::vector<int> sumOrder;  // dimensions as distances add them
  double squaredEps = 0;

  bool sortsAt(std::size_t k) const {
    return sortIdu == Toggle::On || (sortIdu == Toggle::Auto && k < order.size());
  }
  int sortedDimension(std::size_t k) const { return order[std::min(k, order.size() - 1)]; }
};

// Sums over sampled queries for one k.
struct Tally {
  double searches = 0;     // cells or ranges of cells that are searched for
  double windows = 0;      // steps of SORTIDU's searches within cells
  double coordinates = 0;  // read by distances

  Tally& operator+=(const Tally& other) {
    searches += other.searches;
    windows += other.windows;
    coordinates += other.coordinates;
    return *this;
  }
};

struct Positions {
  std::uint32_t begin;
  std::uint32_t end;
};

// Asks one query point after the other. All k at once: the dimension indexed first is slowest in
// the linear ids, so the adjacent cells at k are the children of those at k − 1, and every cell of
// any k is a range of the cells of the index.
class QueryCounter {
 public:
  QueryCounter(const GridIndex& index, const Options& options,
               const std::vector<std::vector<std::uint32_t>>& occupied)
      : index_(index), options_(options), occupied_(occupied), most_(index.geometry.dims.size()) {}

  std::uint64_t steps() const { return steps_; }
  const std::vector<Tally>& tallies() const { return tallies_; }

  // `linearId` is that of the query's cell.
  void ask(std::uint32_t query, std::uint64_t linearId) {
    for (auto& ranges : ranges_) ranges.clear();
    coordinates_ = index_.geometry.coordinatesOf(linearId);
    descend(0, 0, 0, std::uint32_t(index_.cells()), true);
    double searches = 1;
    for (std::size_t k = 1; k <= most_; ++k) {
      searches *= occupiedSteps(k - 1);
      Tally& tally = tallies_[k - 1];
      switch (options_.pattern) {
        case AccessPattern::Full:
          tally.searches += searches - 1;  // the own cell is known
          break;
        case AccessPattern::Unicomp:
        case AccessPattern::LidUnicomp: tally.searches += (searches - 1) / 2; break;
        case AccessPattern::Tile: tally.searches += std::pow(3.0, double(k - 1)); break;
      }
      countDistances(query, k, tally);
    }
  }

 private:
  std::uint32_t firstFrom(std::uint32_t begin, std::uint32_t end, std::uint64_t id) {
    steps_ += std::uint64_t(std::bit_width(end - begin));
    const auto at = index_.cellIds.begin();
    return std::uint32_t(std::lower_bound(at + begin, at + end, id) - at);
  }

  void descend(std::size_t depth, std::uint64_t base, std::uint32_t begin, std::uint32_t end,
               bool own) {
    if (depth == most_) return;
    const std::uint64_t stride = index_.geometry.stride[depth];
    std::uint64_t id = base + (std::uint64_t{coordinates_[depth]} - 1) * stride;
    begin = firstFrom(begin, end, id);
    for (int step = -1; step <= 1; ++step, id += stride) {
      const std::uint32_t next = firstFrom(begin, end, id + stride);
      if (begin < next) {
        ranges_[depth].push_back(
            {{index_.cellStart[begin], index_.cellStart[next]}, own && step == 0});
        descend(depth + 1, id, begin, next, own && step == 0);
      }
      begin = next;
    }
  }

  // Coordinates that the join's filter by M leaves: those of −1, 0, +1 that hold any point.
  double occupiedSteps(std::size_t i) const {
    const std::uint32_t c = coordinates_[i];
    const auto& m = occupied_[i];
    const auto first = std::lower_bound(m.begin(), m.end(), c - 1);
    return double(std::upper_bound(first, m.end(), c + 1) - first);
  }

  void countDistances(std::uint32_t query, std::size_t k, Tally& tally) {
    const auto& ranges = ranges_[k - 1];
    const bool half = isHalf(options_.pattern);
    const bool sorts = options_.sortsAt(k);
    std::uint64_t all = 0;
    double compared = 0;  // a half pattern sees each pair of adjacent cells from one side
    for (const Range& range : ranges) {
      const std::uint32_t points = range.positions.end - range.positions.begin;
      const double share = half && !range.own ? 0.5 : 1.0;
      all += points;
      compared += share * points;
      if (sorts) tally.windows += share * 2 * std::bit_width(points);
    }
    const std::uint64_t apart = std::max<std::uint64_t>(1, all / kLookedAt);
    std::uint64_t looked = 0;
    std::uint64_t read = 0;
    std::uint64_t skip = apart / 2;
    for (const Range& range : ranges) {
      const std::uint64_t points = range.positions.end - range.positions.begin;
      for (; skip < points; skip += apart) {
        ++looked;
        read += coordinatesRead(query, range.positions.begin + std::uint32_t(skip),
                                sorts ? options_.sortedDimension(k) : -1);
      }
      skip -= points;
    }
    steps_ += looked + ranges.size();
    if (looked == 0) return;  // a query of another cloud with no point near it
    const bool losesVectors =
        sorts && options_.pattern == AccessPattern::Tile && !options_.shortCircuit;
    tally.coordinates +=
        (losesVectors ? kWindowedCoordinate : 1.0) * compared * double(read) / double(looked);
  }

  std::uint64_t coordinatesRead(std::uint32_t p, std::uint32_t q, int sortedBy) const {
    const PointCloud& cloud = index_.ordered;
    if (sortedBy >= 0) {
      const auto& x = cloud.columns[std::size_t(sortedBy)];
      if ((x[p] - x[q]) * (x[p] - x[q]) > options_.squaredEps) return 0;
    }
    if (!options_.shortCircuit) return cloud.dims();
    double sum = 0;
    std::uint64_t read = 0;
    for (const int j : options_.sumOrder) {
      const auto& x = cloud.columns[std::size_t(j)];
      sum += (x[p] - x[q]) * (x[p] - x[q]);
      ++read;
      if (sum > options_.squaredEps) break;
    }
    return read;
  }

  struct Range {
    Positions positions;
    bool own;
  };

  const GridIndex& index_;
  const Options& options_;
  const std::vector<std::vector<std::uint32_t>>& occupied_;
  std::size_t most_;
  std::vector<std::uint32_t> coordinates_;
  std::vector<Range> ranges_[kMostK];
  std::vector<Tally> tallies_ = std::vector<Tally>(kMostK);
  std::uint64_t steps_ = 0;
};

// Cells of the first k indexed dimensions: the distinct prefixes of the linear ids.
std::uint64_t distinctPrefixes(const GridIndex& index, std::uint64_t stride) {
  std::uint64_t count = 0;
  std::uint64_t previous = 0;
  for (const std::uint64_t id : index.cellIds) {
    const std::uint64_t prefix = id / stride;
    count += count == 0 || prefix != previous;
    previous = prefix;
  }
  return count;
}

/// SORTIDU, which dense cells exclude.
Toggle withinCells(const Strategy& strategy) {
  return strategy.denseCells == Toggle::On ? Toggle::Off : strategy.sortIdu;
}

Options optionsOf(const PointCloud& cloud, double squaredEps, const Strategy& strategy) {
  const bool reorder = strategy.reorder == Toggle::On;
  Options options;
  options.pattern = strategy.pattern;
  options.sortIdu = withinCells(strategy);
  options.shortCircuit = strategy.shortCircuit == Toggle::On;
  options.order = reorder ? dimensionsByVariance(cloud) : dimensionsInCloudOrder(cloud);
  options.sumOrder = options.order;
  options.squaredEps = squaredEps;
  return options;
}

// Positions spread evenly over 0 … n − 1, in an order whose every beginning is spread evenly too.
std::vector<std::uint32_t> spreadPositions(std::size_t n, std::size_t count) {
  std::size_t stride = 1;
  if (count > 2) {
    stride = std::size_t(0.6180339887 * double(count)) | 1U;
    while (std::gcd(stride, count) != 1) stride += 2;
  }
  std::vector<std::uint32_t> positions(count);
  for (std::size_t i = 0; i < count; ++i)
    positions[i] = std::uint32_t((i * stride % count) * n / count);
  return positions;
}

// The sampled queries, in order: a position of the cell-ordered cloud, and the linear id of its
// cell.
struct SampledQueries {
  std::vector<std::uint32_t> positions;
  std::vector<std::uint64_t> cells;
};

SampledQueries queriesOfIndex(std::vector<std::uint32_t> positions, const GridIndex& index) {
  const std::vector<std::uint32_t> cellOf = index.cellOfPosition();
  SampledQueries queries{std::move(positions), {}};
  for (const std::uint32_t at : queries.positions)
    queries.cells.push_back(index.cellIds[cellOf[at]]);
  return queries;
}

// Of another cloud: the sampled points follow those of the index.
SampledQueries queriesOfCloud(const JoinInput& input, const std::vector<std::uint32_t>& ids,
                              double squaredEps, GridIndex& index) {
  const PointCloud points = pointsOf(input.queries, ids);
  SampledQueries queries;
  queries.cells.resize(ids.size());
  queryCellIds(index.geometry, boundsOf(input.points), squaredEps, points, 0, queries.cells);
  for (std::size_t i = 0; i < ids.size(); ++i)
    queries.positions.push_back(std::uint32_t(index.size() + i));
  for (std::size_t j = 0; j < points.dims(); ++j) {
    std::vector<double>& to = index.ordered.columns[j];
    to.insert(to.end(), points.columns[j].begin(), points.columns[j].end());
  }
  return queries;
}

}  // namespace

int cheapestOf(const std::vector<CostOfK>& costs) {
  return std::ranges::min_element(costs, {}, &CostOfK::total)->k;
}

bool isCostOfTiles(const Strategy& strategy) {
  return strategy.pattern == AccessPattern::Tile && withinCells(strategy) == Toggle::Off;
}

Result<CostModel> costOfK(const JoinInput& input, double eps, const Strategy& strategy,
                          const Task& task, double searchStep) {
  const PointCloud& cloud = input.points;
  if (auto valid = validate(input); !valid) return tl::unexpected(valid.error());
  const auto squared = epsSquared(eps);
  if (!squared) return tl::unexpected(squared.error());
  if (task.cancelled()) return cancelledError();
  const Options options = optionsOf(cloud, *squared, strategy);
  if (isCostOfTiles(strategy)) return costOfTiles(input, eps, options.order, searchStep, task);
  const std::size_t most = std::min<std::size_t>(cloud.dims(), kMostK);
  auto index = buildGridIndex(
      cloud,
      {.eps = eps, .reach = 1, .dims = {options.order.begin(), options.order.begin() + most}},
      task);
  if (!index) return tl::unexpected(index.error());
  const auto occupied = occupiedCoordinates(*index);

  const std::size_t n = input.queries.size();
  const std::size_t sample = std::min(n, std::max(kLeastSample, n / kCostSampledOneIn));
  const std::vector<std::uint32_t> positions = spreadPositions(n, sample);
  const SampledQueries queries = input.twoClouds
                                     ? queriesOfCloud(input, positions, *squared, *index)
                                     : queriesOfIndex(positions, *index);
  std::vector<Tally> tallies(most);
  std::uint64_t steps = 0;
  std::size_t asked = 0;
  while (asked < sample && steps < kMostSteps) {
    // Sums of fixed groups of queries, added in order, so that they do not depend on the threads.
    constexpr std::size_t kGroup = 32;
    const std::size_t end = std::min(sample, asked + kQueriesPerRound);
    std::vector<QueryCounter> groups((end - asked + kGroup - 1) / kGroup,
                                     QueryCounter(*index, options, occupied));
    parallelFor(groups.size(), 1, [&](std::size_t g) {
      const std::size_t first = asked + g * kGroup;
      for (std::size_t i = first; i < std::min(end, first + kGroup) && !task.cancelled(); ++i) {
        if (queries.cells[i] != kNoCell) groups[g].ask(queries.positions[i], queries.cells[i]);
      }
    });
    if (task.cancelled()) return cancelledError();
    for (const QueryCounter& group : groups) {
      steps += group.steps();
      for (std::size_t k = 0; k < most; ++k) tallies[k] += group.tallies()[k];
    }
    asked = end;
  }

  CostModel model;
  model.dimensionOrder = options.order;
  model.sampled = asked;
  const double scale = double(n) / double(asked);
  for (std::size_t k = 1; k <= most; ++k) {
    const std::uint64_t cells = distinctPrefixes(*index, index->geometry.stride[k - 1]);
    const int depth = std::max(1, int(std::bit_width(cells - 1)));
    const Tally& tally = tallies[k - 1];
    model.costs.push_back(
        {.k = int(k),
         .cellSearchOps = searchStep * scale * (tally.searches * depth + tally.windows),
         .distanceOps = scale * tally.coordinates});
  }
  model.best = cheapestOf(model.costs);
  return model;
}

}  // namespace clusterloom
