#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <span>

#include "engine/core/hilbert_curve.h"
#include "engine/core/mixed_bits.h"
#include "engine/cuda/dbscan/label_word.h"
#include "engine/cuda/distributed/division_kernels.h"
#include "engine/cuda/distributed/of_ranks.h"
#include "engine/cuda/runtime/device_algorithms.h"
#include "engine/cuda/runtime/launch.h"

namespace clusterloom {
namespace {

constexpr unsigned kCountBlock = 1024;
// One point in kCountedOneIn is counted, but about kLeastCounted points of smaller parts.
constexpr std::size_t kCountedOneIn = 16;
constexpr std::size_t kLeastCounted = 8192;

// Coordinates of point p of dimension-major columns.
struct PointOf {
  const double* columns;
  std::size_t stride;
  std::size_t p;
  __device__ double operator()(std::uint32_t j) const { return columns[j * stride + p]; }
};

// A division as kernels read it that find the cells of many points.
struct CutDivision {
  DivisionView view;
  SliceGuess guesses[DivisionView::kMostCuts];
};

CutDivision cutsOf(const DeviceDivision& division) {
  CutDivision cuts{division.view, {}};
  std::copy(std::begin(division.guesses), std::end(division.guesses), cuts.guesses);
  return cuts;
}

// Bounds of kSharedBounds slices fit into the shared memory of a block, beside the guesses.
constexpr std::uint32_t kSharedBounds = 1024;
constexpr std::uint32_t kGuessed = SliceGuess::kParts + 1;

struct SharedTables {
  double bounds[kSharedBounds];
  std::uint16_t guessed[DivisionView::kMostCuts * kGuessed];
};

// Finds the cells of points by tables in the shared memory of a block, which its threads fill
// together: they wait for each other before the first search.
class CellFinder {
 public:
  __device__ CellFinder(const CutDivision& division, SharedTables& tables)
      : division_(division), tables_(tables) {
    const DivisionView& v = division.view;
    std::uint32_t used = 0;
    CLUSTERLOOM_UNROLL
    for (int i = 0; i < DivisionView::kMostCuts; ++i) {
      if (i >= v.cuts) continue;
      bounds_[i] = v.bounds[i];
      for (std::uint32_t b = threadIdx.x; b < kGuessed; b += blockDim.x)
        tables.guessed[i * kGuessed + b] = division.guesses[i].first[b];
      if (used + v.slices[i] > kSharedBounds) continue;
      for (std::uint32_t s = threadIdx.x; s < v.slices[i]; s += blockDim.x)
        tables.bounds[used + s] = v.bounds[i][s];
      bounds_[i] = tables.bounds + used;
      used += v.slices[i];
    }
  }
  // Of point p of dimension-major columns of n values.
  __device__ std::uint32_t cellOf(const double* columns, std::size_t n, std::size_t p) const {
    const DivisionView& v = division_.view;
    std::uint32_t cell = 0;
    CLUSTERLOOM_UNROLL
    for (int i = 0; i < DivisionView::kMostCuts; ++i) {
      if (i >= v.cuts) continue;
      const SliceGuess guess{division_.guesses[i].begin, division_.guesses[i].scale,
                             tables_.guessed + i * kGuessed};
      cell += guess.slice(bounds_[i], columns[v.dims[i] * n + p]) * v.stride[i];
    }
    return cell;
  }

