#include "engine/io/text/text_rows.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "engine/io/numbers.h"
#include "engine/io/text/thousands.h"

namespace clusterloom {
namespace {

// Rows stored before they are checked for coordinates that are not finite: few enough to be still
// in the cache, many enough to make the call cheap.
constexpr std::size_t kTextRowsAtOnce = 4096;

// From here on a double may stand for several integers.
constexpr double kFirstInexactInteger = 9007199254740992.0;

/// Whether a kept integer, such as an id, would come out of a double as another one.
bool losesDigits(double value, std::string_view cell) {
  return std::abs(value) >= kFirstInexactInteger && std::isfinite(value) &&
         std::all_of(cell.begin(), cell.end(),
                     [](char c) { return (c >= '0' && c <= '9') || c == '-' || c == '+'; });
}

/// Whether a coordinate is written as an integer that its value, the nearest double, is not.
bool isRoundedInteger(double value, std::string_view cell) {
  if (!losesDigits(value, cell)) return false;
  cell.remove_prefix(std::min(cell.find_first_of("123456789"), cell.size()));
  std::array<char, std::numeric_limits<double>::max_exponent10 + 1> digits;
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(),
                                          std::abs(value), std::chars_format::fixed, 0);
  return error != std::errc() || cell != std::string_view(digits.data(), end);
}

/// The type for a column of `type` that does not hold the number in a cell.
std::optional<Scalar> widerType(Scalar type, std::string_view cell, bool decimalComma) {
  if (isZeroPadded(cell) || parseCell(cell, decimalComma).kind == CellKind::Word)
    return std::nullopt;
  if (std::uint64_t wide = 0; readInteger(cell, wide))
    return type == Scalar::Int64 ? std::optional(Scalar::Uint64) : std::nullopt;
  return type == Scalar::Int64 ? std::optional(Scalar::Float64) : std::nullopt;
}

bool isGrouped(std::string_view cell) {
  return groupedNumber(cell, Thousands::Comma) || groupedNumber(cell, Thousands::Point) ||
         groupedNumber(cell, Thousands::Blank) || groupedNumber(cell, Thousands::Apostrophe);
}

}  // namespace

TextRows::TextRows(TextSink& sink, const TextShape& shape, std::uint64_t rows)
    : sink_(sink),
      shape_(shape),
      dialect_(shape.dialect),
      targets_(shape.plan.uses.size()),
      rowsLeft_(rows) {
  for (std::size_t c = 0; c < targets_.size(); ++c) {
    const ColumnUse::Kind kind = shape.plan.uses[c].kind;
    if (kind == ColumnUse::Kind::Coordinate) targets_[c].take = Take::Coordinate;
    if (kind == ColumnUse::Kind::Attribute)
      targets_[c].take = shape.columns[c].numeric ? Take::Number : Take::Word;
  }
}

Result<void> TextRows::read(InputStream& in, std::size_t skipRecords, std::uint64_t line) {
  line_ = line;
  skipRecords_ = skipRecords;
  LineWindow window(in);
  for (;;) {
    const auto more = window.next(line_);
    if (!more) return tl::unexpected(more.error());
    if (!*more) break;
    if (auto done = readWindow(window); !done) return done;
  }
  if (auto ended = endBlock(); !ended) return ended;
  if (rowsLeft_ > 0)
    return ioError(shape_.file +
                   ": changed while it was read. Wait until it is written, then open it again.");
  return {};
}

