#include "engine/io/guess_coordinates.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "engine/cloud/coordinate_order.h"
#include "engine/cloud/projection_names.h"
#include "engine/core/lower_case.h"

namespace clusterloom {
namespace {

// Last words of names.
constexpr std::array<std::string_view, 12> kCodeWords{"id",   "code",  "zip",   "zipcode",
                                                      "plz",  "label", "class", "cluster",
                                                      "type", "truth", "role",  "category"};
// Whole names: "heat_index" or "frost_days_per_year" may measure something.
constexpr std::array<std::string_view, 18> kCodeNames{
    "index",   "idx",       "row",    "year",      "postcode", "fid",
    "gid",     "oid",       "uid",    "objid",     "objectid", "row_number",
    "row_num", "rownumber", "rownum", "row_index", "serial",   "unnamed: 0"};

constexpr std::array<std::string_view, 3> kColourNames{"red", "green", "blue"};

constexpr std::size_t kFewestProjected = 4;

bool isLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool isCapital(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }

/// "id" of "source_id", "sourceId" and "ID".
std::string lastWord(std::string_view name) {
  std::size_t end = name.size();
  while (end > 0 && !isLetter(name[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && isLetter(name[begin - 1])) {
    --begin;
    const bool isHump = begin > 0 && isCapital(name[begin]) && !isCapital(name[begin - 1]);
    if (isHump) break;
  }
  return lowerCase(name.substr(begin, end - begin));
}

template <std::size_t N>
bool isAmong(const std::string& word, const std::array<std::string_view, N>& words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view one) {
    return word == one || (word.size() == one.size() + 1 && word.starts_with(one) &&
                           word.ends_with('s'));  // a plural
  });
}

bool isCode(const PreviewColumn& column) {
  const bool integers = column.scalar != Scalar::Float32 && column.scalar != Scalar::Float64;
  return integers && (isAmong(lastWord(column.name), kCodeWords) ||
                      isAmong(lowerCase(column.name), kCodeNames));
}

bool isColourName(std::string_view name) {
  return std::ranges::find(kColourNames, lowerCase(name)) != kColourNames.end();
}

/// Whether red, green and blue are the colours of points whose axes are named.
bool hasColoursOfPoints(const std::vector<PreviewColumn>& columns,
                        const std::vector<std::size_t>& candidates) {
  std::size_t axes = 0;
  std::size_t colours = 0;
  for (const std::size_t c : candidates) {
    axes += isAxisName(columns[c].name);
    colours += isColourName(columns[c].name);
  }
  return axes >= 2 && colours == kColourNames.size();
}

/// Rows and columns of a picture are coordinates.
bool hasColumnNumber(const std::vector<PreviewColumn>& columns) {
  return std::any_of(columns.begin(), columns.end(), [](const PreviewColumn& column) {
    const std::string name = lowerCase(column.name);
    return name == "col" || name == "column";
  });
}

}  // namespace

bool isAxisName(std::string_view name) {
  return !name.empty() && isLetter(name.front()) &&
         std::all_of(name.begin() + 1, name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::vector<std::size_t> guessCoordinates(std::vector<PreviewColumn>& columns,
                                          const std::vector<std::size_t>& candidates,
                                          const std::vector<bool>& constant) {
  std::vector<std::string> names;
  for (const std::size_t c : candidates) names.push_back(columns[c].name);
  std::vector<std::size_t> chosen;
  if (const auto pair = geographicPair(names)) {
    chosen = {candidates[std::min(pair->longitude, pair->latitude)],
              candidates[std::max(pair->longitude, pair->latitude)]};
  } else {
    const bool picture = hasColumnNumber(columns);
    const bool coloured = hasColoursOfPoints(columns, candidates);
    for (const std::size_t c : candidates) {
      if (coloured && isColourName(columns[c].name)) continue;
      if (isAxisName(columns[c].name) || !isCode(columns[c]) ||
          (picture && lowerCase(columns[c].name) == "row"))
        chosen.push_back(c);
    }
    if (chosen.empty()) chosen = candidates;
    std::vector<std::size_t> varying;
    for (const std::size_t c : chosen)
      if (constant.empty() || !constant[c] || isAxisName(columns[c].name)) varying.push_back(c);
    if (varying.size() >= 2) chosen = std::move(varying);
    // Made of the other columns, to look at the points.
    std::vector<std::size_t> projected = chosen;
    std::erase_if(projected, [&](std::size_t c) { return isProjectionName(columns[c].name); });
    if (projected.size() >= kFewestProjected) chosen = std::move(projected);
  }
  for (const std::size_t c : candidates)
    columns[c].leftOut = !std::binary_search(chosen.begin(), chosen.end(), c);
  return chosen;
}

}  // namespace clusterloom
