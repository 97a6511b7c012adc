#include "engine/cuda/dbscan/fused_dbscan.h"

#include <algorithm>
#include <optional>

#include "engine/core/lower_bound.h"
#include "engine/cuda/dbscan/fused_geometry.h"
#include "engine/cuda/dbscan/fused_unions.cuh"
#include "engine/cuda/dbscan/label_word.h"
#include "engine/cuda/grid/cell_lists.h"
#include "engine/cuda/grid/device_geometry.h"
#include "engine/cuda/runtime/cuda_lane.h"
#include "engine/cuda/runtime/device_algorithms.h"
#include "engine/cuda/runtime/gpu_phase.h"
#include "engine/cuda/runtime/launch.h"
#include "engine/dbscan/fused_program.h"
#include "engine/grid/row_window.h"

namespace clusterloom {
namespace {

// A cell is tight when the predicate holds for the bounding box of its points: rounding
// is monotone, so that proves every pair in it. Only cells with `least` points, which might make
// them core without a distance, are tested; the others are not marked tight. A warp finds such
// cells among 32, then measures them together.
__global__ void findTight(const __grid_constant__ FusedView v, std::uint32_t least) {
  const std::size_t c = threadNumber();
  const unsigned lane = threadIdx.x % 32;
  const bool there = c < v.numberOfCells();
  if (there) v.tight[c] = 0;
  unsigned populous =
      __ballot_sync(0xffffffffU, there && v.cellStart[c + 1] - v.cellStart[c] >= least);
  for (; populous != 0; populous &= populous - 1) {
    const std::size_t cell = c - lane + __ffs(int(populous)) - 1;
    const std::uint32_t begin = v.cellStart[cell];
    const std::uint32_t end = v.cellStart[cell + 1];
    // Every lane of the warp has the same extents.
    const auto extent = [&](int j) {
      double low = v.columns[j][begin];
      double high = low;
      for (std::uint32_t p = begin + lane; p < end; p += 32) {
        low = fmin(low, v.columns[j][p]);
        high = fmax(high, v.columns[j][p]);
      }
      for (int apart = 16; apart > 0; apart /= 2) {
        low = fmin(low, __shfl_xor_sync(0xffffffffU, low, apart));
        high = fmax(high, __shfl_xor_sync(0xffffffffU, high, apart));
      }
      return high - low;
    };
    const double diagonal = squaredLength(v.metric, v.dims, extent);
    if (lane == 0) v.tight[cell] = diagonal <= v.squaredEps;
  }
}

// Points of tight cells that hold minPts are core; the others are to be tested, if their number is
// below `own`.
__global__ void markDense(const __grid_constant__ FusedView v, std::uint32_t minPts,
                          std::uint32_t own, std::uint8_t* undecided) {
  const std::size_t p = threadNumber();
  if (p >= v.size) return;
  const std::uint32_t c = v.cellOf[p];
  const bool dense = v.cellStart[c + 1] - v.cellStart[c] >= minPts && v.isTight(c);
  v.core[p] = dense;
  undecided[p] = !dense && v.pointIds[p] < own;
}

template <int D>
__global__ void testCores(const __grid_constant__ FusedView v, std::uint32_t minPts,
                          std::uint32_t stopAt, const std::uint32_t* list,
                          const std::uint32_t* count, std::uint8_t* notCore) {
  const std::size_t i = threadNumber();
  if (i >= *count || stopped(v)) return;
  CudaLane lane;
  const std::uint32_t p = list[i];
  const bool core = fused::neighboursUpTo<D>(lane, v, p, stopAt) >= minPts;
  v.core[p] = core;
  notCore[p] = !core;
}

// The positions of the points list[0 … listed) and of the points from `own` on.
__global__ void findPositions(const __grid_constant__ FusedView v,
                              const __grid_constant__ DeviceGeometry geometry,
                              const double* coordinates, std::size_t stride,
                              const std::uint32_t* list, std::size_t listed, std::uint32_t own,
                              std::size_t count, std::uint32_t* positions) {
  const std::size_t i = threadNumber();
  if (i >= count) return;
  const std::uint32_t point = i < listed ? list[i] : own + std::uint32_t(i - listed);
  const std::uint32_t cell = firstCellFrom(v, linearIdOf(geometry, coordinates, stride, point));
  // Points are ascending within a cell.
  positions[i] = lowerBound(v.pointIds, v.cellStart[cell], v.cellStart[cell + 1], point);
}

__global__ void coresAt(const __grid_constant__ FusedView v, const std::uint32_t* positions,
                        std::size_t count, std::uint8_t* cores) {
  const std::size_t i = threadNumber();
  if (i < count) cores[i] = v.core[positions[i]];
}

__global__ void setCoresAt(const __grid_constant__ FusedView v, const std::uint32_t* positions,
                           std::size_t count, const std::uint8_t* cores) {
  const std::size_t i = threadNumber();
  if (i < count) v.core[positions[i]] = cores[i];
}

__global__ void clustersAt(const __grid_constant__ FusedView v, const std::uint32_t* positions,
                           std::size_t count, std::int32_t* clusters) {
  const std::size_t i = threadNumber();
  if (i >= count) return;
  const std::uint32_t p = positions[i];
  clusters[i] = v.core[p] != 0 ? v.labelOf[p] : -1;
}

__global__ void noteFirstCores(const __grid_constant__ FusedView v) {
  CudaLane lane;
  const std::size_t p = threadNumber();
  if (p < v.size) fused::noteFirstCore(lane, v, std::uint32_t(p));
}

// Stores the root of every core point, and the lowest point id of its set at every root.
__global__ void findRoots(const __grid_constant__ FusedView v) {
  CudaLane lane;
  const std::size_t p = threadNumber();
  const bool core = p < v.size && v.core[p] != 0;
  const unsigned cores = __ballot_sync(0xffffffffU, core);
  if (cores == 0) return;
  const std::uint32_t root =
      core ? settledRoot(lane, v.parent, std::uint32_t(p)) : FusedView::kNone;
  std::uint32_t lowest = core ? v.pointIds[p] : FusedView::kNone;
  if (core) v.parent[p] = root;
  // A warp whose core points are one set, the usual case, updates it once.
  const int first = __ffs(int(cores)) - 1;
  const std::uint32_t rootOfFirst = __shfl_sync(0xffffffffU, root, first);
  bool updates = core;
  if (__all_sync(0xffffffffU, !core || root == rootOfFirst)) {
    for (int apart = 16; apart > 0; apart /= 2)
      lowest = min(lowest, __shfl_xor_sync(0xffffffffU, lowest, apart));
    updates = int(threadIdx.x % 32) == first;
  }
  // What the cache has is never lower.
  if (updates && lowest < lane.peek(&v.lowestId[root])) lane.least(&v.lowestId[root], lowest);
}

// Marks the lowest point of each cluster, in point order.
__global__ void markLowest(const __grid_constant__ FusedView v, std::uint32_t* marks) {
  const std::size_t p = threadNumber();
  if (p < v.size && v.core[p] != 0 && v.parent[p] == p) marks[v.lowestId[p]] = 1;
}

// `rank[i]`: clusters whose lowest core point comes before point i. Without `words` the numbers are
// not the final ones.
__global__ void labelCores(const __grid_constant__ FusedView v, const std::uint32_t* rank,
                           std::int32_t* words, std::uint32_t* totals) {
  const std::size_t p = threadNumber();
  if (p == 0) totals[0] = rank[v.size];
  if (p >= v.size || v.core[p] == 0) return;
  const auto label = std::int32_t(rank[v.lowestId[v.parent[p]]]);
  v.labelOf[p] = label;
  if (words != nullptr) words[v.pointIds[p]] = label;
}

// The lowest point of each cluster, after labelCores.
__global__ void listLowest(const __grid_constant__ FusedView v, std::uint32_t* lowest) {
  const std::size_t p = threadNumber();
  if (p < v.size && v.core[p] != 0 && v.parent[p] == p) lowest[v.labelOf[p]] = v.lowestId[p];
}

// The clusters of core points, in point order.
__global__ void writeCores(const __grid_constant__ FusedView v, std::int32_t* words) {
  const std::size_t step = std::size_t(gridDim.x) * blockDim.x;
  for (std::size_t p = threadNumber(); p < v.size; p += step)
    if (v.core[p] != 0) words[v.pointIds[p]] = v.labelOf[p];
}

__global__ void renumberCores(const __grid_constant__ FusedView v, const std::int32_t* numbers,
                              std::int32_t* labelOf) {
  const std::size_t p = threadNumber();
  if (p < v.size && v.core[p] != 0) labelOf[p] = numbers[v.labelOf[p]];
}

// The listed points are those below `own` that are not core.
template <int D>
__global__ void labelBorders(const __grid_constant__ FusedView v, std::uint32_t own,
                             const std::uint32_t* list, const std::uint32_t* count,
                             std::int32_t* words, std::uint32_t* totals) {
  const std::size_t i = threadNumber();
  if (i == 0) totals[1] = own - *count;
  if (i >= *count || stopped(v)) return;
  CudaLane lane;
  const std::uint32_t p = list[i];
  const std::int32_t label = fused::borderLabel<D>(lane, v, p);
  words[v.pointIds[p]] = wordOfOther(label);
  const unsigned here = __activemask();
  const unsigned borders = __ballot_sync(here, label >= 0);
  if (lane.id() == unsigned(__ffs(int(here)) - 1) && borders != 0)
    atomicAdd(&totals[2], __popc(borders));
}

// In place: words become labels, and roles are written beside them.
__global__ void splitWords(std::size_t n, std::int32_t* words, std::uint8_t* roles) {
  const std::size_t i = threadNumber();
  if (i >= n) return;
  const std::int32_t word = words[i];
  roles[i] = std::uint8_t(roleOfWord(word));
  if (word < -1) words[i] = labelOfWord(word);
}

// Marks where the stages of a run end on its stream.
class Stages {
 public:
  Stages(GpuRun& run, DeviceLabels& result, const char* first)
      : run_(run), result_(result), name_(first), phase_(first) {
    mark("start");
  }
  void next(const char* name) {
    mark(name_);
    name_ = name;
    phase_.next(name);
  }
  void end() { mark(name_); }

