#include "engine/cuda/product/pair_search.h"

#include <algorithm>

#include "engine/cuda/product/near_tiles.cuh"
#include "engine/product/rounded_points.h"

namespace clusterloom {
namespace {

/// Room for pairs that is little memory, and more of a point's than are worth to be listed where
/// most of them may be of no use.
constexpr std::uint64_t kLeastListed = 1 << 20;
constexpr std::uint64_t kListedOfPoint = 256;

/// Tiles of queries that are searched first, to see how many pairs are to be expected, or one in so
/// many.
constexpr std::uint32_t kTilesOfTrial = 32;

/// Tiles that hold a useful pair within ε, unless their balls or groups prove that none is.
struct WithinEps {
  ScaledEps eps;
  const std::uint32_t* groups = nullptr;  ///< by tile; null: all pairs are of use
  __device__ bool operator()(std::uint32_t a, std::uint32_t b, double least, double errors) const {
    if (groups != nullptr && PairGroups::areUseless(groups[a], groups[b])) return false;
    return !(least > outerReach(eps, errors));
  }
};

}  // namespace

PairSearch::PairSearch(GpuRun& run, const JoinInput& input, double eps, double squaredEps)
    : run_(run) {
  const Lease lease = run.lease();
  std::vector<std::shared_ptr<const DeviceCloud>> there{pointsOnDevice(run, input)};
  std::vector<const DeviceCloud*> clouds{there.front().get()};
  if (input.twoClouds) {
    there.push_back(std::make_shared<const DeviceCloud>(uploadCloud(run, input.queries)));
    clouds.push_back(there.back().get());
  }
  const DeviceRounding rounding = deviceRounding(run, clouds);
  points_ = roundOnDevice(run, there.front(), rounding);
  if (input.twoClouds) queries_ = roundOnDevice(run, there.back(), rounding);

  const std::size_t dims = input.points.dims();
  work_.multiplyWords = dims <= kWordDims;
  if (work_.multiplyWords) {
    splitWords(run, points_);
    if (queries_) splitWords(run, *queries_);
  }
  const std::uint64_t all = std::uint64_t{asking().size} * points_.size;
  // One tile of queries can always be listed.
  const std::uint64_t capacity =
      std::min(all, std::max({kLeastListed, std::uint64_t{kProductTile} * points_.size,
                              openPairsOfLaunch(asking().size, points_.size)}));
  found_ = DeviceBuffer<uint2>(lease, capacity);
  const std::uint64_t rowsAtOnce = std::clamp<std::uint64_t>(
      kNearBytes / sizeof(std::uint32_t) / points_.tiles, 1, asking().tiles);
  near_ = DeviceBuffer<std::uint32_t>(lease, rowsAtOnce * points_.tiles);
  length_ = DeviceBuffer<std::uint32_t>(lease, asking().tiles);
  head_ = DeviceBuffer<std::uint32_t>(lease, 1);
  const std::uint64_t openPairs = openPairsOfLaunch(asking().size, points_.size);
  open_ = DeviceBuffer<uint2>(lease, openPairs);
  if (!work_.multiplyWords) close_ = DeviceBuffer<uint2>(lease, openPairs);
  sums_ = DeviceBuffer<unsigned long long>(lease, 4);
  static_cast<TileSearch&>(work_) = {
      .queries = viewOf(asking()),
      .points = viewOf(points_),
      .dims = std::uint32_t(dims),
      .byteWidth = points_.byteWidth,
      .wordWidth = points_.wordWidth,
      .exactQueries = columnsOf(viewOf(asking())),
      .exactPoints = columnsOf(viewOf(points_)),
      .near = {.tiles = near_.data(), .length = length_.data(), .head = head_.data()},
      .open = {open_.data(), openPairs, sums_.data() + 2},
      .close = {close_.data(), openPairs, sums_.data() + 3},
      .stop = run.stop()};
  work_.oneCloud = !input.twoClouds;
  work_.byBytes = scaledEps(rounding.byteScale, eps, dims, largestDistanceOfBytes(dims));
  work_.byWords = scaledEps(rounding.wordScale, eps, dims, kLargestRoundedDistance);
  work_.reachOfWords = tileReach(work_.byWords, 2 * largestErrorOfWords(rounding.wordScale, dims));
  work_.squaredEps = squaredEps;
  work_.found = {found_.data(), capacity, sums_.data()};
}

PairSearch::Searched PairSearch::searchTiles(const Columns& columns, std::uint32_t first,
                                             std::uint32_t rows) {
  length_.fillBytes(0);
  head_.fillBytes(0);
  CUDA_CHECK(cudaMemsetAsync(sums_.data() + 1, 0, 3 * sizeof(unsigned long long), run_.stream()));
  listNearTiles(run_, asking(), points_,
                NearList{.first = first,
                         .rows = rows,
                         .fromOwn = oneCloud(),
                         .from = columns.from,
                         .to = columns.to,
                         .stride = columns.to - columns.from,
                         .tiles = near_.data(),
                         .length = length_.data(),
                         .pairs = sums_.data() + 1},
                WithinEps{work_.byBytes, work_.groups.ofTile});
  work_.near.first = first;
  work_.near.rows = rows;
  work_.near.stride = columns.to - columns.from;
  launchProductTiles(run_, work_, log_);
  const auto sums = run_.mailbox<unsigned long long>(3);
  CUDA_CHECK(cudaMemcpyAsync(sums.data(), sums_.data(), sums.size_bytes(), cudaMemcpyDeviceToHost,
                             run_.stream()));
  run_.wait();
  log_.settle();
  multiplied_ += sums[1];
  return {.listed = sums[0], .multiplied = sums[1], .open = sums[2]};
}

std::optional<std::uint64_t> PairSearch::searchAll(
    const Columns& columns, std::string_view stage,
    const std::function<bool(std::uint64_t)>& flush) {
  const std::uint32_t tiles = asking().tiles;
  auto rowsAtOnce =
      std::uint32_t(std::min<std::size_t>(tiles, near_.size() / (columns.to - columns.from)));
  std::uint64_t listed = 0;
  double pairsOfTile = 0;  // that the last tiles of queries had
  double openOfTile = 1;
  candidates_ = 0;
  sums_.fillBytes(0);
  const auto flushed = [&] {
    const bool goOn = flush(listed);
    listed = 0;
    sums_.fillBytes(0);
    return goOn;
  };
  for (std::uint32_t first = 0; first < tiles;) {
    // The list of pairs should not overflow: what overflows is searched again. Nor should that of
    // open ones.
    constexpr double kSpare = 1.25;
    const auto room = [&] { return double(work_.found.capacity - listed); };
    std::uint32_t rows = std::min({rowsAtOnce, tiles - first, kMostNearRows});
    if (first == 0) rows = std::min(rows, std::max(kTilesOfTrial, tiles / kTilesOfTrial));
    rows = std::uint32_t(
        std::clamp(double(work_.open.capacity) / (kSpare * openOfTile), 1.0, double(rows)));
    if (kSpare * pairsOfTile * rows > room() && listed > 0 && !flushed()) return std::nullopt;
    if (kSpare * pairsOfTile * rows > room())
      rows = std::uint32_t(std::max(1.0, room() / (kSpare * pairsOfTile)));
    const Searched now = searchTiles(columns, first, rows);
    if (now.listed <= work_.found.capacity) {
      pairsOfTile = double(now.listed - listed) / rows;
      openOfTile = std::max(1.0, double(now.open) / rows);
      listed = now.listed;
      candidates_ += now.multiplied;
      first += rows;
      run_.task().report(stage, double(first) / tiles);
    } else {
      if (listed == 0) rowsAtOnce = std::max(1U, rows / 2);
      if (!flushed()) return std::nullopt;
    }
  }
  return listed;
}

void PairSearch::forPairs(std::string_view stage, const Use& use) {
  if (kept_) return use(found_.data(), *kept_);
  bool all = true;
  const auto flush = [&](std::uint64_t listed) {
    if (listed > 0) use(found_.data(), listed);
    all = false;
    return true;
  };
  const auto listed = *searchAll({.to = points_.tiles}, stage, flush);
  if (listed > 0) use(found_.data(), listed);
  if (all) kept_ = listed;
}

TileSearch PairSearch::byIds() const {
  TileSearch search = work_;
  search.exactQueries.pointIds = search.exactPoints.pointIds = nullptr;
  return search;
}

bool PairSearch::listsAll(std::string_view stage) {
  const std::uint64_t room = work_.found.capacity;
  work_.found.capacity =
      std::min(room, std::max(kLeastListed, kListedOfPoint * std::uint64_t{points_.size}));
  kept_ = searchAll({.to = points_.tiles}, stage, [](std::uint64_t) { return false; });
  work_.found.capacity = room;
  return kept_.has_value();
}

void PairSearch::forUsefulPairs(std::string_view stage, const Group& group, const Use& use) {
  groupOfPoint_ = DeviceBuffer<std::uint32_t>(run_.lease(), points_.pointIds.size());
  groupOfTile_ = DeviceBuffer<std::uint32_t>(run_.lease(), points_.tiles);
  work_.groups = {groupOfPoint_.data(), groupOfTile_.data()};
  const auto flush = [&](std::uint64_t listed) {
    if (listed > 0) use(found_.data(), listed);
    return true;
  };
  for (Columns columns{.to = 1}; columns.from < points_.tiles;) {
    group(viewOf(points_), groupOfPoint_.data(), groupOfTile_.data());
    flush(*searchAll(columns, stage, flush));
    columns = {.from = columns.to, .to = std::min(points_.tiles, 2 * columns.to)};
  }
  work_.groups = {};
}

}  // namespace clusterloom
