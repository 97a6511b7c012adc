#include "app/cli/input_options.h"

#include <algorithm>

#include "app/cli/console.h"
#include "app/cli/value_options.h"
#include "engine/core/stopwatch.h"
#include "engine/io/format_table.h"
#include "engine/io/read_words.h"

namespace clusterloom::cli {

namespace {

constexpr const char* kTableOption = "dataset";  // which of a file's tables

CLI::Option* addReadingOption(CLI::App& parser, const ReadingOption& option, ReadOptions& read) {
  const auto take = [&option, &read](const std::string& text) {
    if (const auto taken = option.set(text, read); !taken)
      throw CLI::ValidationError(taken.error().message);
  };
  const std::string name = "--" + option.name;
  CLI::Option* const added = option.placeholder.empty()
                                 ? parser.add_flag_callback(
                                       name, [take] { take({}); }, option.help)
                                 : parser.add_option_function<std::string>(name, take, option.help)
                                       ->type_name(option.placeholder);
  return added->group("Input");
}

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
  for (const ReadingOption& option : readingOptions())
    if (option.ofText && given.empty() && parser.count("--" + option.name) > 0)
      given = "--" + option.name;
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
  std::vector<CLI::Option*> added;
  for (const ReadingOption& option : readingOptions())
    if (option.name != kTableOption)
      added.push_back(addReadingOption(parser, option, options.read));
  parser.get_option("--decimal-point")->excludes("--decimal-comma");
  return added;
}

void addInputOptions(CLI::App& parser, InputOptions& options) {
  addPathOption(parser, "FILE", options.path,
                "The cloud: " + readTitles() +
                    " or other delimited text, detected by content,\nalso "
                    "compressed with gzip or zstd")
      ->required();
  addReadOptions(parser, options);
  for (const ReadingOption& option : readingOptions())
    if (option.name == kTableOption) addReadingOption(parser, option, options.read);
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
