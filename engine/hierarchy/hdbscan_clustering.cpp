#include "engine/hierarchy/hdbscan_clustering.h"

#include <algorithm>

namespace clusterloom {

Clustering asClustering(const FlatClusters& flat, const DbscanParams& params) {
  Clustering clustering;
  clustering.params = params;
  clustering.labels = flat.labels;
  clustering.clusters = std::int32_t(flat.taken.size());
  clustering.noiseCount = std::uint64_t(std::count(flat.labels.begin(), flat.labels.end(), kNoise));
  clustering.stats.backend = "hierarchy";
  return clustering;
}

}  // namespace clusterloom
