#include "ui/session/derived_results.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "engine/join/join_plan.h"
#include "engine/validity/cluster_statistics.h"
#include "render/paint/ticks.h"
#include "ui/jobs/receiver.h"
#include "ui/session/backend_slot.h"
#include "ui/session/cluster_run.h"
#include "ui/session/colour_values.h"
#include "ui/session/every_eps.h"
#include "ui/session/load_lab.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"

namespace clusterloom {

namespace {

constexpr int kCostMs = 300;                      // the cost of k is not urgent
constexpr std::uint64_t kKDistanceSample = 5000;  // where all points would take too long
constexpr int kSweepSteps = 33;
// While ε is dragged, the statistics of larger clouds wait for a rest: they would delay the labels.
constexpr std::size_t kLiveStatistics = 100000;
constexpr int kStatisticsMs = 120;
constexpr std::size_t kPlateaus = 8;  // marked in the chart
constexpr double kSweepSpan = 10;     // from a tenth to ten times the suggested ε

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

DerivedResults::DerivedResults(Session& session) : QObject(&session), session_(session) {
  statisticsTimer_.setSingleShot(true);
  statisticsTimer_.setInterval(kStatisticsMs);
  connect(&statisticsTimer_, &QTimer::timeout, this, &DerivedResults::computeStatistics);
  costTimer_.setSingleShot(true);
  costTimer_.setInterval(kCostMs);
  connect(&costTimer_, &QTimer::timeout, this, &DerivedResults::startCostOfK);
  connect(&costTimer_, &QTimer::timeout, this, &DerivedResults::startJoinForecast);
}

void DerivedResults::drop() {
  for (const JobKind kind : {JobKind::Statistics, JobKind::ColourValues, JobKind::Grid,
                             JobKind::CostOfK, JobKind::JoinForecast})
    session_.jobs().cancel(kind);
  costTimer_.stop();
  coloursFor_.reset();
  gridFor_.reset();
  dropKDistances();
  dropSweep();
  dropStatistics();
  if (std::exchange(colourValues_, nullptr)) Q_EMIT colourValuesChanged();
  if (auto cells = std::exchange(gridCells_, nullptr)) {
    Q_EMIT gridCellsChanged();
    session_.jobs().retire(std::move(cells));
  }
  if (std::exchange(costModel_, nullptr)) Q_EMIT costModelChanged();
  if (std::exchange(joinForecast_, nullptr)) Q_EMIT joinForecastChanged();
}

void DerivedResults::dropStatistics() {
  statisticsTimer_.stop();
  session_.jobs().cancel(JobKind::Statistics);
  if (std::exchange(statistics_, nullptr)) Q_EMIT statisticsChanged();
}

void DerivedResults::startStatistics() {
  if (session_.isDragging() && session_.data().cloud()->size() > kLiveStatistics)
    statisticsTimer_.start();
  else
    computeStatistics();
}

void DerivedResults::computeStatistics() {
  session_.jobs().start<ClusteringStatistics>(
      JobKind::Statistics, tr("Cluster statistics"),
      [dataset = session_.data().dataset(), result = session_.clusterRun().result()](
          const Task& task) { return statisticsOf(dataset->cloud, result->clustering, task); },
      [this](Result<ClusteringStatistics> statistics) {
        if (!statistics) return session_.report(JobKind::Statistics, statistics.error());
        statistics_ = std::make_shared<const ClusteringStatistics>(std::move(*statistics));
        Q_EMIT statisticsChanged();
      });
}

void DerivedResults::updateColourValues() {
  const DisplayState& display = session_.display();
  const std::shared_ptr<const PointCloud> cloud = session_.data().cloud();
  if (!cloud || !needsColourValues(display.colourBy)) {
    session_.jobs().cancel(JobKind::ColourValues);
    coloursFor_.reset();
    if (std::exchange(colourValues_, nullptr)) Q_EMIT colourValuesChanged();
    return;
  }
  ColourKey key{cloud.get(), display.colourBy, display.attribute, display.dimension, 0};
  if (display.colourBy == ColourBy::Density) {
    const auto result = session_.clusterRun().result();
    if (!result) return;  // comes with the first result, whose ε it takes
    key.eps = result->parameters.dbscan.eps;
  }
  const std::shared_ptr<const LoadResult> load =
      isOfLoad(display.colourBy) ? session_.loadLab().result() : nullptr;
  if (isOfLoad(display.colourBy)) {
    if (!load || load->asked.cloud != cloud) return;  // comes with the load, which is asked for
    key.load = load.get();
  }
  if (coloursFor_ == key) return;
  coloursFor_ = key;
  const Receiver<Result<std::shared_ptr<const ColourValues>>> takes(
      [this](const Result<std::shared_ptr<const ColourValues>>& values) {
        if (!values) {
          coloursFor_.reset();
          return session_.report(JobKind::ColourValues, values.error());
        }
        colourValues_ = *values;
        Q_EMIT colourValuesChanged();
      });
  session_.jobs().start(
      JobKind::ColourValues, tr("Colours"),
      [takes, slot = session_.clusterRun().backendSlot(), display,
       dataset = session_.data().dataset(), cloud, eps = key.eps, load,
       space = session_.data().space(), scaling = session_.data().scaling(),
       chosen = session_.parameters().strategy](const Job& job) {
        auto backend = slot->get(space, scaling);
        if (!backend) return;  // the run reports it
        // Other spaces join two clouds, which not every strategy does.
        const Strategy strategy = space.isEuclidean() ? chosen : Strategy{};
        auto values =
            load ? loadColoursOf(display.colourBy, *load)
                 : colourValuesOf(display, *dataset, *cloud, eps, strategy, **backend, job.task());
        if (!values) return takes.deliver(job, tl::unexpected(values.error()));
        takes.deliver(job, std::make_shared<const ColourValues>(std::move(*values)));
      });
}

void DerivedResults::updateGrid() {
  const std::shared_ptr<const ClusterResult> result = session_.clusterRun().result();
  const std::shared_ptr<const PointCloud> cloud = session_.data().euclideanCloud();
  if (!result || !cloud || !session_.display().gridShown) {
    session_.jobs().cancel(JobKind::Grid);
    gridFor_.reset();
    if (auto cells = std::exchange(gridCells_, nullptr)) {
      Q_EMIT gridCellsChanged();
      session_.jobs().retire(std::move(cells));
    }
    return;
  }
  const Parameters& parameters = result->parameters;
  const GridKey key{cloud.get(), parameters.dbscan.eps, parameters.strategy.indexedDims,
                    parameters.strategy.reorder};
  if (gridFor_ == key) return;
  gridFor_ = key;
  session_.jobs().start<GridCells>(
      JobKind::Grid, tr("Grid"),
      [cloud, eps = key.eps, strategy = parameters.strategy](const Task& task) {
        return gridCellsOf(*cloud, eps, strategy, task);
      },
      [this](Result<GridCells> cells) {
        if (!cells) {
          gridFor_.reset();
          return session_.report(JobKind::Grid, cells.error());
        }
        auto old = std::exchange(gridCells_, std::make_shared<const GridCells>(std::move(*cells)));
        Q_EMIT gridCellsChanged();
        session_.jobs().retire(std::move(old));
      });
}

void DerivedResults::startCostOfK() {
  const std::shared_ptr<const PointCloud> cloud = session_.data().euclideanCloud();
  if (!costOfKWanted_ || !cloud || session_.data().awaitsEps()) return;
  session_.jobs().start<CostModel>(
      JobKind::CostOfK, tr("Cost of indexed dimensions"),
      [cloud, eps = session_.parameters().dbscan.eps, strategy = session_.parameters().strategy,
       slot = session_.clusterRun().backendSlot()](const Task& task) -> Result<CostModel> {
        const auto backend = slot->get();
        if (!backend) return tl::unexpected(backend.error());
        const BackendLimits limits = (*backend)->limits();
        return costOfK(*cloud, eps,
                       decideWithoutK(strategy, SinkKind::Dbscan, cloud->dims(), limits), task,
                       searchStepOf(limits, SinkKind::Dbscan));
      },
      [this](Result<CostModel> model) {
        if (!model) return session_.report(JobKind::CostOfK, model.error());
        costModel_ = std::make_shared<const CostModel>(std::move(*model));
        Q_EMIT costModelChanged();
      });
}

void DerivedResults::startJoinForecast() {
  const std::shared_ptr<const PointCloud> cloud = session_.data().euclideanCloud();
  if (!joinForecastWanted_ || !cloud || session_.data().awaitsEps()) return;
  session_.jobs().start<JoinForecast>(
      JobKind::JoinForecast, tr("Forecast of the join"),
      [cloud, eps = session_.parameters().dbscan.eps, slot = session_.clusterRun().backendSlot(),
       busy = session_.clusterRun().exactRuns()](const Task& task) -> Result<JoinForecast> {
        // A requested exact run goes first, which would also spoil the times.
        while (*busy && !task.cancelled())
          std::this_thread::sleep_for(std::chrono::milliseconds(5));
        const auto backend = slot->get();
        if (!backend) return tl::unexpected(backend.error());
        return forecastJoin(**backend, *cloud, eps, task);
      },
      [this](Result<JoinForecast> forecast) {
        // What the backend refuses, it says when it is asked to run.
        joinForecast_ =
            forecast ? std::make_shared<const JoinForecast>(std::move(*forecast)) : nullptr;
        Q_EMIT joinForecastChanged();
      });
}

void DerivedResults::startKDistance() {
  dropKDistances();
  const std::int64_t minPts = session_.parameters().dbscan.minPts;
  const std::shared_ptr<const PointCloud> cloud = session_.data().countedCloud();
  // No point has that many neighbours at any ε: there is no such distance to plot.
  if (!kDistanceWanted_ || !cloud || minPts > static_cast<std::int64_t>(cloud->size())) return;
  session_.jobs().start<KDistances>(
      JobKind::KDistance, tr("k-distance plot"),
      [cloud, k = static_cast<int>(minPts),
       busy = session_.clusterRun().exactRuns()](const Task& task) {
        // A requested exact run goes first: both take all threads.
        while (*busy && !task.cancelled())
          std::this_thread::sleep_for(std::chrono::milliseconds(5));
        return kDistancesOfAll(*cloud, k, kKDistanceSample, task);
      },
      [this](Result<KDistances> distances) {
        if (!distances) return session_.report(JobKind::KDistance, distances.error());
        kDistances_ = std::make_shared<const KDistances>(std::move(*distances));
        Q_EMIT kDistancesChanged();
      });
}

void DerivedResults::connectParts() {
  connect(&session_.everyEps(), &EveryEps::hierarchyChanged, this,
          &DerivedResults::followHierarchy);
}

void DerivedResults::followHierarchy() {
  // Where runs use the hierarchy its curve gives advice, too, whatever chart is in front.
  const bool prepared = session_.everyEps().hierarchy() != nullptr;
  if (prepared ? sweepWanted_ || session_.everyEps().isEnabled() : exactSweep_ != nullptr)
    startSweep();
}

void DerivedResults::startExactSweep() {
  session_.jobs().start<ExactSweep>(
      JobKind::Sweep, tr("Clusters of every ε"),
      [hierarchy = session_.everyEps().hierarchy()](const Task& task) -> Result<ExactSweep> {
        auto curve = epsCurve(*hierarchy, task);
        if (!curve) return tl::unexpected(curve.error());
        ExactSweep sweep;
        sweep.plateaus = longestPlateaus(*curve, kPlateaus);
        sweep.curve = std::move(*curve);
        return sweep;
      },
      [this](Result<ExactSweep> sweep) {
        if (!sweep) return session_.report(JobKind::Sweep, sweep.error());
        exactSweep_ = std::make_shared<const ExactSweep>(std::move(*sweep));
        Q_EMIT sweepChanged();
      });
}

void DerivedResults::startSweep() {
  dropSweep();
  const EveryEps& every = session_.everyEps();
  if (every.hierarchy() && (sweepWanted_ || every.isEnabled())) return startExactSweep();
  const SessionData& data = session_.data();
  const double suggested = data.suggestedEps();
  const EpsRange range = data.epsRange();
  if (!sweepWanted_ || !data.cloud() || suggested <= 0) return;
  const double low = std::max(range.low, suggested / kSweepSpan);
  const double high = std::max(low, std::min(range.high, suggested * kSweepSpan));
  const auto eps = geometricEps(low, high, kSweepSteps);
  if (!eps) return session_.report(JobKind::Sweep, eps.error());
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
  const Receiver<Error> fails(
      [this](const Error& error) { session_.report(JobKind::Sweep, error); });
  session_.jobs().start(
      JobKind::Sweep, tr("ε sweep"),
      [takes, fails, slot = session_.clusterRun().fastestSlot(), prepared = data.prepared(),
       ordered, busy = session_.clusterRun().exactRuns(), space = data.space(),
       scaling = data.scaling(), weights = data.weights(),
       minPts = session_.parameters().dbscan.minPts](const Job& job) {
        auto backend = slot->get(space, scaling);
        if (!backend) return fails.deliver(job, backend.error());
        const auto onPoint = [&](const SweepPoint& point) {
          takes.deliver(job, point);
          // A requested exact run goes first.
          while (*busy && !job.task().cancelled())
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        };
        const auto done =
            // Every strategy gives the same labels: the engine chooses.
            sweepEps(**backend, *prepared, ordered, minPts, Strategy{}, onPoint, job.task(),
                     spanOf(weights));
        if (!done) fails.deliver(job, done.error());
      });
}

void DerivedResults::dropKDistances() {
  session_.jobs().cancel(JobKind::KDistance);
  if (std::exchange(kDistances_, nullptr)) Q_EMIT kDistancesChanged();
}

void DerivedResults::dropSweep() {
  session_.jobs().cancel(JobKind::Sweep);
  if (sweep_.empty() && !exactSweep_) return;
  sweep_.clear();
  session_.jobs().retire(std::exchange(exactSweep_, nullptr));
  Q_EMIT sweepChanged();
}

void DerivedResults::setKDistanceWanted(bool wanted) {
  if (std::exchange(kDistanceWanted_, wanted) == wanted) return;
  if (!wanted)
    session_.jobs().cancel(JobKind::KDistance);
  else if (!kDistances_)
    startKDistance();
}

void DerivedResults::setSweepWanted(bool wanted) {
  if (std::exchange(sweepWanted_, wanted) == wanted) return;
  if (!wanted)
    session_.jobs().cancel(JobKind::Sweep);
  else if (!exactSweep_ && (sweep_.size() < static_cast<std::size_t>(kSweepSteps) ||
                            session_.everyEps().hierarchy()))
    startSweep();
}

void DerivedResults::setJoinForecastWanted(bool wanted) {
  if (std::exchange(joinForecastWanted_, wanted) == wanted) return;
  if (!wanted)
    session_.jobs().cancel(JobKind::JoinForecast);
  else
    startJoinForecast();
}

void DerivedResults::setCostOfKWanted(bool wanted) {
  if (std::exchange(costOfKWanted_, wanted) == wanted) return;
  if (!wanted)
    session_.jobs().cancel(JobKind::CostOfK);
  else
    startCostOfK();
}

}  // namespace clusterloom
