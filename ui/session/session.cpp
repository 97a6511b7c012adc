#include "ui/session/session.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/cloud/geographic_names.h"
#include "engine/core/predicate.h"
#include "engine/dbscan/default_min_pts.h"
#include "ui/session/added_points.h"
#include "ui/session/cloud_comparison.h"
#include "ui/session/cluster_run.h"
#include "ui/session/cluster_tree.h"
#include "ui/session/comparison.h"
#include "ui/session/derived_results.h"
#include "ui/session/division_lab.h"
#include "ui/session/every_eps.h"
#include "ui/session/follow_labels.h"
#include "ui/session/load_lab.h"
#include "ui/session/open_clouds.h"
#include "ui/session/opened_labels.h"
#include "ui/session/replay.h"
#include "ui/session/selected_points.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"
#include "ui/session/suggestion.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

/// A cloud is shown as the one before it was, but for what belongs to its own points and clusters.
DisplayState displayOf(const DisplayState& own, DisplayState shared, const Dataset& dataset) {
  const bool sameValues = own.colourBy == shared.colourBy && own.attribute == shared.attribute &&
                          own.dimension == shared.dimension;
  shared.hidden = own.hidden;
  shared.range = sameValues ? own.range : std::nullopt;
  const bool known =
      std::any_of(dataset.attributes.begin(), dataset.attributes.end(),
                  [name = shared.attribute.toStdString()](const Attribute& attribute) {
                    return attribute.name == name;
                  });
  if (shared.colourBy == ColourBy::Attribute && !known) shared.colourBy = ColourBy::Cluster;
  return fittedTo(shared, dataset.cloud.dims());
}

}  // namespace

Session::Session(QObject* parent, const QString& recoveryDirectory, BackendMaker makeBackends)
    : QObject(parent) {
  data_ = new SessionData(*this);
  clusterRun_ = new ClusterRun(*this, std::move(makeBackends));
  derived_ = new DerivedResults(*this);
  everyEps_ = new EveryEps(*this);
  derived_->connectParts();
  clusterTree_ = new ClusterTree(*this);
  replay_ = new Replay(*this);
  files_ = new SessionFiles(*this, recoveryDirectory);
  connectParts();
  loadLab_ = new LoadLab(*this);
  divisionLab_ = new DivisionLab(*this);
  comparison_ = new Comparison(*this);
  selectedPoints_ = new SelectedPoints(*this);
  addedPoints_ = new AddedPoints(*this);
  openedLabels_ = new OpenedLabels(*this);
  clouds_ = new OpenClouds(*this);
  cloudComparison_ = new CloudComparison(*this);
  connect(openedLabels_, &OpenedLabels::opened, this, &Session::acceptResult);
  connect(clusterTree_, &ClusterTree::taken, this, &Session::acceptResult);
  connect(loadLab_, &LoadLab::changed, derived_, &DerivedResults::updateColourValues);
}

Session::~Session() {
  // No signal may be sent while it is destroyed.
  blockSignals(true);
}

void Session::connectParts() {
  connect(&jobs_, &JobQueue::threw, this, [this](quint64, JobKind kind, const QString& what) {
    report(kind, Error{ErrorKind::TooLarge, what.toStdString()});
  });
  connect(data_, &SessionData::loaded, this, &Session::acceptLoaded);
  connect(data_, &SessionData::scaled, this, &Session::acceptCloud);
  connect(data_, &SessionData::scalingFailed, this, &Session::revertScaling);
  connect(data_, &SessionData::epsSuggested, this, [this](double eps, bool awaited) {
    if (awaited) adoptEps(eps);
    derived_->startSweep();
  });
  connect(undo_, &UndoStack::moved, this, [this](const Parameters& to, std::optional<bool> awaits) {
    if (awaits) data_->setAwaitsEps(*awaits);
    applyParameters(to);
  });
  connect(clusterRun_, &ClusterRun::finished, this, &Session::acceptResult);
  connect(everyEps_, &EveryEps::hierarchyChanged, clusterRun_, &ClusterRun::updateColours);
  connect(derived_, &DerivedResults::gridCellsChanged, this, [this] {
    // Cell numbers are different in a new grid.
    if (derived_->gridCells()) selection_.cell = selection_.hoveredCell = -1;
  });
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
    return report(JobKind::Cluster, squared.error());
  Parameters to = parameters_;
  to.dbscan.eps = eps;
  setParameters(to);
}

