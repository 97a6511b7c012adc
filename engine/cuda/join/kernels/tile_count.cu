#include "engine/cuda/join/kernels/tile_count.h"

#include <algorithm>
#include <bit>
#include <memory>

#include "engine/core/large_pages.h"
#include "engine/core/stopwatch.h"
#include "engine/cuda/grid/device_geometry.h"
#include "engine/cuda/grid/point_order.h"
#include "engine/cuda/runtime/cuda_lane.h"
#include "engine/cuda/runtime/device_algorithms.h"
#include "engine/cuda/runtime/gpu_phase.h"
#include "engine/cuda/runtime/launch.h"
#include "engine/grid/row_window.h"
#include "engine/join/tile_program.h"

namespace clusterloom {
namespace {

constexpr int kMostDims = 34;

// Largest offset of a candidate from the first query of its tile in any dimension. In the slow
// indexed dimensions both are of one cell or of adjacent ones. In the fastest the tile spans
// kTileSpan cells and the candidates one more; among slices each of these cells holds points, and
// from one to the next is a step of at most `pairSpan`. Elsewhere anything.
double largestOffset(const CellGeometry& geometry, const Bounds& bounds, double eps) {
  double radius = eps;
  for (std::size_t j = 0; j < bounds.low.size(); ++j) {
    double offset = bounds.high[j] - bounds.low[j];
    for (std::size_t i = 0; i < geometry.dims.size(); ++i)
      if (geometry.dims[i] == int(j)) {
        const bool fastest = i + 1 == geometry.dims.size();
        const double steps = !fastest                ? 1.0
                             : geometry.hasSlices(i) ? kTileSpan + 1.0
                                                     : kTileSpan / 2.0 + 1.0;
        offset = std::min(offset, 1.01 * steps * geometry.pairSpan[i]);
      }
    radius = std::max(radius, offset);
  }
  return radius;
}

// Position p where a run of kTileSpan cells of one row begins, else 0. `gapless`: a run also ends
// where a cell of the row holds no points.
__global__ void markSpans(const std::uint64_t* cellIds, const std::uint32_t* cellOf, std::size_t n,
                          std::uint64_t rowLength, bool gapless, std::uint32_t* spanStart) {
  const std::size_t p = threadNumber();
  if (p >= n) return;
  bool starts = p == 0;
  if (p > 0 && cellOf[p] != cellOf[p - 1]) {
    const std::uint64_t mine = cellIds[cellOf[p]];
    const std::uint64_t before = cellIds[cellOf[p - 1]];
    starts = mine / rowLength != before / rowLength ||
             mine % rowLength / kTileSpan != before % rowLength / kTileSpan ||
             (gapless && mine != before + 1);
  }
  spanStart[p] = starts ? std::uint32_t(p) : 0;
}

__global__ void markTiles(const std::uint32_t* spanStart, std::size_t n, std::uint32_t queries,
                          std::uint8_t* isTile) {
  const std::size_t p = threadNumber();
  if (p < n) isTile[p] = (p - spanStart[p]) % queries == 0;
}

__global__ void closeTiles(std::uint32_t* tileStart, const std::uint32_t* tiles, std::size_t n) {
  tileStart[*tiles] = std::uint32_t(n);
}

// Blocks of 128 threads that a multiprocessor's registers should serve at once: enough to hide the
// way from memory to the matrix units without driving what is used in the loop out of registers.
constexpr int blocksAtOnce(int fragments, int sixteens) {
  if (fragments > 2) return sixteens == 1 ? 3 : 2;
  return sixteens == 1 ? 5 : sixteens == 2 ? 4 : 3;
}

// The order in which tiles are counted: that of their numbers where there is no list.
struct TileOrder {
  const std::uint32_t* tiles;
  const std::uint32_t* size;
};

// By tile: the number of bits of its pairs of a query and a candidate.
__global__ void weighTiles(const __grid_constant__ TileView v, std::uint32_t tiles,
                           std::uint64_t* weights, std::uint32_t* order) {
  const std::size_t t = threadNumber();
  if (t >= tiles) return;
  const std::uint32_t first = v.tileStart[t];
  const std::uint32_t end = v.tileStart[t + 1];
  const std::uint64_t low = v.cellIds[v.cellOf[first]] - 1;
  const std::uint64_t high = v.cellIds[v.cellOf[end - 1]] + 2;
  std::uint64_t candidates = 0;
  for (std::uint32_t row = 0; row < v.rows; ++row) {
    const auto offset = std::uint64_t(v.rowOffsets[row]);
    candidates +=
        v.cellStart[firstCellFrom(v, high + offset)] - v.cellStart[firstCellFrom(v, low + offset)];
  }
  weights[t] = std::uint64_t(64 - __clzll(static_cast<long long>(candidates * (end - first))));
  order[t] = std::uint32_t(t);
}

// The tiles, heaviest first, or the last ones of a part would keep few warps busy; those of about
// the same weight in cell order, as they share candidates. Waits for their number.
DeviceBuffer<std::uint32_t> heaviestFirst(GpuRun& run, const TileView& v,
                                          const DeviceBuffer<std::uint32_t>& tiles) {
  const auto number = run.mailbox<std::uint32_t>(1);
  tiles.download(number);
  run.wait();
  const std::uint32_t count = number[0];
  DeviceBuffer<std::uint64_t> weights(run.lease(), count);
  DeviceBuffer<std::uint32_t> order(run.lease(), count);
  weighTiles<<<blocksFor(count), kBlockSize, 0, run.stream()>>>(v, count, weights.data(),
                                                                order.data());
  CUDA_CHECK_LAUNCH();
  sortByKeyDescending(run.lease(), weights, order, std::bit_width(64U));
  return order;
}

// Warps draw tiles from one head, so that heavy tiles delay no others. Takes every parts-th tile of
// the order, of those with more than `above` and at most 16·T queries; other launches take the
// rest.
template <int K, int T>
__global__ void __launch_bounds__(128, blocksAtOnce(K, T))
    countTiles(const __grid_constant__ TileView v, TileOrder order, std::uint32_t* head,
               std::uint32_t above, QueryPart part) {
  CudaLane lane;
  for (;;) {
    std::uint32_t place = 0;
    if (lane.id() == 0) place = lane.load(v.stop) == 0 ? atomicAdd(head, 1U) : 0xffffffffU;
    place = __shfl_sync(0xffffffffU, place, 0);
    if (place >= (*order.size + part.parts - 1 - part.part) / part.parts) return;
    place = place * part.parts + part.part;
    const std::uint32_t tile = order.tiles == nullptr ? place : order.tiles[place];
    const std::uint32_t queries = v.tileStart[tile + 1] - v.tileStart[tile];
    if (queries > above && queries <= 16 * T) tile::countTile<K, T>(lane, v, tile);
  }
}

// Full tiles of 16·T queries are worth the most; in sparse rows most are not full, and fewer
// queries at once then waste less.
//
// A kernel's first use loads it, and that waits until nothing runs: all are loaded, by asking for
// their occupancy, before the first is launched, or the caller could not react to a stop meanwhile.
template <int K, int T>
void launch(GpuRun& run, const TileView& v, const TileOrder& order, std::uint32_t* heads,
            QueryPart part) {
  int blocks = 0;
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, countTiles<K, 1>, 128, 0));
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &blocks, (countTiles < K, T == 4 ? 2 : 1 >), 128, 0));
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, countTiles<K, T>, 128, 0));
  constexpr std::uint32_t above = T == 1 ? 0 : 8 * T;
  countTiles<K, T><<<unsigned(blocks * run.device().multiprocessors()), 128, 0, run.stream()>>>(
      v, order, heads, above, part);
  CUDA_CHECK_LAUNCH();
  if constexpr (T > 1) launch<K, T / 2>(run, v, order, heads + 1, part);
}

