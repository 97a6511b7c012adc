// Runs and what is derived from them.
#include <QDateTime>
#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>
#include <utility>

#include "render/paint/palette.h"
#include "ui/session/backend_slot.h"
#include "ui/session/colour_values.h"
#include "ui/session/follow_labels.h"
#include "ui/session/load_lab.h"
#include "ui/session/preview.h"
#include "ui/session/session.h"

namespace clusterloom {

namespace {

// A run shorter than this follows the hand directly; longer ones leave the drag to the preview.
constexpr double kLiveSeconds = 0.05;
constexpr std::size_t kLivePoints = 20000;  // the same, guessed before the first run

constexpr std::uint64_t kKDistanceSample = 5000;
constexpr int kSweepSteps = 33;
constexpr double kSweepSpan = 10;  // from a tenth to ten times the suggested ε
constexpr std::size_t kMostRuns = 1000;

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

bool Session::canRun() const {
  return cloud_ && !awaitingSuggestion_ && state_.parameters.scaling == appliedScaling_;
}

bool Session::isResultCurrent() const {
  return result_ && result_->cloud == cloud_ && result_->parameters == state_.parameters;
}

void Session::requestRun() {
  if (!canRun()) return;
  if (isResultCurrent()) {
    jobs_.cancel(JobKind::Cluster);
    exactTimer_.stop();
    runAgain_ = false;
    dropPreview();
    return;
  }
  if (!dragging_) return startCluster();

  const bool isShort =
      lastRunSeconds_ > 0 ? lastRunSeconds_ < kLiveSeconds : cloud_->size() <= kLivePoints;
  if (isShort) {
    // Stopping it for each movement of the hand would never show a result.
    if (jobs_.isActive(JobKind::Cluster))
      runAgain_ = true;
    else
      startCluster();
    return;
  }
  jobs_.cancel(JobKind::Cluster);
  exactTimer_.start();
  if (jobs_.isActive(JobKind::Preview))
    previewAgain_ = true;
  else
    startPreview();
}

void Session::startCluster() {
  exactTimer_.stop();
  runAgain_ = false;
  if (!canRun()) return;
  jobs_.start(
      JobKind::Cluster, tr("Clustering %L1 points").arg(cloud_->size()),
      [this, slot = backend_, cloud = cloud_, parameters = state_.parameters,
       previous = result_](const Job& job) {
        auto backend = slot->get();
        if (!backend)
          return job.deliver([this, error = backend.error()] { report(JobKind::Cluster, error); });
        const BackendInUse inUse{.description = QString::fromStdString((*backend)->describe()),
                                 .remark = QString::fromStdString((*backend)->remark()),
                                 .limits = (*backend)->limits()};
        job.deliver([this, inUse] {
          if (!(std::exchange(backendInUse_, inUse) == inUse)) Q_EMIT backendChanged();
        });
        auto clustering =
            (*backend)->dbscan(*cloud, parameters.dbscan, parameters.strategy, job.task());
        if (!clustering)
          return job.deliver(
              [this, error = clustering.error()] { report(JobKind::Cluster, error); });

        auto result = std::make_shared<ClusterResult>();
        result->job = job.number();
        result->parameters = parameters;
        result->cloud = cloud;
        result->clustering = std::move(*clustering);
        const std::vector<std::int32_t>& labels = result->clustering.labels;
        std::vector<std::int32_t> followed;
        if (previous) {
          const Clustering& before = previous->clustering;
          result->colours =
              assignColours(before.labels, previous->colours, labels, result->clustering.clusters);
          followed = followLabels(before.labels, before.clusters, labels);
        } else {
          result->colours = assignColours({}, {}, labels, result->clustering.clusters);
        }
        job.deliver([this, result, followed] { acceptResult(result, followed); });
      });
}

void Session::acceptResult(std::shared_ptr<const ClusterResult> result,
                           const std::vector<std::int32_t>& followed) {
  dropPreview();
  // The first result of this cloud belongs to what a session file selected and hid.
  const bool carry = result_ != nullptr;
  auto old = std::exchange(result_, std::move(result));
  const Clustering& clustering = result_->clustering;
  lastRunSeconds_ = clustering.stats.seconds.total;

  const auto exists = [&](std::int32_t label) { return label < clustering.clusters; };
  const auto carried = [&](const std::set<std::int32_t>& labels) {
    if (carry) return carriedOver(labels, followed);
    std::set<std::int32_t> kept;
    std::copy_if(labels.begin(), labels.end(), std::inserter(kept, kept.end()), exists);
    return kept;
  };
  const std::set<std::int32_t> selected = carried(state_.selection.clusters);
  const std::set<std::int32_t> hidden = carried(state_.display.hidden);
  const bool selectionMoved = selected != state_.selection.clusters;
  const bool hiddenMoved = hidden != state_.display.hidden;
  state_.selection.clusters = selected;
  state_.display.hidden = hidden;

  RunRecord run;
  run.job = result_->job;
  run.when = QDateTime::currentDateTime();
  run.parameters = result_->parameters;
  run.clusters = clustering.clusters;
  run.noise = clustering.noiseCount;
  run.points = clustering.labels.size();
  run.stats = clustering.stats;
  if (runs_.size() >= kMostRuns) runs_.erase(runs_.begin());
  runs_.push_back(std::move(run));

  // Statistics of other labels would be wrong numbers under right names.
  if (std::exchange(statistics_, nullptr)) Q_EMIT statisticsChanged();
  Q_EMIT resultChanged();
  if (selectionMoved) Q_EMIT selectionChanged();
  if (hiddenMoved) Q_EMIT displayChanged();
  Q_EMIT runsChanged();
  retire(std::move(old));
  startStatistics();
  updateColourValues();
  updateGrid();
}

void Session::startPreview() {
  previewAgain_ = false;
  if (!canRun() || !dragging_ || !sample_) return;
  jobs_.start(JobKind::Preview, tr("Preview"),
              [this, sample = sample_, asked = state_.parameters.dbscan,
               previous = result_](const Job& job) {
                auto preview = previewOf(*sample, asked, previous.get(), job.task());
                // What the sample cannot do the exact run will say.
                if (!preview) return;
                preview->job = job.number();
                auto shared = std::make_shared<const PreviewClustering>(std::move(*preview));
                job.deliver([this, shared] {
                  if (isResultCurrent()) return;
                  preview_ = shared;
                  Q_EMIT previewChanged();
                });
              });
}

void Session::dropPreview() {
  jobs_.cancel(JobKind::Preview);
  previewAgain_ = false;
  if (std::exchange(preview_, nullptr)) Q_EMIT previewChanged();
}

void Session::startStatistics() {
  jobs_.start<ClusteringStatistics>(
      JobKind::Statistics, tr("Cluster statistics"),
      [dataset = dataset_, result = result_](const Task& task) {
        return statisticsOf(dataset->cloud, result->clustering, task);
      },
      [this](Result<ClusteringStatistics> statistics) {
        if (!statistics) return report(JobKind::Statistics, statistics.error());
        statistics_ = std::make_shared<const ClusteringStatistics>(std::move(*statistics));
        Q_EMIT statisticsChanged();
      });
}

void Session::updateColourValues() {
  const DisplayState& display = state_.display;
  if (!cloud_ || !needsColourValues(display.colourBy)) {
    jobs_.cancel(JobKind::ColourValues);
    coloursFor_.reset();
    if (std::exchange(colourValues_, nullptr)) Q_EMIT colourValuesChanged();
    return;
  }
  ColourKey key{cloud_.get(), display.colourBy, display.attribute, display.dimension, 0};
  if (display.colourBy == ColourBy::Density) {
    if (!result_) return;  // comes with the first result, whose ε it takes
    key.eps = result_->parameters.dbscan.eps;
  }
  const std::shared_ptr<const LoadResult> load =
      isOfLoad(display.colourBy) ? loadLab_->result() : nullptr;
  if (isOfLoad(display.colourBy)) {
    if (!load || load->asked.cloud != cloud_) return;  // comes with the load, which is asked for
    key.load = load.get();
  }
  if (coloursFor_ == key) return;
  coloursFor_ = key;
  jobs_.start(JobKind::ColourValues, tr("Colours"),
              [this, slot = backend_, display, dataset = dataset_, cloud = cloud_, eps = key.eps,
               load, strategy = state_.parameters.strategy](const Job& job) {
                auto backend = slot->get();
                if (!backend) return;  // the run says so
                auto values = load ? loadColoursOf(display.colourBy, *load)
                                   : colourValuesOf(display, *dataset, *cloud, eps, strategy,
                                                    **backend, job.task());
                if (!values)
                  return job.deliver([this, error = values.error()] {
                    coloursFor_.reset();
                    report(JobKind::ColourValues, error);
                  });
                auto shared = std::make_shared<const ColourValues>(std::move(*values));
                job.deliver([this, shared] {
                  colourValues_ = shared;
                  Q_EMIT colourValuesChanged();
                });
              });
}

void Session::updateGrid() {
  if (!result_ || !state_.display.gridShown) {
    jobs_.cancel(JobKind::Grid);
    gridFor_.reset();
    if (auto cells = std::exchange(gridCells_, nullptr)) {
      Q_EMIT gridCellsChanged();
      retire(std::move(cells));
    }
    return;
  }
  const Parameters& parameters = result_->parameters;
  const GridKey key{cloud_.get(), parameters.dbscan.eps, parameters.strategy.indexedDims,
                    parameters.strategy.reorder};
  if (gridFor_ == key) return;
  gridFor_ = key;
  jobs_.start<GridCells>(
      JobKind::Grid, tr("Grid"),
      [cloud = cloud_, eps = key.eps, strategy = parameters.strategy](const Task& task) {
        return gridCellsOf(*cloud, eps, strategy, task);
      },
      [this](Result<GridCells> cells) {
        if (!cells) {
          gridFor_.reset();
          return report(JobKind::Grid, cells.error());
        }
        auto old = std::exchange(gridCells_, std::make_shared<const GridCells>(std::move(*cells)));
        state_.selection.cell = state_.selection.hoveredCell = -1;
        Q_EMIT gridCellsChanged();
        retire(std::move(old));
      });
}

void Session::startCostOfK() {
  if (!costOfKWanted_ || !cloud_ || awaitingSuggestion_) return;
  jobs_.start<CostModel>(
      JobKind::CostOfK, tr("Cost of indexed dimensions"),
      [cloud = cloud_, eps = state_.parameters.dbscan.eps](const Task& task) {
        return costOfK(*cloud, eps, task);
      },
      [this](Result<CostModel> model) {
        if (!model) return report(JobKind::CostOfK, model.error());
        costModel_ = std::make_shared<const CostModel>(std::move(*model));
        Q_EMIT costModelChanged();
      });
}

void Session::startKDistance() {
  dropKDistances();
  const std::int64_t minPts = state_.parameters.dbscan.minPts;
  // No point has that many neighbours at any ε: there is no such distance to plot.
  if (!kDistanceWanted_ || !cloud_ || minPts > static_cast<std::int64_t>(cloud_->size())) return;
  jobs_.start<KDistances>(
      JobKind::KDistance, tr("k-distance plot"),
      [cloud = cloud_, k = static_cast<int>(minPts)](const Task& task) {
        return clusterloom::kDistances(*cloud, k, kKDistanceSample, task);
      },
      [this](Result<KDistances> distances) {
        if (!distances) return report(JobKind::KDistance, distances.error());
        kDistances_ = std::make_shared<const KDistances>(std::move(*distances));
        Q_EMIT kDistancesChanged();
      });
}

void Session::startSweep() {
  dropSweep();
  if (!sweepWanted_ || !cloud_ || suggestedEps_ <= 0) return;
  const double low = std::max(epsRange_.low, suggestedEps_ / kSweepSpan);
  const double high = std::max(low, std::min(epsRange_.high, suggestedEps_ * kSweepSpan));
  const auto eps = geometricEps(low, high, kSweepSteps);
  if (!eps) return report(JobKind::Sweep, eps.error());
  std::vector<double> ordered;
  for (const std::size_t i : coarseToFine(eps->size())) ordered.push_back((*eps)[i]);

  jobs_.start(JobKind::Sweep, tr("ε sweep"),
              [this, slot = backend_, cloud = cloud_, ordered, busy = exactRuns_,
               parameters = state_.parameters](const Job& job) {
                auto backend = slot->get();
                if (!backend) return;  // the run says so
                const auto onPoint = [&](const SweepPoint& point) {
                  job.deliver([this, point] {
                    const auto at = std::lower_bound(
                        sweep_.begin(), sweep_.end(), point,
                        [](const SweepPoint& a, const SweepPoint& b) { return a.eps < b.eps; });
                    sweep_.insert(at, point);
                    Q_EMIT sweepChanged();
                  });
                  // What the hand asked for goes first.
                  while (*busy && !job.task().cancelled())
                    std::this_thread::sleep_for(std::chrono::milliseconds(5));
                };
                const auto done = sweepEps(**backend, *cloud, ordered, parameters.dbscan.minPts,
                                           parameters.strategy, onPoint, job.task());
                if (!done)
                  job.deliver([this, error = done.error()] { report(JobKind::Sweep, error); });
              });
}

void Session::dropKDistances() {
  jobs_.cancel(JobKind::KDistance);
  if (std::exchange(kDistances_, nullptr)) Q_EMIT kDistancesChanged();
}

void Session::dropSweep() {
  jobs_.cancel(JobKind::Sweep);
  if (sweep_.empty()) return;
  sweep_.clear();
  Q_EMIT sweepChanged();
}

void Session::setKDistanceWanted(bool wanted) {
  if (std::exchange(kDistanceWanted_, wanted) == wanted) return;
  if (!wanted)
    jobs_.cancel(JobKind::KDistance);
  else if (!kDistances_)
    startKDistance();
}

void Session::setSweepWanted(bool wanted) {
  if (std::exchange(sweepWanted_, wanted) == wanted) return;
  if (!wanted)
    jobs_.cancel(JobKind::Sweep);
  else if (sweep_.size() < static_cast<std::size_t>(kSweepSteps))
    startSweep();
}

void Session::setCostOfKWanted(bool wanted) {
  if (std::exchange(costOfKWanted_, wanted) == wanted) return;
  if (!wanted)
    jobs_.cancel(JobKind::CostOfK);
  else
    startCostOfK();
}

}  // namespace clusterloom
