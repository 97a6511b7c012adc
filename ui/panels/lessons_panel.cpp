#include "ui/panels/lessons_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextBrowser>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <bit>

#include "ui/charts/load_panel.h"
#include "ui/lessons/lesson_player.h"
#include "ui/lessons/lesson_tasks.h"
#include "ui/panels/task_row.h"
#include "ui/session/load_lab.h"
#include "ui/session/motion.h"
#include "ui/session/session.h"
#include "ui/theme/theme.h"
#include "ui/view/announcer.h"
#include "ui/widgets/form.h"
#include "ui/widgets/wrapping_row.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

constexpr int kPlaySpeeds[] = {2, 4, 8, 16, 32};  // steps of a warp a second
constexpr int kUsualSpeed = 8;
constexpr int kMsPerSecond = 1000;
constexpr int kLinesOfWords = 4;  // of the longest words about a step of a warp

/// For HTML; no line ends between a number and its unit.
QString escaped(const QString& text) {
  static const QRegularExpression unit(QStringLiteral("(?<=\\d) (?=%|(ms|ns)\\b)"));
  return text.toHtmlEscaped().replace(unit, QStringLiteral("&nbsp;"));
}

QString paragraphs(const QString& text) {
  QString html;
  for (const QString& paragraph : text.split(QStringLiteral("\n\n"), Qt::SkipEmptyParts))
    html += QStringLiteral("<p>%1</p>").arg(escaped(paragraph));
  return html;
}

QToolButton* textButton(QWidget* parent, const QString& text, const char* name,
                        const QString& says) {
  auto* button = named(name, new QToolButton(parent), says);
  button->setText(text);
  button->setToolTip(says);
  button->setFocusPolicy(Qt::StrongFocus);
  return button;
}

}  // namespace

LessonsPanel::LessonsPanel(Session& session, LessonPlayer& player, LoadPanel& load, QWidget* parent)
    : QWidget(parent), session_(session), player_(player), load_(load) {
  setObjectName(QStringLiteral("lessonsPanel"));
  setMinimumWidth(fontScaled(280));
  tasks_ = new LessonTasks(player_);
  list_ = named("lessonList", panelCombo(this, tr("Lesson")));
  open_ = named("openLesson", new QPushButton(tr("Open…"), this), tr("Open a lesson file"));
  open_->setToolTip(tr("Open a lesson file (Ctrl+Shift+L)"));
  place_ = named("lessonPlace", mutedLabel(this));
  text_ = named("lessonText", new QTextBrowser(this), tr("Text of the lesson"));
  text_->setTabChangesFocus(true);
  text_->setOpenLinks(false);
  note_ = named("lessonNote", mutedLabel(this));
  restore_ = named("lessonRestore", new QPushButton(tr("Restore this step"), this));
  answer_ = named("lessonAnswer", new QPushButton(tr("Show the &answer"), this));
  taskRow_ = new TaskRow(*tasks_, this);
  warpRow_ = new QWidget(this);
  words_ = named("warpStepWords", new QLabel(warpRow_), tr("What the warp does at this step"));
  words_->setWordWrap(true);
  words_->setTextFormat(Qt::PlainText);
  words_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  words_->setMinimumHeight(kLinesOfWords * words_->fontMetrics().lineSpacing());
  back_ = named("lessonBack", new QPushButton(tr("&Back"), this));
  back_->setToolTip(tr("Alt+Left"));
  next_ = named("lessonNext", new QPushButton(tr("Ne&xt"), this));
  next_->setToolTip(tr("Alt+Right"));

  auto* warp = spaced(new QVBoxLayout(warpRow_), {0, 0, 0, 0});
  warp->addLayout(makeWarpButtons());
  warp->addWidget(words_);
  auto* steps = new WrappingRow;
  for (QPushButton* button : {back_, next_, answer_}) steps->addWidget(button);
  setTabOrder(next_, answer_);
  auto* layout = spaced(new QVBoxLayout(this), {8, 6, 8, 8});
  auto* files = new QHBoxLayout;
  files->addWidget(list_, 1);
  files->addWidget(open_);
  layout->addLayout(files);
  layout->addWidget(place_);
  layout->addWidget(text_, 1);
  layout->addWidget(note_);
  layout->addWidget(restore_);
  layout->addWidget(taskRow_);
  layout->addWidget(warpRow_);
  layout->addLayout(steps);

  makeList();
  connect(&playTimer_, &QTimer::timeout, this, [this] { stepWarp(1); });
  connect(list_, &QComboBox::activated, this,
          [this](int index) { openFile(list_->itemData(index).toString()); });
  connect(open_, &QPushButton::clicked, this, &LessonsPanel::openFileRequested);
  connect(restore_, &QPushButton::clicked, this, &LessonsPanel::restoreStep);
  connect(answer_, &QPushButton::clicked, this, &LessonsPanel::revealAnswer);
  connect(back_, &QPushButton::clicked, this, &LessonsPanel::goBack);
  connect(next_, &QPushButton::clicked, this, &LessonsPanel::goNext);
  connect(stepBack_, &QToolButton::clicked, this, [this] { stepWarp(-1); });
  connect(stepOn_, &QToolButton::clicked, this, [this] { stepWarp(1); });
  connect(play_, &QToolButton::toggled, this, &LessonsPanel::playWarp);
  connect(&player_, &LessonPlayer::stepChanged, this, &LessonsPanel::showStep);
  connect(&player_, &LessonPlayer::factsChanged, this, &LessonsPanel::showText);
  connect(&player_, &LessonPlayer::warpReady, this, &LessonsPanel::onWarpReady);
  connect(&player_, &LessonPlayer::claimsChecked, this, [this] {
    showText();
    if (!player_.falseClaims().isEmpty())
      Announcer::ofApplication().say(*this, Announcer::Topic::Error, note_->text());
  });
  connect(tasks_, &LessonTasks::changed, this, &LessonsPanel::showTask);
  connect(tasks_, &LessonTasks::solved, this, [this] {
    if (!lecture_) revealed_ = true;
    showTask();
    Announcer::ofApplication().say(*this, Announcer::Topic::Lesson, tr("Task solved."));
  });
  connect(&load_, &LoadPanel::cursorMoved, this, &LessonsPanel::showWarp);
  connect(&session_.loadLab(), &LoadLab::lightChanged, this, &LessonsPanel::showWarp);
  showStep();
}

