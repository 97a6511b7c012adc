#include "engine/cuda/product/nearest_kernels.h"

#include "engine/cuda/product/pair_stages.cuh"
#include "engine/cuda/runtime/launch.h"
#include "engine/product/nearest_heap.h"
#include "engine/product/rounded_points.h"

namespace clusterloom {
namespace {

/// The heap of a point. Several multiprocessors change it in turn, so that it is not cached in
/// theirs.
struct HeapSlots {
  double* squares;
  std::uint32_t* itsIds;
  __device__ double squared(std::uint32_t i) const { return __ldcg(squares + i); }
  __device__ std::uint32_t id(std::uint32_t i) const { return __ldcg(itsIds + i); }
  __device__ void set(std::uint32_t i, double squared, std::uint32_t id) const {
    __stcg(squares + i, squared);
    __stcg(itsIds + i, id);
  }
};

__device__ HeapSlots slotsOf(const NearestRows& rows, std::uint32_t point) {
  const std::size_t first = std::size_t(point) * rows.k + 1;
  return {rows.squared + first, rows.ids + first};
}

__device__ void offer(const NearestRows& rows, std::uint32_t point, double squared,
                      std::uint32_t id) {
  // The last neighbour only comes nearer, whoever changes it meanwhile.
  if (squared > __ldcg(rows.last + point)) return;
  const HeapSlots slots = slotsOf(rows, point);
  for (bool done = false; !done;) {
    if (atomicCAS(rows.locks + point, 0U, 1U) != 0) continue;
    __threadfence();
    const std::uint32_t before = __ldcg(rows.counts + point);
    const std::uint32_t now = insertNearest(slots, before, rows.others(), squared, id);
    if (now != before) __stcg(rows.counts + point, now);
    if (now == rows.others()) __stcg(rows.last + point, slots.squared(0));
    __threadfence();
    atomicExch(rows.locks + point, 0U);
    done = true;
  }
}

__global__ void emptyRows(const __grid_constant__ NearestRows rows, std::uint32_t n) {
  const std::size_t point = threadNumber();
  if (point >= n) return;
  rows.counts[point] = 0;
  rows.last[point] = kInfinity;
  rows.locks[point] = 0;
}

// A block a tile.
__global__ void __launch_bounds__(kProductTile) findReaches(const __grid_constant__ NearestWork w) {
  __shared__ double farthest;
  if (threadIdx.x == 0) farthest = 0;
  __syncthreads();
  const std::uint32_t tile = blockIdx.x;
  const std::uint32_t position = tile * kProductTile + threadIdx.x;
  std::int32_t reach = -1;
  double ofWords = 0;
  std::uint32_t ofIds = 0xffffffffU;
  if (position < w.points.size) {
    const std::uint32_t point = w.points.pointIds[position];
    const double last = w.rows.last[point];
    const double ofBytes = nearestOuter(w.byteScale, last, w.dims);
    ofWords = nearestOuter(w.wordScale, last, w.dims);
    reach = nearestReach(ofBytes, w.points.tileErrors[tile] + *w.mostByteError,
                         largestDistanceOfBytes(w.dims));
    // Nothing is nearer than equal points: where all neighbours are, an id decides.
    if (last == 0) ofIds = slotsOf(w.rows, point).id(0);
    atomicMaximum(&farthest, ofBytes);
  }
  w.reaches.bytes[position] = reach;
  w.reaches.words[position] = ofWords;
  w.reaches.ids[position] = ofIds;
  __syncthreads();
  if (threadIdx.x == 0) w.reaches.tiles[tile] = farthest;
}

struct NearestPairs {
  NearestWork w;

