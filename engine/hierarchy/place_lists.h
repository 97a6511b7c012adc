#pragma once

#include <cstdint>
#include <span>

#include "engine/core/large_array.h"
#include "engine/core/task.h"
#include "engine/hierarchy/leaf_tree.h"
#include "engine/hierarchy/nearest_neighbours.h"

namespace clusterloom {

/// The nearest other points of each place of a LeafTree, as places, by (distance, point). A place
/// is leaf × kLeafSize + lane. Refers to the neighbours and the tree that it was made from.
class PlaceLists {
 public:
  /// From rows by point. Check the task afterwards: the lists of a stopped call are incomplete.
  static PlaceLists ofPoints(const LeafTree& tree, const NearestNeighbours& nearest,
                             const Task& task);
  /// From rows by place that name places.
  static PlaceLists ofPlaces(const NearestNeighbours& byPlace);

  std::size_t others() const { return others_; }  ///< entries of a list
  const std::uint32_t* placesOf(std::size_t place) const {
    return (own_.empty() ? nearest_->ids.data() + 1 : own_.data()) + place * stride_;
  }
  const double* squaredDistancesOf(std::size_t place) const {
    return nearest_->squaredDistances.data() + rowOf(place) * (others_ + 1) + 1;
  }
  /// Fetches the distances of a place into the cache, before they are read.
  void prefetch(std::size_t place) const {
    if (place < rows_.size()) nearest_->prefetchSquaredDistances(rows_[place]);
  }

 private:
  std::size_t rowOf(std::size_t place) const { return rows_.empty() ? place : rows_[place]; }

  const NearestNeighbours* nearest_ = nullptr;
  std::span<const std::uint32_t> rows_;  // row of each place; empty: the place
  LargeArray<std::uint32_t> own_;
  std::size_t others_ = 0;
  std::size_t stride_ = 0;
};

}  // namespace clusterloom