// 16·T queries a tile at most: as many as the registers hold.
constexpr int mostSixteens(int fragments) { return fragments <= 2 ? 4 : fragments <= 5 ? 2 : 1; }

template <int K>
void launchFor(GpuRun& run, const TileView& v, const TileOrder& order, std::uint32_t* heads,
               QueryPart part) {
  launch<K, mostSixteens(K)>(run, v, order, heads, part);
}

int fragmentsFor(std::size_t dims) {
  const std::size_t needed = (dims + 4) / 4;
  return needed <= 3 ? int(needed) : needed <= 5 ? 5 : 9;
}

// The candidates of the full pattern for the points of each cell, summed.
__global__ void sumCandidates(const __grid_constant__ TileView v, const std::uint32_t* cellCount,
                              unsigned long long* sum) {
  const std::size_t c = threadNumber();
  unsigned long long candidates = 0;
  if (c < *cellCount) {
    for (std::uint32_t row = 0; row < v.rows; ++row) {
      const std::uint64_t centre = v.cellIds[c] + std::uint64_t(v.rowOffsets[row]);
      candidates +=
          v.cellStart[firstCellFrom(v, centre + 2)] - v.cellStart[firstCellFrom(v, centre - 1)];
    }
    candidates *= v.cellStart[c + 1] - v.cellStart[c];
  }
  for (int apart = 16; apart > 0; apart /= 2)
    candidates += __shfl_xor_sync(0xffffffffU, candidates, apart);
  if (threadIdx.x % 32 == 0 && candidates != 0) atomicAdd(sum, candidates);
}

