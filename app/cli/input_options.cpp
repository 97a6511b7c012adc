#include "app/cli/input_options.h"

#include <algorithm>

#include "app/cli/console.h"
#include "app/cli/value_options.h"
#include "engine/core/stopwatch.h"
#include "engine/io/format_table.h"
#include "engine/io/read_words.h"

namespace clusterloom::cli {

namespace {

constexpr const char* kGroup = "Input";

std::string listOfRows(const std::vector<std::uint64_t>& rows, std::uint64_t every) {
  constexpr std::size_t kShown = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(rows.size(), kShown); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(rows[i] * every);
  return rows.size() > kShown ? text + ", …" : text;
}

std::string joined(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i)
    text += (i == 0 ? "" : ", ") + names[i];
  return names.size() > kShown ? text + ", …" : text;
}

/// The sentence of a remark, with the option that reads the column otherwise.
std::string remarkText(const ColumnRemark& remark) {
  const std::vector<std::string>& parts = remark.parts;
  switch (remark.kind) {
    case ColumnRemark::Kind::FirstRowAsNames:
      return "line " + parts[0] + " is taken as names of the columns; --header no takes it as data";
    case ColumnRemark::Kind::FirstRowAsData:
      return "line " + parts[0] + " is taken as data; --header yes takes it as names";
    case ColumnRemark::Kind::Thousands:
      return "the " + parts[0] + " is taken as the thousands separator: " + parts[1] + " is " +
             parts[2] + " (--thousands none reads it otherwise)";
    case ColumnRemark::Kind::PerhapsThousands:
      return parts[1] + " is read as " + (parts[2].empty() ? "text" : parts[2]) +
             "; if it means thousands, say --thousands " + parts[0];
    case ColumnRemark::Kind::TurnedToText:
      return "column " + parts[0] + " (\"" + parts[1] +
             "\") holds numbers and is read as text, because line " + parts[2] + " holds " +
             parts[3];
    case ColumnRemark::Kind::Constant: break;
  }
  return "the coordinate " + parts[0] + " is " + parts[1] + " in all rows (--columns chooses)";
}

/// Refuses options of text, and of files with several tables, where no file of the call is one.
/// Files that cannot be read are left to the reader.
void checkOptionsOfFormats(const CLI::App& parser, const InputOptions& options) {
  std::string given;
  for (const char* name : {"--delimiter", "--skip-lines", "--thousands", "--header",
                           "--decimal-comma", "--decimal-point"})
    if (given.empty() && parser.count(name) > 0) given = name;
  const bool ofTables = !options.read.dataset.empty();  // papers has another --dataset
  if (given.empty() && !ofTables) return;
  bool anyText = false;
  bool anyTables = false;
  std::string formats;
  for (const std::string& path : {options.path, options.other}) {
    if (path.empty()) continue;
    const auto preview = previewFile(path, options.read, 1);
    if (!preview) return;
    anyText |= preview->format == Format::Text;
    anyTables |= !preview->tables.empty();
    formats += (formats.empty() ? "" : " and ") + path + " is " + toText(preview->format);
  }
  if (!given.empty() && !anyText)
    throw CLI::ValidationError(given + " is for text files; " + formats + '.');
  if (ofTables && !anyTables)
    throw CLI::ValidationError("--dataset is for HDF5, FITS and NPZ files; " + formats + '.');
}

}  // namespace

