#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/dbscan/all_pairs_program.h"

// The work of a block in a pass over all pairs: a thread per point, candidates shared or not. A
// Work defines how neighbours are used:
//   wanted(p)       whether point p is processed at all
//   start(p)        the hit function of p's lane, with enough(): nothing more is needed
//   finish(p, hit)  after the last candidate of this launch; later launches start(p) again

namespace clusterloom {

/// How a lane reads the coordinates of its candidates.
enum class CandidateAccess {
  InOrder,   ///< from global memory, in their order
  Shifted,   ///< from global memory, each lane at another place [Frasson 2021, §3.1.1]
  OwnBlock,  ///< those of the lane's own block from shared memory, the others as InOrder [Frasson
             ///< 2021, §3.1.1]
  SharedTiles,  ///< all from tiles that the block copies to shared memory one after the other
                ///< (ours)
};

/// Numbers [begin, end).
struct Span32 {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// Where a pass counts distances, and where it reads whether to stop.
struct PassWords {
  std::uint64_t* calculations = nullptr;  ///< distances decided are added
  const std::uint32_t* stop = nullptr;    ///< not 0: leave as soon as possible
};

/// Candidates between two checks of the stop word.
inline constexpr std::uint32_t kCandidatesPerLook = 1024;

/// Shared memory that a thread needs: its own point's coordinates and, for tiles, a candidate's.
constexpr std::size_t sharedBytesAThread(std::uint32_t dims, CandidateAccess access) {
  return dims * sizeof(double) * (access == CandidateAccess::SharedTiles ? 2 : 1);
}

/// One thread a point of `rows`, over candidates `steps`. Each thread keeps its own coordinates in
/// shared memory, because an array of them in a thread would be in local memory [Frasson 2021,
/// §3.1]. A block's program, of whole warps: no thread returns early.
template <CandidateAccess access, class Lane, class Work>
CLUSTERLOOM_LANE void allPairsPass(Lane& lane, const AllPairs& all, const Span32& rows,
                                   const Span32& steps, const Work& work, const PassWords& words) {
  const auto coordinates = lane.template shared<double>();
  const std::uint32_t block = lane.threads();
  const std::uint32_t thread = lane.thread();
  const std::uint32_t firstOfBlock = rows.begin + std::uint32_t(std::size_t(lane.block()) * block);
  const std::uint32_t p = firstOfBlock + thread;
  const bool mine = p < rows.end && work.wanted(p);
  // Other lanes read this point's coordinates from shared memory too, also where it is not wanted.
  if (mine || (access == CandidateAccess::OwnBlock && p < rows.end))
    for (std::uint32_t j = 0; j < all.dims; ++j)
      coordinates[j * block + thread] = all.points.first[j * all.points.stride + p];
  const ItemOf own{Columns{coordinates, block}, thread};
  auto hit = work.start(mine ? p : rows.begin);
  bool busy = mine && !hit.enough();
  std::uint64_t done = 0;
  if constexpr (access == CandidateAccess::OwnBlock) lane.blockSync();

  if constexpr (access == CandidateAccess::SharedTiles) {
    const auto tile = coordinates + std::size_t(all.dims) * block;
    for (std::uint32_t first = steps.begin; first < steps.end; first += block) {
      const std::uint32_t end = first + block < steps.end ? first + block : steps.end;
      // The whole block continues while any thread has work and has not seen the stop word.
      if (!lane.blockAny(busy && lane.load(words.stop) == 0)) break;
      for (std::uint32_t j = 0; j < all.dims; ++j)
        if (first + thread < end)
          tile[j * block + thread] = all.points.first[j * all.points.stride + first + thread];
      lane.blockSync();
      if (busy) {
        done +=
            visitNeighbours(lane, all, own, InOrder{Columns{tile, block}, first}, first, end, hit);
        busy = !hit.enough();
      }
    }
  } else {
    for (std::uint32_t first = steps.begin; first < steps.end && busy;
         first += kCandidatesPerLook) {
      if (lane.load(words.stop) != 0) break;
      const std::uint32_t end =
          first + kCandidatesPerLook < steps.end ? first + kCandidatesPerLook : steps.end;
      if constexpr (access == CandidateAccess::Shifted) {
        done += visitNeighbours(lane, all, own, Shifted{all.points, 0, thread % all.size, all.size},
                                first, end, hit);
      } else if constexpr (access == CandidateAccess::OwnBlock) {
        // Candidates before, in and after the block's own points.
        const std::uint32_t last =
            rows.end - firstOfBlock < block ? rows.end : firstOfBlock + block;
        const auto within = [&](std::uint32_t x) { return x < first ? first : x > end ? end : x; };
        const std::uint32_t own0 = within(firstOfBlock);
        const std::uint32_t own1 = within(last);
        done += visitNeighbours(lane, all, own, InOrder{all.points}, first, own0, hit);
        if (!hit.enough())
          done += visitNeighbours(
              lane, all, own, InOrder{Columns{coordinates, block}, firstOfBlock}, own0, own1, hit);
        if (!hit.enough())
          done += visitNeighbours(lane, all, own, InOrder{all.points}, own1, end, hit);
      } else {
        done += visitNeighbours(lane, all, own, InOrder{all.points}, first, end, hit);
      }
      busy = !hit.enough();
    }
  }
  if (mine) work.finish(p, hit);
  lane.sync(~0U);
  for (std::uint32_t apart = 16; apart > 0; apart /= 2) done += lane.exchange(~0U, done, apart);
  if (lane.id() == 0 && done > 0) lane.add(words.calculations, done);
}

}  // namespace clusterloom
