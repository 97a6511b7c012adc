#include <tbb/info.h>

#include <limits>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/engine_options.h"
#include "app/cli/engine_run.h"
#include "app/cli/input_options.h"
#include "app/cli/json_output.h"
#include "app/cli/outputs.h"
#include "app/cli/space_options.h"
#include "app/cli/tree_outputs.h"
#include "app/cli/value_options.h"
#include "engine/core/memory_budget.h"
#include "engine/core/predicate.h"
#include "engine/core/stopwatch.h"
#include "engine/dbscan/backend_in_space.h"
#include "engine/hierarchies.h"
#include "engine/hierarchy/eps_curve.h"
#include "engine/hierarchy/smallest_eps.h"
#include "engine/io/numbers.h"
#include "engine/io/write.h"

namespace clusterloom::cli {

namespace {

struct HierarchyCommand {
  InputOptions input;
  ScalingChoice scaling;
  Space space;
  HierarchyOptions hierarchy;
  HierarchyProcessor processor;
  std::vector<double> eps;  ///< of --labels-at
  std::string labels;
  std::string tree;
  std::string curve;
  bool json = false;
};

constexpr const char* kHierarchyFooter = R"(
Builds the hierarchy of all clusterings for one minPts: the minimum spanning tree of mutual
reachability, and the lists of border points. It gives the labels at every ε, equal to those of the
subcommand cluster, and the number of clusters and noise points at every ε.

--labels writes int32 of shape (values of ε, rows): 0, 1, … for clusters, −1 for noise and −2 for
rows that were skipped. --tree writes SciPy's linkage matrix, float64 of shape (points − 1, 4): the
nodes that merge, the smallest ε at which they do, and the points below; points are counted without
skipped rows. --curve writes a row eps,clusters,noise,largest for each ε at which one of them
changes; a row holds up to the next one. M is at most 1024, or above the number of points. With
--period coordinates differ by min(|d|, L − |d|), wherever the points lie, at every ε; with --metric
ε is a distance of the metric.

Examples:
  clusterloom-cli hierarchy cloud.csv --min-pts 8
  clusterloom-cli hierarchy cloud.csv --min-pts 8 --labels-at 0.2,0.5,1 --labels labels.npy
  clusterloom-cli hierarchy atoms.csv --min-pts 8 --period 10,10,10 --curve curve.csv
  clusterloom-cli hierarchy cloud.csv --min-pts 8 --metric manhattan --curve curve.csv
  clusterloom-cli hierarchy cloud.npy --min-pts 8 --tree tree.npy --curve curve.csv --json)";

Result<std::vector<double>> readEpsList(const std::string& text) {
  std::vector<double> values;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const auto value = readNumber("--labels-at", text.substr(begin, end - begin));
    if (!value) return tl::unexpected(value.error());
    if (const auto squared = epsSquared(*value); !squared) return tl::unexpected(squared.error());
    values.push_back(*value);
    begin = end + 1;
  }
  return values;
}

Result<void> checkHierarchyCall(const HierarchyCommand& command) {
  if (auto fine = checkProcessor(command.processor); !fine) return fine;
  if (command.eps.empty() != command.labels.empty())
    return badCall("--labels-at and --labels need each other.");
  return checkOutputs({command.input.path}, {{"--labels", command.labels, {".npy"}},
                                             {"--tree", command.tree, {".npy"}},
                                             {"--curve", command.curve, {".csv"}}});
}

Result<void> writeCurve(const OutputTarget& target, const EpsCurve& curve, const Task& task) {
  return writeTableCsv(
      target, "eps,clusters,noise,largest", curve.rows(),
      [&](std::size_t i, std::string& line) {
        appendNumber(line, curve.eps[i]);
        for (const std::uint32_t figure : {curve.clusters[i], curve.noise[i], curve.largest[i]})
          line += ',' + std::to_string(figure);
      },
      task);
}

struct Written {
  std::size_t curveRows = 0;
  std::vector<Plateau> plateaus;  ///< the longest ones, where there is a curve
  double labelSeconds = 0;
  double curveSeconds = 0;
};

Result<Written> writeOutputs(const HierarchyCommand& command, const Dataset& data,
                             const Hierarchy& hierarchy, const Task& task) {
  Written written;
  OutputSet outputs;
  if (!command.labels.empty()) {
    const auto labelsAt = [&](std::size_t i) {
      auto labels = hierarchy.labels(command.eps[i]);
      if (labels) written.labelSeconds += labels->stats.seconds.total;
      return labels;
    };
    if (auto done =
            writeLabelRowsNpy({outputs, command.labels}, data, command.eps.size(), labelsAt, task);
        !done)
      return tl::unexpected(done.error());
  }
  if (!command.tree.empty())
    if (auto done = writeLinkage({outputs, command.tree}, hierarchy.dendrogram(), task); !done)
      return tl::unexpected(done.error());
  if (!command.curve.empty()) {
    const Stopwatch watch;
    const auto curve = epsCurve(hierarchy, task);
    if (!curve) return tl::unexpected(curve.error());
    written.curveSeconds = watch.seconds();
    written.curveRows = curve->rows();
    written.plateaus = longestPlateaus(*curve, 3);
    if (auto done = writeCurve({outputs, command.curve}, *curve, task); !done)
      return tl::unexpected(done.error());
  }
  if (auto done = outputs.commit(); !done) return tl::unexpected(done.error());
  return written;
}

