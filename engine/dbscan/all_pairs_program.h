#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/core/lane.h"
#include "engine/core/predicate.h"
#include "engine/core/squared_distance.h"

// The work of one lane that compares its point with all others: brute force, and the construction
// of G-DBSCAN's graph, which is the same join [Frasson 2021, §2.2].

namespace clusterloom {

/// Coordinates held dimension-major without gaps: coordinate j of item i at first[j · stride + i].
/// `At` is a pointer to doubles, or what a block's shared memory is indexed by.
template <class At = const double*>
struct Columns {
  At first{};
  std::size_t stride = 0;
};

/// One item of some columns, as the predicate reads it.
template <class At>
struct ItemOf {
  Columns<At> columns;
  std::uint32_t item;
  CLUSTERLOOM_LANE double operator()(std::size_t j) const {
    return columns.first[j * columns.stride + item];
  }
};

/// Data that all lanes of the join share.
struct AllPairs {
  Columns<> points;
  std::uint32_t size = 0;
  std::uint32_t dims = 0;
  double squaredEps = 0;
  bool shortCircuit = false;  ///< distances end once their sum passes ε² [Frasson 2021, §3.1.1]
};

/// Candidates in the order of their numbers: step i compares with point i.
template <class At>
struct InOrder {
  Columns<At> columns;      ///< where their coordinates are
  std::uint32_t first = 0;  ///< the point that is item 0 there
  CLUSTERLOOM_LANE std::uint32_t point(std::uint32_t step) const { return step; }
};

/// Step i compares with point (i + shift) mod size, so that lanes with different shifts read
/// different addresses at a time ([Frasson 2021, §3.1.1], which finds that this does not pay).
template <class At>
struct Shifted {
  Columns<At> columns;
  std::uint32_t first = 0;
  std::uint32_t shift = 0;  ///< < size
  std::uint32_t size = 0;
  CLUSTERLOOM_LANE std::uint32_t point(std::uint32_t step) const {
    const std::uint32_t there = step + shift;
    return there < size ? there : there - size;
  }
};

/// Whether the canonical squared distance of two points is within ε, adding only as many terms as
/// needed: partial sums never decrease, so one above ε² decides.
template <class CoordinateOfA, class CoordinateOfB>
CLUSTERLOOM_LANE bool withinEpsEarly(std::uint32_t dims, double squaredEps, const CoordinateOfA& a,
                                     const CoordinateOfB& b) {
  return squaredDistance(
             dims, [&](std::uint32_t j) { return a(j) - b(j); },
             [&](double partial) { return partial > squaredEps; }) <= squaredEps;
}

/// visitNeighbours with `shortCircuit` known at compile time.
template <bool shortCircuit, class Lane, class Own, class Walk, class Hit>
CLUSTERLOOM_LANE std::uint32_t visitNeighboursBy(Lane& lane, const AllPairs& all, const Own& own,
                                                 const Walk& walk, std::uint32_t from,
                                                 std::uint32_t to, Hit& hit) {
  std::uint32_t step = from;
  bool enough = false;
  lane.enter(Loop::Candidate);
  while (step < to && !enough) {
    lane.step(Loop::Candidate);
    const std::uint32_t candidate = walk.point(step++);
    const ItemOf other{walk.columns, candidate - walk.first};
    bool inside = false;
    if constexpr (shortCircuit)
      inside = withinEpsEarly(all.dims, all.squaredEps, own, other);
    else
      inside = withinEps(canonicalSquaredDistance(all.dims, own, other), all.squaredEps);
    if (inside) {
      lane.mark(Loop::Hit);
      enough = hit(candidate);
    }
  }
  lane.leave(Loop::Candidate);
  return step - from;
}

/// Calls hit(candidate) for each neighbour of `own` among the candidates of steps [from, to), until
/// it returns true, which means enough. Returns the steps done.
template <class Lane, class Own, class Walk, class Hit>
CLUSTERLOOM_LANE std::uint32_t visitNeighbours(Lane& lane, const AllPairs& all, const Own& own,
                                               const Walk& walk, std::uint32_t from,
                                               std::uint32_t to, Hit& hit) {
  return all.shortCircuit ? visitNeighboursBy<true>(lane, all, own, walk, from, to, hit)
                          : visitNeighboursBy<false>(lane, all, own, walk, from, to, hit);
}

/// Counts neighbours.
struct NeighbourCounter {
  std::uint32_t count = 0;
  CLUSTERLOOM_LANE bool enough() const { return false; }
  CLUSTERLOOM_LANE bool operator()(std::uint32_t) {
    ++count;
    return false;
  }
};

/// Writes neighbours to a row of a table, and stops when the row is full: its length is known from
/// the count [Frasson 2021, §3.2].
struct RowFiller {
  std::uint32_t* row = nullptr;
  std::uint32_t length = 0;
  std::uint32_t filled = 0;
  CLUSTERLOOM_LANE bool enough() const { return filled == length; }
  CLUSTERLOOM_LANE bool operator()(std::uint32_t candidate) {
    row[filled++] = candidate;
    return enough();
  }
};

// DBSCAN without union-find: each core point is labelled with the number of a core point of its
// cluster, its own at first, and takes the lowest label of its core neighbours, pass after pass,
// until none changes. Then all points of a cluster have the label of its lowest core point.

/// The lowest label among core neighbours.
struct LowestLabel {
  const std::uint8_t* core = nullptr;     ///< by point
  const std::uint32_t* labels = nullptr;  ///< by point
  std::uint32_t lowest = 0xffffffffU;
  CLUSTERLOOM_LANE bool enough() const { return false; }
  CLUSTERLOOM_LANE bool operator()(std::uint32_t candidate) {
    if (core[candidate] != 0 && labels[candidate] < lowest) lowest = labels[candidate];
    return false;
  }
};

/// Stores the label found for core point p. The point that its old label names takes the new one
/// too, so that labels spread by more than one neighbourhood per pass.
template <class Lane>
CLUSTERLOOM_LANE void takeLowest(Lane& lane, std::uint32_t p, std::uint32_t lowest,
                                 std::uint32_t* labels, std::uint32_t* changed) {
  const std::uint32_t before = lane.load(&labels[p]);
  if (lowest >= before) return;
  lane.least(&labels[before], lowest);
  lane.least(&labels[p], lowest);
  lane.store(changed, std::uint32_t{1});
}

/// Between passes core point p takes the label at the end of the chain that its own begins.
template <class Lane>
CLUSTERLOOM_LANE void shortenChain(Lane& lane, std::uint32_t p, std::uint32_t* labels) {
  std::uint32_t label = lane.load(&labels[p]);
  for (std::uint32_t next = lane.load(&labels[label]); next != label;
       next = lane.load(&labels[label]))
    label = next;
  lane.store(&labels[p], label);
}

}  // namespace clusterloom
