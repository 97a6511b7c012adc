#include <algorithm>
#include <cmath>
#include <memory>
#include <sstream>

#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/engine_run.h"
#include "app/cli/input_options.h"
#include "app/cli/json_output.h"
#include "app/cli/value_options.h"
#include "engine/dbscan/default_min_pts.h"
#include "engine/hierarchy/k_distance.h"

namespace clusterloom::cli {

namespace {

struct InfoOptions {
  InputOptions input;
  int minPts = 0;
  bool json = false;
};

constexpr const char* kInfoFooter = R"(
Examples:
  clusterloom-cli info cloud.csv
  clusterloom-cli info cloud.csv --min-pts 8        which ε to try with minPts 8)";

/// Points whose k-distance is computed for the suggestion where all would take too long.
constexpr std::uint64_t kSample = 20000;

/// Figures of one dimension.
struct DimensionSummary {
  std::string name;
  double low;
  double high;
  double mean;
  double deviation;
};

DimensionSummary summarise(const PointCloud& cloud, const Bounds& bounds, std::size_t j) {
  const Coordinates& column = cloud.columns[j];
  const double low = bounds.low[j];
  const double n = double(column.size());
  const double high = bounds.high[j];
  const std::string name = j < cloud.names.size() ? cloud.names[j] : std::to_string(j);
  if (low == high) return {name, low, high, low, 0.0};
  // Of positions between 0 and 1: no square overflows, and large offsets cancel first. Halves where
  // the range itself overflows.
  const double half = std::isfinite(high - low) ? 1.0 : 0.5;
  const double range = half * high - half * low;
  double mean = 0;
  for (const double x : column) mean += (half * x - half * low) / range;
  mean /= n;
  double variance = 0;
  for (const double x : column) {
    const double offset = (half * x - half * low) / range - mean;
    variance += offset * offset;
  }
  return {name, low, high, low * (1 - mean) + high * mean,
          range * (std::sqrt(variance / n) / half)};
}

std::vector<DimensionSummary> summariesOf(const PointCloud& cloud) {
  const Bounds bounds = boundsOf(cloud);
  std::vector<DimensionSummary> all;
  for (std::size_t j = 0; j < cloud.dims(); ++j) all.push_back(summarise(cloud, bounds, j));
  return all;
}

Json describeJson(const Dataset& data, const EpsRange& range, const KDistances* distances) {
  Json object;
  object["file"] = data.source.path;
  object["format"] = data.source.format;
  object["hash"] = data.source.hash;
  object["points"] = data.cloud.size();
  object["dims"] = data.cloud.dims();
  object["rows"] = data.inputRows;
  if (data.every > 1) object["every"] = data.every;
  object["skipped"] = data.skippedRows.size();
  object["columns"] = Json::array();
  for (const DimensionSummary& d : summariesOf(data.cloud))
    object["columns"].push_back({{"name", d.name},
                                 {"low", d.low},
                                 {"high", d.high},
                                 {"mean", d.mean},
                                 {"deviation", d.deviation}});
  object["other_columns"] = Json::array();
  for (const Attribute& attribute : data.attributes)
    object["other_columns"].push_back(attribute.name);
  object["default_min_pts"] = defaultMinPts(data.cloud.size(), data.cloud.dims());
  object["eps_range"] = {{"low", range.low}, {"high", range.high}};
  if (distances != nullptr) {
    object["min_pts"] = distances->k;
    object["suggested_eps"] = distances->suggestedEps;
    object["k_distances"] = distances->sampled;
  }
  return object;
}

std::string describeText(const Dataset& data, const EpsRange& range, const KDistances* distances) {
  std::ostringstream text;
  text << summaryLine("file", data.source.path + " (" + data.source.format + ")") << '\n'
       << summaryLine("hash", data.source.hash) << '\n'
       << pointsLine(data.cloud);
  if (!data.skippedRows.empty())
    text << '\n' << summaryLine("skipped", countedText(data.skippedRows.size(), "row"));
  for (const DimensionSummary& d : summariesOf(data.cloud))
    text << '\n'
         << summaryLine("dimension", d.name + ": " + shortNumber(d.low) + " … " +
                                         shortNumber(d.high) + ", mean " + shortNumber(d.mean) +
                                         ", deviation " + shortNumber(d.deviation));
  for (const Attribute& attribute : data.attributes)
    text << '\n' << summaryLine("also", attribute.name);
  text << '\n' << summaryLine("ε range", shortNumber(range.low) + " … " + shortNumber(range.high));
  text << '\n'
       << summaryLine("minPts",
                      std::to_string(defaultMinPts(data.cloud.size(), data.cloud.dims())) +
                          " to begin with");
  if (distances != nullptr)
    text << '\n'
         << summaryLine(
                "ε to try",
                shortNumber(distances->suggestedEps) + " for minPts " +
                    std::to_string(distances->k) + ", the knee of the k-distance plot" +
                    (distances->isWhole ? ""
                                        : " of " + groupedText(distances->sampled) + " points"));
  return text.str();
}

/// Describes a file whose points cannot be read: its columns, and the options that may help.
/// Nothing where not even these can be told.
void sayColumns(const InfoOptions& options) {
  constexpr std::size_t kMostShown = 40;
  // Without the columns that the call names, because they may be wrong.
  ReadOptions read = options.input.read;
  read.coordinates.clear();
  const auto preview = previewFile(options.input.path, read, 1);
  if (!preview || preview->columns.empty()) return;
  std::string list;
  for (std::size_t c = 0; c < std::min(preview->columns.size(), kMostShown); ++c) {
    const PreviewColumn& column = preview->columns[c];
    list += (c == 0 ? "" : ", ") + column.name + " (" + (column.numeric ? "number" : "text") + ")";
  }
  const std::size_t more = preview->columns.size() - std::min(preview->columns.size(), kMostShown);
  sayNote(
      "the columns are " + list + (more > 0 ? " and " + groupedText(more) + " more" : "") +
      "; --columns chooses coordinates, --skip-non-finite leaves rows out whose coordinates are "
      "missing" +
      (preview->format == Format::Text ? ", and --delimiter, --header, --skip-lines, "
                                         "--decimal-comma and --thousands say how the text is "
                                         "written"
                                       : ""));
}

Result<void> runInfo(const InfoOptions& options, const Task& task) {
  const auto input = readInput(options.input, task);
  if (!input) {
    const ErrorKind kind = input.error().kind;
    if (kind == ErrorKind::BadInput || kind == ErrorKind::BadCall) sayColumns(options);
    return tl::unexpected(input.error());
  }
  const Dataset& data = input->data;
  if (std::uint64_t(options.minPts) > data.cloud.size())
    return badCall("--min-pts " + std::to_string(options.minPts) + ": " + data.source.path +
                   " has only " + countedText(data.cloud.size(), "point") + ". Use a smaller M.");
  const EpsRange range = sensibleEpsRange(data.cloud, task);
  if (task.cancelled()) return cancelledError();
  Result<KDistances> distances;
  const bool suggest = options.minPts > 0;
  if (suggest) {
    distances = kDistancesOfAll(data.cloud, options.minPts, kSample, task);
    if (!distances) return tl::unexpected(distances.error());
  }
  const KDistances* found = suggest ? &*distances : nullptr;
  return options.json ? printJson(describeJson(data, range, found))
                      : printLine(describeText(data, range, found));
}

}  // namespace

Command addInfoCommand(CLI::App& program) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* parser = program.add_subcommand("info", "Describe a file");
  parser->footer(kInfoFooter);
  addInputOptions(*parser, options->input);
  addIntegerOption(*parser, "--min-pts", options->minPts, 1, 1'000'000,
                   "Also suggest an ε for this minPts, from the k-distance plot")
      ->type_name("M");
  parser->add_flag("--json", options->json, "Print one JSON object instead of the summary");
  return {parser, [options](const Task& task) { return runInfo(*options, task); }};
}

}  // namespace clusterloom::cli
