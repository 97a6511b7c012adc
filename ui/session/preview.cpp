#include "ui/session/preview.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "engine/dbscan/backend_in_space.h"
#include "engine/dbscan/weighted_dbscan.h"
#include "render/paint/palette.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

struct PreviewClusteringTexts {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::PreviewClustering)
};

constexpr std::size_t kMostPoints = 20000;
constexpr double kMostOperations = 8e8;  // n² d of a sample: what a core does in about 150 ms
constexpr double kFewestNeighbours = 4;

/// splitmix64: a well-mixed number for each run of the cloud.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

QString textOf(const PreviewClustering& preview, std::uint64_t points) {
  return PreviewClusteringTexts::tr(
             "Approximate: %1 of %2 points, clustered with ε %3 and minPts %4 instead")
      .arg(count(preview.points.size()), count(points), significant(preview.used.eps, 3),
           count(static_cast<std::uint64_t>(preview.used.minPts)));
}

}  // namespace

std::size_t previewPoints(std::size_t points, std::size_t dims) {
  const double bound =
      std::sqrt(kMostOperations / static_cast<double>(std::max<std::size_t>(dims, 1)));
  return std::min({points, kMostPoints, static_cast<std::size_t>(bound)});
}

PreviewSample makePreviewSample(const PointCloud& cloud, std::size_t count) {
  const std::uint64_t n = cloud.size();
  const std::uint64_t m = std::min<std::uint64_t>(count, n);
  PreviewSample sample;
  sample.of = n;
  sample.points.reserve(m);
  for (std::uint64_t run = 0; run < m; ++run) {
    const std::uint64_t begin = run * n / m;
    const std::uint64_t end = (run + 1) * n / m;
    sample.points.push_back(static_cast<std::int32_t>(begin + mixed(run) % (end - begin)));
  }
  sample.cloud.names = cloud.names;
  for (const auto& column : cloud.columns) {
    std::vector<double>& taken = sample.cloud.columns.emplace_back();
    taken.reserve(m);
    for (const std::int32_t point : sample.points) taken.push_back(column[point]);
  }
  return sample;
}

DbscanParams previewParams(const DbscanParams& asked, std::uint64_t sampled, std::uint64_t points,
                           std::size_t dims, double meanWeight) {
  if (sampled >= points || sampled == 0) return asked;
  const double expected = static_cast<double>(asked.minPts) * static_cast<double>(sampled) /
                          static_cast<double>(points);
  DbscanParams used = asked;
  // Weights may be negative, or so large that a number of points is beyond any minPts.
  const double fewest = std::clamp(kFewestNeighbours * meanWeight, 1.0, 1e15);
  used.minPts = std::max<std::int64_t>(std::llround(expected),
                                       std::min<std::int64_t>(asked.minPts, std::llround(fewest)));
  const double grown = asked.eps * std::pow(static_cast<double>(used.minPts) / expected,
                                            1.0 / static_cast<double>(dims));
  if (std::isfinite(grown * grown)) used.eps = grown;
  return used;
}

Result<PreviewClustering> previewOf(const PreviewSample& sample, const DbscanParams& asked,
                                    const Space& space, const Scaling& scaling,
                                    const Weights& weights, const ClusterResult* previous,
                                    std::span<const std::int32_t> colours, const Task& task) {
  auto made = makeBackend("cpu", BackendOptions{1});
  if (!made) return tl::unexpected(made.error());
  const auto backend = backendIn(space, scaling, std::move(*made));
  if (!backend) return tl::unexpected(backend.error());
  const std::vector<double> some = weightsAt(weights, sample.points);
  const double mean = some.empty() ? 1
                                   : std::accumulate(some.begin(), some.end(), 0.0) /
                                         static_cast<double>(some.size());
  DbscanParams used =
      previewParams(asked, sample.points.size(), sample.of, sample.cloud.dims(), mean);
  // The larger ε of a sample must not pass the limit of the space where the asked one does not.
  const double limit = epsLimit(space, scaling);
  if (asked.eps < limit) used.eps = std::min(used.eps, std::max(asked.eps, 0.999 * limit));
  auto clustering = dbscanOf(**backend, sample.cloud, some, used, Strategy{}, task);
  if (!clustering) return tl::unexpected(clustering.error());

  PreviewClustering preview;
  preview.asked = asked;
  preview.used = used;
  preview.points = sample.points;
  preview.labels = std::move(clustering->labels);
  preview.clusters = clustering->clusters;
  preview.seconds = clustering->stats.seconds.total;
  std::vector<std::int32_t> before;
  if (previous) {
    before.reserve(sample.points.size());
    for (const std::int32_t point : sample.points)
      before.push_back(previous->clustering.labels[point]);
  }
  // The preview borrows the colours of the exact result for the clusters that its own follow, so
  // that colours stay while ε is dragged.
  std::vector<std::int32_t> numbers(previous ? previous->clustering.clusters : 0);
  std::iota(numbers.begin(), numbers.end(), 0);
  preview.colours =
      assignColours(before, colours.empty() ? numbers : colours, preview.labels, preview.clusters);
  preview.text = textOf(preview, sample.of);
  return preview;
}

}  // namespace clusterloom