TileView viewOf(const CellLists& lists, double squaredEps, const std::int64_t* rowOffsets,
                std::uint32_t rows) {
  TileView v;
  v.ordered = lists.ordered.data();
  v.size = lists.size;
  v.dims = int(lists.dims);
  v.squaredEps = squaredEps;
  v.cellIds = lists.cellIds.data();
  v.cellStart = lists.cellStart.data();
  v.cellOf = lists.cellOf.data();
  v.bucketFirst = lists.bucketFirst.data();
  v.bucketShift = lists.bucketShift;
  v.rowOffsets = rowOffsets;
  v.rows = rows;
  return v;
}

bool askedFor(const JoinPlan& plan) {
  const Strategy& s = plan.strategy;
  return s.method == Method::Grid && s.pattern == AccessPattern::Tile &&
         s.order == QueryOrder::Cell && s.threadsPerPoint == 1 && s.batchPairs == 0 &&
         s.blockSize == 0 && s.streams == 0 && s.sortIdu == Toggle::Off &&
         s.precision == Precision::Double;
}

// Rows of kTileSpan cells as cells of a coarser grid.
CellGeometry rowsOfSpans(CellGeometry geometry) {
  geometry.side.back() *= kTileSpan;
  std::vector<double>& bounds = geometry.slices.back();
  std::vector<double> coarse;
  for (std::size_t s = 0; s + 1 < bounds.size(); s += kTileSpan) coarse.push_back(bounds[s]);
  if (!bounds.empty()) coarse.push_back(bounds.back());
  bounds = std::move(coarse);
  return geometry;
}

// A tile takes 16 queries of a row at once; where the rows of 32 cells in which most points are
// hold fewer points than half of that, the matrix units mostly multiply nothing.
constexpr double kPointsPerSpan = 8;

}  // namespace

bool tilesCanCount(const CellLists& lists, const Bounds& bounds, double eps, double squaredEps) {
  const int n = int(lists.dims);
  const double radius = largestOffset(lists.geometry, bounds, eps);
  // Squares must neither vanish nor reach the value that means "no pair".
  return n <= kMostDims && lists.geometry.reach == 1 && eps > 1e-140 && radius < 1e140 &&
         tileBand(n, radius) < 0.01 * squaredEps;
}

void countByTiles(GpuRun& run, const CellLists& lists, const Bounds& bounds, double eps,
                  double squaredEps, DeviceBuffer<std::uint32_t>& counts, QueryPart part) {
  const Lease lease = run.lease();
  const cudaStream_t stream = run.stream();
  const std::size_t n = lists.size;
  const unsigned blocks = blocksFor(n);
  DeviceBuffer<std::uint32_t> spanStart(lease, n);
  markSpans<<<blocks, kBlockSize, 0, stream>>>(
      lists.cellIds.data(), lists.cellOf.data(), n, lists.geometry.extent.back(),
      !lists.geometry.slices.back().empty(), spanStart.data());
  CUDA_CHECK_LAUNCH();
  runningMaximum(lease, spanStart.data(), spanStart.data(), n);
  DeviceBuffer<std::uint8_t> isTile(lease, n);
  DeviceBuffer<std::uint32_t> tileStart(lease, n + 1);
  const int fragments = fragmentsFor(lists.dims);
  // The number of tiles, and a head for each size of tile.
  DeviceBuffer<std::uint32_t> tilesAndHeads(lease, 4);
  tilesAndHeads.fillBytes(0);
  markTiles<<<blocks, kBlockSize, 0, stream>>>(
      spanStart.data(), n, std::uint32_t(16 * mostSixteens(fragments)), isTile.data());
  CUDA_CHECK_LAUNCH();
  selectFlagged(lease, isTile.data(), tileStart.data(), tilesAndHeads.data(), n);
  closeTiles<<<1, 1, 0, stream>>>(tileStart.data(), tilesAndHeads.data(), n);
  CUDA_CHECK_LAUNCH();

  const auto window = std::make_shared<const RowWindow>(makeRowWindow(lists.geometry));
  run.hold(window);  // until the upload is done
  DeviceBuffer<std::int64_t> rowOffsets(lease, window->offsets.size());
  rowOffsets.upload(window->offsets);
  TileView v = viewOf(lists, squaredEps, rowOffsets.data(), std::uint32_t(window->offsets.size()));
  v.band = tileBand(v.dims, largestOffset(lists.geometry, bounds, eps));
  v.tileStart = tileStart.data();
  v.counts = counts.data();
  v.stop = run.stop();
  TileOrder order{nullptr, tilesAndHeads.data()};
  DeviceBuffer<std::uint32_t> byWeight;
  if (part.parts > 1) {
    byWeight = heaviestFirst(run, v, tilesAndHeads);
    order.tiles = byWeight.data();
  }
  std::uint32_t* heads = tilesAndHeads.data() + 1;
  switch (fragments) {
    case 1: return launchFor<1>(run, v, order, heads, part);
    case 2: return launchFor<2>(run, v, order, heads, part);
    case 3: return launchFor<3>(run, v, order, heads, part);
    case 5: return launchFor<5>(run, v, order, heads, part);
    default: return launchFor<9>(run, v, order, heads, part);
  }
}

