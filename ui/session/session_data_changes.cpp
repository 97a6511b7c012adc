#include "ui/session/session.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/cloud/coordinate_order.h"
#include "engine/dbscan/default_min_pts.h"
#include "engine/io/format_table.h"
#include "ui/session/added_points.h"
#include "ui/session/cluster_run.h"
#include "ui/session/colour_values.h"
#include "ui/session/derived_results.h"
#include "ui/session/every_eps.h"
#include "ui/session/follow_labels.h"
#include "ui/session/open_clouds.h"
#include "ui/session/opened_labels.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"
#include "ui/words/numbers.h"

// How a session takes new data and new results, and which parts of the old ones stay.

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
  if ((shared.colourBy == ColourBy::Attribute && !known) ||
      (shared.colourBy == ColourBy::TrueColour && !hasTrueColours(dataset)))
    shared.colourBy = ColourBy::Cluster;
  return fittedTo(shared, dataset);
}

/// Whether the file is of a format of scanners, in which points lie on surfaces.
bool isScan(const Dataset& dataset) {
  const FileFormat* format = formatOfName(dataset.source.format);
  return format != nullptr && format->ofScanners;
}

}  // namespace

void Session::acceptLoaded(const LoadedData& loaded) {
  if (loaded.order.beside) return acceptBeside(loaded);
  const OpenRequest& request = loaded.order.request;
  data_->announceChange();
  jobs_.cancel(JobKind::Scale);
  dropResults();
  clusterRun_->restoreRuns({});
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
    display.noise = display_.noise;
    display.colourMap = display_.colourMap;
    display.background = display_.background;
    display.axesShown = display_.axesShown;
    display.orthographic = display_.orthographic;
    display.scaleBar = display_.scaleBar;
    display.lighting = isScan(dataset);
    display.densityBlended = display_.densityBlended;
    display.gridShown = display_.gridShown;
    display.gridColouring = display_.gridColouring;
    display.patternArrows = display_.patternArrows;
    display.pca = dims > 3;
    display_ = display;
    selection_ = {};
    parameters_.dbscan.minPts = request.minPts.value_or(
        weightedMinPts(defaultMinPts(dataset.cloud.size(), dims), loaded.ready.meanWeight));
    if (request.eps) parameters_.dbscan.eps = *request.eps;
    if (request.run) static_cast<RunOptions&>(parameters_) = *request.run;
    static_cast<CloudChoice&>(parameters_) = loaded.ready.choice;
    parameters_.refinements.clear();
  }
  parameters_.space = inOrderOfNames(parameters_.space, dataset.cloud);
  display_ = fittedTo(display_, dataset);
  int& k = parameters_.strategy.indexedDims;
  if (k > static_cast<int>(dims)) k = 0;
  files_->acceptData(loaded);
  clouds_->accept(loaded);

  data_->announceDataset();
  Q_EMIT displayChanged();
  Q_EMIT selectionChanged();
  clusterRun_->announceRuns();
  files_->announceModified();
  if (loaded.restored) clusterRun_->announceEngine();
  acceptCloud(loaded.ready);
  files_->announceOpened(loaded);
  if (loaded.restored && !loaded.restored->addedPath.isEmpty())
    addedPoints_->restore(loaded.restored->addedPath);
  if (loaded.restored && !loaded.restored->labelsPath.isEmpty())
    restoreLabels(loaded.restored->labelsPath);
  warnOf(loaded);
}

void Session::warnOf(const LoadedData& loaded) {
  const Dataset& dataset = *loaded.dataset;
  if (!loaded.warning.isEmpty()) jobs_.warn(loaded.warning);
  if (!dataset.unreadColumns.empty()) {
    QStringList names;
    for (const std::string& name : dataset.unreadColumns) names << QString::fromStdString(name);
    jobs_.warn(tr("Columns that are not read, and that exports lack: %1")
                   .arg(names.join(QLatin1String(", "))));
  }
  if (!dataset.skippedRows.empty())
    jobs_.warn(tr("Skipped %1 with coordinates that are not finite; the first is data row %2 "
                  "(counting from 0).")
                   .arg(countedRows(dataset.skippedRows.size()),
                        count(dataset.skippedRows.front() * dataset.every)));
}

/// Clusters that are selected and hidden are of these labels, not of a run.
void Session::restoreLabels(const QString& path) {
  if (!clusterRun_->result()) clusterRun_->stopQuietly();
  openedLabels_->restore(path);
}

