#include "ui/lessons/lesson_player.h"

#include <algorithm>
#include <utility>

#include "ui/session/backend_slot.h"
#include "ui/session/cluster_run.h"
#include "ui/session/division_lab.h"
#include "ui/session/every_eps.h"
#include "ui/session/load_lab.h"
#include "ui/session/paper_strategies.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"

namespace clusterloom {

namespace {

constexpr int kRestMs = 150;  // numbers are computed when no parameter has changed for so long

bool sameCloud(const GeneratorSpec& a, const GeneratorSpec& b) {
  return a.kind == b.kind && a.points == b.points && a.dims == b.dims && a.seed == b.seed;
}

/// Which divisions the chart of a step shows.
DivisionShown shownBy(const LessonSetup& setup, const Strategy& strategy) {
  return setup.chart == LessonChart::Divisions ? DivisionShown::All : shownOf(strategy.division);
}

/// The loads of the step before, and the one that the session has.
std::vector<LoadFacts> knownLoads(const std::shared_ptr<const LessonFacts>& before,
                                  const std::shared_ptr<const LoadResult>& shown) {
  std::vector<LoadFacts> known;
  if (before) known = before->loads;
  if (shown)
    if (auto load = factsOf(*shown)) known.push_back(std::move(*load));
  return known;
}

}  // namespace

LessonPlayer::LessonPlayer(Session& session, std::shared_ptr<BackendSlot> gpu)
    : QObject(&session),
      session_(session),
      gpu_(std::move(gpu)),
      facts_(
          session.jobs(), JobKind::LessonFacts,
          [this] {
            Q_EMIT factsChanged();
            pickWarp();
          },
          [this](const Error& error) {
            failure_ = QString::fromStdString(error.message);
            Q_EMIT factsChanged();
          }) {
  restTimer_.setSingleShot(true);
  restTimer_.setInterval(kRestMs);
  connect(&restTimer_, &QTimer::timeout, this, &LessonPlayer::compute);
  LoadLab& lab = session_.loadLab();
  // The display belongs to the data and is reset with them.
  connect(&session_.data(), &SessionData::dataChanged, this, [this] {
    if (!session_.data().dataset() || !std::exchange(displayPending_, false)) return;
    if (session_.data().dataset()->source.path.empty()) setUpDisplay();  // not another file's
    Q_EMIT factsChanged();  // objections to the display count now
  });
  connect(&session_.data(), &SessionData::cloudChanged, this, &LessonPlayer::ask);
  connect(&session_, &Session::parametersChanged, this, &LessonPlayer::ask);
  connect(&session_.clusterRun(), &ClusterRun::resultChanged, this, &LessonPlayer::ask);
  connect(&session_, &Session::selectionChanged, this, &LessonPlayer::factsChanged);
  connect(&session_, &Session::displayChanged, this, &LessonPlayer::factsChanged);
  connect(&lab, &LoadLab::changed, this, [this] {
    ask();
    pickWarp();
  });
  connect(&session_.divisionLab(), &DivisionLab::changed, this, &LessonPlayer::ask);
  connect(&session_.clusterRun(), &ClusterRun::backendChanged, this, &LessonPlayer::ask);
  // A file that is read holds the numbers back, and may come to nothing.
  connect(&session_.jobs(), &JobQueue::ended, this, [this](quint64, JobKind kind) {
    if (kind == JobKind::Load) ask();
  });
  connect(&lab, &LoadLab::lightChanged, this, [this] {
    if (!session_.loadLab().light() || !std::exchange(lightPending_, false)) return;
    Q_EMIT warpReady();
  });
}

void LessonPlayer::open(const Lesson& lesson) {
  facts_.drop();
  lesson_ = lesson;
  step_ = -1;
  goTo(0);
  checkClaims();
}

void LessonPlayer::checkClaims() {
  session_.jobs().cancel(JobKind::LessonClaims);
  falseClaims_.clear();
  Q_EMIT claimsChecked();
  if (lesson_->path.startsWith(QLatin1String(":/"))) return;  // those are tested
  session_.jobs().start<std::vector<QStringList>>(
      JobKind::LessonClaims, tr("Claims of the lesson"),
      [lesson = *lesson_](const Task& task) { return clusterloom::falseClaims(lesson, task); },
      [this](Result<std::vector<QStringList>> wrong) {
        // An error is that of the step's own numbers, which say it.
        if (wrong) falseClaims_ = std::move(*wrong);
        Q_EMIT claimsChecked();
      });
}

QStringList LessonPlayer::falseClaims() const {
  QStringList all;
  for (std::size_t step = 0; step < falseClaims_.size(); ++step)
    for (const QString& claim : falseClaims_[step])
      all << tr("step %1: %2").arg(step + 1).arg(claim);
  return all;
}

void LessonPlayer::goTo(int step) {
  if (!lesson_ || step < 0 || step >= int(lesson_->steps.size()) || step == step_) return;
  step_ = step;
  begin(false);
}

void LessonPlayer::restore() {
  if (!lesson_) return;
  begin(true);
  Q_EMIT restored();
}

void LessonPlayer::begin(bool openAgain) {
  settingUp_ = true;
  setUp(openAgain);
  settingUp_ = false;
  Q_EMIT stepChanged();
  ask();
  pickWarp();  // at once where the numbers are those of the step before
}

void LessonPlayer::setUp(bool openAgain) {
  const LessonSetup& setup = step().setup;
  const Strategy& strategy = lesson_->strategies.at(setup.strategy);
  LoadLab& lab = session_.loadLab();
  pickPending_ = lightPending_ = false;
  const auto data = session_.data().dataset();
  const bool isThere =
      !openAgain && data && data->source.path.empty() && sameCloud(opened_, setup.cloud);
  if (!isThere) {
    OpenRequest request;
    request.sample = opened_ = setup.cloud;
    request.eps = setup.eps;
    request.minPts = setup.minPts;
    request.run = session_.parameters();
    request.run->strategy.indexedDims = strategy.indexedDims;
    session_.data().open(request);
  } else {
    session_.setEps(setup.eps);
    session_.setMinPts(setup.minPts);
    session_.setIndexedDims(strategy.indexedDims);
  }
  session_.clusterRun().setRanks(setup.ranks, {});
  lab.setKernel(setup.kernel);
  lab.setMachine(setup.machine);
  lab.setUnweighted(false);
  lab.setStrategy(strategy);
  if (!lab.isCurrent()) lab.drop();
  session_.everyEps().setEnabled(isOfEveryEps(setup.chart));
  DivisionLab& divisions = session_.divisionLab();
  divisions.setStrategy(strategy);
  divisions.setSides(setup.sides);
  divisions.setShown(shownBy(setup, strategy));
  displayPending_ = !isThere;
  if (isThere) setUpDisplay();
  session_.setSelection({});
  pickPending_ = setup.warp != LessonWarp::None;
}

void LessonPlayer::setUpDisplay() {
  const LessonSetup& setup = step().setup;
  DisplayState display = session_.display();
  display.colourBy = setup.colourBy;
  display.range = setup.colourRange;
  display.patternArrows = setup.arrows;
  display.gridShown = setup.grid || setup.arrows != PatternArrows::None;
  session_.setDisplay(display);
}

std::optional<FactQuestion> LessonPlayer::question() const {
  const auto shown = session_.loadLab().question();
  if (!lesson_ || !shown || session_.jobs().isActive(JobKind::Load)) return std::nullopt;
  FactQuestion question = questionOf(*lesson_, step(), shown->cloud);
  question.shown = *shown;
  question.shown.unweighted = false;  // the numbers have both
  // The speeds may have been changed by hand.
  if (question.shared && session_.divisionLab().sides())
    question.shared->sides = *session_.divisionLab().sides();
  if (question.ranks > 0) question.ranks = std::max(1, session_.clusterRun().ranks());
  question.minPts = session_.parameters().dbscan.minPts;
  if (!step().live.isEmpty()) question.measured = QStringList(QString()) + step().live.strategies();
  return question;
}

FactTable LessonPlayer::facts() const {
  if (!areFactsCurrent()) return {};
  // The numbers of warps that are on show for other parameters are not those of the facts.
  const LoadLab& lab = session_.loadLab();
  return withPickedWarp(*facts_.get(), lab.isCurrent() ? session_.selection().warp : -1);
}

QStringList LessonPlayer::objections() const {
  if (!areFactsCurrent() || displayPending_) return {};
  QStringList objections = changedSettings();
  const FactTable table = facts();
  const bool warpMayCome = pickPending_ || !session_.loadLab().isCurrent();
  // No restoring makes those true that are false for the step's own settings.
  const QStringList never = falseClaims_.empty() ? QStringList() : falseClaims_[std::size_t(step_)];
  for (const Claim& claim : step().claims)
    if (!claim.holds(table) && (claim.isKnown(table) || !warpMayCome) &&
        !never.contains(claim.text()))
      objections << claim.text();
  return objections;
}

QStringList LessonPlayer::changedSettings() const {
  const LessonSetup& setup = step().setup;
  const Strategy& strategy = lesson_->strategies.at(setup.strategy);
  const DisplayState& display = session_.display();
  const LoadLab& lab = session_.loadLab();
  QStringList changed;
  if (isOfBoth(setup.chart)) {
    if (session_.divisionLab().shown() != shownBy(setup, strategy)) changed << tr("the division");
  } else if (isOfWarps(setup.chart)) {
    if (lab.strategy() != strategy) changed << tr("the strategy");
    if (lab.kernel() != setup.kernel) changed << tr("the kernel");
    if (lab.machine() != setup.machine) changed << tr("the GPU");
    if (lab.isUnweighted()) changed << tr("the weighting of the steps");
  }
  if (setup.colourBy != ColourBy::Cluster && display.colourBy != setup.colourBy)
    changed << tr("the colouring");
  if (setup.arrows != PatternArrows::None && display.patternArrows != setup.arrows)
    changed << tr("the arrows");
  return changed;
}

bool LessonPlayer::areFactsCurrent() const { return !settingUp_ && facts_.isOf(question()); }

void LessonPlayer::ask() {
  if (!lesson_) return;
  const auto asked = question();
  if (asked && !facts_.isAsked(asked) && !areFactsCurrent() && !session_.isDragging())
    restTimer_.start();
  Q_EMIT factsChanged();
}

void LessonPlayer::compute() {
  const auto asked = question();
  if (!asked || facts_.isAsked(asked) || areFactsCurrent()) return;
  failure_.clear();
  facts_.update(*asked, tr("Numbers of the lesson"),
                [question = *asked, before = facts_.get(), shown = session_.loadLab().result(),
                 gpu = gpu_](const Task& task) {
                  std::shared_ptr<const Backend> measuring;
                  if (!question.measured.isEmpty())
                    if (const auto made = gpu->get()) measuring = *made;
                  return factsOf(question, task, knownLoads(before, shown), measuring.get());
                });
}

void LessonPlayer::pickWarp() {
  // The load lab's warps and the lesson's are the same only for the same request.
  if (!pickPending_ || !areFactsCurrent() || !session_.loadLab().isCurrent()) return;
  pickPending_ = false;
  lightPending_ = true;
  session_.setPickedWarp(facts_.get()->warp);
}

}  // namespace clusterloom
