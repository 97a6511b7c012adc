#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/io/input_stream.h"
#include "engine/io/kept_words.h"
#include "engine/io/read.h"

namespace clusterloom {

/// The text headers of PLY and PCD, line by line, as words.
class HeaderLines {
 public:
  HeaderLines(InputStream& in, std::string format) : in_(in), format_(std::move(format)) {}
  /// The words of the next line. BadInput where the file ends inside the header or the header is
  /// too long.
  Result<std::vector<std::string>> next();
  /// 1-based number of the line `next` gave last.
  std::uint64_t line() const { return line_; }
  /// The same line as it stands.
  const std::string& text() const { return text_; }
  /// BadInput naming the file and the line.
  tl::unexpected<Error> wrong(const std::string& what) const;

 private:
  InputStream& in_;
  std::string format_;
  std::string text_;
  std::uint64_t line_ = 0;
  std::size_t bytes_ = 0;
};

/// A whole number without sign, and nothing else; false otherwise.
bool parseCount(const std::string& text, std::uint64_t& value);

/// The comments of our own exports.
struct ExportNotes {
  KeptWords words;                       ///< of text that is stored as codes
  std::vector<std::string> coordinates;  ///< the names of the columns, where they are not x, y, z
};
/// Takes what a line of comment notes: "comment COLUMN NUMBER = WORD" and "comment coordinate
/// properties: NAME …", with any first word; `words` are those of the line.
void takeNote(const std::string& line, const std::vector<std::string>& words, ExportNotes& notes);

/// The columns with the noted names, where all are there; else those called x, y and z, in that
/// order, those that are there.
std::vector<std::size_t> notedColumns(const std::vector<PreviewColumn>& columns,
                                      const std::vector<std::string>& noted);

}  // namespace clusterloom
