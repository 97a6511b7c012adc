// Opening, scaling and closing data.
#include <QFile>
#include <QFileInfo>
#include <QLocale>
#include <algorithm>
#include <utility>

#include "ui/session/backend_slot.h"
#include "ui/session/parameters_command.h"
#include "ui/session/preview.h"
#include "ui/session/session.h"
#include "ui/session/session_load.h"
#include "ui/session/suggestion.h"

namespace clusterloom {

namespace {

Result<Dataset> readOrGenerate(const OpenRequest& request, const Task& task) {
  if (request.sample) return generate(*request.sample, task);
  auto dataset = readDataset(request.path.toStdString(), request.read, task);
  if (dataset && dataset->source.hash.empty()) {
    auto hash = hashFile(request.path.toStdString(), task);
    if (!hash) return tl::unexpected(hash.error());
    dataset->source.hash = *hash;
  }
  return dataset;
}

OpenRequest requestOf(const SessionState& state) {
  OpenRequest request;
  request.path = state.dataPath;
  request.read = state.read;
  request.sample = state.sample;
  request.eps = state.parameters.dbscan.eps;
  request.minPts = state.parameters.dbscan.minPts;
  request.strategy = state.parameters.strategy;
  request.scaling = state.parameters.scaling;
  return request;
}

}  // namespace

void Session::openFile(const QString& path, const ReadOptions& options) {
  OpenRequest request;
  request.path = path;
  request.read = options;
  open(request);
}

void Session::openSample(const GeneratorSpec& spec) {
  OpenRequest request;
  request.sample = spec;
  open(request);
}

void Session::open(const OpenRequest& request) {
  LoadOrder order;
  order.request = request;
  if (!request.sample) order.request.path = QFileInfo(request.path).absoluteFilePath();
  startLoad(order);
}

void Session::retrySkippingNonFinite() {
  if (!lastFailedLoad_) return;
  LoadOrder order = *lastFailedLoad_;
  order.request.read.skipNonFinite = true;
  startLoad(order);
}

void Session::startLoad(LoadOrder order) {
  lastFailedLoad_.reset();
  const OpenRequest& request = order.request;
  const QString file = order.sessionPath.isEmpty() ? request.path : order.sessionPath;
  const QString title = request.sample ? tr("Generating %L1 points").arg(request.sample->points)
                                       : tr("Opening %1").arg(QFileInfo(file).fileName());
  const bool keepsSkipping = request.read.skipNonFinite;
  jobs_.start(
      JobKind::Load, title, [this, order = std::move(order), keepsSkipping](const Job& job) {
        auto loaded = std::make_shared<Loaded>();
        loaded->order = order;
        const auto fails = [&](const Error& error, const QString& path) {
          job.deliver([this, error, path, order = loaded->order] {
            if (error.kind == ErrorKind::Cancelled) return;
            lastFailedLoad_ = std::make_shared<LoadOrder>(order);
            Q_EMIT failed(Failure{JobKind::Load, error, path});
          });
        };

        if (!order.sessionPath.isEmpty()) {
          auto state = loadSessionFile(order.sessionPath);
          if (!state) return fails(state.error(), order.sessionPath);
          loaded->restored = std::move(*state);
          loaded->order.request = requestOf(*loaded->restored);
          if (keepsSkipping) loaded->order.request.read.skipNonFinite = true;
          if (!loaded->order.request.sample && loaded->order.request.path.isEmpty())
            return fails(Error{ErrorKind::BadInput, "The session names no data."},
                         order.sessionPath);
        }
        const OpenRequest& wanted = loaded->order.request;
        auto dataset = readOrGenerate(wanted, job.task());
        if (!dataset) return fails(dataset.error(), wanted.path);
        if (loaded->restored && !wanted.sample) {
          const QString hash = QString::fromStdString(dataset->source.hash);
          if (!loaded->restored->dataHash.isEmpty() && hash != loaded->restored->dataHash)
            loaded->warning =
                tr("%1 has changed since the session was saved; the clusters may differ.")
                    .arg(QFileInfo(wanted.path).fileName());
        }
        loaded->dataset = std::make_shared<const Dataset>(std::move(*dataset));
        auto ready =
            readyCloud(loaded->dataset, wanted.scaling.value_or(ScalingChoice{}), job.task());
        if (!ready) return fails(ready.error(), wanted.path);
        loaded->ready = std::move(*ready);
        job.deliver([this, loaded] { acceptLoaded(*loaded); });
      });
}

Result<Session::ReadyCloud> Session::readyCloud(const std::shared_ptr<const Dataset>& dataset,
                                                const ScalingChoice& choice, const Task& task) {
  ReadyCloud ready;
  ready.choice = choice;
  if (choice.kind == Scaling::Kind::None) {
    ready.cloud = std::shared_ptr<const PointCloud>(dataset, &dataset->cloud);
  } else {
    task.report("scaling", 0);
    auto scaling = makeScaling(choice.kind, dataset->cloud, choice.factors);
    if (!scaling) return tl::unexpected(scaling.error());
    if (task.cancelled()) return cancelledError();
    ready.cloud = std::make_shared<const PointCloud>(applyScaling(dataset->cloud, *scaling));
    ready.scaling = std::move(*scaling);
  }
  if (task.cancelled()) return cancelledError();
  if (auto valid = validate(*ready.cloud); !valid) return tl::unexpected(valid.error());
  const std::size_t sampled = previewPoints(ready.cloud->size(), ready.cloud->dims());
  ready.sample = std::make_shared<const PreviewSample>(makePreviewSample(*ready.cloud, sampled));
  return ready;
}

void Session::acceptLoaded(const Loaded& loaded) {
  const OpenRequest& request = loaded.order.request;
  Q_EMIT dataAboutToChange();
  jobs_.cancel(JobKind::Scale);
  dropResults();
  runs_.clear();
  undo_.clear();
  dragging_ = false;
  retire(std::exchange(cloud_, nullptr));
  retire(std::exchange(dataset_, loaded.dataset));
  const std::size_t dims = dataset_->cloud.dims();

  if (loaded.restored) {
    state_ = *loaded.restored;
    dropBackend();
  } else {
    // What a person chose for the way of showing stays; what belongs to the old data goes.
    DisplayState display;
    display.pointSize = state_.display.pointSize;
    display.background = state_.display.background;
    display.axesShown = state_.display.axesShown;
    display.gridShown = state_.display.gridShown;
    display.gridColouring = state_.display.gridColouring;
    display.patternArrows = state_.display.patternArrows;
    display.pca = dims > 3;
    state_.display = display;
    state_.selection = {};
    state_.view.clear();
    Parameters& parameters = state_.parameters;
    parameters.dbscan.minPts = request.minPts.value_or(suggestedMinPts(dims));
    if (request.eps) parameters.dbscan.eps = *request.eps;
    if (request.strategy) parameters.strategy = *request.strategy;
    parameters.scaling = loaded.ready.choice;
  }
  state_.display = fittedTo(state_.display, dims);
  state_.dataPath = request.sample ? QString() : request.path;
  state_.dataHash = QString::fromStdString(dataset_->source.hash);
  state_.read = request.read;
  state_.sample = request.sample;
  int& k = state_.parameters.strategy.indexedDims;
  if (k > static_cast<int>(dims)) k = 0;

  awaitingSuggestion_ = !request.eps.has_value();
  sessionPath_ = loaded.order.recovering ? QString() : loaded.order.sessionPath;
  modified_ = loaded.order.recovering;
  ++revision_;
  autosaveTimer_.start();

  Q_EMIT dataChanged();
  Q_EMIT displayChanged();
  Q_EMIT selectionChanged();
  Q_EMIT runsChanged();
  Q_EMIT modifiedChanged();
  if (loaded.restored) Q_EMIT backendChanged();
  acceptCloud(loaded.ready);
  if (loaded.restored) {
    Q_EMIT viewStateRestored(state_.view);
    Q_EMIT sessionOpened(loaded.order.sessionPath);
    if (loaded.order.recovering) {
      discardAfterAutosave_ = true;
      autosave();
    }
  }
  if (!loaded.warning.isEmpty()) Q_EMIT warned(loaded.warning);
  if (!dataset_->skippedRows.empty())
    Q_EMIT warned(
        tr("%Ln row(s) with coordinates that are not finite were skipped, the first being "
           "data row %1 (counting from 0).",
           nullptr, static_cast<int>(dataset_->skippedRows.size()))
            .arg(QLocale().toString(static_cast<qulonglong>(dataset_->skippedRows.front()))));
}

void Session::acceptCloud(const ReadyCloud& ready) {
  dropResults();
  retire(std::exchange(cloud_, ready.cloud));
  scaling_ = ready.scaling;
  appliedScaling_ = ready.choice;
  sample_ = ready.sample;
  lastRunSeconds_ = 0;
  suggestedEps_ = 0;
  Q_EMIT cloudChanged();
  Q_EMIT parametersChanged();
  startSuggest();
  requestRun();
  startKDistance();
  costTimer_.start();
  updateColourValues();
}

void Session::closeData() {
  for (int kind = 0; kind < kJobKinds; ++kind) {
    const auto job = static_cast<JobKind>(kind);
    if (job != JobKind::Export && job != JobKind::SaveSession && job != JobKind::Retire)
      jobs_.cancel(job);
  }
  exactTimer_.stop();
  costTimer_.stop();
  autosaveTimer_.stop();
  lastFailedLoad_.reset();
  if (!dataset_) return;
  Q_EMIT dataAboutToChange();
  dropResults();
  runs_.clear();
  undo_.clear();
  state_.dataPath.clear();
  state_.dataHash.clear();
  state_.read = {};
  state_.sample.reset();
  state_.selection = {};
  state_.display.hidden.clear();
  state_.parameters.scaling = appliedScaling_ = {};
  scaling_ = {};
  sample_.reset();
  dragging_ = awaitingSuggestion_ = modified_ = false;
  sessionPath_.clear();
  retire(std::exchange(cloud_, nullptr));
  retire(std::exchange(dataset_, nullptr));
  if (!recovery_.path().isEmpty()) QFile::remove(recovery_.path());
  Q_EMIT dataChanged();
  Q_EMIT cloudChanged();
  Q_EMIT parametersChanged();
  Q_EMIT selectionChanged();
  Q_EMIT runsChanged();
  Q_EMIT modifiedChanged();
}

void Session::startScale() {
  jobs_.cancel(JobKind::Cluster);
  jobs_.cancel(JobKind::Preview);
  jobs_.cancel(JobKind::Suggest);
  exactTimer_.stop();
  const ScalingChoice choice = state_.parameters.scaling;
  jobs_.start<ReadyCloud>(
      JobKind::Scale, tr("Scaling"),
      [dataset = dataset_, choice](const Task& task) { return readyCloud(dataset, choice, task); },
      [this](Result<ReadyCloud> ready) {
        if (ready) return acceptCloud(*ready);
        report(JobKind::Scale, ready.error());
        revertScaling();
      });
}

void Session::revertScaling() {
  awaitingSuggestion_ = false;
  const auto* command = dynamic_cast<const ParametersCommand*>(undo_.command(undo_.index() - 1));
  if (command && command->after().scaling == state_.parameters.scaling) {
    // The step never took effect, so it is no step.
    const_cast<ParametersCommand*>(command)->setObsolete(true);
    undo_.undo();
    if (state_.parameters.scaling == appliedScaling_) return;
  }
  Parameters parameters = state_.parameters;
  parameters.scaling = appliedScaling_;
  applyParameters(parameters);
}

void Session::startSuggest() {
  jobs_.start<Suggestion>(
      JobKind::Suggest, tr("Looking for a sensible ε"),
      [cloud = cloud_, minPts = state_.parameters.dbscan.minPts](const Task& task) {
        return suggestEps(*cloud, minPts, task);
      },
      [this](Result<Suggestion> suggestion) {
        const bool wanted = std::exchange(awaitingSuggestion_, false);
        if (!suggestion) return report(JobKind::Suggest, suggestion.error());
        suggestedEps_ = suggestion->eps;
        epsRange_ = suggestion->range;
        Q_EMIT epsRangeChanged();
        if (wanted) adoptEps(suggestion->eps);
        startSweep();
      });
}

void Session::adoptEps(double eps) {
  // No step of its own: it belongs to the step that awaited it (or to the opening of the data), and
  // the steps made since were made in its expectation.
  for (int i = undo_.index() - 1; i >= 0; --i) {
    auto* command =
        const_cast<ParametersCommand*>(dynamic_cast<const ParametersCommand*>(undo_.command(i)));
    if (!command) break;
    command->amendAfter(eps);
    if (command->awaitsEps()) {
      command->settle();
      break;
    }
    command->amendBefore(eps);
  }
  if (dragging_) dragStart_.dbscan.eps = eps;
  state_.parameters.dbscan.eps = eps;
  Q_EMIT parametersChanged();
  costTimer_.start();
  requestRun();
}

void Session::dropResults() {
  for (const JobKind kind :
       {JobKind::Suggest, JobKind::Cluster, JobKind::Preview, JobKind::Statistics,
        JobKind::ColourValues, JobKind::Grid, JobKind::CostOfK, JobKind::KDistance, JobKind::Sweep})
    jobs_.cancel(kind);
  exactTimer_.stop();
  costTimer_.stop();
  runAgain_ = previewAgain_ = false;
  coloursFor_.reset();
  gridFor_.reset();
  dropPreview();
  dropKDistances();
  dropSweep();
  if (auto result = std::exchange(result_, nullptr)) {
    Q_EMIT resultChanged();
    retire(std::move(result));
  }
  if (std::exchange(statistics_, nullptr)) Q_EMIT statisticsChanged();
  if (std::exchange(colourValues_, nullptr)) Q_EMIT colourValuesChanged();
  if (auto cells = std::exchange(gridCells_, nullptr)) {
    Q_EMIT gridCellsChanged();
    retire(std::move(cells));
  }
  if (std::exchange(costModel_, nullptr)) Q_EMIT costModelChanged();
}

}  // namespace clusterloom
