#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/engine_options.h"
#include "app/cli/input_options.h"
#include "app/cli/json_output.h"
#include "app/cli/papers/numbers.h"
#include "app/cli/value_options.h"
#include "engine/cloud/generators.h"

namespace clusterloom::cli {

namespace {

struct PapersOptions {
  std::string id;
  std::string dataset;     ///< empty: all
  InputOptions file;       ///< a real data set; without a path clouds are generated
  ScalingChoice scaling;   ///< of the file
  std::size_t points = 0;  ///< 0: as many as the papers
  std::size_t sampleWarps = 300;
  int threads = 0;  ///< 0: all
  std::uint64_t seed = 42;
  bool json = false;
};

constexpr const char* kPapersFooter = R"(
Without ID the tables and figures are listed, with the reason where one cannot be computed. With ID
the clouds are generated, and the computed numbers are printed beside the published ones; 'all'
computes all that are possible. WEE, speed-ups of warps and the sharing of CPU and GPU are modelled
from a sample of warps (see load). Times are measured in one run each, on a GPU if there is one, else
on the CPU, where the order and the threads per point have no effect. As in the papers, the time of
the index is not included, except in hegjoin. "in figure" stands for a number that the paper shows
only in a drawing, "-" for one that needs a GPU or more memory than there is; the reason is below the
table.

--points makes smaller clouds. ε then grows, so that a point has about the same number of neighbours.
Candidates are given for each point, and batches and the modelled GPU of speed-ups become smaller
with the cloud. Numbers are not comparable where ε is large against the extent of the data, as in 6
and more dimensions or with few points. For WEE the batches keep their size: a small cloud has fewer
batches, and sorting within batches (SORTBYWL) does as well as one order for all (WORKQUEUE).

--file reads the real data set of --dataset instead, and computes its numbers at the ε of the paper.
The options of the group Input say how the file is read.

Examples:
  clusterloom-cli papers
  clusterloom-cli papers lbjoin-table-5 --points 100000
  clusterloom-cli papers all --points 20000 --json
  clusterloom-cli papers lbjoin-table-6 --file sw.csv --columns 0,1 --dataset SW2DA)";

/// A published number and the one made here.
struct Line {
  PaperValue value;
  std::size_t points = 0;
  MadeNumber made;
};

/// `nothing` stands for NaN.
std::string numberText(const PaperQuantity& quantity, double number, const char* nothing) {
  if (std::isnan(number)) return nothing;
  if (quantity.percent) return percentText(number);
  const double unit = std::pow(10, std::floor(std::log10(std::max(number, 1e-9))) - 3);
  return shortNumber(std::round(number / unit) * unit);  // four digits
}

std::string cell(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size() + 2), ' ');
  return text;
}

/// "UNICOMP, b_s 5e+07".
std::string strategyText(const PaperQuantity& quantity, const PaperValue& value) {
  if (*quantity.size == '\0' || value.size == 0) return value.strategy;
  return std::string(value.strategy) + ", " + quantity.size + " " + shortNumber(value.size);
}

/// The column of strategies of a table.
std::size_t strategyWidth(const PaperItem& item) {
  std::size_t width = std::string("strategy").size();
  for (const PaperValue& value : item.values)
    width = std::max(width, strategyText(quantityOf(item.figure), value).size());
  return width + 2;
}

std::string headOf(const PaperItem& item) {
  return std::string(item.id) + ": " + item.title + '\n' + cell("data set", 11) +
         cell("points", 12) + cell("eps", 12) + cell("strategy", strategyWidth(item)) +
         cell("published", 11) + quantityOf(item.figure).heading;
}

std::string rowOf(const PaperItem& item, const Line& line) {
  const PaperQuantity quantity = quantityOf(item.figure);
  std::string row = cell(line.value.dataset, 11) + cell(groupedText(line.points), 12) +
                    cell(shortNumber(line.made.eps), 12) +
                    cell(strategyText(quantity, line.value), strategyWidth(item)) +
                    cell(numberText(quantity, line.value.published, "in figure"), 11) +
                    numberText(quantity, line.made.number, "-");
  if (std::isinf(line.made.error))
    row += " (error unknown: one warp)";
  else if (line.made.error > 0)
    row += " +- " + numberText(quantity, line.made.error, "-");
  return row;
}

