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

#include "engine/join/backend_kinds.h"
#include "ui/charts/charts_panel.h"
#include "ui/lessons/lesson_player.h"
#include "ui/lessons/lesson_tasks.h"
#include "ui/panels/lessons_panel.h"
#include "ui/panels/message_bar.h"
#include "ui/session/cluster_run.h"
#include "ui/theme/theme.h"
#include "ui/view/announcer.h"
#include "ui/widgets/form.h"
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

/// Asks for a file of lessons or scores; calls `save` with the path that is chosen, if any.
void askWhereToSave(QWidget* parent, const QString& title, const QString& filter, auto save) {
  auto* dialog = deletedOnClose(new QFileDialog(parent, title, {}, filter));
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(QStringLiteral("json"));
  QObject::connect(dialog, &QFileDialog::fileSelected, parent, save);
  dialog->open();
}
}  // namespace

/// The parts of a lesson that are written into one file.
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

LessonWindow::LessonWindow(BackendMaker measuring) {
  // Modelled on the CPU with or without a GPU, so that the numbers are the same everywhere; what a
  // GPU measures has a text of its own.
  session_.clusterRun().setBackend(QStringLiteral("cpu"));

  player_ = new LessonPlayer(
      session_, std::make_shared<BackendSlot>(
                    std::move(measuring), QString::fromLatin1(kDeviceBackend), BackendOptions{}));
  lessons_ = new LessonsPanel(session_, *player_, *window_.charts()->load());
  lessonDock_ = named("lessonDock", new QDockWidget(tr("Lesson"), &window_));
  lessonDock_->setWidget(lessons_);
  lessonDock_->setFeatures(QDockWidget::DockWidgetMovable);
  window_.takeLesson(
      lessonDock_,
      {.showLessons = [this] { lessons_->text()->setFocus(Qt::ShortcutFocusReason); },
       .layOutDocks = [this] { layOutDocks(); },
       // Two windows must be distinguishable by more than their data.
       .title = [this] { return tr("%1[*] — Clusterloom lessons").arg(lessons_->title()); }});
  makeLessonMenu();
  makePageKeys();
  connect(&window_, &MainWindow::presentationChanged, this, &LessonWindow::showLecture);
  window_.action("run")->setShortcuts({});  // F5 reads the lesson again
  window_.charts()->showTab(chart_);
  connect(lessons_, &LessonsPanel::openFileRequested, this, &LessonWindow::askForLesson);
  connect(lessons_, &LessonsPanel::lessonOpened, &window_, &MainWindow::showState);
  connect(player_, &LessonPlayer::stepChanged, this, [this] {
    // Only when another chart is needed: the reader may look at a further one.
    const ChartId chart = chartOf(player_->step().setup.chart);
    if (std::exchange(chart_, chart) != chart) window_.charts()->showTab(chart);
    if (window_.isActiveWindow()) sayStep();
  });
  connect(player_, &LessonPlayer::restored, this, [this] { window_.charts()->showTab(chart_); });
  window_.installEventFilter(this);
  lessons_->openFile(shippedLessons().front());
}

LessonWindow::~LessonWindow() {
  // The window and the player go after this, and nothing of them may come here.
  window_.removeEventFilter(this);
  window_.disconnect(this);
  player_->disconnect(this);
}

bool LessonWindow::eventFilter(QObject* watched, QEvent* event) {
  if (watched != &window_) return false;
  if (event->type() == QEvent::WindowActivate) sayStep();
  if (event->type() == QEvent::Close && !mayClose()) {
    event->ignore();
    return true;
  }
  // The window system makes it as large as the screen some time after it was asked to.
  if (event->type() == QEvent::Resize && window_.isPresenting()) layOutLecture();
  return false;
}

bool LessonWindow::mayClose() {
  if (!drawing_) return true;
  closing_ = true;
  window_.messages()->showMessage(
      MessageBar::Kind::Information,
      tr("The lesson is being drawn; the window closes when its file is written."),
      tr("Cl&ose now"), [this] {
        drawing_ = false;
        window_.close();
      });
  return false;
}

void LessonWindow::sayStep() {
  Announcer::ofApplication().say(window_, Announcer::Topic::Lesson, lessons_->placeWords());
}

void LessonWindow::layOutDocks() {
  window_.resizeCharts(kChartsHeight);
  // In a narrow window Qt would let the docks overlap, or widen it.
  auto* parametersDock = window_.findChild<QDockWidget*>(QStringLiteral("parametersDock"));
  const int both =
      window_.width() - window_.centralWidget()->minimumSizeHint().width() - 2 * kSeparator;
  const int lesson =
      std::min(fontScaled(kLessonWidth), both - parametersDock->minimumSizeHint().width());
  const int left = std::min(fontScaled(kParametersWidth), both - lesson);
  window_.resizeDocks({parametersDock, lessonDock_}, {left, lesson}, Qt::Horizontal);
}