QLayout* LessonsPanel::makeWarpButtons() {
  stepBack_ =
      textButton(warpRow_, tr("◀"), "warpStepBack", tr("Previous step of the warp (Alt+,)"));
  play_ = textButton(warpRow_, tr("Play"), "warpPlay", tr("Step through the warp (Alt+P)"));
  play_->setCheckable(true);
  stepOn_ = textButton(warpRow_, tr("▶"), "warpStepOn", tr("Next step of the warp (Alt+.)"));
  speed_ = named("warpPlaySpeed", panelCombo(warpRow_, tr("Speed of playing")));
  speed_->setToolTip(tr("How many steps of the warp are played per second"));
  for (const int speed : kPlaySpeeds) speed_->addItem(tr("%1 steps/s").arg(speed), speed);
  const auto pace = [this] {
    Motion::ofApplication().pace(playTimer_, kMsPerSecond / speed_->currentData().toInt());
  };
  connect(speed_, &QComboBox::currentIndexChanged, this, pace);
  speed_->setCurrentIndex(speed_->findData(kUsualSpeed));
  auto* buttons = new WrappingRow;
  buttons->addWidget(new QLabel(tr("Warp, step by step"), warpRow_));
  for (QWidget* part : {static_cast<QWidget*>(stepBack_), static_cast<QWidget*>(play_),
                        static_cast<QWidget*>(stepOn_), static_cast<QWidget*>(speed_)})
    buttons->addWidget(part);
  return buttons;
}

void LessonsPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  // Space for the longest, so that the text above does not jump from step to step.
  if (event->type() == QEvent::FontChange)
    words_->setMinimumHeight(kLinesOfWords * fontMetrics().lineSpacing());
}

void LessonsPanel::turnPage(int by) {
  QScrollBar* bar = text_->verticalScrollBar();
  if (by > 0 ? bar->value() < bar->maximum() : bar->value() > bar->minimum())
    bar->triggerAction(by > 0 ? QAbstractSlider::SliderPageStepAdd
                              : QAbstractSlider::SliderPageStepSub);
  else if (by > 0)
    goNext();
  else
    goBack();
}

void LessonsPanel::setLecture(bool lecture) {
  lecture_ = lecture;
  for (QWidget* file : {static_cast<QWidget*>(list_), static_cast<QWidget*>(open_)})
    file->setVisible(!lecture);
  if (lecture) revealed_ = false;
  showText();
  showWarp();
}

void LessonsPanel::makeList() {
  for (const QString& path : shippedLessons())
    if (const auto lesson = readLesson(path)) {
      list_->addItem(lesson->title, path);
      list_->setItemData(list_->count() - 1, lesson->summary, Qt::ToolTipRole);
    }
}

