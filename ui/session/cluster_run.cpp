#include "ui/session/cluster_run.h"

#include <QDateTime>
#include <algorithm>
#include <span>
#include <utility>

#include "engine/batch_history.h"
#include "engine/core/stopwatch.h"
#include "engine/dbscan/weighted_dbscan.h"
#include "engine/join/backend_kinds.h"
#include "ui/jobs/receiver.h"
#include "ui/session/every_eps.h"
#include "ui/session/follow_labels.h"
#include "ui/session/preview.h"
#include "ui/session/refinement.h"
#include "ui/session/session_data.h"
#include "ui/session/tree_colours.h"
#include "ui/words/engine_words.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

constexpr int kRunSettleMs = 120;  // an exact run of a large cloud starts when ε rests this long
// While ε is dragged, a run shorter than this follows each movement; longer ones wait, and the
// preview is shown.
constexpr double kLiveSeconds = 0.05;
constexpr std::size_t kLivePoints = 20000;  // the same, guessed before the first run
constexpr int kMostUnshownMs = 1000;        // for which the next run waits for a frame
constexpr std::size_t kMostRuns = 1000;

using Colours = std::shared_ptr<const std::vector<std::int32_t>>;

/// The colours of a result, and those of the tree that they come from.
struct FollowedColours {
  Colours colours;  ///< null: the numbers of the clusters
  std::shared_ptr<const TreeColours> tree;
};

struct FinishedRun {
  std::shared_ptr<const ClusterResult> result;
  bool follows = false;  ///< whether `followed` was asked for
  std::vector<std::int32_t> followed;
  FollowedColours colours;
};

/// Takes the labels at an ε from a hierarchy.
Result<Clustering> labelsFrom(const Hierarchy& hierarchy, double eps,
                              std::vector<std::uint32_t>& nodes) {
  const Stopwatch time;
  auto clustering = hierarchy.labels(eps, &nodes);
  if (clustering) clustering->stats.seconds.total = time.seconds();
  return clustering;
}

/// Whether clusters are selected, and so looked for in the next result.
bool selectsClusters(const SessionValues& values) { return !values.selection.clusters.empty(); }

/// The colours of a result through a hierarchy, from the ε where they start; `tree` are those
/// known.
FollowedColours followColours(const ClusterResult& result,
                              const std::shared_ptr<const Hierarchy>& hierarchy, double start,
                              std::shared_ptr<const TreeColours> tree, const Task& task) {
  if (!tree || !tree->isFrom(hierarchy, start)) {
    auto made = TreeColours::from(hierarchy, start, task);
    if (!made) return {};
    tree = std::make_shared<const TreeColours>(std::move(*made));
  }
  const double eps = result.parameters.dbscan.eps;
  if (eps == start) return {nullptr, tree};
  std::vector<std::uint32_t> nodes = result.nodes;
  // Another strategy has the same clusters.
  if (result.hierarchy != hierarchy && !hierarchy->labels(eps, &nodes)) return {nullptr, tree};
  return {std::make_shared<const std::vector<std::int32_t>>(tree->of(nodes)), tree};
}

/// Whether the parameters differ by no more than what the colours of clusters are followed through.
bool sharesColours(Parameters a, const Parameters& b) {
  a.dbscan.eps = b.dbscan.eps;
  a.strategy = b.strategy;
  a.refinements = b.refinements;
  return a == b;
}

}  // namespace

bool canStart(RunState state) {
  return state != RunState::NoCloud && state != RunState::Running && state != RunState::Current;
}

ClusterRun::ClusterRun(SessionData& data, const EveryEps& every, SessionValues values,
                       JobQueue& jobs, BackendMaker makeBackends, QObject* parent)
    : QObject(parent),
      data_(data),
      every_(every),
      values_(values),
      jobs_(jobs),
      makeBackends_(std::move(makeBackends)),
      exactTimer_(kRunSettleMs, [this] { startCluster(); }),
      unshownTimer_(kMostUnshownMs, [this] { noteShown(); }) {
  restoreEngine({});
  watchJobs();
}

