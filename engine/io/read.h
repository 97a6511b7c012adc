#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/cloud/dataset.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/io/partial_read.h"

namespace clusterloom {

enum class Format { Text, Npy, Npz, Ply, Pcd, Las, Laz, Copc, Hdf5, Fits };

/// FileFormat::name (format_table.h), such as "csv".
std::string toText(Format format);

/// The largest ReadOptions::every.
inline constexpr std::uint64_t kMostEvery = 1'000'000'000;

/// TextOptions::skipLines where the lines before the table are detected.
inline constexpr std::int64_t kDetectLines = -1;
/// The most lines that may be skipped.
inline constexpr std::int64_t kMostSkippedLines = 1'000'000;

/// How to read delimited text. By default everything is detected.
struct TextOptions {
  enum class Header { Auto, Yes, No };
  enum class DecimalSign { Auto, Point, Comma };
  enum class Thousands { Auto, None, Comma, Point, Blank, Apostrophe };
  char delimiter = '\0';  ///< ',', ';', '\t', '|', ' ' (any run of blanks) or '\0' to detect
  Header header = Header::Auto;
  /// Comma: "1,5" is 1.5, and the delimiter is not a comma. Auto: the comma, when the delimiter is
  /// another character, a cell of the sample is a number with a comma and none is one with a point.
  DecimalSign decimalSign = DecimalSign::Auto;
  char comment = '#';  ///< lines starting with it are skipped
  /// Lines before the table: titles, counts, comments. kDetectLines: those that are not rows of the
  /// table by their numbers of cells, and a first line such as "sep=;".
  std::int64_t skipLines = kDetectLines;
  /// The sign between groups of three digits, as in "1,234,567.5"; not that of decimals. Blank:
  /// also those that do not break. Auto: where nothing else can be meant (text/thousands.h).
  Thousands thousands = Thousands::Auto;
};

/// Which parts of a file to read, and how to treat rows that cannot be used.
struct ReadOptions {
  TextOptions text;
  /// The table of a file that holds several: the path of a dataset or group of HDF5, the name or
  /// number of an extension of FITS. Empty: the only one there is.
  std::string dataset;
  /// Coordinate columns by name or 0-based number, in order. Empty: the numeric columns of text
  /// that are not left out (guess_coordinates.h; nor the "label" before "role" of our own exports,
  /// nor codes such as "007"), and all of NPY files; x, y, z (those present) of formats of point
  /// clouds, such as LAS, or what the "coordinate properties:" comment of our own PLY names.
  std::vector<std::string> coordinates;
  /// Columns to keep as attributes, by name or number. Used when keepOthers is off.
  std::vector<std::string> keep;
  bool keepOthers = true;         ///< keep every column that is not a coordinate
  bool skipNonFinite = false;     ///< skip rows with NaN or infinite coordinates; else refuse them
  std::uint64_t every = 1;        ///< read rows 0, every, 2 · every, … only; at least 1
  std::uint64_t memoryLimit = 0;  ///< bytes the data set may take; 0: what the machine has free
  /// Columns of a text file, by number, that are text where they are no coordinates, also where all
  /// their cells are numbers.
  std::vector<std::size_t> asText;
};

/// Reads a file; the type is decided by content first, by extension second. A file of any format
/// may be compressed with gzip or zstd: it is unpacked while it is read.
///
/// Example:
///
///     ReadOptions options;
///     options.coordinates = {"x", "y"};
///     const auto data = readDataset(path, options);
///     if (!data) return tl::unexpected(data.error());
///     const PointCloud& cloud = data->cloud;
///
/// Performance. One pass over the file, for text two: the first counts the rows. Binary records,
/// points of LAZ and text without quotes are read by all threads, others by one, and another one
/// unpacks. Peak memory is at most 1.5 times the data set; compressed text takes in addition what
/// it unpacks to, where that is at most a quarter of the memory. It is unpacked twice where it is
/// more.
///
/// Parameters. `partial` takes samples while the file is read.
///
/// Errors name the file, line (or row) and column and say what to do: Io (missing, directory,
/// unreadable), BadInput (empty, ragged, not numbers, NaN, truncated, a header with wrong figures,
/// unknown format), BadCall (no such column or table, several tables and none chosen), TooLarge,
/// Cancelled.
Result<Dataset> readDataset(const std::string& path, const ReadOptions& options = {},
                            const Task& task = {}, const PartialReads& partial = {});

/// A column as shown by the import dialog and `info`.
struct PreviewColumn {
  std::string name;
  bool numeric = true;
  std::string type;                 ///< "number", "text", or the file's own type such as "float32"
  std::string unit = {};            ///< as the file gives it; only for display
  Scalar scalar = Scalar::Float64;  ///< of numbers: how they are kept, and stored by an export
  bool leftOut = false;             ///< numbers, or no values, taken for no coordinate
  /// Of text: the first rows have no value. Numbers may follow, so it may be chosen as a
  /// coordinate.
  bool valueless = false;
};

/// One of the tables of a file, or a name on the way to one.
struct PreviewTable {
  std::string name;  ///< of HDF5 the path, so that names form a tree
  std::string says;  ///< its shape and type, or why it is not read
  bool isGroup = false;
  bool readable = false;  ///< it may be chosen by ReadOptions::dataset
  bool isColumn = false;  ///< of a group that is a table
};

/// The first rows of a file and the detected options, without reading the whole file.
struct Preview {
  Format format = Format::Text;
  std::vector<PreviewColumn> columns;
  std::vector<std::size_t> coordinates;        ///< the columns taken when none are chosen
  std::vector<std::vector<std::string>> rows;  ///< the first rows, as text, one cell a column
  TextOptions text;                            ///< for text: with everything detected filled in
  std::uint64_t fileBytes = 0;
  std::uint64_t rowEstimate = 0;  ///< exact where the header states it
  bool rowsExact = false;
  bool storesColumns = false;        ///< one column after the other
  std::vector<PreviewTable> tables;  ///< of files that can hold several
  std::string dataset;               ///< the one of them that `columns` and `rows` are of
};
Result<Preview> previewFile(const std::string& path, const ReadOptions& options = {},
                            std::size_t rows = 50);

/// The smallest convenient ReadOptions::every with which a file that is too large would fit into
/// the memory: 2, 5, 10, 20, …; 0 where none would or all rows fit.
Result<std::uint64_t> everyThatFits(const std::string& path, const ReadOptions& options);

/// XXH3-128 of the file's bytes as "xxh3:" + 32 hex digits.
Result<std::string> hashFile(const std::string& path, const Task& task = {});

}  // namespace clusterloom
