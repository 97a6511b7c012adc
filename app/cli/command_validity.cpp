#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
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
#include "engine/backend.h"
#include "engine/core/predicate.h"
#include "engine/core/stopwatch.h"
#include "engine/io/numbers.h"
#include "engine/io/output_set.h"
#include "engine/io/read_labels.h"
#include "engine/io/write.h"
#include "engine/validity/cluster_validity.h"
#include "engine/validity/resampling.h"

namespace clusterloom::cli {

namespace {

struct ValidityCall {
  InputOptions input;
  std::string labels;
  ScalingChoice scaling;
  int threads = 0;
  ResamplingOptions resampling{.resamples = 0};  ///< 0: none
  double eps = 0;
  std::int64_t minPts = 0;
  bool noDbcv = false;
  std::string clusters;
  bool json = false;
};

constexpr const char* kValidityFooter = R"(
Says how far to trust clusters that were found before, by density-based clustering validation (DBCV).
It compares the density inside a cluster with the density between this cluster and the nearest other
one. The validity of a cluster is between −1 and 1; it is above 0 if the cluster is denser inside.
The validity of all clusters is their mean, weighted by points; noise counts as 0. It is undefined
for fewer than two clusters. Distances are Euclidean.

LABELS has one label for each row of FILE, or for each row that was read: one column of numbers, or
one called "label".

--resample draws B samples of the points, clusters each sample by DBSCAN, and counts for each cluster
the samples that contain it again: those with a cluster that has a Jaccard index of at least 0.75 to
it. ε stays the same; minPts becomes 1 + share · (minPts − 1).

Examples:
  clusterloom-cli validity cloud.csv labels.npy
  clusterloom-cli validity cloud.csv labels.npy --clusters validity.csv --json
  clusterloom-cli validity cloud.csv labels.npy --resample 20 --eps 0.5 --min-pts 8)";

constexpr std::size_t kMostRows = 20;  // of clusters in the summary

struct Figures {
  Validity validity;
  std::optional<std::vector<ClusterStability>> stability;  ///< of the same clusters
  double validitySeconds = 0;
  double resamplingSeconds = 0;
};

Result<std::vector<ClusterStability>> resample(const ValidityCall& call, const PointCloud& cloud,
                                               const std::vector<std::int32_t>& labels,
                                               const Task& task) {
  const auto backend = makeBackend("auto", {.threads = call.threads, .lateStart = true});
  if (!backend) return tl::unexpected(backend.error());
  const DbscanParams params{call.eps, minPtsOfSample(call.minPts, call.resampling.share)};
  return stabilityByResampling(
      cloud, labels, call.resampling,
      [&](const PointCloud& sample, const Task& ofSample) -> Result<std::vector<std::int32_t>> {
        auto found = (*backend)->dbscan(sample, params, {}, ofSample);
        if (!found) return tl::unexpected(found.error());
        return std::move(found->labels);
      },
      task);
}

/// The clusters alone: all that DBCV would say is undefined.
Validity withoutDbcv(const std::vector<std::int32_t>& labels,
                     const std::vector<ClusterStability>& clusters) {
  Validity validity;
  validity.points = labels.size();
  validity.noise = labels.size();
  for (const ClusterStability& found : clusters) {
    ClusterValidity& row = validity.clusters.emplace_back();
    row.cluster = found.cluster;
    row.points = found.points;
    validity.noise -= found.points;
  }
  return validity;
}

Result<Figures> figuresOf(const ValidityCall& call, const PointCloud& cloud,
                          const std::vector<std::int32_t>& labels, const Task& task) {
  Figures figures;
  Stopwatch watch;
  if (!call.noDbcv) {
    auto validity = densityBasedValidity(cloud, labels, call.threads, task);
    if (!validity) return tl::unexpected(validity.error());
    figures.validity = std::move(*validity);
    figures.validitySeconds = watch.lap();
  }
  if (call.resampling.resamples == 0) return figures;
  auto stability = resample(call, cloud, labels, task);
  if (!stability) return tl::unexpected(stability.error());
  figures.stability = std::move(*stability);
  figures.resamplingSeconds = watch.lap();
  if (call.noDbcv) figures.validity = withoutDbcv(labels, *figures.stability);
  return figures;
}

/// One line a cluster; a figure that is undefined is an empty cell.
std::string clusterTable(const Figures& figures) {
  std::string text = "cluster,points,validity,sparseness,separation,nearest";
  text += figures.stability ? ",jaccard,samples,found\n" : "\n";
  const auto add = [&](double value) {
    text += ',';
    if (!std::isnan(value)) appendNumber(text, value);
  };
  for (std::size_t i = 0; i < figures.validity.clusters.size(); ++i) {
    const ClusterValidity& cluster = figures.validity.clusters[i];
    text += std::to_string(cluster.cluster) + ',' + std::to_string(cluster.points);
    for (const double value : {cluster.validity, cluster.sparseness, cluster.separation})
      add(value);
    text += ',';
    if (cluster.nearest >= 0) text += std::to_string(cluster.nearest);
    if (figures.stability) {
      const ClusterStability& again = (*figures.stability)[i];
      add(again.jaccard);
      text += ',' + std::to_string(again.samples) + ',' + std::to_string(again.found);
    }
    text += '\n';
  }
  return text;
}

Json describe(const ValidityCall& call, const Input& input, const Figures& figures,
              const Stopwatch& total) {
  Json object = fileHeader(input.data);
  object["noise"] = figures.validity.noise;
  object["validity"] = figures.validity.index;
  if (figures.stability)
    object["resampling"] = {
        {"samples", call.resampling.resamples},
        {"share", call.resampling.share},
        {"seed", call.resampling.seed},
        {"eps", call.eps},
        {"min_pts", call.minPts},
        {"min_pts_of_samples", minPtsOfSample(call.minPts, call.resampling.share)}};
  Json clusters = Json::array();
  for (std::size_t i = 0; i < figures.validity.clusters.size(); ++i) {
    const ClusterValidity& cluster = figures.validity.clusters[i];
    Json row = {{"cluster", cluster.cluster},
                {"points", cluster.points},
                {"validity", cluster.validity},
                {"sparseness", cluster.sparseness},
                {"separation", cluster.separation},
                {"nearest", cluster.nearest >= 0 ? Json(cluster.nearest) : Json(nullptr)}};
    if (figures.stability) {
      const ClusterStability& again = (*figures.stability)[i];
      row["jaccard"] = again.jaccard;
      row["samples"] = again.samples;
      row["found"] = again.found;
    }
    clusters.push_back(std::move(row));
  }
  object["clusters"] = std::move(clusters);
  object["seconds"] = {{"read", input.seconds},
                       {"validity", figures.validitySeconds},
                       {"resampling", figures.resamplingSeconds},
                       {"total", total.seconds()}};
  return object;
}

std::string figureText(double value) { return std::isnan(value) ? "–" : shortNumber(value); }

/// The largest clusters, by label.
std::string clusterLines(const ValidityCall& call, const Figures& figures) {
  const std::vector<ClusterValidity>& all = figures.validity.clusters;
  std::vector<std::size_t> shown(all.size());
  for (std::size_t i = 0; i < shown.size(); ++i) shown[i] = i;
  if (shown.size() > kMostRows) {
    std::stable_sort(shown.begin(), shown.end(),
                     [&](std::size_t a, std::size_t b) { return all[a].points > all[b].points; });
    shown.resize(kMostRows);
    std::sort(shown.begin(), shown.end());
  }
  std::ostringstream text;
  for (const std::size_t i : shown) {
    const ClusterValidity& cluster = all[i];
    std::ostringstream line;
    line << countedText(cluster.points, "point");
    if (!call.noDbcv) line << ", validity " << figureText(cluster.validity);
    if (!std::isnan(cluster.separation))
      line << " (" << figureText(cluster.sparseness) << " inside, "
           << figureText(cluster.separation) << " to cluster " << cluster.nearest << ')';
    if (figures.stability) {
      const ClusterStability& again = (*figures.stability)[i];
      line << "; found in " << again.found << " of " << again.samples << " samples, Jaccard "
           << figureText(again.jaccard);
    }
    text << '\n' << summaryLine("cluster " + std::to_string(cluster.cluster), line.str());
  }
  if (shown.size() < all.size())
    text << '\n'
         << summaryLine("", groupedText(all.size() - shown.size()) +
                                " smaller clusters are listed by --json and --clusters");
  return text.str();
}

std::string summaryOf(const ValidityCall& call, const Input& input, const Figures& figures,
                      const Stopwatch& total) {
  std::ostringstream text;
  text << pointsLine(input.data.cloud) << '\n'
       << summaryLine("clusters", groupedText(figures.validity.clusters.size())) << '\n'
       << summaryLine("noise", groupedText(figures.validity.noise));
  if (!call.noDbcv)
    text << '\n'
         << summaryLine("validity", std::isnan(figures.validity.index)
                                        ? "undefined: it takes two clusters of two points or more"
                                        : shortNumber(figures.validity.index));
  std::string times = "reading " + duration(input.seconds);
  if (!call.noDbcv) times += ", validity " + duration(figures.validitySeconds);
  if (figures.stability) times += ", resampling " + duration(figures.resamplingSeconds);
  text << clusterLines(call, figures) << '\n'
       << summaryLine("time", duration(total.seconds()) + " (" + times + ')');
  return text.str();
}

Result<void> runValidity(const ValidityCall& call, const Task& task) {
  const Stopwatch total;
  if (call.resampling.resamples > 0) {
    if (auto fine = epsSquared(call.eps); !fine) return tl::unexpected(fine.error());
    if (!(call.resampling.share > 0 && call.resampling.share < 1))
      return badCall("--share must be above 0 and below 1.");
  }
  if (auto fine =
          checkOutputs({call.input.path, call.labels}, {{"--clusters", call.clusters, {".csv"}}});
      !fine)
    return fine;
  const auto input = readInput(call.input, task);
  if (!input) return tl::unexpected(input.error());
  const auto given = readLabels(call.labels, input->data, task);
  if (!given) return tl::unexpected(given.error());
  const auto scaled = ScaledCloud::make(call.scaling, input->data.cloud);
  if (!scaled) return tl::unexpected(scaled.error());
  const auto figures = figuresOf(call, scaled->cloud(), given->labels, task);
  if (!figures) return tl::unexpected(figures.error());
  if (!call.clusters.empty()) {
    OutputSet outputs;
    if (auto done = writeAtomically({outputs, call.clusters}, clusterTable(*figures)); !done)
      return done;
    if (auto done = outputs.commit(); !done) return done;
  }
  return call.json ? printJson(describe(call, *input, *figures, total))
                   : printSummary({}, summaryOf(call, *input, *figures, total), {call.clusters});
}

void addResamplingOptions(CLI::App& parser, ValidityCall& call) {
  const OptionGroup group(parser, "Resampling");
  CLI::Option* resample =
      addIntegerOption(parser, "--resample", call.resampling.resamples, 1, 100'000,
                       "Cluster B samples of the points by DBSCAN and say how often each cluster "
                       "is found again")
          ->type_name("B");
  CLI::Option* eps = addNumberOption(parser, "--eps", call.eps,
                                     "ε of the samples: that of the labels, in the units of the "
                                     "coordinates (after --scale)")
                         ->type_name("E")
                         ->needs(resample);
  CLI::Option* minPts =
      addIntegerOption(parser, "--min-pts", call.minPts, 1, std::int64_t(kMaxPoints),
                       "minPts of the labels, the point itself included")
          ->type_name("M")
          ->needs(resample);
  resample->needs(eps)->needs(minPts);
  addNumberOption(parser, "--share", call.resampling.share,
                  "The share of the points in a sample, above 0 and below 1 (default 0.5)")
      ->type_name("S")
      ->needs(resample);
  parser
      .add_flag("--no-dbcv", call.noDbcv,
                "Leave out DBCV, whose time grows with the square of a cluster's points")
      ->needs(resample);
  addSeedOption(parser, "--seed", call.resampling.seed, "Seed of the samples (default 1)")
      ->type_name("N")
      ->needs(resample);
}

}  // namespace

Command addValidityCommand(CLI::App& program) {
  auto call = std::make_shared<ValidityCall>();
  CLI::App* parser = program.add_subcommand("validity", "Say how far to trust clusters");
  parser->footer(kValidityFooter);
  addInputOptions(*parser, call->input);
  addPathOption(*parser, "LABELS", call->labels, "The labels of the points of FILE")->required();
  addScalingOption(*parser, call->scaling);
  addThreadsOption(*parser, call->threads);
  addResamplingOptions(*parser, *call);
  const OptionGroup group(*parser, "Output");
  addOutputOption(*parser, "--clusters", call->clusters,
                  "Write the figures of all clusters (.csv)");
  parser->add_flag("--json", call->json, "Print one JSON object instead of the summary");
  return {parser, [call](const Task& task) { return runValidity(*call, task); }};
}

}  // namespace clusterloom::cli
