#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <vector>

#include "engine/cloud/dataset.h"
#include "engine/core/result.h"
#include "engine/io/byte_source.h"
#include "engine/io/dataset_builder.h"
#include "engine/io/file_tree.h"
#include "engine/io/input_stream.h"
#include "engine/io/read.h"

namespace clusterloom {

/// A file whose header describes its rows: every format but text. Opened by the functions below,
/// which read the header and check its figures against the size of the file.
class TableFile {
 public:
  virtual ~TableFile() = default;
  const std::vector<PreviewColumn>& columns() const { return columns_; }
  /// The columns to take as coordinates when the caller names none.
  const std::vector<std::size_t>& coordinates() const { return coordinates_; }
  std::uint64_t rows() const { return rows_; }
  /// Whether columns are stored one after the other.
  virtual bool storesColumns() const { return false; }

  /// The type of all numbers, float32 or float64, where the file is now at rows of nothing else
  /// that are in memory as they are in the file.
  virtual std::optional<Scalar> rowsOf() const { return {}; }

  /// Whether the place of every row in the file follows from the header, so that any rows can be
  /// read without those before them.
  virtual bool divides() const { return false; }
  /// Leaves out the first rows; call it before `readRows`, where the file divides.
  void startAt(std::uint64_t firstRow) { firstRow_ = firstRow; }
  /// Reads the next `rows` rows, of rows() at most, into a builder with space reserved for them.
  virtual Result<void> readRows(DatasetBuilder& builder, std::uint64_t rows) = 0;
  /// Points all over the file, about `most` or fewer, where the file holds such a sample that is
  /// read without all others; nothing where it does not. `plan` has coordinates only.
  virtual Result<std::optional<PointCloud>> coarse(const ColumnPlan& /*plan*/,
                                                   std::uint64_t /*most*/, const Task& /*task*/) {
    return std::optional<PointCloud>();
  }
  /// All nodes of a file that is a tree of levels of detail, their boxes by the first columns;
  /// empty where it is none, or damaged.
  virtual std::vector<FileTree::Node> tree(const Task& /*task*/) { return {}; }
  /// The points of one of these nodes. `plan` has coordinates only. Several threads may call it.
  /// Errors as readRows and DatasetBuilder::finish.
  virtual Result<PointCloud> readNode(const FileTree::Node& /*node*/, const ColumnPlan& /*plan*/,
                                      const ReadOptions& /*options*/, const Task& /*task*/) const {
    return PointCloud();
  }
  /// Of files that hold several tables: their names, and which of them this is.
  const std::vector<PreviewTable>& tables() const { return tables_; }
  const std::string& table() const { return table_; }
  /// BadCall where several tables could be meant and none was chosen.
  virtual Result<void> checkChoice() const { return {}; }
  /// Dataset::unreadColumns.
  const std::vector<std::string>& unreadColumns() const { return unreadColumns_; }
  /// Adds to a data set that was read what the file says beside its rows.
  virtual void complete(Dataset& /*dataset*/) const {}

 protected:
  std::vector<PreviewColumn> columns_;
  std::vector<std::size_t> coordinates_;
  std::uint64_t rows_ = 0;
  std::uint64_t firstRow_ = 0;
  std::vector<PreviewTable> tables_;
  std::string table_;
  std::vector<std::string> unreadColumns_;
};

/// The message of checkChoice.
tl::unexpected<Error> severalTables(const std::string& file,
                                    const std::vector<PreviewTable>& tables);
/// The error for a compressed file of a format that is not read from front to back.
tl::unexpected<Error> unpackFirst(const InputStream& in, const std::string& format);
/// x, y and z, those there are; without two of them guessCoordinates of all columns of numbers but
/// "label" and "role".
std::vector<std::size_t> coordinatesByName(std::vector<PreviewColumn>& columns);
/// A name in quotes, cut where it is long.
std::string quotedPath(const std::string& path);

Result<std::unique_ptr<TableFile>> openNpy(InputStream& in, const ReadOptions& options);
Result<std::unique_ptr<TableFile>> openNpz(InputStream& in, const ReadOptions& options);
Result<std::unique_ptr<TableFile>> openPly(InputStream& in, const ReadOptions& options);
Result<std::unique_ptr<TableFile>> openPcd(InputStream& in, const ReadOptions& options);
Result<std::unique_ptr<TableFile>> openLas(InputStream& in, const ReadOptions& options);
Result<std::unique_ptr<TableFile>> openHdf5(InputStream& in, const ReadOptions& options);
Result<std::unique_ptr<TableFile>> openFits(InputStream& in, const ReadOptions& options);

/// Delimited text: one pass to count the rows and hash, one to read them. Compressed text is
/// unpacked before them, into memory, or by both where it is too large.
Result<Dataset> readText(const ByteSource& source, const ReadOptions& options, const Task& task,
                         const PartialReads& partial);
Result<Preview> previewText(const ByteSource& source, const ReadOptions& options, std::size_t rows);

/// One of `parts` pieces of a text, cut between lines, with its rows counted. Every piece begins
/// where a line does; that is the beginning of a row unless a cell in quotes spans lines.
class TextPart {
 public:
  virtual ~TextPart() = default;
  virtual const std::vector<std::string>& names() const = 0;  ///< of the coordinates
  virtual std::uint64_t rows() const = 0;
  virtual std::uint64_t lines() const = 0;
  /// A quote is in it, so that its ends may not be those of rows.
  virtual bool quoted() const = 0;
  /// Reads the coordinates and the kept columns; `rowsBefore` rows and `linesBefore` lines of the
  /// file precede the part. A kept column may have a wider type than in other parts, or be text.
  virtual Result<Dataset> read(std::uint64_t rowsBefore, std::uint64_t linesBefore,
                               const Task& task) const = 0;
};
/// `same`: a piece of the same text that was opened by the same options; its layout is not looked
/// for again.
Result<std::unique_ptr<TextPart>> openTextPart(const ByteSource& source, const ReadOptions& options,
                                               int part, int parts, const Task& task,
                                               const TextPart* same = nullptr);

/// Runs `work` so that no exception leaves the engine.
template <class Work>
auto guardedReading(const std::string& name, Work work) -> decltype(work()) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return tooLarge(name +
                    ": memory ran out while reading. Take fewer columns, or a part of the file.");
  } catch (const std::exception& error) {
    return badInput(name + ": cannot be read (" + error.what() + ").");
  }
}

/// `readDataset` and `previewFile` for any source.
Result<Dataset> readDatasetFrom(const ByteSource& source, const ReadOptions& options,
                                const Task& task, const PartialReads& partial = {});
Result<Preview> previewFrom(const ByteSource& source, const ReadOptions& options, std::size_t rows);

/// The type of a file: by its first bytes, and by the extension of its name where these do not
/// decide. The stream is at its start and is not consumed. BadInput, naming a conversion where
/// there is one, for an empty file and for formats that are not supported.
Result<Format> detectFormat(InputStream& in);

}  // namespace clusterloom
