#include "engine/dbscan/space_backends.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "engine/core/disjoint_sets.h"
#include "engine/core/parallel_for.h"
#include "engine/core/stopwatch.h"
#include "engine/core/within_memory.h"
#include "engine/dbscan/graph_labels.h"
#include "engine/dbscan/labelling.h"
#include "engine/forwarding_backend.h"
#include "engine/join/periodic_box.h"

namespace clusterloom {
namespace {

// The predicate admits differences up to ε(1 + 2^-52); images that are not needed do no harm.
constexpr double kReach = 1 + 0x1p-50;
// Where many dimensions are periodic, there can be thousands of images within 2ε for each point,
// and DBSCAN of all of them takes longer than to list the pairs of points within ε.
constexpr double kManyImages = 16;
constexpr double kFewPairsOfImage = 32;

/// The points of a run: those that ask, and those that are found, with their images.
struct BoxInput {
  PointCloud queries;  ///< empty where only `found` is needed
  CloudWithImages found;
  std::size_t points = 0;  ///< of `found`; the others are images

  std::int32_t originalOf(std::int32_t q) const {
    const auto i = std::size_t(q);
    return i < points ? q : std::int32_t(found.originals[i - points]);
  }
};

/// Names the points of `ids[begin, end)` by their originals and sorts them again.
template <class Id, class Replace>
void renameRow(Id* begin, Id* end, const Replace& replace) {
  bool changed = false;
  for (Id* id = begin; id < end; ++id) changed = replace(*id) || changed;
  if (changed) std::sort(begin, end);
}

class PeriodicBackend : public JoinsBy<PeriodicBackend, ForwardingBackend> {
 public:
  PeriodicBackend(std::shared_ptr<const Backend> backend, std::vector<double> periods)
      : JoinsBy(std::move(backend)), periods_(std::move(periods)) {}

  template <class T>
  Result<T> join(const JoinCall<T>& call) const {
    return inBox(call);
  }
  Result<LowestLabels> join(const JoinCall<LowestLabels>& call) const {
    if (auto fine = checkLabels(call.input, call.labels); !fine)
      return tl::unexpected(fine.error());
    return inBox(call);
  }
  Result<Clustering> join(const JoinCall<Clustering>& call) const {
    if (call.input.twoClouds) return badCall("DBSCAN clusters one cloud, not two.");
    if (auto legal = call.checkFor(limits()); !legal) return tl::unexpected(legal.error());
    return withinMemory(
        [&] { return cluster(call.input, call.params(), call.strategy, call.task); },
        noMemoryFor(call.input));
  }

  Result<LoadReport> load(const PointCloud&, double, const Strategy&, const LoadRequest&,
                          const Task&) const override {
    return badCall(
        "The load of warps can be modelled only without periods; leave the periods out.");
  }

 private:
  static std::string noMemoryFor(const JoinInput& input) {
    return "There is no memory for the images of " + std::to_string(input.points.size()) +
           " points in a periodic box.";
  }

  struct Wrapped {
    PeriodicBox box;
    PointCloud points;
  };

  Result<Wrapped> wrap(const JoinInput& input, double eps, const Task& task) const {
    if (auto valid = validate(input); !valid) return tl::unexpected(valid.error());
    auto box = makePeriodicBox(periods_, input.points);
    if (!box) return tl::unexpected(box.error());
    if (auto fine = checkEps(*box, eps, input.points.names); !fine)
      return tl::unexpected(fine.error());
    auto points = wrapped(input.points, *box, task);
    if (!points) return tl::unexpected(points.error());
    return Wrapped{std::move(*box), std::move(*points)};
  }

  /// The points that ask and the others with their images within ε of the box, wrapped.
  Result<BoxInput> prepare(const JoinInput& input, double eps, const Task& task) const {
    auto here = wrap(input, eps, task);
    if (!here) return tl::unexpected(here.error());
    auto asking = input.twoClouds ? wrapped(input.queries, here->box, task) : here->points;
    if (!asking) return tl::unexpected(asking.error());
    auto found = withImages(std::move(here->points), here->box, eps * kReach, task);
    if (!found) return tl::unexpected(found.error());
    return BoxInput{std::move(*asking), std::move(*found), input.points.size()};
  }

  /// A join of the wrapped points with those and the images within ε, with the time of both.
  template <class T>
  Result<T> inBox(const JoinCall<T>& call) const {
    const Stopwatch watch;
    JoinArguments two = call;
    two.input.twoClouds = true;
    if (auto legal = two.checkFor(limits()); !legal)
      return fail(legal.error().kind,
                  "A periodic box joins points with points and images, as two clouds: " +
                      legal.error().message);
    return withinMemory(
        [&]() -> Result<T> {
          const auto box = prepare(call.input, call.eps, call.task);
          if (!box) return tl::unexpected(box.error());
          JoinCall<T> there = call.with(JoinInput(box->queries, box->found.cloud));
          std::vector<std::int32_t> labels;
          if (call.sink == SinkKind::LowestLabels) {
            labels.assign(call.labels.begin(), call.labels.end());
            labels.reserve(box->found.cloud.size());
            for (const std::uint32_t p : box->found.originals) labels.push_back(call.labels[p]);
            there.labels = labels;
          }
          Result<T> result = there.on(backend());
          if (result && !rename(*result, *box, call.task)) return cancelledError();
          if (result) result->stats.seconds.total = watch.seconds();
          return result;
        },
        noMemoryFor(call.input));
  }