  CLUSTERLOOM_LANE const NearestWork& work() const { return w; }
  // Whether a point has room for the other by its id.
  __device__ bool takesQuery(const uint2& pair) const {
    return w.points.pointIds[pair.x] < w.reaches.ids[pair.y];
  }
  __device__ bool takesPoint(const uint2& pair) const {
    return w.points.pointIds[pair.y] < w.reaches.ids[pair.x];
  }
  __device__ bool wants(const uint2& pair) const { return takesQuery(pair) || takesPoint(pair); }
  __device__ int decide(const uint2& pair, std::int32_t square) const {
    const double errors = w.points.wordErrors[pair.x] + w.points.wordErrors[pair.y];
    const double outer = fmax(takesPoint(pair) ? w.reaches.words[pair.x] : 0,
                              takesQuery(pair) ? w.reaches.words[pair.y] : 0);
    return square <= nearestReach(outer, errors, kLargestRoundedDistance) ? 0 : -1;
  }
  __device__ void take(const uint2&) const {}
  __device__ void exact(const uint2& pair, double square) const {
    const std::uint32_t p = w.points.pointIds[pair.x];
    const std::uint32_t q = w.points.pointIds[pair.y];
    offer(w.rows, p, square, q);
    offer(w.rows, q, square, p);
  }
};

__global__ void sortedRows(const __grid_constant__ NearestRows rows, std::uint32_t n) {
  const std::size_t point = threadNumber();
  if (point >= n) return;
  sortNearest(slotsOf(rows, std::uint32_t(point)), rows.others());
  rows.ids[point * rows.k] = std::uint32_t(point);
  rows.squared[point * rows.k] = 0;
}

constexpr unsigned kSide = 32;

// Turns blocks of 32 points and 32 dimensions.
__global__ void __launch_bounds__(kSide * 8)
    gatherRows(const __grid_constant__ RoundedView points, std::uint32_t dims, double* rows) {
  __shared__ double block[kSide][kSide + 1];
  const std::uint32_t firstPosition = blockIdx.x * kSide;
  const std::uint32_t position = firstPosition + threadIdx.x;
  std::size_t point = position < points.size ? position : 0;
  if (points.pointIds != nullptr) point = points.pointIds[point];
  for (std::uint32_t from = 0; from < dims; from += kSide) {
    for (unsigned c = threadIdx.y; c < kSide && from + c < dims; c += 8)
      block[threadIdx.x][c] = points.columns[(from + c) * points.stride + point];
    __syncthreads();
    for (unsigned r = threadIdx.y; r < kSide; r += 8)
      if (firstPosition + r < points.size && from + threadIdx.x < dims)
        rows[std::size_t(firstPosition + r) * dims + from + threadIdx.x] = block[r][threadIdx.x];
    __syncthreads();
  }
}

}  // namespace

void launchEmptyRows(GpuRun& run, const NearestWork& work) {
  emptyRows<<<blocksFor(work.points.size), kBlockSize, 0, run.stream()>>>(work.rows,
                                                                          work.points.size);
  CUDA_CHECK_LAUNCH();
}

void launchReaches(GpuRun& run, const NearestWork& work) {
  launchMostByteError(run, work);
  findReaches<<<work.tiles, kProductTile, 0, run.stream()>>>(work);
  CUDA_CHECK_LAUNCH();
}

void launchNeighbours(GpuRun& run, const NearestWork& work, std::uint64_t count, KernelLog& log) {
  if (count > 0) pairStages::launch(run, NearestPairs{work}, count, log);
}

void launchSortedRows(GpuRun& run, const NearestWork& work) {
  sortedRows<<<blocksFor(work.points.size), kBlockSize, 0, run.stream()>>>(work.rows,
                                                                           work.points.size);
  CUDA_CHECK_LAUNCH();
}

void launchExactRows(GpuRun& run, const RoundedView& points, std::uint32_t dims, double* rows) {
  gatherRows<<<blocksFor(points.size, kSide), dim3(kSide, 8), 0, run.stream()>>>(points, dims,
                                                                                 rows);
  CUDA_CHECK_LAUNCH();
}

}  // namespace clusterloom
