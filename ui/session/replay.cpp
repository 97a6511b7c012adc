#include "ui/session/replay.h"

#include <algorithm>
#include <cmath>

#include "render/paint/ticks.h"
#include "ui/session/cluster_run.h"
#include "ui/session/derived_results.h"
#include "ui/session/every_eps.h"
#include "ui/session/motion.h"
#include "ui/session/parameters.h"

namespace clusterloom {
namespace {

constexpr double kBeyond = 1.02;  // of the curve's first and last ε, on each side
constexpr int kFrameDigits = 4;   // of the ε of a frame, as of one that the mouse sets
constexpr double kNear = 1.001;   // a step may go so far beyond a change, to an ε of fewer digits

/// An ε of few digits at the beginning of the range of a row.
double epsOfRow(const ExactSweep& sweep, std::size_t row) {
  const EpsCurve& curve = sweep.curve;
  const double from = curve.eps[row];
  const double to = row + 1 < curve.rows() ? std::nextafter(curve.eps[row + 1], from)
                                           : std::max(from, sweep.mostEps);
  return roundestWithin(from, std::min(to, kNear * from));
}

}  // namespace

Replay::Replay(ClusterRun& run, const DerivedResults& derived, const EveryEps& everyEps,
               SessionValues values, QObject* parent)
    : QObject(parent), run_(run), derived_(derived), everyEps_(everyEps), values_(values) {
  Motion::ofApplication().pace(timer_);
  connect(&timer_, &QTimer::timeout, this, &Replay::tick);
  connect(&derived_, &DerivedResults::sweepChanged, this, [this] {
    if (!isPossible()) pause();
    Q_EMIT changed();
  });
  connect(&everyEps_, &EveryEps::changed, this, &Replay::changed);
}

bool Replay::isPossible() const {
  const auto sweep = derived_.exactSweep();
  return sweep && sweep->curve.firstApart() < sweep->curve.rows() &&
         everyEps_.hierarchyFor(values_.parameters) != nullptr;
}

double Replay::epsAt(double share) const {
  const auto sweep = derived_.exactSweep();
  const std::size_t first = sweep ? sweep->curve.firstApart() : 0;
  if (!sweep || first == sweep->curve.rows()) return values_.parameters.dbscan.eps;
  const double low = std::log(sweep->curve.eps[first] / kBeyond);
  const double high = std::log(sweep->curve.eps.back() * kBeyond);
  const double eps = std::exp(std::lerp(low, high, std::clamp(share, 0.0, 1.0)));
  return std::min(roundedTo(eps, kFrameDigits), sweep->mostEps);
}

double Replay::share() const {
  const double low = std::log(epsAt(0));
  const double high = std::log(epsAt(1));
  const double at = std::log(values_.parameters.dbscan.eps);
  return high > low ? std::clamp((at - low) / (high - low), 0.0, 1.0) : 0;
}

void Replay::setDuration(double seconds) {
  clock_.setSeconds(seconds, share());
  Q_EMIT changed();
}

void Replay::play() {
  if (isPlaying() || !isPossible()) return;
  run_.run();  // after a stop, too
  clock_.start(share() >= 1 ? 0 : share());
  Q_EMIT dragged(true);
  lastEps_ = values_.parameters.dbscan.eps;
  timer_.start();
  Q_EMIT changed();
}

void Replay::pause() {
  if (!isPlaying()) return;
  timer_.stop();
  Q_EMIT dragged(false);
  Q_EMIT changed();
}

void Replay::tick() {
  // Someone else changed ε, or let go of it.
  if (!values_.dragging || values_.parameters.dbscan.eps != lastEps_ || !isPossible())
    return pause();
  if (run_.wasStopped()) return pause();
  // Playing needs the run of each frame, also where runs do not start automatically.
  if (!run_.autoRun()) run_.run();
  // A frame is shown before the next one comes: none is skipped halfway.
  if (!run_.isResultCurrent()) return;
  const double share = clock_.share();
  lastEps_ = epsAt(share);
  Q_EMIT epsChosen(lastEps_);
  if (share < 1) return;
  pause();
  run_.run();
}

void Replay::step(int direction) {
  pause();
  if (!isPossible() || direction == 0) return;
  const auto sweep = derived_.exactSweep();
  const EpsCurve& curve = sweep->curve;
  const auto clustersOf = [&](std::size_t i) { return i == 0 ? 0U : curve.clusters[i - 1]; };
  // Row i − 1 of the curve is i here; 0 is what holds below the first one.
  const auto at = static_cast<std::size_t>(
      std::upper_bound(curve.eps.begin(), curve.eps.end(), values_.parameters.dbscan.eps) -
      curve.eps.begin());
  std::size_t to = at;
  if (direction > 0) {
    while (to <= curve.rows() && clustersOf(to) == clustersOf(at)) ++to;
    if (to > curve.rows()) return;
  } else {
    while (to > 0 && clustersOf(to - 1) == clustersOf(at)) --to;
    if (to == 0) return;
    // The range before this one, from its beginning.
    const std::uint32_t before = clustersOf(--to);
    while (to > 0 && clustersOf(to - 1) == before) --to;
  }
  Q_EMIT epsChosen(to == 0 ? epsAt(0) : epsOfRow(*sweep, to - 1));
  run_.run();  // also where runs do not start by themselves
}

}  // namespace clusterloom
