#include "ui/session/session.h"

#include <QFileInfo>
#include <QLocale>
#include <algorithm>
#include <cmath>

#include "engine/core/predicate.h"
#include "ui/session/backend_slot.h"
#include "ui/session/comparison.h"
#include "ui/session/load_lab.h"
#include "ui/session/parameters_command.h"
#include "ui/session/preview.h"
#include "ui/session/session_load.h"

namespace clusterloom {

namespace {

constexpr int kSettleMs = 120;     // an exact run of a large cloud starts when ε rests this long
constexpr int kCostMs = 300;       // the cost of k is not urgent
constexpr int kAutosaveMs = 1500;  // one autosave for a burst of changes

}  // namespace

Session::Session(QObject* parent, const QString& recoveryDirectory, BackendMaker makeBackends)
    : QObject(parent), recovery_(recoveryDirectory), makeBackends_(std::move(makeBackends)) {
  dropBackend();
  exactTimer_.setSingleShot(true);
  exactTimer_.setInterval(kSettleMs);
  connect(&exactTimer_, &QTimer::timeout, this, &Session::startCluster);
  costTimer_.setSingleShot(true);
  costTimer_.setInterval(kCostMs);
  connect(&costTimer_, &QTimer::timeout, this, &Session::startCostOfK);
  autosaveTimer_.setSingleShot(true);
  autosaveTimer_.setInterval(kAutosaveMs);
  connect(&autosaveTimer_, &QTimer::timeout, this, &Session::autosave);
  watchJobs();
  loadLab_ = new LoadLab(*this);
  comparison_ = new Comparison(*this);
  connect(loadLab_, &LoadLab::changed, this, &Session::updateColourValues);
}

Session::~Session() {
  // Undo commands call back into the session; nobody may hear of it as it goes.
  blockSignals(true);
}

void Session::watchJobs() {
  connect(&jobs_, &JobQueue::started, this, [this](quint64, JobKind kind) {
    if (kind == JobKind::Cluster) *exactRuns_ = true;
  });
  connect(&jobs_, &JobQueue::ended, this, [this](quint64, JobKind kind, JobEnd end) {
    if (kind == JobKind::Cluster) {
      *exactRuns_ = jobs_.isActive(JobKind::Cluster);
      if (end == JobEnd::Done && std::exchange(runAgain_, false)) requestRun();
    }
    if (kind == JobKind::Preview && end == JobEnd::Done && std::exchange(previewAgain_, false))
      startPreview();
  });
  connect(&jobs_, &JobQueue::threw, this, [this](quint64, JobKind kind, const QString& what) {
    report(kind, Error{ErrorKind::TooLarge, what.toStdString()});
  });
}

QString Session::dataName() const {
  if (!dataset_) return {};
  if (!state_.sample) return QFileInfo(state_.dataPath).fileName();
  return tr("%1 (generated)").arg(QString::fromStdString(state_.sample->kind));
}

// --- parameters
// -----------------------------------------------------------------------------------

void Session::setEps(double eps) {
  if (const auto squared = epsSquared(eps); !squared)
    return report(JobKind::Cluster, squared.error());
  Parameters to = state_.parameters;
  to.dbscan.eps = eps;
  awaitingSuggestion_ = false;
  changeParameters(to, tr("ε %1").arg(QLocale().toString(eps, 'g', 4)));
  // Also where ε is what it was: the wait for a suggestion is over.
  if (dataset_ && !result_ && !jobs_.isActive(JobKind::Cluster)) requestRun();
}

void Session::setMinPts(std::int64_t minPts) {
  if (minPts < 1)
    return report(JobKind::Cluster,
                  Error{ErrorKind::BadCall, tr("minPts must be at least 1.").toStdString()});
  Parameters to = state_.parameters;
  to.dbscan.minPts = minPts;
  changeParameters(to, tr("minPts %L1").arg(static_cast<qlonglong>(minPts)));
}

void Session::setIndexedDims(int k) {
  Parameters to = state_.parameters;
  to.strategy.indexedDims = std::clamp(k, 0, 8);
  changeParameters(
      to, k <= 0 ? tr("Indexed dimensions automatic") : tr("%1 indexed dimensions").arg(k));
}

void Session::setStrategy(const Strategy& strategy) {
  Parameters to = state_.parameters;
  to.strategy = strategy;
  changeParameters(to, tr("Strategy"));
}

void Session::setScaling(const ScalingChoice& scaling) {
  if (dataset_ && scaling.kind == Scaling::Kind::Factors &&
      scaling.factors.size() != dataset_->cloud.dims())
    return report(JobKind::Scale,
                  Error{ErrorKind::BadCall, tr("There are %1 factors for %2 dimensions.")
                                                .arg(scaling.factors.size())
                                                .arg(dataset_->cloud.dims())
                                                .toStdString()});
  Parameters to = state_.parameters;
  to.scaling = scaling;
  if (to == state_.parameters) return;
  // ε means something else in other units, so the data is asked for one; the runs wait for it.
  changeParameters(to, tr("Scaling"), dataset_ != nullptr);
}

void Session::setDragging(bool dragging) {
  if (dragging == dragging_) return;
  dragging_ = dragging;
  if (dragging) {
    dragStart_ = state_.parameters;
    return;
  }
  if (!(state_.parameters == dragStart_)) {
    const QString text =
        state_.parameters.dbscan.eps != dragStart_.dbscan.eps
            ? tr("ε %1").arg(QLocale().toString(state_.parameters.dbscan.eps, 'g', 4))
            : tr("Parameters");
    undo_.push(new ParametersCommand(*this, dragStart_, state_.parameters, text));
  }
  // The settled value always gets its exact run, unless it has it already or it is under way.
  const bool underWay = jobs_.isActive(JobKind::Cluster) && !exactTimer_.isActive() && !runAgain_;
  if (dataset_ && !underWay) requestRun();
}

void Session::changeParameters(const Parameters& to, const QString& text, bool awaitsEps) {
  if (to == state_.parameters) return;
  if (dragging_)
    applyParameters(to);
  else
    undo_.push(new ParametersCommand(*this, state_.parameters, to, text, awaitsEps));
}

void Session::applyParameters(const Parameters& to) {
  const Parameters from = state_.parameters;
  if (to == from) return;
  state_.parameters = to;
  markModified();
  Q_EMIT parametersChanged();
  if (!dataset_) return;

  if (!(to.scaling == appliedScaling_)) {
    startScale();
    return;
  }
  jobs_.cancel(JobKind::Scale);
  if (to.dbscan.minPts != from.dbscan.minPts) {
    startKDistance();
    startSweep();
  }
  if (to.dbscan.eps != from.dbscan.eps) costTimer_.start();
  requestRun();
}

// --- backend
// --------------------------------------------------------------------------------------

void Session::setBackend(const QString& name, int threads) {
  if (name == state_.backend && threads == state_.threads) return;
  state_.backend = name;
  state_.threads = std::max(threads, 0);
  dropBackend();
  markModified();
  Q_EMIT backendChanged();
  if (canRun()) startCluster();
}

void Session::dropBackend() {
  backend_ = std::make_shared<BackendSlot>(makeBackends_, state_.backend, state_.threads);
  backendInUse_ = {};
}

QString Session::backendDescription() const {
  return backendInUse_.description.isEmpty() ? state_.backend : backendInUse_.description;
}

// --- display and selection
// ------------------------------------------------------------------------

void Session::setDisplay(const DisplayState& display) {
  if (display == state_.display) return;
  state_.display = dataset_ ? fittedTo(display, dataset_->cloud.dims()) : display;
  markModified();
  Q_EMIT displayChanged();
  updateColourValues();
  updateGrid();
}

void Session::setSelection(const Selection& selection) {
  const Selection before = state_.selection;
  state_.selection = selection;
  Selection unhovered = selection;
  unhovered.hoveredPoint = before.hoveredPoint;
  unhovered.hoveredCell = before.hoveredCell;
  if (!(unhovered == before)) {
    if (unhovered.clusters != before.clusters) markModified();
    Q_EMIT selectionChanged();
  }
  if (selection.hoveredPoint != before.hoveredPoint || selection.hoveredCell != before.hoveredCell)
    Q_EMIT hoverChanged();
}

void Session::setSelectedClusters(const std::set<std::int32_t>& clusters) {
  Selection selection = state_.selection;
  selection.clusters = clusters;
  setSelection(selection);
}

void Session::setPickedPoint(std::int64_t point) {
  Selection selection = state_.selection;
  selection.point = point;
  setSelection(selection);
}

void Session::setHoveredPoint(std::int64_t point) {
  Selection selection = state_.selection;
  selection.hoveredPoint = point;
  setSelection(selection);
}

void Session::setPickedCell(std::int64_t cell) {
  Selection selection = state_.selection;
  selection.cell = cell;
  setSelection(selection);
}

void Session::setHoveredCell(std::int64_t cell) {
  Selection selection = state_.selection;
  selection.hoveredCell = cell;
  setSelection(selection);
}

void Session::setPickedWarp(std::int64_t warp) {
  Selection selection = state_.selection;
  selection.warp = warp;
  setSelection(selection);
}

// --- the rest
// -------------------------------------------------------------------------------------

void Session::cancel() {
  for (const JobKind kind : {JobKind::Load, JobKind::Suggest, JobKind::Cluster, JobKind::Preview,
                             JobKind::Export, JobKind::Sweep, JobKind::WarpLoad, JobKind::Compare})
    jobs_.cancel(kind);
  exactTimer_.stop();
  runAgain_ = previewAgain_ = false;
  awaitingSuggestion_ = false;
  if (jobs_.isActive(JobKind::Scale)) revertScaling();
}

void Session::markModified() {
  ++revision_;
  if (!dataset_) return;
  autosaveTimer_.start();
  if (modified_) return;
  modified_ = true;
  Q_EMIT modifiedChanged();
}

void Session::report(JobKind job, const Error& error, const QString& path) {
  if (error.kind == ErrorKind::Cancelled) return;
  Q_EMIT failed(Failure{job, error, path});
}

}  // namespace clusterloom
