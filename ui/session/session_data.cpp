#include "ui/session/session_data.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <chrono>
#include <utility>

#include "engine/cloud/coordinate_order.h"
#include "ui/jobs/receiver.h"
#include "ui/session/cloud_load.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

OpenRequest requestOf(const SessionState& state) {
  OpenRequest request;
  static_cast<CloudChoice&>(request) = state.parameters;
  request.path = state.dataPath;
  request.read = state.read;
  request.sample = state.sample;
  request.eps = state.parameters.dbscan.eps;
  return request;
}

bool isMissing(const CloudState& cloud) {
  return !cloud.sample && !QFileInfo::exists(cloud.dataPath);
}

/// Leaves out the clouds of a session whose files are gone, as long as one is there; returns what
/// to say about it. The next of them is on show where the one on show is gone.
QString leaveOutMissing(SessionState& state) {
  if (state.others.empty()) return {};
  std::vector<CloudState> clouds = state.others;
  clouds.insert(clouds.begin() + state.position, cloudOf(state));
  if (std::all_of(clouds.begin(), clouds.end(), isMissing)) return {};
  QStringList missing;
  std::optional<CloudState> shown;
  state.others.clear();
  const int wanted = state.position;
  state.position = 0;
  for (std::size_t i = 0; i < clouds.size(); ++i) {
    if (isMissing(clouds[i])) {
      missing << QDir::toNativeSeparators(clouds[i].dataPath);
    } else if (!shown && static_cast<int>(i) >= wanted) {
      shown = clouds[i];
      state.position = static_cast<int>(state.others.size());
    } else {
      state.others.push_back(clouds[i]);
    }
  }
  if (!shown) {
    shown = state.others.back();
    state.others.pop_back();
    state.position = static_cast<int>(state.others.size());
  }
  setCloud(state, *shown);
  if (missing.isEmpty()) return {};
  return SessionData::tr(
             "The session also names clouds whose files are gone: %1. The others were opened.")
      .arg(missing.join(QStringLiteral(", ")));
}

/// BadInput unless a cloud can be compared with those that are open.
Result<void> checkDimensions(const BesideOrder& beside, const Dataset& dataset,
                             const QString& name) {
  const std::size_t dims = dataset.cloud.dims();
  if (beside.dims == 0 || dims == beside.dims) return {};
  return badInput(SessionData::tr("%1 has %2, but the open clouds have %3. Only clouds with the "
                                  "same number of dimensions can be compared.")
                      .arg(name, countedDimensions(dims))
                      .arg(beside.dims)
                      .toStdString());
}

/// Why a load failed, and the file that it concerns.
struct LoadFailure {
  LoadOrder order;
  Error error;
  QString path;
};

