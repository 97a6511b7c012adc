#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/dataset_builder.h"
#include "engine/io/text/text_records.h"

namespace clusterloom {

/// How the rows of a text are read.
struct TextShape {
  const std::string& file;
  const TextDialect& dialect;
  const std::vector<PreviewColumn>& columns;
  const ColumnPlan& plan;
  std::uint64_t firstLine = 1;  ///< of the record that set the number of columns, for messages
};

/// Where rows are stored, some after the others.
class TextSink {
 public:
  virtual ~TextSink() = default;
  /// Makes room for this many rows.
  virtual void begin(std::size_t rows) = 0;
  /// The room of a column, as DatasetBuilder has it.
  virtual NumberSlots numbers(std::size_t column) = 0;
  virtual std::int32_t* codes(std::size_t column) = 0;
  /// The code of a word of a text column.
  virtual std::int32_t codeOf(std::size_t column, std::string_view word) = 0;
  /// As DatasetBuilder has it.
  virtual void markRounded(std::size_t column) = 0;
  /// The first rows since `begin` are stored; the numbers of their lines.
  virtual Result<void> end(std::span<const std::uint64_t> lines) = 0;
};

/// Splits text into rows and stores their cells: the part of the text reader that has to be fast.
/// Lines without quotes are split and parsed in one pass.
class TextRows {
 public:
  /// For `rows` rows.
  TextRows(TextSink& sink, const TextShape& shape, std::uint64_t rows);

  /// Reads all rows after the first `skipRecords`. `line` is the number of the stream's first line.
  Result<void> read(InputStream& in, std::size_t skipRecords, std::uint64_t line = 1);

  /// Attributes of numbers with a cell that their type does not hold: they are to be read again, in
  /// the type of `again`.
  struct Misfit {
    std::size_t column = 0;
    std::optional<Scalar> again;  ///< nothing: as text
    std::uint64_t line = 0;
    std::string cell;
  };
  const std::vector<Misfit>& misfits() const { return misfits_; }

 private:
  enum class Take { Nothing, Coordinate, Number, Word };
  struct Target {
    Take take = Take::Nothing;
    NumberSlots numbers;
    std::int32_t* codes = nullptr;
  };

  Result<void> readWindow(LineWindow& window);
  Result<void> beginBlock();
  Result<void> endBlock();
  Result<void> plainRow(const char* begin, const char* end);
  template <bool Blanks>
  Result<void> plainCells(const char* begin, const char* end);
  Result<void> quotedRow(std::string_view record);
  /// The cell without the signs between its thousands, where it is read as a number.
  std::string_view withoutGroups(Take take, std::string_view cell);
  Result<void> storeCell(std::size_t column, std::string_view cell);
  bool storeNumber(NumberSlots attribute, std::string_view cell) const;
  tl::unexpected<Error> ragged(std::size_t found) const;
  tl::unexpected<Error> at(std::size_t column, const std::string& what) const;

  TextSink& sink_;
  const TextShape shape_;
  const TextDialect& dialect_;
  std::vector<Target> targets_;
  std::uint64_t rowsLeft_;
  std::size_t skipRecords_ = 0;

  std::uint64_t line_ = 1;  // of the current record
  std::size_t row_ = 0;     // in the block
  std::size_t blockRows_ = 0;
  std::vector<std::uint64_t> lines_;
  std::vector<Misfit> misfits_;
  std::vector<TextCell> cells_;
  std::string scratch_;
  std::string digits_;  // of a cell without the signs between thousands
};

}  // namespace clusterloom