void Session::setMinPts(std::int64_t minPts) {
  if (minPts < 1)
    return report(JobKind::Cluster,
                  Error{ErrorKind::BadCall, tr("minPts must be at least 1.").toStdString()});
  Parameters to = parameters_;
  to.dbscan.minPts = minPts;
  changeParameters(to);
}

void Session::setIndexedDims(int k) {
  Parameters to = parameters_;
  to.strategy.indexedDims = std::clamp(k, 0, 8);
  changeParameters(to);
}

void Session::setStrategy(const Strategy& strategy) {
  Parameters to = parameters_;
  to.strategy = strategy;
  changeParameters(to);
}

void Session::setScaling(const ScalingChoice& scaling) {
  if (data_->dataset() && scaling.kind == Scaling::Kind::Factors &&
      scaling.factors.size() != data_->dataset()->cloud.dims())
    return report(JobKind::Scale,
                  Error{ErrorKind::BadCall, tr("There are %1 factors for %2 dimensions.")
                                                .arg(scaling.factors.size())
                                                .arg(data_->dataset()->cloud.dims())
                                                .toStdString()});
  Parameters to = parameters_;
  to.scaling = scaling;
  if (to == parameters_) return;
  // ε has other units now, so a new one is suggested; the runs wait for it.
  changeParameters(to, {}, data_->dataset() != nullptr);
}

void Session::setSpace(const Space& space) {
  Parameters to = parameters_;
  to.space = data_->whole() ? inOrderOfNames(space, data_->whole()->cloud) : space;
  if (space.sphere) to.scaling = {};
  if (to == parameters_) return;
  const bool otherUnits = space.sphere.has_value() != parameters_.space.sphere.has_value() ||
                          !(to.scaling == parameters_.scaling);
  changeParameters(to, {}, otherUnits && data_->dataset() != nullptr);
}

void Session::setWeights(const QString& column) {
  Parameters to = parameters_;
  to.weights = column;
  changeParameters(to);
}

void Session::setEpsOfDimensions(const std::vector<double>& eps) {
  Parameters to = parameters_;
  to.scaling = {.kind = Scaling::Kind::Factors, .factors = {}};
  for (const double of : eps) to.scaling.factors.push_back(parameters_.dbscan.eps / of);
  changeParameters(to, tr("ε of each dimension"));
}

void Session::setKept(const PointSet& kept, const QString& text) {
  Parameters to = parameters_;
  to.kept = kept;
  changeParameters(to, text);
}

void Session::addRefinement(const Refinement& refinement) {
  Parameters to = parameters_;
  to.refinements.push_back(refinement);
  changeParameters(to);
}

void Session::clearRefinements() {
  Parameters to = parameters_;
  to.refinements.clear();
  changeParameters(to);
}

void Session::setParameters(const Parameters& parameters, const QString& text) {
  const bool awaited = data_->awaitsEps();
  data_->setAwaitsEps(false);
  if (awaited && parameters == parameters_) Q_EMIT parametersChanged();
  changeParameters(parameters, text);
  // Also where no parameter changed: the wait for a suggested ε is over.
  if (data_->dataset() && !clusterRun_->result() && !jobs_.isActive(JobKind::Cluster))
    clusterRun_->request();
}

void Session::setDragging(bool dragging) {
  if (dragging == dragging_) return;
  dragging_ = dragging;
  if (dragging) {
    dragStart_ = parameters_;
    return;
  }
  if (!(parameters_ == dragStart_))
    undo_->push(dragStart_, parameters_, stepText(dragStart_, parameters_), false);
  // The final value always gets its exact run, unless that is done or running.
  if (data_->dataset() && !clusterRun_->isUnderWay()) clusterRun_->request();
}

void Session::changeParameters(const Parameters& to, const QString& text, bool awaitsEps) {
  if (to == parameters_) return;
  if (!dragging_) {
    if (awaitsEps) data_->setAwaitsEps(true);
    undo_->push(parameters_, to, text.isEmpty() ? stepText(parameters_, to) : text, awaitsEps);
  }
  applyParameters(to);
}

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
    derived_->startKDistance();
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
  display_ = data_->dataset() ? fittedTo(display, data_->dataset()->cloud.dims()) : display;
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
  setSelection(selection);
}

