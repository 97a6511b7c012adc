#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "engine/cloud/scaling.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/io/read.h"
#include "render/scene/display_space.h"

namespace clusterloom {

/// The least memory for storePoints, in bytes.
inline constexpr std::uint64_t kLeastStoreMemory = std::uint64_t{32} << 20;

/// What is stored, and how.
struct StoreOrder {
  std::string path;  ///< a file that can be read in parts
  ReadOptions read;  ///< all rows are read, those without finite coordinates left out
  Scaling scaling;   ///< as of the sample
  /// A sample of the points as they are drawn, on two or three axes that are dimensions or
  /// principal axes: it gives the space in which all are drawn, and tells where many lie.
  std::shared_ptr<const DisplayPoints> sample;
  std::uint64_t likelyRows = 0;                     ///< of the file
  std::uint64_t memory = std::uint64_t{512} << 20;  ///< bytes for the work, about
  /// Called between parts of the work, to wait for what is awaited more.
  std::function<void()> pause = {};
};

/// Bytes of the file that is written for so many points, about.
std::uint64_t storedBytes(int axes, std::uint64_t points);

/// BadCall for other axes than two or three that are dimensions or principal axes; TooLarge where
/// more than 2³² − 1 rows are likely.
Result<void> checkStoreOrder(const StoreOrder& order);

/// Writes the points of a file that is larger than memory in levels of detail (stored_points.h), so
/// that any part of it can be drawn with all of its points.
///
/// Overview. One pass over the file lays out the points in the space of the sample and deals them
/// to piles on the disk, which are cut from the Morton curve so that each has as many points of the
/// sample. The piles are then sorted in turn by level and place (level_order.h, by the numbers of
/// the rows); each adds blocks to all levels, whose sizes are known by then.
///
/// Performance. The file is read once, text twice. The disk needs storedBytes, and a little more
/// for the piles, of which each is removed when it is sorted. Parallel on the caller's TBB arena.
///
/// Parameters. `output` is written in the folder `scratch`, which must be on the same disk, and
/// renamed at the end: there is never a part of it under this name.
///
/// Errors. As checkStoreOrder, before anything is read, and openFilePart; BadInput for a file that
/// cannot be read in parts or changes meanwhile; TooLarge for more than 2³² − 1 rows, and where the
/// memory runs out; Io where the disk has too little space (checkDiskSpace), before anything is
/// written, and where it gets full; Cancelled. Nothing is left then.
Result<void> storePoints(const StoreOrder& order, const std::string& output,
                         const std::string& scratch, const Task& task);

}  // namespace clusterloom
