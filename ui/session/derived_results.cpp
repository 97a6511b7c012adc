#include "ui/session/derived_results.h"

#include <algorithm>
#include <utility>

#include "engine/dbscan/backend_in_space.h"
#include "engine/join/join_plan.h"
#include "engine/validity/cluster_statistics.h"
#include "render/paint/ticks.h"
#include "ui/jobs/receiver.h"
#include "ui/session/backend_slot.h"
#include "ui/session/cluster_run.h"
#include "ui/session/colour_values.h"
#include "ui/session/every_eps.h"
#include "ui/session/load_result.h"
#include "ui/session/session_data.h"
#include "ui/session/suggestion.h"

namespace clusterloom {

namespace {

constexpr std::uint64_t kKDistanceSample = 5000;  // where all points would take too long
constexpr int kSweepSteps = 33;
// While ε is dragged, the statistics of larger clouds wait for a rest: they would delay the labels.
constexpr std::size_t kLiveStatistics = 100000;
constexpr std::size_t kPlateaus = 8;  // marked in the chart
constexpr double kSweepSpan = 10;     // from a tenth to ten times the suggested ε

/// Leaves out the values of ε from `limit` on, which runs refuse.
void endBelow(double limit, EpsCurve& curve) {
  const auto end = std::lower_bound(curve.eps.begin(), curve.eps.end(), limit);
  const auto rows = static_cast<std::size_t>(end - curve.eps.begin());
  curve.eps.resize(rows);
  for (auto* column : {&curve.clusters, &curve.noise, &curve.largest}) column->resize(rows);
  std::erase_if(curve.larger, [limit](const EpsCurve::Larger& of) { return of.eps >= limit; });
}

/// Ends first, then the middle, then the quarters …: a chart drawn in this order is a sketch of the
/// whole from the start. Indices of 0 … n − 1.
std::vector<std::size_t> coarseToFine(std::size_t n) {
  std::vector<std::size_t> order;
  std::vector<bool> taken(n, false);
  const auto take = [&](std::size_t i) {
    if (i < n && !taken[i]) order.push_back(i);
    if (i < n) taken[i] = true;
  };
  take(0);
  take(n - 1);
  for (std::size_t step = n; step > 0; step /= 2)
    for (std::size_t i = 0; i < n; i += step) take(i);
  return order;
}

}  // namespace

DerivedResults::DerivedResults(const SessionData& data, const ClusterRun& run,
                               const EveryEps& every,
                               std::function<std::shared_ptr<const LoadResult>()> load,
                               SessionValues values, JobQueue& jobs, QObject* parent)
    : QObject(parent),
      data_(data),
      run_(run),
      every_(every),
      load_(std::move(load)),
      values_(values),
      jobs_(jobs) {
  joinForecast_.setWanted(false);
  connect(&every_, &EveryEps::hierarchyChanged, this, &DerivedResults::followHierarchy);
  connect(&run_, &ClusterRun::backendChanged, this, &DerivedResults::startCostOfKLater);
}

void DerivedResults::drop() {
  costTimer_.stop();
  kDistances_.drop();
  dropSweep();
  dropStatistics();
  colourValues_.drop();
  gridCells_.drop();
  costModel_.drop();
  joinForecast_.drop();
}

void DerivedResults::dropStatistics() {
  statisticsTimer_.stop();
  statistics_.drop();
}

void DerivedResults::startStatistics() {
  if (values_.dragging && data_.cloud()->size() > kLiveStatistics)
    statisticsTimer_.start();
  else
    computeStatistics();
}

void DerivedResults::computeStatistics() {
  const auto result = run_.result();
  statistics_.update(result, tr("Cluster statistics"),
                     [dataset = data_.dataset(), result](const Task& task) {
                       return statisticsOf(dataset->cloud, result->clustering, task);
                     });
}

void DerivedResults::updateColourValues() {
  const DisplayState& display = values_.display;
  const Cloud cloud = data_.cloud();
  if (!cloud || !needsColourValues(display.colourBy)) return colourValues_.drop();
  double eps = 0;
  if (display.colourBy == ColourBy::Density) {
    const auto result = run_.result();
    if (!result) return;  // comes with the first result, whose ε it takes
    eps = result->parameters.dbscan.eps;
  }
  const bool ofLoad = isOfLoad(display.colourBy);
  const auto load = ofLoad ? load_() : nullptr;
  if (ofLoad && (!load || load->asked.cloud != cloud)) return;  // comes with the load
  colourValues_.update(
      {cloud, display.colourBy, display.attribute, display.dimension, eps, load.get()},
      tr("Colours"),
      [slot = run_.backendSlot(), display, dataset = data_.dataset(), cloud, eps, load,
       space = data_.space(), scaling = data_.scaling(),
       chosen = values_.parameters.strategy](const Task& task) -> Result<ColourValues> {
        if (load) return loadColoursOf(display.colourBy, *load);
        auto backend = slot->get(space, scaling);
        // The run reports why there is none.
        if (!backend) return cancelledError();
        // Other spaces join two clouds, which not every strategy does.
        const Strategy strategy = space.isEuclidean() ? chosen : Strategy{};
        return colourValuesOf(display, *dataset, *cloud, eps, strategy, **backend, task);
      });
}

void DerivedResults::updateGrid() {
  const auto result = run_.result();
  const Cloud cloud = data_.euclideanCloud();
  if (!result || !cloud || !values_.display.gridShown) return gridCells_.drop();
  const double eps = result->parameters.dbscan.eps;
  const Strategy& strategy = result->parameters.strategy;
  gridCells_.update({cloud, eps, strategy.indexedDims, strategy.reorder}, tr("Grid"),
                    [cloud, eps, strategy](const Task& task) {
                      return gridCellsOf(*cloud, eps, strategy, task);
                    });
}

void DerivedResults::updateCostOfK() {
  const Cloud cloud = data_.euclideanCloud();
  if (!cloud || data_.awaitsEps()) return;
  const double eps = values_.parameters.dbscan.eps;
  const Strategy& strategy = values_.parameters.strategy;
  const auto slot = run_.backendSlot();
  costModel_.update(
      {cloud, eps, strategy, slot}, tr("Cost of indexed dimensions"),
      [cloud, eps, strategy, slot](const Task& task) -> Result<CostModel> {
        const auto backend = slot->get();
        if (!backend) return cancelledError();  // the run reports it
        const BackendLimits limits = (*backend)->limits();
        const Strategy decided = decideWithoutK(strategy, SinkKind::Dbscan, cloud->dims(), limits);
        return costOfK(*cloud, eps, decided, task, searchStepOf(limits, SinkKind::Dbscan));
      });
}

void DerivedResults::updateJoinForecast() {
  const Cloud cloud = data_.euclideanCloud();
  if (!cloud || data_.awaitsEps()) return;
  const double eps = values_.parameters.dbscan.eps;
  const auto slot = run_.backendSlot();
  joinForecast_.update({cloud, eps, slot}, tr("Forecast of the join"),
                       [cloud, eps, slot](const Job& job) -> Result<JoinForecast> {
                         job.giveWay();  // a run would spoil the times, too
                         const auto backend = slot->get();
                         if (!backend) return tl::unexpected(backend.error());
                         return forecastJoin(**backend, *cloud, eps, job);
                       });
}

void DerivedResults::retryKDistances() {
  kDistances_.retry();
  updateKDistances();
}

void DerivedResults::updateKDistances() {
  const std::int64_t minPts = values_.parameters.dbscan.minPts;
  const Cloud cloud = data_.countedCloud();
  // No point has that many neighbours at any ε: there is no such distance to plot.
  if (!cloud || minPts > static_cast<std::int64_t>(cloud->size())) return kDistances_.drop();
  const Metric metric = data_.space().metric;
  kDistances_.replace({cloud, minPts, metric}, tr("k-distance plot"),
                      [cloud, k = static_cast<int>(minPts), metric](const Job& job) {
                        job.giveWay();
                        return kDistancesOfAll(*cloud, k, kKDistanceSample, job, metric);
                      });
}

void DerivedResults::followHierarchy() {
  // Where runs use the hierarchy, its curve gives advice, too, with any chart in front.
  const auto hierarchy = every_.hierarchy();
  if (hierarchy && exactSweep_.isAsked(hierarchy)) return;
  if (hierarchy ? sweepWanted_ || every_.isEnabled() : exactSweep_.get() != nullptr) startSweep();
}

void DerivedResults::startSweep() {
  dropSweep();
  const auto hierarchy = every_.hierarchy();
  if (hierarchy && (sweepWanted_ || every_.isEnabled()))
    return exactSweep_.update(
        hierarchy, tr("Clusters of every ε"),
        [hierarchy, limit = epsLimit(data_.space(), data_.scaling()),
         most = mostEps(data_.space(), data_.scaling())](const Task& task) -> Result<ExactSweep> {
          auto curve = epsCurve(*hierarchy, task);
          if (!curve) return tl::unexpected(curve.error());
          endBelow(limit, *curve);
          auto plateaus = longestPlateaus(*curve, kPlateaus, limit);
          return ExactSweep{std::move(*curve), std::move(plateaus), most};
        });
  const double suggested = data_.suggestedEps();
  const EpsRange range = data_.epsRange();
  if (!sweepWanted_ || !data_.cloud() || suggested <= 0) return;
  const double low = std::max(range.low, suggested / kSweepSpan);
  const double high = std::max(low, std::min(range.high, suggested * kSweepSpan));
  const auto eps = geometricEps(low, high, kSweepSteps);
  if (!eps) return jobs_.report(JobKind::Sweep, eps.error());
  std::vector<double> ordered;
  // Rounded: no digits that a chart could not tell apart.
  for (const std::size_t i : coarseToFine(eps->size()))
    ordered.push_back(roundestWithin(0.999 * (*eps)[i], 1.001 * (*eps)[i]));

  const Receiver<SweepPoint> takes([this](const SweepPoint& point) {
    const auto at =
        std::lower_bound(sweep_.begin(), sweep_.end(), point,
                         [](const SweepPoint& a, const SweepPoint& b) { return a.eps < b.eps; });
    sweep_.insert(at, point);
    Q_EMIT sweepChanged();
  });
  jobs_.start<void>(
      JobKind::Sweep, tr("ε sweep"),
      [takes, slot = run_.fastestSlot(), prepared = data_.prepared(), ordered,
       space = data_.space(), scaling = data_.scaling(), weights = data_.weights(),
       minPts = values_.parameters.dbscan.minPts](const Job& job) -> Result<void> {
        auto backend = slot->get(space, scaling);
        if (!backend) return tl::unexpected(backend.error());
        const auto onPoint = [&](const SweepPoint& point) {
          takes.deliver(job, point);
          job.giveWay();
        };
        // Every strategy gives the same labels: the engine chooses.
        const auto done = sweepEps(**backend, *prepared, ordered, minPts, Strategy{}, onPoint, job,
                                   spanOf(weights));
        if (!done) return tl::unexpected(done.error());
        return {};
      },
      [this](const Result<void>& done) {
        if (!done) jobs_.report(JobKind::Sweep, done.error());
      });
}

void DerivedResults::dropSweep() {
  jobs_.cancel(JobKind::Sweep);
  exactSweep_.drop();
  if (sweep_.empty()) return;
  sweep_.clear();
  Q_EMIT sweepChanged();
}

void DerivedResults::setKDistanceWanted(bool wanted) {
  if (kDistances_.setWanted(wanted)) updateKDistances();
}

void DerivedResults::setSweepWanted(bool wanted) {
  if (std::exchange(sweepWanted_, wanted) == wanted) return;
  if (!wanted)
    jobs_.cancel(JobKind::Sweep);
  else if (!exactSweep_.get() &&
           (sweep_.size() < static_cast<std::size_t>(kSweepSteps) || every_.hierarchy()))
    startSweep();
}

void DerivedResults::setJoinForecastWanted(bool wanted) {
  if (joinForecast_.setWanted(wanted)) updateJoinForecast();
}

void DerivedResults::setCostOfKWanted(bool wanted) {
  if (costModel_.setWanted(wanted)) updateCostOfK();
}

}  // namespace clusterloom
