#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "engine/io/input_stream.h"
#include "engine/io/read.h"

namespace clusterloom {

/// How to split the lines of a delimited text, with everything detected.
struct TextDialect {
  char delimiter = ',';  ///< ' ' stands for any run of blanks and tabs
  char comment = '#';    ///< '\0': there are no comments
  bool decimalComma = false;
  /// Between groups of three digits; never Auto.
  TextOptions::Thousands thousands = TextOptions::Thousands::None;
};

/// Whether `c` may stand around the cells of a record.
inline bool isBlank(char c) { return c == ' ' || c == '\t'; }

/// The longest record read: a longer one means an open quote or a file that is not a table.
inline constexpr std::size_t kMaxRecord = std::size_t{16} << 20;

/// A range of text at the start of a window.
struct TextRecord {
  enum class Kind {
    Data,
    Nothing,     ///< a blank line or a comment
    Incomplete,  ///< the window ends first
  };
  Kind kind = Kind::Incomplete;
  const char* end = nullptr;  ///< one past the '\n' that ends it
  std::uint64_t lines = 0;    ///< line ends in it: more than one where quotes hold some
  bool quoted = false;        ///< a quote character is in it
};

/// Finds the record that starts at `begin`, which must be the start of a line.
TextRecord findRecord(const char* begin, const char* end, const TextDialect& dialect);

/// One cell of a record.
struct TextCell {
  std::string_view text;  ///< trimmed unless it was quoted
  bool quoted = false;
};

/// Splits a record (without its line end) into cells. Doubled quotes are undone into `scratch`, on
/// which the cells may depend. False when text follows a closing quote: `cells` then ends with the
/// offending cell.
bool splitRecord(std::string_view record, const TextDialect& dialect, std::vector<TextCell>& cells,
                 std::string& scratch);

/// The record without '\n' or "\r\n" at its end.
std::string_view withoutLineEnd(const char* begin, const char* end);

/// Returns whole lines of a stream: a window that ends with '\n' (one is added where the file ends
/// without), as large as a block; `grow` makes it larger for records that span many lines.
class LineWindow {
 public:
  explicit LineWindow(InputStream& in) : in_(in) {}

  /// Reads until there is at least one whole line; false at the end of the file. BadInput for a
  /// line longer than kMaxRecord; `line` is the number of the window's first line, for messages.
  Result<bool> next(std::uint64_t line);
  /// Reads on when the record at the window's begin is not complete; false at the end of the file.
  Result<bool> grow();
  const char* begin() const { return in_.begin(); }
  /// One past the last '\n'.
  const char* end() const { return in_.begin() + whole_; }
  void consumeTo(const char* position);

 private:
  void findWhole();

  InputStream& in_;
  std::size_t whole_ = 0;  // bytes up to the last '\n', the added one included
  bool added_ = false;     // the last '\n' is not in the file
};

}  // namespace clusterloom