 private:
  void mark(const char* stage) {
    result_.stages.emplace_back(stage, Event());
    result_.stages.back().second.record(run_.stream());
  }

  GpuRun& run_;
  DeviceLabels& result_;
  const char* name_;
  GpuPhase phase_;
};

// A halo with the positions of its points: first those of halo.copied(), then those of the copies.
struct HaloPositions {
  FusedHalo& halo;
  std::size_t copied;
  std::size_t copies;
  DeviceBuffer<std::uint32_t> all;

  const std::uint32_t* ofCopies() const { return all.data() + copied; }
};

HaloPositions positionsOf(GpuRun& run, const FusedView& v, const CellGeometry& geometry,
                          const DeviceCloud& cloud, FusedHalo& halo) {
  HaloPositions positions{halo, halo.copied().size(), cloud.size - halo.own(), {}};
  const std::size_t count = positions.copied + positions.copies;
  positions.all = DeviceBuffer<std::uint32_t>(run.lease(), count);
  if (count == 0) return positions;
  const UploadedGeometry uploaded = uploadGeometry(run.lease(), geometry);
  findPositions<<<blocksFor(count), kBlockSize, 0, run.stream()>>>(
      v, uploaded.geometry, cloud.coordinates.data(), cloud.stride(), halo.copied().data(),
      positions.copied, std::uint32_t(halo.own()), count, positions.all.data());
  CUDA_CHECK_LAUNCH();
  return positions;
}

void shareCores(GpuRun& run, const FusedView& v, const HaloPositions& positions) {
  DeviceBuffer<std::uint8_t> copied(run.lease(), positions.copied);
  DeviceBuffer<std::uint8_t> copies(run.lease(), positions.copies);
  coresAt<<<blocksFor(positions.copied), kBlockSize, 0, run.stream()>>>(
      v, positions.all.data(), positions.copied, copied.data());
  CUDA_CHECK_LAUNCH();
  positions.halo.shareCores(copied, copies);
  setCoresAt<<<blocksFor(positions.copies), kBlockSize, 0, run.stream()>>>(
      v, positions.ofCopies(), positions.copies, copies.data());
  CUDA_CHECK_LAUNCH();
}

// A stream for work beside that of a run, which begins with what the run's stream has come to. What
// is queued there after this object's end comes after it.
class BesideRun {
 public:
  explicit BesideRun(cudaStream_t of) : of_(of) {}
  ~BesideRun() {
    if (cudaEventRecord(end_, stream_) == cudaSuccess) cudaStreamWaitEvent(of_, end_, 0);
  }
  BesideRun(const BesideRun&) = delete;
  BesideRun& operator=(const BesideRun&) = delete;
  cudaStream_t begin() {
    begin_.record(of_);
    CUDA_CHECK(cudaStreamWaitEvent(stream_, begin_, 0));
    return stream_;
  }