  /// Names points by their originals in a result that names points; false where it was stopped.
  template <class T>
  static bool rename(T&, const BoxInput&, const Task&) {
    return true;
  }

  static bool rename(NeighbourTable& table, const BoxInput& box, const Task& task) {
    parallelForBlocks(table.offsets.size() - 1, 1024, [&](std::size_t begin, std::size_t end) {
      for (std::size_t p = begin; p < end && !task.cancelled(); ++p)
        renameRow(table.ids.data() + table.offsets[p], table.ids.data() + table.offsets[p + 1],
                  [&](std::int32_t& q) {
                    return std::exchange(q, box.originalOf(q)) >= std::int64_t(box.points);
                  });
    });
    return !task.cancelled();
  }

  static bool rename(PairList& list, const BoxInput& box, const Task& task) {
    constexpr std::size_t kQueriesAtOnce = 1024;
    // Where the rows of each kQueriesAtOnce queries begin, found before any pair changes.
    std::vector<std::size_t> begins;
    for (std::size_t p = 0; p < box.queries.size() + kQueriesAtOnce; p += kQueriesAtOnce)
      begins.push_back(std::size_t(
          std::partition_point(list.pairs.begin(), list.pairs.end(),
                               [p](const Pair& pair) { return std::size_t(pair.p) < p; }) -
          list.pairs.begin()));
    parallelFor(begins.size() - 1, 1, [&](std::size_t i) {
      Pair* row = list.pairs.data() + begins[i];
      Pair* const last = list.pairs.data() + begins[i + 1];
      while (row < last && !task.cancelled()) {
        Pair* const end =
            std::find_if(row, last, [p = row->p](const Pair& pair) { return pair.p != p; });
        renameRow(row, end, [&](Pair& pair) {
          return std::exchange(pair.q, box.originalOf(pair.q)) >= std::int64_t(box.points);
        });
        row = end;
      }
    });
    return !task.cancelled();
  }

  Result<Clustering> cluster(const JoinInput& input, const DbscanParams& params,
                             const Strategy& strategy, const Task& task) const {
    const Stopwatch watch;
    const double reach = 2 * params.eps * kReach;
    auto here = wrap(input, params.eps, task);
    if (!here) return tl::unexpected(here.error());
    const std::size_t points = here->points.size();
    if (params.minPts >= 1)
      if (auto noise = withoutCorePoints(points, params)) return std::move(*noise);
    const double images = pointsWithImages(here->points, here->box, reach, task);
    if (images > kManyImages * double(points) && params.minPts >= 1) {
      auto byTable = clusterByTable(input, params, kFewPairsOfImage * images, task);
      if (byTable || byTable.error().kind == ErrorKind::Cancelled) return byTable;
    }
    auto found = withImages(std::move(here->points), here->box, reach, task);
    if (!found) return tl::unexpected(found.error());
    const BoxInput box{{}, std::move(*found), points};
    auto all = backend().dbscan(box.found.cloud, params, strategy, task);
    if (!all || box.found.originals.empty()) return all;
    if (task.cancelled()) return cancelledError();
    Clustering result;
    result.params = params;
    result.stats = std::move(all->stats);
    if (result.stats.owners)
      result.stats.owners = std::make_shared<const std::vector<std::uint16_t>>(
          result.stats.owners->begin(), result.stats.owners->begin() + std::ptrdiff_t(box.points));
    const std::vector<std::int32_t> numbers = mergedNumbers(*all, box, result.clusters);
    if (auto done = number(*all, box, numbers, strategy, result, task); !done)
      return tl::unexpected(done.error());
    result.stats.seconds.total = watch.seconds();
    return result;
  }

  /// TooLarge where there are `mostPairs` pairs or more, or too many images within ε.
  Result<Clustering> clusterByTable(const JoinInput& input, const DbscanParams& params,
                                    double mostPairs, const Task& task) const {
    const Stopwatch watch;
    const auto box = prepare(input, params.eps, task);
    if (!box) return tl::unexpected(box.error());
    const JoinInput both(box->queries, box->found.cloud);
    const auto counts = backend().count(both, params.eps, {}, task);
    if (!counts) return tl::unexpected(counts.error());
    if (double(counts->pairs) >= mostPairs) return tooLarge("There are too many pairs to list.");
    auto table = backend().neighbourTable(both, params.eps, {}, task);
    if (!table) return tl::unexpected(table.error());
    if (!rename(*table, *box, task)) return cancelledError();
    const double joined = watch.seconds();
    auto result = clusteringOf(TableRows{table->offsets, table->ids}, params, task);
    if (!result) return result;
    result->stats = std::move(table->stats);
    result->stats.seconds.total = watch.seconds();
    result->stats.seconds.label = result->stats.seconds.total - joined;
    return result;
  }