/// The whole load: the session file, if there is one, then the data and its cloud.
tl::expected<LoadedData, LoadFailure> load(const LoadOrder& order, const Task& task,
                                           const PartialReads& partial) {
  LoadedData loaded;
  loaded.order = order;
  const auto fails = [&](const Error& error, const QString& path) {
    return tl::unexpected(LoadFailure{loaded.order, error, path});
  };
  if (!order.sessionPath.isEmpty()) {
    auto state = loadSessionFile(order.sessionPath);
    if (!state) return fails(state.error(), order.sessionPath);
    loaded.restored = std::move(*state);
    loaded.warning = leaveOutMissing(*loaded.restored);
    loaded.order.request = requestOf(*loaded.restored);
    if (order.request.read.skipNonFinite) loaded.order.request.read.skipNonFinite = true;
    if (order.request.read.every > 1) loaded.order.request.read.every = order.request.read.every;
    if (!loaded.order.request.sample && loaded.order.request.path.isEmpty())
      return fails(
          Error{ErrorKind::BadInput, SessionData::tr("The session names no data.").toStdString()},
          order.sessionPath);
  }
  const OpenRequest& wanted = loaded.order.request;
  const BesideOrder* const beside = order.beside ? &*order.beside : nullptr;
  CloudState left;  // how the cloud was left when it was on show last
  if (beside != nullptr) left = beside->state;
  if (loaded.restored) left = cloudOf(*loaded.restored);
  if (beside != nullptr && beside->whole) {
    loaded.dataset = beside->whole;
    loaded.stamp = beside->stamp;
  } else {
    if (!wanted.sample) loaded.stamp = stampOf(wanted.path.toStdString());
    auto dataset = readOrGenerate(wanted, task, partial);
    if (!dataset) return fails(dataset.error(), wanted.path);
    QStringList warnings{loaded.warning, changeOf(left, *dataset)};
    if (left.dataHash.isEmpty()) warnings += columnRemarks(*dataset);  // else they were said before
    warnings.removeAll(QString());
    loaded.warning = warnings.join(QLatin1Char('\n'));
    loaded.dataset = std::make_shared<const Dataset>(std::move(*dataset));
  }
  if (beside != nullptr) {
    const QString name = wanted.sample ? QString::fromStdString(wanted.sample->kind)
                                       : QFileInfo(wanted.path).fileName();
    if (auto same = checkDimensions(*beside, *loaded.dataset, name); !same)
      return fails(same.error(), wanted.path);
  }
  std::vector<PointSet> named{wanted.kept};
  for (const Refinement& refinement : left.refinements) named.push_back(refinement.points);
  for (const PointSet& points : named)
    if (auto known = checkPoints(points, *loaded.dataset); !known)
      return fails(known.error(), loaded.restored ? order.sessionPath : wanted.path);
  if (beside != nullptr && beside->ready) {
    CloudChoice choice = wanted;
    choice.space = inOrderOfNames(choice.space, loaded.dataset->cloud);
    if (beside->ready->choice == choice) {
      loaded.ready = *beside->ready;
      loaded.ready.prepared = std::make_shared<const PreparedCloud>(loaded.ready.cloud);
      loaded.order.beside->ready
          .reset();  // no longer needed, and not to be freed where it is accepted
      return loaded;
    }
  }
  auto ready = readyCloud(loaded.dataset, wanted, task);
  if (!ready) return fails(ready.error(), wanted.path);
  loaded.ready = std::move(*ready);
  if (beside != nullptr) loaded.order.beside->ready.reset();
  return loaded;
}

}  // namespace

SessionData::SessionData(JobQueue& jobs, QObject* parent) : QObject(parent), jobs_(jobs) {}

QString SessionData::dataName() const {
  if (!dataset()) return {};
  if (!source_.sample) return QFileInfo(source_.path).fileName();
  return tr("%1 (generated)").arg(QString::fromStdString(source_.sample->kind));
}

void SessionData::openFile(const QString& path, const ReadOptions& options) {
  OpenRequest request;
  request.path = path;
  request.read = options;
  open(request);
}

void SessionData::openSample(const GeneratorSpec& spec) {
  OpenRequest request;
  request.sample = spec;
  open(request);
}

void SessionData::open(const OpenRequest& request) {
  LoadOrder order;
  order.request = request;
  if (!request.sample) order.request.path = QFileInfo(request.path).absoluteFilePath();
  startLoad(order);
}

void SessionData::openSession(const QString& path, bool recovering) {
  LoadOrder order;
  order.sessionPath = QFileInfo(path).absoluteFilePath();
  order.recovering = recovering;
  startLoad(order);
}

void SessionData::openBeside(LoadOrder order) { startLoad(std::move(order)); }

void SessionData::retrySkippingNonFinite() {
  if (!failedLoad_) return;
  LoadOrder order = *failedLoad_;
  order.request.read.skipNonFinite = true;
  startLoad(order);
}

void SessionData::retryReadingEvery(std::uint64_t every) {
  if (!failedLoad_) return;
  LoadOrder order = *failedLoad_;
  order.request.read.every = every;
  startLoad(order);
}

