#include "ui/session/session.h"

#include <algorithm>
#include <utility>

#include "engine/cloud/coordinate_order.h"
#include "engine/core/predicate.h"
#include "ui/session/added_points.h"
#include "ui/session/cloud_comparison.h"
#include "ui/session/cluster_checks.h"
#include "ui/session/cluster_run.h"
#include "ui/session/cluster_tree.h"
#include "ui/session/comparison.h"
#include "ui/session/derived_results.h"
#include "ui/session/division_lab.h"
#include "ui/session/eps_stability.h"
#include "ui/session/every_eps.h"
#include "ui/session/file_levels.h"
#include "ui/session/load_lab.h"
#include "ui/session/open_clouds.h"
#include "ui/session/opened_labels.h"
#include "ui/session/replay.h"
#include "ui/session/selected_points.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"
#include "ui/session/whole_file.h"

namespace clusterloom {

Session::Session(QObject* parent, const QString& recoveryDirectory, BackendMaker makeBackends)
    : QObject(parent) {
  data_ = new SessionData(jobs_, this);
  const SessionValues values{parameters_, display_, selection_, dragging_};
  everyEps_ = new EveryEps(
      *data_, [this] { return clusterRun_->engine(); }, parameters_, jobs_, this);
  clusterRun_ = new ClusterRun(*data_, *everyEps_, values, jobs_, std::move(makeBackends), this);
  derived_ = new DerivedResults(
      *data_, *clusterRun_, *everyEps_, [this] { return loadLab_->result(); }, values, jobs_, this);
  checks_ = new ClusterChecks(*data_, *clusterRun_, *derived_, *everyEps_, dragging_, jobs_, this);
  epsStability_ = new EpsStability(*data_, *clusterRun_, *derived_, *everyEps_, jobs_, this);
  clusterTree_ = new ClusterTree(*data_, *clusterRun_, *everyEps_, values, jobs_, this);
  replay_ = new Replay(*clusterRun_, *derived_, *everyEps_, values, this);
  files_ = new SessionFiles(*data_, *clusterRun_, *derived_, *checks_,
                            {[this] { return state(); }, [this] { return inputFiles(); }}, jobs_,
                            recoveryDirectory, this);
  connectParts();
  loadLab_ = new LoadLab(*data_, *clusterRun_, *derived_, values, jobs_, this);
  divisionLab_ = new DivisionLab(*data_, *clusterRun_, values, jobs_, this);
  comparison_ = new Comparison(*data_, *clusterRun_, *loadLab_, parameters_, jobs_, this);
  fileLevels_ = new FileLevels(*data_, *clusterRun_, parameters_, jobs_, this);
  selectedPoints_ = new SelectedPoints(*data_, *clusterRun_, *fileLevels_, values, jobs_, this);
  addedPoints_ = new AddedPoints(*data_, *clusterRun_, *files_, jobs_, this);
  openedLabels_ = new OpenedLabels(*data_, *clusterRun_, *files_, parameters_, jobs_, this);
  wholeFile_ =
      new WholeFile(*data_, *clusterRun_, parameters_, *openedLabels_, *files_, jobs_, this);
  clouds_ = new OpenClouds(
      *data_, *clusterRun_, *files_, parameters_, [this] { return state(); }, jobs_, this);
  cloudComparison_ = new CloudComparison(*clouds_, *data_, *clusterRun_, values, jobs_, this);
  followParts();
  tellParts();
}

Session::~Session() {
  // No signal may be sent while it is destroyed.
  blockSignals(true);
}

void Session::connectParts() {
  connect(data_, &SessionData::loaded, this, &Session::acceptLoaded);
  connect(data_, &SessionData::scaled, this, &Session::acceptCloud);
  connect(data_, &SessionData::scalingFailed, this, &Session::revertScaling);
  connect(data_, &SessionData::epsSuggested, this, [this](double eps, bool awaited) {
    if (awaited) adoptEps(eps);
    derived_->startSweep();
  });
  connect(undo_, &UndoStack::moved, this, &Session::restoreState);
  connect(clusterRun_, &ClusterRun::finished, this, &Session::acceptResult);
  connect(clusterRun_, &ClusterRun::engineChosen, files_, &SessionFiles::markModified);
  connect(everyEps_, &EveryEps::hierarchyChanged, clusterRun_, &ClusterRun::updateColours);
  connect(derived_, &DerivedResults::gridCellsChanged, this, [this] {
    // Cell numbers are different in a new grid.
    if (derived_->gridCells()) selection_.cell = selection_.hoveredCell = -1;
  });
}

/// Connects the results and requests of parts.
void Session::followParts() {
  connect(openedLabels_, &OpenedLabels::opened, this, &Session::acceptResult);
  connect(clusterTree_, &ClusterTree::taken, this, &Session::acceptResult);
  connect(clusterTree_, &ClusterTree::pointsSelected, this, &Session::setSelectedPoints);
  connect(replay_, &Replay::epsChosen, this, &Session::setEps);
  connect(replay_, &Replay::dragged, this, &Session::setDragging);
  connect(loadLab_, &LoadLab::warpPicked, this, &Session::setPickedWarp);
  connect(loadLab_, &LoadLab::changed, derived_, &DerivedResults::updateColourValues);
  connect(derived_, &DerivedResults::colourValuesChanged, fileLevels_,
          [this] { fileLevels_->followValues(derived_->colourValues()); });
  connect(divisionLab_, &DivisionLab::pointsSelected, this, &Session::setSelectedPoints);
  connect(divisionLab_, &DivisionLab::pointReleased, this, [this] { setPickedPoint(-1); });
  connect(selectedPoints_, &SelectedPoints::selected, this, &Session::setSelectedPoints);
  connect(selectedPoints_, &SelectedPoints::rowsSelected, this,
          [this](const FileRowSelection& rows) {
            Selection selection = selection_;
            selection.rows = rows;
            setSelection(selection);
          });
  connect(selectedPoints_, &SelectedPoints::kept, this, &Session::setKept);
  connect(selectedPoints_, &SelectedPoints::refined, this, &Session::addRefinement);
  connect(clouds_, &OpenClouds::closeRequested, this, &Session::closeData);
}

/// Connects the session's own changes to the parts.
void Session::tellParts() {
  connect(this, &Session::selectionChanged, clusterTree_, &ClusterTree::followSelection);
  connect(this, &Session::selectionChanged, loadLab_, &LoadLab::followSelection);
  connect(this, &Session::selectionChanged, divisionLab_, &DivisionLab::followSelection);
  connect(this, &Session::selectionChanged, selectedPoints_, &SelectedPoints::updateSummary);
  connect(this, &Session::parametersChanged, clusterRun_, &ClusterRun::stateChanged);
  connect(this, &Session::parametersChanged, loadLab_, &LoadLab::follow);
  connect(this, &Session::parametersChanged, divisionLab_, &DivisionLab::followParameters);
  connect(this, &Session::parametersChanged, comparison_, &Comparison::changed);
  connect(this, &Session::displayChanged, loadLab_, &LoadLab::follow);
}

SessionState Session::state() const {
  SessionState state;
  const DataSource& source = data_->source();
  state.dataPath = source.path;
  state.dataHash = source.hash;
  state.read = source.read;
  state.sample = source.sample;
  state.parameters = parameters_;
  static_cast<EngineChoice&>(state) = clusterRun_->engine();
  state.display = display_;
  state.selection = selection_;
  state.view = files_->viewState();
  state.addedPath = addedPoints_->wantedPath();
  state.labelsPath = openedLabels_->wantedPath();
  const auto result = clusterRun_->result();
  if (state.labelsPath.isEmpty() && result) state.labelsPath = result->labelsFile;
  state.others = clouds_->others();
  state.position = clouds_->current();
  return state;
}

QStringList Session::inputFiles() const {
  QStringList files{data_->source().path, addedPoints_->path(), addedPoints_->wantedPath(),
                    openedLabels_->wantedPath()};
  if (const auto result = clusterRun_->result()) files << result->labelsFile;
  for (const CloudState& other : clouds_->others())
    files << other.dataPath << other.addedPath << other.labelsPath;
  files.removeAll(QString());
  return files;
}

// --- parameters

void Session::setEps(double eps) {
  if (const auto squared = epsSquared(eps); !squared)
    return jobs_.report(JobKind::Cluster, squared.error());
  Parameters to = parameters_;
  to.dbscan.eps = eps;
  setParameters(to);
}

void Session::setMinPts(std::int64_t minPts) {
  if (minPts < 1) return jobs_.refuse(JobKind::Cluster, tr("minPts must be at least 1."));
  change([minPts](Parameters& to) { to.dbscan.minPts = minPts; });
}

void Session::setIndexedDims(int k) {
  change([k](Parameters& to) { to.strategy.indexedDims = std::clamp(k, 0, 8); });
}

void Session::setStrategy(const Strategy& strategy) {
  change([&](Parameters& to) { to.strategy = strategy; });
}

void Session::setScaling(const ScalingChoice& scaling) {
  if (data_->dataset() && scaling.kind == Scaling::Kind::Factors &&
      scaling.factors.size() != data_->dataset()->cloud.dims())
    return jobs_.refuse(JobKind::Scale, tr("There are %1 factors for %2 dimensions.")
                                            .arg(scaling.factors.size())
                                            .arg(data_->dataset()->cloud.dims()));
  Parameters to = parameters_;
  to.scaling = scaling;
  if (to == parameters_) return;
  // ε has other units now, so a new one is suggested; the runs wait for it.
  changeState({to, data_->dataset() != nullptr || data_->awaitsEps()});
}

void Session::setSpace(const Space& space) {
  Parameters to = parameters_;
  to.space = data_->whole() ? inOrderOfNames(space, data_->whole()->cloud) : space;
  if (space.sphere) to.scaling = {};
  if (to == parameters_) return;
  const bool wasCosine = parameters_.space.metric == Metric::Cosine;
  const bool otherUnits = space.sphere.has_value() != parameters_.space.sphere.has_value() ||
                          (space.metric == Metric::Cosine) != wasCosine ||
                          !(to.scaling == parameters_.scaling);
  changeState({to, (otherUnits && data_->dataset()) || data_->awaitsEps()});
}

void Session::setWeights(const QString& column) {
  change([&](Parameters& to) { to.weights = column; });
}

void Session::setEpsOfDimensions(const std::vector<double>& eps) {
  change(
      [&](Parameters& to) {
        to.scaling = {.kind = Scaling::Kind::Factors, .factors = {}};
        for (const double of : eps) to.scaling.factors.push_back(to.dbscan.eps / of);
      },
      tr("ε of each dimension"));
}

void Session::setKept(const PointSet& kept, const QString& text, const FileRowSelection& rows) {
  change(
      [&](Parameters& to) {
        to.kept = kept;
        to.keptRows = rows;
      },
      text);
}

void Session::addRefinement(const Refinement& refinement) {
  change([&](Parameters& to) { to.refinements.push_back(refinement); });
}

void Session::clearRefinements() {
  change([](Parameters& to) { to.refinements.clear(); });
}

void Session::setParameters(const Parameters& parameters, const QString& text) {
  changeState({parameters, false}, text);
  // Also where no parameter changed: the wait for a suggested ε is over.
  if (data_->dataset() && !clusterRun_->result() && !jobs_.isActive(JobKind::Cluster))
    clusterRun_->request();
}

void Session::setDragging(bool dragging) {
  if (dragging == dragging_) return;
  dragging_ = dragging;
  if (dragging) {
    dragStart_ = undoState();
    return;
  }
  const bool changed = !(parameters_ == dragStart_.parameters);
  if (changed) undo_->push(dragStart_, undoState(), stepText(dragStart_.parameters, parameters_));
  // The final value always gets its exact run, unless that is done or running. Labels that are of
  // no run stay while nothing changed.
  const auto shown = clusterRun_->result();
  const bool stays = !changed && shown && !shown->isOfRun();
  if (data_->dataset() && !clusterRun_->isUnderWay() && !stays) clusterRun_->request();
}

void Session::change(const std::function<void(Parameters&)>& made, const QString& text) {
  Parameters to = parameters_;
  made(to);
  changeParameters(to, text);
}

void Session::changeParameters(const Parameters& to, const QString& text) {
  changeState({to, data_->awaitsEps()}, text);
}

void Session::changeState(const UndoState& to, const QString& text) {
  const UndoState from = undoState();
  data_->setAwaitsEps(to.awaitsEps);
  if (to.parameters == from.parameters) {
    if (to.awaitsEps == from.awaitsEps) return;
    // The ε that was awaited is the one that is there.
    undo_->settleEps(to.parameters.dbscan.eps);
    Q_EMIT parametersChanged();
    return;
  }
  if (!dragging_)
    undo_->push(from, to, text.isEmpty() ? stepText(from.parameters, to.parameters) : text);
  applyParameters(to.parameters);
}

void Session::restoreState(const UndoState& to) {
  if (dragging_) dragStart_ = to;  // the state before is none of the stack
  data_->setAwaitsEps(to.awaitsEps);
  applyParameters(to.parameters);
  // A new cloud starts the search for ε itself.
  if (to.awaitsEps && data_->isApplied(to.parameters)) clusterRun_->run();
}

UndoState Session::undoState() const { return {parameters_, data_->awaitsEps()}; }

void Session::applyParameters(const Parameters& to) {
  const Parameters from = parameters_;
  if (to == from) return;
  parameters_ = to;
  files_->markModified();
  Q_EMIT parametersChanged();
  if (!data_->dataset()) return;

  if (!data_->isApplied(to)) {
    startScale();
    return;
  }
  jobs_.cancel(JobKind::Scale);
  if (to.dbscan.minPts != from.dbscan.minPts) {
    everyEps_->follow();
    derived_->updateKDistances();
    derived_->startSweep();
  }
  if (to.dbscan.eps != from.dbscan.eps || !(to.strategy == from.strategy))
    derived_->startCostOfKLater();
  clusterRun_->request();
}

// --- display and selection

void Session::setDisplay(const DisplayState& display) {
  if (display == display_) return;
  // A range is of the values that it was chosen for.
  const bool otherValues = display.colourBy != display_.colourBy ||
                           display.attribute != display_.attribute ||
                           display.dimension != display_.dimension;
  const bool sameRange = display.range == display_.range;
  display_ = data_->dataset() ? fittedTo(display, *data_->dataset()) : display;
  if (otherValues && sameRange) display_.range.reset();
  files_->markModified();
  Q_EMIT displayChanged();
  derived_->updateColourValues();
  derived_->updateGrid();
}

void Session::setSelection(const Selection& selection) {
  const Selection before = selection_;
  selection_ = selection;
  Selection unhovered = selection;
  unhovered.hoveredPoint = before.hoveredPoint;
  unhovered.hoveredCell = before.hoveredCell;
  if (!(unhovered == before)) {
    if (unhovered.clusters != before.clusters) files_->markModified();
    Q_EMIT selectionChanged();
  }
  if (selection.hoveredPoint != before.hoveredPoint || selection.hoveredCell != before.hoveredCell)
    Q_EMIT hoverChanged();
}

void Session::setSelectedClusters(const std::set<std::int32_t>& clusters) {
  if (clusters == selection_.clusters) return;
  Selection selection = selection_;
  selection.clusters = clusters;
  selection.points.reset();
  selection.rows.reset();
  setSelection(selection);
}

void Session::setSelectedPoints(const PointSet& points) {
  Selection selection = selection_;
  selection.points = points;
  selection.rows.reset();
  selection.clusters.clear();
  setSelection(selection);
}

void Session::select(std::int64_t Selection::*member, std::int64_t number) {
  Selection selection = selection_;
  selection.*member = number;
  if (member == &Selection::point) selection.row.reset();
  setSelection(selection);
}

void Session::cancel() {
  // Work of hours is stopped only where nothing else is under way.
  const auto jobs = jobs_.active();
  const bool endsOthers = std::ranges::any_of(
      jobs, [](const JobInfo& job) { return endsByStop(job.kind) && !isStoppedLast(job.kind); });
  clusterRun_->stop();
  everyEps_->stop();
  // An ε that is still sought stays unknown: the last one belongs to other data.
  for (int kind = 0; kind < kJobKinds; ++kind)
    if (isStoppedByHand(JobKind(kind)) && !(endsOthers && isStoppedLast(JobKind(kind))))
      jobs_.cancel(JobKind(kind));
  if (!jobs_.isActive(JobKind::Scale)) return;
  revertScaling();
  jobs_.cancel(JobKind::Suggest);
}

}  // namespace clusterloom