 private:
  cudaStream_t of_;
  Stream stream_;
  Event begin_;
  Event end_;
};

// Gives the clusters their final numbers, on which the labels of border points depend: `labelOf`
// gets those of core points. Finding them is mostly waiting for messages. The words of core points
// are therefore written at the same time, with the cluster numbers of this rank, and by so few
// blocks that other kernels find room.
void numberByHalo(GpuRun& run, BesideRun& beside, const FusedView& v,
                  const HaloPositions& positions, std::int32_t* labelOf, DeviceLabels& result) {
  const auto clusters = run.mailbox<std::uint32_t>(1);
  result.totals.download(clusters);
  run.wait();
  DeviceBuffer<std::uint32_t> lowest(run.lease(), clusters[0]);
  listLowest<<<blocksFor(v.size), kBlockSize, 0, run.stream()>>>(v, lowest.data());
  CUDA_CHECK_LAUNCH();
  DeviceBuffer<std::int32_t> copied(run.lease(), positions.copied);
  DeviceBuffer<std::int32_t> copies(run.lease(), positions.copies);
  clustersAt<<<blocksFor(positions.copied), kBlockSize, 0, run.stream()>>>(
      v, positions.all.data(), positions.copied, copied.data());
  CUDA_CHECK_LAUNCH();
  clustersAt<<<blocksFor(positions.copies), kBlockSize, 0, run.stream()>>>(
      v, positions.ofCopies(), positions.copies, copies.data());
  CUDA_CHECK_LAUNCH();
  // Kernels of the halo need shared memory, for which a multiprocessor is not divided anew while
  // others run on it.
  CUDA_CHECK(cudaFuncSetAttribute(writeCores, cudaFuncAttributePreferredSharedMemoryCarveout,
                                  cudaSharedmemCarveoutMaxShared));
  constexpr unsigned kBlocksEach = 2;
  writeCores<<<std::min(blocksFor(v.size), kBlocksEach * unsigned(run.device().multiprocessors())),
               kBlockSize, 0, beside.begin()>>>(v, result.labels.data());
  CUDA_CHECK_LAUNCH();
  const std::int32_t* const numbers = positions.halo.number(copied, copies, lowest);
  renumberCores<<<blocksFor(v.size), kBlockSize, 0, run.stream()>>>(v, numbers, labelOf);
  CUDA_CHECK_LAUNCH();
}

// The cells and points of a view.
FusedView viewOf(const CellLists& lists, const GpuFusedPlan& plan) {
  FusedView v;
  for (std::size_t j = 0; j < lists.dims; ++j) v.columns[j] = lists.ordered.data() + j * lists.size;
  v.dims = int(lists.dims);
  v.metric = plan.metric;
  v.squaredEps = plan.squaredEps;
  v.size = std::uint32_t(lists.size);
  v.cellIds = lists.cellIds.data();
  v.cellStart = lists.cellStart.data();
  v.cellCount = lists.cellCount.data();
  v.cellOf = lists.cellOf.data();
  v.pointIds = lists.pointIds.data();
  v.bucketFirst = lists.bucketFirst.data();
  v.bucketShift = lists.bucketShift;
  return v;
}

// Gives the sets their numbers, by their lowest points; `words` as in labelCores.
void numberClusters(GpuRun& run, const FusedView& v, std::int32_t* words, std::uint32_t* totals) {
  DeviceBuffer<std::uint32_t> rank(run.lease(), std::size_t{v.size} + 1);
  rank.fillBytes(0);
  findRoots<<<blocksFor(v.size), kBlockSize, 0, run.stream()>>>(v);
  CUDA_CHECK_LAUNCH();
  markLowest<<<blocksFor(v.size), kBlockSize, 0, run.stream()>>>(v, rank.data());
  CUDA_CHECK_LAUNCH();
  exclusiveScan(run.lease(), rank.data(), rank.data(), std::size_t{v.size} + 1);
  labelCores<<<blocksFor(v.size), kBlockSize, 0, run.stream()>>>(v, rank.data(), words, totals);
  CUDA_CHECK_LAUNCH();
}

template <int D>
void labelFrom(GpuRun& run, const DeviceCloud& cloud, CellLists& lists, const DbscanParams& params,
               const GpuFusedPlan& plan, FusedHalo* halo, DeviceLabels& result, Stages& stages) {
  const Lease lease = run.lease();
  const cudaStream_t stream = run.stream();
  const std::size_t n = lists.size;
  const unsigned blocks = blocksFor(n);
  const auto own = std::uint32_t(halo != nullptr ? halo->own() : n);
  const auto minPts = std::uint32_t(std::min<std::uint64_t>(params.minPts, n + 1));
  const std::uint32_t stopAt = plan.earlyStop ? minPts : std::uint32_t(n) + 1;

  const RowWindow window = makeRowWindow(lists.geometry);
  DeviceBuffer<std::int64_t> rowOffsets(lease, window.offsets.size());
  rowOffsets.upload(window.offsets);
  DeviceBuffer<std::uint8_t> core(lease, n);
  DeviceBuffer<std::uint8_t> undecided(lease, n);
  DeviceBuffer<std::uint32_t> list(lease, n);
  DeviceBuffer<std::uint32_t> listed(lease, 1);
  DeviceBuffer<std::uint32_t> firstCore(lease, n);
  DeviceBuffer<std::uint32_t> parent(lease, n);
  DeviceBuffer<std::uint32_t> largest(lease, 1);
  DeviceBuffer<std::uint32_t> lowestId(lease, n);
  DeviceBuffer<std::int32_t> labelOf(lease, n);
  firstCore.fillBytes(0xff);
  largest.fillBytes(0xff);
  lowestId.fillBytes(0xff);

  FusedView v = viewOf(lists, plan);
  v.rowOffsets = rowOffsets.data();
  v.rows = std::uint32_t(window.offsets.size());
  v.reach = std::uint32_t(window.reach);
  v.core = core.data();
  v.firstCore = firstCore.data();
  v.parent = parent.data();
  v.largest = largest.data();
  v.lowestId = lowestId.data();
  v.labelOf = labelOf.data();
  v.stop = run.stop();

  const bool everyCellTight = allTight(lists.geometry, lists.dims, plan);
  DeviceBuffer<std::uint8_t> tight;
  if (!everyCellTight) {
    tight = DeviceBuffer<std::uint8_t>(lease, n);
    v.tight = tight.data();
    findTight<<<blocks, kBlockSize, 0, stream>>>(
        v, std::min<std::uint32_t>(std::max<std::uint32_t>(minPts, 2), 64));
    CUDA_CHECK_LAUNCH();
  }

  markDense<<<blocks, kBlockSize, 0, stream>>>(v, minPts, own, undecided.data());
  CUDA_CHECK_LAUNCH();
  selectFlagged(lease, undecided.data(), list.data(), listed.data(), n);
  testCores<D><<<blocks, kBlockSize, 0, stream>>>(v, minPts, stopAt, list.data(), listed.data(),
                                                  undecided.data());
  CUDA_CHECK_LAUNCH();
  std::optional<HaloPositions> positions;
  std::optional<BesideRun> beside;
  if (halo != nullptr) {
    beside.emplace(run.stream());  // before it is waited for
    positions.emplace(positionsOf(run, v, lists.geometry, cloud, *halo));
    shareCores(run, v, *positions);
  }
  stages.next("union");

  noteFirstCores<<<blocks, kBlockSize, 0, stream>>>(v);
  CUDA_CHECK_LAUNCH();
  Unions<D>(run, lists.geometry, v).make();
  stages.next("labels");

  result.labels = DeviceBuffer<std::int32_t>(lease, n);
  result.totals = DeviceBuffer<std::uint32_t>(lease, 3);
  result.totals.fillBytes(0);
  numberClusters(run, v, halo != nullptr ? nullptr : result.labels.data(), result.totals.data());
  if (positions) {
    auto* const numbered = reinterpret_cast<std::int32_t*>(lowestId.data());
    numberByHalo(run, *beside, v, *positions, numbered, result);
    v.labelOf = numbered;
  }
  selectFlagged(lease, undecided.data(), list.data(), listed.data(), n);
  labelBorders<D><<<blocks, kBlockSize, 0, stream>>>(v, own, list.data(), listed.data(),
                                                     result.labels.data(), result.totals.data());
  CUDA_CHECK_LAUNCH();
  beside.reset();
  if (halo == nullptr) {
    result.roles = DeviceBuffer<std::uint8_t>(lease, n);
    splitWords<<<blocks, kBlockSize, 0, stream>>>(n, result.labels.data(), result.roles.data());
    CUDA_CHECK_LAUNCH();
  }
  stages.end();
}

}  // namespace

DeviceLabels fusedLabels(GpuRun& run, const DeviceCloud& cloud, const DbscanParams& params,
                         const GpuFusedPlan& plan, FusedHalo* halo) {
  DeviceLabels result;
  Stages stages(run, result, "bounds");
  const Bounds bounds = boundsOf(run, cloud);
  const CellGeometry geometry = chooseGeometry(run, cloud, bounds, params.eps, plan);
  result.reach = geometry.reach;
  stages.next("index");
  CellLists lists = buildCellLists(run, cloud, geometry);
  stages.next("core test");
  constexpr std::size_t kOtherMetric = 0;
  switch (plan.metric == Metric::Euclidean ? cloud.dims : kOtherMetric) {
    case kOtherMetric:
      labelFrom<fused::kAnyMetric>(run, cloud, lists, params, plan, halo, result, stages);
      break;
    case 1: labelFrom<1>(run, cloud, lists, params, plan, halo, result, stages); break;
    case 2: labelFrom<2>(run, cloud, lists, params, plan, halo, result, stages); break;
    case 3: labelFrom<3>(run, cloud, lists, params, plan, halo, result, stages); break;
    default: labelFrom<0>(run, cloud, lists, params, plan, halo, result, stages);
  }
  result.cellCount = std::move(lists.cellCount);
  return result;
}

}  // namespace clusterloom
