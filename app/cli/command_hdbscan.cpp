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
#include "app/cli/value_options.h"
#include "engine/core/stopwatch.h"
#include "engine/hierarchies.h"
#include "engine/hierarchy/hdbscan.h"
#include "engine/hierarchy/hdbscan_clustering.h"
#include "engine/io/format_table.h"
#include "engine/io/hdbscan_provenance.h"
#include "engine/io/numbers.h"
#include "engine/io/output_set.h"
#include "engine/io/sidecar.h"
#include "engine/io/write.h"

namespace clusterloom::cli {

namespace {

struct HdbscanCall {
  InputOptions input;
  ScalingChoice scaling;
  HierarchyProcessor processor;
  int threads = 0;
  std::int64_t minPts = 0;  ///< 0: the smallest cluster, as far as a hierarchy allows
  HdbscanOptions options;
  std::string labels;
  std::string probabilities;
  std::string clusters;
  bool provenance = false;
  bool allowLoss = false;
  bool json = false;
};

constexpr const char* kHdbscanFooter = R"(
HDBSCAN* needs no ε: of the clusters of every ε it takes those that last over the widest ranges
of density (--select eom), or those that do not split further (--select leaves). Parts with fewer
than S points are not clusters. Labels are numbered by the lowest row of each cluster; −1 is noise,
−2 a row that was skipped. The probability of a point says how long it stays in its cluster: 1 to
the end, 0 for noise.

Examples:
  clusterloom-cli hdbscan cloud.csv --min-cluster-size 15
  clusterloom-cli hdbscan cloud.csv --min-cluster-size 15 --min-pts 5 --labels labelled.csv
  clusterloom-cli hdbscan cloud.npy --select leaves --labels labels.npy --probabilities p.npy)";

/// The data set with the probabilities as its last column.
Dataset withProbabilities(Dataset data, const std::vector<double>& probabilities) {
  data.columnOrder.push_back(data.cloud.dims() + data.attributes.size());
  data.attributes.push_back({"probability", probabilities});
  return data;
}

/// The clusters of the tree as CSV, parents before their children. The root has no parent, and its
/// ε of birth is infinite.
std::string clusterTable(const CondensedTree& tree, const FlatClusters& flat) {
  std::vector<std::string> labels(tree.clusters.size());
  for (std::size_t i = 0; i < flat.taken.size(); ++i)
    labels[static_cast<std::size_t>(flat.taken[i])] = std::to_string(i);
  std::string text = "cluster,parent,points,eps_birth,eps_end,stability,label\n";
  for (std::size_t c = 0; c < tree.clusters.size(); ++c) {
    const CondensedCluster& cluster = tree.clusters[c];
    text += std::to_string(c) + ',';
    if (cluster.parent != CondensedCluster::kNoParent) text += std::to_string(cluster.parent);
    text += ',' + std::to_string(cluster.size);
    for (const double value : {1 / cluster.birth, 1 / cluster.death, cluster.stability})
      appendNumber(text += ',', value);
    text += ',' + labels[c] + '\n';
  }
  return text;
}

Result<std::vector<std::string>> writeFound(const HdbscanCall& call, const Dataset& data,
                                            const std::string& scaling, const CondensedTree& tree,
                                            const FlatClusters& flat, const Task& task) {
  std::vector<std::string> written;
  if (call.labels.empty() && call.probabilities.empty() && call.clusters.empty()) return written;
  OutputSet outputs;
  // A copy of all labels.
  const Clustering clustering = asClustering(flat, {0, call.minPts});
  WriteOptions how;
  how.allowLoss = call.allowLoss;
  if (call.provenance) {
    how.provenance = provenanceOf(data, clustering, scaling);
    describeHdbscan(how.provenance, call.options.minClusterSize, toText(call.options.selection),
                    call.options.allowSingleCluster);
  }
  if (!call.labels.empty()) {
    const OutputTarget target(outputs, call.labels);
    const auto done = writesLabelsOnly(call.labels)
                          ? writeLabelled(target, data, clustering, how, task)
                          : writeLabelled(target, withProbabilities(data, flat.probabilities),
                                          clustering, how, task);
    if (!done) return tl::unexpected(done.error());
    written.push_back(call.labels);
  }
  if (!call.probabilities.empty()) {
    if (auto done = writeNpy(
            {outputs, call.probabilities},
            perInputRow(data, flat.probabilities, std::numeric_limits<double>::quiet_NaN()), task);
        !done)
      return tl::unexpected(done.error());
    if (auto done = prepareSidecar(outputs, call.probabilities, how.provenance); !done)
      return tl::unexpected(done.error());
    written.push_back(call.probabilities);
  }
  if (!call.clusters.empty()) {
    if (auto done = writeAtomically({outputs, call.clusters}, clusterTable(tree, flat)); !done)
      return tl::unexpected(done.error());
    if (auto done = prepareSidecar(outputs, call.clusters, how.provenance); !done)
      return tl::unexpected(done.error());
    written.push_back(call.clusters);
  }
  if (auto done = outputs.commit(); !done) return tl::unexpected(done.error());
  return written;
}

Result<void> runHdbscan(HdbscanCall& call, const Task& task) {
  const Stopwatch total;
  if (call.options.allowSingleCluster && call.options.selection == ClusterSelection::Leaves)
    return fail(ErrorKind::BadCall,
                "--allow-single-cluster belongs to --select eom; the root is never a leaf.");
  if (auto fine = checkAllowLoss(call.allowLoss, call.labels); !fine) return fine;
  if (auto fine =
          checkOutputs({call.input.path},
                       {{"--labels", call.labels, writtenExtensions(), true, call.provenance},
                        {"--probabilities", call.probabilities, {".npy"}, true, call.provenance},
                        {"--clusters", call.clusters, {".csv"}, true, call.provenance}});
      !fine)
    return fine;
  if (call.minPts == 0)
    call.minPts = std::min<std::int64_t>(call.options.minClusterSize, kMaxNearest);
  // Columns other than the coordinates are read only where they are written again.
  call.input.read.keepOthers = !call.labels.empty() && !writesLabelsOnly(call.labels);
  const auto input = readInput(call.input, task);
  if (!input) return tl::unexpected(input.error());
  const Dataset& data = input->data;
  if (auto kept = checkLossesBefore(call.labels, data, call.allowLoss); !kept) return kept;
  const auto scaled = ScaledCloud::make(call.scaling, data.cloud);
  if (!scaled) return tl::unexpected(scaled.error());

  const Stopwatch working;
  HierarchyPlace place;
  const auto hierarchy =
      buildHierarchy(scaled->cloud(), {.minPts = call.minPts, .threads = call.threads},
                     call.processor, task, &place);
  if (!hierarchy) return tl::unexpected(hierarchy.error());
  const auto tree = condense(hierarchy->dendrogram(), call.options.minClusterSize, task);
  if (!tree) return tl::unexpected(tree.error());
  const FlatClusters flat = takeClusters(*tree, call.options);
  const double workSeconds = working.seconds();

  const Stopwatch writing;
  const auto written = writeFound(call, data, toText(scaled->scaling()), *tree, flat, task);
  if (!written) return tl::unexpected(written.error());
  const auto noise =
      static_cast<std::uint64_t>(std::count(flat.labels.begin(), flat.labels.end(), kNoise));
  if (call.json)
    return printJson({{"points", data.cloud.size()},
                      {"dims", data.cloud.dims()},
                      {"skipped", data.skippedRows.size()},
                      {"min_pts", call.minPts},
                      {"backend", place.backend},
                      {"min_cluster_size", call.options.minClusterSize},
                      {"selection", toText(call.options.selection)},
                      {"clusters", flat.taken.size()},
                      {"noise", noise},
                      {"tree_clusters", tree->clusters.size()},
                      {"seconds",
                       {{"read", input->seconds},
                        {"hierarchy", hierarchy->seconds().total},
                        {"cluster", workSeconds},
                        {"write", writing.seconds()},
                        {"total", total.seconds()}}}});
  if (!place.note.empty()) sayNote(place.note);
  std::ostringstream text;
  text << pointsLine(data.cloud) << '\n'
       << summaryLine("minPts", std::to_string(call.minPts)) << '\n'
       << summaryLine("smallest", groupedText(call.options.minClusterSize) + " points") << '\n'
       << summaryLine("clusters", groupedText(flat.taken.size()) + " taken of " +
                                      groupedText(tree->clusters.size() - 1) + " in the tree")
       << '\n'
       << summaryLine("noise", groupedText(noise)) << '\n'
       << summaryLine("time", duration(total.seconds()) + " (reading " + duration(input->seconds) +
                                  ", clustering " + duration(workSeconds) + " " +
                                  placeText(place, call.threads) + ")");
  for (const std::string& path : *written) text << '\n' << summaryLine("written", path);
  return printLine(text.str());
}

}  // namespace

