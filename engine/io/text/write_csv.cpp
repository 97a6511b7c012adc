#include <algorithm>
#include <cmath>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/io/export_rows.h"
#include "engine/io/numbers.h"

namespace clusterloom {
namespace {

/// One column of the output: numbers, or words already made into cells.
struct CsvColumn {
  AppendValue append;
  AppendValue appendSkipped;  ///< of a skipped row, by its number; null where it is not kept
};

using CsvCells = std::vector<std::string>;

std::vector<std::size_t> orderOf(const Dataset& dataset) {
  const std::size_t columns = dataset.cloud.dims() + dataset.attributes.size();
  if (dataset.columnOrder.size() == columns) return dataset.columnOrder;
  std::vector<std::size_t> order(columns);
  for (std::size_t c = 0; c < columns; ++c) order[c] = c;
  return order;
}

/// Appends words that are made into cells before.
AppendValue wordAppender(const Categories& rows, std::shared_ptr<const CsvCells> cells) {
  return [codes = rows.codes.data(), cells = std::move(cells)](std::string& text, std::size_t row) {
    text += (*cells)[std::size_t(codes[row])];
  };
}

AppendValue numberAppender(const ColumnValues& values) {
  return withVector(values, [](const auto& numbers) -> AppendValue {
    return [numbers = numbers.data()](std::string& text, std::size_t row) {
      appendNumber(text, numbers[row]);
    };
  });
}

CsvColumn columnOf(const Dataset& dataset, std::size_t index) {
  const std::size_t dims = dataset.cloud.dims();
  const bool keepsSkipped = index < dataset.skippedValues.size() &&
                            lengthOf(dataset.skippedValues[index]) == dataset.skippedRows.size();
  CsvColumn column;
  if (index >= dims && isText(dataset.attributes[index - dims].values)) {
    const auto& categories = std::get<Categories>(dataset.attributes[index - dims].values);
    auto cells = std::make_shared<CsvCells>();
    for (const std::string& word : categories.words) {
      std::string& cell = cells->emplace_back();
      // An empty cell needs no quotes where there are other columns.
      if (!word.empty()) appendCsvCell(cell, word);
    }
    column.append = wordAppender(categories, cells);
    if (keepsSkipped)
      column.appendSkipped =
          wordAppender(std::get<Categories>(dataset.skippedValues[index]), std::move(cells));
    return column;
  }
  if (index < dims)
    column.append = [values = &dataset.cloud.columns[index]](std::string& text, std::size_t row) {
      appendNumber(text, (*values)[row]);
    };
  else
    column.append = numberAppender(dataset.attributes[index - dims].values);
  if (!keepsSkipped) return column;
  column.appendSkipped = numberAppender(dataset.skippedValues[index]);
  // Missing values become empty cells again.
  if (index < dims)
    column.appendSkipped = [&values = std::get<std::vector<double>>(dataset.skippedValues[index])](
                               std::string& text, std::size_t row) {
      if (!std::isnan(values[row])) appendNumber(text, values[row]);
    };
  return column;
}

/// The names of the columns: of equal ones the first keeps it, but for the two of the labels.
std::vector<std::string> csvNames(const Dataset& dataset, bool labelled) {
  std::vector<std::string> names;
  for (std::size_t j = 0; j < dataset.cloud.dims(); ++j)
    names.push_back(dimensionName(dataset.cloud, j));
  const auto attributes = attributeNames(dataset);
  names.insert(names.end(), attributes.begin(), attributes.end());
  std::vector<std::string> own;
  if (labelled) own = {"label", "role"};
  return uniqueNames(names, own);
}

}  // namespace

std::vector<ExportColumn> csvColumns(const Dataset& dataset, const ExportPoints& /*points*/) {
  const std::vector<std::string> names = csvNames(dataset, true);
  std::vector<ExportColumn> columns;
  for (std::size_t j = 0; j < dataset.cloud.dims(); ++j)
    columns.push_back(coordinateColumn(dataset, j, names[j]));
  for (const Attribute& attribute : dataset.attributes)
    columns.push_back(attributeColumn(attribute, names[columns.size()]));
  return columns;
}

Result<void> writeCsv(std::ostream& out, const Dataset& dataset, const Clustering* clustering,
                      const RowFilter& filter, const Provenance& /*beside the file*/,
                      const Task& task) {
  std::string text;
  const std::vector<std::string> names = csvNames(dataset, clustering != nullptr);
  // Beside a name that is a number, quotes say that the line is none of data.
  const bool quoted = std::any_of(names.begin(), names.end(), isNumberCell);

  std::vector<CsvColumn> columns;
  for (const std::size_t index : orderOf(dataset)) {
    if (!columns.empty()) text += ',';
    if (quoted)
      appendQuotedCell(text, names[index]);
    else
      appendCsvCell(text, names[index]);
    columns.push_back(columnOf(dataset, index));
  }
  const bool hasRoles = clustering != nullptr && !clustering->roles.empty();
  const std::string_view labels = quoted ? ",\"label\"" : ",label";
  const std::string_view roles = quoted ? ",\"role\"" : ",role";
  if (clustering != nullptr) text += labels;
  if (hasRoles) text += roles;
  text += '\n';

  const std::size_t points = dataset.cloud.size();
  const std::size_t skippedRows = clustering != nullptr ? dataset.skippedRows.size() : 0;
  const bool showSkipped = filter.takes(kSkippedRow);
  std::size_t point = 0;
  std::size_t skipped = 0;
  for (std::size_t row = 0; row < points + skippedRows; ++row) {
    if (row == 0 || text.size() > kExportBytes) {
      const auto goesOn = writeOutBefore(row, points + skippedRows, out, text, task);
      if (!goesOn || !out) return goesOn;  // the caller reports an error of the stream
    }
    // Skipped rows keep their place.
    if (skipped < skippedRows && (dataset.skippedRows[skipped] == row || point == points)) {
      for (const CsvColumn& column : columns) {
        if (!showSkipped) break;
        if (column.appendSkipped) column.appendSkipped(text, skipped);
        text += ',';
      }
      if (showSkipped) text += hasRoles ? "-2,skipped\n" : "-2\n";
      ++skipped;
      continue;
    }
    const std::size_t i = point++;
    if (clustering != nullptr && !filter.takes(clustering->labels[i])) continue;
    bool first = true;
    for (const CsvColumn& column : columns) {
      if (!first) text += ',';
      first = false;
      column.append(text, i);
    }
    if (clustering != nullptr) {
      text += ',';
      text += std::to_string(clustering->labels[i]);
      if (hasRoles) (text += ',') += roleText(clustering->roles[i]);
    }
    text += '\n';
  }
  writeOut(out, text);
  return {};
}

}  // namespace clusterloom
