#include "engine/dbscan/label_new_points.h"

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

}  // namespace clusterloom