void Session::setSelectedPoints(const PointSet& points) {
  Selection selection = selection_;
  selection.points = points;
  selection.clusters.clear();
  setSelection(selection);
}

void Session::setPickedPoint(std::int64_t point) {
  Selection selection = selection_;
  selection.point = point;
  setSelection(selection);
}

void Session::setHoveredPoint(std::int64_t point) {
  Selection selection = selection_;
  selection.hoveredPoint = point;
  setSelection(selection);
}

void Session::setPickedCell(std::int64_t cell) {
  Selection selection = selection_;
  selection.cell = cell;
  setSelection(selection);
}

void Session::setHoveredCell(std::int64_t cell) {
  Selection selection = selection_;
  selection.hoveredCell = cell;
  setSelection(selection);
}

void Session::setPickedWarp(std::int64_t warp) {
  Selection selection = selection_;
  selection.warp = warp;
  setSelection(selection);
}

// --- new data and new results

void Session::acceptLoaded(const LoadedData& loaded) {
  if (loaded.order.beside) return acceptBeside(loaded);
  const OpenRequest& request = loaded.order.request;
  Q_EMIT data_->dataAboutToChange();
  jobs_.cancel(JobKind::Scale);
  dropResults();
  clusterRun_->clearRuns();
  undo_->clear();
  dragging_ = false;
  data_->acceptDataset(loaded);
  const Dataset& dataset = *data_->whole();
  const std::size_t dims = dataset.cloud.dims();

  if (loaded.restored) {
    parameters_ = loaded.restored->parameters;
    display_ = loaded.restored->display;
    selection_ = loaded.restored->selection;
    // A session that names no device leaves the one of the command line.
    EngineChoice engine = *loaded.restored;
    if (engine.device < 0) engine.device = clusterRun_->device();
    clusterRun_->restoreEngine(engine);
  } else {
    // Settings of how things are shown stay; what belongs to the old data goes.
    DisplayState display;
    display.pointSize = display_.pointSize;
    display.opacity = display_.opacity;
    display.colourMap = display_.colourMap;
    display.background = display_.background;
    display.axesShown = display_.axesShown;
    display.gridShown = display_.gridShown;
    display.gridColouring = display_.gridColouring;
    display.patternArrows = display_.patternArrows;
    display.pca = dims > 3;
    display_ = display;
    selection_ = {};
    parameters_.dbscan.minPts = request.minPts.value_or(
        weightedMinPts(defaultMinPts(dataset.cloud.size(), dims), loaded.ready.meanWeight));
    if (request.eps) parameters_.dbscan.eps = *request.eps;
    if (request.strategy) parameters_.strategy = *request.strategy;
    parameters_.scaling = loaded.ready.choice;
    parameters_.space = loaded.ready.space;
    parameters_.weights = loaded.ready.weightColumn;
    parameters_.kept.reset();
    parameters_.refinements.clear();
  }
  parameters_.space = inOrderOfNames(parameters_.space, dataset.cloud);
  display_ = fittedTo(display_, dims);
  int& k = parameters_.strategy.indexedDims;
  if (k > static_cast<int>(dims)) k = 0;
  files_->acceptData(loaded);
  clouds_->accept(loaded);

  Q_EMIT data_->dataChanged();
  Q_EMIT displayChanged();
  Q_EMIT selectionChanged();
  Q_EMIT clusterRun_->runsChanged();
  Q_EMIT files_->modifiedChanged();
  if (loaded.restored) Q_EMIT clusterRun_->backendChanged();
  acceptCloud(loaded.ready);
  files_->announceOpened(loaded);
  if (loaded.restored && !loaded.restored->addedPath.isEmpty())
    addedPoints_->restore(loaded.restored->addedPath);
  if (loaded.restored && !loaded.restored->labelsPath.isEmpty())
    openedLabels_->restore(loaded.restored->labelsPath);
  warnOf(loaded);
}

void Session::warnOf(const LoadedData& loaded) {
  const Dataset& dataset = *loaded.dataset;
  if (!loaded.warning.isEmpty()) Q_EMIT warned(loaded.warning);
  if (!dataset.skippedRows.empty())
    Q_EMIT warned(
        tr("%1 with coordinates that are not finite were skipped, the first being data row %2 "
           "(counting from 0).")
            .arg(counted(dataset.skippedRows.size(), tr("1 row"), tr("%1 rows")),
                 count(dataset.skippedRows.front() * dataset.every)));
}

