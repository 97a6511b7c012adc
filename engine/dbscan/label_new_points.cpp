#include "engine/dbscan/label_new_points.h"

#include <utility>

namespace clusterloom {

std::vector<std::int32_t> coreLabels(const Clustering& clustering) {
  std::vector<std::int32_t> labels(clustering.labels.size(), kNoise);
  for (std::size_t p = 0; p < labels.size(); ++p)
    if (clustering.roles[p] == PointRole::Core) labels[p] = clustering.labels[p];
  return labels;
}

Result<LowestLabels> labelNewPoints(const Backend& backend, const PointCloud& cloud,
                                    const Clustering& clustering, const PointCloud& added,
                                    const Strategy& strategy, const Task& task) {
  return backend.lowestLabels(JoinInput(added, cloud), coreLabels(clustering),
                              clustering.params.eps, strategy, task);
}

Clustering asClustering(std::vector<std::int32_t> labels, const Clustering& from) {
  Clustering clustering;
  clustering.params = from.params;
  clustering.clusters = from.clusters;
  clustering.stats.backend = from.stats.backend;
  clustering.stats.strategy = from.stats.strategy;
  clustering.stats.indexedDims = from.stats.indexedDims;
  clustering.roles.reserve(labels.size());
  for (const std::int32_t label : labels) {
    const bool labelled = label >= 0;
    clustering.roles.push_back(labelled ? PointRole::Border : PointRole::Noise);
    ++(labelled ? clustering.borderCount : clustering.noiseCount);
  }
  clustering.labels = std::move(labels);
  return clustering;
}

}  // namespace clusterloom
