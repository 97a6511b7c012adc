#include <algorithm>
#include <limits>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/engine_options.h"
#include "app/cli/engine_run.h"
#include "app/cli/input_options.h"
#include "app/cli/json_output.h"
#include "app/cli/outputs.h"
#include "app/cli/precomputed.h"
#include "app/cli/space_options.h"
#include "app/cli/tree_outputs.h"
#include "app/cli/value_options.h"
#include "engine/core/stopwatch.h"
#include "engine/dbscan/backend_in_space.h"
#include "engine/hierarchies.h"
#include "engine/hierarchy/condensed_tree.h"
#include "engine/hierarchy/graph_dendrogram.h"
#include "engine/hierarchy/hdbscan.h"
#include "engine/io/format_table.h"
#include "engine/io/hdbscan_provenance.h"
#include "engine/io/output_set.h"
#include "engine/io/sidecar.h"
#include "engine/io/write.h"

namespace clusterloom::cli {

namespace {

struct HdbscanCall {
  InputOptions input;
  ScalingChoice scaling;
  Space space;
  HierarchyProcessor processor;
  int threads = 0;
  std::int64_t minPts = 0;  ///< 0: the smallest cluster, as far as a hierarchy allows
  HdbscanOptions options;
  std::string labels;
  std::string probabilities;
  std::string outlierScores;
  std::string clusters;
  std::string condensedTree;
  std::string tree;
  bool provenance = false;
  bool allowLoss = false;
  bool json = false;
  bool precomputed = false;  ///< FILE holds distances
  const CLI::App* parser = nullptr;
};

constexpr const char* kHdbscanFooter = R"(
HDBSCAN* needs no ε. From the clusters of every ε it takes those that last over the widest ranges
of density (--select eom), or those that do not split further (--select leaves). Parts with fewer
than S points are not clusters. Clusters are numbered by their lowest rows; −1 is noise, −2 a row
that was skipped. The probability of a point says how long it stays in its cluster while ε becomes
smaller: 1 to the end, 0 for noise.

With --selection-eps E, clusters that appear below E are not taken, but the cluster at E that holds
them. --outlier-scores writes the GLOSH scores, from 0 to 1: large where the density is much lower
than at the densest point of the cluster. --clusters writes the clusters of the condensed tree;
persistence is stability ÷ (points of the label × largest 1/ε of the tree). --condensed-tree writes
a line parent,child,lambda_val,child_size for each point and each cluster: 0 … n − 1 are points, n is
the root, and lambda_val is 1/ε. --tree writes SciPy's linkage matrix, as the subcommand hierarchy
does. Points of trees are numbered without skipped rows. With --period, coordinates differ by
min(|d|, L − |d|), wherever the points lie. With --metric precomputed, the core distance is the
minPts-th smallest stored distance of a row; the distance of a point to itself counts if it is stored.

Examples:
  clusterloom-cli hdbscan cloud.csv --min-cluster-size 15
  clusterloom-cli hdbscan cloud.csv --min-cluster-size 15 --min-pts 5 --labels labelled.csv
  clusterloom-cli hdbscan cloud.npy --select leaves --labels labels.npy --probabilities p.npy
  clusterloom-cli hdbscan atoms.csv --min-cluster-size 15 --period 10,10,10 --labels labels.npy
  clusterloom-cli hdbscan embeddings.npy --min-cluster-size 15 --metric cosine --labels labels.npy
  clusterloom-cli hdbscan distances.npz --min-cluster-size 15 --metric precomputed
  clusterloom-cli hdbscan cloud.csv --selection-eps 0.5 --outlier-scores scores.npy)";

/// The results, for the outputs.
struct Found {
  const Dendrogram& dendrogram;
  const CondensedTree& tree;
  const FlatClusters& flat;
};

/// Writes the points with their labels.
Result<void> writeLabels(const HdbscanCall& call, const Dataset& data, const FlatClusters& flat,
                         const WriteOptions& how, OutputSet& outputs, const Task& task) {
  const Clustering clustering = asClustering(flat, {0, call.minPts});
  const OutputTarget target(outputs, call.labels);
  if (call.precomputed) return writeNpy(target, flat.labels, task);
  if (writesLabelsOnly(call.labels)) return writeLabelled(target, data, clustering, how, task);
  return writeLabelled(target, withProbabilities(data, flat.probabilities), clustering, how, task);
}

/// Writes a value for each row of the input.
Result<void> writeRows(const OutputTarget& target, const Dataset& data,
                       const std::vector<double>& values, const Task& task) {
  return writeNpy(target, perInputRow(data, values, std::numeric_limits<double>::quiet_NaN()),
                  task);
}

Result<std::vector<std::string>> writeFound(const HdbscanCall& call, const Dataset& data,
                                            const std::string& scaling, const Found& found,
                                            const Task& task) {
  WriteOptions how;
  how.allowLoss = call.allowLoss;
  if (call.provenance) {
    how.provenance =
        provenanceOf(data, asClustering(found.flat, {0, call.minPts}), scaling, call.space);
    describeHdbscan(how.provenance, call.options.minClusterSize, toText(call.options.selection),
                    call.options.allowSingleCluster, call.options.selectionEps,
                    call.options.maxClusterSize);
  }
  OutputSet outputs;
  std::vector<std::string> written;
  const auto write = [&](const std::string& path, const auto& body) -> Result<void> {
    if (path.empty()) return {};
    if (auto done = body(OutputTarget(outputs, path)); !done) return done;
    written.push_back(path);
    // The writers of labelled points write their provenance themselves.
    return path == call.labels ? Result<void>() : prepareSidecar(outputs, path, how.provenance);
  };
  const FlatClusters& flat = found.flat;
  Result<void> done = write(call.labels, [&](const OutputTarget&) {
    return writeLabels(call, data, flat, how, outputs, task);
  });
  if (done)
    done = write(call.probabilities, [&](const OutputTarget& target) {
      return writeRows(target, data, flat.probabilities, task);
    });
  if (done)
    done = write(call.outlierScores, [&](const OutputTarget& target) {
      return writeRows(target, data, outlierScores(found.tree), task);
    });
  if (done)
    done = write(call.clusters, [&](const OutputTarget& target) {
      return writeAtomically(target, clusterTable(found.tree, flat));
    });
  if (done)
    done = write(call.condensedTree, [&](const OutputTarget& target) {
      return writeCondensedTree(target, found.tree, task);
    });
  if (done)
    done = write(call.tree, [&](const OutputTarget& target) {
      return writeLinkage(target, found.dendrogram, task);
    });
  if (done) done = outputs.commit();
  if (!done) return tl::unexpected(done.error());
  return written;
}

/// Checks that need no input.
Result<void> checkCall(const HdbscanCall& call) {
  if (auto fine = checkProcessor(call.processor); !fine) return fine;
  if (call.options.allowSingleCluster && call.options.selection == ClusterSelection::Leaves &&
      call.options.selectionEps == 0)
    return badCall(
        "--allow-single-cluster needs --select eom or --selection-eps: the root of the tree is "
        "never a leaf.");
  if (call.options.maxClusterSize != 0 && call.options.selection == ClusterSelection::Leaves)
    return badCall("--max-cluster-size needs --select eom.");
  if (call.options.maxClusterSize != 0 && call.options.maxClusterSize < call.options.minClusterSize)
    return badCall("--max-cluster-size must be at least --min-cluster-size.");
  if (auto fine = checkAllowLoss(call.allowLoss, call.labels); !fine) return fine;
  return checkOutputs({call.input.path},
                      {{"--labels", call.labels, writtenExtensions(), true, call.provenance},
                       {"--probabilities", call.probabilities, {".npy"}, true, call.provenance},
                       {"--outlier-scores", call.outlierScores, {".npy"}, true, call.provenance},
                       {"--clusters", call.clusters, {".csv"}, true, call.provenance},
                       {"--condensed-tree", call.condensedTree, {".csv"}, true, call.provenance},
                       {"--tree", call.tree, {".npy"}, true, call.provenance}});
}

/// The dendrogram of the call's points or distances, with their description for the outputs.
struct Grown {
  std::shared_ptr<const Dendrogram> dendrogram;
  Dataset data;  ///< without points where distances are given
  std::string scaling;
  HierarchyPlace place;
  double readSeconds = 0;
  double hierarchySeconds = 0;
  Json header;
  std::string lines;  ///< that begin the summary
};

Result<Grown> growOfPoints(HdbscanCall& call, const Task& task) {
  // Columns other than the coordinates are read only where they are written again.
  call.input.read.keepOthers = !call.labels.empty() && !writesLabelsOnly(call.labels);
  auto input = readInput(call.input, task);
  if (!input) return tl::unexpected(input.error());
  const Dataset& data = input->data;
  if (auto kept = checkLossesBefore(call.labels, data, call.allowLoss); !kept)
    return tl::unexpected(kept.error());
  const auto scaled = ScaledCloud::make(call.scaling, data.cloud);
  if (!scaled) return tl::unexpected(scaled.error());
  if (auto fine = checkRows(call.space, data, scaled->cloud()); !fine)
    return tl::unexpected(fine.error());
  Grown grown;
  const Stopwatch building;
  const auto hierarchy = buildHierarchy(scaled->cloud(),
                                        {.minPts = call.minPts,
                                         .threads = call.threads,
                                         .periods = scaledPeriods(call.space, scaled->scaling()),
                                         .metric = call.space.metric},
                                        call.processor, task, &grown.place);
  if (!hierarchy) return tl::unexpected(hierarchy.error());
  const auto kept = std::make_shared<const Hierarchy>(*hierarchy);
  grown.dendrogram = std::shared_ptr<const Dendrogram>(kept, &kept->dendrogram());
  grown.scaling = toText(scaled->scaling());
  grown.readSeconds = input->seconds;
  grown.hierarchySeconds = building.seconds();
  grown.header = fileHeader(data);
  addSpace(grown.header, call.space);
  grown.lines = pointsLine(data.cloud) + '\n' + spaceLine(call.space);
  grown.data = std::move(input->data);
  return grown;
}

Result<Grown> growOfDistances(const HdbscanCall& call, const Task& task) {
  if (!call.labels.empty() && !writesLabelsOnly(call.labels)) return labelsNeedPoints(call.labels);
  const auto input =
      readDistancesOf(*call.parser,
                      {"--min-cluster-size", "--min-pts", "--select", "--allow-single-cluster",
                       "--selection-eps", "--max-cluster-size", "--labels", "--probabilities",
                       "--clusters", "--outlier-scores", "--condensed-tree", "--tree", "--json"},
                      call.input.path, task);
  if (!input) return tl::unexpected(input.error());
  Grown grown;
  const Stopwatch watch;
  auto tree = dendrogramOfDistances(input->distances, call.minPts, task);
  if (!tree && tree.error().kind == ErrorKind::BadInput)
    return badInput(call.input.path + ": " + tree.error().message);
  if (!tree) return tl::unexpected(tree.error());
  grown.dendrogram = std::make_shared<const Dendrogram>(std::move(*tree));
  grown.readSeconds = input->seconds;
  grown.hierarchySeconds = watch.seconds();
  grown.header = distancesHeader(*input);
  grown.lines = distancesLine(input->distances) + '\n';
  return grown;
}

Result<void> runHdbscan(HdbscanCall& call, const Task& task) {
  const Stopwatch total;
  if (auto fine = checkCall(call); !fine) return fine;
  if (call.minPts == 0)
    call.minPts = std::min<std::int64_t>(call.options.minClusterSize,
                                         call.precomputed ? kMaxNeighbours : kMaxNearest);
  auto grown = call.precomputed ? growOfDistances(call, task) : growOfPoints(call, task);
  if (!grown) return tl::unexpected(grown.error());
  const Stopwatch working;
  const auto tree = condense(*grown->dendrogram, call.options.minClusterSize, task);
  if (!tree) return tl::unexpected(tree.error());
  const FlatClusters flat = takeClusters(*tree, call.options);
  const double workSeconds = grown->hierarchySeconds + working.seconds();

  const Stopwatch writing;
  const auto written =
      writeFound(call, grown->data, grown->scaling, {*grown->dendrogram, *tree, flat}, task);
  if (!written) return tl::unexpected(written.error());
  const auto noise = std::uint64_t(std::count(flat.labels.begin(), flat.labels.end(), kNoise));
  if (call.json) {
    Json object = std::move(grown->header);
    object["min_pts"] = call.minPts;
    if (!call.precomputed) object["backend"] = grown->place.backend;
    object["min_cluster_size"] = call.options.minClusterSize;
    object["selection"] = toText(call.options.selection);
    object["clusters"] = flat.taken.size();
    object["noise"] = noise;
    object["tree_clusters"] = tree->clusters.size();
    object["seconds"] = {{"read", grown->readSeconds},
                         {"hierarchy", grown->hierarchySeconds},
                         {"cluster", workSeconds},
                         {"write", writing.seconds()},
                         {"total", total.seconds()}};
    return printJson(object);
  }
  std::ostringstream text;
  text << grown->lines << summaryLine("minPts", std::to_string(call.minPts)) << '\n'
       << summaryLine("smallest", groupedText(call.options.minClusterSize) + " points") << '\n'
       << summaryLine("clusters", groupedText(flat.taken.size()) + " taken of " +
                                      groupedText(tree->clusters.size() - 1) + " in the tree")
       << '\n'
       << summaryLine("noise", groupedText(noise)) << '\n'
       << summaryLine("time",
                      duration(total.seconds()) + " (reading " + duration(grown->readSeconds) +
                          ", clustering " + duration(workSeconds) +
                          (call.precomputed ? "" : " " + placeText(grown->place, call.threads)) +
                          ")");
  return printSummary(grown->place.note, text.str(), *written);
}

}  // namespace

