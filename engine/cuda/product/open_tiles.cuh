#pragma once

#include <cstdint>

#include "engine/cuda/product/byte_product.cuh"
#include "engine/cuda/product/self_search.h"

namespace clusterloom::byteProduct {

/// A job of multiplyTiles that lists the pairs of which bytes leave open whether the distance is
/// within the reach of one of the points, if mayTake(pair) is true. Nothing is decided here: the
/// matrix units would wait for it.
template <class MayTake>
struct OpenTiles {
  const SelfSearch& w;
  const std::int32_t* reaches;  ///< of squared distances of bytes, by position; negative: none
  PairQueue queue;
  MayTake mayTake;

  __device__ void start(std::uint32_t tileA, std::uint32_t tileB, const WarpPart& part,
                        Sums& sums) {
    const std::int32_t* const normsA = w.points.norms + tileA * kTile;
    const std::int32_t* const normsB = w.points.norms + tileB * kTile;
    const std::int32_t* const reachA = reaches + tileA * kTile;
    const std::int32_t* const reachB = reaches + tileB * kTile;
    startSums(
        part, sums,
        [&](int row) {
          return int2{reachA[row], normsA[row]};
        },
        [&](int column) {
          const int2 reach = *reinterpret_cast<const int2*>(reachB + column);
          const int2 norm = *reinterpret_cast<const int2*>(normsB + column);
          return int4{reach.x, reach.y, norm.x, norm.y};
        },
        [&](const int2& row, const int4& columns, int* two) {
          two[0] = startOfProduct(max(row.x, columns.x), row.y, columns.z);
          two[1] = startOfProduct(max(row.x, columns.y), row.y, columns.w);
        });
  }
  __device__ void take(std::uint32_t tileA, std::uint32_t tileB, const WarpPart& part,
                       const Sums& sums) {
    forHits(
        tileA, tileB, part, sums, 0, [](int) {},
        [&](const LanePairs& pairs, std::uint64_t hits, std::uint64_t) {
          std::uint64_t wanted = 0;
          forBits(hits, [&](int bit) {
            const uint2 pair = pairs(bit);
            const bool once = tileA != tileB || pair.y > pair.x;
            wanted |= std::uint64_t(once && mayTake(pair)) << bit;
          });
          const std::uint64_t left = push(queue, wanted, pairs);
          if (__any_sync(kWarp, left != 0) != 0) writePairs(w.open, left, pairs);
        });
  }
  __device__ void drain() {
    forQueued(queue, [&](const uint2& pair) { append(w.open, pair); });
  }
};

}  // namespace clusterloom::byteProduct
