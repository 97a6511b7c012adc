#include "ui/session/open_clouds.h"

#include <QDir>
#include <QFileInfo>
#include <QMap>
#include <QSet>
#include <QStringList>
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "ui/session/added_points.h"
#include "ui/session/cluster_run.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

QString nameOf(const CloudState& cloud) {
  if (!cloud.sample) return QFileInfo(cloud.dataPath).fileName();
  return OpenClouds::tr("%1 (generated)").arg(QString::fromStdString(cloud.sample->kind));
}

/// A result without the clusters of every ε.
std::shared_ptr<const ClusterResult> slimmed(const ClusterResult& result) {
  auto slim = std::make_shared<ClusterResult>(result);
  slim->hierarchy.reset();
  slim->nodes = {};
  return slim;
}

}  // namespace

OpenClouds::OpenClouds(SessionData& data, const ClusterRun& run, SessionFiles& files,
                       const Parameters& parameters, std::function<SessionState()> state,
                       JobQueue& jobs, QObject* parent)
    : QObject(parent),
      data_(data),
      run_(run),
      files_(files),
      parameters_(parameters),
      state_(std::move(state)),
      jobs_(jobs) {
  connect(&jobs_, &JobQueue::ended, this, [this](quint64 job, JobKind, JobEnd end) {
    if (job != load_) return;
    const bool over = end == JobEnd::Done || end == JobEnd::Threw;
    if (over && closing_ != 0 && number(current_) == closing_) return closeForAnother();
    closing_ = 0;
    Q_EMIT changed();
  });
}

QStringList OpenClouds::titles() const {
  std::vector<CloudState> states = others();
  if (count() > 0) states.insert(states.begin() + current_, cloudOf(state_()));
  QMap<QString, QSet<QString>> paths;  // of each name
  for (const CloudState& state : states) paths[nameOf(state)].insert(state.dataPath);
  QMap<QString, int> uses;
  QStringList names;
  for (const CloudState& state : states) {
    QString name = nameOf(state);
    if (paths[name].size() > 1)
      name.prepend(QFileInfo(state.dataPath).dir().dirName() + QLatin1Char('/'));
    const int use = ++uses[name];
    names << (use == 1 ? name : tr("%1 (%2)").arg(name).arg(use));
  }
  return names;
}

QString OpenClouds::description(int index) const {
  const CloudState state =
      index == current_ ? cloudOf(state_()) : clouds_[static_cast<std::size_t>(index)].state;
  return state.sample ? nameOf(state) : QDir::toNativeSeparators(state.dataPath);
}

std::vector<CloudState> OpenClouds::others() const {
  std::vector<CloudState> states;
  for (int i = 0; i < count(); ++i)
    if (i != current_) states.push_back(clouds_[static_cast<std::size_t>(i)].state);
  return states;
}

int OpenClouds::indexOf(quint64 number) const {
  const auto at = std::find_if(clouds_.begin(), clouds_.end(),
                               [&](const HeldCloud& cloud) { return cloud.number == number; });
  return at == clouds_.end() ? -1 : static_cast<int>(at - clouds_.begin());
}

bool OpenClouds::isShowing() const {
  return jobs_.isActive(JobKind::Load) && jobs_.newest(JobKind::Load) == load_;
}

int OpenClouds::wanted() const {
  const int awaited = isShowing() ? indexOf(awaited_) : -1;
  return awaited < 0 ? current_ : awaited;
}

// --- opening and showing

void OpenClouds::add(const OpenRequest& request) {
  if (count() == 0) return data_.open(request);
  start(request, {});
}

void OpenClouds::replace(const OpenRequest& request) {
  if (count() <= 1) return data_.open(request);
  BesideOrder beside;
  beside.closes = number(current_);
  start(request, std::move(beside));
}

void OpenClouds::addFile(const QString& path) {
  OpenRequest request;
  request.path = path;
  // The columns of a file of another kind have other names.
  const bool sameKind = QFileInfo(path).suffix() == QFileInfo(data_.source().path).suffix();
  if (sameKind) request.read = data_.readOptions();
  request.read.every = 1;
  add(request);
}

