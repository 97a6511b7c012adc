#include "ui/session/division_lab.h"

#include <QThread>
#include <utility>

#include "ui/jobs/receiver.h"
#include "ui/session/backend_slot.h"
#include "ui/session/cluster_run.h"
#include "ui/session/paper_strategies.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"

namespace clusterloom {

namespace {

constexpr int kRestMs = 250;  // queries are timed when no parameter has changed for so long

}  // namespace

DivisionLab::DivisionLab(Session& session) : QObject(&session), session_(session) {
  restTimer_.setSingleShot(true);
  restTimer_.setInterval(kRestMs);
  connect(&restTimer_, &QTimer::timeout, this, &DivisionLab::compute);
  connect(&session_.data(), &SessionData::cloudChanged, this, &DivisionLab::onCloud);
  connect(&session_, &Session::parametersChanged, this, &DivisionLab::onParameters);
  connect(&session_, &Session::selectionChanged, this, &DivisionLab::onSelection);
  connect(&session_.clusterRun(), &ClusterRun::resultChanged, this, &DivisionLab::onResult);
  connect(&session_.clusterRun(), &ClusterRun::backendChanged, this, &DivisionLab::onParameters);
  connect(&session_.jobs(), &JobQueue::ended, this, [this](quint64, JobKind kind, JobEnd end) {
    if (end == JobEnd::Superseded) return;
    if (kind == JobKind::DivisionTiming) timingUnderWay_.reset();
    if (kind == JobKind::DivisionModel) modelUnderWay_.reset();
    if (kind == JobKind::DivisionTiming || kind == JobKind::DivisionModel) Q_EMIT changed();
  });
}

void DivisionLab::setWanted(bool wanted) {
  wanted_ = wanted;
  if (wanted_)
    onParameters();
  else
    cancel();
}

DivisionShown DivisionLab::shown() const {
  if (shown_ && (*shown_ != DivisionShown::Run || run_)) return *shown_;
  return run_ ? DivisionShown::Run : DivisionShown::All;
}

void DivisionLab::setShown(std::optional<DivisionShown> shown) {
  if (std::exchange(shown_, shown) == shown) return;
  onParameters();
  Q_EMIT changed();
  Q_EMIT markedChanged();
}

void DivisionLab::setStrategy(const std::optional<Strategy>& strategy) {
  if (std::exchange(strategy_, strategy) == strategy) return;
  onParameters();
  Q_EMIT changed();
}

void DivisionLab::setSides(const std::optional<ModelledSides>& sides) {
  if (std::exchange(sides_, sides) == sides) return;
  onParameters();
  Q_EMIT changed();
}

std::optional<ModelledSides> DivisionLab::sidesInUse() const {
  if (sides_) return sides_;
  return timing_ ? std::optional(measuredSides(*timing_)) : std::nullopt;
}

Strategy DivisionLab::strategy() const {
  Strategy strategy = asJoin(strategy_.value_or(session_.parameters().strategy));
  strategy.indexedDims = session_.parameters().strategy.indexedDims;
  return strategy;
}

std::optional<DivisionQuestion> DivisionLab::question() const {
  if (!session_.clusterRun().canRun() || !session_.data().euclideanCloud()) return std::nullopt;
  DivisionQuestion asked;
  asked.cloud = session_.data().cloud();
  asked.eps = session_.parameters().dbscan.eps;
  asked.strategy = strategy();
  // The timing is the same for all divisions, and at this ε.
  asked.strategy.division = Division::Adaptive;
  asked.strategy.referenceEps = 0;
  const int threads = session_.clusterRun().threads();
  asked.threads = threads > 0 ? threads : QThread::idealThreadCount();
  return asked;
}

std::optional<DivisionLab::ModelQuestion> DivisionLab::modelQuestion() const {
  const auto asked = question();
  const auto sides = sidesInUse();
  if (!timing_ || !asked || timing_->asked != *asked || !sides) return std::nullopt;
  return ModelQuestion{timing_, shown(), strategy(), *sides};
}

std::shared_ptr<const ProcessorTimes> DivisionLab::times() const {
  return shown() == DivisionShown::Run ? run_ : modelled_;
}

bool DivisionLab::isCurrent() const {
  if (shown() == DivisionShown::Run) return session_.clusterRun().isResultCurrent();
  const auto asked = modelQuestion();
  return modelled_ && asked && modelledFor_ == asked;
}

bool DivisionLab::isComputing() const {
  return timingUnderWay_.has_value() || modelUnderWay_.has_value();
}

bool DivisionLab::isReady() const { return isCurrent() || !failure_.isEmpty(); }

void DivisionLab::onCloud() {
  session_.jobs().cancel(JobKind::DivisionTiming);
  session_.jobs().cancel(JobKind::DivisionModel);
  failedTiming_.reset();
  failure_.clear();
  picked_ = {};
  modelledFor_.reset();
  auto oldTiming = std::exchange(timing_, nullptr);
  auto oldTimes = std::exchange(modelled_, nullptr);
  run_.reset();
  Q_EMIT changed();
  session_.jobs().retire(std::move(oldTimes));
  session_.jobs().retire(std::move(oldTiming));
  onParameters();
}

void DivisionLab::onResult() {
  const auto result = session_.clusterRun().result();
  std::shared_ptr<const ProcessorTimes> run;
  if (result && result->cloud == session_.data().cloud())
    run = measuredTimes({result, &result->clustering.stats});
  if (!std::exchange(run_, run) && !run) return onParameters();
  picked_ = {};
  Q_EMIT changed();
  Q_EMIT markedChanged();
  onParameters();
}

void DivisionLab::onParameters() {
  const auto asked = question();
  const bool busy = session_.clusterRun().state() == RunState::Running;
  // A run at the same time would make the speeds look lower than they are.
  if (!asked || !wanted_ || busy || session_.isDragging() || shown() == DivisionShown::Run)
    return restTimer_.stop();
  if (timing_ && timing_->asked == *asked) {
    restTimer_.stop();
    return startModel();
  }
  if (asked == failedTiming_ || asked == timingUnderWay_) return restTimer_.stop();
  restTimer_.start();
}

void DivisionLab::compute() {
  restTimer_.stop();
  const auto asked = question();
  if (!asked || shown() == DivisionShown::Run) return;
  if (timing_ && timing_->asked == *asked) return startModel();
  if (asked == timingUnderWay_) return;
  startTiming();
}

void DivisionLab::failed(const QString& why) {
  failure_ = why;
  Q_EMIT changed();
}

void DivisionLab::startTiming() {
  failedTiming_.reset();
  failure_.clear();
  timingUnderWay_ = question();
  const Receiver<Result<std::shared_ptr<const DivisionTiming>>> takes(
      [this, asked = *timingUnderWay_](const Result<std::shared_ptr<const DivisionTiming>>& made) {
        if (!made) {
          if (made.error().kind == ErrorKind::Cancelled) return;
          failedTiming_ = asked;
          return failed(QString::fromStdString(made.error().message));
        }
        session_.jobs().retire(std::exchange(timing_, *made));
        startModel();
      });
  session_.jobs().start(
      JobKind::DivisionTiming, tr("Timing queries"),
      [takes, slot = session_.clusterRun().backendSlot(),
       asked = *timingUnderWay_](const Job& job) {
        const auto backend = slot->get();
        auto made = backend ? timingOf(asked, **backend, job.task())
                            : Result<DivisionTiming>(tl::unexpected(backend.error()));
        if (!made) return takes.deliver(job, tl::unexpected(made.error()));
        takes.deliver(job, std::make_shared<const DivisionTiming>(std::move(*made)));
      });
  Q_EMIT changed();
}

void DivisionLab::startModel() {
  const auto asked = modelQuestion();
  if (!asked || asked == modelUnderWay_ || isCurrent()) return;
  failure_.clear();
  modelUnderWay_ = asked;
  session_.jobs().start<ProcessorTimes>(
      JobKind::DivisionModel, tr("Modelling divisions"),
      [asked = *asked](const Task&) -> Result<ProcessorTimes> {
        return modelledTimes(*asked.timing, asked.shown, asked.strategy, asked.sides);
      },
      [this, asked](Result<ProcessorTimes> made) {
        if (!made) return failed(QString::fromStdString(made.error().message));
        auto old =
            std::exchange(modelled_, std::make_shared<const ProcessorTimes>(std::move(*made)));
        modelledFor_ = asked;
        picked_ = {};
        Q_EMIT changed();
        Q_EMIT markedChanged();
        session_.jobs().retire(std::move(old));
      });
  Q_EMIT changed();
}

void DivisionLab::cancel() {
  restTimer_.stop();
  session_.jobs().cancel(JobKind::DivisionTiming);
  session_.jobs().cancel(JobKind::DivisionModel);
}

void DivisionLab::pickBatch(std::size_t panel, std::int64_t batch) {
  const auto shownTimes = times();
  if (!shownTimes || panel >= shownTimes->panels.size()) return;
  const auto pass = shownTimes->panels[panel].pass;
  if (batch < 0 || std::size_t(batch) >= pass->batches.size()) {
    const bool selected = picked_.points && session_.selection().points == picked_.points;
    picked_ = {};
    if (selected) session_.setSelectedPoints(nullptr);
    Q_EMIT markedChanged();
    return;
  }
  picked_ = {pass, batch, nullptr};
  session_.setPickedPoint(-1);
  session_.jobs().start<PointSet>(
      JobKind::Select, tr("Points of a batch"),
      [pass, batch](const Task&) -> Result<PointSet> {
        return std::make_shared<const std::vector<std::uint32_t>>(
            pointsOfBatch(*pass, pass->batches[std::size_t(batch)]));
      },
      [this, pass, batch](Result<PointSet> points) {
        if (!points || (*points)->empty() || picked_.pass != pass || picked_.batch != batch) return;
        picked_.points = *points;
        session_.setSelectedPoints(*points);
      });
  Q_EMIT markedChanged();
}

void DivisionLab::onSelection() {
  // Another selection, or none, is no longer that of the batch.
  if (picked_.points && session_.selection().points != picked_.points) picked_ = {};
  if (session_.selection().point >= 0) picked_ = {};
  Q_EMIT markedChanged();
}

std::vector<std::int64_t> DivisionLab::marked() const {
  std::vector<std::int64_t> marks;
  const auto shownTimes = times();
  if (!shownTimes) return marks;
  const std::int64_t point = session_.selection().point;
  for (const ProcessorPanel& panel : shownTimes->panels) {
    if (picked_.pass)
      marks.push_back(picked_.pass == panel.pass ? picked_.batch : -1);
    else
      marks.push_back(point < 0 ? -1 : batchOfPoint(*panel.pass, std::uint32_t(point)));
  }
  return marks;
}

}  // namespace clusterloom
