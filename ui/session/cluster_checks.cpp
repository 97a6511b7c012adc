#include "ui/session/cluster_checks.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include "ui/session/backend_slot.h"
#include "ui/session/cluster_run.h"
#include "ui/session/derived_results.h"
#include "ui/session/every_eps.h"
#include "ui/session/session_data.h"

namespace clusterloom {

namespace {

constexpr int kSettleMs = 300;        // of rest before checks start by themselves
constexpr double kAskedSeconds = 20;  // what starts at once when a person wants checks
constexpr double kMomentSeconds = 2;  // what starts by itself with another result
// Of DBCV, measured: a pair of points, and each of its coordinates.
constexpr double kSecondsPerPair = 2.7e-9;
constexpr double kSecondsPerCoordinate = 0.3e-9;
constexpr double kSecondsPerSampled = 2e-7;   // of drawing, copying and comparing a point
constexpr double kSecondsPerLabelled = 1e-6;  // of DBSCAN, before there was a run

/// Whether clusters of these parameters differ by ε alone.
bool differByEps(Parameters a, const Parameters& b) {
  a.dbscan.eps = b.dbscan.eps;
  a.strategy = b.strategy;  // all give the same
  return a == b;
}

}  // namespace

double FoundAgain::share() const {
  double sum = 0;
  double points = 0;
  for (const ClusterStability& cluster : clusters) {
    if (cluster.samples == 0) continue;
    sum += double(cluster.points) * cluster.found / cluster.samples;
    points += double(cluster.points);
  }
  return sum / points;
}

ClusterChecks::ClusterChecks(const SessionData& data, const ClusterRun& run,
                             const DerivedResults& derived, const EveryEps& everyEps,
                             const bool& dragging, JobQueue& jobs, QObject* parent)
    : QObject(parent),
      data_(data),
      run_(run),
      derived_(derived),
      everyEps_(everyEps),
      dragging_(dragging),
      jobs_(jobs),
      settle_(kSettleMs,
              [this] {
                if (dragging_) return settle_.start();
                startWithin(limit_);
              }),
      validity_(
          jobs_, JobKind::Validity, [this] { Q_EMIT changed(); }, {}, [this] { Q_EMIT changed(); }),
      foundAgain_(
          jobs_, JobKind::FoundAgain,
          [this] {
            keepFoundAgain();
            Q_EMIT changed();
          },
          {}, [this] { Q_EMIT changed(); }),
      persistence_(jobs_, JobKind::Persistence, [this] { Q_EMIT changed(); }) {
  connect(&run_, &ClusterRun::resultChanged, this, &ClusterChecks::follow);
  connect(&derived_, &DerivedResults::statisticsChanged, this, [this] {
    if (wanted_ && limit_ > 0 && derived_.statistics()) settle_.start();
  });
  connect(&everyEps_, &EveryEps::hierarchyChanged, this, [this] {
    if (!wanted_) return;
    updatePersistence();
    Q_EMIT changed();
  });
}

void ClusterChecks::setWanted(bool wanted) {
  if (std::exchange(wanted_, wanted) == wanted) return;
  settle_.stop();
  if (wanted) {
    startWithin(kAskedSeconds);
  } else {
    drop();
    checkedEps_.clear();
    checkedCloud_.reset();
  }
  Q_EMIT changed();
}

void ClusterChecks::drop() {
  limit_ = 0;
  settle_.stop();
  validity_.drop();
  foundAgain_.drop();
  persistence_.drop();
}

void ClusterChecks::follow() {
  const Clusters result = run_.result();
  if (result && (validity_.isAsked(result) || foundAgain_.isAsked(result))) return;
  if (!result || checkedCloud_ != result->cloud || !differByEps(checkedWith_, result->parameters)) {
    checkedEps_.clear();
    checkedCloud_.reset();
  }
  drop();
  if (wanted_ && result) {
    limit_ = kMomentSeconds;
    settle_.start();
  }
  if (wanted_) Q_EMIT changed();
}

QString ClusterChecks::refusal(Check check) const {
  const Clusters result = run_.result();
  if (!result) return {};
  if (!result->parameters.weights.isEmpty()) return tr("not for points with weights");
  if (check == Check::Validity)
    return result->parameters.space.isEuclidean() ? QString() : tr("for Euclidean distances only");
  if (!result->isOfRun()) return tr("for clusters of DBSCAN only");
  if (!result->parameters.refinements.empty())
    return tr("not where selections are clustered on their own");
  return {};
}

double ClusterChecks::seconds(Check check) const {
  const Clusters result = run_.result();
  const auto statistics = derived_.statistics();
  if (!result || !statistics) return 0;
  const auto points = double(result->clustering.labels.size());
  if (check == Check::FoundAgain) {
    const double known = run_.lastRunSeconds();
    const double run = known > 0 ? known : points * kSecondsPerLabelled;
    const ResamplingOptions options;
    return options.resamples * (options.share * run + points * kSecondsPerSampled);
  }
  double pairs = 0;
  for (const ClusterStatistics& cluster : statistics->clusters)
    pairs += 1.5 * double(cluster.size) * double(cluster.size);
  const int chosen = run_.threads();
  const double threads = chosen > 0 ? chosen : std::max(1U, std::thread::hardware_concurrency());
  const auto dims = double(result->cloud->dims());
  return pairs * (kSecondsPerPair + dims * kSecondsPerCoordinate) / threads;
}

bool ClusterChecks::isNeeded(Check check) const {
  const CheckState now = state(check);
  return now == CheckState::Asks || now == CheckState::Failed;
}

CheckState ClusterChecks::state(Check check) const {
  if (!wanted_) return CheckState::Off;
  const Clusters result = run_.result();
  if (!result || result->clustering.clusters == 0) return CheckState::NoClusters;
  if (!refusal(check).isEmpty()) return CheckState::Refused;
  const auto stateOf = [&](const auto& node) {
    if (node.isOf(result)) return CheckState::Ready;
    if (node.isRunning() && node.isAsked(result)) return CheckState::Running;
    if (node.isAsked(result)) return CheckState::Failed;
    return settle_.isActive() || !derived_.statistics() ? CheckState::Waiting : CheckState::Asks;
  };
  return check == Check::Validity ? stateOf(validity_) : stateOf(foundAgain_);
}

void ClusterChecks::startWithin(double seconds) {
  limit_ = seconds;
  updatePersistence();
  if (!derived_.statistics()) return Q_EMIT changed();  // they are on their way
  limit_ = 0;
  for (const Check check : {Check::FoundAgain, Check::Validity})
    if (isNeeded(check) && this->seconds(check) <= seconds) start(check);
  Q_EMIT changed();
}

void ClusterChecks::run() {
  settle_.stop();
  limit_ = 0;
  for (const Check check : {Check::FoundAgain, Check::Validity})
    if (isNeeded(check)) start(check);
  Q_EMIT changed();
}

void ClusterChecks::stop() {
  validity_.stop();
  foundAgain_.stop();
}

void ClusterChecks::start(Check check) {
  const Clusters result = run_.result();
  return check == Check::Validity ? startValidity(result) : startFoundAgain(result);
}

void ClusterChecks::startValidity(const Clusters& result) {
  validity_.retry();
  validity_.update(
      result, tr("Validity of the clusters"), [result, threads = run_.threads()](const Job& job) {
        job.giveWay();
        return densityBasedValidity(*result->cloud, result->clustering.labels, threads, job);
      });
}

void ClusterChecks::startFoundAgain(const Clusters& result) {
  foundAgain_.retry();
  foundAgain_.update(
      result, tr("Finding the clusters again"),
      [result, slot = run_.fastestSlot(),
       scaling = data_.scaling()](const Job& job) -> Result<FoundAgain> {
        const auto backend = slot->get(result->parameters.space, scaling);
        if (!backend) return tl::unexpected(backend.error());
        FoundAgain found;
        found.minPts = minPtsOfSample(result->parameters.dbscan.minPts, found.options.share);
        const DbscanParams params{result->parameters.dbscan.eps, found.minPts};
        auto clusters = stabilityByResampling(
            *result->cloud, result->clustering.labels, found.options,
            [&](const PointCloud& sample, const Task& task) -> Result<std::vector<std::int32_t>> {
              job.giveWay();
              auto labels = (*backend)->dbscan(sample, params, {}, task);
              if (!labels) return tl::unexpected(labels.error());
              return std::move(labels->labels);
            },
            job);
        if (!clusters) return tl::unexpected(clusters.error());
        found.clusters = std::move(*clusters);
        return found;
      });
}

bool ClusterChecks::hasPersistence() const {
  const Clusters result = run_.result();
  const auto hierarchy = everyEps_.hierarchy();
  return wanted_ && result && hierarchy && result->isOfRun() &&
         result->parameters.refinements.empty() &&
         result->parameters.dbscan.minPts == hierarchy->minPts();
}

void ClusterChecks::updatePersistence() {
  if (!hasPersistence()) return persistence_.drop();
  const Clusters result = run_.result();
  const auto hierarchy = everyEps_.hierarchy();
  persistence_.replace({result, hierarchy}, tr("Persistence of the clusters"),
                       [result, hierarchy](const Task&) -> Result<std::vector<EpsRangeOfCluster>> {
                         if (result->hierarchy == hierarchy)
                           return persistenceOf(*hierarchy, result->nodes);
                         std::vector<std::uint32_t> nodes;
                         const auto labels =
                             hierarchy->labels(result->parameters.dbscan.eps, &nodes);
                         if (!labels) return tl::unexpected(labels.error());
                         return persistenceOf(*hierarchy, nodes);
                       });
}

void ClusterChecks::keepFoundAgain() {
  const auto& result = foundAgain_.inputs();
  if (!result || std::isnan(foundAgain_.get()->share())) return;
  const Parameters& with = (*result)->parameters;
  if (checkedCloud_ != (*result)->cloud || !differByEps(checkedWith_, with)) checkedEps_.clear();
  checkedCloud_ = (*result)->cloud;
  checkedWith_ = with;
  const CheckedEps now{with.dbscan.eps, foundAgain_.get()->share()};
  const auto at =
      std::lower_bound(checkedEps_.begin(), checkedEps_.end(), now.eps,
                       [](const CheckedEps& checked, double eps) { return checked.eps < eps; });
  if (at != checkedEps_.end() && at->eps == now.eps)
    *at = now;
  else
    checkedEps_.insert(at, now);
}

ClusterFigures ClusterChecks::figures() const {
  const Clusters result = run_.result();
  ClusterFigures figures;
  if (!result) return figures;
  if (validity_.isOf(result)) figures.validity = validity_.get();
  if (foundAgain_.isOf(result)) figures.foundAgain = foundAgain_.get();
  const auto& of = persistence_.inputs();
  if (of && of->first == result) figures.persistence = persistence_.get();
  return figures;
}

}  // namespace clusterloom
