// cluster with --metric precomputed.
#include "app/cli/cluster_options.h"
#include "app/cli/console.h"
#include "app/cli/engine_run.h"
#include "app/cli/outputs.h"
#include "app/cli/precomputed.h"
#include "engine/core/stopwatch.h"
#include "engine/dbscan/graph_labels.h"
#include "engine/io/write.h"

namespace clusterloom::cli {
namespace {

Result<void> clusterAt(const ClusterOptions& options, const DistancesInput& input, double eps,
                       const Stopwatch& total, const Task& task) {
  const auto clustering = dbscanOfDistances(input.distances, {eps, options.minPts}, task);
  if (!clustering) return tl::unexpected(clustering.error());
  const Stopwatch writing;
  if (!options.labels.empty())
    if (auto done = writeNpy(options.labels, clustering->labels, task); !done) return done;
  const double clusterSeconds = clustering->stats.seconds.total;
  if (options.json || options.eps.isSweep()) {
    Json object = distancesHeader(input);
    object["eps"] = eps;
    object["min_pts"] = options.minPts;
    addClusters(object, *clustering);
    object["seconds"] = {{"read", input.seconds},
                         {"cluster", clusterSeconds},
                         {"write", writing.seconds()},
                         {"total", total.seconds()}};
    return printJson(object);
  }
  const std::string text =
      distancesLine(input.distances) + '\n' +
      clusterLines(clustering->params, *clustering, input.distances.points()) + '\n' +
      summaryLine("time", duration(total.seconds()) + " (reading " + duration(input.seconds) +
                              ", clustering " + duration(clusterSeconds) + ")");
  return printSummary({}, text, {options.labels});
}

}  // namespace

Result<void> clusterDistances(const ClusterOptions& options, const CLI::App& parser,
                              const std::function<Result<void>()>& check, const Task& task) {
  const Stopwatch total;
  const auto values = epsValues(options.eps);
  if (!values) return tl::unexpected(values.error());
  if (auto fine = check(); !fine) return fine;
  if (!options.labels.empty() && !writesLabelsOnly(options.labels))
    return labelsNeedPoints(options.labels);
  const auto input = readDistancesOf(
      parser, {"--eps", "--sweep-eps", "--min-pts", "--labels", "--json", "--progress"},
      options.input.path, task);
  if (!input) return tl::unexpected(input.error());
  for (const double eps : *values)
    if (auto done = clusterAt(options, *input, eps, total, task); !done) return done;
  return {};
}

}  // namespace clusterloom::cli