Json plateausJson(const std::vector<Plateau>& plateaus) {
  Json list = Json::array();
  for (const Plateau& plateau : plateaus)
    list.push_back({{"from", plateau.from}, {"to", plateau.to}, {"clusters", plateau.clusters}});
  return list;
}

Result<void> runHierarchy(const HierarchyCommand& command, const Task& task) {
  const Stopwatch total;
  if (auto fine = checkHierarchyCall(command); !fine) return fine;
  const auto input = readInput(command.input, task);
  if (!input) return tl::unexpected(input.error());
  const Dataset& data = input->data;
  const auto scaled = ScaledCloud::make(command.scaling, data.cloud);
  if (!scaled) return tl::unexpected(scaled.error());
  HierarchyPlace place;
  HierarchyOptions how = command.hierarchy;
  how.periods = scaledPeriods(command.space, scaled->scaling());
  how.metric = command.space.metric;
  if (auto fine = checkRows(command.space, data, scaled->cloud()); !fine) return fine;
  const auto hierarchy = buildHierarchy(scaled->cloud(), how, command.processor, task, &place);
  if (!hierarchy) return tl::unexpected(hierarchy.error());
  const Stopwatch writing;
  const auto written = writeOutputs(command, data, *hierarchy, task);
  if (!written) return tl::unexpected(written.error());
  const double writeSeconds = writing.seconds() - written->labelSeconds - written->curveSeconds;

  const int threads =
      command.hierarchy.threads > 0 ? command.hierarchy.threads : tbb::info::default_concurrency();
  const HierarchySeconds& seconds = hierarchy->seconds();
  const LargeArray<double>& weights = hierarchy->dendrogram().squaredWeights;
  // One point is a cluster at any ε, unless minPts asks for more.
  const double ofOne = hierarchy->minPts() > 1 ? std::numeric_limits<double>::infinity() : 0;
  const double highest = weights.empty() ? ofOne : smallestEps(weights.back());
  if (command.json) {
    Json object = fileHeader(data);
    object.update({{"min_pts", hierarchy->minPts()},
                   {"backend", place.backend},
                   {"threads", threads},
                   {"bytes", hierarchy->bytes()},
                   {"one_cluster_from", highest}});
    addSpace(object, command.space);
    if (!command.curve.empty()) {
      object["curve_rows"] = written->curveRows;
      object["plateaus"] = plateausJson(written->plateaus);
    }
    object["seconds"] = {{"read", input->seconds},
                         {"neighbours", seconds.neighbours},
                         {"index", seconds.index},
                         {"tree", seconds.tree},
                         {"sort", seconds.sort},
                         {"dendrogram", seconds.dendrogram},
                         {"borders", seconds.borders},
                         {"build", seconds.total},
                         {"labels", written->labelSeconds},
                         {"curve", written->curveSeconds},
                         {"write", writeSeconds},
                         {"total", total.seconds()}};
    return printJson(object);
  }
  std::ostringstream text;
  text << pointsLine(data.cloud) << '\n'
       << spaceLine(command.space) << summaryLine("minPts", std::to_string(hierarchy->minPts()))
       << '\n'
       << summaryLine("hierarchy", "one cluster from ε = " + shortNumber(highest) + "; " +
                                       memoryText(hierarchy->bytes()))
       << '\n';
  for (const Plateau& plateau : written->plateaus)
    text << summaryLine("plateau", countedText(std::uint64_t(plateau.clusters), "cluster") +
                                       ", ε from " + shortNumber(plateau.from) + " to " +
                                       shortNumber(plateau.to))
         << '\n';
  text << summaryLine("time", duration(total.seconds()) + " (reading " + duration(input->seconds) +
                                  ", building " + duration(seconds.total) + " " +
                                  placeText(place, command.hierarchy.threads) + ")");
  return printSummary(place.note, text.str(), {command.labels, command.tree, command.curve});
}

}  // namespace

Command addHierarchyCommand(CLI::App& program) {
  auto command = std::make_shared<HierarchyCommand>();
  CLI::App* parser = program.add_subcommand("hierarchy", "Find the clusters of every ε at once");
  parser->footer(kHierarchyFooter);
  addInputOptions(*parser, command->input);
  addIntegerOption(*parser, "--min-pts", command->hierarchy.minPts, 1, std::int64_t(kMaxPoints),
                   "minPts, the neighbours (the point itself included) that make a point core")
      ->type_name("M")
      ->required();
  const OptionGroup group(*parser, "Output");
  addValueOption(*parser, "--labels-at", command->eps, readEpsList,
                 "Values of ε to write the labels of")
      ->type_name("E1,E2,…");
  addOutputOption(*parser, "--labels", command->labels,
                  "Write the labels at each ε (.npy, int32 of shape (values of ε, rows))");
  addOutputOption(*parser, "--tree", command->tree,
                  "Write the dendrogram as SciPy's linkage matrix (.npy)");
  addOutputOption(*parser, "--curve", command->curve,
                  "Write clusters, noise and largest cluster over all ε (.csv)");
  parser->add_flag("--json", command->json, "Print one JSON object instead of the summary");
  addScalingOption(*parser, command->scaling);
  addMetricAndPeriod(*parser, command->space, "M");
  addProcessorOptions(*parser, command->processor, command->hierarchy.threads);
  command->input.read.keepOthers = false;
  return {parser, [command](const Task& task) { return runHierarchy(*command, task); }};
}

}  // namespace clusterloom::cli
