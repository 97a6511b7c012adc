#include "ui/session/every_eps.h"

#include <utility>

#include "engine/core/memory_budget.h"
#include "engine/hierarchy/forecast.h"
#include "ui/jobs/receiver.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/words/numbers.h"

namespace clusterloom {
namespace {

constexpr int kSettleMs = 250;         // of rest before it is built
constexpr double kMostSeconds = 20;    // of a build that nobody asked for
constexpr double kMostOfMemory = 0.4;  // of what is free, for the same

}  // namespace

EveryEps::EveryEps(Session& session) : QObject(&session), session_(session) {
  settle_.setSingleShot(true);
  settle_.setInterval(kSettleMs);
  connect(&settle_, &QTimer::timeout, this, [this] { start(false); });
  connect(&session_.jobs(), &JobQueue::ended, this, [this](quint64, JobKind kind, JobEnd end) {
    if (kind != JobKind::Hierarchy) return;
    if (end == JobEnd::Threw) ended_ = State::Failed;
    Q_EMIT changed();
  });
}

EveryEps::Key EveryEps::wantedKey() const {
  return {session_.data().cloud().get(), session_.parameters().dbscan.minPts};
}

void EveryEps::setEnabled(bool enabled) {
  if (std::exchange(enabled_, enabled) == enabled) return;
  if (!isWanted()) forget();
  follow();
  Q_EMIT changed();
}

void EveryEps::setWanted(bool wanted) {
  if (std::exchange(wanted_, wanted) == wanted) return;
  follow();
  Q_EMIT changed();
}

std::shared_ptr<const Hierarchy> EveryEps::hierarchy() const {
  return hierarchy_ && key_ == wantedKey() ? hierarchy_ : nullptr;
}

std::shared_ptr<const Hierarchy> EveryEps::hierarchyFor(const Parameters& parameters) const {
  Strategy chosen = parameters.strategy;
  chosen.indexedDims = 0;
  if (!enabled_ || !(chosen == Strategy{}) || !parameters.refinements.empty()) return nullptr;
  return parameters.dbscan.minPts == key_.minPts ? hierarchy() : nullptr;
}

EveryEps::State EveryEps::state() const {
  if (!isWanted()) return State::Off;
  const Key key = wantedKey();
  if (key.cloud == nullptr) return State::NoCloud;
  if (hierarchy()) return State::Ready;
  if (session_.jobs().isActive(JobKind::Hierarchy)) return State::Building;
  if (!hierarchyPossible(session_.data().cloud()->size(), key.minPts)) return State::BeyondK;
  return settle_.isActive() || !(last_ == key) ? State::Waiting : ended_;
}

void EveryEps::follow() {
  const Key key = wantedKey();
  if (hierarchy_ && !(key_ == key) && key_.cloud != key.cloud) forget();
  if (!isWanted() || key.cloud == nullptr) {
    settle_.stop();
    session_.jobs().cancel(JobKind::Hierarchy);
    return;
  }
  if (hierarchy() || !hierarchyPossible(session_.data().cloud()->size(), key.minPts)) {
    settle_.stop();
    session_.jobs().cancel(JobKind::Hierarchy);
    if (hierarchy()) Q_EMIT hierarchyChanged();
    Q_EMIT changed();
    return;
  }
  if (last_ == key) return;  // under way, or ended without one
  session_.jobs().cancel(JobKind::Hierarchy);
  forecast_ = {};
  settle_.start();
  Q_EMIT hierarchyChanged();
  Q_EMIT changed();
}

void EveryEps::build() {
  if (!hierarchy() && isWanted() && session_.data().cloud()) start(true);
}

void EveryEps::stop() {
  const bool running = session_.jobs().isActive(JobKind::Hierarchy) || settle_.isActive();
  if (!running) return;
  settle_.stop();
  last_ = wantedKey();
  ended_ = State::Stopped;
  session_.jobs().cancel(JobKind::Hierarchy);
  Q_EMIT changed();
}

void EveryEps::start(bool evenLarge) {
  settle_.stop();
  const std::shared_ptr<const PointCloud> cloud = session_.data().cloud();
  const Key key = wantedKey();
  last_ = key;
  ended_ = State::Waiting;
  forecast_ = {};
  struct Built {
    EveryEpsForecast forecast;
    std::shared_ptr<const Hierarchy> hierarchy;  ///< null: too large to be built unasked
  };
  session_.jobs().start<Built>(
      JobKind::Hierarchy, tr("Preparing every ε"),
      [cloud, minPts = key.minPts, evenLarge](const Task& task) -> Result<Built> {
        const auto forecast = forecastHierarchy(*cloud, minPts, task);
        if (!forecast) return tl::unexpected(forecast.error());
        Built built{{forecast->seconds, forecast->bytes}, nullptr};
        const double most = kMostOfMemory * static_cast<double>(availableMemory());
        if (!evenLarge &&
            (forecast->seconds > kMostSeconds || static_cast<double>(forecast->peakBytes) > most))
          return built;
        auto hierarchy = Hierarchy::build(*cloud, {.minPts = minPts}, task);
        if (!hierarchy) return tl::unexpected(hierarchy.error());
        built.hierarchy = std::make_shared<const Hierarchy>(std::move(*hierarchy));
        return built;
      },
      [this, cloud, key](Result<Built> built) {
        if (!built) {
          ended_ = built.error().kind == ErrorKind::Cancelled ? State::Stopped : State::Failed;
          session_.report(JobKind::Hierarchy, built.error());
        } else if (!built->hierarchy) {
          ended_ = State::Large;
          forecast_ = built->forecast;
        } else {
          auto old = std::exchange(hierarchy_, built->hierarchy);
          key_ = key;
          cloud_ = cloud;
          session_.jobs().retire(std::move(old));
          Q_EMIT hierarchyChanged();
        }
        Q_EMIT changed();
      });
  Q_EMIT changed();
}

void EveryEps::forget() {
  key_ = {};
  cloud_.reset();
  if (auto old = std::exchange(hierarchy_, nullptr)) {
    Q_EMIT hierarchyChanged();
    session_.jobs().retire(std::move(old));
  }
}

void EveryEps::drop() {
  settle_.stop();
  session_.jobs().cancel(JobKind::Hierarchy);
  last_ = {};
  ended_ = State::Waiting;
  forecast_ = {};
  forget();
  Q_EMIT changed();
}

}  // namespace clusterloom
