#include <ostream>
#include <string>

#include "engine/io/export_rows.h"
#include "engine/io/numbers.h"

namespace clusterloom {
namespace {

/// One column of the output: numbers, or words already made into cells.
struct CsvColumn {
  const double* numbers = nullptr;
  const std::int32_t* codes = nullptr;
  std::vector<std::string> cells;
};

std::vector<std::size_t> orderOf(const Dataset& dataset) {
  const std::size_t columns = dataset.cloud.dims() + dataset.attributes.size();
  if (dataset.columnOrder.size() == columns) return dataset.columnOrder;
  std::vector<std::size_t> order(columns);
  for (std::size_t c = 0; c < columns; ++c) order[c] = c;
  return order;
}

CsvColumn columnOf(const Dataset& dataset, std::size_t index) {
  CsvColumn column;
  if (index < dataset.cloud.dims()) {
    column.numbers = dataset.cloud.columns[index].data();
    return column;
  }
  const Attribute& attribute = dataset.attributes[index - dataset.cloud.dims()];
  if (const auto* const numbers = std::get_if<std::vector<double>>(&attribute.values)) {
    column.numbers = numbers->data();
    return column;
  }
  const auto& categories = std::get<Categories>(attribute.values);
  column.codes = categories.codes.data();
  for (const std::string& word : categories.words) {
    std::string cell;
    // An empty cell needs no quotes where there are other columns.
    if (!word.empty()) appendCsvCell(cell, word);
    column.cells.push_back(std::move(cell));
  }
  return column;
}

}  // namespace

Result<void> writeCsv(std::ostream& out, const Dataset& dataset, const Clustering* clustering,
                      const RowFilter& filter, const Provenance& /*beside the file*/,
                      const Task& task) {
  std::string text;
  std::vector<std::string> taken;
  for (std::size_t j = 0; j < dataset.cloud.dims(); ++j)
    taken.push_back(dimensionName(dataset.cloud, j));
  std::vector<std::string> names = taken;
  if (clustering != nullptr) taken.insert(taken.end(), {"label", "role"});
  const auto attributes = uniqueNames(attributeNames(dataset), taken);
  names.insert(names.end(), attributes.begin(), attributes.end());

  std::vector<CsvColumn> columns;
  for (const std::size_t index : orderOf(dataset)) {
    if (!columns.empty()) text += ',';
    appendCsvCell(text, names[index]);
    columns.push_back(columnOf(dataset, index));
  }
  const bool hasRoles = clustering != nullptr && !clustering->roles.empty();
  if (clustering != nullptr) text += hasRoles ? ",label,role" : ",label";
  text += '\n';

  const std::size_t points = dataset.cloud.size();
  const std::size_t skippedRows = clustering != nullptr ? dataset.skippedRows.size() : 0;
  const bool showSkipped = filter.takes(kSkippedRow);
  const std::string skippedLine(columns.size(), ',');
  std::size_t point = 0;
  std::size_t skipped = 0;
  for (std::size_t row = 0; row < points + skippedRows; ++row) {
    if (row == 0 || text.size() > kExportBytes) {
      const auto goesOn = writeOutBefore(row, points + skippedRows, out, text, task);
      if (!goesOn || !out) return goesOn;  // the caller reports an error of the stream
    }
    // Skipped rows keep their place, as empty cells.
    if (skipped < skippedRows && (dataset.skippedRows[skipped] == row || point == points)) {
      ++skipped;
      if (showSkipped) text += skippedLine + (hasRoles ? "-2,skipped\n" : "-2\n");
      continue;
    }
    const std::size_t i = point++;
    if (clustering != nullptr && !filter.takes(clustering->labels[i])) continue;
    bool first = true;
    for (const CsvColumn& column : columns) {
      if (!first) text += ',';
      first = false;
      if (column.numbers != nullptr)
        appendNumber(text, column.numbers[i]);
      else
        text += column.cells[static_cast<std::size_t>(column.codes[i])];
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
