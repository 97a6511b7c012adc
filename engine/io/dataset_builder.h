#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cloud/dataset.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/io/column_plan.h"
#include "engine/io/partial_read.h"
#include "engine/io/read.h"
#include "engine/io/scalar.h"

namespace clusterloom {

/// Gives each distinct word a number, in order of first appearance. Open addressing over the
/// words themselves, which are kept in chunks that never move, so that a column of many distinct
/// words costs little beside the words.
class WordTable {
 public:
  std::int32_t codeOf(std::string_view word);
  /// Bytes the words and the table take, about.
  std::uint64_t bytes() const { return bytes_ + slots_.size() * sizeof(std::int32_t); }
  std::vector<std::string> take();
  const std::string& word(std::int32_t code) const { return word(std::size_t(code)); }

 private:
  static constexpr std::size_t kChunk = 65536;

  const std::string& word(std::size_t code) const { return chunks_[code / kChunk][code % kChunk]; }
  void grow();

  std::vector<std::vector<std::string>> chunks_;
  std::size_t count_ = 0;
  std::vector<std::int32_t> slots_;  // −1: free
  std::uint64_t bytes_ = 0;
};

/// The most rows a reader should extend by at once. Where only some rows are taken, the builder has
/// that much space for the others.
inline constexpr std::uint64_t kRowsPerExtend = std::uint64_t{1} << 19;

/// Takes rows from a reader, block by block, into columns of exactly the size needed, and handles
/// rows whose coordinates are not finite: they are refused, or skipped on request.
///
/// A reader calls `reserve` with the number of rows; then any number of times `extend`, fills the
/// slots, `settle`; at the end `finish`. Columns may also be filled one after the other (each
/// extended by all rows) before a single `settle`.
class DatasetBuilder {
 public:
  DatasetBuilder(std::string file, std::vector<PreviewColumn> columns, ColumnPlan plan,
                 const ReadOptions& options);

  /// Call before `reserve`, for files whose columns are stored one after the other: whole columns
  /// are kept until `settle`, also where few of their rows are.
  void expectColumns() { wholeColumns_ = true; }

  /// Call before `extend`. Samples are taken by `settle`, outside of which no row is complete.
  void deliverTo(const PartialReads& partial) { partial_ = partial; }

  /// The rows are part of a file, after its first `firstRow` rows: messages and skipped rows count
  /// from the file's begin, and it is no error if no row is left. Call before `reserve`.
  void beginAt(std::uint64_t firstRow) {
    rowsSeen_ = firstRow;
    isPart_ = true;
  }

  const std::vector<PreviewColumn>& columns() const { return columns_; }

  /// TooLarge when there are too many points for their ids or too little memory, reported before
  /// anything is allocated. BadInput when there are no rows.
  Result<void> reserve(std::uint64_t rows);

  /// Adds `rows` rows to every column that is kept.
  void extend(std::size_t rows);
  /// The same for one column of the file.
  void extendColumn(std::size_t column, std::size_t rows);

  /// The slots of the newest extension: null for a column that is not kept or is of the other
  /// kind. Those of coordinates are doubles, those of other columns of the type of the column.
  NumberSlots numbers(std::size_t column);
  std::int32_t* codes(std::size_t column);
  /// The code of a word of a text column.
  std::int32_t codeOf(std::size_t column, std::string_view word);

  /// A coordinate of the column is written as an integer of another value than its double.
  void markRounded(std::size_t column) { marked_[column] = true; }

  /// Accepts the first `rows` rows extended since the last call, and drops the rest. `lines` are
  /// their line numbers in text files (1-based), empty in others. TooLarge when the words of text
  /// columns, or the rows that are skipped, outgrow the memory allowed. Cancelled.
  Result<void> settle(std::size_t rows, std::span<const std::uint64_t> lines, const Task& task);

  /// The data set; `source` is filled in by the caller. BadInput for rows that were refused, naming
  /// the first and how many there are, and when no row is left.
  Result<Dataset> finish();

 private:
  struct FirstBad {
    std::uint64_t row = 0;
    std::uint64_t line = 0;  // 0: the file has no lines
    std::size_t column = 0;
    double value = 0;
  };

  void resizeAll(std::size_t rows);
  std::size_t kept() const { return plan_.coordinates.size() + plan_.attributes.size(); }
  std::uint64_t taken(std::uint64_t rows) const { return (rows + every_ - 1) / every_; }
  void settleRow(std::size_t at, std::uint64_t row, std::uint64_t line);
  bool blockIsFinite(std::size_t first, std::size_t last) const;
  std::optional<std::size_t> firstBadColumn(std::size_t row) const;
  const std::vector<double>& coordinate(std::size_t column) const {
    return std::get<std::vector<double>>(values_[column]);
  }
  void moveRow(std::size_t from, std::size_t to);
  void keepSkipped(std::size_t row);
  void describeCoordinates(Dataset& dataset) const;
  void deliverSample();

  std::string file_;
  std::vector<PreviewColumn> columns_;
  ColumnPlan plan_;
  bool skip_;
  bool isPart_ = false;
  std::uint64_t every_;
  bool wholeColumns_ = false;
  std::uint64_t memoryLimit_;
  std::uint64_t rowBytes_ = 0;
  std::uint64_t numberBytes_ = 0;

  std::vector<ColumnValues> values_;         // one per file column; empty where it is not kept
  std::vector<ColumnValues> skippedValues_;  // the same of the rows that are skipped
  std::vector<WordTable> words_;
  std::vector<bool> marked_;  // by markRounded
  std::size_t settled_ = 0;   // rows that are accepted
  std::uint64_t rowsSeen_ = 0;
  std::uint64_t refused_ = 0;
  std::optional<FirstBad> firstBad_;
  std::vector<std::uint64_t> skipped_;
  PartialReads partial_;
  std::uint64_t rowsReserved_ = 0;
  using Clock = std::chrono::steady_clock;
  Clock::time_point lastSample_;   ///< when it was delivered
  Clock::duration sampleTook_{0};  ///< of many coordinates: at most a tenth of the time is theirs
};

}  // namespace clusterloom
