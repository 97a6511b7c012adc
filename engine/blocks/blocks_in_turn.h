#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "engine/backend.h"
#include "engine/cloud/dataset.h"
#include "engine/cloud/scaling.h"
#include "engine/cloud/space.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/dbscan/clustering.h"
#include "engine/io/output_set.h"
#include "engine/io/read.h"

namespace clusterloom {

/// The least memory for clusterInBlocks, in bytes.
inline constexpr std::uint64_t kLeastBlockMemory = std::uint64_t{128} << 20;

/// A file that is read in parts.
struct BlockFile {
  std::string path;
  ReadOptions read;
  std::string weights = {};  ///< name of the column with a weight of each point; empty: none
};

/// How files are worked on in blocks.
struct BlockPlan {
  std::uint64_t points = 0;        ///< of all files
  std::size_t blocks = 0;          ///< that have points
  std::uint64_t largest = 0;       ///< points of the largest one, with its halo, at most
  std::uint64_t mostHalo = 0;      ///< points of all halos together, at most
  std::uint64_t memory = 0;        ///< bytes that the largest one needs, the program included
  std::uint64_t scratchBytes = 0;  ///< what will be written to the scratch folder, at most
  std::uint64_t freeBytes = 0;     ///< what may be written there
};

struct BlockOptions {
  std::uint64_t memory = 0;      ///< bytes that the process may use, kLeastBlockMemory or more
  std::string scratch;           ///< an existing folder for files that are removed at the end
  int threads = 0;               ///< CPU threads beside the backend's; 0: as many as there are
  std::uint64_t mostPoints = 0;  ///< of a block and of a part of the file; 0: what fits
  ScalingChoice scaling;         ///< None or Factors
  /// The names of each file say which of its two coordinates is the longitude (inOrderOf).
  bool geographicByNames = false;
  Space space;  ///< in which distances are measured
  /// Called once, before the scratch files are written.
  std::function<void(const BlockPlan&)> planned;
};

/// The rows and columns of a file.
struct BlockRows {
  std::uint64_t rows = 0;  ///< skipped ones included
  std::uint64_t skipped = 0;
  Dataset columns;  ///< only names of coordinates and remarks on columns
  std::uint64_t points() const { return rows - skipped; }
};

/// The results of a run, with the counts of `cloud`, and the seconds of its passes.
struct BlockRun : ClusterCounts {
  BlockPlan plan;
  BlockRows cloud;
  BlockRows queries;           ///< of a run with two files
  int readings = 2;            ///< how often the files were read
  std::uint64_t halo = 0;      ///< points of halos, of all blocks together
  std::uint64_t labelled = 0;  ///< queries with a cluster
  std::uint64_t pairs = 0;     ///< of a join
  double countSeconds = 0;     ///< first pass over the files
  double scatterSeconds = 0;   ///< second pass, which writes the blocks
  double blockSeconds = 0;     ///< the blocks in turn
  double mergeSeconds = 0;     ///< clusters of all blocks, and the results in the order of the file
  RunStats stats;              ///< backend, threads, strategy and note of the largest block
};

/// DBSCAN of a file that is larger than memory. The labels are those of dbscanOf for the whole
/// cloud by the backend of its space (backendIn), element by element (cluster_block.h).
///
/// Overview. A sample says how space is cut into cells; a first pass over the file counts their
/// points, and the cells are dealt to blocks that fit into memory with their halo of 2 ε. A second
/// pass writes the points of each block into a file of the scratch folder. Blocks are clustered in
/// turn, the next one being read meanwhile; their clusters are merged, and the labels follow in the
/// order of the file.
///
/// Performance. The file is read twice, text four times. On the disk: 8·d + 14 bytes a point,
/// and 8·d + 24 for each point of a halo; 8 more with weights.
///
/// Parameters. `labels` names the file of labels (NPY, int32, one for each row of the file,
/// kSkippedRow for skipped rows), which `outputs` gets; empty: only counts are wanted.
///
/// Errors. As openFilePart, weightColumn, backendIn and dbscanOf; TooLarge where a block with its
/// halo does not fit into the memory, with the memory that is needed; Io where the disk has too
/// little space, before anything is written, and where it gets full; BadInput for a file that
/// cannot be read in parts or changes meanwhile; BadCall for other scalings. Nothing is left in the
/// scratch folder.
Result<BlockRun> clusterInBlocks(const BlockFile& file, const DbscanParams& params,
                                 const Backend& backend, const Strategy& strategy,
                                 const BlockOptions& options, OutputSet& outputs,
                                 const std::string& labels, const Task& task);

/// Labels for the points of `queries` by the clusters of `cloud`, as labelNewPoints gives them for
/// both in memory. The clusters of a block and its halo are right for all points within ε of it, so
/// a block with final cluster numbers can label its queries without other blocks. Performance,
/// parameters and errors are those of clusterInBlocks, where the points of both files count, and
/// BadInput for files of different dimensions; `labels` has the rows of `queries`. BadCall for
/// weights: where some are negative, a block may lack core points near its queries.
Result<BlockRun> labelInBlocks(const BlockFile& cloud, const BlockFile& queries,
                               const DbscanParams& params, const Backend& backend,
                               const Strategy& strategy, const BlockOptions& options,
                               OutputSet& outputs, const std::string& labels, const Task& task);

/// The neighbours of each point of `cloud` in it, or of each point of `queries` in `cloud`, as
/// Backend::count gives them for all points in memory; the halo is ε here. Performance, parameters
/// and errors are those of clusterInBlocks and labelInBlocks; `counts` names the file of counts
/// (NPY, uint32, one for each row of the file, 0 for skipped rows).
Result<BlockRun> countInBlocks(const BlockFile& cloud, const BlockFile* queries, double eps,
                               const Backend& backend, const Strategy& strategy,
                               const BlockOptions& options, OutputSet& outputs,
                               const std::string& counts, const Task& task);

}  // namespace clusterloom
