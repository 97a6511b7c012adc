#include "engine/io/column_plan.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <unordered_set>

#include "engine/cloud/point_cloud.h"
#include "engine/core/lower_case.h"
#include "engine/io/scalar.h"

namespace clusterloom {
namespace {

std::string listOf(const std::vector<PreviewColumn>& columns) {
  constexpr std::size_t most = 12;
  std::string text;
  for (std::size_t c = 0; c < std::min(columns.size(), most); ++c)
    text += (c > 0 ? ", " : "") + columns[c].name;
  return columns.size() > most ? text + ", … (" + std::to_string(columns.size()) + " in all)"
                               : text;
}

/// The column whose name `fits`; nullopt without one, BadCall where there are several.
template <class Fits>
Result<std::optional<std::size_t>> onlyColumn(const std::string& file,
                                              const std::vector<PreviewColumn>& columns,
                                              const std::string& wanted, Fits fits) {
  const auto first = std::find_if(columns.begin(), columns.end(), fits);
  if (first == columns.end()) return std::nullopt;
  if (std::find_if(first + 1, columns.end(), fits) != columns.end())
    return badCall(file + ": more than one column is called \"" + wanted +
                   "\". Choose by number, counting from 0.");
  return std::size_t(first - columns.begin());
}

/// A column by its name, by its number, or by its name in other letters, capital or small, where
/// that is unambiguous.
Result<std::size_t> findColumn(const std::string& file, const std::vector<PreviewColumn>& columns,
                               const std::string& wanted) {
  const auto named = onlyColumn(file, columns, wanted,
                                [&](const PreviewColumn& column) { return column.name == wanted; });
  if (!named) return tl::unexpected(named.error());
  if (*named) return **named;
  std::size_t number = 0;
  const char* const end = wanted.data() + wanted.size();
  const auto [stop, error] = std::from_chars(wanted.data(), end, number);
  if (!wanted.empty() && stop == end && error == std::errc()) {
    if (number < columns.size()) return number;
    return badCall(file + ": there is no column number " + wanted + "; the " +
                   std::to_string(columns.size()) + " columns are counted from 0.");
  }
  const auto alike = onlyColumn(file, columns, wanted, [&](const PreviewColumn& column) {
    return lowerCase(column.name) == lowerCase(wanted);
  });
  if (!alike) return tl::unexpected(alike.error());
  if (*alike) return **alike;
  return badCall(file + ": there is no column \"" + wanted +
                 "\". The columns are: " + listOf(columns) + ".");
}

/// The columns of an entry of a list: one column, or those from one to another, "x0:x9" or "0:9".
Result<std::vector<std::size_t>> findColumns(const std::string& file,
                                             const std::vector<PreviewColumn>& columns,
                                             const std::string& wanted) {
  const auto one = findColumn(file, columns, wanted);
  if (one) return std::vector<std::size_t>{*one};
  const std::size_t colon = wanted.find(':');
  if (colon == std::string::npos) return tl::unexpected(one.error());
  const auto first = findColumn(file, columns, wanted.substr(0, colon));
  if (!first) return tl::unexpected(first.error());
  const auto last = findColumn(file, columns, wanted.substr(colon + 1));
  if (!last) return tl::unexpected(last.error());
  if (*first > *last)
    return badCall(file + ": \"" + wanted +
                   "\" ends before it begins: " + columnText(*last, columns[*last].name) +
                   " is before " + columnText(*first, columns[*first].name) + ".");
  std::vector<std::size_t> all(*last - *first + 1);
  std::iota(all.begin(), all.end(), *first);
  return all;
}

}  // namespace

std::string columnWord(const std::vector<PreviewColumn>& columns, std::size_t column) {
  const std::string number = std::to_string(column);
  const bool isName =
      std::ranges::any_of(columns, [&](const PreviewColumn& c) { return c.name == number; });
  return isName ? columns[column].name : number;
}

std::vector<std::string> columnWords(const std::vector<PreviewColumn>& columns) {
  std::unordered_set<std::string> names;
  for (const PreviewColumn& column : columns) names.insert(column.name);
  std::vector<std::string> words;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const std::string number = std::to_string(c);
    words.push_back(names.contains(number) ? columns[c].name : number);
  }
  return words;
}

Result<ColumnPlan> planColumns(const std::string& file, const std::vector<PreviewColumn>& columns,
                               const std::vector<std::size_t>& defaults,
                               const ReadOptions& options) {
  ColumnPlan plan;
  plan.uses.resize(columns.size());
  std::vector<std::size_t> chosen;
  for (const std::string& wanted : options.coordinates) {
    const auto found = findColumns(file, columns, wanted);
    if (!found) return tl::unexpected(found.error());
    for (const std::size_t column : *found) {
      if (!columns[column].numeric && !columns[column].valueless)
        return badCall(file + ": " + columnText(column, columns[column].name) +
                       " holds text, so it cannot be a coordinate. Choose a "
                       "column of numbers.");
      chosen.push_back(column);
    }
  }
  plan.guessed = options.coordinates.empty();
  if (plan.guessed) chosen = defaults;
  if (chosen.empty()) {
    const bool numbers = std::any_of(columns.begin(), columns.end(),
                                     [](const PreviewColumn& column) { return column.numeric; });
    return badInput(file +
                    (numbers
                         ? ": no column is called x, y or z. Choose which columns are coordinates"
                         : ": no column holds numbers, so there are no coordinates") +
                    ". The columns are: " + listOf(columns) + ".");
  }
  if (chosen.size() > kMaxDims)
    return badInput(file + ": " + std::to_string(chosen.size()) +
                    " columns would be coordinates; at most " + std::to_string(kMaxDims) +
                    " are possible. " + kFewerDims);
  for (const std::size_t column : chosen) {
    ColumnUse& use = plan.uses[column];
    if (use.kind == ColumnUse::Kind::Coordinate)
      return badCall(file + ": " + columnText(column, columns[column].name) +
                     " is chosen twice as a coordinate.");
    use = {ColumnUse::Kind::Coordinate, plan.coordinates.size()};
    plan.coordinates.push_back(column);
  }

  std::vector<bool> kept(columns.size(), options.keepOthers);
  if (!options.keepOthers) {
    for (const std::string& wanted : options.keep) {
      // A number would not say which of two columns of one name a caller means.
      if (std::ranges::count(columns, wanted, &PreviewColumn::name) > 1)
        return badInput(file + ": more than one column is called \"" + wanted + "\". Rename one.");
      const auto column = findColumn(file, columns, wanted);
      if (!column) return tl::unexpected(column.error());
      kept[*column] = true;
    }
  }
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (!kept[c] || plan.uses[c].kind == ColumnUse::Kind::Coordinate) continue;
    plan.uses[c] = {ColumnUse::Kind::Attribute, plan.attributes.size()};
    plan.attributes.push_back(c);
  }
  return plan;
}

PreviewColumn numberColumn(std::string name, Scalar type, std::string unit) {
  return {std::move(name), true, toText(type), std::move(unit), type};
}

std::string defaultColumnName(std::size_t column, std::size_t columns) {
  if (columns <= 3) return std::string(1, static_cast<char>('x' + column));
  return "x" + std::to_string(column);
}

std::string columnText(std::size_t column, const std::string& name) {
  return "column " + std::to_string(column) + " (\"" + name + "\")";
}

}  // namespace clusterloom
