#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/io/file_stamp.h"
#include "engine/io/read.h"

namespace clusterloom {

/// A file that has its points in a tree of levels of detail: COPC. Several threads may use one.
class FileTree {
 public:
  ~FileTree();

  /// Some points within a box, which the nodes of all levels before it have not. Their rows follow
  /// one another in the file.
  struct Node {
    std::uint64_t firstRow = 0;
    std::uint64_t points = 0;
    int level = 0;             ///< of the root 0; a level has half of the spacing of the one before
    std::vector<double> low;   ///< the box, one value per coordinate
    std::vector<double> high;  ///< may be a little too small by the rounding of coordinates
  };

  /// Null where the file has no tree, or a damaged one, and where the coordinates are not those by
  /// which it is made. Only the list of nodes is read. Errors as readDataset.
  static Result<std::unique_ptr<FileTree>> open(const std::string& path, const ReadOptions& options,
                                                const Task& task);

  /// Level by level; each row of the file is in one of them.
  const std::vector<Node>& nodes() const { return nodes_; }
  std::uint64_t rows() const { return rows_; }
  /// The points of a node, all of its rows in order. Errors as readDataset, also for points without
  /// finite coordinates, and hasChangedError where the file is not the one that was opened.
  Result<PointCloud> read(const Node& node) const;

 private:
  FileTree();
  static Result<std::unique_ptr<FileTree>> opened(const std::string& path,
                                                  const ReadOptions& options, const Task& task);

  struct Opened;
  std::string path_;
  FileStamp stamp_;
  ReadOptions options_;
  std::uint64_t rows_ = 0;
  std::vector<Node> nodes_;
  std::unique_ptr<const Opened> opened_;
};

}  // namespace clusterloom
