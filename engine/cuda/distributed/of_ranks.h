#pragma once

#include <algorithm>
#include <vector>

#include "engine/blocks/division_view.h"

namespace clusterloom {

/// A pointer of each rank, as a kernel takes them.
template <class T>
struct OfRanks {
  const T* ofRank[DivisionView::kMostRanks] = {};
  explicit OfRanks(const std::vector<const T*>& pointers) {
    std::copy(pointers.begin(), pointers.end(), ofRank);
  }
};

}  // namespace clusterloom
