#include "app/paraview/filters/vtkClusterloomDBSCAN.h"

#include <vtkObjectFactory.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/backend.h"
#include "engine/dbscan/backend_in_space.h"
#include "engine/dbscan/weighted_dbscan.h"
#include "engine/hierarchy/k_distance.h"

using namespace clusterloom;
using namespace clusterloom::paraview;

namespace {

/// The knee of the k-distances; of weighted points for the neighbours that have minPts together.
Result<double> suggestedEps(const InputPoints& points, const Space& space, std::int64_t minPts,
                            const Task& task) {
  constexpr std::uint64_t kMostSampled = 20'000;
  const auto& weights = points.weights;
  double neighbours = double(minPts);
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (sum > 0) neighbours *= double(weights.size()) / sum;
  const double most = std::min(double(points.cloud.size()), 1e9);
  const auto flat = flatCopy(space, {}, points.cloud, task);
  if (!flat) return tl::unexpected(flat.error());
  const auto distances = kDistancesOfAll(*flat, int(std::clamp(std::round(neighbours), 1.0, most)),
                                         kMostSampled, task, space.metric);
  if (!distances) return tl::unexpected(distances.error());
  // A little below the limit, which itself is refused.
  return std::min(distances->suggestedEps, 0.999 * epsLimit(space, {}));
}

}  // namespace

vtkStandardNewMacro(vtkClusterloomDBSCAN);

void vtkClusterloomDBSCAN::SetPeriods(const char* periods) {
  const std::string text = periods == nullptr ? "" : periods;
  if (text == this->Periods) return;
  this->Periods = text;
  this->Modified();
}

void vtkClusterloomDBSCAN::SetWeightArray(const char* name) {
  std::string text = name == nullptr ? "" : name;
  if (text == "None") text.clear();
  if (text == this->Choice.weights) return;
  this->Choice.weights = text;
  this->Modified();
}

Result<FoundClusters> vtkClusterloomDBSCAN::Cluster(const InputPoints& points,
                                                    const Task& task) const {
  FoundClusters found;
  found.labels.emplace();
  found.roles.emplace();
  if (points.cloud.size() == 0) return found;

  Space space;
  if (this->Metric == COSINE) space.metric = clusterloom::Metric::Cosine;
  if (!this->Periods.empty()) {
    auto periods = parsePeriods(this->Periods);
    if (!periods) return tl::unexpected(periods.error());
    space.periods = std::move(*periods);
  }
  if (auto fine = checkSpace(space, {}, points.cloud); !fine) return tl::unexpected(fine.error());
  auto made = makeBackend("auto", {.lateStart = true});
  if (!made) return tl::unexpected(made.error());
  const auto backend = backendIn(space, {}, std::move(*made));
  if (!backend) return tl::unexpected(backend.error());

  double eps = this->Epsilon;
  if (eps == 0) {
    const auto suggested = suggestedEps(points, space, this->MinPts, task);
    if (!suggested) return tl::unexpected(suggested.error());
    eps = *suggested;
  }
  auto clustering =
      dbscanOf(**backend, points.cloud, points.weights, {eps, this->MinPts}, {}, task);
  if (!clustering) return tl::unexpected(clustering.error());
  found.labels = std::move(clustering->labels);
  found.roles = std::move(clustering->roles);
  found.eps = eps;
  found.clusters = clustering->clusters;
  found.noise = std::int64_t(clustering->noiseCount);
  return found;
}