Result<void> TextRows::readWindow(LineWindow& window) {
  const char* p = window.begin();
  const char* const end = window.end();
  const bool quotes = std::memchr(p, '"', std::size_t(end - p)) != nullptr;
  while (p < end) {
    if (*p == '\n') {
      ++p;
      ++line_;
      continue;
    }
    const char* next = nullptr;
    std::uint64_t lines = 1;
    bool quoted = false;
    const bool simple = !quotes && static_cast<unsigned char>(*p) > ' ' && *p != dialect_.comment;
    if (simple) {
      next = static_cast<const char*>(std::memchr(p, '\n', std::size_t(end - p))) + 1;
    } else {
      const TextRecord record = findRecord(p, end, dialect_);
      if (record.kind == TextRecord::Kind::Incomplete) {
        const auto size = std::size_t(end - p);
        window.consumeTo(p);
        const auto grown = window.grow();
        if (!grown) return tl::unexpected(grown.error());
        if (!*grown || size > kMaxRecord)
          return badInput(shape_.file + ": line " + std::to_string(line_) +
                          ": a quote (\") is opened and never closed. Close it, or remove it.");
        return {};
      }
      next = record.end;
      lines = record.lines;
      quoted = record.quoted;
      if (record.kind == TextRecord::Kind::Nothing) {
        line_ += lines;
        p = next;
        continue;
      }
    }
    if (skipRecords_ > 0) {
      --skipRecords_;
    } else {
      if (row_ == blockRows_) {
        if (auto ended = endBlock(); !ended) return ended;
        if (auto begun = beginBlock(); !begun) return begun;
      }
      const std::string_view record = withoutLineEnd(p, next);
      if (auto row =
              quoted ? quotedRow(record) : plainRow(record.data(), record.data() + record.size());
          !row)
        return row;
      lines_[row_++] = line_;
    }
    line_ += lines;
    p = next;
  }
  window.consumeTo(p);
  return {};
}

Result<void> TextRows::beginBlock() {
  blockRows_ = std::size_t(std::min<std::uint64_t>(kTextRowsAtOnce, rowsLeft_));
  if (blockRows_ == 0)
    return ioError(shape_.file +
                   ": changed while it was read. Wait until it is written, then open it again.");
  sink_.begin(blockRows_);
  for (std::size_t c = 0; c < targets_.size(); ++c) {
    targets_[c].numbers = sink_.numbers(c);
    targets_[c].codes = sink_.codes(c);
  }
  lines_.resize(blockRows_);
  return {};
}

Result<void> TextRows::endBlock() {
  if (blockRows_ == 0) return {};
  auto settled = sink_.end(std::span(lines_).first(row_));
  rowsLeft_ -= row_;
  row_ = 0;
  blockRows_ = 0;
  return settled;
}

Result<void> TextRows::plainRow(const char* begin, const char* end) {
  return dialect_.delimiter == ' ' ? plainCells<true>(begin, end) : plainCells<false>(begin, end);
}

template <bool Blanks>
Result<void> TextRows::plainCells(const char* p, const char* const end) {
  const char delimiter = dialect_.delimiter;
  const std::size_t columns = targets_.size();
  for (std::size_t c = 0; c < columns; ++c) {
    if constexpr (Blanks) {
      while (p < end && isBlank(*p)) ++p;
      if (p == end) return ragged(c);
    } else if (c > 0) {
      if (p == end) return ragged(c);
      ++p;
    }
    const Target& target = targets_[c];
    if (target.take == Take::Coordinate && !dialect_.decimalComma) {
      // The usual case: a number with nothing around it.
      double& value = target.numbers.as<double>()[row_];
      const auto [stop, error] = std::from_chars(p, end, value);
      if (error == std::errc() && (stop == end || (Blanks ? isBlank(*stop) : *stop == delimiter))) {
        if (isRoundedInteger(value, {p, std::size_t(stop - p)})) sink_.markRounded(c);
        p = stop;
        continue;
      }
    }
    const char* stop = p;
    if constexpr (Blanks) {
      while (stop < end && !isBlank(*stop)) ++stop;
    } else {
      stop = static_cast<const char*>(p < end ? std::memchr(p, delimiter, std::size_t(end - p))
                                              : nullptr);
      if (stop == nullptr) stop = end;
    }
    if (auto stored = storeCell(c, trimmed({p, std::size_t(stop - p)})); !stored) return stored;
    p = stop;
  }
  if constexpr (Blanks)
    while (p < end && isBlank(*p)) ++p;
  if (p == end) return {};
  std::size_t found = columns;
  if constexpr (Blanks) {
    for (; p < end; ++found) {
      while (p < end && !isBlank(*p)) ++p;
      while (p < end && isBlank(*p)) ++p;
    }
  } else {
    found += std::size_t(std::count(p, end, delimiter));
  }
  return ragged(found);
}