void LessonsPanel::openFile(const QString& path) {
  const auto lesson = readLesson(path);
  complaint_.clear();
  if (!lesson) return complain(QString::fromStdString(lesson.error().message));
  int at = list_->findData(path);
  if (at < 0) {
    list_->addItem(lesson->title, path);
    at = list_->count() - 1;
  }
  list_->setItemText(at, lesson->title);
  list_->setItemData(at, lesson->summary, Qt::ToolTipRole);
  list_->setCurrentIndex(at);
  player_.open(*lesson);
  Q_EMIT lessonOpened();
}

void LessonsPanel::reopen() {
  if (!player_.lesson()) return;
  const int step = player_.stepNumber();
  openFile(QString(player_.lesson()->path));
  if (complaint_.isEmpty()) player_.goTo(std::min(step, int(player_.lesson()->steps.size()) - 1));
}

void LessonsPanel::saveCopy(const QString& path) {
  if (!player_.lesson()) return;
  if (const auto copied = copyLesson(player_.lesson()->path, path); !copied)
    return complain(QString::fromStdString(copied.error().message));
  openFile(path);
}

void LessonsPanel::complain(const QString& what) {
  complaint_ = what;
  Announcer::ofApplication().say(*this, Announcer::Topic::Error, what);
  showText();
  // The list goes back to the open lesson.
  if (player_.lesson()) list_->setCurrentIndex(list_->findData(player_.lesson()->path));
}

void LessonsPanel::goBack() { player_.goTo(player_.stepNumber() - 1); }

void LessonsPanel::goNext() {
  const Lesson* lesson = player_.lesson();
  if (!lesson) return;
  if (player_.stepNumber() + 1 < int(lesson->steps.size()))
    player_.goTo(player_.stepNumber() + 1);
  else if (!lesson->next.isEmpty())
    openFile(QString(lesson->next));
}

void LessonsPanel::revealAnswer() {
  if (!player_.lesson() || player_.step().question.isEmpty()) return;
  revealed_ = !revealed_;
  if (revealed_) tasks_->noteAnswerShown();
  showText();
  if (revealed_) text_->verticalScrollBar()->setValue(text_->verticalScrollBar()->maximum());
}

void LessonsPanel::showTask() {
  showText();
  if (tasks_->progress().attempts + tasks_->progress().hints > 0)
    text_->verticalScrollBar()->setValue(text_->verticalScrollBar()->maximum());
}

void LessonsPanel::restoreStep() { player_.restore(); }

void LessonsPanel::showStep() {
  revealed_ = false;
  complaint_.clear();
  shownHtml_.clear();
  playWarp(false);
  const Lesson* lesson = player_.lesson();
  for (QWidget* part : {static_cast<QWidget*>(back_), static_cast<QWidget*>(next_)})
    part->setEnabled(lesson != nullptr);
  if (lesson) {
    const auto steps = int(lesson->steps.size());
    const bool last = player_.stepNumber() + 1 == steps;
    place_->setText(tr("Step %1 of %2").arg(player_.stepNumber() + 1).arg(steps));
    back_->setEnabled(player_.stepNumber() > 0);
    next_->setText(last && !lesson->next.isEmpty() ? tr("Ne&xt lesson") : tr("Ne&xt"));
    next_->setEnabled(!last || !lesson->next.isEmpty());
    const LessonChart chart = player_.step().setup.chart;
    const bool ofWarps = isOfWarps(chart);
    if (ofWarps) load_.setLook(static_cast<LoadPanel::Look>(chart));
  }
  showText();
  showWarp();
}

