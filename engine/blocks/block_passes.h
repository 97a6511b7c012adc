#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "engine/blocks/block_files.h"
#include "engine/blocks/block_forecast.h"
#include "engine/blocks/block_progress.h"
#include "engine/blocks/block_tools.h"
#include "engine/blocks/blocks_in_turn.h"
#include "engine/blocks/cluster_block.h"
#include "engine/blocks/file_in_parts.h"
#include "engine/blocks/scatter.h"
#include "engine/blocks/scratch_folder.h"
#include "engine/io/file_stamp.h"

namespace clusterloom {

/// The sizes of a block.
struct BlockContent {
  std::uint64_t points = 0;  ///< of the cloud, halo included
  std::uint64_t own = 0;     ///< of the cloud
  std::uint64_t queries = 0;
};

/// What runs in blocks have in common (blocks_in_turn.h): the passes that write the points of
/// blocks to files, the order in which blocks are read, and results in the order of a file.
class BlockPasses {
 public:
  /// A block holds the points of `cloud` in it, those within haloWidth(eps) of it, images of a
  /// periodic box among them, and the points of `queries`, if given, in it. `eps` is that of the
  /// points as blocks see them (BlockSpace). With `withRows` results are written for each row, of
  /// the queries where there are any. `stage` is the name of the progress.
  BlockPasses(const BlockFile& cloud, const BlockFile* queries, double eps, const BlockTools& tools,
              const BlockOptions& options, bool withRows, std::string_view stage, const Task& task);

  /// Divides the points. `tryCall` gets a cloud of one point before anything is read: its errors
  /// for that cloud are errors of the run. Errors as clusterInBlocks.
  Result<void> divide(const std::function<Result<void>(const PointCloud&)>& tryCall);
  /// Only plans, as if all points were distributed like the sample, which is returned as blocks see
  /// it. Errors as divide before anything is written.
  Result<PointCloud> planBy(const BlockSample& sample);
  /// Calls work(block, points) for each block that has points, its own or those of a halo, the next
  /// one being read meanwhile; it is the passes from `first` to `last`. Their files are removed
  /// unless `keep`.
  Result<void> forEachBlock(BlockPass first, BlockPass last, bool keep,
                            const std::function<Result<void>(std::size_t, BlockPoints&)>& work);
  Result<BlockPoints> queriesOf(std::size_t block) const;
  /// Writes an NPY file of a type of four bytes, a value for each row: blocks have those of their
  /// own points, or queries, in their files `name`; skipped rows get `skipped`.
  Result<void> writeRows(OutputSet& outputs, const std::string& path, const char* name,
                         const char* type, std::int32_t skipped) const;

  /// A block's file of this name.
  std::string fileOf(const char* name, std::size_t block) const {
    return scratch_.file(name + std::to_string(block));
  }
  const std::vector<BlockContent>& blocks() const { return blocks_; }
  /// Bytes that the passes may use in addition to the program.
  std::uint64_t budget() const;
  /// How many values of `bytes` bytes a buffer for each block may have.
  std::size_t valuesAtOnce(std::size_t bytes) const;
  bool withRows() const { return withRows_; }
  /// Without progress, which this class reports.
  const Task& quiet() const { return quiet_; }
  /// Puts plan, rows, halo and seconds of the passes into the result.
  void describe(BlockRun& run) const;

 private:
  struct File {
    BlockFile file;
    FileStamp stamp = {};
    int parts = 1;  // in which it is read
    BlockRows rows = {};
    std::uint64_t likely = 0;  // rows
    std::uint64_t most = 0;    // rows
    Format format = Format::Npy;
    bool single = false;  // whether floats hold its points; known after the first pass
  };

  static constexpr const char* kCloudFile = "points-";
  static constexpr const char* kQueryFile = "queries-";
  static constexpr std::uint16_t kSkipped = std::numeric_limits<std::uint16_t>::max();  // no block

  std::size_t dims() const { return names_.size(); }
  bool weighted() const { return !files_.front().file.weights.empty(); }
  BlockRecord recordOf(const File& file) const {
    return {dims() + !file.file.weights.empty(), file.single};
  }
  bool fitsFloats(const PointCloud& points, std::span<const double> weights) const;
  PointCloud inOrder(PointCloud cloud) const;
  BlockVolume volume(std::uint64_t points, std::uint64_t queries) const;
  std::uint64_t heldBytes() const;
  std::uint64_t mostPoints() const;
  std::uint64_t partBytes() const;
  std::uint64_t atMost(std::uint64_t points) const {
    return options_.mostPoints > 0 ? std::min(points, options_.mostPoints) : points;
  }
  void report(BlockPass pass, std::uint64_t part, std::uint64_t parts) const;
  static tl::unexpected<Error> changed(const File& file);
  static Result<void> checkUnchanged(const File& file);

  Result<void> open(const std::function<Result<void>(const PointCloud&)>& tryCall);
  Result<void> openFiles(const std::function<Result<void>(const PointCloud&)>& tryCall);
  std::uint64_t memoryFor(std::uint64_t points) const;
  Result<void> openFile(File& file);
  Result<void> sample(const File& file, std::vector<Coordinates>& columns) const;
  Result<void> forEachPart(BlockPass pass,
                           const std::function<Result<void>(File&, RowsOfFile&)>& work);
  static RowOfPoint rowsOf(const RowsOfFile& rows);
  Result<std::vector<double>> weightsOf(const RowsOfFile& rows) const;
  Result<void> addCounts(const PointCloud& points);
  Result<void> count();
  Result<void> plan();
  Result<void> scatter();
  Result<void> appendOwners(const std::vector<std::uint16_t>& ofPoints,
                            const RowsOfFile& rows) const;

  const BlockOptions& options_;
  const double eps_;
  BlockSpace space_;
  const bool withRows_;
  const bool onGpu_;
  const Method method_;
  const std::string_view stage_;
  const Task& task_;
  const Task quiet_;
  std::vector<File> files_;         // the cloud, and the queries
  std::vector<std::string> names_;  // of the coordinates that blocks see
  int cut_ = 1;                     // blocks for which space is cut
  int readings_ = 2;                // of the cloud
  SpaceDivision division_;
  std::vector<std::uint64_t> counts_;
  std::vector<std::uint64_t> images_;  // of a periodic box, counted likewise; else empty
  std::vector<BlockSize> sizes_;
  ScratchFolder scratch_;
  std::vector<BlockContent> blocks_;
  BlockPlan plan_;
  BlockProgress progress_{{}};
  double countSeconds_ = 0;
  double scatterSeconds_ = 0;
};

/// The file with only those columns that its blocks need.
BlockFile asBlocksRead(BlockFile file);

}  // namespace clusterloom
