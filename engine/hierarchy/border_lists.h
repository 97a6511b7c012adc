#pragma once

#include <cstdint>

#include "engine/core/large_array.h"
#include "engine/core/task.h"
#include "engine/hierarchy/dendrogram.h"
#include "engine/hierarchy/leaf_tree.h"
#include "engine/hierarchy/place_lists.h"
#include "engine/hierarchy/position_order.h"
#include "engine/hierarchy/spanning_tree.h"

namespace clusterloom {

/// The lists by which DBSCAN's border points get their labels at every ε, point by point in
/// compressed rows. A row lists other points with the squared ε from which on they are core and
/// neighbours of the point, ascending, below the point's own squared core distance. Entries that an
/// earlier one makes redundant are left out.
struct BorderLists {
  LargeArray<std::uint32_t> offsets;    ///< points + 1
  LargeArray<double> squaredReach;      ///< max(d², core distance squared of the other point)
  LargeArray<std::uint32_t> positions;  ///< of the other point, in dendrogram order
};

struct BorderInput {
  const LeafTree& tree;
  const PlaceLists& lists;
  const SpanningTree& spanning;
  std::int64_t minPts = 1;
  const Dendrogram& dendrogram;
  const PositionOrder& order;
};

/// Fills the lists, in parallel on the caller's TBB arena. False when stopped. Throws
/// std::bad_alloc, also where the entries are too many for 32-bit offsets.
bool buildBorderLists(const BorderInput& input, BorderLists& lists, const Task& task);

}  // namespace clusterloom
