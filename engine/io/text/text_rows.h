#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/io/dataset_builder.h"
#include "engine/io/text/text_records.h"

namespace clusterloom {

/// Splits text into rows and stores their cells in a builder: the part of the text reader that has
/// to be fast. Lines without quotes are split and parsed in one pass.
class TextRows {
 public:
  /// `firstLine` is the line of the record that set the number of columns, for messages.
  TextRows(DatasetBuilder& builder, std::string file, const TextDialect& dialect,
           const ColumnPlan& plan, std::uint64_t rows, std::uint64_t firstLine);

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

  DatasetBuilder& builder_;
  const Task* task_ = nullptr;
  std::string file_;
  TextDialect dialect_;
  std::vector<Target> targets_;
  std::uint64_t rowsLeft_;
  std::uint64_t firstLine_;
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
