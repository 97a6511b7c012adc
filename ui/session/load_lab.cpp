#include "ui/session/load_lab.h"

#include <algorithm>
#include <utility>

#include "ui/jobs/receiver.h"
#include "ui/session/backend_slot.h"
#include "ui/session/cluster_run.h"
#include "ui/session/derived_results.h"
#include "ui/session/paper_strategies.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

constexpr int kRestMs = 250;  // the load is computed when no parameter has changed for so long

}  // namespace

LoadLab::LoadLab(Session& session) : QObject(&session), session_(session) {
  restTimer_.setSingleShot(true);
  restTimer_.setInterval(kRestMs);
  connect(&restTimer_, &QTimer::timeout, this, &LoadLab::compute);
  connect(&session_.data(), &SessionData::cloudChanged, this, &LoadLab::onCloud);
  connect(&session_, &Session::parametersChanged, this, &LoadLab::onParameters);
  connect(&session_.clusterRun(), &ClusterRun::resultChanged, this, &LoadLab::onParameters);
  connect(&session_, &Session::displayChanged, this, &LoadLab::onParameters);
  connect(&session_, &Session::selectionChanged, this, &LoadLab::onSelection);
  connect(&session_.jobs(), &JobQueue::ended, this, [this](quint64, JobKind kind, JobEnd end) {
    if (kind != JobKind::WarpLoad || end == JobEnd::Superseded) return;
    underWay_.reset();
    Q_EMIT changed();
  });
}

bool LoadLab::isWanted() const { return wanted_ > 0 || isOfLoad(session_.display().colourBy); }

void LoadLab::setWanted(bool wanted) {
  wanted_ = std::max(0, wanted_ + (wanted ? 1 : -1));
  if (isWanted())
    onParameters();
  else
    cancel();
}

void LoadLab::setKernel(LoadKernel kernel) {
  if (std::exchange(kernel_, kernel) == kernel) return;
  onParameters();
  Q_EMIT changed();
}

void LoadLab::setStrategy(const std::optional<Strategy>& strategy) {
  if (std::exchange(strategy_, strategy) == strategy) return;
  onParameters();
  Q_EMIT changed();
}

void LoadLab::setMachine(const SimtMachine& machine) {
  if (std::exchange(machine_, machine) == machine) return;
  onParameters();
  Q_EMIT changed();
}

void LoadLab::setUnweighted(bool unweighted) {
  if (std::exchange(unweighted_, unweighted) == unweighted) return;
  onParameters();
  Q_EMIT changed();
}

std::optional<LoadQuestion> LoadLab::question() const {
  if (!session_.clusterRun().canRun() || !session_.data().euclideanCloud()) return std::nullopt;
  const Parameters& parameters = session_.parameters();
  LoadQuestion asked;
  asked.cloud = session_.data().cloud();
  asked.eps = parameters.dbscan.eps;
  asked.strategy = ofOneProcessor(asJoin(strategy_.value_or(parameters.strategy)));
  asked.strategy.indexedDims = parameters.strategy.indexedDims;
  asked.kernel = kernel_;
  asked.machine = machine_;
  asked.unweighted = unweighted_;
  return asked;
}

bool LoadLab::isCurrent() const { return result_ && question() == result_->asked; }

bool LoadLab::isComputing() const { return underWay_.has_value(); }

bool LoadLab::isReady() const {
  const bool lit = session_.selection().warp < 0 || light_ != nullptr;
  return (isCurrent() && lit) || !failure_.isEmpty();
}

void LoadLab::onCloud() {
  session_.jobs().cancel(JobKind::WarpLoad);
  failed_.reset();
  failure_.clear();
  drop();
  onParameters();
}

void LoadLab::drop() {
  dropLight();
  if (auto old = std::exchange(result_, nullptr)) session_.jobs().retire(std::move(old));
  Q_EMIT changed();
}

void LoadLab::onParameters() {
  const auto asked = question();
  if (!asked || !isWanted() || session_.isDragging()) return restTimer_.stop();
  if (isCurrent() || asked == failed_ || asked == underWay_) return restTimer_.stop();
  restTimer_.start();
}

