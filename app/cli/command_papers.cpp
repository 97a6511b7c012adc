#include <algorithm>
#include <memory>
#include <sstream>

#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/json_output.h"
#include "app/cli/paper_tables.h"
#include "app/cli/value_options.h"
#include "engine/cloud/paper_clouds.h"
#include "engine/join/strategy_options.h"
#include "engine/load/load_model.h"

namespace clusterloom::cli {

namespace {

struct PapersOptions {
  std::string id;
  std::size_t points = 0;  ///< 0: as many as the papers
  std::size_t sampleWarps = 300;
  std::uint64_t seed = 42;
  bool json = false;
};

constexpr const char* kPapersFooter = R"(
Without ID it lists the tables and figures, and why some cannot be made. With ID it makes the clouds,
computes the numbers and prints them beside the published ones. WEE is modelled (see load), from a
sample of warps.

--points makes smaller clouds. ε then grows so that a point keeps about as many neighbours; numbers
of candidates are given for each point. Where ε is no longer small against the extent of the data,
as in 6 and 8 dimensions or with few points, they are fewer and do not compare. Small clouds need
fewer batches, so that sorting within batches (SORTBYWL) does as well as one order for all
(WORKQUEUE).

Examples:
  clusterloom-cli papers
  clusterloom-cli papers lbjoin-table-5 --points 100000
  clusterloom-cli papers hegjoin-table-3 --points 200000 --json)";

/// One number made here.
struct Made {
  PaperValue value;
  std::size_t points = 0;
  std::size_t paperPoints = 0;
  double eps = 0;
  double number = 0;
  double error = 0;  ///< standard error; 0: exact
};

/// The published number in the form in which numbers of clouds of different sizes compare.
double published(const PaperItem& item, const Made& made) {
  if (item.figure == PaperFigure::Wee) return made.value.published;
  return made.value.published / double(made.paperPoints);
}

Result<Made> make(const PaperItem& item, const PaperValue& value, const PapersOptions& options,
                  const PointCloud& cloud, std::size_t paperPoints, const Task& task) {
  Made made{value, cloud.size(), paperPoints};
  made.eps = epsOfSameSelectivity(value.eps, paperPoints, cloud.size(), cloud.dims());
  Strategy strategy = strategyNamed(value.strategy);
  strategy.indexedDims =
      int(std::min<std::uint64_t>(cloud.dims(), findStrategyOption("index-dims")->most));
  LoadRequest request;
  // Candidates are exact with any sample.
  request.sampleWarps = item.figure == PaperFigure::Wee ? options.sampleWarps : 1;
  const auto report = modelLoad(cloud, made.eps, strategy, request, task);
  if (!report) return tl::unexpected(report.error());
  if (item.figure == PaperFigure::Wee) {
    made.number = report->wee;
    made.error = report->weeError;
  } else {
    made.number = double(report->candidates) / double(cloud.size());
  }
  return made;
}

std::string numberText(const PaperItem& item, double number) {
  return item.figure == PaperFigure::Wee ? percentText(number) : shortNumber(number);
}

std::string cell(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size() + 2), ' ');
  return text;
}

std::string tableOf(const PaperItem& item, const std::vector<Made>& numbers) {
  const bool wee = item.figure == PaperFigure::Wee;
  std::ostringstream text;
  text << item.id << ": " << item.title << '\n'
       << cell("data set", 11) << cell("points", 12) << cell("eps", 12) << cell("strategy", 15)
       << cell("published", 11) << (wee ? "here, modelled" : "here, candidates per point") << '\n';
  for (const Made& made : numbers) {
    text << cell(made.value.dataset, 11) << cell(groupedText(made.points), 12)
         << cell(shortNumber(made.eps), 12) << cell(made.value.strategy, 15)
         << cell(numberText(item, published(item, made)), 11) << numberText(item, made.number);
    if (made.error > 0) text << " +- " << numberText(item, made.error);
    text << '\n';
  }
  return text.str();
}

Result<void> runItem(const PaperItem& item, const PapersOptions& options, const Task& task) {
  std::vector<Made> numbers;
  Dataset data;
  const char* dataset = "";
  std::size_t paperPoints = 0;
  for (const PaperValue& value : item.values) {
    if (std::string(dataset) != value.dataset) {
      GeneratorSpec spec = *paperCloud(value.dataset);
      dataset = value.dataset;
      paperPoints = spec.points;
      if (options.points > 0) spec.points = std::min(options.points, spec.points);
      spec.seed = options.seed;
      auto generated = generate(spec, task);
      if (!generated) return tl::unexpected(generated.error());
      data = std::move(*generated);
    }
    auto made = make(item, value, options, data.cloud, paperPoints, task);
    if (!made) return tl::unexpected(made.error());
    numbers.push_back(*made);
  }
  if (!options.json) return printLine(tableOf(item, numbers));
  Json object;
  object["id"] = item.id;
  object["title"] = item.title;
  object["quantity"] = item.figure == PaperFigure::Wee ? "wee" : "candidates_per_point";
  for (const Made& made : numbers)
    object["numbers"].push_back({{"dataset", made.value.dataset},
                                 {"points", made.points},
                                 {"eps", made.eps},
                                 {"strategy", made.value.strategy},
                                 {"published", published(item, made)},
                                 {"here", made.number},
                                 {"error", made.error}});
  return printJson(object);
}

Result<void> list(bool json) {
  if (json) {
    Json all = Json::array();
    for (const Paper& paper : papers())
      for (const PaperItem& item : paper.items) {
        Json one{{"id", item.id}, {"paper", paper.title}, {"title", item.title}};
        one["made"] = item.why == nullptr;
        if (item.why) one["why_not"] = item.why;
        all.push_back(one);
      }
    return printJson(all);
  }
  std::string text;
  for (const Paper& paper : papers()) {
    text += std::string(paper.title) + '\n';
    for (const PaperItem& item : paper.items)
      text += "  " + cell(item.id, 23) + item.title +
              (item.why ? std::string(" (not made: ") + item.why + ")" : std::string()) + '\n';
  }
  text.pop_back();
  return printLine(text);
}

Result<void> runPapers(const PapersOptions& options, const Task& task) {
  if (options.id.empty()) return list(options.json);
  for (const Paper& paper : papers())
    for (const PaperItem& item : paper.items) {
      if (options.id != item.id) continue;
      if (item.why) return badCall(options.id + " cannot be made: " + item.why + ".");
      return runItem(item, options, task);
    }
  return badCall("There is no table or figure '" + options.id +
                 "'; 'clusterloom-cli papers' lists them.");
}

}  // namespace

Command addPapersCommand(CLI::App& program) {
  auto options = std::make_shared<PapersOptions>();
  CLI::App* parser = program.add_subcommand(
      "papers", "Compute numbers of the papers' tables and print them beside the published ones");
  parser->footer(kPapersFooter);
  parser->add_option("ID", options->id, "The table or figure; without it all are listed");
  addIntegerOption(*parser, "--points", options->points, 100, 10'000'000,
                   "Make clouds of N points at most (default: as many as\nthe papers)")
      ->type_name("N");
  addIntegerOption(*parser, "--sample-warps", options->sampleWarps, 1, 2147483647,
                   "Model N warps of each run (default: 300)")
      ->type_name("N");
  addSeedOption(*parser, "--seed", options->seed, "Seed of the clouds (default: 42)")
      ->type_name("SEED");
  parser->add_flag("--json", options->json, "Print JSON instead of a table");
  return {parser, [options](const Task& task) { return runPapers(*options, task); }};
}

}  // namespace clusterloom::cli