 private:
  const CutDivision& division_;
  const SharedTables& tables_;
  const double* bounds_[DivisionView::kMostCuts] = {};
};

// Counts `counted` of the points: all of them, or of each `oneIn` · 32 consecutive ones 32 of a
// place that the number of these decides, so that no period of the cloud's order is followed.
// `CountInShared`: the block counts in its shared memory, which has a word for each cell.
template <bool CountInShared>
__global__ void countInCells(const __grid_constant__ CutDivision division, const double* columns,
                             std::size_t n, std::size_t counted, std::uint32_t oneIn,
                             std::uint32_t cells, std::uint32_t* counts) {
  extern __shared__ std::uint32_t ofBlock[];
  __shared__ SharedTables tables;
  const CellFinder finder(division, tables);
  if (CountInShared)
    for (std::uint32_t c = threadIdx.x; c < cells; c += blockDim.x) ofBlock[c] = 0;
  __syncthreads();
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = threadNumber(); i < counted; i += step) {
    const std::size_t run = i / 32;
    const std::size_t p = (run * oneIn + mixedBits(run) % oneIn) * 32 + i % 32;
    const std::uint32_t cell = finder.cellOf(columns, n, p);
    if (CountInShared) {
      atomicAdd(&ofBlock[cell], 1);
    } else {
      // Lanes with the same cell count together.
      const unsigned same = __match_any_sync(__activemask(), cell);
      if (threadIdx.x % 32 == static_cast<unsigned>(__ffs(static_cast<int>(same)) - 1))
        atomicAdd(&counts[cell], __popc(same));
    }
  }
  if (!CountInShared) return;
  __syncthreads();
  for (std::uint32_t c = threadIdx.x; c < cells; c += blockDim.x)
    if (ofBlock[c] != 0) atomicAdd(&counts[c], ofBlock[c]);
}

// Some of the points of each cell were counted: a cell without such points may have others.
__global__ void standForAll(std::uint32_t oneIn, std::uint32_t cells, std::uint32_t* counts) {
  const std::size_t c = threadNumber();
  if (c < cells) counts[c] = max(1U, counts[c] * oneIn);
}

// The cost of a point on a GPU. It is highest where a point has about minPts neighbours, since it
// then searches them all and its unions are many. Indexed by the expected number of neighbours over
// minPts, in powers of two from 1/4 on; between dimensions the cost differs more than between
// values of minPts. Fitted on uniform clouds with sub-cells, which clouds of many densities get
// (bench_divided --costs, tests/bench/RESULTS.md), without what it costs to write labels, for which
// the ranks do not wait; in 2-D below one point an ε-cell on the sparse part of an exponential
// cloud.
__device__ double costOnGpu(double density, double minPts, int dims) {
  constexpr int kPlaces = 9;
  const double kPlane[kPlaces] = {1.95, 1.85, 2.17, 1.75, 1.3, 1.17, 1.09, 1.02, 1};
  const double kSpace[kPlaces] = {2.15, 3, 4.8, 3.7, 2.3, 1.6, 1.2, 1, 0.9};
  constexpr double kPi = std::numbers::pi;
  const double ball = dims == 1 ? 2 : dims == 2 ? kPi : 4 * kPi / 3;  // of radius 1
  const double place = fmin(fmax(log2(density * ball / minPts) + 2, 0.0), kPlaces - 1.0);
  const int below = min(static_cast<int>(place), kPlaces - 2);
  const double* const costs = dims < 3 ? kPlane : kSpace;
  return costs[below] + (place - below) * (costs[below + 1] - costs[below]);
}

// The costs by which the cells of a division are dealt.
struct CellWork {
  DivisionView view;
  double low[DivisionView::kMostCuts] = {};  // of the points, in each dimension that is cut
  double high[DivisionView::kMostCuts] = {};
  double eps = 1;
  double minPts = 1;
  double scale = 1;   // of the numbers that stand for work
  bool even = false;  // all points cost the same
  int bits = 0;
  std::uint32_t ranks = 0;
};

__device__ std::uint32_t sliceOfCell(const DivisionView& v, std::uint32_t cell, int i) {
  return cell / v.stride[i] % v.slices[i];
}

// The place of a cell on the curve.
__device__ std::uint64_t placeOfCell(const DivisionView& v, std::uint32_t cell, int bits) {
  std::uint32_t at[DivisionView::kMostCuts] = {};
  for (int i = 0; i < v.cuts; ++i) at[i] = sliceOfCell(v, cell, i);
  return hilbertPlace(at, v.cuts, bits);
}

// The work of each cell, at its place on the curve: at least 1 where points are. Points are taken
// to lie evenly in a cell.
__global__ void weighCells(const __grid_constant__ CellWork work,
                           const __grid_constant__ OfRanks<std::uint32_t> counts,
                           std::uint32_t cells, std::uint32_t* ofPlaces) {
  const auto cell = static_cast<std::uint32_t>(threadNumber());
  if (cell >= cells) return;
  const DivisionView& v = work.view;
  std::uint64_t points = 0;
  for (std::uint32_t r = 0; r < work.ranks; ++r)
    if (counts.ofRank[r] != nullptr) points += counts.ofRank[r][cell];
  if (points == 0) return;
  double cost = 1;
  if (!work.even) {
    double epsCells = 1;
    for (int i = 0; i < v.cuts; ++i) {
      const std::uint32_t slice = sliceOfCell(v, cell, i);
      const double begin = fmax(v.bounds[i][slice], work.low[i]);
      const double end = fmin(v.bounds[i][slice + 1], work.high[i]);
      epsCells *= fmax(1.0, (end - begin) / work.eps);
    }
    cost = costOnGpu(static_cast<double>(points) / epsCells, work.minPts, v.cuts);
  }
  ofPlaces[placeOfCell(v, cell, work.bits)] =
      1 + static_cast<std::uint32_t>(work.scale * cost * static_cast<double>(points));
}

// Owners of the cells, by the work before each place on the curve: the middle of a cell's work lies
// in its owner's share.
__global__ void dealByWork(const __grid_constant__ CellWork work, std::uint32_t cells,
                           std::uint64_t places, const std::uint32_t* ofPlaces,
                           const std::uint64_t* before, int* owner) {
  const auto cell = static_cast<std::uint32_t>(threadNumber());
  if (cell >= cells) return;
  const std::uint64_t place = placeOfCell(work.view, cell, work.bits);
  const std::uint64_t own = ofPlaces[place];
  const std::uint64_t rank = (2 * before[place] + own) * work.ranks / (2 * before[places]);
  owner[cell] =
      own > 0 ? static_cast<int>(min(rank, work.ranks - std::uint64_t{1})) : SpaceDivision::kNobody;
}

// Properties of the points of a cell from the owners: their owner, and by this bit whether other
// ranks may have neighbours of them.
constexpr std::uint8_t kOuter = 0x80;
static_assert(DivisionView::kMostRanks <= kOuter);

// As NearOwners::innerCells.
__global__ void tagCells(const __grid_constant__ DivisionView v, std::uint32_t cells,
                         std::uint8_t* tags) {
  const auto cell = static_cast<std::uint32_t>(threadNumber());
  if (cell >= cells) return;
  // The cells around it, in each dimension that is cut.
  std::uint32_t first[DivisionView::kMostCuts] = {};
  std::uint32_t last[DivisionView::kMostCuts] = {};
  CLUSTERLOOM_UNROLL
  for (int i = 0; i < DivisionView::kMostCuts; ++i) {
    if (i >= v.cuts) continue;
    const std::uint32_t slice = sliceOfCell(v, cell, i);
    first[i] = slice > 0 ? slice - 1 : 0;
    last[i] = min(slice + 1, v.slices[i] - 1);
  }
  const int own = v.owner[cell];
  bool outer = own < 0;
  for (std::uint32_t a = first[0]; a <= last[0]; ++a)
    for (std::uint32_t b = first[1]; b <= last[1]; ++b)
      for (std::uint32_t c = first[2]; c <= last[2]; ++c) {
        const int owner = v.owner[a * v.stride[0] + b * v.stride[1] + c * v.stride[2]];
        outer |= owner >= 0 && owner != own;
      }
  tags[cell] = static_cast<std::uint8_t>((own < 0 ? 0 : own) | (outer ? kOuter : 0));
}

// Partition by owner, stable: blocks take consecutive chunks of points, row by row, and lanes with
// the same owner count together.
constexpr unsigned kPartBlock = 256;
constexpr unsigned kPartRows = 16;
constexpr unsigned kPartWarps = kPartBlock / 32;
constexpr std::size_t kChunk = kPartBlock * kPartRows;

// The tag of each point, and counts[r · chunks + c]: points of owner r in chunk c.
__global__ void tagPoints(const __grid_constant__ CutDivision division,
                          const std::uint8_t* tagsOfCells, const double* columns, std::size_t n,
                          unsigned ranks, std::uint8_t* tags, std::uint32_t* counts) {
  __shared__ SharedTables tables;
  __shared__ std::uint32_t ofBlock[DivisionView::kMostRanks];
  const CellFinder finder(division, tables);
  if (threadIdx.x < ranks) ofBlock[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned row = 0; row < kPartRows; ++row) {
    const std::size_t p = blockIdx.x * kChunk + row * kPartBlock + threadIdx.x;
    unsigned r = ranks;
    if (p < n) {
      const std::uint8_t tag = tagsOfCells[finder.cellOf(columns, n, p)];
      tags[p] = tag;
      r = tag & (kOuter - 1U);
    }
    const unsigned same = __match_any_sync(0xffffffffU, r);
    if (r < ranks && (same & ((1U << threadIdx.x % 32) - 1)) == 0)
      atomicAdd(&ofBlock[r], __popc(same));
  }
  __syncthreads();
  if (threadIdx.x < ranks) counts[threadIdx.x * gridDim.x + blockIdx.x] = ofBlock[threadIdx.x];
}

// `first`: the exclusive sums of `counts`.
__global__ void placeByOwner(const std::uint8_t* tags, std::size_t n, unsigned ranks,
                             const std::uint32_t* first, std::uint32_t* order) {
  __shared__ std::uint32_t next[DivisionView::kMostRanks];
  __shared__ std::uint32_t ofWarp[kPartWarps][DivisionView::kMostRanks];
  if (threadIdx.x < ranks) next[threadIdx.x] = first[threadIdx.x * gridDim.x + blockIdx.x];
  const unsigned warp = threadIdx.x / 32;
  for (unsigned row = 0; row < kPartRows; ++row) {
    const std::size_t p = blockIdx.x * kChunk + row * kPartBlock + threadIdx.x;
    const unsigned r = p < n ? tags[p] & (kOuter - 1U) : ranks;
    for (unsigned i = threadIdx.x; i < kPartWarps * ranks; i += kPartBlock)
      ofWarp[i / ranks][i % ranks] = 0;
    __syncthreads();
    const unsigned same = __match_any_sync(0xffffffffU, r);
    const unsigned before = __popc(same & ((1U << threadIdx.x % 32) - 1));
    if (r < ranks && before == 0) ofWarp[warp][r] = __popc(same);
    __syncthreads();
    if (threadIdx.x < ranks) {
      for (unsigned w = 0; w < kPartWarps; ++w) {
        const std::uint32_t count = ofWarp[w][threadIdx.x];
        ofWarp[w][threadIdx.x] = next[threadIdx.x];
        next[threadIdx.x] += count;
      }
    }
    __syncthreads();
    if (r < ranks) order[ofWarp[warp][r] + before] = static_cast<std::uint32_t>(p);
    __syncthreads();
  }
}

// How far `values` are behind a boundary between the segments that a warp reads or writes at once.
// The links carry parts of segments no faster than whole ones.
template <class T>
__device__ std::size_t behindSegment(const T* values) {
  return reinterpret_cast<std::uintptr_t>(values) / sizeof(T) % 32;
}

// Blocks take the ranks in turn: links to all GPUs are busy at once, and the points of all ranks
// are read together where they are together.
__global__ void movePoints(const __grid_constant__ PointTargets targets, unsigned ranks,
                           unsigned first, const double* columns, std::size_t n, unsigned dims,
                           const std::uint32_t* order, const std::uint8_t* tags) {
  const PointTarget& to = targets.ofRank[(blockIdx.x + first) % ranks];
  const std::size_t i = static_cast<std::size_t>(blockIdx.x / ranks) * blockDim.x + threadIdx.x -
                        behindSegment(to.columns);
  if (i >= to.count) return;  // huge before the first
  const std::uint32_t p = order[to.first + i];
  for (unsigned j = 0; j < dims; ++j) to.columns[j * to.stride + i] = columns[j * n + p];
  to.outer[i] = tags[p] / kOuter;
}

__global__ void collectAnswers(const __grid_constant__ AnswerSources sources, unsigned ranks,
                               unsigned first, const std::uint32_t* order, std::int32_t* labels,
                               std::uint8_t* roles) {
  const AnswerSource& from = sources.ofRank[(blockIdx.x + first) % ranks];
  const std::size_t i = static_cast<std::size_t>(blockIdx.x / ranks) * blockDim.x + threadIdx.x -
                        behindSegment(from.words);
  if (i >= from.count) return;
  const std::uint32_t p = order[from.first + i];
  const std::int32_t word = from.words[i];
  labels[p] = word >= 0 ? from.numbers[word] : labelOfWord(word);
  if (roles != nullptr) roles[p] = static_cast<std::uint8_t>(roleOfWord(word));
}

__global__ void findMasks(const __grid_constant__ DivisionView division, const double* columns,
                          std::size_t stride, const std::uint32_t* points, std::size_t count,
                          double squaredEps, int self, std::uint64_t* masks) {
  const std::size_t i = threadNumber();
  if (i < count)
    masks[i] = nearRanksMask(division, PointOf{columns, stride, points[i]}, squaredEps, self);
}

__global__ void flagRank(const std::uint64_t* masks, std::size_t count, int rank,
                         std::uint8_t* flags) {
  const std::size_t i = threadNumber();
  if (i < count) flags[i] = static_cast<std::uint8_t>(masks[i] >> rank & 1U);
}

// In place: places in a list become what the list has there.
__global__ void takeFrom(const std::uint32_t* list, const std::uint32_t* count,
                         std::uint32_t* places) {
  const std::size_t i = threadNumber();
  if (i < *count) places[i] = list[places[i]];
}

__global__ void gatherCoordinates(const double* columns, std::size_t from,
                                  const std::uint32_t* order, std::size_t count, double* into,
                                  std::size_t stride) {
  const std::size_t i = threadNumber();
  if (i < count) into[blockIdx.y * stride + i] = columns[blockIdx.y * from + order[i]];
}

__global__ void scatterOwner(std::uint16_t owner, const std::uint32_t* order, std::size_t count,
                             std::uint16_t* into) {
  const std::size_t i = threadNumber();
  if (i < count) into[order[i]] = owner;
}

// Blocks of a kernel that takes the ranks in turn, as many as the rank with the most values needs,
// which may begin anywhere in a segment.
template <class OfRank>
unsigned blocksOfEach(const OfRank& ofRank, int ranks) {
  std::uint64_t most = 0;
  for (int r = 0; r < ranks; ++r) most = std::max<std::uint64_t>(most, ofRank[r].count);
  return most == 0 ? 0 : static_cast<unsigned>(ranks) * blocksFor(most + 31);
}

}  // namespace