std::optional<NeighbourCounts> countByTilesOnGpu(GpuRun& run, const JoinInput& input, double eps,
                                                 const JoinPlan& plan, QueryPart part) {
  if (!askedFor(plan)) return std::nullopt;
  Stopwatch watch;
  const Lease lease = run.lease();
  const std::size_t n = input.points.size();
  GpuPhase phase("index", run.task());
  const std::shared_ptr<const DeviceCloud> points = pointsOnDevice(run, input);
  const DeviceCloud& there = *points;
  const Bounds bounds = boundsOf(run, there);
  const CellGeometry geometry = geometryOf(run, there, bounds, eps, 1, plan.dims);
  const CellGeometry spans = rowsOfSpans(geometry);
  // Few rows may hold most points: the others do not matter then.
  if (double(n) < kPointsPerSpan * estimateOccupiedCells(run, there, spans) &&
      estimateCompanions(run, there, spans) < kPointsPerSpan)
    return std::nullopt;
  const CellLists lists = buildCellLists(run, there, geometry);
  if (!tilesCanCount(lists, bounds, eps, plan.squaredEps)) return std::nullopt;
  run.wait();
  NeighbourCounts result;
  result.stats.seconds.index = watch.lap();

  phase.next("counting");
  DeviceBuffer<std::uint32_t> counts(lease, n);
  if (part.parts > 1) counts.fillBytes(0);
  Event from;
  Event to;
  from.record(run.stream());
  countByTiles(run, lists, bounds, eps, plan.squaredEps, counts, part);
  to.record(run.stream());
  // The host takes memory while the device computes.
  resizeOnLargePages(result.counts, n, run.task());
  run.wait();  // later calls might wait for it too, and would not notice a stop
  DeviceBuffer<std::uint32_t> countOfPoint(lease, n);
  toPointOrder(lease, lists.pointIds.data(), counts.data(), countOfPoint.data(), n);
  DeviceBuffer<std::uint64_t> sums(lease, 2);
  sums.fillBytes(0);
  sum(lease, counts.data(), sums.data(), n);
  const RowWindow window = makeRowWindow(geometry);
  DeviceBuffer<std::int64_t> rowOffsets(lease, window.offsets.size());
  rowOffsets.upload(window.offsets);
  sumCandidates<<<blocksFor(n), kBlockSize, 0, run.stream()>>>(
      viewOf(lists, plan.squaredEps, rowOffsets.data(), std::uint32_t(window.offsets.size())),
      lists.cellCount.data(), reinterpret_cast<unsigned long long*>(sums.data() + 1));
  CUDA_CHECK_LAUNCH();
  run.wait();
  countOfPoint.download(result.counts);
  const auto numbers = run.mailbox<std::uint64_t>(3);
  sums.download(numbers.first(2));
  const std::span<std::uint32_t> cells(reinterpret_cast<std::uint32_t*>(&numbers[2]), 1);
  lists.cellCount.download(cells);
  run.wait();
  result.pairs = numbers[0];
  result.candidates = numbers[1];
  RunStats& stats = result.stats;
  stats.cells = cells[0];
  stats.batches = 1;
  stats.kernels.push_back({.name = "count by tiles on matrix units",
                           .seconds = millisecondsBetween(from, to) / 1e3,
                           .launches = 1});
  stats.seconds.join = watch.lap();
  return result;
}

}  // namespace clusterloom
