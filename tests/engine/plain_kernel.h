#pragma once

#include <cstdint>

#include "engine/join/join_view.h"
#include "engine/join/lane_program.h"

/// The counting kernel whose warps were measured on an H200 (tests/data/load): one thread per
/// point, the own cell visited in its turn among the adjacent ones, no filter but the bounds of the
/// cloud, a search for every cell. The engine's program differs from it in just that: it takes the
/// own cell first and skips coordinates that hold nothing.
template <class Lane, class Sink>
void plainKernel(Lane& lane, const clusterloom::JoinView& v, std::uint32_t position,
                 std::uint32_t ownCell, Sink& sink) {
  using namespace clusterloom;
  constexpr int kMost = JoinView::kMaxIndexed;
  std::uint32_t low[kMost];
  std::uint32_t high[kMost];
  std::uint32_t at[kMost];
  std::uint64_t rest = v.cellIds[ownCell];
  for (int i = 0; i < v.indexedDims; ++i) {
    const auto own = static_cast<std::uint32_t>(rest / v.stride[i]);
    rest %= v.stride[i];
    low[i] = at[i] = std::max(own - 1, 1U);  // one empty cell pads each end
    high[i] = std::min(own + 1, v.extent[i] - 2);
  }
  std::uint64_t calculations = 0;
  lane.enter(Loop::Cell);
  for (;;) {
    lane.step(Loop::Cell);
    std::uint64_t id = 0;
    for (int i = 0; i < v.indexedDims; ++i) id += at[i] * v.stride[i];
    const std::uint32_t cell = searchCell(lane, v, id);
    if (cell < v.cells && v.cellIds[cell] == id)
      scanRange<Deciding::Whole>(lane, v, QueryPoint<0>{{}, position}, v.cellStart[cell],
                                 v.cellStart[cell + 1], 1, std::false_type{}, sink, calculations);
    int i = v.indexedDims - 1;
    for (; i >= 0 && ++at[i] > high[i]; --i) at[i] = low[i];
    if (i < 0) break;
  }
  lane.leave(Loop::Cell);
}