DeviceDivision uploadDivision(GpuRun& run, const SpaceCuts& cuts) {
  const SpaceDivision& division = cuts.division;
  DeviceDivision there;
  there.view = division.view();
  // All tables in one copy.
  std::size_t bounds = 0;
  for (const auto& of : division.bounds) bounds += of.size();
  const std::size_t dims = division.bounds.size();
  std::vector<std::byte> tables(bounds * sizeof(double) + dims * kGuessed * sizeof(std::uint16_t));
  there.tables = DeviceBuffer<std::byte>(run.lease(), tables.size());
  std::size_t next = 0;
  const auto add = [&](const auto& table) {
    const auto bytes = std::as_bytes(std::span(table));
    std::copy(bytes.begin(), bytes.end(), tables.begin() + static_cast<std::ptrdiff_t>(next));
    next += bytes.size();
    return there.tables.data() + next - bytes.size();
  };
  for (std::size_t i = 0; i < dims; ++i)
    there.view.bounds[i] = reinterpret_cast<const double*>(add(division.bounds[i]));
  for (std::size_t i = 0; i < dims; ++i) {
    std::vector<std::uint16_t> first;
    there.guesses[i] = guessOf(division.bounds[i], first);
    there.guesses[i].first = reinterpret_cast<const std::uint16_t*>(add(first));
  }
  const auto held = std::make_shared<const std::vector<std::byte>>(std::move(tables));
  run.hold(held);
  there.tables.upload(*held);
  there.owner = DeviceBuffer<int>(run.lease(), cuts.cells);
  there.view.owner = there.owner.data();
  return there;
}