/// The mean of the numbers of each strategy, where the paper shows one.
std::map<std::string, double> averagesOf(const PaperItem& item, const std::vector<Line>& lines) {
  std::map<std::string, std::vector<double>> numbers;
  for (const Line& line : lines)
    if (item.averaged && !std::isnan(line.made.number))
      numbers[line.value.strategy].push_back(line.made.number);
  std::map<std::string, double> averages;
  for (const auto& [strategy, all] : numbers)
    averages[strategy] = std::accumulate(all.begin(), all.end(), 0.0) / double(all.size());
  return averages;
}

/// The averages, the devices that measured the numbers, and why some are missing, each once.
std::string notesOf(const PaperItem& item, const std::vector<Line>& lines) {
  std::set<std::string> notes;
  for (const Line& line : lines) {
    if (!line.made.by.empty()) notes.insert("measured on: " + line.made.by);
    if (!line.made.missing.empty()) notes.insert("-: " + line.made.missing);
  }
  std::string text;
  for (const auto& [strategy, average] : averagesOf(item, lines))
    text +=
        "average, " + strategy + ": " + numberText(quantityOf(item.figure), average, "-") + '\n';
  for (const std::string& note : notes) text += note + '\n';
  return text;
}

Json jsonOf(const PaperItem& item, const std::vector<Line>& lines) {
  const PaperQuantity quantity = quantityOf(item.figure);
  Json object;
  object["id"] = item.id;
  object["title"] = item.title;
  object["quantity"] = quantity.name;
  for (const Line& line : lines) {
    // A number that is in a figure only, or missing, is null: JSON has no NaN.
    Json number{{"dataset", line.value.dataset},
                {"points", line.points},
                {"eps", line.made.eps},
                {"strategy", line.value.strategy},
                {"published", line.value.published},
                {"here", line.made.number},
                {"error", line.made.error}};
    if (*quantity.size != '\0') number[quantity.size] = line.value.size;
    if (!line.made.by.empty()) number["measured_on"] = line.made.by;
    if (!line.made.missing.empty()) number["missing"] = line.made.missing;
    object["numbers"].push_back(std::move(number));
  }
  for (const auto& [strategy, average] : averagesOf(item, lines))
    object["averages"][strategy] = average;
  return object;
}

bool isReal(const PaperValue& value) { return !cloudNamed(value.dataset); }

bool isWanted(const PaperValue& value, const PapersOptions& options) {
  return isReal(value) == !options.file.path.empty() &&
         (options.dataset.empty() || options.dataset == value.dataset);
}

/// Why an item is not made of generated clouds, and from which files it is.
std::string whyNot(const PaperItem& item) {
  std::set<std::string> names;
  for (const PaperValue& value : item.values)
    if (isReal(value)) names.insert(value.dataset);
  std::string files;
  for (const std::string& name : names)
    files += (files.empty() ? "; made from a --file of " : ", ") + name;
  return item.why + files;
}

/// The data set as it is read from the file, else generated.
Result<MadeCloud> cloudOf(const char* dataset, const PapersOptions& options, const Task& task) {
  MadeCloud made;
  if (!options.file.path.empty()) {
    const auto read = readInput(options.file, task);
    if (!read) return tl::unexpected(read.error());
    const auto scaled = ScaledCloud::make(options.scaling, read->data.cloud);
    if (!scaled) return tl::unexpected(scaled.error());
    made.cloud = scaled->cloud();
    made.paperPoints = made.cloud.size();  // ε is that of the paper, however many points there are
    return made;
  }
  GeneratorSpec spec = *cloudNamed(dataset);
  made.paperPoints = spec.points;
  if (options.points > 0) spec.points = std::min(options.points, spec.points);
  spec.seed = options.seed;
  auto generated = generate(spec, task);
  if (!generated) return tl::unexpected(generated.error());
  made.cloud = std::move(generated->cloud);
  return made;
}

/// The cloud of the row before: reading or making it again for each table can take minutes.
struct LastCloud {
  std::string dataset;
  MadeCloud made;
};

