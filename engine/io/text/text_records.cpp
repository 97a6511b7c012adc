#include "engine/io/text/text_records.h"

#include <algorithm>
#include <cstring>

#include "engine/io/numbers.h"

namespace clusterloom {
namespace {

/// Blanks that may stand around a cell: a tab is no blank where it is the delimiter.
bool isPadding(char c, char delimiter) { return c == ' ' || (c == '\t' && delimiter != '\t'); }

const char* find(const char* begin, const char* end, char c) {
  return static_cast<const char*>(std::memchr(begin, c, std::size_t(end - begin)));
}

bool isDelimiter(char c, char delimiter) { return delimiter == ' ' ? isBlank(c) : c == delimiter; }

}  // namespace

TextRecord findRecord(const char* begin, const char* end, const TextDialect& dialect) {
  TextRecord record;
  const char* p = begin;
  while (p < end && isPadding(*p, dialect.delimiter)) ++p;
  if (p == end) return record;
  const bool comment = dialect.comment != '\0' && *p == dialect.comment;
  if (comment || *p == '\n' || *p == '\r') {
    const char* const newline = find(p, end, '\n');
    if (newline == nullptr) return record;
    // A lone '\r' is no line end: text after it makes a record.
    const bool blank = *p == '\n' || newline == p + 1;
    if (comment || blank) return {TextRecord::Kind::Nothing, newline + 1, 1, false};
  }
  std::uint64_t lines = 0;
  bool quoted = false;
  bool cellStart = true;
  while (p < end) {
    if (cellStart && *p == '"') {
      quoted = true;
      for (++p;; p += 2) {
        const char* const quote = find(p, end, '"');
        if (quote == nullptr) return record;
        lines += std::uint64_t(std::count(p, quote, '\n'));
        p = quote;
        if (p + 1 == end) return record;
        if (p[1] != '"') break;
      }
      ++p;
      cellStart = false;
      continue;
    }
    const char c = *p++;
    if (c == '\n') return {TextRecord::Kind::Data, p, lines + 1, quoted};
    cellStart = isDelimiter(c, dialect.delimiter) || (cellStart && isPadding(c, dialect.delimiter));
  }
  return record;
}

bool splitRecord(std::string_view record, const TextDialect& dialect, std::vector<TextCell>& cells,
                 std::string& scratch) {
  cells.clear();
  scratch.clear();
  scratch.reserve(record.size());  // views into it stay valid: it never grows past this
  const char delimiter = dialect.delimiter;
  const char* p = record.data();
  const char* const end = p + record.size();
  if (delimiter == ' ')
    while (p < end && isBlank(*p)) ++p;
  for (;;) {
    while (p < end && isPadding(*p, delimiter)) ++p;
    if (p < end && *p == '"') {
      const char* const first = ++p;
      const std::size_t scratchFirst = scratch.size();
      bool doubled = false;
      const char* runFirst = first;
      const char* quote = find(p, end, '"');
      while (quote != nullptr && quote + 1 < end && quote[1] == '"') {
        scratch.append(runFirst, quote + 1);
        doubled = true;
        runFirst = quote + 2;
        quote = find(runFirst, end, '"');
      }
      const char* const last = quote == nullptr ? end : quote;
      if (doubled) scratch.append(runFirst, last);
      cells.push_back({doubled ? std::string_view(scratch).substr(scratchFirst)
                               : std::string_view(first, std::size_t(last - first)),
                       true});
      p = quote == nullptr ? end : quote + 1;
      if (delimiter != ' ')
        while (p < end && isPadding(*p, delimiter)) ++p;
      if (p < end && !isDelimiter(*p, delimiter)) return false;
    } else {
      const char* const first = p;
      if (delimiter == ' ')
        while (p < end && !isBlank(*p)) ++p;
      else if (p < end)
        p = find(p, end, delimiter) != nullptr ? find(p, end, delimiter) : end;
      cells.push_back({trimmed({first, std::size_t(p - first)}), false});
    }
    if (delimiter == ' ')
      while (p < end && isBlank(*p)) ++p;
    if (p == end) return true;
    if (delimiter != ' ') ++p;
  }
}

std::string_view withoutLineEnd(const char* begin, const char* end) {
  std::string_view record(begin, std::size_t(end - begin));
  if (!record.empty() && record.back() == '\n') record.remove_suffix(1);
  if (!record.empty() && record.back() == '\r') record.remove_suffix(1);
  return record;
}

void LineWindow::findWhole() {
  whole_ = 0;
  added_ = false;
  const char* const begin = in_.begin();
  if (in_.available() == 0) return;
  if (in_.sawEnd()) {
    whole_ = in_.available();
    if (begin[whole_ - 1] != '\n') {
      *in_.end() = '\n';
      ++whole_;
      added_ = true;
    }
    return;
  }
  const auto* const newline = static_cast<const char*>(::memrchr(begin, '\n', in_.available()));
  if (newline != nullptr) whole_ = std::size_t(newline + 1 - begin);
}

Result<bool> LineWindow::next(std::uint64_t line) {
  for (;;) {
    findWhole();
    if (whole_ > 0) return true;
    if (in_.available() > kMaxRecord)
      return badInput(in_.name() + ": line " + std::to_string(line) +
                      " is longer than 16 MiB, so this is not a text table. Check the file.");
    const auto more = in_.fillMore();
    if (!more) return tl::unexpected(more.error());
    if (!*more) return false;
  }
}

Result<bool> LineWindow::grow() {
  const std::size_t before = in_.available();
  auto more = in_.fillMore();
  if (!more) return more;
  findWhole();
  return in_.available() > before;
}

void LineWindow::consumeTo(const char* position) {
  auto count = std::size_t(position - in_.begin());
  whole_ -= count;
  if (added_ && whole_ == 0 && count > 0) --count;  // the added '\n' is not the stream's
  in_.consume(count);
}

}  // namespace clusterloom