DeviceBuffer<std::uint32_t> countPointsOfCells(GpuRun& run, const DeviceCloud& cloud,
                                               const DeviceDivision& division) {
  const std::size_t cells = division.owner.size();
  DeviceBuffer<std::uint32_t> counts(run.lease(), cells);
  counts.fillBytes(0);
  if (cloud.size == 0) return counts;
  const std::size_t oneIn = std::clamp<std::size_t>(cloud.size / kLeastCounted, 1, kCountedOneIn);
  const std::size_t counted = oneIn > 1 ? cloud.size / (32 * oneIn) * 32 : cloud.size;
  const std::size_t bytes = cells * sizeof(std::uint32_t);
  const std::size_t most =
      allowSharedMemory(run.device(), reinterpret_cast<const void*>(countInCells<true>));
  const bool inShared = bytes <= most;
  const auto kernel = inShared ? countInCells<true> : countInCells<false>;
  const std::size_t shared = inShared ? bytes : 0;
  int each = 0;
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, kCountBlock, shared));
  const auto blocks = static_cast<unsigned>(std::max(1, each * run.device().multiprocessors()));
  kernel<<<std::min(blocks, blocksFor(counted, kCountBlock)), kCountBlock, shared, run.stream()>>>(
      cutsOf(division), cloud.coordinates.data(), cloud.size, counted,
      static_cast<std::uint32_t>(oneIn), static_cast<std::uint32_t>(cells), counts.data());
  CUDA_CHECK_LAUNCH();
  if (oneIn == 1) return counts;
  standForAll<<<blocksFor(cells), kBlockSize, 0, run.stream()>>>(
      static_cast<std::uint32_t>(oneIn), static_cast<std::uint32_t>(cells), counts.data());
  CUDA_CHECK_LAUNCH();
  return counts;
}

