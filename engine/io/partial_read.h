#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

#include "engine/cloud/point_cloud.h"

namespace clusterloom {

/// A sample of the points read so far, for display only: results of it are not those of the file.
struct PartialRead {
  /// One row of every k that were read, in order; of a COPC file the upper levels of its octree,
  /// once, where it has many times as many points.
  std::shared_ptr<const PointCloud> sample;
  std::uint64_t rowsRead = 0;
  std::uint64_t rows = 0;  ///< in the file

  /// Whether it is one that the file holds, of all its rows, before any were read.
  bool isOfAll() const { return rowsRead == 0; }
};

/// How samples are taken while a file is read. Files that are read in less than the
/// first interval, and those whose columns are stored one after the other, give none.
struct PartialReads {
  std::function<void(const PartialRead&)>
      deliver;                     ///< on the reading thread; empty: none are taken
  std::size_t points = 200'000;    ///< in a sample of the whole file, at most
  std::size_t values = 2'000'000;  ///< coordinates in such a sample, at most
  std::chrono::milliseconds interval{300};
};

}  // namespace clusterloom
