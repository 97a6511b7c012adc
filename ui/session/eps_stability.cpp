#include "ui/session/eps_stability.h"

#include <algorithm>
#include <limits>
#include <thread>

#include "engine/dbscan/sweep.h"
#include "engine/hierarchy/smallest_eps.h"
#include "ui/session/cluster_run.h"
#include "ui/session/derived_results.h"
#include "ui/session/every_eps.h"
#include "ui/session/session_data.h"

namespace clusterloom {

namespace {

constexpr int kBandSteps = 48;             // values of ε
constexpr double kMostAtOnceSeconds = 20;  // what starts at once when a person wants it
constexpr double kAgainSeconds = 2;        // what starts by itself for another hierarchy
// Measured, of one thread: building the hierarchy of a sample, and labels of an ε and their
// comparison, each for a point.
constexpr double kSecondsPerBuilt = 1.2e-6;
constexpr double kSecondsPerCompared = 2e-8;

}  // namespace

EpsStability::EpsStability(const SessionData& data, const ClusterRun& run,
                           const DerivedResults& derived, const EveryEps& everyEps, JobQueue& jobs,
                           QObject* parent)
    : QObject(parent),
      data_(data),
      run_(run),
      derived_(derived),
      everyEps_(everyEps),
      band_(
          jobs, JobKind::EpsStability, [this] { Q_EMIT changed(); }, {},
          [this] { Q_EMIT changed(); }) {
  connect(&derived, &DerivedResults::sweepChanged, this, &EpsStability::follow);
}

EpsStability::Of EpsStability::inputs() const {
  return {everyEps_.hierarchy(), derived_.exactSweep()};
}

void EpsStability::setWanted(bool wanted) {
  if (std::exchange(wanted_, wanted) == wanted) return;
  if (wanted) return startWithin(kMostAtOnceSeconds);
  band_.drop();
  Q_EMIT changed();
}

CheckState EpsStability::state() const {
  if (!wanted_) return CheckState::Off;
  const Of now = inputs();
  if (!now.first || !now.second) return CheckState::Waiting;
  if (band_.isOf(now)) return CheckState::Ready;
  if (!band_.isAsked(now)) return CheckState::Asks;
  return band_.isRunning() ? CheckState::Running : CheckState::Failed;
}

double EpsStability::seconds() const {
  const auto hierarchy = inputs().first;
  if (!hierarchy) return 0;
  const int chosen = run_.threads();
  const double threads = chosen > 0 ? chosen : std::max(1U, std::thread::hardware_concurrency());
  const auto points = double(hierarchy->points());
  const ResamplingOptions options;
  const double built = std::max(options.share * hierarchy->seconds().total,
                                options.share * points * kSecondsPerBuilt / threads);
  const double compared = kBandSteps * points * kSecondsPerCompared / threads;
  return options.resamples * (built + compared);
}

void EpsStability::follow() {
  if (!wanted_ || band_.isAsked(inputs())) return;
  band_.drop();
  startWithin(kAgainSeconds);
}

void EpsStability::startWithin(double seconds) {
  if (state() == CheckState::Asks && this->seconds() <= seconds) run();
  Q_EMIT changed();
}

void EpsStability::run() {
  const Of now = inputs();
  if (!wanted_ || !now.first || !now.second || now.second->curve.rows() == 0) return;
  HierarchyOptions samples = everyEps_.options();
  samples.threads = run_.threads();
  band_.retry();
  band_.update(
      now, tr("Stability over ε"),
      [now, cloud = data_.cloud(), samples](const Job& job) -> Result<std::vector<StabilityAt>> {
        const auto& curve = now.second->curve;
        // Equal points are neighbours from the least ε on, at which nothing else changes.
        const double least = smallestEps(std::numeric_limits<double>::min());
        const bool hasEqual = curve.rows() > 1 && curve.eps.front() <= least;
        const auto eps = geometricEps(curve.eps[hasEqual ? 1 : 0], curve.eps.back(), kBandSteps);
        if (!eps) return tl::unexpected(eps.error());
        const Task yielding{job.task().stop, [&job](std::string_view stage, double fraction) {
                              job.giveWay();
                              job.task().report(stage, fraction);
                            }};
        return stabilityOverEps(*cloud, *now.first, *eps, {}, samples, yielding);
      });
  Q_EMIT changed();
}

}  // namespace clusterloom