std::vector<CLI::Option*> addReadOptions(CLI::App& parser, InputOptions& options) {
  parser.final_callback([&] { checkOptionsOfFormats(parser, options); });
  addTextOption(
      parser, "--columns",
      [&options](const std::string& text) -> Result<void> {
        auto columns = parseColumnList(text);
        if (!columns) return tl::unexpected(columns.error());
        options.read.coordinates = std::move(*columns);
        return {};
      },
      "Coordinate columns by name or by number from 0, such as 0,2,height or x0:x9.\n"
      "Default: x, y and z of PLY, PCD, LAS and LAZ; only lon and lat where a table has "
      "them;\n"
      "else all columns of numbers except codes (such as id, class, zip or year) and\n"
      "projections (such as umap_x), which are known by their names")
      ->type_name("LIST")
      ->group(kGroup);
  parser
      .add_flag("--skip-non-finite", options.read.skipNonFinite,
                "Leave out rows with NaN or infinite coordinates (default: refuse the file)")
      ->group(kGroup);
  addIntegerOption(
      parser, "--every", options.read.every, 1, std::int64_t(kMostEvery),
      "Read only rows 0, N, 2N, … (default: 1, all rows). Labels are written for the rows\n"
      "that were read")
      ->type_name("N")
      ->group(kGroup);
  addTextOption(
      parser, "--delimiter",
      [&options](const std::string& word) {
        return parseDelimiter(word, options.read.text.delimiter);
      },
      "Text: auto, comma, semicolon, tab, space or bar (default: auto)")
      ->type_name("WORD")
      ->group(kGroup);
  addIntegerOption(
      parser, "--skip-lines", options.read.text.skipLines, 0, kMostSkippedLines,
      "Text: how many lines stand before the table, such as titles or the count of a .pts\n"
      "file (default: detected by the number of cells in each line)")
      ->type_name("N")
      ->group(kGroup);
  addTextOption(
      parser, "--thousands",
      [&options](const std::string& word) {
        return parseThousands(word, options.read.text.thousands);
      },
      "Text: the thousands separator, as in 1,234,567.5: auto, none, comma, point, blank or\n"
      "apostrophe (default: auto, which finds it where the first rows leave no doubt)")
      ->type_name("WORD")
      ->group(kGroup);
  addTextOption(
      parser, "--header",
      [&options](const std::string& word) { return parseHeader(word, options.read.text.header); },
      "Text: whether the first row names the columns: auto, yes or no (default: auto)")
      ->type_name("WORD")
      ->group(kGroup);
  parser
      .add_flag_callback(
          "--decimal-comma",
          [&options] { options.read.text.decimalSign = TextOptions::DecimalSign::Comma; },
          "Text: 1,5 means 1.5 (default: detected where the delimiter is not a comma)")
      ->group(kGroup);
  parser
      .add_flag_callback(
          "--decimal-point",
          [&options] { options.read.text.decimalSign = TextOptions::DecimalSign::Point; },
          "Text: the point is the decimal sign; cells such as 1,5 are text")
      ->excludes("--decimal-comma")
      ->group(kGroup);
  return parser.get_options(
      [](const CLI::Option* option) { return option->get_group() == kGroup; });
}

void addInputOptions(CLI::App& parser, InputOptions& options) {
  addPathOption(parser, "FILE", options.path,
                "The cloud: " + readTitles() +
                    " or other delimited text, detected by content,\nalso "
                    "compressed with gzip or zstd")
      ->required();
  addReadOptions(parser, options);
  parser
      .add_option(
          "--dataset", options.read.dataset,
          "HDF5, FITS and NPZ: which table, such as /obsm/X_pca, a group of columns, or the\n"
          "name of an extension or array (default: the only one)")
      ->type_name("NAME")
      ->group(kGroup);
}

CLI::Option* addOtherOption(CLI::App& parser, const std::string& name, InputOptions& options,
                            const std::string& help) {
  return addPathOption(parser, name, options.other,
                       help +
                           ".\nIt is read with the same options as FILE; --scale unit and zscore "
                           "scale both clouds by its ranges");
}

void sayOfColumns(const Dataset& data, const std::string& path) {
  if (!data.leftOut.empty())
    sayNote(path + ": the coordinates are " + joined(data.cloud.names) + "; not " +
            joined(data.leftOut) +
            ", because of the names or values of the columns (--columns chooses)");
  if (!data.unreadColumns.empty())
    sayNote(path + ": not read: " + joined(data.unreadColumns) + "; outputs lack " +
            (data.unreadColumns.size() == 1 ? "this column" : "these columns"));
  if (data.linesBefore > 0)
    sayNote(path + ": the first " +
            (data.linesBefore == 1 ? "line is not a row"
                                   : groupedText(data.linesBefore) + " lines are not rows") +
            " of the table and " + (data.linesBefore == 1 ? "was" : "were") +
            " skipped (--skip-lines 0 reads all lines)");
  for (const ColumnRemark& remark : data.remarks) sayNote(path + ": " + remarkText(remark));
  for (const std::string& name : data.roundedCoordinates)
    sayNote(path + ": the coordinate " + name +
            " holds integers of 2⁵³ or more, which are rounded to doubles; different ones may "
            "have become equal");
}

void sayOfSkippedRows(const std::string& path, std::uint64_t skipped, std::uint64_t rows,
                      const std::string& which) {
  if (skipped > 0)
    sayNote(path + ": " + groupedText(skipped) + " of " + countedText(rows, "row") +
            (skipped == 1 ? " has a coordinate that is not finite and was skipped"
                          : " have coordinates that are not finite and were skipped") +
            which);
}

Result<Input> readInput(const InputOptions& options, const Task& task) {
  const Stopwatch watch;
  Result<Dataset> data = readDataset(options.path, options.read, task);
  if (!data && data.error().canSkipRows)
    data.error().message += " --skip-non-finite skips them, --columns chooses others.";
  if (!data) return tl::unexpected(data.error());
  sayOfSkippedRows(options.path, data->skippedRows.size(), data->inputRows,
                   std::string(" (") + (data->skippedRows.size() == 1 ? "row " : "rows ") +
                       listOfRows(data->skippedRows, data->every) + ", counted from 0)");
  sayOfColumns(*data, options.path);
  return Input{std::move(*data), watch.seconds()};
}

}  // namespace clusterloom::cli
