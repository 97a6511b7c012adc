#include "engine/hierarchy/place_lists.h"

#include "engine/core/parallel_for.h"

namespace clusterloom {

PlaceLists PlaceLists::ofPoints(const LeafTree& tree, const NearestNeighbours& nearest,
                                const Task& task) {
  constexpr std::size_t kAhead = 12;
  PlaceLists lists;
  lists.nearest_ = &nearest;
  lists.rows_ = {tree.ids.data(), tree.points};
  lists.others_ = lists.stride_ = std::size_t(nearest.k) - 1;
  lists.own_.resize(tree.points * lists.others_ + 1);
  LargeArray<std::uint32_t> placeOf(tree.points);
  parallelFor(tree.points, 16384,
              [&](std::size_t place) { placeOf[tree.ids[place]] = std::uint32_t(place); });
  parallelFor(tree.points, 1024, task, [&](std::size_t place) {
    if (place + kAhead < tree.points) nearest.prefetchIds(tree.ids[place + kAhead]);
    const auto ids = nearest.idsOf(tree.ids[place]).subspan(1);
    std::uint32_t* to = lists.own_.data() + place * lists.others_;
    for (const std::uint32_t id : ids) *to++ = placeOf[id];
  });
  return lists;
}

PlaceLists PlaceLists::ofPlaces(const NearestNeighbours& byPlace) {
  PlaceLists lists;
  lists.nearest_ = &byPlace;
  lists.stride_ = std::size_t(byPlace.k);
  lists.others_ = lists.stride_ - 1;
  return lists;
}

}  // namespace clusterloom
