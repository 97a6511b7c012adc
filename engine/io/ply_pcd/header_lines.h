#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/io/input_stream.h"
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

/// The columns called x, y and z, in that order, those that are there.
std::vector<std::size_t> xyzColumns(const std::vector<PreviewColumn>& columns);

}  // namespace clusterloom
