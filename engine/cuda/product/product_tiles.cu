#include "engine/cuda/product/product_tiles.h"

#include "engine/core/predicate.h"
#include "engine/cuda/product/byte_product.cuh"
#include "engine/cuda/product/pair_stages.cuh"

namespace clusterloom {
namespace {

using namespace byteProduct;

__device__ inline void list(const ProductWork& w, const uint2& pair) {
  append(w.found, {w.queries.pointIds[pair.x], w.points.pointIds[pair.y]});
}

// Pairs that bytes leave open.
struct JoinPairs {
  ProductWork w;

  CLUSTERLOOM_LANE const ProductWork& work() const { return w; }
  __device__ bool wants(const uint2&) const { return true; }
  __device__ int decide(const uint2& pair, std::int32_t square) const {
    const TileReach reach =
        tileReach(w.byWords, w.queries.wordErrors[pair.x] + w.points.wordErrors[pair.y]);
    return square <= reach.inside ? 1 : square > reach.outside ? -1 : 0;
  }
  __device__ void take(const uint2& pair) const { list(w, pair); }
  __device__ void exact(const uint2& pair, double square) const {
    if (withinEps(square, w.squaredEps)) list(w, pair);
  }
};

// What the list of open pairs has no room for. Not inlined: where it is called, little code keeps
// the loop in the instruction cache.
__device__ __noinline__ void decideHere(const ProductWork& w, uint2 pair) {
  const std::uint32_t squareOfWords = pairStages::squareOfRows(w, pair, 0, 1);
  const TileReach reach =
      tileReach(w.byWords, w.queries.wordErrors[pair.x] + w.points.wordErrors[pair.y]);
  if (std::int32_t(squareOfWords) > reach.outside) return;
  if (std::int32_t(squareOfWords) > reach.inside) {
    const double* const x = w.queries.columns + w.queries.pointIds[pair.x];
    const double* const y = w.points.columns + w.points.pointIds[pair.y];
    const double square = canonicalSquaredDistance(
        w.dims, [&](std::size_t j) { return x[j * w.queries.stride]; },
        [&](std::size_t j) { return y[j * w.points.stride]; });
    if (!withinEps(square, w.squaredEps)) return;
  }
  list(w, pair);
}

// Finds the pairs within ε.
struct JoinTiles {
  const ProductWork& w;
  PairQueue queue;
  int certain = 0;  ///< the sum from which a pair of the present tiles is inside for certain

  __device__ int partOfRow(std::uint32_t query) const {
    return clusterloom::partOfRow(w.reachOfWords.outside, w.queries.wordStarts[query], w.dims);
  }
  __device__ const int* partsOfColumns(std::uint32_t point) const {
    return w.points.wordParts + point;
  }
  __device__ int2 restsOfColumns(std::uint32_t point) const {
    const int2 starts = *reinterpret_cast<const int2*>(w.points.wordStarts + point);
    return {restOfColumn(starts.x, w.dims), restOfColumn(starts.y, w.dims)};
  }
  __device__ void start(std::uint32_t tileA, std::uint32_t tileB, const WarpPart& part,
                        Sums& sums) {
    const TileReach reach =
        tileReach(w.byBytes, w.queries.tileErrors[tileA] + w.points.tileErrors[tileB]);
    startWithReach(part, sums, w.queries.norms + tileA * kTile, w.points.norms + tileB * kTile,
                   reach.outside);
    certain = certainSum(reach);
  }
  __device__ void take(std::uint32_t tileA, std::uint32_t tileB, const WarpPart& part,
                       const Sums& sums) {
    take(tileA, tileB, part, sums, [](int) {});
  }
  template <class Refine>
  __device__ void take(std::uint32_t tileA, std::uint32_t tileB, const WarpPart& part,
                       const Sums& sums, const Refine& refine) {
    forHits(tileA, tileB, part, sums, certain, refine,
            [&](const LanePairs& pairs, std::uint64_t hits, std::uint64_t sure) {
              if (tileA == tileB || w.groups.ofPoint != nullptr) hits = usefulOf(pairs, hits);
              const std::uint64_t left = push(queue, hits, [&](int bit) {
                const uint2 pair = pairs(bit);
                return uint2{pair.x | ((sure >> bit & 1) != 0 ? kSure : 0), pair.y};
              });
              if (__any_sync(kWarp, left != 0) != 0) placeAll(pairs, left, sure);
            });
  }
  __device__ void drain() {
    forQueued(queue, [&](const uint2& pair) {
      place({pair.x & ~kSure, pair.y}, (pair.x & kSure) != 0);
    });
  }

