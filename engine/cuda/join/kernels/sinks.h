#pragma once

#include <cstdint>

#include "engine/core/disjoint_sets.h"
#include "engine/core/lane.h"

namespace clusterloom {

// Sinks of joins on a GPU, which hold plain pointers to device memory. They are written over the
// lane, so that tests run them on the host. A lane copies its kernel's sink for each query:
//   begin(ticket, query)   before the first candidate
//   hit(p, q)              one ordered pair; returns whether the query needs no more
//   finish(lane, group)    after the last candidate; every lane of the group calls it
// Under a half pattern hits with p != query are the other direction of a pair.

/// The lanes that share a query.
struct LaneGroup {
  std::uint32_t mask = 1;  ///< of the warp
  std::uint32_t size = 1;
  std::uint32_t phase = 0;  ///< this lane's place in it
};

/// Adds up `value` over a group's lanes; right in its phase 0.
template <class Lane>
CLUSTERLOOM_LANE std::uint32_t sumOverGroup(Lane& lane, const LaneGroup& group,
                                            std::uint32_t value) {
  for (std::uint32_t step = group.size / 2; step > 0; step /= 2)
    value += lane.shuffle(group.mask, value,
                          lane.id() - group.phase + (group.phase + step) % group.size);
  return value;
}

/// Counts neighbours into `counts`, by position and zero before; stops a lane at `enough` of its
/// own (full and tile only). `found`, if not null, gets what each query found itself, which under a
/// half pattern is not its count.
template <class Lane>
struct LaneCountSink {
  std::uint32_t* counts = nullptr;
  std::uint32_t* found = nullptr;
  std::uint32_t enough = ~std::uint32_t{0};
  bool half = false;
  std::uint32_t query = 0;
  std::uint32_t mine = 0;

  CLUSTERLOOM_LANE void begin(std::uint32_t, std::uint32_t position) {
    query = position;
    mine = 0;
  }
  CLUSTERLOOM_LANE bool hit(std::uint32_t p, std::uint32_t) {
    if (p == query) return ++mine >= enough;
    Lane{}.add(counts + p, std::uint32_t{1});
    return false;
  }
  CLUSTERLOOM_LANE void finish(Lane& lane, const LaneGroup& group) {
    const std::uint32_t all = sumOverGroup(lane, group, mine);
    if (group.phase != 0) return;
    if (found != nullptr) found[query] = all;
    if (half)
      lane.add(counts + query, all);
    else
      counts[query] = all;
  }
};

/// Writes the rows of a batch: what the query of each ticket found, as point ids, from rowStart of
/// its row on. Under a half pattern bit 31 marks a neighbour whose own row needs the query too.
/// `cursors`, one per row and zero before, are for queries shared by several lanes.
template <class Lane>
struct LaneFillSink {
  static constexpr std::uint32_t kBothWays = 1U << 31;

  const std::uint32_t* pointIds = nullptr;
  const std::uint64_t* rowStart = nullptr;  ///< by ticket less firstTicket; all below 2³²
  std::uint32_t* cursors = nullptr;         ///< null: one lane per query
  std::uint32_t* ids = nullptr;
  std::uint32_t firstTicket = 0;
  std::uint32_t query = 0;
  std::uint32_t row = 0;
  std::uint32_t next = 0;  ///< this lane's last entry is before it

  CLUSTERLOOM_LANE void begin(std::uint32_t ticket, std::uint32_t position) {
    query = position;
    row = ticket - firstTicket;
    next = std::uint32_t(rowStart[row]);
  }
  CLUSTERLOOM_LANE bool hit(std::uint32_t p, std::uint32_t q) {
    if (p != query) {
      ids[next - 1] |= kBothWays;  // the pair just written, seen from its other end
      return false;
    }
    const std::uint32_t at = cursors == nullptr ? next
                                                : std::uint32_t(rowStart[row]) +
                                                      Lane{}.add(cursors + row, std::uint32_t{1});
    ids[at] = pointIds[q];
    next = at + 1;
    return false;
  }
  CLUSTERLOOM_LANE void finish(Lane&, const LaneGroup&) {}
};

/// Writes every pair as a key, p's id above q's, in no order: the papers' result [Gowanlock 2018,
/// §4.1]. Pairs past `capacity` are counted and not written.
template <class Lane>
struct LanePairSink {
  const std::uint32_t* pointIds = nullptr;
  std::uint64_t* keys = nullptr;
  std::uint64_t capacity = 0;
  std::uint64_t* found = nullptr;  ///< one counter, 0 before

  static CLUSTERLOOM_LANE std::uint64_t keyOf(std::uint32_t p, std::uint32_t q) {
    return std::uint64_t(p) << 32 | q;
  }
  CLUSTERLOOM_LANE void begin(std::uint32_t, std::uint32_t) {}
  CLUSTERLOOM_LANE bool hit(std::uint32_t p, std::uint32_t q) {
    const std::uint64_t at = Lane{}.add(found, std::uint64_t{1});
    if (at < capacity) keys[at] = keyOf(pointIds[p], pointIds[q]);
    return false;
  }
  CLUSTERLOOM_LANE void finish(Lane&, const LaneGroup&) {}
};

/// Makes one set of every two core points within ε. Runs only when all core flags are final. The
/// root of a set is its lowest position once all are united.
template <class Lane>
struct LaneUnionSink {
  std::uint32_t* parent = nullptr;
  const std::uint8_t* core = nullptr;

  CLUSTERLOOM_LANE void begin(std::uint32_t, std::uint32_t) {}
  CLUSTERLOOM_LANE bool hit(std::uint32_t p, std::uint32_t q) {
    if (p == q || !core[p] || !core[q]) return false;
    Lane lane;
    unite(lane, parent, p, q);
    return false;
  }
  CLUSTERLOOM_LANE void finish(Lane&, const LaneGroup&) {}
};

/// Gives each non-core point the lowest cluster among the core points within ε. Labels are by
/// position and unsigned, so that noise, all bits set, is the highest.
template <class Lane>
struct LaneBorderSink {
  std::uint32_t* labels = nullptr;
  const std::uint8_t* core = nullptr;

  CLUSTERLOOM_LANE void begin(std::uint32_t, std::uint32_t) {}
  CLUSTERLOOM_LANE bool hit(std::uint32_t p, std::uint32_t q) {
    if (!core[p] && core[q]) Lane{}.least(labels + p, labels[q]);
    return false;
  }
  CLUSTERLOOM_LANE void finish(Lane&, const LaneGroup&) {}
};

}  // namespace clusterloom
