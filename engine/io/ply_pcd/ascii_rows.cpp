#include "engine/io/ply_pcd/ascii_rows.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include "engine/io/column_plan.h"
#include "engine/io/numbers.h"
#include "engine/io/text/text_records.h"

namespace clusterloom {
namespace {

constexpr std::size_t kAsciiRowsAtOnce = 4096;

bool isWordEnd(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// The words of one line.
class Words {
 public:
  Words(const char* begin, const char* end) : p_(begin), end_(end) { skipBlanks(); }
  bool any() const { return p_ < end_; }
  std::string_view next() {
    const char* const first = p_;
    while (p_ < end_ && !isWordEnd(*p_)) ++p_;
    const std::string_view word(first, std::size_t(p_ - first));
    skipBlanks();
    return word;
  }

 private:
  void skipBlanks() {
    while (p_ < end_ && isWordEnd(*p_)) ++p_;
  }
  const char* p_;
  const char* end_;
};

/// Gives one line after the other that is not blank.
class Lines {
 public:
  Lines(InputStream& in, std::uint64_t firstLine) : window_(in), line_(firstLine) {}

  /// False at the end of the file.
  Result<bool> next() {
    for (;;) {
      window_.consumeTo(end_ == nullptr ? window_.begin() : end_);
      end_ = nullptr;
      if (window_.begin() >= window_.end()) {
        auto more = window_.next(line_);
        if (!more || !*more) return more;
      }
      begin_ = window_.begin();
      end_ =
          static_cast<const char*>(std::memchr(begin_, '\n', std::size_t(window_.end() - begin_))) +
          1;
      ++line_;
      if (Words(begin_, end_ - 1).any()) return true;
    }
  }
  /// Gives the bytes taken so far back to the stream's own count.
  void release() {
    if (end_ != nullptr) window_.consumeTo(end_);
    end_ = nullptr;
  }
  Words words() const { return {begin_, end_ - 1}; }
  /// The number of the line `next` gave last.
  std::uint64_t line() const { return line_ - 1; }

 private:
  LineWindow window_;
  std::uint64_t line_;  // of the line to come
  const char* begin_ = nullptr;
  const char* end_ = nullptr;
};

/// A colour's three bytes as a number, also where they are in the bits of a float.
std::uint32_t unpackedColour(double value) {
  const auto asFloat = float(value);
  return std::bit_cast<std::uint32_t>(asFloat);
}

/// Stores the number in a word; false where the word is not a number of the type.
bool storeWord(std::string_view word, bool packedColour, NumberSlots out) {
  return withType(out.type, [&]<class T>(T) {
    T& value = *out.as<T>();
    if (!packedColour) {
      const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
      if (error == std::errc() && stop == word.data() + word.size()) return true;
    }
    CellValue cell = parseCell(word);
    if (cell.kind == CellKind::Word) return false;
    // Too large for a float, it is no float's bits.
    if (packedColour &&
        (!(std::abs(cell.value) > std::numeric_limits<float>::max()) || std::isinf(cell.value)))
      cell.value = double(unpackedColour(cell.value));
    if constexpr (std::is_integral_v<T>) {
      if (!storesExactly<T>(cell.value)) return false;
    }
    value = static_cast<T>(cell.value);
    return true;
  });
}

tl::unexpected<Error> at(const InputStream& in, std::uint64_t line, const std::string& what) {
  return badInput(in.name() + ": line " + std::to_string(line) + what);
}

}  // namespace

Result<void> checkAsciiRowsFit(const InputStream& in, std::uint64_t rows, std::uint64_t values) {
  // A value takes a digit and a blank or line end, which the last line may lack.
  if (rows <= (in.remaining() + 1) / (2 * values)) return {};
  return badInput(
      in.name() + ": the header promises " + std::to_string(rows) + " lines of " +
      std::to_string(values) + " values, but only " + std::to_string(in.remaining()) +
      " bytes follow it. The file was cut short or its header is wrong; copy or export it again.");
}

Result<void> skipAsciiRows(InputStream& in, std::uint64_t count, std::uint64_t& line) {
  if (count == 0) return {};
  Lines lines(in, line);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto more = lines.next();
    if (!more) return tl::unexpected(more.error());
    if (!*more)
      return at(in, lines.line() + 1,
                ": the file ends where " + std::to_string(count - i) +
                    " more lines were promised. It was cut short; copy or export it again.");
  }
  lines.release();
  line = lines.line() + 1;
  return {};
}

Result<void> readAsciiRows(InputStream& in, const AsciiLayout& layout, std::uint64_t rows,
                           DatasetBuilder& builder) {
  Lines lines(in, layout.firstLine);
  std::vector<NumberSlots> out(builder.columns().size());
  std::vector<std::uint64_t> lineOf;
  for (std::uint64_t done = 0; done < rows;) {
    const auto block = std::size_t(std::min<std::uint64_t>(kAsciiRowsAtOnce, rows - done));
    builder.extend(block);
    for (std::size_t c = 0; c < out.size(); ++c) out[c] = builder.numbers(c);
    lineOf.resize(block);
    for (std::size_t row = 0; row < block; ++row) {
      const auto more = lines.next();
      if (!more) return tl::unexpected(more.error());
      if (!*more)
        return at(in, lines.line() + 1,
                  ": the file ends after " + std::to_string(done + row) + " of " +
                      std::to_string(rows) + " points. It was cut short; copy or export it again.");
      lineOf[row] = lines.line();
      Words words = lines.words();
      std::size_t found = 0;
      const auto tooFew = [&] {
        return at(in, lines.line(),
                  " has " + std::to_string(found) +
                      " values; more are promised by the header. Correct the line.");
      };
      for (const AsciiField& field : layout.fields) {
        if (!words.any()) return tooFew();
        const std::string_view word = words.next();
        ++found;
        if (field.list) {
          std::uint64_t length = 0;
          const auto [stop, error] =
              std::from_chars(word.data(), word.data() + word.size(), length);
          if (error != std::errc() || stop != word.data() + word.size())
            return at(in, lines.line(),
                      ": " + quotedForMessage(word) + " is not the length of a list. Correct it.");
          for (; length > 0; --length, ++found) {
            if (!words.any()) return tooFew();
            words.next();
          }
          continue;
        }
        if (field.column == AsciiField::kNoColumn || !out[field.column]) continue;
        if (storeWord(word, field.packedColour, out[field.column].from(row))) continue;
        const PreviewColumn& column = builder.columns()[field.column];
        const bool number = parseCell(word).kind != CellKind::Word;
        return at(
            in, lines.line(),
            ", " + columnText(field.column, column.name) + ": " + quotedForMessage(word) +
                (number ? " is not a value of type " + column.type + "." : " is not a number.") +
                " Correct it.");
      }
      if (words.any())
        return at(in, lines.line(),
                  " has more values than the " + std::to_string(found) +
                      " promised by the header. Correct the line.");
    }
    if (auto settled = builder.settle(block, lineOf, in.task()); !settled) return settled;
    done += block;
  }
  lines.release();
  return {};
}

}  // namespace clusterloom
