#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/backend.h"
#include "engine/cloud/dataset.h"
#include "engine/cloud/file_rows.h"
#include "engine/cloud/space.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/dbscan/clustering.h"
#include "engine/dbscan/statistics.h"
#include "engine/io/output_set.h"

namespace clusterloom {

/// Name and value lines that say how an export was made: program version, input file and hash,
/// all parameters. PLY and PCD hold them as comments and VTP as field data. CSV and NPY, which
/// other programs read without options, get a sidecar FILE.provenance.json; an old sidecar is
/// removed when there is nothing to write.
using Provenance = std::vector<std::pair<std::string, std::string>>;

/// Whether a data set can be written under this name: its extension is that of a format that is
/// written, and no compression is asked for where the format has none. BadCall.
Result<void> checkFileName(const std::string& path);

/// The provenance of a clustering of a data set, in the space of its distances.
Provenance provenanceOf(const Dataset& dataset, const Clustering& clustering,
                        const std::string& scaling, const Space& space = {});

/// The same for points that were labelled by the clusters of another data set, `from`.
Provenance provenanceOfNewPoints(const Dataset& added, const Clustering& labels,
                                 const Dataset& from, const std::string& scaling,
                                 const Space& space = {});

struct WriteOptions {
  /// Export these labels only (−1: noise, −2: skipped rows); empty: all rows.
  std::vector<std::int32_t> onlyClusters;
  Provenance provenance;   ///< empty: none is written
  bool allowLoss = false;  ///< write what the format cannot hold of a column as near as it can
};

/// What the format of a path cannot hold of the points to export (of all points without a
/// clustering), one sentence a column, each with the name of column and format. Empty for an
/// unknown format.
std::vector<std::string> lossesOf(const std::string& path, const Dataset& dataset,
                                  const Clustering* clustering = nullptr,
                                  const std::vector<std::int32_t>& onlyClusters = {});
/// A column to which an export gives another name.
struct RenamedColumn {
  std::string column;   ///< its name in the data
  std::string written;  ///< its name in the file
};
/// The columns of the points to export (of all points without a clustering) whose names the format
/// of a path does not hold, or that have one of the export's own columns or of another column. The
/// names of others stay. Nothing for an unknown format.
std::vector<RenamedColumn> renamedIn(const std::string& path, const Dataset& dataset,
                                     const Clustering* clustering = nullptr,
                                     const std::vector<std::int32_t>& onlyClusters = {});

/// BadCall, with the first loss, where there is one.
Result<void> checkLosses(const std::string& path, const std::vector<std::string>& losses);

/// Writes labelled points in original units. Atomic, as all of these functions (output_set.h): on
/// any error, cancel included, the old file stays.
///
/// Example:
///
///     WriteOptions options;
///     options.provenance = provenanceOf(dataset, clustering, "none");
///     const auto written = writeLabelled(path, dataset, clustering, options);
///     if (!written) return tl::unexpected(written.error());
///
/// Performance. Rows are made and written block by block, by one thread, the chunks of LAZ by all;
/// the points are not copied.
///
/// The format follows the extension, after which .gz or .zst compresses the file:
/// - .csv: all input columns, label, role. Without `onlyClusters` one line for each input row: a
///   skipped one keeps its place as empty cells, label −2 and role "skipped".
/// - .npy: labels only, int32, one for each input row, −2 for skipped rows.
/// - .ply, .pcd, .vtp: points only; role is 0 noise, 1 border, 2 core, and the first three
///   dimensions are x, y and z.
/// - .h5: a group "points" with a dataset a column; .fits: a binary table.
/// - .las, .laz: label and role as extra bytes; positions are integers there: those of a cloud that
///   was not read from LAS are rounded to a scale of less than a part in 10⁸ of their range.
/// A kept column called "label" or "role" becomes "input_label", "input_role".
///
/// Errors. BadCall for an unknown extension and for a column that the format cannot hold unless
/// `allowLoss`; Io when writing fails; Cancelled.
Result<void> writeLabelled(const OutputTarget& target, const Dataset& dataset,
                           const Clustering& clustering, const WriteOptions& options,
                           const Task& task = {});

/// One value for each input row: that of its point, or `ofSkipped`. `firstRow`: of the data set in
/// the file of which it is a part.
template <class Values, class T>
std::vector<T> perInputRow(const Dataset& dataset, const Values& values, T ofSkipped,
                           std::uint64_t firstRow = 0) {
  std::vector<T> rows;
  rows.reserve(values.size() + dataset.skippedRows.size());
  auto skipped = dataset.skippedRows.begin();
  for (const T value : values) {
    for (; skipped != dataset.skippedRows.end() && *skipped == firstRow + rows.size(); ++skipped)
      rows.push_back(ofSkipped);
    rows.push_back(value);
  }
  rows.insert(rows.end(), std::size_t(dataset.skippedRows.end() - skipped), ofSkipped);
  return rows;
}

/// Labels, one per input row, skipped rows −2.
std::vector<std::int32_t> labelsPerInputRow(const Dataset& dataset, const Clustering& clustering);

/// A column of the cluster table, with a value for each cluster of the statistics; an empty cell
/// for NaN.
struct ClusterColumn {
  std::string name;
  std::vector<double> values;
};

/// The cluster table as CSV: label,size,core,border,density,nearest,nearest_distance, centroid and
/// bounds per dimension, then `more`.
Result<void> writeClusterTable(const OutputTarget& target, const Dataset& dataset,
                               const ClusteringStatistics& statistics,
                               const Provenance& provenance = {},
                               const std::vector<ClusterColumn>& more = {});

/// One CSV row for each warp looked at: number, batch, first ticket and queries; steps of the warp
/// and active lane-steps by loop; candidates of its longest and shortest lane; WEE by the report's
/// weights; start and end (seconds if measured, else weighted steps), multiprocessor, slot, cycles.
Result<void> writeWarpTable(const OutputTarget& target, const LoadReport& report);

/// One CSV row a bin: the distance up to which it goes, its ordered pairs, and those up to there.
Result<void> writeHistogram(const OutputTarget& target, const DistanceHistogram& histogram);

/// A coordinate-only file of the data set (for `generate`); format by extension, such as .csv,
/// .npy, .ply, .pcd or .vtp. Attributes are written where the format can hold them, provenance as
/// by writeLabelled.
Result<void> writeDataset(const OutputTarget& target, const Dataset& dataset, const Task& task = {},
                          const Provenance& provenance = {});

/// An NPY array of shape (input rows, columns), float64: `fill` writes the values of one point. A
/// row that was skipped gets NaN in all columns. Cancelled.
Result<void> writeRowsNpy(const OutputTarget& target, const Dataset& dataset, std::size_t columns,
                          const std::function<void(std::size_t point, double* row)>& fill,
                          const Task& task = {});

/// The points of `named` that `idsOf` gives for each point of `dataset`, which may be the same,
/// `columns` of them, as rows of the file of `named` (FileRows): an NPY array of shape (input rows
/// of `dataset`, columns), int32, or int64 where the file has 2³¹ rows or more. A row that was
/// skipped gets kSkippedRow. Cancelled.
Result<void> writeRowIdsNpy(
    const OutputTarget& target, const Dataset& dataset, const Dataset& named, std::size_t columns,
    const std::function<std::span<const std::uint32_t>(std::size_t point)>& idsOf,
    const Task& task = {});

/// Counts of the points as an NPY array, uint32, one for each input row; 0 for a row that was
/// skipped. Cancelled.
Result<void> writeCountsNpy(const OutputTarget& target, const Dataset& dataset,
                            const std::vector<std::uint32_t>& counts, const Task& task = {});

/// An NPY array of shape (count, input rows), int32: labels of several clusterings, one a row,
/// skipped rows −2. `clusteringOf` is called for 0, 1, …; its error ends the writing. Cancelled.
Result<void> writeLabelRowsNpy(const OutputTarget& target, const Dataset& dataset,
                               std::size_t count,
                               const std::function<Result<Clustering>(std::size_t)>& clusteringOf,
                               const Task& task = {});

/// An NPY array of shape (rows, columns), float64: `fill` writes the values of one row. Cancelled.
Result<void> writeTableNpy(const OutputTarget& target, std::size_t rows, std::size_t columns,
                           const std::function<void(std::size_t row, double* values)>& fill,
                           const Task& task = {});

/// CSV of a line of names and `rows` lines, each appended by `append`, without its end. Cancelled.
Result<void> writeTableCsv(const OutputTarget& target, const std::string& names, std::size_t rows,
                           const std::function<void(std::size_t row, std::string& line)>& append,
                           const Task& task = {});

/// NPY arrays, shape (n) and (n, 2). Cancelled.
Result<void> writeNpy(const OutputTarget& target, const std::vector<std::uint32_t>& values,
                      const Task& task = {});
Result<void> writeNpy(const OutputTarget& target, const std::vector<std::int32_t>& values,
                      const Task& task = {});
Result<void> writeNpy(const OutputTarget& target, const std::vector<double>& values,
                      const Task& task = {});
Result<void> writeNpy(const OutputTarget& target, std::span<const Pair> pairs,
                      const Task& task = {});

/// Pairs of points as rows of the files of `ofP` and `ofQ`: an NPY array of shape (n, 2), int32, or
/// int64 where one of the files has 2³¹ rows or more. Cancelled.
Result<void> writePairsNpy(const OutputTarget& target, std::span<const Pair> pairs,
                           const Dataset& ofP, const Dataset& ofQ, const Task& task = {});

}  // namespace clusterloom
