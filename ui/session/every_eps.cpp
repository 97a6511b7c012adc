#include "ui/session/every_eps.h"

#include <algorithm>
#include <utility>

#include "engine/core/memory_budget.h"
#include "engine/dbscan/backend_in_space.h"
#include "engine/hierarchies.h"
#include "engine/hierarchy/forecast.h"
#include "engine/join/backend_kinds.h"
#include "ui/jobs/job_queue.h"
#include "ui/session/session_data.h"

namespace clusterloom {
namespace {

constexpr int kBuildSettleMs = 250;               // of rest before it is built
constexpr std::uint64_t kBytesPerNeighbour = 12;  // id and squared distance
constexpr double kMostSeconds = 20;               // of a build that was not requested
constexpr std::int64_t kGraphMinPts = 32;         // that a graph of neighbours serves, at least
constexpr double kMostOfMemory = 0.4;             // of the free memory, for the same

/// The processor that runs use; where both share them, the GPU is the faster one here.
HierarchyProcessor processorOf(const EngineChoice& engine) {
  if (!backendKind(engine.backend.toStdString()).onDevice) return {"cpu", -1};
  return {"auto", engine.device};
}

}  // namespace

bool hasEveryEps(const Space& space) { return !space.sphere; }

EveryEps::EveryEps(const SessionData& data, std::function<EngineChoice()> engine,
                   const Parameters& parameters, JobQueue& jobs, QObject* parent)
    : QObject(parent),
      data_(data),
      engine_(std::move(engine)),
      parameters_(parameters),
      jobs_(jobs),
      settle_(kBuildSettleMs, [this] { start(false); }) {}

EveryEps::Key EveryEps::wantedKey() const {
  const bool possible = !data_.weights() && hasEveryEps(data_.space());
  return {possible ? data_.cloud().get() : nullptr, parameters_.dbscan.minPts, data_.space()};
}

HierarchyOptions EveryEps::options() const {
  return {.minPts = parameters_.dbscan.minPts,
          .periods = scaledPeriods(data_.space(), data_.scaling()),
          .metric = data_.space().metric};
}

void EveryEps::setEnabled(bool enabled) {
  if (std::exchange(enabled_, enabled) == enabled) return;
  if (!isWanted()) forget();
  follow();
  Q_EMIT changed();
}

void EveryEps::setWanted(bool wanted) {
  wanted_ = std::max(0, wanted_ + (wanted ? 1 : -1));
  if (wanted_ != (wanted ? 1 : 0)) return;  // another page wants it, too
  if (!wanted || !isComplete()) follow();   // complete results need not be computed again
  Q_EMIT changed();
}

std::shared_ptr<const Hierarchy> EveryEps::hierarchy() const {
  return hierarchy_ && key_ == wantedKey() ? hierarchy_ : nullptr;
}

std::shared_ptr<const Hierarchy> EveryEps::hierarchyFor(const Parameters& parameters) const {
  Strategy chosen = parameters.strategy;
  chosen.indexedDims = 0;
  if (!enabled_ || !(chosen == Strategy{}) || !parameters.refinements.empty()) return nullptr;
  if (parameters.dbscan.eps >= epsLimit(data_.space(), data_.scaling())) return nullptr;
  return parameters.dbscan.minPts == key_.minPts ? hierarchy() : nullptr;
}

std::shared_ptr<const NeighbourGraph> EveryEps::graph() const {
  return cloud_ == data_.cloud() && data_.space().isEuclidean() ? graph_ : nullptr;
}

void EveryEps::setGraphWanted(bool wanted) {
  if (std::exchange(graphWanted_, wanted) == wanted) return;
  if (wanted && !graph()) last_ = {};
  follow();
  Q_EMIT changed();
}

bool EveryEps::needsGraph() const { return graphWanted_ && data_.space().isEuclidean(); }

bool EveryEps::isComplete() const { return hierarchy() && (graph() || !needsGraph()); }

EveryEps::State EveryEps::state() const {
  if (!isWanted()) return State::Off;
  const Key key = wantedKey();
  if (key.cloud == nullptr)
    return !data_.cloud() ? State::NoCloud : data_.weights() ? State::Weighted : State::OtherSpace;
  if (isComplete()) return State::Ready;
  if (jobs_.isActive(JobKind::Hierarchy)) return State::Building;
  if (!hierarchyPossible(data_.cloud()->size(), key.minPts)) return State::BeyondK;
  return settle_.isActive() || !(last_ == key) ? State::Waiting : ended_;
}

void EveryEps::dropBuild() {
  // Stopped work is neither complete nor refused: it starts again on the next request.
  if (jobs_.isActive(JobKind::Hierarchy)) last_ = {};
  jobs_.cancel(JobKind::Hierarchy);
}

void EveryEps::follow() {
  const Key key = wantedKey();
  if (hierarchy_ && (key_.cloud != key.cloud || !(key_.space == key.space))) forget();
  if (!isWanted() || key.cloud == nullptr) {
    settle_.stop();
    dropBuild();
    Q_EMIT changed();
    return;
  }
  if (isComplete() || !hierarchyPossible(data_.cloud()->size(), key.minPts)) {
    settle_.stop();
    dropBuild();
    if (hierarchy()) Q_EMIT hierarchyChanged();
    Q_EMIT changed();
    return;
  }
  if (last_ == key) return;  // under way, or ended without one
  jobs_.cancel(JobKind::Hierarchy);
  forecast_ = {};
  settle_.start();
  if (!hierarchy()) Q_EMIT hierarchyChanged();  // it is there where only the graph is missing
  Q_EMIT changed();
}

void EveryEps::build() {
  if (!isComplete() && isWanted() && wantedKey().cloud != nullptr) start(true);
}

void EveryEps::stop() {
  const bool running = jobs_.isActive(JobKind::Hierarchy) || settle_.isActive();
  if (!running) return;
  settle_.stop();
  last_ = wantedKey();
  ended_ = State::Stopped;
  jobs_.cancel(JobKind::Hierarchy);
  Q_EMIT changed();
}

void EveryEps::start(bool evenLarge) {
  settle_.stop();
  const std::shared_ptr<const PointCloud> cloud = data_.cloud();
  const Key key = wantedKey();
  last_ = key;
  ended_ = State::Waiting;
  forecast_ = {};
  struct Built {
    EveryEpsForecast forecast;
    std::shared_ptr<const Hierarchy> hierarchy;  ///< null: too large, or too large unasked
    std::shared_ptr<const NeighbourGraph> graph;
  };
  const bool euclidean = data_.space().isEuclidean();
  // A user who changes minPts once is likely to change it again.
  const bool again = cloud_ == cloud && hierarchy_ && euclidean;
  const std::int64_t most = std::min<std::int64_t>(std::max(kGraphMinPts, key.minPts), kMaxNearest);
  jobs_.start<Built>(
      JobKind::Hierarchy, tr("Preparing every ε"),
      [cloud, prepared = data_.prepared(), minPts = key.minPts, options = options(), evenLarge,
       again, most, euclidean, graphWanted = needsGraph(), processor = processorOf(engine_()),
       graph = graph()](const Task& task) -> Result<Built> {
        Built built;
        built.graph = graph;
        const bool derived = graph && (minPts <= graph->mostMinPts() ||
                                       minPts > static_cast<std::int64_t>(cloud->size()));
        if (derived) {
          auto hierarchy = graph->hierarchy({.minPts = minPts}, task);
          if (!hierarchy) return tl::unexpected(hierarchy.error());
          built.hierarchy = std::make_shared<const Hierarchy>(std::move(*hierarchy));
          return built;
        }
        // A GPU builds a hierarchy in less time than it takes to derive one.
        const bool byGpu = euclidean || options.metric == Metric::Cosine;
        if (!graphWanted && byGpu && runsOnGpu(processor, cloud->size())) {
          auto hierarchy = buildHierarchy(*prepared, options, processor, task);
          if (!hierarchy) return tl::unexpected(hierarchy.error());
          built.hierarchy = std::make_shared<const Hierarchy>(std::move(*hierarchy));
          return built;
        }
        const bool many = graphWanted || again;
        HierarchyOptions larger = options;
        if (many) larger.minPts = most;
        auto forecast = forecastHierarchy(*cloud, larger, task);
        if (!forecast) return tl::unexpected(forecast.error());
        if (many) {
          const std::uint64_t lists = kBytesPerNeighbour * static_cast<std::uint64_t>(most) *
                                      static_cast<std::uint64_t>(cloud->size());
          forecast->peakBytes += lists;
        }
        built.forecast = {forecast->seconds, forecast->peakBytes, availableMemory()};
        const double memory = kMostOfMemory * static_cast<double>(built.forecast.free);
        const bool large = built.forecast.seconds > kMostSeconds ||
                           static_cast<double>(built.forecast.bytes) > memory;
        if (!built.forecast.fits() || (large && !evenLarge)) return built;
        if (many) {
          auto made = NeighbourGraph::build(*cloud, {.minPts = most}, task);
          if (!made) return tl::unexpected(made.error());
          built.graph = std::make_shared<const NeighbourGraph>(std::move(*made));
        }
        auto hierarchy = built.graph ? built.graph->hierarchy({.minPts = minPts}, task)
                                     : Hierarchy::build(*cloud, options, task);
        if (!hierarchy) return tl::unexpected(hierarchy.error());
        built.hierarchy = std::make_shared<const Hierarchy>(std::move(*hierarchy));
        return built;
      },
      [this, cloud, key](Result<Built> built) {
        if (!built) {
          ended_ = built.error().kind == ErrorKind::Cancelled ? State::Stopped : State::Failed;
          jobs_.report(JobKind::Hierarchy, built.error());
        } else if (!built->hierarchy) {
          ended_ = built->forecast.fits() ? State::Large : State::TooLarge;
          forecast_ = built->forecast;
        } else {
          auto old = std::exchange(hierarchy_, built->hierarchy);
          key_ = key;
          cloud_ = cloud;
          jobs_.retire(std::move(old));
          if (built->graph != graph_) jobs_.retire(std::exchange(graph_, built->graph));
          Q_EMIT hierarchyChanged();
        }
        Q_EMIT changed();
      },
      [this](JobEnd end) {
        if (end == JobEnd::Threw) ended_ = State::Failed;
        Q_EMIT changed();
      });
  Q_EMIT changed();
}

void EveryEps::forget() {
  key_ = {};
  cloud_.reset();
  jobs_.retire(std::exchange(graph_, nullptr));
  if (auto old = std::exchange(hierarchy_, nullptr)) {
    Q_EMIT hierarchyChanged();
    jobs_.retire(std::move(old));
  }
}

void EveryEps::drop() {
  settle_.stop();
  jobs_.cancel(JobKind::Hierarchy);
  last_ = {};
  ended_ = State::Waiting;
  forecast_ = {};
  forget();
  Q_EMIT changed();
}

}  // namespace clusterloom