Command addHdbscanCommand(CLI::App& program) {
  auto call = std::make_shared<HdbscanCall>();
  CLI::App* parser =
      program.add_subcommand("hdbscan", "Find clusters of different densities, without an ε");
  parser->footer(kHdbscanFooter);
  addInputOptions(*parser, call->input);
  addIntegerOption(*parser, "--min-cluster-size", call->options.minClusterSize, 2,
                   std::int64_t(kMaxPoints), "The fewest points of a cluster (default 5)")
      ->type_name("S");
  addIntegerOption(*parser, "--min-pts", call->minPts, 1, kMaxNeighbours,
                   "minPts of the core distances, the point itself included: 1 to " +
                       std::to_string(kMaxNeighbours) + " (default S, at most " +
                       std::to_string(kMaxNearest) + "; of given distances at most " +
                       std::to_string(kMaxNeighbours) + ")")
      ->type_name("M");
  addTextOption(
      *parser, "--select",
      [target = call.get()](const std::string& text) -> Result<void> {
        for (const auto choice : {ClusterSelection::ExcessOfMass, ClusterSelection::Leaves}) {
          if (text != toText(choice)) continue;
          target->options.selection = choice;
          return {};
        }
        if (text == "leaf") {  // the word of scikit-learn and of Python
          target->options.selection = ClusterSelection::Leaves;
          return {};
        }
        return badCall("--select takes eom or leaves, not '" + text + "'.");
      },
      "Which clusters of the tree are taken: eom (excess of mass, the default) or leaves (or leaf)")
      ->type_name("eom|leaves");
  parser->add_flag("--allow-single-cluster", call->options.allowSingleCluster,
                   "All points may be one cluster");
  addValueOption(
      *parser, "--selection-eps", call->options.selectionEps,
      [](const std::string& text) -> Result<double> {
        auto value = readNumber("--selection-eps", text);
        if (value && !(*value >= 0))
          return badCall("--selection-eps must be 0 or above, not " + text + ".");
        return value;
      },
      "Do not split clusters below this ε, in the units of the coordinates (default 0)")
      ->type_name("E");
  addIntegerOption(
      *parser, "--max-cluster-size", call->options.maxClusterSize, 0, std::int64_t(kMaxPoints),
      "Largest number of points of a cluster where it appears, for eom (default 0: no limit)")
      ->type_name("N");
  const OptionGroup group(*parser, "Output");
  addOutputOption(*parser, "--labels", call->labels,
                  "Write the points with their labels: " + labelledFormats() +
                      ".\n"
                      "Formats with columns also get the probabilities");
  addOutputOption(*parser, "--probabilities", call->probabilities,
                  "Write the probabilities (.npy, float64, one for each row)");
  addOutputOption(*parser, "--clusters", call->clusters,
                  "Write the clusters of the condensed tree (.csv)");
  addOutputOption(*parser, "--outlier-scores", call->outlierScores,
                  "Write the outlier scores of GLOSH (.npy, float64, one for each row)");
  addOutputOption(*parser, "--condensed-tree", call->condensedTree,
                  "Write the condensed tree with its points (.csv)");
  addOutputOption(*parser, "--tree", call->tree,
                  "Write the dendrogram as SciPy's linkage matrix (.npy)");
  addProvenanceOption(*parser, call->provenance);
  addAllowLossOption(*parser, call->allowLoss);
  parser->add_flag("--json", call->json, "Print one JSON object instead of the summary");
  addScalingOption(*parser, call->scaling);
  addMetricAndPeriod(*parser, call->space, "M", &call->precomputed);
  addProcessorOptions(*parser, call->processor, call->threads);
  call->parser = parser;
  return {parser, [call](const Task& task) { return runHdbscan(*call, task); }};
}

}  // namespace clusterloom::cli