void ClusterRun::watchJobs() {
  const auto concerns = [](JobKind kind) {
    return kind == JobKind::Cluster || kind == JobKind::Suggest || kind == JobKind::Scale;
  };
  connect(&jobs_, &JobQueue::started, this, [this, concerns](quint64, JobKind kind) {
    if (concerns(kind)) Q_EMIT stateChanged();
  });
  connect(&jobs_, &JobQueue::ended, this, [this, concerns](quint64, JobKind kind, JobEnd end) {
    if (kind == JobKind::Cluster && end == JobEnd::Done && std::exchange(runAgain_, false))
      request();
    if (kind == JobKind::Preview && end == JobEnd::Done && std::exchange(previewAgain_, false))
      startPreview();
    if (concerns(kind)) Q_EMIT stateChanged();
  });
}

RunState ClusterRun::state() const {
  if (!data_.cloud()) return RunState::NoCloud;
  if (isResultCurrent()) return RunState::Current;
  const bool sought = data_.awaitsEps() && jobs_.isActive(JobKind::Suggest);
  if (sought || exactTimer_.isActive() || runAgain_ || jobs_.isActive(JobKind::Cluster) ||
      jobs_.isActive(JobKind::Scale))
    return RunState::Running;
  return data_.awaitsEps() ? RunState::NeedsEps : ended_;
}

void ClusterRun::run() {
  if (data_.cloud() && data_.awaitsEps()) {
    ended_ = RunState::NotRun;
    if (!jobs_.isActive(JobKind::Suggest)) data_.startSuggest(values_.parameters.dbscan.minPts);
    return;
  }
  if (!isResultCurrent() && !isUnderWay()) startCluster();
}

void ClusterRun::setAutoRun(bool automatic) {
  if (std::exchange(autoRun_, automatic) == automatic) return;
  if (automatic && !isUnderWay()) request();
  Q_EMIT stateChanged();
}

void ClusterRun::stop() {
  if (state() == RunState::Running) ended_ = RunState::Stopped;
  stopJobs();
}

void ClusterRun::stopQuietly() {
  ended_ = RunState::NotRun;
  stopJobs();
}

void ClusterRun::stopJobs() {
  jobs_.cancel(JobKind::Cluster);
  stopWaiting();
  dropPreview();
}

bool ClusterRun::canRun() const {
  return data_.cloud() && !data_.awaitsEps() && data_.isApplied(values_.parameters);
}

bool ClusterRun::isResultCurrent() const {
  return result_ && result_->isOfRun() && result_->cloud == data_.cloud() &&
         result_->parameters == values_.parameters;
}

bool ClusterRun::isUnderWay() const {
  return jobs_.isActive(JobKind::Cluster) && !exactTimer_.isActive() && !runAgain_ &&
         running_ == values_.parameters;
}

void ClusterRun::request() {
  if (!canRun()) return;
  if (isResultCurrent()) {
    jobs_.cancel(JobKind::Cluster);
    exactTimer_.stop();
    runAgain_ = false;
    ended_ = RunState::NotRun;
    dropPreview();
    Q_EMIT stateChanged();
    return;
  }
  if (!autoRun_) {
    ended_ = RunState::NotRun;
    Q_EMIT stateChanged();
    return;
  }
  if (!values_.dragging) return startCluster();

  const bool isShort =
      every_.hierarchyFor(values_.parameters) ||
      (lastRunSeconds_ > 0 ? lastRunSeconds_ < kLiveSeconds : data_.cloud()->size() <= kLivePoints);
  if (isShort) {
    // Stopping the run for each movement would never show a result.
    if (!jobs_.isActive(JobKind::Cluster) && !unshownTimer_.isActive()) return startCluster();
    runAgain_ = true;
    Q_EMIT stateChanged();
    return;
  }
  jobs_.cancel(JobKind::Cluster);
  exactTimer_.start();
  if (jobs_.isActive(JobKind::Preview))
    previewAgain_ = true;
  else
    startPreview();
}