void Session::acceptBeside(const LoadedData& loaded) {
  const BesideOrder& order = *loaded.order.beside;
  setDragging(false);
  const bool awaitsEps = data_->awaitsEps();
  HeldCloud next = clouds_->change(loaded);
  Q_EMIT data_->dataAboutToChange();
  jobs_.cancel(JobKind::Scale);
  dropResults();
  data_->acceptDataset(loaded);
  data_->setAwaitsEps(awaitsEps);

  parameters_.kept = next.state.kept;
  parameters_.refinements = next.state.refinements;
  parameters_.space = inOrderOfNames(parameters_.space, data_->whole()->cloud);
  carryHistory();
  const bool fits = next.result && clouds_->fits(*next.result, loaded.ready.cloud);
  selection_ = next.state.selection;
  if (next.result && !fits) {
    // Clusters have other numbers by now.
    selection_.clusters.clear();
    std::erase_if(next.state.display.hidden, [](std::int32_t label) { return label != kNoise; });
  }
  display_ = displayOf(next.state.display, display_, *data_->whole());
  clusterRun_->restoreRuns(std::move(next.runs));
  if (order.number == 0 || order.closes != 0) files_->markModified();

  Q_EMIT data_->dataChanged();
  Q_EMIT displayChanged();
  Q_EMIT selectionChanged();
  acceptCloud(loaded.ready);
  // A camera is of the axes that are shown.
  const bool sameAxes = next.state.display.flat == display_.flat &&
                        next.state.display.axes == display_.axes &&
                        next.state.display.pca == display_.pca;
  files_->acceptCloud(sameAxes ? next.state.view : QByteArray());
  if (fits) {
    clusterRun_->stopQuietly();
    // It is no new run.
    std::vector<RunRecord> runs = clusterRun_->runs();
    acceptResult(next.result, {});
    clusterRun_->restoreRuns(std::move(runs));
  }
  // The cloud may have been left before its labels were read.
  if (!next.state.labelsPath.isEmpty() &&
      (!fits || next.result->labelsFile != next.state.labelsPath))
    openedLabels_->restore(next.state.labelsPath);
  Q_EMIT clusterRun_->runsChanged();
  // The parameters may have changed while the cloud was read.
  if (!data_->isApplied(parameters_)) startScale();
  if (!next.state.addedPath.isEmpty()) addedPoints_->restore(next.state.addedPath);
  jobs_.retire(std::exchange(next.result, nullptr));
  jobs_.retire(std::exchange(next.ready, nullptr));
  jobs_.retire(std::exchange(next.whole, nullptr));
  warnOf(loaded);
}

/// Makes the steps of undo those of another cloud: what a step did to points of the old one is no
/// longer undone; what it did to the parameters that all clouds share is.
void Session::carryHistory() {
  undo_->rewrite([this](Parameters& state) {
    state.kept = parameters_.kept;
    state.refinements = parameters_.refinements;
    state.space = inOrderOfNames(state.space, data_->whole()->cloud);
  });
}

void Session::acceptCloud(const ReadyCloud& ready) {
  dropResults();
  const bool otherPoints = !samePoints(ready.kept, data_->kept());
  if (otherPoints) {
    // Points and clusters have other numbers now.
    selection_ = {};
    display_.hidden.clear();
  }
  data_->acceptCloud(ready);
  if (otherPoints) {
    Q_EMIT selectionChanged();
    Q_EMIT displayChanged();
  }
  Q_EMIT parametersChanged();
  data_->startSuggest();
  clusterRun_->request();
  everyEps_->follow();
  derived_->startKDistance();
  derived_->startCostOfKLater();
  derived_->updateColourValues();
}

