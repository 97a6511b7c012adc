#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/core/task.h"
#include "engine/io/byte_source.h"
#include "engine/io/file_tree.h"
#include "engine/io/las/laz_file.h"

namespace clusterloom {

/// The user and the numbers of the records of a COPC file: what says where its octree is, and the
/// octree. [copc.io, COPC 1.0]
inline constexpr const char* kCopcUser = "copc";
inline constexpr std::uint16_t kCopcInfo = 1;
inline constexpr std::uint16_t kCopcTree = 1000;

/// The chunks of the upper levels of a COPC file's octree, ascending: as many whole levels as have
/// at most `most` points, but at least the first one. They lie all over the cloud, evenly rather
/// than as densely as all points do. `info` is the content of the record kCopcInfo, `file` has the
/// chunks. Only the pages of the tree that say something of these levels are read. Empty where the
/// tree is damaged or is not that of these chunks, and when it is stopped: the file can be read
/// without it.
std::vector<std::size_t> copcUpperChunks(const ByteSource& source, std::string_view info,
                                         const LazFile& file, std::uint64_t most, const Task& task);

/// All nodes of the octree, level by level, with the rows of their chunks; low and high are of x, y
/// and z. Empty where the tree is damaged, lacks points of the file or has others, and when it is
/// stopped.
std::vector<FileTree::Node> copcNodes(const ByteSource& source, std::string_view info,
                                      const LazFile& file, const Task& task);

}  // namespace clusterloom