void ClusterRun::startCluster() {
  exactTimer_.stop();
  unshownTimer_.stop();
  runAgain_ = false;
  if (!canRun()) return;
  ended_ = RunState::NotRun;
  running_ = values_.parameters;
  const std::shared_ptr<const PointCloud> cloud = data_.cloud();
  const Receiver<BackendInUse> describes([this](const BackendInUse& inUse) {
    if (!(std::exchange(backendInUse_, inUse) == inUse)) Q_EMIT backendChanged();
  });
  jobs_.start<FinishedRun>(
      JobKind::Cluster, tr("Clustering %1 points").arg(count(cloud->size())),
      [describes, slot = backend_, cloud, prepared = data_.prepared(), scaling = data_.scaling(),
       weights = data_.weights(), parameters = running_, previous = result_,
       hierarchy = every_.hierarchyFor(running_), colourHierarchy = hierarchyOfColours(running_),
       start = startOfColours(running_), tree = tree_,
       follows = selectsClusters(values_)](const Job& job) -> Result<FinishedRun> {
        auto backend = slot->get(parameters.space, scaling);
        if (!backend) return tl::unexpected(backend.error());
        const BackendInUse inUse{.description = QString::fromStdString((*backend)->describe()),
                                 .remark = QString::fromStdString((*backend)->remark()),
                                 .devices = (*backend)->devices(),
                                 .limits = (*backend)->limits()};
        describes.deliver(job, inUse);
        std::vector<std::uint32_t> nodes;
        auto clustering = hierarchy ? labelsFrom(*hierarchy, parameters.dbscan.eps, nodes)
                                    : dbscanOf(**backend, *prepared, spanOf(weights),
                                               parameters.dbscan, parameters.strategy, job);
        if (clustering)
          clustering = refined(**backend, *cloud, weights, std::move(*clustering), parameters, job);
        if (!clustering) return tl::unexpected(clustering.error());

        auto result = std::make_shared<ClusterResult>();
        result->job = job.number();
        result->parameters = parameters;
        result->cloud = cloud;
        result->clustering = std::move(*clustering);
        result->hierarchy = hierarchy;
        result->nodes = std::move(nodes);
        std::vector<std::int32_t> followed;
        if (follows) followed = followLabels(previous.get(), result->clustering);
        FollowedColours colours;
        if (colourHierarchy && start)
          colours = followColours(*result, colourHierarchy, *start, tree, job);
        return FinishedRun{std::move(result), follows, std::move(followed), colours};
      },
      [this](Result<FinishedRun> run) {
        if (!run) {
          ended_ = RunState::Failed;
          return jobs_.report(JobKind::Cluster, run.error());
        }
        // Clusters were selected meanwhile.
        if (result_ && selectsClusters(values_) && !run->follows && canRun()) return startCluster();
        nextColours_ = run->colours.colours;
        keepTree(run->colours.tree);
        Q_EMIT finished(run->result, run->followed);
      });
}

void ClusterRun::accept(std::shared_ptr<const ClusterResult> result) {
  dropPreview();
  replaced_ = std::exchange(result_, std::move(result));
  colours_ = std::exchange(nextColours_, nullptr);
  if (viewed_ && values_.dragging) unshownTimer_.start();
  const Clustering& clustering = result_->clustering;
  if (!result_->isOfRun()) return;
  // That of a run, should the hierarchy go.
  if (!result_->hierarchy) lastRunSeconds_ = clustering.stats.seconds.total;

  // Without a tree all colours are numbers, and those on show will be the start.
  if (!every_.isEnabled())
    for (RunRecord& earlier : runs_) earlier.startsColours = false;
  RunRecord run;
  run.startsColours = !startOfColours(result_->parameters);
  run.job = result_->job;
  run.when = QDateTime::currentDateTime();
  run.parameters = result_->parameters;
  run.clusters = clustering.clusters;
  run.noise = clustering.noiseCount;
  run.points = clustering.labels.size();
  run.stats = clustering.stats;
  run.stats.passes.clear();  // they hold an order of all points
  run.stats.owners.reset();
  for (RankStats& rank : run.stats.ranks) rank.spans.clear();
  if (runs_.size() >= kMostRuns) {
    const auto oldest = std::find_if(runs_.begin(), runs_.end(),
                                     [](const RunRecord& r) { return !r.startsColours; });
    runs_.erase(oldest != runs_.end() ? oldest : runs_.begin());
  }
  runs_.push_back(std::move(run));
}

