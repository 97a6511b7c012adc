#include "engine/core/number_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace clusterloom {
namespace {

/// from_chars reports numbers beyond the doubles and numbers that round to 0 by the same error. The
/// power of ten of the first digit that is not 0 distinguishes them.
bool isTooSmall(std::string_view number) {
  long power = -1;
  bool significant = false;
  bool point = false;
  std::size_t i = number.front() == '-' ? 1 : 0;
  for (; i < number.size() && number[i] != 'e' && number[i] != 'E'; ++i) {
    if (number[i] == '.') {
      point = true;
    } else {
      significant = significant || number[i] != '0';
      if (!point && significant) ++power;
      if (point && !significant) --power;
    }
  }
  if (i < number.size()) {
    std::size_t first = i + 1;
    if (first < number.size() && number[first] == '+') ++first;
    int exponent = 0;
    const char* const end = number.data() + number.size();
    if (std::from_chars(number.data() + first, end, exponent).ec == std::errc::result_out_of_range)
      exponent = number[first] == '-' ? -1'000'000'000 : 1'000'000'000;
    power += exponent;
  }
  return power < 0;
}

/// Without a leading plus sign; empty where nothing or another sign follows it.
std::string_view withoutPlus(std::string_view text) {
  if (text.empty() || text.front() != '+') return text;
  text.remove_prefix(1);
  return text.empty() || text.front() == '-' ? std::string_view() : text;
}

template <class Integer>
Result<Integer> wholeNumber(std::string_view option, std::string_view text, Integer least,
                            Integer most) {
  const std::string_view digits = withoutPlus(text);
  Integer value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value, 10);
  if (error == std::errc() && stop == end && value >= least && value <= most) return value;
  return badCall(std::string(option) + " needs a whole number from " + std::to_string(least) +
                 " to " + std::to_string(most) + ", not " + quotedText(text) + ".");
}

NumberSigns& current() {
  static NumberSigns signs;
  return signs;
}

}  // namespace

NumberText scanNumber(std::string_view text, double& value) {
  const std::string_view number = withoutPlus(text);
  if (number.empty()) return NumberText::NotUnderstood;
  const char* const end = number.data() + number.size();
  const auto [stop, error] = std::from_chars(number.data(), end, value);
  if (stop != end || error == std::errc::invalid_argument) return NumberText::NotUnderstood;
  if (error == std::errc::result_out_of_range) {
    const bool small = isTooSmall(number);
    value = std::copysign(small ? 0.0 : std::numeric_limits<double>::infinity(),
                          number.front() == '-' ? -1.0 : 1.0);
    return small ? NumberText::TooSmall : NumberText::TooLarge;
  }
  if (std::isnan(value)) return NumberText::NotANumber;
  return std::isinf(value) ? NumberText::Infinite : NumberText::Number;
}

Result<double> readNumber(std::string_view option, std::string_view text) {
  double value = 0;
  std::string pointed(text);
  switch (scanNumber(text, value)) {
    case NumberText::Number: return value;
    case NumberText::TooLarge:
      return badCall(std::string(option) + ": " + quotedText(text) +
                     " overflows; the largest number is about 1.8e308.");
    case NumberText::TooSmall:
      return badCall(std::string(option) + ": " + quotedText(text) +
                     " underflows to 0; the smallest number above 0 is about 4.9e-324.");
    case NumberText::Infinite:
    case NumberText::NotANumber:
      return badCall(std::string(option) + " needs a finite number, not " + quotedText(text) + ".");
    case NumberText::NotUnderstood: break;
  }
  std::replace(pointed.begin(), pointed.end(), ',', '.');
  const bool comma = pointed != text && scanNumber(pointed, value) == NumberText::Number;
  return badCall(std::string(option) + " needs a number such as 0.5, not " + quotedText(text) +
                 (comma ? "; write a decimal point, " + pointed + "." : "."));
}

Result<std::int64_t> readInteger(std::string_view option, std::string_view text, std::int64_t least,
                                 std::int64_t most) {
  return wholeNumber(option, text, least, most);
}

Result<std::uint64_t> readUnsigned(std::string_view option, std::string_view text,
                                   std::uint64_t least, std::uint64_t most) {
  return wholeNumber(option, text, least, most);
}

std::string roundTripText(double value) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

std::string groupedText(std::uint64_t value) {
  return withSigns(std::to_string(value), Groups::Thousands);
}

std::string countedText(std::uint64_t count, const std::string& one) {
  return groupedText(count) + ' ' + one + (count == 1 ? "" : "s");
}

std::string percentText(double fraction) {
  const double percent = 100 * fraction;
  if (percent > 0 && percent < 0.01) return withSigns("< 0.01 %", Groups::None);
  if (percent > 99.99 && percent < 100) return withSigns("> 99.99 %", Groups::None);
  char digits[400];  // of the largest double
  const bool nearAnEnd = (percent > 0 && percent < 0.1) || (percent > 99.9 && percent < 100);
  const int decimals = nearAnEnd ? 2 : 1;
  const auto end = std::to_chars(digits, digits + sizeof digits, percent == 0 ? 0.0 : percent,
                                 std::chars_format::fixed, decimals)
                       .ptr;
  return withSigns({digits, end}, Groups::None) + " %";
}

std::string quotedText(std::string_view text) {
  constexpr std::size_t kMost = 60;
  std::size_t length = std::min(text.size(), kMost);
  // Not in the middle of a UTF-8 sequence.
  while (length > 0 && length < text.size() &&
         (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80)
    --length;
  std::string shown = "'";
  for (const char c : text.substr(0, length))
    shown += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  return shown + (length < text.size() ? "…'" : "'");
}

const NumberSigns& numberSigns() { return current(); }

void setNumberSigns(NumberSigns signs) { current() = std::move(signs); }

std::string withSigns(std::string number, Groups groups) {
  const std::size_t point = number.find('.');
  std::size_t end = std::min(point, number.size());
  if (point != std::string::npos) number.replace(point, 1, current().decimal);
  if (groups == Groups::None || number.find('e') != std::string::npos) return number;
  const std::size_t first = number.front() == '-' ? 1 : 0;
  for (; end > first + 3; end -= 3) number.insert(end - 3, current().group);
  return number;
}

}  // namespace clusterloom