void OpenClouds::show(int index) {
  if (index == wanted()) return;
  if (index == current_)
    jobs_.cancel(JobKind::Load);
  else
    start(clouds_[static_cast<std::size_t>(index)], 0);
}

bool OpenClouds::hasOwnWork(int index) const {
  const CloudState state =
      index == current_ ? cloudOf(state_()) : clouds_[static_cast<std::size_t>(index)].state;
  return state.kept || !state.refinements.empty() || !state.addedPath.isEmpty();
}

void OpenClouds::close(int index) {
  if (count() <= 1) return Q_EMIT closeRequested();
  if (index == current_) {
    unreadable_.clear();
    return closeFor(index + 1 < count() ? index + 1 : index - 1);
  }
  // It may be about to be shown.
  if (index == wanted()) jobs_.cancel(JobKind::Load);
  retire(clouds_[static_cast<std::size_t>(index)]);
  clouds_.erase(clouds_.begin() + index);
  if (index < current_) --current_;
  files_.markModified();
  Q_EMIT changed();
}

void OpenClouds::closeFor(int next) {
  const quint64 closing = number(current_);
  start(clouds_[static_cast<std::size_t>(next)], closing);
  closing_ = closing;  // the end of an earlier load has cleared it
}

/// What was to take the place of the cloud on show could not be read: another one does, first one
/// that is in memory, then the nearest.
void OpenClouds::closeForAnother() {
  closing_ = 0;
  unreadable_.insert(awaited_);
  const auto rank = [this](int index) {
    const bool inMemory = clouds_[static_cast<std::size_t>(index)].whole != nullptr;
    return std::pair(!inMemory, std::abs(index - current_));
  };
  int next = -1;
  for (int i = 0; i < count(); ++i) {
    if (i == current_ || unreadable_.count(number(i)) > 0) continue;
    if (next < 0 || rank(i) < rank(next)) next = i;
  }
  if (next < 0) return Q_EMIT closeRequested();
  closeFor(next);
}

void OpenClouds::move(int from, int to) {
  if (from == to) return;
  const quint64 shown = number(current_);
  HeldCloud moved = std::move(clouds_[static_cast<std::size_t>(from)]);
  clouds_.erase(clouds_.begin() + from);
  clouds_.insert(clouds_.begin() + to, std::move(moved));
  current_ = indexOf(shown);
  files_.markModified();
  Q_EMIT changed();
}

void OpenClouds::start(const HeldCloud& cloud, quint64 closes) {
  BesideOrder beside;
  beside.number = cloud.number;
  beside.closes = closes;
  beside.state = cloud.state;
  beside.whole = cloud.whole;
  beside.stamp = cloud.stamp;
  beside.ready = cloud.ready;
  OpenRequest request;
  request.path = cloud.state.dataPath;
  request.read = cloud.state.read;
  request.sample = cloud.state.sample;
  start(request, std::move(beside));
}

void OpenClouds::start(const OpenRequest& request, BesideOrder beside) {
  LoadOrder order;
  order.request = request;
  if (!request.sample) order.request.path = QFileInfo(request.path).absoluteFilePath();
  order.request.eps = parameters_.dbscan.eps;
  static_cast<CloudChoice&>(order.request) = parameters_;
  order.request.kept = beside.state.kept;
  order.request.keptRows = beside.state.keptRows;
  beside.dims = data_.whole()->cloud.dims();
  closing_ = 0;
  awaited_ = beside.number;
  order.beside = std::move(beside);
  data_.openBeside(std::move(order));
  load_ = jobs_.newest(JobKind::Load);
}

// --- what the session calls

void OpenClouds::accept(const LoadedData& loaded) {
  clear();
  current_ = 0;
  if (loaded.restored) {
    for (const CloudState& state : loaded.restored->others) {
      HeldCloud cloud;
      cloud.number = ++lastNumber_;
      cloud.state = state;
      clouds_.push_back(std::move(cloud));
    }
    current_ = loaded.restored->position;
  }
  HeldCloud shown;
  shown.number = ++lastNumber_;
  clouds_.insert(clouds_.begin() + current_, std::move(shown));
  Q_EMIT changed();
}

