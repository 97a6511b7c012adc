#include "engine/cuda/product/nearest_search.h"

#include <algorithm>
#include <span>
#include <utility>

#include "engine/cuda/product/near_tiles.cuh"
#include "engine/cuda/product/nearest_kernels.h"
#include "engine/cuda/runtime/gpu_phase.h"
#include "engine/cuda/runtime/staged_copies.h"

namespace clusterloom {
namespace {

/// Tiles in which a point of one may be a neighbour of a point of the other.
struct MayBeNeighbours {
  const double* outer;  ///< by tile
  __device__ bool operator()(std::uint32_t a, std::uint32_t b, double least, double errors) const {
    return !(least > outerReach({.outer = fmax(outer[a], outer[b])}, errors));
  }
};

class NearestSearch {
 public:
  NearestSearch(GpuRun& run, std::shared_ptr<const DeviceCloud> cloud, int k);
  /// False where it gives up (NearestByProducts::mayGiveUp).
  bool run(bool mayGiveUp);
  /// What has been found; the search is over then.
  NearestThere result();
  KernelLog& log() { return log_; }

 private:
  // Of a band, each tile with those that follow it by from … to − 1.
  /// Compares the points of these tiles.
  void search(const TileBand& band);
  /// Pairs that bytes leave open, and waits; more than the list holds are of no use.
  struct Listed {
    std::uint64_t open = 0;
    std::uint64_t multiplied = 0;  ///< ordered pairs of points
  };
  Listed listOpen(const TileBand& band);
  /// Tiles of queries whose open pairs the list should hold.
  std::uint32_t rowsAtOnce(std::uint32_t width) const;

