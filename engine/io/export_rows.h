#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "engine/cloud/dataset.h"
#include "engine/core/result.h"
#include "engine/dbscan/clustering.h"
#include "engine/io/write.h"

namespace clusterloom {

class RowFilter;

/// Writes to a file that is there, by its path, for a library that opens files itself. `spaceFor`
/// is about the space that the file will take.
struct WriteByPath {
  std::uint64_t (*spaceFor)(const Dataset& dataset, const Clustering* clustering) = nullptr;
  Result<void> (*write)(const std::string& path, const Dataset& dataset,
                        const Clustering* clustering, const RowFilter& filter,
                        const Provenance& provenance, const Task& task) = nullptr;
};

/// A loss of a column in a format.
struct Loss {
  std::string column;  ///< empty: of the whole file
  std::string what;    ///< names the format
};
using Losses = std::vector<Loss>;

/// Which rows of a clustering an export holds.
class RowFilter {
 public:
  /// No labels: every row.
  explicit RowFilter(const std::vector<std::int32_t>& onlyClusters);
  bool everything() const { return labels_.empty(); }
  bool takes(std::int32_t label) const;

 private:
  std::vector<std::int32_t> labels_;  // ascending
};

/// The points that pass a filter, in order: what PLY, PCD and VTP hold (a skipped row has no
/// place).
class ExportPoints {
 public:
  ExportPoints(const Dataset& dataset, const Clustering* clustering, const RowFilter& filter);
  std::size_t size() const { return everything_ ? all_ : chosen_.size(); }
  std::size_t operator[](std::size_t i) const { return everything_ ? i : chosen_[i]; }

 private:
  std::size_t all_ = 0;
  bool everything_ = true;
  std::vector<std::uint32_t> chosen_;
};

/// "core", "border" or "noise"; "skipped" for a row that was never a point.
const char* roleText(PointRole role);

/// The name of dimension j, also of a cloud that names none.
std::string dimensionName(const PointCloud& cloud, std::size_t j);

/// The names in an export that adds columns: unique, and none of `taken` (a carried "label" becomes
/// "input_label"). Where names are changed for a format, `inData` has them as they were: those that
/// did not change stay before others get theirs.
std::vector<std::string> uniqueNames(const std::vector<std::string>& names,
                                     std::vector<std::string> taken,
                                     const std::vector<std::string>& inData = {});
std::vector<std::string> attributeNames(const Dataset& dataset);

/// A column of an export.
struct ExportColumn {
  std::string name;
  Scalar type = Scalar::Float64;  ///< of numbers, as the file that was read holds them
  const Coordinates* coordinate = nullptr;
  const ColumnValues* attribute = nullptr;  ///< where it is no coordinate
  std::string unit = {};                    ///< as the file gave it; may be empty
  std::string inData = {};                  ///< its name in the data set

