#include "engine/io/export_rows.h"

#include <algorithm>
#include <ostream>

#include "engine/core/memory_budget.h"
#include "engine/io/column_plan.h"

namespace clusterloom {

RowFilter::RowFilter(const std::vector<std::int32_t>& onlyClusters) : labels_(onlyClusters) {
  std::sort(labels_.begin(), labels_.end());
}

bool RowFilter::takes(std::int32_t label) const {
  return everything() || std::binary_search(labels_.begin(), labels_.end(), label);
}

ExportPoints::ExportPoints(const Dataset& dataset, const Clustering* clustering,
                           const RowFilter& filter)
    : all_(dataset.cloud.size()), everything_(clustering == nullptr || filter.everything()) {
  if (everything_) return;
  for (std::size_t i = 0; i < clustering->labels.size(); ++i)
    if (filter.takes(clustering->labels[i])) chosen_.push_back(std::uint32_t(i));
}

const char* roleText(PointRole role) {
  switch (role) {
    case PointRole::Core: return "core";
    case PointRole::Border: return "border";
    case PointRole::Noise: break;
  }
  return "noise";
}

std::string dimensionName(const PointCloud& cloud, std::size_t j) {
  return j < cloud.names.size() && !cloud.names[j].empty() ? cloud.names[j]
                                                           : defaultColumnName(j, cloud.dims());
}

std::vector<std::string> attributeNames(const Dataset& dataset) {
  std::vector<std::string> names;
  for (const Attribute& attribute : dataset.attributes) names.push_back(attribute.name);
  return names;
}

ExportColumn coordinateColumn(const Dataset& dataset, std::size_t j, std::string name) {
  ExportColumn column{std::move(name)};
  column.coordinate = &dataset.cloud.columns[j];
  column.inData = dimensionName(dataset.cloud, j);
  if (j < dataset.coordinateTypes.size()) column.type = dataset.coordinateTypes[j];
  return column;
}

ExportColumn attributeColumn(const Attribute& attribute, std::string name) {
  ExportColumn column{std::move(name), typeOf(attribute.values)};
  column.attribute = &attribute.values;
  column.inData = attribute.name;
  return column;
}

AppendValue valueAppender(const ExportColumn& column) {
  return column.withValues([](auto valueAt) -> AppendValue {
    return [valueAt](std::string& row, std::size_t point) { appendBytes(row, valueAt(point)); };
  });
}

std::vector<ExportColumn> exportColumns(const Dataset& dataset) {
  const std::size_t dims = dataset.cloud.dims();
  std::vector<ExportColumn> columns;
  for (std::size_t j = 0; j < dims; ++j)
    columns.push_back(coordinateColumn(dataset, j, dimensionName(dataset.cloud, j)));
  for (const Attribute& attribute : dataset.attributes)
    columns.push_back(attributeColumn(attribute, attribute.name));
  std::vector<std::string> names;
  for (ExportColumn& column : columns) {
    names.push_back(column.name);
    if (const auto unit = dataset.units.find(column.name); unit != dataset.units.end())
      column.unit = unit->second;
  }
  names = uniqueNames(names, {"label", "role"});
  for (std::size_t c = 0; c < columns.size(); ++c) columns[c].name = names[c];
  if (dataset.columnOrder.size() != columns.size()) return columns;
  std::vector<ExportColumn> ordered;
  for (const std::size_t c : dataset.columnOrder) ordered.push_back(columns[c]);
  return ordered;
}

std::vector<std::string> uniqueNames(const std::vector<std::string>& names,
                                     std::vector<std::string> taken,
                                     const std::vector<std::string>& inData) {
  const std::vector<std::string> own = taken;
  const auto isIn = [](const std::vector<std::string>& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  // Names that can stay are kept before others are changed.
  std::vector<bool> stays(names.size());
  for (const bool changed : {false, true})
    for (std::size_t n = 0; n < names.size(); ++n) {
      if ((!inData.empty() && names[n] != inData[n]) != changed) continue;
      stays[n] = !isIn(taken, names[n]);
      if (stays[n]) taken.push_back(names[n]);
    }
  std::vector<std::string> unique;
  for (std::size_t n = 0; n < names.size(); ++n) {
    std::string name = names[n];
    if (!stays[n]) {
      const std::string stem = isIn(own, name) ? "input_" + name : name;
      name = stem;
      for (int number = 2; isIn(taken, name); ++number) name = stem + "_" + std::to_string(number);
      taken.push_back(name);
    }
    unique.push_back(std::move(name));
  }
  return unique;
}

Result<void> checkSizes(const Dataset& dataset, const Clustering* clustering) {
  const std::size_t points = dataset.cloud.size();
  const auto wrong = [](const std::string& what) {
    return badCall("The " + what + " do not belong to this cloud: their number differs.");
  };
  for (const auto& column : dataset.cloud.columns)
    if (column.size() != points) return wrong("coordinates");
  for (const Attribute& attribute : dataset.attributes)
    if (lengthOf(attribute.values) != points) return wrong("values of \"" + attribute.name + "\"");
  if (clustering != nullptr && (clustering->labels.size() != points ||
                                (!clustering->roles.empty() && clustering->roles.size() != points)))
    return wrong("labels");
  return {};
}

std::size_t longestWord(const Categories& text) {
  std::size_t longest = 1;
  for (const std::string& word : text.words) longest = std::max(longest, word.size());
  return longest;
}

void addLongText(Losses& losses, const Attribute& attribute, const std::string& format) {
  const auto* const text = std::get_if<Categories>(&attribute.values);
  if (text == nullptr || longestWord(*text) <= kMaxTextBytes) return;
  losses.push_back({attribute.name, format + " is read with texts of at most " +
                                        memoryText(kMaxTextBytes) +
                                        ", so this column, whose longest has " +
                                        memoryText(longestWord(*text)) + ", would not be read"});
}

void appendCsvCell(std::string& line, std::string_view text) {
  const bool plain = !text.empty() && text.find_first_of(",;\"\r\n\t") == std::string_view::npos &&
                     text.front() != ' ' && text.back() != ' ' && text.front() != '#';
  if (plain)
    line += text;
  else
    appendQuotedCell(line, text);
}

void appendQuotedCell(std::string& line, std::string_view text) {
  line += '"';
  for (const char c : text) {
    line += c;
    if (c == '"') line += '"';
  }
  line += '"';
}

std::string oneLine(std::string_view text) {
  std::string line(text);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r' || c == '\0'; }, ' ');
  return line;
}

void writeOut(std::ostream& out, std::string& text) {
  out.write(text.data(), std::streamsize(text.size()));
  text.clear();
}

Result<void> writeOutBefore(std::size_t row, std::size_t rows, std::ostream& out, std::string& text,
                            const Task& task) {
  if (task.cancelled()) return cancelledError();
  task.report("writing", double(row) / double(rows));
  writeOut(out, text);
  return {};
}

void writeOutWhenFull(std::ostream& out, std::string& text) {
  if (text.size() > kExportBytes) writeOut(out, text);
}

}  // namespace clusterloom
