#pragma once

#include <array>
#include <cstdint>

#include "engine/cuda/product/product_tiles.h"

namespace clusterloom {

/// A search of one cloud for what is near each of its points.
struct SelfSearch : TileSearch {
  std::uint32_t tiles = 0;
  double byteScale = 0;
  double wordScale = 0;
  double* mostByteError = nullptr;  ///< the largest rounding distance of the bytes of all points
};

/// Device memory of a search, which another search of the same points can go on with.
struct SelfSearchRoom {
  DeviceBuffer<double> exact;  ///< launchExactRows; empty: the cloud's columns are read
  // Of any content:
  DeviceBuffer<uint2> open;
  DeviceBuffer<uint2> close;
  DeviceBuffer<std::uint32_t> near;
  DeviceBuffer<std::uint32_t> length;
  DeviceBuffer<std::uint32_t> head;
  DeviceBuffer<unsigned long long> sums;  ///< open pairs, close pairs, pairs of tiles
  DeviceBuffer<double> mostError;
};
/// All of it but `exact`.
SelfSearchRoom roomForSearch(GpuRun& run, const RoundedCloud& points);

SelfSearch selfSearch(const GpuRun& run, const RoundedCloud& points, const DeviceRounding& rounding,
                      SelfSearchRoom& room);

/// Queues the computation of `mostByteError`.
void launchMostByteError(GpuRun& run, const SelfSearch& search);

/// Tiles `first` … first + rows − 1, each with the tiles from … to − 1.
struct TileBand {
  std::uint32_t first = 0;
  std::uint32_t rows = 0;
  std::uint32_t from = 0;
  std::uint32_t to = 0;
};

/// The two halves of a band of more than two tiles: of its rows, or of its only row.
std::array<TileBand, 2> halvesOf(const TileBand& band);

/// Makes the tiles of `band` those that are multiplied next, with empty lists.
void beginBand(GpuRun& run, SelfSearch& search, SelfSearchRoom& room, const TileBand& band);

}  // namespace clusterloom