 private:
  static constexpr std::uint32_t kSure = 1U << 31;  ///< marks queued pairs; positions are below it

  __device__ void place(const uint2& pair, bool sure) const {
    if (sure)
      list(w, pair);
    else if (!append(w.open, pair))
      decideHere(w, pair);
  }
  __device__ std::uint64_t usefulOf(const LanePairs& pairs, std::uint64_t hits) const {
    std::uint64_t useful = 0;
    forBits(hits, [&](int bit) {
      const uint2 pair = pairs(bit);
      if (w.oneCloud && pair.y < pair.x) return;
      if (w.groups.ofPoint == nullptr ||
          !PairGroups::areUseless(w.groups.ofPoint[pair.x], w.groups.ofPoint[pair.y]))
        useful |= std::uint64_t{1} << bit;
    });
    return useful;
  }
  // What the queue has no room for, of the whole warp at once.
  __device__ void placeAll(const LanePairs& pairs, std::uint64_t bits, std::uint64_t sure) const {
    writePairs(w.found, bits & sure, [&](int bit) {
      const uint2 pair = pairs(bit);
      return uint2{w.queries.pointIds[pair.x], w.points.pointIds[pair.y]};
    });
    forBits(writePairs(w.open, bits & ~sure, pairs), [&](int bit) { decideHere(w, pairs(bit)); });
  }
};

template <int kSlice, bool kResident>
__global__ void __launch_bounds__(kThreads, 2) productTiles(const __grid_constant__ ProductWork w) {
  multiplyNearTiles<kSlice, kResident>({w.queries.bytes, w.points.bytes, w.byteWidth}, w.near,
                                       w.stop, [&](const PairQueue& queue) {
                                         return JoinTiles{w, queue};
                                       });
}

template <int kSlice, bool kResident>
__global__ void __launch_bounds__(kThreads, 2)
    wordProductTiles(const __grid_constant__ ProductWork w) {
  multiplyNearTiles<kSlice, kResident, RowsOf::Words>(
      {w.queries.wordBytes, w.points.wordBytes, kSlice}, w.near, w.stop,
      [&](const PairQueue& queue) {
        return JoinTiles{w, queue, certainSumOfWords(w.reachOfWords)};
      });
}

}  // namespace

RoundedView viewOf(const RoundedCloud& cloud) {
  return {.bytes = cloud.bytes.data(),
          .norms = cloud.norms.data(),
          .tileErrors = cloud.tileErrors.data(),
          .words = cloud.words.data(),
          .wordErrors = cloud.wordErrors.data(),
          .wordBytes = cloud.wordBytes.data(),
          .wordStarts = cloud.wordStarts.data(),
          .wordParts = cloud.wordParts.data(),
          .pointIds = cloud.pointIds.data(),
          .columns = cloud.cloud->column(0),
          .stride = cloud.cloud->stride(),
          .size = cloud.size};
}

ExactRows columnsOf(const RoundedView& cloud) {
  return {.first = cloud.columns, .pointIds = cloud.pointIds, .ofPoint = 1, .ofDim = cloud.stride};
}

void launchProductTiles(GpuRun& run, const ProductWork& work, KernelLog& log) {
  if (!work.multiplyWords) {
    launchForWidth(
        run, log, "product tiles", work.byteWidth,
        [&]<int kSlice, bool kResident>() { return productTiles<kSlice, kResident>; }, work);
    return pairStages::launch(run, JoinPairs{work}, work.open.capacity, log);
  }
  constexpr const char* kName = "product tiles of words";
  const std::uint32_t width = widthOfWordBytes(work.dims);
  const auto launch = [&]<int kSlice>() {
    return launchInstance<kSlice, true, RowsOf::Words>(run, log, kName, width,
                                                       wordProductTiles<kSlice, true>, work);
  };
  const bool launched = width == 32 ? launch.operator()<32>() : launch.operator()<64>();
  CUDA_CHECK(launched ? cudaSuccess : cudaErrorInvalidConfiguration);
  JoinPairs rest{work};
  rest.w.close = work.open;
  pairStages::launchExact(run, rest, work.open.capacity, log);
}

}  // namespace clusterloom