  GpuRun& run_;
  DeviceRounding rounding_;
  RoundedCloud points_;
  DeviceBuffer<std::uint32_t> ids_;
  DeviceBuffer<double> squared_;
  DeviceBuffer<std::uint32_t> counts_;
  DeviceBuffer<double> last_;
  DeviceBuffer<std::uint32_t> locks_;
  DeviceBuffer<std::int32_t> byteReaches_;
  DeviceBuffer<double> wordReaches_;
  DeviceBuffer<std::uint32_t> idReaches_;
  DeviceBuffer<double> tileReaches_;
  SelfSearchRoom room_;
  NearestWork work_;
  double openOfTiles_ = double(kProductTile) * kProductTile;  ///< pairs of two tiles, lately
  double openOfPairs_ = 1;  ///< share of the pairs that were multiplied, lately
  KernelLog log_;
};

NearestSearch::NearestSearch(GpuRun& run, std::shared_ptr<const DeviceCloud> cloud, int k)
    : run_(run) {
  const Lease lease = run.lease();
  rounding_ = deviceRounding(run, {cloud.get()});
  const std::size_t n = cloud->size;
  const std::size_t dims = cloud->dims;
  points_ = roundOnDevice(run, std::move(cloud), rounding_);
  const std::size_t places = std::size_t{points_.tiles} * kProductTile;
  const std::size_t entries = n * std::size_t(k);
  ids_ = DeviceBuffer<std::uint32_t>(lease, entries);
  squared_ = DeviceBuffer<double>(lease, entries);
  counts_ = DeviceBuffer<std::uint32_t>(lease, n);
  last_ = DeviceBuffer<double>(lease, n);
  locks_ = DeviceBuffer<std::uint32_t>(lease, n);
  byteReaches_ = DeviceBuffer<std::int32_t>(lease, places);
  wordReaches_ = DeviceBuffer<double>(lease, places);
  idReaches_ = DeviceBuffer<std::uint32_t>(lease, places);
  tileReaches_ = DeviceBuffer<double>(lease, points_.tiles);
  room_ = roomForSearch(run, points_);
  // Rows are read many times as fast as columns, and leave some memory to others.
  if (2 * n * dims * sizeof(double) < run.device().freeMemory()) {
    room_.exact = DeviceBuffer<double>(lease, n * dims);
    launchExactRows(run, viewOf(points_), std::uint32_t(dims), room_.exact.data());
  }
  static_cast<SelfSearch&>(work_) = selfSearch(run, points_, rounding_, room_);
  work_.rows = {ids_.data(),  squared_.data(), counts_.data(),
                last_.data(), locks_.data(),   std::uint32_t(k)};
  work_.reaches = {.bytes = byteReaches_.data(),
                   .words = wordReaches_.data(),
                   .ids = idReaches_.data(),
                   .tiles = tileReaches_.data()};
}

NearestSearch::Listed NearestSearch::listOpen(const TileBand& band) {
  room_.sums.fillBytes(0);
  beginBand(run_, work_, room_, band);
  listNearTiles(run_, points_, points_,
                NearList{.first = band.first,
                         .rows = band.rows,
                         .fromOwn = true,
                         .from = band.from,
                         .to = band.to,
                         .stride = work_.near.stride,
                         .tiles = room_.near.data(),
                         .length = room_.length.data(),
                         .pairs = room_.sums.data() + 2},
                MayBeNeighbours{tileReaches_.data()});
  launchNearestTiles(run_, work_, log_);
  const auto sums = run_.mailbox<unsigned long long>(3);
  room_.sums.download(sums);
  run_.wait();
  log_.settle();
  return {.open = sums[0], .multiplied = sums[2]};
}

std::uint32_t NearestSearch::rowsAtOnce(std::uint32_t width) const {
  constexpr double kSpare = 1.25;
  const double room = double(work_.open.capacity) / (kSpare * openOfTiles_ * width);
  return std::uint32_t(
      std::clamp(room, 1.0, double(std::max<std::size_t>(1, room_.near.size() / width))));
}

void NearestSearch::search(const TileBand& band) {
  const Listed listed = listOpen(band);
  if (listed.open <= work_.open.capacity) {
    launchNeighbours(run_, work_, listed.open, log_);
    launchReaches(run_, work_);
    openOfTiles_ = std::max(1.0, double(listed.open) / band.rows / (band.to - band.from));
    openOfPairs_ = 2 * double(listed.open) / double(std::max<std::uint64_t>(1, listed.multiplied));
    return;
  }
  // Two tiles always fit.
  for (const TileBand& half : halvesOf(band)) search(half);
}

bool NearestSearch::run(bool mayGiveUp) {
  // The least number of tiles that points have then been compared with.
  constexpr std::uint32_t kTilesOfTrial = 32;
  constexpr double kUseless = 0.5;
  launchEmptyRows(run_, work_);
  launchReaches(run_, work_);
  const std::uint32_t tiles = points_.tiles;
  const double all = double(tiles) * (tiles + 1) / 2;
  double done = 0;
  // The first round fills the rows.
  std::uint32_t to = work_.rows.others() / kProductTile + 1;
  for (std::uint32_t from = 0; from < tiles; from = std::exchange(to, 2 * to)) {
    if (mayGiveUp && from >= kTilesOfTrial && openOfPairs_ > kUseless) return false;
    to = std::min(to, tiles);
    for (std::uint32_t first = 0; first + from < tiles;) {
      const std::uint32_t rows =
          std::min({rowsAtOnce(to - from), tiles - from - first, kMostNearRows});
      search({first, rows, from, to});
      first += rows;
      done += double(rows) * (to - from);
      run_.task().report("finding neighbours", std::min(1.0, done / all));
    }
  }
  launchSortedRows(run_, work_);
  return true;
}

NearestThere NearestSearch::result() {
  return {.points = std::move(points_),
          .rounding = std::move(rounding_),
          .k = work_.rows.k,
          .ids = std::move(ids_),
          .squared = std::move(squared_),
          .room = std::move(room_)};
}

}  // namespace

std::optional<NearestThere> findNearestByProducts(GpuRun& run,
                                                  std::shared_ptr<const DeviceCloud> cloud, int k,
                                                  const NearestByProducts& options) {
  const GpuPhase phase("nearest neighbours", run.task());
  NearestSearch search(run, std::move(cloud), k);
  if (!search.run(options.mayGiveUp)) return std::nullopt;
  if (options.kernels != nullptr) {
    run.wait();
    *options.kernels = search.log().stats();
  }
  return search.result();
}

void takeOrder(GpuRun& run, NearestThere& there) {
  roundInOrder(run, there.points, there.rounding);
  if (there.room.exact.size() > 0)
    launchExactRows(run, viewOf(there.points), std::uint32_t(there.points.cloud->dims),
                    there.room.exact.data());
}

std::optional<NearestNeighbours> nearestByProductsOnGpu(GpuRun& run,
                                                        std::shared_ptr<const DeviceCloud> cloud,
                                                        int k, const NearestByProducts& options) {
  const auto there = findNearestByProducts(run, std::move(cloud), k, options);
  if (!there) return std::nullopt;
  NearestNeighbours found;
  found.points = there->points.size;
  found.k = int(there->k);
  found.ids.resize(there->ids.size());
  found.squaredDistances.resize(there->squared.size());
  const StagedDownload parts[] = {
      {there->ids.data(), std::as_writable_bytes(std::span(found.ids))},
      {there->squared.data(), std::as_writable_bytes(std::span(found.squaredDistances))}};
  downloadStaged(run, parts);
  return found;
}

}  // namespace clusterloom
