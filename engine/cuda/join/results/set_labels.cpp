#include "engine/cuda/join/results/set_labels.h"

#include <numeric>

#include "engine/dbscan/labelling.h"

namespace clusterloom {

void labelBySets(GpuRun& run, const DeviceBuffer<std::uint8_t>& core,
                 const DeviceBuffer<std::uint32_t>& sets, Clustering& clustering) {
  constexpr std::uint32_t kNoSet = ~std::uint32_t{0};
  const std::size_t n = sets.size();
  std::vector<std::uint8_t> hostCore(n);
  std::vector<std::uint32_t> hostSets(n);
  core.download(hostCore);
  sets.download(hostSets);
  run.wait();
  std::vector<std::uint32_t> ids(n);
  std::iota(ids.begin(), ids.end(), 0U);
  const ClusterNumbers numbers = numberClusters(hostSets, hostCore, ids);
  clustering.clusters = numbers.clusters;
  clustering.labels.resize(n);
  for (std::size_t p = 0; p < n; ++p)
    clustering.labels[p] = hostSets[p] == kNoSet ? kNoise : numbers.ofSet[hostSets[p]];
  fillRoles(clustering, hostCore);
}

}  // namespace clusterloom
