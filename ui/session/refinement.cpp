#include "ui/session/refinement.h"

#include <algorithm>
#include <utility>

#include "engine/core/number_text.h"
#include "engine/dbscan/weighted_dbscan.h"
#include "ui/session/subset.h"

namespace clusterloom {

Clustering merged(Clustering whole, const Clustering& part, std::span<const std::uint32_t> points) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    whole.labels[points[i]] = part.labels[i] < 0 ? kNoise : whole.clusters + part.labels[i];
    whole.roles[points[i]] = part.roles[i];
  }
  std::vector<std::int32_t> number(
      static_cast<std::size_t>(whole.clusters) + static_cast<std::size_t>(part.clusters), kNoise);
  for (const std::int32_t label : whole.labels)
    if (label >= 0) number[static_cast<std::size_t>(label)] = 0;
  std::int32_t next = 0;
  for (std::int32_t& label : number)
    if (label == 0) label = next++;
  for (std::int32_t& label : whole.labels)
    if (label >= 0) label = number[static_cast<std::size_t>(label)];
  whole.clusters = next;

  const auto counted = [&](PointRole role) {
    return static_cast<std::uint64_t>(std::count(whole.roles.begin(), whole.roles.end(), role));
  };
  whole.coreCount = counted(PointRole::Core);
  whole.borderCount = counted(PointRole::Border);
  whole.noiseCount = counted(PointRole::Noise);

  StageSeconds& seconds = whole.stats.seconds;
  seconds.index += part.stats.seconds.index;
  seconds.join += part.stats.seconds.join;
  seconds.label += part.stats.seconds.label;
  seconds.total += part.stats.seconds.total;
  whole.stats.distanceCalculations += part.stats.distanceCalculations;
  addNote(whole.stats, std::to_string(points.size()) +
                           " points were clustered on their own with ε " +
                           roundTripText(part.params.eps) + " and minPts " +
                           std::to_string(part.params.minPts) + ".");
  return whole;
}

Result<Clustering> clusterPart(const Backend& backend, const PointCloud& cloud,
                               const Weights& weights, std::span<const std::uint32_t> points,
                               const DbscanParams& params, const Strategy& strategy,
                               const Task& task) {
  PointCloud part;
  part.names = cloud.names;
  for (const Coordinates& column : cloud.columns) {
    if (task.cancelled()) return cancelledError();
    std::vector<double> some;
    some.reserve(points.size());
    for (const std::uint32_t point : points) some.push_back(column[point]);
    part.columns.push_back(std::move(some));
  }
  return dbscanOf(backend, part, weightsAt(weights, points), params, strategy, task);
}

Result<Clustering> refined(const Backend& backend, const PointCloud& cloud, const Weights& weights,
                           Clustering whole, const Parameters& parameters, const Task& task) {
  for (const Refinement& refinement : parameters.refinements) {
    const std::vector<std::uint32_t> points = withinKept(*refinement.points, parameters.kept);
    if (points.empty()) continue;
    const auto part =
        clusterPart(backend, cloud, weights, points, refinement.dbscan, parameters.strategy, task);
    if (!part) return tl::unexpected(part.error());
    whole = merged(std::move(whole), *part, points);
  }
  return whole;
}

}  // namespace clusterloom