HeldCloud OpenClouds::shown() const {
  HeldCloud shown;
  shown.number = number(current_);
  shown.state = cloudOf(state_());
  shown.state.selection.hoveredPoint = shown.state.selection.hoveredCell = -1;
  shown.state.selection.cell = shown.state.selection.warp = -1;  // of a grid that goes
  shown.state.selection.row.reset();                             // of a picture that goes
  // Those that are still sought are not found any more.
  if (auto& rows = shown.state.selection.rows; rows && !rows->isComplete) rows.reset();
  shown.whole = data_.whole();
  shown.stamp = data_.source().stamp;
  auto ready = std::make_shared<ReadyCloud>(data_.ready());
  ready->prepared.reset();
  shown.ready = std::move(ready);
  shown.result = run_.result();
  return shown;
}

HeldCloud OpenClouds::change(const LoadedData& loaded) {
  Q_EMIT leaving();
  const BesideOrder& order = *loaded.order.beside;
  HeldCloud& place = clouds_[static_cast<std::size_t>(current_)];
  if (order.closes == place.number) {
    clouds_.erase(clouds_.begin() + current_);
    --current_;
  } else {
    place = shown();
    place.runs = run_.runs();
    slim(place);
  }
  HeldCloud next;
  int index = indexOf(order.number);
  if (index < 0) {
    index = current_ + 1;
    next.number = ++lastNumber_;
    HeldCloud shown;
    shown.number = next.number;
    clouds_.insert(clouds_.begin() + index, std::move(shown));
  } else {
    HeldCloud shown;
    shown.number = order.number;
    next = std::exchange(clouds_[static_cast<std::size_t>(index)], std::move(shown));
  }
  current_ = index;
  // After the session has accepted it.
  QMetaObject::invokeMethod(this, &OpenClouds::changed, Qt::QueuedConnection);
  return next;
}

void OpenClouds::clear() {
  for (HeldCloud& cloud : clouds_) retire(cloud);
  clouds_.clear();
  current_ = 0;
  Q_EMIT changed();
}

bool OpenClouds::fits(const ClusterResult& result,
                      const std::shared_ptr<const PointCloud>& cloud) const {
  return result.cloud == cloud && result.isBy(parameters_);
}

void OpenClouds::keep(const HeldCloud& found) {
  const int index = indexOf(found.number);
  if (index < 0 || index == current_) return;
  HeldCloud& cloud = clouds_[static_cast<std::size_t>(index)];
  if (cloud.result && cloud.result != found.result) {
    // Clusters have other numbers by now.
    cloud.state.selection.clusters.clear();
    std::erase_if(cloud.state.display.hidden, [](std::int32_t label) { return label != kNoise; });
  }
  cloud.whole = found.whole;
  cloud.stamp = found.stamp;
  jobs_.retire(std::exchange(cloud.ready, found.ready));
  jobs_.retire(std::exchange(cloud.result, found.result));
}

/// Releases the hierarchy that a result came from; copying its labels is work for a job.
void OpenClouds::slim(const HeldCloud& cloud) {
  if (!cloud.result || !cloud.result->hierarchy) return;
  using Slim = std::shared_ptr<const ClusterResult>;
  jobs_.start<Slim>(
      JobKind::Retire, {},
      [result = cloud.result](const Task&) -> Result<Slim> { return slimmed(*result); },
      [this, number = cloud.number, full = std::weak_ptr(cloud.result)](Result<Slim> slim) {
        const int index = indexOf(number);
        if (index < 0) return;
        HeldCloud& held = clouds_[static_cast<std::size_t>(index)];
        if (held.result && held.result == full.lock())
          jobs_.retire(std::exchange(held.result, std::move(*slim)));
      });
}

void OpenClouds::retire(HeldCloud& cloud) {
  jobs_.retire(std::exchange(cloud.result, nullptr));
  jobs_.retire(std::exchange(cloud.ready, nullptr));
  jobs_.retire(std::exchange(cloud.whole, nullptr));
}

}  // namespace clusterloom