  /// The words of a column of text; null for numbers.
  const Categories* words() const {
    return attribute != nullptr ? std::get_if<Categories>(attribute) : nullptr;
  }
  /// Calls `use` with a function that gives the value of a point in the column's type: the number,
  /// or the code of its word.
  template <class Use>
  decltype(auto) withValues(Use&& use) const {
    if (attribute != nullptr)
      return withVector(*attribute, [&](const auto& vector) -> decltype(auto) {
        return use([values = vector.data()](std::size_t point) { return values[point]; });
      });
    return withType(type, [&]<class T>(T) -> decltype(auto) {
      return use(
          [values = coordinate](std::size_t point) { return static_cast<T>((*values)[point]); });
    });
  }
};
/// Coordinate j as a column that has the name.
ExportColumn coordinateColumn(const Dataset& dataset, std::size_t j, std::string name);
ExportColumn attributeColumn(const Attribute& attribute, std::string name);
/// The columns in the order of the file that was read, with names that leave "label" and "role" to
/// the export.
std::vector<ExportColumn> exportColumns(const Dataset& dataset);

/// Appends the bytes of a value.
template <class T>
void appendBytes(std::string& bytes, T value) {
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  bytes.append(raw, sizeof(T));
}
/// Appends the value of a point to a row of bytes.
using AppendValue = std::function<void(std::string& row, std::size_t point)>;
/// The same for a column in its type, little-endian; of text the codes.
AppendValue valueAppender(const ExportColumn& column);

/// BadCall unless there are as many labels and roles as points, and attributes of that length.
Result<void> checkSizes(const Dataset& dataset, const Clustering* clustering);

/// Writes a file of one format; `clustering` may be null for a plain data set, `filter` then takes
/// all.
using WriteRows = Result<void>(std::ostream& out, const Dataset& dataset,
                               const Clustering* clustering, const RowFilter& filter,
                               const Provenance& provenance, const Task& task);
WriteRows writeCsv, writePly, writePcd, writeVtp, writeLas, writeLaz, writeFits;
/// How HDF5 is written; null in builds without its library.
WriteByPath hdf5Writer();
/// Labels, one per input row that the filter takes.
Result<void> writeLabelsNpy(std::ostream& out, const Dataset& dataset, const Clustering& clustering,
                            const RowFilter& filter, const Task& task);
/// Coordinates as float64, shape (n, d).
Result<void> writeCoordinatesNpy(std::ostream& out, const Dataset& dataset, const Task& task);

/// The losses of the chosen points, by format.
using LossesOf = Losses(const Dataset& dataset, const ExportPoints& points);
LossesOf plyLosses, pcdLosses, fitsLosses, lasLosses, vtpLosses;

/// The columns of the chosen points with their names, by format. hdf5Columns: nothing in builds
/// without the library of HDF5.
using ColumnsOf = std::vector<ExportColumn>(const Dataset& dataset, const ExportPoints& points);
ColumnsOf csvColumns, plyColumns, pcdColumns, fitsColumns, lasColumns, vtpColumns, hdf5Columns;
/// Gives columns the names that a format holds: `held` of their own ones, unique and other than
/// those that the export adds.
template <class Held>
void renameColumns(std::vector<ExportColumn>& columns, Held held) {
  std::vector<std::string> wanted;
  std::vector<std::string> names;
  for (const ExportColumn& column : columns) {
    names.push_back(column.name);
    wanted.push_back(held(column.name));
  }
  const auto unique = uniqueNames(wanted, {"label", "role"}, names);
  for (std::size_t c = 0; c < columns.size(); ++c) columns[c].name = unique[c];
}
/// Nothing in builds without the library of HDF5.
Losses hdf5Losses(const Dataset& dataset, const ExportPoints& points);
/// The length of the longest word of a text, at least 1.
std::size_t longestWord(const Categories& text);
/// Adds the loss of a text whose words are longer than those that are read from the format.
void addLongText(Losses& losses, const Attribute& attribute, const std::string& format);

/// Writes a file whose provenance is a separate file beside it, PATH.provenance.json, and commits
/// both where they are not part of a set. Without provenance the sidecar of an earlier export is
/// removed: it would describe another file.
Result<void> writeWithSidecar(const OutputTarget& target, const Provenance& provenance,
                              const FillFile& fill);

/// A cell of CSV: quoted where it must be.
void appendCsvCell(std::string& line, std::string_view text);
/// The same, always in quotes.
void appendQuotedCell(std::string& line, std::string_view text);
/// Text for one line: line ends become blanks.
std::string oneLine(std::string_view text);

/// Writes the buffered text and clears the buffer.
void writeOut(std::ostream& out, std::string& text);
/// writeOut between rows, with progress: `row` of `rows` rows are in the buffer or written.
/// Cancelled; errors of the stream are left to the caller.
Result<void> writeOutBefore(std::size_t row, std::size_t rows, std::ostream& out, std::string& text,
                            const Task& task);
/// writeOut when the buffer is large enough.
void writeOutWhenFull(std::ostream& out, std::string& text);

/// Bytes of output between two writes and checks of the stop token: a few milliseconds of work.
inline constexpr std::size_t kExportBytes = std::size_t{1} << 20;
/// The same in rows, where a row is a number or two.
inline constexpr std::size_t kExportBlock = 16384;

}  // namespace clusterloom