Command addHdbscanCommand(CLI::App& program) {
  auto call = std::make_shared<HdbscanCall>();
  CLI::App* parser =
      program.add_subcommand("hdbscan", "Find clusters of different densities, without an ε");
  parser->footer(kHdbscanFooter);
  addInputOptions(*parser, call->input);
  addIntegerOption(*parser, "--min-cluster-size", call->options.minClusterSize, 2,
                   static_cast<std::int64_t>(kMaxPoints),
                   "The fewest points of a cluster (default 5)")
      ->type_name("S");
  addIntegerOption(*parser, "--min-pts", call->minPts, 1, kMaxNearest,
                   "minPts of the core distances, the point itself included: 1 to " +
                       std::to_string(kMaxNearest) + " (default S, at most " +
                       std::to_string(kMaxNearest) + ")")
      ->type_name("M");
  addTextOption(
      *parser, "--select",
      [target = call.get()](const std::string& text) -> Result<void> {
        for (const auto choice : {ClusterSelection::ExcessOfMass, ClusterSelection::Leaves}) {
          if (text != toText(choice)) continue;
          target->options.selection = choice;
          return {};
        }
        return fail(ErrorKind::BadCall, "--select takes eom or leaves, not '" + text + "'.");
      },
      "Which clusters of the tree are taken: eom (excess of mass, the default) or leaves")
      ->type_name("eom|leaves");
  parser->add_flag("--allow-single-cluster", call->options.allowSingleCluster,
                   "All points may be one cluster");
  constexpr const char* kGroup = "Output";
  addPathOption(*parser, "--labels", call->labels,
                "Write the points with their labels: " + labelledFormats() +
                    "; formats with columns get the probabilities, too")
      ->type_name("OUT")
      ->group(kGroup);
  addPathOption(*parser, "--probabilities", call->probabilities,
                "Write the probabilities (.npy, float64, one for each row)")
      ->type_name("OUT")
      ->group(kGroup);
  addPathOption(*parser, "--clusters", call->clusters,
                "Write the clusters of the condensed tree (.csv)")
      ->type_name("OUT")
      ->group(kGroup);
  addProvenanceOption(*parser, call->provenance)->group(kGroup);
  addAllowLossOption(*parser, call->allowLoss)->group(kGroup);
  parser->add_flag("--json", call->json, "Print one JSON object instead of the summary")
      ->group(kGroup);
  addScalingOption(*parser, call->scaling);
  addProcessorOptions(*parser, call->processor, call->threads);
  return {parser, [call](const Task& task) { return runHdbscan(*call, task); }};
}

}  // namespace clusterloom::cli
