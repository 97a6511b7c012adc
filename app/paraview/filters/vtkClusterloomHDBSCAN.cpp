#include "app/paraview/filters/vtkClusterloomHDBSCAN.h"

#include <vtkObjectFactory.h>

#include <algorithm>

#include "engine/hierarchies.h"
#include "engine/hierarchy/hdbscan.h"

using namespace clusterloom;
using namespace clusterloom::paraview;

vtkStandardNewMacro(vtkClusterloomHDBSCAN);

Result<FoundClusters> vtkClusterloomHDBSCAN::Cluster(const InputPoints& points,
                                                     const Task& task) const {
  FoundClusters found;
  found.labels.emplace();
  found.probabilities.emplace();
  found.outlierScores.emplace();
  if (points.cloud.size() == 0) return found;

  const auto inRange = [](const char* name, double value, double least) -> Result<void> {
    if (value >= least) return {};
    return badCall(std::string(name) + " must be at least " + std::to_string(int(least)) + ".");
  };
  for (const auto& fine : {inRange("Min Cluster Size", this->MinClusterSize, 2),
                           inRange("Min Samples", this->MinSamples, 0),
                           inRange("Selection Epsilon", this->SelectionEpsilon, 0),
                           inRange("Max Cluster Size", this->MaxClusterSize, 0)})
    if (!fine) return tl::unexpected(fine.error());

  HdbscanOptions options;
  options.minClusterSize = std::uint32_t(this->MinClusterSize);
  if (this->Selection == LEAVES) options.selection = ClusterSelection::Leaves;
  options.allowSingleCluster = this->AllowSingleCluster;
  options.selectionEps = this->SelectionEpsilon;
  options.maxClusterSize = std::uint32_t(this->MaxClusterSize);
  const int minPts =
      this->MinSamples > 0 ? this->MinSamples : std::min(this->MinClusterSize, kMaxNearest);
  const auto hierarchy = buildHierarchy(points.cloud, {.minPts = minPts}, {}, task);
  if (!hierarchy) return tl::unexpected(hierarchy.error());
  const auto tree = condense(hierarchy->dendrogram(), options.minClusterSize, task);
  if (!tree) return tl::unexpected(tree.error());
  FlatClusters flat = takeClusters(*tree, options);

  found.labels = std::move(flat.labels);
  found.probabilities = std::move(flat.probabilities);
  found.outlierScores = outlierScores(*tree);
  found.clusters = std::int64_t(flat.taken.size());
  found.noise = std::count(found.labels->begin(), found.labels->end(), kNoise);
  return found;
}