void LoadLab::compute() {
  restTimer_.stop();
  const auto asked = question();
  if (!asked || isCurrent() || asked == underWay_) return;
  failed_.reset();
  failure_.clear();
  underWay_ = asked;
  const Receiver<Result<std::shared_ptr<const LoadResult>>> takes(
      [this, asked = *asked](const Result<std::shared_ptr<const LoadResult>>& result) {
        if (result) return accept(*result);
        if (result.error().kind == ErrorKind::Cancelled) return;
        failed_ = asked;
        failure_ = QString::fromStdString(result.error().message);
      });
  session_.jobs().start(
      JobKind::WarpLoad, tr("Warp load"),
      [takes, slot = session_.clusterRun().backendSlot(), asked = *asked](const Job& job) {
        const auto backend = slot->get();
        auto made = backend ? loadOf(asked, **backend, job.task())
                            : Result<LoadResult>(tl::unexpected(backend.error()));
        if (!made) return takes.deliver(job, tl::unexpected(made.error()));
        made->job = job.number();
        takes.deliver(job, std::make_shared<const LoadResult>(std::move(*made)));
      });
  Q_EMIT changed();
}

void LoadLab::cancel() {
  restTimer_.stop();
  session_.jobs().cancel(JobKind::WarpLoad);
}

void LoadLab::accept(std::shared_ptr<const LoadResult> result) {
  auto old = std::exchange(result_, std::move(result));
  dropLight();
  // Warps have other numbers now: only a point identifies one.
  const std::int64_t point = session_.selection().point;
  session_.setPickedWarp(point >= 0 ? result_->warpOfPoint(static_cast<std::uint32_t>(point)) : -1);
  startLight();
  Q_EMIT changed();
  session_.jobs().retire(std::move(old));
}

void LoadLab::onSelection() {
  const Selection& selection = session_.selection();
  const bool otherPoint = std::exchange(seenPoint_, selection.point) != selection.point;
  const bool otherCell = std::exchange(seenCell_, selection.cell) != selection.cell;
  if (!result_ || result_->asked.cloud != session_.data().cloud()) return;
  if (otherPoint && selection.point >= 0) {
    session_.setPickedWarp(result_->warpOfPoint(static_cast<std::uint32_t>(selection.point)));
  } else if (otherCell && selection.cell >= 0 && session_.derived().gridCells()) {
    // A cell's points may lie in many warps: that of its first point is taken.
    const auto& cellOf = session_.derived().gridCells()->cellOfPoint;
    const auto found = std::find(cellOf.begin(), cellOf.end(), selection.cell);
    if (found != cellOf.end())
      session_.setPickedWarp(
          result_->warpOfPoint(static_cast<std::uint32_t>(found - cellOf.begin())));
  }
  startLight();
}

void LoadLab::startLight() {
  const std::int64_t warp = session_.selection().warp;
  if (warp == lightOf_) return;
  dropLight();
  if (!result_ || warp < 0 || warp >= std::int64_t(result_->report->allWarps)) return;
  lightOf_ = warp;
  session_.jobs().start<WarpLight>(
      JobKind::WarpLight, tr("Warp %1").arg(count(static_cast<std::uint64_t>(warp))),
      [load = result_, warp](const Task& task) {
        return warpLightOf(*load, static_cast<std::uint32_t>(warp), task);
      },
      [this](Result<WarpLight> light) {
        if (!light) {
          failure_ = QString::fromStdString(light.error().message);
          return Q_EMIT changed();
        }
        light_ = std::make_shared<const WarpLight>(std::move(*light));
        Q_EMIT lightChanged();
      });
}

void LoadLab::setLightStep(std::int64_t step) {
  if (std::exchange(lightStep_, light_ ? step : -1) != lightStep_) Q_EMIT lightStepChanged();
}

void LoadLab::dropLight() {
  lightOf_ = lightStep_ = -1;
  session_.jobs().cancel(JobKind::WarpLight);
  if (std::exchange(light_, nullptr)) Q_EMIT lightChanged();
}

}  // namespace clusterloom
