#include "ui/window/lesson_window.h"

#include <QAction>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QTextBrowser>
#include <algorithm>
#include <utility>

#include "ui/dialogs/save_dialog.h"
#include "ui/lessons/lesson_player.h"
#include "ui/lessons/lesson_tasks.h"
#include "ui/panels/charts_panel.h"
#include "ui/panels/lessons_panel.h"
#include "ui/panels/message_bar.h"
#include "ui/session/cluster_run.h"
#include "ui/theme/theme.h"
#include "ui/view/announcer.h"
#include "ui/window/lesson_outputs.h"

namespace clusterloom {

namespace {
constexpr int kLessonWidth = 400;
constexpr int kParametersWidth = 290;
constexpr int kSeparator = 5;
constexpr int kChartsHeight = 300;  // a lesson is about the charts
// Shares of the screen in a lecture, whose charts and text are large.
constexpr double kLectureCharts = 0.5;
constexpr double kLectureText = 0.37;

/// The page with the chart of a step.
ChartId chartOf(LessonChart chart) {
  switch (chart) {
    case LessonChart::Processors:
    case LessonChart::Divisions: return ChartId::Processors;
    case LessonChart::Ranks: return ChartId::Ranks;
    case LessonChart::EveryEps: return ChartId::Sweep;
    case LessonChart::Tree: return ChartId::Tree;
    case LessonChart::Reachability: return ChartId::Reachability;
    default: return ChartId::WarpLoad;
  }
}
}  // namespace

/// What of a lesson is written into one file.
struct LessonWindow::ExportKind {
  QString filter;  ///< in the file dialog
  QString LessonOutputs::*file;
  bool slides = false;
};

std::vector<LessonWindow::ExportKind> LessonWindow::exportKinds() {
  return {{tr("Hand-out (*.html)"), &LessonOutputs::document},
          {tr("Slides (*.html)"), &LessonOutputs::document, true},
          {tr("Hand-out to print (*.pdf)"), &LessonOutputs::document},
          {tr("Slides to print (*.pdf)"), &LessonOutputs::document, true},
          {tr("Python notebook (*.ipynb)"), &LessonOutputs::notebook},
          {tr("Lanes of this step (*.html)"), &LessonOutputs::laneView}};
}

LessonWindow::LessonWindow() : MainWindow(ownSession, Memory::Forget) {
  setAttribute(Qt::WA_DeleteOnClose);
  // Modelled on the CPU with or without a GPU, so that the numbers are the same everywhere.
  ownSession.clusterRun().setBackend(QStringLiteral("cpu"));

  auto* player = new LessonPlayer(ownSession);
  lessons_ = new LessonsPanel(ownSession, *player, *charts()->load());
  lessonDock_ = new QDockWidget(tr("Lesson"), this);
  lessonDock_->setObjectName(QStringLiteral("lessonDock"));
  lessonDock_->setWidget(lessons_);
  lessonDock_->setFeatures(QDockWidget::DockWidgetMovable);
  // The text takes the whole height of the window; the charts are beside it.
  setCorner(Qt::TopRightCorner, Qt::RightDockWidgetArea);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  addDockWidget(Qt::RightDockWidgetArea, lessonDock_);
  // A lesson has its own data and is about warps: the other panels would only take space.
  leaveOutDataPanels();
  presentCharts();
  makeLessonMenu();
  makePageKeys();
  connect(this, &MainWindow::presentationChanged, this, &LessonWindow::showLecture);
  // The data belongs to the lesson; what is closed is the window.
  QAction* close = action("closeData");
  close->setText(tr("C&lose"));
  disconnect(close, &QAction::triggered, nullptr, nullptr);
  connect(close, &QAction::triggered, this, &QWidget::close);
  action("run")->setShortcuts({});  // F5 reads the lesson again
  charts()->showTab(chart_);
  connect(lessons_, &LessonsPanel::openFileRequested, this, &LessonWindow::askForLesson);
  connect(lessons_, &LessonsPanel::lessonOpened, this, &LessonWindow::showState);
  connect(player, &LessonPlayer::stepChanged, this, [this, player] {
    // Only when another chart is needed: the reader may look at a further one.
    const ChartId chart = chartOf(player->step().setup.chart);
    if (std::exchange(chart_, chart) != chart) charts()->showTab(chart);
    if (isActiveWindow()) sayStep();
  });
  connect(player, &LessonPlayer::restored, this, [this] { charts()->showTab(chart_); });
  lessons_->openFile(shippedLessons().front());
}

LessonWindow::~LessonWindow() = default;

void LessonWindow::showLessons() { lessons_->text()->setFocus(Qt::ShortcutFocusReason); }

bool LessonWindow::event(QEvent* event) {
  if (event->type() == QEvent::WindowActivate) sayStep();
  const bool taken = MainWindow::event(event);
  // The window system makes it as large as the screen some time after it was asked to.
  if (event->type() == QEvent::Resize && isPresenting()) layOutLecture();
  return taken;
}

void LessonWindow::sayStep() {
  Announcer::ofApplication().say(*this, Announcer::Topic::Lesson, lessons_->placeWords());
}

void LessonWindow::showState() {
  MainWindow::showState();
  // Two windows must be distinguishable by more than their data.
  setWindowTitle(tr("%1[*] — Clusterloom lessons").arg(lessons_->title()));
  action("closeData")->setEnabled(true);
}

void LessonWindow::layOutDocks() {
  resizeCharts(kChartsHeight);
  // In a narrow window Qt would let the docks overlap, or widen it.
  auto* parametersDock = findChild<QDockWidget*>(QStringLiteral("parametersDock"));
  const int both = width() - centralWidget()->minimumSizeHint().width() - 2 * kSeparator;
  const int lesson =
      std::min(fontScaled(kLessonWidth), both - parametersDock->minimumSizeHint().width());
  const int left = std::min(fontScaled(kParametersWidth), both - lesson);
  resizeDocks({parametersDock, lessonDock_}, {left, lesson}, Qt::Horizontal);
}

void LessonWindow::makeLessonMenu() {
  auto* menu = new QMenu(tr("&Lesson"), this);
  menuBar()->insertMenu(menuBar()->actions().back(), menu);
  const auto add = [&](const char* name, const QString& text, const QString& key, auto run) {
    windowActions().add(menu, name, text, {}, {QKeySequence(key)}, {}, run);
  };
  LessonsPanel* panel = lessons_;
  add("lessonStepBack", tr("&Back"), tr("Alt+Left"), [panel] { panel->goBack(); });
  add("lessonStepNext", tr("&Next"), tr("Alt+Right"), [panel] { panel->goNext(); });
  add("lessonReveal", tr("Show or hide the &answer"), tr("Alt+Return"),
      [panel] { panel->revealAnswer(); });
  add("lessonRestore", tr("Restore this &step"), tr("Alt+Home"), [panel] { panel->restoreStep(); });
  menu->addSeparator();
  add("warpBack", tr("Step bac&k in the warp"), tr("Alt+,"), [panel] { panel->stepWarp(-1); });
  add("warpOn", tr("Step &forward in the warp"), tr("Alt+."), [panel] { panel->stepWarp(1); });
  add("warpPlay", tr("&Play the warp"), tr("Alt+P"),
      [panel] { panel->playWarp(!panel->isPlaying()); });
  menu->addSeparator();
  add("openLesson", tr("&Open lesson file…"), tr("Ctrl+Shift+L"), [this] { askForLesson(); });
  add("saveLesson", tr("Save a &copy of the lesson…"), tr("Ctrl+Alt+L"), [this, panel] {
    askWhereToSave(
        this, {tr("Save a copy of the lesson"), tr("Lessons (*.json)"), QStringLiteral("json")},
        [panel](const QString& path) { panel->saveCopy(path); });
  });
  add("exportLesson", tr("E&xport…"), tr("Ctrl+Alt+E"), [this] { askForExport(); });
  QAction* record = windowActions().add(menu, "recordScore", tr("Keep a scor&e file…"), {}, {}, {},
                                        [this] { keepScore(); });
  record->setCheckable(true);
  record->setToolTip(
      tr("Writes attempts, hints and solved tasks into a file of your choice, for a teacher"));
  add("reopenLesson", tr("&Reload the lesson file"), tr("F5"), [panel] { panel->reopen(); });
}

void LessonWindow::makePageKeys() {
  const auto add = [this](const char* name, const QString& text, Qt::Key key, int by) {
    windowActions()
        .addHidden(name, text, key, [this, by] { lessons_->turnPage(by); })
        ->setEnabled(false);
  };
  add("lessonPageBack", tr("In a lecture: back in the text, then to the step before"),
      Qt::Key_PageUp, -1);
  add("lessonPageOn", tr("In a lecture: on in the text, then to the next step"), Qt::Key_PageDown,
      1);
}

void LessonWindow::showLecture(bool lecture) {
  enlargeText(*lessonDock_, lecture);
  lessons_->setLecture(lecture);
  for (const char* name : {"lessonPageBack", "lessonPageOn"}) action(name)->setEnabled(lecture);
  // The key of remote controls for a dark screen.
  QList<QKeySequence> reveal{QKeySequence(tr("Alt+Return"))};
  if (lecture) reveal << QKeySequence(Qt::Key_Period);
  action("lessonReveal")->setShortcuts(reveal);
  if (!lecture) return;
  layOutLecture();
  messages()->showPassing(
      tr("Lecture: Page Down goes on, the full stop shows the answer, F12 the chart alone, Esc "
         "leaves it."));
}

void LessonWindow::layOutLecture() {
  resizeCharts(int(kLectureCharts * height()));
  resizeDocks({lessonDock_}, {int(kLectureText * width())}, Qt::Horizontal);
}

void LessonWindow::askForExport() {
  auto* dialog = new QFileDialog(this, tr("Export the lesson"), folder_);
  dialog->setObjectName(QStringLiteral("exportLessonDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  const std::vector<ExportKind> kinds = exportKinds();
  QStringList filters;
  for (const ExportKind& kind : kinds) filters << kind.filter;
  const auto suffix = [](const QString& filter) {
    return filter.section(QStringLiteral("(*."), 1).chopped(1);
  };
  dialog->setNameFilters(filters);
  dialog->setDefaultSuffix(suffix(filters.front()));
  connect(dialog, &QFileDialog::filterSelected, dialog,
          [dialog, suffix](const QString& filter) { dialog->setDefaultSuffix(suffix(filter)); });
  connect(dialog, &QFileDialog::fileSelected, this,
          [this, dialog, kinds, filters](const QString& path) {
            const auto chosen =
                std::max<qsizetype>(0, filters.indexOf(dialog->selectedNameFilter()));
            exportTo(path, kinds[std::size_t(chosen)]);
          });
  dialog->open();
}

void LessonWindow::exportTo(const QString& path, const ExportKind& kind) {
  const auto* player = session().findChild<LessonPlayer*>();
  if (!player->lesson()) return;
  LessonOutputs wanted;
  wanted.*kind.file = path;
  wanted.slides = kind.slides;
  wanted.step = player->stepNumber() + 1;
  folder_ = QFileInfo(path).absolutePath();
  action("exportLesson")->setEnabled(false);
  messages()->showMessage(MessageBar::Kind::Information, tr("Drawing the lesson…"));
  makeLessonOutputs(this, player->lesson()->path, wanted, [this, path](Result<void> made) {
    action("exportLesson")->setEnabled(true);
    messages()->dismiss(MessageBar::Kind::Information);
    if (made)
      messages()->showPassing(tr("Saved %1").arg(QDir::toNativeSeparators(path)));
    else
      lessons_->complain(QString::fromStdString(made.error().message));
  });
}

void LessonWindow::keepScore() {
  QAction* record = action("recordScore");
  const bool wanted = lessons_->tasks().scorePath().isEmpty();
  record->setChecked(false);  // until a file is chosen
  if (!wanted) {
    (void)lessons_->tasks().recordIn({});  // nothing is written
    return;
  }
  askWhereToSave(this,
                 {tr("Keep a score file"), tr("Scores (*.json *.csv)"), QStringLiteral("json")},
                 [this, record](const QString& path) {
                   const auto kept = lessons_->tasks().recordIn(path);
                   record->setChecked(kept.has_value());
                   if (!kept) lessons_->complain(QString::fromStdString(kept.error().message));
                 });
}

void LessonWindow::askForLesson() {
  auto* dialog =
      new QFileDialog(this, tr("Open a lesson"), folder_, tr("Lessons (*.json);;All files (*)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
    folder_ = QFileInfo(path).absolutePath();
    lessons_->openFile(path);
  });
  dialog->open();
}

}  // namespace clusterloom
