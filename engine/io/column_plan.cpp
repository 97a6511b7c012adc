#include "engine/io/column_plan.h"

#include <algorithm>
#include <charconv>

#include "engine/cloud/point_cloud.h"
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

Result<std::size_t> findColumn(const std::string& file, const std::vector<PreviewColumn>& columns,
                               const std::string& wanted) {
  const auto named = [&](const PreviewColumn& column) { return column.name == wanted; };
  const auto first = std::find_if(columns.begin(), columns.end(), named);
  if (first != columns.end()) {
    if (std::find_if(first + 1, columns.end(), named) != columns.end())
      return fail(ErrorKind::BadCall, file + ": more than one column is called \"" + wanted +
                                          "\". Choose by number, counting from 0.");
    return static_cast<std::size_t>(first - columns.begin());
  }
  std::size_t number = 0;
  const char* const end = wanted.data() + wanted.size();
  const auto [stop, error] = std::from_chars(wanted.data(), end, number);
  if (!wanted.empty() && stop == end && error == std::errc()) {
    if (number < columns.size()) return number;
    return fail(ErrorKind::BadCall, file + ": there is no column number " + wanted + "; the " +
                                        std::to_string(columns.size()) +
                                        " columns are counted from 0.");
  }
  return fail(ErrorKind::BadCall, file + ": there is no column \"" + wanted +
                                      "\". The columns are: " + listOf(columns) + ".");
}

}  // namespace

Result<ColumnPlan> planColumns(const std::string& file, const std::vector<PreviewColumn>& columns,
                               const std::vector<std::size_t>& defaults,
                               const ReadOptions& options) {
  ColumnPlan plan;
  plan.uses.resize(columns.size());
  std::vector<std::size_t> chosen;
  for (const std::string& wanted : options.coordinates) {
    const auto column = findColumn(file, columns, wanted);
    if (!column) return tl::unexpected(column.error());
    if (!columns[*column].numeric)
      return fail(ErrorKind::BadCall, file + ": " + columnText(*column, columns[*column].name) +
                                          " holds text, so it cannot be a coordinate. Choose a "
                                          "column of numbers.");
    chosen.push_back(*column);
  }
  plan.guessed = options.coordinates.empty();
  if (plan.guessed) chosen = defaults;
  if (chosen.empty()) {
    const bool numbers = std::any_of(columns.begin(), columns.end(),
                                     [](const PreviewColumn& column) { return column.numeric; });
    return fail(
        ErrorKind::BadInput,
        file +
            (numbers ? ": no column is called x, y or z. Choose which columns are coordinates"
                     : ": no column holds numbers, so there are no coordinates") +
            ". The columns are: " + listOf(columns) + ".");
  }
  if (chosen.size() > kMaxDims)
    return fail(ErrorKind::BadInput, file + ": " + std::to_string(chosen.size()) +
                                         " columns would be coordinates; at most " +
                                         std::to_string(kMaxDims) +
                                         " are possible. Choose which columns to use.");
  for (const std::size_t column : chosen) {
    ColumnUse& use = plan.uses[column];
    if (use.kind == ColumnUse::Kind::Coordinate)
      return fail(ErrorKind::BadCall, file + ": " + columnText(column, columns[column].name) +
                                          " is chosen twice as a coordinate.");
    use = {ColumnUse::Kind::Coordinate, plan.coordinates.size()};
    plan.coordinates.push_back(column);
  }

  std::vector<bool> kept(columns.size(), options.keepOthers);
  if (!options.keepOthers) {
    for (const std::string& wanted : options.keep) {
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