void LessonsPanel::showText() {
  const Lesson* lesson = player_.lesson();
  QString html;
  QString note;
  bool asks = false;
  QStringList objections;
  if (lesson) {
    const LessonStep& step = player_.step();
    const FactTable facts = player_.facts();
    asks = !step.question.isEmpty();
    objections = player_.objections();
    html = QStringLiteral("<h3>%1</h3>").arg(step.title.toHtmlEscaped());
    if (!objections.isEmpty())
      html +=
          QStringLiteral("<p><i>%1</i></p>")
              .arg(tr("True for the step's settings, not for the present ones.").toHtmlEscaped());
    html += paragraphs(step.text.filled(facts));
    const bool measured = !step.live.isEmpty() && isMeasured(facts);
    if (measured) html += paragraphs(step.live.filled(facts));
    if (asks) html += QStringLiteral("<p><b>%1</b></p>").arg(escaped(step.question.filled(facts)));
    html += taskRow_->words();
    if (asks && revealed_) html += paragraphs(step.answer.filled(facts));
    const bool exact = isExact(step.setup.chart);
    note = !player_.areFactsCurrent() ? tr("Computing the numbers of this run…")
           : exact                    ? tr("Numbers: exact, of the current run")
           : measured                 ? tr("Numbers: modelled, and measured where the text says so")
                                      : tr("Numbers: modelled, of the current run");
  }
  const QStringList claims = player_.falseClaims();
  const QStringList wrongs = {
      complaint_, player_.failure(), tasks_->failure(),
      claims.isEmpty()
          ? QString()
          : tr("A claim of this lesson is not true. %1").arg(claims.join(QStringLiteral("; ")))};
  const auto first = std::find_if(wrongs.begin(), wrongs.end(),
                                  [](const QString& text) { return !text.isEmpty(); });
  const bool wrong = first != wrongs.end();
  if (wrong) note = *first;
  note_->setText(note);
  // In a lecture the text gets the space of what says nothing new.
  note_->setVisible(!lecture_ || wrong || !player_.areFactsCurrent());
  restyle(note_, "role", wrong ? "error" : "muted");
  restore_->setVisible(!objections.isEmpty());
  restore_->setToolTip(
      tr("No longer true, or changed: %1 (Alt+Home)").arg(objections.join(QStringLiteral(", "))));
  answer_->setVisible(asks);
  answer_->setText(revealed_ ? tr("Hide the &answer") : tr("Show the &answer"));
  if (html == shownHtml_) return;  // unchanged: the scroll position stays
  const bool sameStep = !shownHtml_.isEmpty();
  const int scrolled = text_->verticalScrollBar()->value();
  shownHtml_ = html;
  text_->setHtml(html);
  if (sameStep) text_->verticalScrollBar()->setValue(scrolled);
}

void LessonsPanel::onWarpReady() {
  if (player_.step().setup.cursor >= 0) load_.setCursor(player_.step().setup.cursor);
}

void LessonsPanel::stepWarp(int by) {
  const auto light = session_.loadLab().light();
  if (!light || light->trace->steps() == 0) return playWarp(false);
  const auto last = std::int64_t(light->trace->steps()) - 1;
  // Before the first step the whole warp is on show.
  const std::int64_t to = std::clamp<std::int64_t>(load_.cursor() + by, -1, last);
  if (to == last) playWarp(false);
  load_.setCursor(to);
}

void LessonsPanel::playWarp(bool play) {
  play_->setChecked(play);
  if (play)
    playTimer_.start();
  else
    playTimer_.stop();
}

QString LessonsPanel::title() const {
  return player_.lesson() ? player_.lesson()->title : QString();
}

QString LessonsPanel::placeWords() const {
  if (!player_.lesson()) return {};
  return tr("%1, %2: %3").arg(player_.lesson()->title, place_->text(), player_.step().title);
}

QString LessonsPanel::stepWords() const { return words_->text(); }
QString LessonsPanel::complaint() const { return complaint_; }

void LessonsPanel::showWarp() {
  const auto light = session_.loadLab().light();
  const std::int64_t at = load_.cursor();
  const bool there = light && light->trace->steps() > 0;
  session_.loadLab().setLightStep(at);
  const LessonChart chart = player_.lesson() ? player_.step().setup.chart : LessonChart::Warps;
  warpRow_->setVisible(isOfWarps(chart) && (!lecture_ || there));
  for (QWidget* button : {stepBack_, play_, stepOn_}) button->setEnabled(there);
  if (!there) playWarp(false);
  if (!there || at < 0)
    return words_->setText(there ? tr("Step through it, or click into the picture of its lanes.")
                                 : tr("Pick a warp: click a bar of the chart."));
  const WarpTrace& trace = *light->trace;
  const auto step = std::size_t(at);
  const std::uint32_t active = trace.activeOfStep[step];
  const int working = std::popcount(active);
  const auto lane = std::uint32_t(std::countr_zero(active));
  QString what;
  switch (trace.loopOfStep[step]) {
    case Loop::Cell: what = tr("go to their next adjacent cell"); break;
    case Loop::Search: what = tr("search the list of cells for it"); break;
    case Loop::Candidate:
      what = tr("compute a distance: lane %1 that of its query point %2 to candidate %3")
                 .arg(lane)
                 .arg(count(trace.queryPoint[lane]), count(trace.at(step, lane)));
      break;
    case Loop::Hit:
      what = tr("store a neighbour: lane %1 has found that %2 is within ε of %3")
                 .arg(lane)
                 .arg(count(trace.at(step, lane)), count(trace.queryPoint[lane]));
      break;
  }
  words_->setText(tr("Step %1 of %2: %3 of 32 lanes %4. %5 idle.")
                      .arg(count(trace.firstStep + step + 1), count(trace.allSteps))
                      .arg(working)
                      .arg(what)
                      .arg(int(WarpTrace::kLanes) - working));
}

}  // namespace clusterloom