  /// The number of each cluster of the points with images, once those are one that share a core
  /// point: an image that was found to be core is core, and so is its original. Images beyond ε of
  /// the box may be core without being found so; images within ε decide every pair that crosses a
  /// face of the box.
  static std::vector<std::int32_t> mergedNumbers(const Clustering& all, const BoxInput& box,
                                                 std::int32_t& clusters) {
    std::vector<std::uint32_t> sets(std::size_t(all.clusters));
    std::iota(sets.begin(), sets.end(), 0u);
    SerialLane lane;
    for (std::size_t i = 0; i < box.found.originals.size(); ++i)
      if (all.roles[box.points + i] == PointRole::Core)
        unite(lane, sets.data(), std::uint32_t(all.labels[box.points + i]),
              std::uint32_t(all.labels[box.found.originals[i]]));
    std::vector<std::int32_t> numbers(sets.size(), kNoise);
    clusters = 0;
    // Every cluster has the original of a core point. The clusters of originals come first among
    // `all`, by their lowest core point, which is therefore that of the lowest member of a set.
    for (std::uint32_t c = 0; c < numbers.size(); ++c) {
      const std::uint32_t root = findRoot(lane, sets.data(), c);
      numbers[c] = root == c ? clusters++ : numbers[root];
    }
    return numbers;
  }

  /// Labels, roles and counts of the originals.
  Result<void> number(const Clustering& all, const BoxInput& box,
                      const std::vector<std::int32_t>& numbers, const Strategy& strategy,
                      Clustering& result, const Task& task) const {
    std::vector<std::uint8_t> core(box.points);
    std::vector<std::uint32_t> borders;
    result.labels.resize(box.points);
    for (std::size_t p = 0; p < box.points; ++p) {
      if (p % 65536 == 0 && task.cancelled()) return cancelledError();
      core[p] = all.roles[p] == PointRole::Core ? 1 : 0;
      result.labels[p] = all.labels[p] < 0 ? kNoise : numbers[std::size_t(all.labels[p])];
      if (all.roles[p] == PointRole::Border) borders.push_back(std::uint32_t(p));
    }
    // The lowest of the clusters around a border point is still the lowest where merging has kept
    // their order.
    if (!borders.empty() && !std::is_sorted(numbers.begin(), numbers.end()))
      if (auto done = labelBorders(all, box, numbers, borders, strategy, result, task); !done)
        return done;
    fillRoles(result, core);
    return {};
  }

  Result<void> labelBorders(const Clustering& all, const BoxInput& box,
                            const std::vector<std::int32_t>& numbers,
                            const std::vector<std::uint32_t>& borders, const Strategy& strategy,
                            Clustering& result, const Task& task) const {
    std::vector<std::int32_t> coreNumbers(all.labels.size(), kNoise);
    for (std::size_t p = 0; p < coreNumbers.size(); ++p)
      if (all.roles[p] == PointRole::Core) coreNumbers[p] = numbers[std::size_t(all.labels[p])];
    PointCloud asking;
    asking.names = box.found.cloud.names;
    for (const auto& column : box.found.cloud.columns) {
      std::vector<double>& values = asking.columns.emplace_back();
      values.reserve(borders.size());
      for (const std::uint32_t p : borders) values.push_back(column[p]);
    }
    const bool legal = checkStrategy(strategy, SinkKind::LowestLabels, limits(), asking.dims(),
                                     JoinSides::TwoClouds)
                           .has_value();
    const auto found =
        backend().lowestLabels(JoinInput(asking, box.found.cloud), coreNumbers, result.params.eps,
                               legal ? strategy : Strategy{}, task);
    if (!found) return tl::unexpected(found.error());
    for (std::size_t i = 0; i < borders.size(); ++i) result.labels[borders[i]] = found->labels[i];
    result.stats.distanceCalculations += found->stats.distanceCalculations;
    result.stats.batches += found->stats.batches;
    result.stats.seconds.index += found->stats.seconds.index;
    result.stats.seconds.join += found->stats.seconds.join;
    return {};
  }

  std::vector<double> periods_;
};

}  // namespace

std::unique_ptr<Backend> makePeriodicBackend(std::shared_ptr<const Backend> backend,
                                             std::vector<double> periods) {
  return std::make_unique<PeriodicBackend>(std::move(backend), std::move(periods));
}

}  // namespace clusterloom