void ClusterRun::announceResult() {
  Q_EMIT resultChanged();
  Q_EMIT runsChanged();
  Q_EMIT stateChanged();
  jobs_.retire(std::exchange(replaced_, nullptr));
  updateColours();
}

std::optional<double> ClusterRun::startOfColours(const Parameters& parameters) const {
  const auto start = std::find_if(runs_.begin(), runs_.end(), [&](const RunRecord& run) {
    return run.startsColours && sharesColours(run.parameters, parameters);
  });
  if (start == runs_.end()) return std::nullopt;
  return start->parameters.dbscan.eps;
}

std::shared_ptr<const Hierarchy> ClusterRun::hierarchyOfColours(Parameters parameters) const {
  parameters.strategy = {};
  return every_.hierarchyFor(parameters);
}

void ClusterRun::keepTree(const std::shared_ptr<const TreeColours>& tree) {
  if (tree && tree != tree_) jobs_.retire(std::exchange(tree_, tree));
}

void ClusterRun::updateColours() {
  if (!result_ || !result_->isOfRun()) return;
  const auto hierarchy = hierarchyOfColours(result_->parameters);
  const auto start = startOfColours(result_->parameters);
  if (!hierarchy || !start) return;
  const bool known = colours_ || result_->parameters.dbscan.eps == *start;
  if (known && tree_ && tree_->isFrom(hierarchy, *start)) return;
  jobs_.start<FollowedColours>(
      JobKind::ClusterColours, {},
      [result = result_, hierarchy, start = *start,
       tree = tree_](const Task& task) -> Result<FollowedColours> {
        return followColours(*result, hierarchy, start, tree, task);
      },
      [this, of = result_->job](Result<FollowedColours> found) {
        keepTree(found->tree);
        if (!found->tree || !result_ || !result_->isOfRun() || result_->job != of) return;
        const bool alike = colours_ == found->colours ||
                           (colours_ && found->colours && *colours_ == *found->colours);
        colours_ = found->colours;
        if (!alike) Q_EMIT coloursChanged();
      });
}

void ClusterRun::setViewed(bool viewed) {
  viewed_ = viewed;
  if (!viewed) noteShown();
}

void ClusterRun::noteShown() {
  unshownTimer_.stop();
  if (!jobs_.isActive(JobKind::Cluster) && std::exchange(runAgain_, false)) request();
}

void ClusterRun::startPreview() {
  previewAgain_ = false;
  const std::shared_ptr<const PreviewSample> sample = data_.ready().sample;
  if (!canRun() || !values_.dragging || !sample) return;
  jobs_.start<PreviewClustering>(
      JobKind::Preview, tr("Preview"),
      [sample, asked = values_.parameters.dbscan, previous = result_, colours = colours_,
       space = data_.space(), scaling = data_.scaling(),
       weights = data_.weights()](const Task& task) {
        std::span<const std::int32_t> ofClusters;
        if (colours) ofClusters = *colours;
        return previewOf(*sample, asked, space, scaling, weights, previous.get(), ofClusters, task);
      },
      [this, note = values_.parameters.refinements.empty()
                        ? QString()
                        : tr(", without the selections clustered on their own")](
          Result<PreviewClustering> preview) {
        // The exact run reports an error.
        if (!preview || isResultCurrent()) return;
        preview->text += note;
        preview_ = std::make_shared<const PreviewClustering>(std::move(*preview));
        Q_EMIT previewChanged();
      });
}