void dealCells(GpuRun& run, const SpaceCuts& cuts, const std::vector<const std::uint32_t*>& counts,
               const DbscanParams& params, std::size_t dims, DeviceDivision& division) {
  CellWork work;
  work.view = division.view;
  for (int i = 0; i < work.view.cuts; ++i) {
    work.low[i] = cuts.extents[2 * static_cast<std::size_t>(i)];
    work.high[i] = cuts.extents[2 * static_cast<std::size_t>(i) + 1];
  }
  work.eps = params.eps;
  work.minPts = static_cast<double>(params.minPts);
  // A cell's number always fits into 32 bits.
  work.scale = std::ldexp(1.0, 28) / static_cast<double>(cuts.points);
  work.even = cuts.division.dims.size() < dims;
  work.bits = cuts.bits;
  work.ranks = static_cast<std::uint32_t>(counts.size());
  const auto cells = static_cast<std::uint32_t>(cuts.cells);
  const std::uint64_t places = std::uint64_t{1} << (work.view.cuts * cuts.bits);
  DeviceBuffer<std::uint32_t> ofPlaces(run.lease(), places + 1);
  DeviceBuffer<std::uint64_t> before(run.lease(), places + 1);
  ofPlaces.fillBytes(0);
  weighCells<<<blocksFor(cells), kBlockSize, 0, run.stream()>>>(work, OfRanks(counts), cells,
                                                                ofPlaces.data());
  CUDA_CHECK_LAUNCH();
  exclusiveScan(run.lease(), ofPlaces.data(), before.data(), places + 1);
  dealByWork<<<blocksFor(cells), kBlockSize, 0, run.stream()>>>(
      work, cells, places, ofPlaces.data(), before.data(), division.owner.data());
  CUDA_CHECK_LAUNCH();
}