void Session::acceptResult(std::shared_ptr<const ClusterResult> result,
                           const std::vector<std::int32_t>& followed) {
  // The first result of this cloud belongs to what a session file selected and hid.
  const bool carry = clusterRun_->result() != nullptr;
  const std::int32_t clusters = result->clustering.clusters;
  clusterRun_->accept(std::move(result));

  const auto carried = [&](const std::set<std::int32_t>& labels) {
    if (carry) return carriedOver(labels, followed);
    std::set<std::int32_t> kept;
    std::copy_if(labels.begin(), labels.end(), std::inserter(kept, kept.end()),
                 [&](std::int32_t label) { return label < clusters; });
    return kept;
  };
  const std::set<std::int32_t> selected = carried(selection_.clusters);
  const std::set<std::int32_t> hidden = carried(display_.hidden);
  const bool selectionMoved = selected != selection_.clusters;
  const bool hiddenMoved = hidden != display_.hidden;
  selection_.clusters = selected;
  display_.hidden = hidden;

  // Statistics of other labels would be wrong.
  derived_->dropStatistics();
  clusterRun_->announceResult();
  if (selectionMoved) Q_EMIT selectionChanged();
  if (hiddenMoved) Q_EMIT displayChanged();
  derived_->startStatistics();
  derived_->updateColourValues();
  derived_->updateGrid();
}

void Session::startScale() {
  jobs_.cancel(JobKind::Cluster);
  jobs_.cancel(JobKind::Preview);
  jobs_.cancel(JobKind::Suggest);
  clusterRun_->stopWaiting();
  data_->startScale();
}

void Session::revertScaling() {
  data_->setAwaitsEps(false);
  const Parameters* step = undo_->canUndo() ? undo_->current() : nullptr;
  if (step && step->scaling == parameters_.scaling && step->space == parameters_.space &&
      step->weights == parameters_.weights && samePoints(step->kept, parameters_.kept)) {
    // The step never took effect, so it is no step.
    applyParameters(undo_->drop());
    if (data_->isApplied(parameters_)) return;
  }
  Parameters parameters = parameters_;
  parameters.scaling = data_->appliedScaling();
  parameters.space = data_->space();
  parameters.weights = data_->weightColumn();
  parameters.kept = data_->kept();
  applyParameters(parameters);
}

void Session::adoptEps(double eps) {
  // This is no undo step of its own: it belongs to the step that awaited ε, or to the opening of
  // the data. The steps made since then take the new ε too.
  undo_->settleEps(eps);
  if (dragging_) dragStart_.dbscan.eps = eps;
  parameters_.dbscan.eps = eps;
  Q_EMIT parametersChanged();
  derived_->startCostOfKLater();
  clusterRun_->request();
}

void Session::dropResults() {
  jobs_.cancel(JobKind::Suggest);
  derived_->drop();
  everyEps_->drop();
  clusterRun_->drop();
}

void Session::closeData() {
  for (int kind = 0; kind < kJobKinds; ++kind) {
    const auto job = static_cast<JobKind>(kind);
    if (job != JobKind::Export && job != JobKind::SaveSession && job != JobKind::Retire)
      jobs_.cancel(job);
  }
  clusterRun_->stopWaiting();
  files_->stopAutosave();
  data_->forgetFailedLoad();
  if (!data_->dataset()) return;
  Q_EMIT data_->dataAboutToChange();
  dropResults();
  clusterRun_->clearRuns();
  undo_->clear();
  selection_ = {};
  display_.hidden.clear();
  parameters_.scaling = {};
  parameters_.space = {};
  parameters_.weights.clear();
  parameters_.kept.reset();
  parameters_.refinements.clear();
  dragging_ = false;
  data_->clear();
  files_->clear();
  clouds_->clear();
  Q_EMIT data_->dataChanged();
  Q_EMIT data_->cloudChanged();
  Q_EMIT parametersChanged();
  Q_EMIT selectionChanged();
  Q_EMIT clusterRun_->runsChanged();
  Q_EMIT files_->modifiedChanged();
}

void Session::cancel() {
  clusterRun_->stop();
  everyEps_->stop();
  // An ε that is still sought stays unknown: the last one belongs to other data.
  for (const JobKind kind :
       {JobKind::Load, JobKind::Suggest, JobKind::Export, JobKind::Sweep, JobKind::WarpLoad,
        JobKind::DivisionTiming, JobKind::Compare, JobKind::CompareClouds, JobKind::Plan,
        JobKind::Select, JobKind::ClusterSelection, JobKind::AddPoints, JobKind::LabelAdded,
        JobKind::OpenLabels})
    jobs_.cancel(kind);
  if (jobs_.isActive(JobKind::Scale)) revertScaling();
}

void Session::report(JobKind job, const Error& error, const QString& path) {
  if (error.kind == ErrorKind::Cancelled) return;
  Q_EMIT failed(Failure{job, error, path});
}

}  // namespace clusterloom