void LessonWindow::makeLessonMenu() {
  auto* menu = new QMenu(tr("&Lesson"), &window_);
  QMenuBar* bar = window_.menuBar();
  bar->insertMenu(bar->actions().back(), menu);
  WindowActions& actions = window_.windowActions();
  const auto add = [&](const char* name, const QString& text, const QString& key, auto run) {
    actions.add(menu, name, text, {}, {QKeySequence(key)}, {}, run);
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
    askWhereToSave(&window_, tr("Save a copy of the lesson"), tr("Lessons (*.json)"),
                   [panel](const QString& path) { panel->saveCopy(path); });
  });
  add("exportLesson", tr("E&xport…"), tr("Ctrl+Alt+E"), [this] { askForExport(); });
  QAction* record = actions.add(menu, "recordScore", tr("Keep a scor&e file…"), {}, {}, {},
                                [this] { keepScore(); });
  record->setCheckable(true);
  record->setToolTip(
      tr("Writes attempts, hints and solved tasks into a file of your choice, for a teacher"));
  add("reopenLesson", tr("&Reload the lesson file"), tr("F5"), [panel] { panel->reopen(); });
}

void LessonWindow::makePageKeys() {
  const auto add = [this](const char* name, const QString& text, Qt::Key key, int by) {
    window_.windowActions()
        .addHidden(name, text, key, [this, by] { lessons_->turnPage(by); })
        ->setEnabled(false);
  };
  add("lessonPageBack", tr("In a lecture: back in the text, then to the previous step"),
      Qt::Key_PageUp, -1);
  add("lessonPageOn", tr("In a lecture: forward in the text, then to the next step"),
      Qt::Key_PageDown, 1);
}

void LessonWindow::showLecture(bool lecture) {
  enlargeText(*lessonDock_, lecture);
  lessons_->setLecture(lecture);
  for (const char* name : {"lessonPageBack", "lessonPageOn"})
    window_.action(name)->setEnabled(lecture);
  // The key of remote controls for a dark screen.
  QList<QKeySequence> reveal{QKeySequence(tr("Alt+Return"))};
  if (lecture) reveal << QKeySequence(Qt::Key_Period);
  window_.action("lessonReveal")->setShortcuts(reveal);
  if (!lecture) return;
  layOutLecture();
  window_.messages()->showPassing(
      tr("Lecture: Page Down goes forward, the full stop shows the answer, F12 shows the chart "
         "alone, Esc ends the lecture."));
}

void LessonWindow::layOutLecture() {
  window_.resizeCharts(int(kLectureCharts * window_.height()));
  window_.resizeDocks({lessonDock_}, {int(kLectureText * window_.width())}, Qt::Horizontal);
}

void LessonWindow::askForExport() {
  auto* dialog = named("exportLessonDialog",
                       deletedOnClose(new QFileDialog(&window_, tr("Export the lesson"), folder_)));
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
  if (!player_->lesson()) return;
  LessonOutputs wanted;
  wanted.*kind.file = path;
  wanted.slides = kind.slides;
  wanted.step = player_->stepNumber() + 1;
  folder_ = QFileInfo(path).absolutePath();
  window_.action("exportLesson")->setEnabled(false);
  drawing_ = true;
  window_.messages()->showMessage(MessageBar::Kind::Information, tr("Drawing the lesson…"));
  makeLessonOutputs(this, player_->lesson()->path, wanted, [this, path](Result<void> made) {
    window_.action("exportLesson")->setEnabled(true);
    drawing_ = false;
    if (std::exchange(closing_, false) && made) {
      window_.close();
      return;
    }
    window_.messages()->dismiss(MessageBar::Kind::Information);
    if (made)
      window_.messages()->showPassing(tr("Saved %1").arg(QDir::toNativeSeparators(path)));
    else
      lessons_->complain(QString::fromStdString(made.error().message));
  });
}

void LessonWindow::keepScore() {
  QAction* record = window_.action("recordScore");
  const bool wanted = lessons_->tasks().scorePath().isEmpty();
  record->setChecked(false);  // until a file is chosen
  if (!wanted) {
    (void)lessons_->tasks().recordIn({});  // nothing is written
    return;
  }
  askWhereToSave(&window_, tr("Keep a score file"), tr("Scores (*.json *.csv)"),
                 [this, record](const QString& path) {
                   const auto kept = lessons_->tasks().recordIn(path);
                   record->setChecked(kept.has_value());
                   if (!kept) lessons_->complain(QString::fromStdString(kept.error().message));
                 });
}

void LessonWindow::askForLesson() {
  auto* dialog = deletedOnClose(new QFileDialog(&window_, tr("Open a lesson"), folder_,
                                                tr("Lessons (*.json);;All files (*)")));
  dialog->setFileMode(QFileDialog::ExistingFile);
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
    folder_ = QFileInfo(path).absolutePath();
    lessons_->openFile(path);
  });
  dialog->open();
}

}  // namespace clusterloom
