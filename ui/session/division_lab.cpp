#include "ui/session/division_lab.h"

#include <QThread>

#include "engine/join/strategy.h"
#include "ui/session/backend_slot.h"
#include "ui/session/cluster_run.h"
#include "ui/session/session_data.h"

namespace clusterloom {

namespace {

constexpr int kDivisionRestMs = 250;  // queries are timed when no parameter has changed for so long

}  // namespace

DivisionLab::DivisionLab(const SessionData& data, const ClusterRun& run, SessionValues values,
                         JobQueue& jobs, QObject* parent)
    : QObject(parent),
      data_(data),
      run_(run),
      values_(values),
      jobs_(jobs),
      timing_(
          jobs_, JobKind::DivisionTiming,
          [this] {
            if (timing()) startModel();
            Q_EMIT changed();
          },
          [this](const Error& error) { fail(error); }, [this] { Q_EMIT changed(); }),
      modelled_(
          jobs_, JobKind::DivisionModel,
          [this] {
            picked_ = {};
            Q_EMIT changed();
            Q_EMIT markedChanged();
          },
          [this](const Error& error) { fail(error); }, [this] { Q_EMIT changed(); }),
      restTimer_(kDivisionRestMs, [this] { compute(); }) {
  connect(&data_, &SessionData::cloudChanged, this, &DivisionLab::onCloud);
  connect(&run_, &ClusterRun::resultChanged, this, &DivisionLab::onResult);
  connect(&run_, &ClusterRun::backendChanged, this, &DivisionLab::followParameters);
}

void DivisionLab::setWanted(bool wanted) {
  wanted_ = wanted;
  if (wanted_)
    followParameters();
  else
    cancel();
}

DivisionShown DivisionLab::shown() const {
  if (shown_ && (*shown_ != DivisionShown::Run || measured_)) return *shown_;
  return measured_ ? DivisionShown::Run : DivisionShown::All;
}

void DivisionLab::setShown(std::optional<DivisionShown> shown) {
  if (shown == shown_) return;
  set(shown_, shown);
  Q_EMIT markedChanged();
}

std::optional<ModelledSides> DivisionLab::sidesInUse() const {
  if (sides_) return sides_;
  return timing() ? std::optional(measuredSides(*timing())) : std::nullopt;
}

Strategy DivisionLab::strategy() const {
  Strategy strategy = asJoin(strategy_.value_or(values_.parameters.strategy));
  strategy.indexedDims = values_.parameters.strategy.indexedDims;
  return strategy;
}

std::optional<DivisionQuestion> DivisionLab::question() const {
  if (!run_.canRun() || !data_.euclideanCloud()) return std::nullopt;
  DivisionQuestion asked;
  asked.cloud = data_.cloud();
  asked.eps = values_.parameters.dbscan.eps;
  asked.strategy = strategy();
  // The timing is the same for all divisions, and at this ε.
  asked.strategy.division = Division::Adaptive;
  asked.strategy.referenceEps = 0;
  const int threads = run_.threads();
  asked.threads = threads > 0 ? threads : QThread::idealThreadCount();
  return asked;
}

std::optional<DivisionLab::ModelQuestion> DivisionLab::modelQuestion() const {
  const auto asked = question();
  const auto sides = sidesInUse();
  if (!timing_.isOf(asked) || !sides) return std::nullopt;
  return ModelQuestion{timing(), shown(), strategy(), *sides};
}

std::shared_ptr<const ProcessorTimes> DivisionLab::times() const {
  return shown() == DivisionShown::Run ? measured_ : modelled_.get();
}

bool DivisionLab::isCurrent() const {
  if (shown() == DivisionShown::Run) return run_.isResultCurrent();
  return modelled_.isOf(modelQuestion());
}

bool DivisionLab::isReady() const { return isCurrent() || !failure_.isEmpty(); }

void DivisionLab::onCloud() {
  failure_.clear();
  picked_ = {};
  measured_.reset();
  modelled_.drop();
  timing_.drop();
  Q_EMIT changed();
  followParameters();
}

void DivisionLab::onResult() {
  const auto result = run_.result();
  std::shared_ptr<const ProcessorTimes> run;
  if (result && result->cloud == data_.cloud())
    run = measuredTimes({result, &result->clustering.stats});
  if (!std::exchange(measured_, run) && !run) return followParameters();
  picked_ = {};
  Q_EMIT changed();
  Q_EMIT markedChanged();
  followParameters();
}

void DivisionLab::followParameters() {
  const auto asked = question();
  const bool busy = run_.state() == RunState::Running;
  // A run at the same time would make the speeds look lower than they are.
  if (!asked || !wanted_ || busy || values_.dragging || shown() == DivisionShown::Run)
    return restTimer_.stop();
  if (timing_.isAsked(asked))
    restTimer_.stop();
  else
    restTimer_.start();
  if (timing_.isOf(asked)) startModel();
}

void DivisionLab::compute() {
  restTimer_.stop();
  timing_.retry();
  const auto asked = question();
  if (!asked || shown() == DivisionShown::Run) return;
  if (timing_.isOf(asked)) {
    timing_.stop();  // of other queries
    return startModel();
  }
  if (timing_.isAsked(asked)) return;
  failure_.clear();
  timing_.update(
      *asked, tr("Timing queries"),
      [slot = run_.backendSlot(), asked = *asked](const Task& task) -> Result<DivisionTiming> {
        const auto backend = slot->get();
        if (!backend) return tl::unexpected(backend.error());
        return timingOf(asked, **backend, task);
      });
  Q_EMIT changed();
}

void DivisionLab::fail(const Error& error) {
  failure_ = QString::fromStdString(error.message);
  Q_EMIT changed();
}

void DivisionLab::startModel() {
  const auto asked = modelQuestion();
  if (!asked || modelled_.isAsked(asked)) return;
  failure_.clear();
  modelled_.update(*asked, tr("Modelling divisions"),
                   [asked = *asked](const Task&) -> Result<ProcessorTimes> {
                     return modelledTimes(*asked.timing, asked.shown, asked.strategy, asked.sides);
                   });
  Q_EMIT changed();
}

void DivisionLab::cancel() {
  restTimer_.stop();
  timing_.stop();
  modelled_.stop();
}

void DivisionLab::pickBatch(std::size_t panel, std::int64_t batch) {
  const auto shownTimes = times();
  if (!shownTimes || panel >= shownTimes->panels.size()) return;
  const auto pass = shownTimes->panels[panel].pass;
  if (batch < 0 || std::size_t(batch) >= pass->batches.size()) {
    const bool selected = picked_.points && values_.selection.points == picked_.points;
    picked_ = {};
    if (selected) Q_EMIT pointsSelected(nullptr);
    Q_EMIT markedChanged();
    return;
  }
  picked_ = {pass, batch, nullptr};
  Q_EMIT pointReleased();
  jobs_.start<PointSet>(
      JobKind::Select, tr("Points of a batch"),
      [pass, batch](const Task&) -> Result<PointSet> {
        return std::make_shared<const std::vector<std::uint32_t>>(
            pointsOfBatch(*pass, pass->batches[std::size_t(batch)]));
      },
      [this, pass, batch](Result<PointSet> points) {
        if (!points || (*points)->empty() || picked_.pass != pass || picked_.batch != batch) return;
        picked_.points = *points;
        Q_EMIT pointsSelected(*points);
      });
  Q_EMIT markedChanged();
}

void DivisionLab::followSelection() {
  // Another selection, or none, is no longer that of the batch.
  if (picked_.points && values_.selection.points != picked_.points) picked_ = {};
  if (values_.selection.point >= 0) picked_ = {};
  Q_EMIT markedChanged();
}

std::vector<std::int64_t> DivisionLab::marked() const {
  std::vector<std::int64_t> marks;
  const auto shownTimes = times();
  if (!shownTimes) return marks;
  const std::int64_t point = values_.selection.point;
  for (const ProcessorPanel& panel : shownTimes->panels) {
    if (picked_.pass)
      marks.push_back(picked_.pass == panel.pass ? picked_.batch : -1);
    else
      marks.push_back(point < 0 ? -1 : batchOfPoint(*panel.pass, std::uint32_t(point)));
  }
  return marks;
}

}  // namespace clusterloom
