#include "engine/io/kept_words.h"

#include <algorithm>
#include <array>
#include <utility>

namespace clusterloom {
namespace {

constexpr std::array<std::pair<char, char>, 4> kEscapes{
    {{'\\', '\\'}, {'\n', 'n'}, {'\r', 'r'}, {'\0', '0'}}};

/// Whether the values are codes of these words.
bool areCodes(const ColumnValues& values, const std::vector<std::string>& words) {
  const auto* const codes = std::get_if<std::vector<std::int32_t>>(&values);
  return codes != nullptr && std::all_of(codes->begin(), codes->end(), [&](std::int32_t code) {
           return code >= 0 && std::size_t(code) < words.size();
         });
}

/// Turns codes into text.
void becomeText(ColumnValues& values, const std::vector<std::string>& words) {
  std::vector<std::int32_t> codes = std::move(std::get<std::vector<std::int32_t>>(values));
  values = Categories{std::move(codes), words};
}

}  // namespace

void restoreWords(Dataset& dataset, const KeptWords& kept) {
  for (std::size_t a = 0; a < dataset.attributes.size(); ++a) {
    Attribute& attribute = dataset.attributes[a];
    const auto words = kept.find(attribute.name);
    if (words == kept.end()) continue;
    const std::size_t column = dataset.cloud.dims() + a;
    ColumnValues* const skipped =
        column < dataset.skippedValues.size() ? &dataset.skippedValues[column] : nullptr;
    if (!areCodes(attribute.values, words->second) ||
        (skipped != nullptr && !areCodes(*skipped, words->second)))
      continue;
    becomeText(attribute.values, words->second);
    if (skipped != nullptr) becomeText(*skipped, {});  // their words are those of the attribute
  }
}

std::string escapedLine(std::string_view text) {
  std::string line;
  for (const char c : text) {
    char letter = 0;
    for (const auto& [meant, written] : kEscapes)
      if (c == meant) letter = written;
    if (letter != 0) line += '\\';
    line += letter != 0 ? letter : c;
  }
  return line;
}

std::string unescapedLine(std::string_view line) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const auto escape = std::find_if(kEscapes.begin(), kEscapes.end(), [&](const auto& known) {
      return line[i] == '\\' && i + 1 < line.size() && line[i + 1] == known.second;
    });
    // Other programs write a backslash literally.
    text += escape != kEscapes.end() ? escape->first : line[i];
    if (escape != kEscapes.end()) ++i;
  }
  return text;
}

}  // namespace clusterloom
