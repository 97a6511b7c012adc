#include "render/paint/translated_text.h"

#include <algorithm>
#include <utility>

#include "engine/core/number_text.h"

namespace clusterloom {
namespace {

ChartTranslator& translator() {
  static ChartTranslator current;
  return current;
}

}  // namespace

void setChartTranslator(ChartTranslator wanted) { translator() = std::move(wanted); }

std::string translate(const char* context, const char* english) {
  return translator() ? translator()(context, english, nullptr, -1) : english;
}

std::string filled(std::string_view text, std::initializer_list<std::string_view> values) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t place =
        text[i] == '%' && i + 1 < text.size() ? std::size_t(text[i + 1] - '1') : values.size();
    if (place < values.size()) {
      result += *(values.begin() + place);
      ++i;
    } else {
      result += text[i];
    }
  }
  return result;
}

double characterCount(std::string_view text) {
  // Characters, not bytes: continuation bytes of UTF-8 begin with 10.
  return double(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

std::string countedText(const char* context, const char* several, const char* one,
                        std::uint64_t number) {
  if (!translator()) return number == 1 ? one : filled(several, {groupedText(number)});
  // A plural form depends on the last digits.
  constexpr std::uint64_t kMost = 1'000'000'000;
  const int form = int(number < kMost ? number : kMost + number % kMost);
  return filled(translator()(context, several, one, form), {groupedText(number)});
}

}  // namespace clusterloom