void SessionData::startLoad(LoadOrder order) {
  failedLoad_.reset();
  const OpenRequest& request = order.request;
  const QString file = order.sessionPath.isEmpty() ? request.path : order.sessionPath;
  const bool held = order.beside && order.beside->whole;
  const QString title = request.sample && !held
                            ? tr("Generating %1 points").arg(count(request.sample->points))
                            : tr("Opening %1").arg(QFileInfo(file).fileName());
  using Outcome = tl::expected<LoadedData, LoadFailure>;
  setPartial(nullptr);
  const Receiver<PartialRead> samples([this](const PartialRead& partial) {
    setPartial(std::make_shared<const PartialRead>(partial));
  });
  const Receiver<Outcome> ends([this](const Outcome& outcome) {
    setPartial(nullptr);
    if (outcome) {
      Q_EMIT loaded(*outcome);
      return;
    }
    const LoadFailure& failure = outcome.error();
    if (failure.error.kind != ErrorKind::Cancelled) failedLoad_ = failure.order;
    jobs_.report(JobKind::Load, failure.error, failure.path);
  });
  jobs_.start(
      JobKind::Load, title,
      [order = std::move(order), samples, ends](const Job& job) {
        PartialReads partial;
        partial.interval = std::chrono::milliseconds(100);  // longer is no blink
        partial.deliver = [&](const PartialRead& read) { samples.deliver(job, read); };
        ends.deliver(job, load(order, job.task(), partial));
      },
      [this](JobEnd) { setPartial(nullptr); });
}

void SessionData::setPartial(std::shared_ptr<const PartialRead> partial) {
  if (partial == partial_) return;
  partial_ = std::move(partial);
  Q_EMIT partialChanged();
}

void SessionData::acceptDataset(const LoadedData& loaded) {
  const OpenRequest& request = loaded.order.request;
  ReadyCloud ready;
  ready.dataset = loaded.ready.dataset;
  ready.choice.kept = loaded.ready.choice.kept;
  ready.choice.keptRows = loaded.ready.choice.keptRows;
  replace(std::move(ready));
  jobs_.retire(std::exchange(whole_, loaded.dataset));
  source_.path = request.sample ? QString() : request.path;
  source_.hash = QString::fromStdString(whole_->source.hash);
  source_.stamp = loaded.stamp;
  source_.read = request.read;
  source_.sample = request.sample;
  awaitsEps_ = !request.eps.has_value();
}

void SessionData::acceptCloud(const ReadyCloud& ready) {
  replace(ready);
  suggestion_.reset();
  Q_EMIT cloudChanged();
}

void SessionData::replace(ReadyCloud ready) {
  jobs_.retire(std::make_shared<const ReadyCloud>(std::exchange(ready_, std::move(ready))));
}

void SessionData::announceDataset() {
  Q_EMIT dataChanged();
  if (!dataset()) Q_EMIT cloudChanged();
}

void SessionData::clear() {
  source_ = {};
  replace({});
  jobs_.retire(std::exchange(whole_, nullptr));
  awaitsEps_ = false;
  suggestion_.reset();
}

void SessionData::startScale(const CloudChoice& choice) {
  const CloudChoice& now = ready_.choice;
  const bool scaling = !(choice.scaling == now.scaling) || !(choice.space == now.space);
  const bool weighing = choice.weights != now.weights;
  jobs_.start<ReadyCloud>(
      JobKind::Scale,
      scaling    ? tr("Scaling")
      : weighing ? tr("Taking weights")
                 : tr("Taking points"),
      [whole = whole_, choice](const Task& task) { return readyCloud(whole, choice, task); },
      [this](Result<ReadyCloud> ready) {
        if (ready) {
          Q_EMIT scaled(*ready);
          return;
        }
        jobs_.report(JobKind::Scale, ready.error());
        Q_EMIT scalingFailed();
      },
      [this](JobEnd end) {
        if (end == JobEnd::Threw) Q_EMIT scalingFailed();
      });
}

void SessionData::startSuggest(std::int64_t minPts) {
  jobs_.start<Suggestion>(
      JobKind::Suggest, tr("Searching for a suitable ε"),
      [cloud = cloud(), space = space(), scaling = scaling(), weighted = weights() != nullptr,
       minPts = neighboursOf(minPts, ready_.meanWeight)](const Task& task) {
        auto suggestion = suggestEps(*cloud, space, scaling, minPts, task);
        if (suggestion && weighted) suggestion->isExact = false;
        return suggestion;
      },
      [this](Result<Suggestion> suggestion) {
        // Without a suggestion ε stays unknown.
        const bool awaited = suggestion && std::exchange(awaitsEps_, false);
        if (!suggestion) return jobs_.report(JobKind::Suggest, suggestion.error());
        suggestion_ = *suggestion;
        epsRange_ = suggestion->range;
        Q_EMIT epsRangeChanged();
        Q_EMIT epsSuggested(suggestion->eps, awaited);
      });
}

}  // namespace clusterloom