void Session::acceptBeside(const LoadedData& loaded) {
  const BesideOrder& order = *loaded.order.beside;
  setDragging(false);
  const bool awaitsEps = data_->awaitsEps();
  HeldCloud next = clouds_->change(loaded);
  data_->announceChange();
  jobs_.cancel(JobKind::Scale);
  dropResults();
  data_->acceptDataset(loaded);
  data_->setAwaitsEps(awaitsEps);

  parameters_.kept = next.state.kept;
  parameters_.keptRows = next.state.keptRows;
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

  data_->announceDataset();
  Q_EMIT displayChanged();
  Q_EMIT selectionChanged();
  acceptCloud(loaded.ready);
  // A camera is of the axes that are shown.
  const bool sameAxes = next.state.display.flat == display_.flat &&
                        next.state.display.orthographic == display_.orthographic &&
                        next.state.display.axes == display_.axes &&
                        next.state.display.projection == display_.projection &&
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
    restoreLabels(next.state.labelsPath);
  clusterRun_->announceRuns();
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
    state.keptRows = parameters_.keptRows;
    state.refinements = parameters_.refinements;
    state.space = inOrderOfNames(state.space, data_->whole()->cloud);
  });
}

void Session::acceptCloud(const ReadyCloud& ready) {
  const bool hadClusters = clusterRun_->result() != nullptr;
  dropResults();
  const bool otherPoints = !samePoints(ready.choice.kept, data_->kept()) ||
                           !sameRows(ready.choice.keptRows, data_->keptRows());
  if (otherPoints) {
    // Points and clusters have other numbers now.
    selection_ = {};
    display_.hidden.clear();
  } else if (hadClusters) {
    // Clusters do.
    const auto isCluster = [](std::int32_t label) { return label != kNoise; };
    std::erase_if(selection_.clusters, isCluster);
    std::erase_if(display_.hidden, isCluster);
  }
  data_->acceptCloud(ready);
  if (otherPoints || hadClusters) {
    Q_EMIT selectionChanged();
    Q_EMIT displayChanged();
  }
  Q_EMIT parametersChanged();
  data_->startSuggest(parameters_.dbscan.minPts);
  clusterRun_->request();
  everyEps_->follow();
  derived_->updateKDistances();
  derived_->startCostOfKLater();
  derived_->updateColourValues();
}

void Session::acceptResult(std::shared_ptr<const ClusterResult> result,
                           const std::vector<std::int32_t>& followed) {
  const auto previous = clusterRun_->result();
  const Clustering& clustering = result->clustering;
  // The first result of this cloud belongs to what a session file selected and hid.
  const auto first = [&](const std::set<std::int32_t>& labels) {
    std::set<std::int32_t> kept;
    std::copy_if(labels.begin(), labels.end(), std::inserter(kept, kept.end()),
                 [&](std::int32_t label) { return label < clustering.clusters; });
    return kept;
  };
  const std::set<std::int32_t> selected =
      previous ? carriedOver(selection_.clusters, followed) : first(selection_.clusters);
  const std::set<std::int32_t> hidden = previous
                                            ? madeOf(display_.hidden, previous->clustering.labels,
                                                     clustering.labels, clustering.clusters)
                                            : first(display_.hidden);
  clusterRun_->accept(std::move(result));

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
  data_->startScale(parameters_);
}

void Session::revertScaling() {
  const auto isApplied = [this](const Parameters& to) { return data_->isApplied(to); };
  if (undo_->takeBack(isApplied)) return;
  Parameters parameters = parameters_;
  const CloudChoice& there = data_->ready().choice;
  // ε may have the units of the cloud that did not come.
  const bool otherUnits =
      !(parameters.scaling == there.scaling) || !(parameters.space == there.space);
  static_cast<CloudChoice&>(parameters) = there;
  changeState({parameters, otherUnits || data_->awaitsEps()});
}

void Session::adoptEps(double eps) {
  // This is not a separate undo step: it belongs to the step that awaited ε, or to the opening of
  // the data. The steps made since then take the new ε too.
  undo_->settleEps(eps);
  if (dragging_ && dragStart_.awaitsEps) {
    dragStart_.awaitsEps = false;
    dragStart_.parameters.dbscan.eps = eps;
  }
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
    if (!writesFile(job) && job != JobKind::Retire) jobs_.cancel(job);
  }
  clusterRun_->stopWaiting();
  files_->stopAutosave();
  data_->forgetFailedLoad();
  if (!data_->dataset()) return;
  data_->announceChange();
  dropResults();
  clusterRun_->restoreRuns({});
  undo_->clear();
  selection_ = {};
  display_.hidden.clear();
  static_cast<CloudChoice&>(parameters_) = {};
  parameters_.refinements.clear();
  dragging_ = false;
  data_->clear();
  files_->clear();
  clouds_->clear();
  data_->announceDataset();
  Q_EMIT parametersChanged();
  Q_EMIT selectionChanged();
  clusterRun_->announceRuns();
  files_->announceModified();
}

}  // namespace clusterloom
