#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "engine/core/lane.h"
#include "engine/core/squared_distance.h"

namespace clusterloom {

/// For each cell its own points and those of its adjacent cells, ascending by point id, with their
/// coordinates beside them: the candidates of a query in that cell, in the order in which its row
/// of a neighbour table lists them. Plain pointers, to host or device memory.
struct RowCandidates {
  const std::uint64_t* start = nullptr;  ///< cells + 1; cell c has entries [start[c], start[c + 1])
  const std::uint32_t* ids = nullptr;
  const double* coordinates = nullptr;  ///< dims columns of `size`, in the cloud's own order
  std::size_t size = 0;                 ///< entries of all cells
};

CLUSTERLOOM_LANE std::uint32_t bitsIn(std::uint32_t mask) {
#ifdef __CUDA_ARCH__
  return std::uint32_t(__popc(mask));
#else
  return std::uint32_t(std::popcount(mask));
#endif
}

/// Writes the row of one query to `row`: the ids of its neighbours, ascending. All lanes of the
/// warp share the query, each takes every width-th candidate, and their results are written next to
/// each other (ours: rows need no sorting afterwards, and whole lines of memory are written). `D`
/// is the number of dimensions, 0 where it is known at run time only; x(j) is the query's
/// coordinate, by the canonical predicate. Returns the entries written.
template <int D, class Lane, class Coordinate>
CLUSTERLOOM_LANE std::uint64_t fillRow(Lane& lane, const RowCandidates& candidates,
                                       std::uint32_t cell, int dims, double squaredEps,
                                       const Coordinate& x, std::uint32_t* row) {
  constexpr std::uint32_t kAll = Lane::width == 32 ? ~0U : (1U << Lane::width % 32) - 1;
  // Candidates read before the first is decided: rows are few and long, and a warp would otherwise
  // wait for each read.
  constexpr std::uint32_t kAtOnce = 4;
  const std::uint64_t end = candidates.start[cell + 1];
  std::uint64_t written = 0;
  lane.enter(Loop::Candidate);
  for (std::uint64_t base = candidates.start[cell]; base < end; base += kAtOnce * Lane::width) {
    bool inside[kAtOnce];
    std::uint32_t ids[kAtOnce];
    CLUSTERLOOM_UNROLL
    for (std::uint32_t i = 0; i < kAtOnce; ++i) {
      const std::uint64_t at = base + i * Lane::width + lane.id();
      inside[i] = at < end;
      const std::uint64_t read = inside[i] ? at : end - 1;
      ids[i] = candidates.ids[read];
      const auto difference = [&](int j) {
        return x(j) - candidates.coordinates[std::size_t(j) * candidates.size + read];
      };
      const double sum = squaredDistance(D > 0 ? D : dims, difference);
      inside[i] = inside[i] && sum <= squaredEps;
    }
    CLUSTERLOOM_UNROLL
    for (std::uint32_t i = 0; i < kAtOnce; ++i) {
      lane.step(Loop::Candidate);
      const std::uint32_t found = lane.ballot(kAll, inside[i]);
      if (inside[i]) row[written + bitsIn(found & ((1U << lane.id()) - 1))] = ids[i];
      written += bitsIn(found);
    }
  }
  lane.leave(Loop::Candidate);
  return written;
}

}  // namespace clusterloom