PointsByOwner orderByOwner(GpuRun& run, const DeviceCloud& cloud, const DeviceDivision& division,
                           int ranks) {
  const std::size_t n = cloud.size;
  PointsByOwner points;
  points.counts.assign(static_cast<std::size_t>(ranks), 0);
  points.order = DeviceBuffer<std::uint32_t>(run.lease(), n);
  points.tags = DeviceBuffer<std::uint8_t>(run.lease(), n);
  if (n == 0) return points;
  DeviceBuffer<std::uint8_t> tagsOfCells(run.lease(), division.owner.size());
  tagCells<<<blocksFor(tagsOfCells.size()), kBlockSize, 0, run.stream()>>>(
      division.view, static_cast<std::uint32_t>(tagsOfCells.size()), tagsOfCells.data());
  CUDA_CHECK_LAUNCH();
  const unsigned chunks = blocksFor(n, static_cast<unsigned>(kChunk));
  DeviceBuffer<std::uint32_t> first(run.lease(), static_cast<std::size_t>(ranks) * chunks);
  tagPoints<<<chunks, kPartBlock, 0, run.stream()>>>(
      cutsOf(division), tagsOfCells.data(), cloud.coordinates.data(), n,
      static_cast<unsigned>(ranks), points.tags.data(), first.data());
  CUDA_CHECK_LAUNCH();
  exclusiveScan(run.lease(), first.data(), first.data(), first.size());
  const auto firsts = run.mailbox<std::uint32_t>(static_cast<std::size_t>(ranks));
  constexpr std::size_t kWord = sizeof(std::uint32_t);
  CUDA_CHECK(cudaMemcpy2DAsync(firsts.data(), kWord, first.data(), chunks * kWord, kWord,
                               static_cast<std::size_t>(ranks), cudaMemcpyDeviceToHost,
                               run.stream()));
  Event counted;
  counted.record(run.stream());
  placeByOwner<<<chunks, kPartBlock, 0, run.stream()>>>(
      points.tags.data(), n, static_cast<unsigned>(ranks), first.data(), points.order.data());
  CUDA_CHECK_LAUNCH();
  run.wait(counted);
  for (std::size_t r = 0; r < points.counts.size(); ++r)
    points.counts[r] = (r + 1 < points.counts.size() ? firsts[r + 1] : n) - firsts[r];
  return points;
}

