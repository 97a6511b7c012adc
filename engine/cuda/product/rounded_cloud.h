#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/cuda/grid/device_cloud.h"
#include "engine/product/product_reach.h"

namespace clusterloom {

/// Points of a tile: 128 queries are multiplied with 128 points at a time.
inline constexpr std::uint32_t kProductTile = 128;

/// What the points of all clouds of a join are rounded by: x becomes round(s·(x − c)), to bytes for
/// the matrix units and to 16 bits for the pairs that bytes leave open. A scale is 0 where
/// differences overflow.
struct DeviceRounding {
  DeviceBuffer<double> centre;  ///< c, by dimension
  double byteScale = 0;
  double wordScale = 0;
};
DeviceRounding deviceRounding(GpuRun& run, const std::vector<const DeviceCloud*>& clouds);

/// The points of a cloud in device memory, rounded, in an order in which near points are near each
/// other. Positions go by tiles; the last tile is filled up with places without a point.
struct RoundedCloud {
  std::uint32_t size = 0;
  std::uint32_t tiles = 0;
  std::uint32_t byteWidth = 0;               ///< bytes of a row, a multiple of 32
  std::uint32_t wordWidth = 0;               ///< 16-bit values of a row, a multiple of 8
  DeviceBuffer<std::uint32_t> pointIds;      ///< by position
  DeviceBuffer<std::int8_t> bytes;           ///< [position][byteWidth]
  DeviceBuffer<std::int32_t> norms;          ///< of the bytes, squared, by position
  DeviceBuffer<std::int16_t> words;          ///< [position][wordWidth]
  DeviceBuffer<double> wordErrors;           ///< rounding distances, by position
  DeviceBuffer<std::int32_t> wordStarts;     ///< startOfWords, by position
  DeviceBuffer<std::int8_t> wordBytes;       ///< of splitWords: higher bytes of a row, then lower
  DeviceBuffer<std::int32_t> wordParts;      ///< of splitWords: partOfColumn, by position
  DeviceBuffer<double> tileErrors;           ///< largest rounding distance of its bytes, by tile
  DeviceBuffer<double> radii;                ///< largest distance from the tile's centre, by tile
  DeviceBuffer<std::int8_t> centres;         ///< [tile][byteWidth]
  DeviceBuffer<std::int32_t> centreNorms;    ///< squared, by tile
  std::shared_ptr<const DeviceCloud> cloud;  ///< the coordinates themselves, by point
};

/// Rounds and orders the points. Time: products of bytes of every point with 1/128 of the points,
/// at most 4,096. Memory on the device: 3 bytes for each coordinate, besides the cloud's.
RoundedCloud roundOnDevice(GpuRun& run, std::shared_ptr<const DeviceCloud> cloud,
                           const DeviceRounding& rounding);

/// Makes `wordBytes` and `wordParts` of a cloud of at most kWordDims dimensions, in its order.
void splitWords(GpuRun& run, RoundedCloud& rounded);

/// Bytes of a row of `wordBytes`.
constexpr std::uint32_t widthOfWordBytes(std::size_t dims) { return dims <= 16 ? 32 : 64; }

/// Rounds the points again, after a change of the order of `pointIds`.
void roundInOrder(GpuRun& run, RoundedCloud& rounded, const DeviceRounding& rounding);

}  // namespace clusterloom