Result<void> runItem(const Paper& paper, const PaperItem& item, const PapersOptions& options,
                     LastCloud& last, const Task& task) {
  // Each row as soon as it is made: a table can take hours, and a stopped one keeps its rows.
  const auto print = [&](const std::string& line) {
    return options.json ? Result<void>() : printLine(line);
  };
  if (auto printed = print(headOf(item)); !printed) return printed;
  std::vector<Line> lines;
  for (const PaperValue& value : item.values) {
    if (!isWanted(value, options)) continue;
    if (last.dataset != value.dataset) {
      last = {};  // before the next one takes memory
      auto next = cloudOf(value.dataset, options, task);
      if (!next) return tl::unexpected(next.error());
      last = {value.dataset, std::move(*next)};
    }
    auto number =
        makeNumber(paper, item, value, last.made, options.sampleWarps, options.threads, task);
    if (!number) return tl::unexpected(number.error());
    lines.push_back({value, last.made.cloud.size(), *number});
    if (auto printed = print(rowOf(item, lines.back())); !printed) return printed;
  }
  return options.json ? printJson(jsonOf(item, lines)) : printLine(notesOf(item, lines));
}

Result<void> list(bool json) {
  if (json) {
    Json all = Json::array();
    for (const Paper& paper : papers())
      for (const PaperItem& item : paper.items) {
        Json one{{"id", item.id}, {"paper", paper.title}, {"title", item.title}};
        one["made"] = item.why == nullptr;
        if (item.why) one["why_not"] = whyNot(item);
        all.push_back(one);
      }
    return printJson(all);
  }
  std::string text;
  for (const Paper& paper : papers()) {
    text += std::string(paper.title) + '\n';
    for (const PaperItem& item : paper.items)
      text += "  " + cell(item.id, 31) + item.title +
              (item.why ? " (not made: " + whyNot(item) + ")" : std::string()) + '\n';
  }
  text.pop_back();
  return printLine(text);
}

Result<void> runPapers(const PapersOptions& options, const Task& task) {
  if (options.id.empty()) return list(options.json);
  const bool all = options.id == "all";
  bool known = false;
  bool ran = false;
  LastCloud last;
  for (const Paper& paper : papers())
    for (const PaperItem& item : paper.items) {
      if (!all && options.id != item.id) continue;
      known = true;
      if (std::ranges::any_of(item.values,
                              [&](const PaperValue& value) { return isWanted(value, options); })) {
        ran = true;
        if (auto run = runItem(paper, item, options, last, task); !run) return run;
      } else if (item.why && !all) {
        return badCall(options.id + " cannot be made: " + whyNot(item) + ".");
      }
    }
  if (ran) return {};
  if (known)
    return badCall(
        (all ? "No table or figure has" : options.id + " does not have") +
        " numbers of a data set '" + options.dataset +
        (options.file.path.empty() ? "' that is generated." : "' that is read from a file."));
  return badCall("There is no table or figure '" + options.id +
                 "'; 'clusterloom-cli papers' lists them.");
}

}  // namespace

Command addPapersCommand(CLI::App& program) {
  auto options = std::make_shared<PapersOptions>();
  CLI::App* parser = program.add_subcommand(
      "papers", "Compute numbers of the papers' tables and print them beside the published ones");
  parser->footer(kPapersFooter);
  CLI::Option* const id = parser->add_option(
      "ID", options->id, "The table or figure, or all; without it they are listed");
  CLI::Option* const points =
      addIntegerOption(*parser, "--points", options->points, 100, 10'000'000,
                       "Make clouds of N points at most (default: as many as\nthe papers)")
          ->type_name("N");
  addIntegerOption(*parser, "--sample-warps", options->sampleWarps, 1, 2147483647,
                   "Model N warps of each run (default: 300)")
      ->type_name("N");
  CLI::Option* const dataset =
      parser
          ->add_option("--dataset", options->dataset,
                       "Only the numbers of this data set, such as Expo8D10M")
          ->type_name("NAME");
  options->file.read.keepOthers = false;
  CLI::Option* const file =
      addPathOption(*parser, "--file", options->file.path,
                    "Read the data set of --dataset, such as SW2DA, from FILE")
          ->type_name("FILE")
          ->needs(id)
          ->needs(dataset)
          ->excludes(points);
  for (CLI::Option* const option : addReadOptions(*parser, options->file)) option->needs(file);
  addScalingOption(*parser, options->scaling);
  parser->get_option("--scale")->needs(file);
  addThreadsOption(*parser, options->threads);
  addSeedOption(*parser, "--seed", options->seed, "Seed of the clouds (default: 42)")
      ->type_name("SEED");
  parser->add_flag("--json", options->json, "Print JSON instead of a table");
  return {parser, [options](const Task& task) { return runPapers(*options, task); }};
}

}  // namespace clusterloom::cli