Result<void> TextRows::quotedRow(std::string_view record) {
  if (!splitRecord(record, dialect_, cells_, scratch_))
    return at(cells_.size() - 1, "text follows the closing quote of " +
                                     quotedForMessage(cells_.back().text) +
                                     ". Double the quotes inside a quoted cell.");
  if (cells_.size() != targets_.size()) return ragged(cells_.size());
  for (std::size_t c = 0; c < cells_.size(); ++c)
    if (auto stored = storeCell(c, cells_[c].text); !stored) return stored;
  return {};
}

std::string_view TextRows::withoutGroups(Take take, std::string_view cell) {
  const bool number = take == Take::Coordinate || take == Take::Number;
  return number ? withoutThousands(cell, dialect_.thousands, digits_) : cell;
}

Result<void> TextRows::storeCell(std::size_t column, std::string_view cell) {
  Target& target = targets_[column];
  if (dialect_.thousands != Thousands::None) [[unlikely]]
    cell = withoutGroups(target.take, cell);
  switch (target.take) {
    case Take::Nothing: return {};
    case Take::Word: target.codes[row_] = sink_.codeOf(column, cell); return {};
    case Take::Coordinate: {
      const CellValue parsed = parseCell(cell, dialect_.decimalComma);
      if (parsed.kind == CellKind::Word) {
        const bool comma = !dialect_.decimalComma && parseCell(cell, true).kind == CellKind::Number;
        const bool grouped = !comma && isGrouped(cell);
        return at(column,
                  quotedForMessage(cell) + " is not a number. " +
                      (comma ? "If the comma is the decimal sign, choose it. Otherwise correct it, "
                       : grouped ? "If its thousands stand in groups, say by which sign. Otherwise "
                                   "correct it, "
                                 : "Correct it, ") +
                      "or choose other coordinate columns" +
                      (line_ == shape_.firstLine
                           ? "; if this line names the columns, say that there is a header."
                           : "."));
      }
      target.numbers.as<double>()[row_] = parsed.value;
      if (isRoundedInteger(parsed.value, cell)) sink_.markRounded(column);
      return {};
    }
    case Take::Number:
      if (storeNumber(target.numbers, cell)) return {};
      misfits_.push_back({column, widerType(target.numbers.type, cell, dialect_.decimalComma),
                          line_, std::string(cell)});
      target.take = Take::Nothing;
      return {};
  }
  return {};
}

bool TextRows::storeNumber(NumberSlots attribute, std::string_view cell) const {
  if (attribute.type == Scalar::Int64) return readInteger(cell, attribute.as<std::int64_t>()[row_]);
  if (attribute.type == Scalar::Uint64)
    return readInteger(cell, attribute.as<std::uint64_t>()[row_]);
  const CellValue parsed = parseCell(cell, dialect_.decimalComma);
  if (parsed.kind == CellKind::Word || losesDigits(parsed.value, cell) || isZeroPadded(cell))
    return false;
  attribute.as<double>()[row_] = parsed.value;
  return true;
}

tl::unexpected<Error> TextRows::ragged(std::size_t found) const {
  return badInput(shape_.file + ": line " + std::to_string(line_) + " has " +
                  std::to_string(found) + (found == 1 ? " column" : " columns") + "; line " +
                  std::to_string(shape_.firstLine) + " has " + std::to_string(targets_.size()) +
                  ". Correct the line, or choose the right delimiter.");
}

tl::unexpected<Error> TextRows::at(std::size_t column, const std::string& what) const {
  const std::string name = column < targets_.size() ? shape_.columns[column].name : "";
  return badInput(shape_.file + ": line " + std::to_string(line_) + ", " +
                  columnText(column, name) + ": " + what);
}

}  // namespace clusterloom