void ClusterRun::dropPreview() {
  jobs_.cancel(JobKind::Preview);
  previewAgain_ = false;
  if (std::exchange(preview_, nullptr)) Q_EMIT previewChanged();
}

void ClusterRun::stopWaiting() {
  exactTimer_.stop();
  unshownTimer_.stop();
  runAgain_ = previewAgain_ = false;
}

void ClusterRun::drop() {
  jobs_.cancel(JobKind::Cluster);
  stopWaiting();
  dropPreview();
  ended_ = RunState::NotRun;
  lastRunSeconds_ = 0;
  jobs_.cancel(JobKind::ClusterColours);
  colours_.reset();
  jobs_.retire(std::exchange(tree_, nullptr));
  if (auto result = std::exchange(result_, nullptr)) {
    Q_EMIT resultChanged();
    jobs_.retire(std::move(result));
  }
}

void ClusterRun::setEngine(const EngineChoice& engine) {
  EngineChoice to = engine;
  to.threads = std::max(to.threads, 0);
  if (to.ranks <= 1) to.ranks = 0;
  if (to == engine_) return;
  const bool sameBackend =
      to.backend == engine_.backend && to.threads == engine_.threads && to.device == engine_.device;
  BackendInUse before = std::exchange(backendInUse_, {});
  restoreEngine(to);
  // The GPUs stay listed while their backend is made again.
  if (sameBackend) backendInUse_.devices = std::move(before.devices);
  Q_EMIT engineChosen();
  Q_EMIT backendChanged();
  // Labels that are of no run stay: the engine has no part in them.
  if (canRun() && autoRun_ && (!result_ || result_->isOfRun())) startCluster();
}

void ClusterRun::setBackend(const QString& name, int threads) {
  EngineChoice to = engine_;
  to.backend = name;
  to.threads = threads;
  setEngine(to);
}

void ClusterRun::setDevice(int device) {
  EngineChoice to = engine_;
  to.device = device;
  setEngine(to);
}

void ClusterRun::setRanks(int ranks, std::vector<int> devices) {
  EngineChoice to = engine_;
  to.ranks = ranks;
  to.rankDevices = std::move(devices);
  setEngine(to);
}

void ClusterRun::restoreEngine(const EngineChoice& engine) {
  engine_ = engine;
  const auto slot = [this](const QString& of) {
    BackendOptions options;
    options.threads = engine_.threads;
    options.batchHistory = batchHistoryFile();
    // The others refuse a device; it is kept for when a GPU is chosen again.
    const BackendKind kind = backendKind(of.toStdString());
    if (kind.onDevice) options.device = engine_.device;
    if (of != engine_.backend) return std::make_shared<BackendSlot>(makeBackends_, of, options);
    options.ranks = engine_.ranks;
    if (kind.sharesDevices && !engine_.rankDevices.empty()) {
      options.device = -1;
      options.devices = engine_.rankDevices;
      if (options.ranks == 0) options.ranks = kRankADevice;
    }
    return std::make_shared<BackendSlot>(makeBackends_, of, options);
  };
  backend_ = slot(engine_.backend);
  const auto other = [&](const QString& of) { return engine_.backend == of ? backend_ : slot(of); };
  fastest_ = other(QStringLiteral("auto"));
  hybrid_ = other(QString::fromUtf8(kSharingBackend));
  backendInUse_ = {};
}

void ClusterRun::prepareBackend() {
  jobs_.start(JobKind::StartBackend, tr("Starting the engine"),
              [slot = backend_](const Job&) { (void)slot->get(); });
}

std::optional<int> ClusterRun::fastestDevice() const {
  if (fastest_ == backend_ && !engine_.rankDevices.empty()) return std::nullopt;
  return engine_.device;
}

QString ClusterRun::backendDescription() const {
  return backendInUse_.description.isEmpty() ? engine_.backend
                                             : engineList(backendInUse_.description.toStdString());
}

}  // namespace clusterloom
