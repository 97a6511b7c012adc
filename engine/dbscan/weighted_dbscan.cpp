#include "engine/dbscan/weighted_dbscan.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "engine/cloud/stratified_sample.h"
#include "engine/core/lower_case.h"
#include "engine/core/memory_budget.h"
#include "engine/core/parallel_for.h"
#include "engine/core/within_memory.h"
#include "engine/dbscan/labelling.h"

namespace clusterloom {

namespace {

Result<void> checkCall(const JoinInput& input, std::span<const double> weights,
                       const DbscanParams& params) {
  if (input.twoClouds) return badCall("DBSCAN clusters one cloud, not two.");
  if (auto valid = validate(input); !valid) return valid;
  if (params.minPts < 1)
    return badCall("minPts must be at least 1, not " + std::to_string(params.minPts) + ".");
  return checkWeights(weights, input.points.size());
}

/// These points among those of `input`, of which it keeps what it kept.
JoinInput among(const JoinInput& input, const PointCloud& queries) {
  JoinInput join(queries, input.points);
  join.prepared = input.prepared;
  return join;
}

/// The common inputs of the joins of one run.
struct Run {
  const Backend& backend;
  double eps;
  const Strategy& strategy;
  const Task& task;
  std::uint64_t mostPairs;

  /// The strategy where it is legal for such a join, else the standard one. A backend of another
  /// space may join one cloud as two.
  Strategy strategyFor(SinkKind sink, std::size_t dims) const {
    const auto legal = [&](JoinSides sides) {
      return checkStrategy(strategy, sink, backend.limits(), dims, sides).has_value();
    };
    return legal(JoinSides::OneCloud) && legal(JoinSides::TwoClouds) ? strategy : Strategy{};
  }
};

// The timeline becomes that of the first join that was predicted; where none was, of that with the
// most batches.
void addWork(RunStats& stats, const RunStats& more) {
  if (stats.predictions.empty() &&
      (!more.predictions.empty() || more.timeline.size() > stats.timeline.size())) {
    stats.timeline = more.timeline;
    stats.streamsReady = more.streamsReady;
  }
  stats.predictions.insert(stats.predictions.end(), more.predictions.begin(),
                           more.predictions.end());
  stats.kernels.insert(stats.kernels.end(), more.kernels.begin(), more.kernels.end());
  stats.distanceCalculations += more.distanceCalculations;
  stats.batches += more.batches;
  stats.seconds.index += more.seconds.index;
  stats.seconds.join += more.seconds.join;
  stats.seconds.label += more.seconds.label;
  stats.seconds.total += more.seconds.total;
  addNote(stats, more.note);
}

/// core[points[row]] from the weights of the row's neighbours.
void testCore(const NeighbourTable& table, std::span<const double> weights, double least,
              std::span<const std::uint32_t> points, std::vector<std::uint8_t>& core) {
  parallelFor(table.offsets.size() - 1, 1024, [&](std::size_t row) {
    double sum = 0;
    for (std::uint64_t i = table.offsets[row]; i < table.offsets[row + 1]; ++i)
      sum += weights[std::size_t(table.ids[i])];
    core[points[row]] = sum >= least ? 1 : 0;
  });
}

/// The points whose sums are needed to tell whether they are core; core[p] of the others. Where no
/// weight is negative, the number of neighbours often says enough: points with very many of them
/// would need very long rows.
std::vector<std::uint32_t> undecided(std::span<const std::uint32_t> counts,
                                     std::span<const double> weights, double least,
                                     std::vector<std::uint8_t>& core) {
  const auto [low, high] = std::minmax_element(weights.begin(), weights.end());
  std::vector<std::uint32_t> points;
  for (std::size_t p = 0; p < counts.size(); ++p) {
    // A sum of n doubles of one sign, rounded n − 1 times, is off by less than this share of it.
    const double error = 2 * counts[p] * 0x1p-53;
    const bool isCore = *low >= 0 && counts[p] * *low * (1 - error) >= least;
    const bool isNot = *low >= 0 && counts[p] * *high * (1 + error) < least;
    core[p] = isCore ? 1 : 0;
    if (!isCore && !isNot) points.push_back(std::uint32_t(p));
  }
  return points;
}

/// Whether each point is core.
Result<std::vector<std::uint8_t>> coreFlags(const Run& run, const JoinInput& input,
                                            std::span<const double> weights, std::int64_t minPts,
                                            RunStats& stats) {
  const std::size_t n = input.points.size();
  const std::size_t dims = input.points.dims();
  const auto least = double(minPts);
  const auto counts =
      run.backend.count(input, run.eps, run.strategyFor(SinkKind::Counts, dims), run.task);
  if (!counts) return tl::unexpected(counts.error());
  addWork(stats, counts->stats);
  const std::uint64_t most =
      std::max<std::uint64_t>(1, std::min(run.mostPairs, availableMemory() / 16));
  const Strategy strategy = run.strategyFor(SinkKind::NeighbourTable, dims);
  std::vector<std::uint8_t> core(n, 0);
  const std::vector<std::uint32_t> points = undecided(counts->counts, weights, least, core);
  const bool whole = points.size() == n && counts->pairs <= most;
  for (std::size_t begin = 0; begin < points.size();) {
    if (run.task.cancelled()) return cancelledError();
    std::size_t end = begin;
    for (std::uint64_t pairs = 0;
         end < points.size() && (end == begin || pairs + counts->counts[points[end]] <= most);
         ++end)
      pairs += counts->counts[points[end]];
    const std::span numbers = std::span(points).subspan(begin, end - begin);
    const PointCloud part = whole ? PointCloud{} : pointsOf(input.points, numbers);
    const auto table =
        run.backend.neighbourTable(whole ? input : among(input, part), run.eps, strategy, run.task);
    if (!table) return tl::unexpected(table.error());
    addWork(stats, table->stats);
    testCore(*table, weights, least, numbers, core);
    begin = end;
  }
  return core;
}

Result<Clustering> cluster(const Run& run, const JoinInput& input, std::span<const double> weights,
                           const DbscanParams& params, std::span<const std::uint8_t> neverCore) {
  const PointCloud& cloud = input.points;
  Clustering result;
  result.params = params;
  RunStats before;
  auto core = coreFlags(run, input, weights, params.minPts, before);
  if (!core) return tl::unexpected(core.error());
  for (std::size_t p = 0; p < neverCore.size(); ++p)
    if (neverCore[p] != 0) (*core)[p] = 0;
  std::vector<std::uint32_t> corePoints;
  std::vector<std::uint32_t> others;
  for (std::size_t p = 0; p < cloud.size(); ++p)
    ((*core)[p] != 0 ? corePoints : others).push_back(std::uint32_t(p));
  result.labels.assign(cloud.size(), kNoise);
  result.stats = before;
  if (!corePoints.empty()) {
    // The core points alone, all of them core: their clusters keep their numbers, because the
    // lowest core point of each stays the lowest.
    const PreparedCloud coreCloud(std::make_shared<const PointCloud>(pointsOf(cloud, corePoints)));
    auto clusters = run.backend.dbscan(coreCloud, {run.eps, 1}, run.strategy, run.task);
    if (!clusters) return tl::unexpected(clusters.error());
    result.clusters = clusters->clusters;
    for (std::size_t i = 0; i < corePoints.size(); ++i)
      result.labels[corePoints[i]] = clusters->labels[i];
    result.stats = clusters->stats;
    if (clusters->stats.owners) {
      std::vector<std::uint16_t> owners(cloud.size(), kOwnedByNone);
      for (std::size_t i = 0; i < corePoints.size(); ++i)
        owners[corePoints[i]] = (*clusters->stats.owners)[i];
      result.stats.owners = std::make_shared<const std::vector<std::uint16_t>>(std::move(owners));
    }
    addWork(result.stats, before);
    if (!others.empty()) {
      const PointCloud otherCloud = pointsOf(cloud, others);
      const auto borders =
          run.backend.lowestLabels(JoinInput(otherCloud, coreCloud), clusters->labels, run.eps,
                                   run.strategyFor(SinkKind::LowestLabels, cloud.dims()), run.task);
      if (!borders) return tl::unexpected(borders.error());
      for (std::size_t i = 0; i < others.size(); ++i) result.labels[others[i]] = borders->labels[i];
      addWork(result.stats, borders->stats);
    }
  }
  fillRoles(result, *core);
  return result;
}

}  // namespace

Result<void> checkWeights(std::span<const double> weights, std::size_t points,
                          const RowOfPoint& rowOf) {
  if (weights.size() != points)
    return badCall("There are " + std::to_string(weights.size()) + " weights for " +
                   std::to_string(points) + " points; each point needs one.");
  const auto bad =
      std::find_if(weights.begin(), weights.end(), [](double w) { return !std::isfinite(w); });
  if (bad == weights.end()) return {};
  const auto place = std::size_t(bad - weights.begin());
  return badCall("The weight of " + pointText(place, rowOf) + " is not a finite number.");
}

Result<const ColumnValues*> keptColumn(const Dataset& dataset, const std::string& name,
                                       const std::string& purpose) {
  // As readers do: by the name, else by the name in other letters, capital or small.
  for (const bool exact : {true, false}) {
    const auto named = [&](const Attribute& attribute) {
      return exact ? attribute.name == name : lowerCase(attribute.name) == lowerCase(name);
    };
    const auto count = std::ranges::count_if(dataset.attributes, named);
    if (count > 1) return badInput("more than one column is called " + name + ". Rename one.");
    if (count == 1) return &std::ranges::find_if(dataset.attributes, named)->values;
  }
  return badCall("there is no column " + name + " beside the coordinates to take " + purpose +
                 " from.");
}

Result<const ColumnValues*> weightColumn(const Dataset& dataset, const std::string& name) {
  auto column = keptColumn(dataset, name, "weights");
  if (column && isText(**column))
    return badInput("the column " + name + " holds text. Weights must be numbers.");
  return column;
}

Result<Clustering> dbscanOf(const Backend& backend, const JoinInput& input,
                            std::span<const double> weights, const DbscanParams& params,
                            const Strategy& strategy, const Task& task) {
  return weights.empty() ? backend.dbscan(input, params, strategy, task)
                         : weightedDbscan(backend, input, weights, params, strategy, task);
}

Result<Clustering> weightedDbscan(const Backend& backend, const JoinInput& input,
                                  std::span<const double> weights, const DbscanParams& params,
                                  const Strategy& strategy, const Task& task,
                                  std::span<const std::uint8_t> neverCore,
                                  std::uint64_t mostPairs) {
  if (auto fine = checkCall(input, weights, params); !fine) return tl::unexpected(fine.error());
  if (auto legal = checkStrategy(strategy, SinkKind::Dbscan, backend.limits(), input.points.dims());
      !legal)
    return tl::unexpected(legal.error());
  const Run run{backend, params.eps, strategy, task, mostPairs};
  return withinMemory([&] { return cluster(run, input, weights, params, neverCore); },
                      "There is no memory for the core points and the others of " +
                          std::to_string(input.points.size()) + " points.");
}

}  // namespace clusterloom