void sendPoints(GpuRun& run, const DeviceCloud& part, const PointTargets& targets, int ranks,
                int self, const PointsByOwner& points) {
  const unsigned blocks = blocksOfEach(targets.ofRank, ranks);
  if (blocks == 0) return;
  movePoints<<<blocks, kBlockSize, 0, run.stream()>>>(
      targets, static_cast<unsigned>(ranks), static_cast<unsigned>(self), part.coordinates.data(),
      part.size, static_cast<unsigned>(part.dims), points.order.data(), points.tags.data());
  CUDA_CHECK_LAUNCH();
}

void fetchAnswers(GpuRun& run, const AnswerSources& sources, int ranks, int self,
                  const DeviceBuffer<std::uint32_t>& order, std::int32_t* labels,
                  std::uint8_t* roles) {
  const unsigned blocks = blocksOfEach(sources.ofRank, ranks);
  if (blocks == 0) return;
  collectAnswers<<<blocks, kBlockSize, 0, run.stream()>>>(sources, static_cast<unsigned>(ranks),
                                                          static_cast<unsigned>(self), order.data(),
                                                          labels, roles);
  CUDA_CHECK_LAUNCH();
}

BorderPoints borderPointsOf(GpuRun& run, const DeviceCloud& own, const DivisionView& division,
                            const std::uint8_t* outer, int ranks, int self, double squaredEps) {
  BorderPoints border;
  border.toRank.resize(static_cast<std::size_t>(ranks));
  border.counts.assign(static_cast<std::size_t>(ranks), 0);
  const std::size_t n = own.size;
  if (n == 0 || ranks == 1) return border;
  const Lease lease = run.lease();
  const double* const columns = own.coordinates.data();
  DeviceBuffer<std::uint32_t> candidates(lease, n);
  DeviceBuffer<std::uint32_t> counts(lease, static_cast<std::size_t>(ranks));
  selectFlagged(lease, outer, candidates.data(), counts.data(), n);
  const auto numbers = run.mailbox<std::uint32_t>(static_cast<std::size_t>(ranks));
  counts.download(numbers.first(1));
  run.wait();
  const std::size_t found = numbers[0];
  if (found == 0) return border;
  DeviceBuffer<std::uint64_t> masks(lease, found);
  findMasks<<<blocksFor(found), kBlockSize, 0, run.stream()>>>(
      division, columns, own.stride(), candidates.data(), found, squaredEps, self, masks.data());
  CUDA_CHECK_LAUNCH();
  counts.fillBytes(0);
  DeviceBuffer<std::uint8_t> flags(lease, found);
  for (int r = 0; r < ranks; ++r) {
    if (r == self) continue;
    DeviceBuffer<std::uint32_t>& points = border.toRank[static_cast<std::size_t>(r)];
    points = DeviceBuffer<std::uint32_t>(lease, found);
    flagRank<<<blocksFor(found), kBlockSize, 0, run.stream()>>>(masks.data(), found, r,
                                                                flags.data());
    CUDA_CHECK_LAUNCH();
    selectFlagged(lease, flags.data(), points.data(), counts.data() + r, found);
    takeFrom<<<blocksFor(found), kBlockSize, 0, run.stream()>>>(candidates.data(),
                                                                counts.data() + r, points.data());
    CUDA_CHECK_LAUNCH();
  }
  counts.download(numbers);
  run.wait();
  border.counts.assign(numbers.begin(), numbers.end());
  return border;
}

void gatherPoints(GpuRun& run, const DeviceCloud& cloud, const std::uint32_t* order,
                  std::size_t count, double* into, std::size_t stride) {
  if (count == 0) return;
  gatherCoordinates<<<dim3(blocksFor(count), static_cast<unsigned>(cloud.dims)), kBlockSize, 0,
                      run.stream()>>>(cloud.coordinates.data(), cloud.stride(), order, count, into,
                                      stride);
  CUDA_CHECK_LAUNCH();
}

void ownersOfPoints(GpuRun& run, const DeviceBuffer<std::uint32_t>& order,
                    const std::vector<std::uint64_t>& counts, DeviceBuffer<std::uint16_t>& into) {
  std::uint64_t first = 0;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    if (counts[r] == 0) continue;
    scatterOwner<<<blocksFor(counts[r]), kBlockSize, 0, run.stream()>>>(
        static_cast<std::uint16_t>(r), order.data() + first, counts[r], into.data());
    CUDA_CHECK_LAUNCH();
    first += counts[r];
  }
}

}  // namespace clusterloom
