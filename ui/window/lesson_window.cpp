// Lessons: a window of its own, with a session of its own.
#include <QAction>
#include <QDockWidget>
#include <QFileDialog>
#include <QMenu>
#include <QMenuBar>
#include <QTemporaryDir>
#include <QTextBrowser>

#include "ui/dialogs/save_dialog.h"
#include "ui/lessons/lesson_player.h"
#include "ui/panels/charts_panel.h"
#include "ui/panels/lessons_panel.h"
#include "ui/session/cluster_run.h"
#include "ui/window/main_window.h"

namespace clusterloom {

namespace {

/// Members of a window for lessons. Its autosaves are discarded.
struct LessonDesk {
  QTemporaryDir autosaves;
  Session session{nullptr, autosaves.path()};
};

/// Destroyed after the window and its children.
class LessonWindow final : private LessonDesk, public MainWindow {
 public:
  LessonWindow() : MainWindow(LessonDesk::session, Memory::Forget) {
    setAttribute(Qt::WA_DeleteOnClose);
    // Modelled on the CPU with or without a GPU, so that the numbers are the same everywhere.
    LessonDesk::session.clusterRun().setBackend(QStringLiteral("cpu"));
  }
};

}  // namespace

void MainWindow::showLessons() {
  if (lessons_) return lessons_->text()->setFocus(Qt::ShortcutFocusReason);
  if (!lessonWindow_) {
    auto* window = new LessonWindow;
    window->setTheme(theme_);
    window->resize(size().expandedTo({1360, 860}));
    lessonWindow_ = window;
    window->teach();
  }
  lessonWindow_->show();
  lessonWindow_->raise();
  lessonWindow_->activateWindow();
}

void MainWindow::teach() {
  auto* player = new LessonPlayer(session_);
  lessons_ = new LessonsPanel(session_, *player, *charts_->load());
  auto* dock = new QDockWidget(tr("Lesson"), this);
  dock->setObjectName(QStringLiteral("lessonDock"));
  dock->setWidget(lessons_);
  dock->setFeatures(QDockWidget::DockWidgetMovable);
  addDockWidget(Qt::RightDockWidgetArea, dock);
  // A lesson has its own data and is about warps: these would only take space.
  for (QDockWidget* other : {dataDock_, clustersDock_, selectionDock_}) {
    docks_.removeOne(other);
    other->hide();
  }
  resizeDocks({dock}, {400}, Qt::Horizontal);
  makeLessonMenu();
  // The data belongs to the lesson; what is closed is the window.
  QAction* close = action("closeData");
  close->setText(tr("C&lose"));
  disconnect(close, &QAction::triggered, nullptr, nullptr);
  connect(close, &QAction::triggered, this, &QWidget::close);
  action("run")->setShortcuts({});  // F5 reads the lesson again
  charts_->showTab(ChartId::WarpLoad);
  connect(lessons_, &LessonsPanel::openFileRequested, this, &MainWindow::askForLesson);
  connect(lessons_, &LessonsPanel::lessonOpened, this, &MainWindow::showState);
  lessons_->openFile(shippedLessons().front());
}

void MainWindow::makeLessonMenu() {
  auto* menu = new QMenu(tr("Le&sson"), this);
  menuBar()->insertMenu(menuBar()->actions().back(), menu);
  const auto add = [&](const char* name, const QString& text, const QString& key, auto run) {
    addAction(menu, name, text, {}, {QKeySequence(key)}, {}, run);
  };
  LessonsPanel* panel = lessons_;
  add("lessonStepBack", tr("&Back"), tr("Alt+Left"), [panel] { panel->goBack(); });
  add("lessonStepNext", tr("&Next"), tr("Alt+Right"), [panel] { panel->goNext(); });
  add("lessonReveal", tr("Show or hide the &answer"), tr("Alt+Return"),
      [panel] { panel->revealAnswer(); });
  menu->addSeparator();
  add("warpBack", tr("Step b&ack in the warp"), tr("Alt+,"), [panel] { panel->stepWarp(-1); });
  add("warpOn", tr("Step f&orward in the warp"), tr("Alt+."), [panel] { panel->stepWarp(1); });
  add("warpPlay", tr("&Play the warp"), tr("Alt+P"),
      [panel] { panel->playWarp(!panel->isPlaying()); });
  menu->addSeparator();
  add("openLesson", tr("&Open lesson file…"), tr("Ctrl+Shift+L"), [this] { askForLesson(); });
  add("saveLesson", tr("Save a &copy of the lesson…"), tr("Ctrl+Alt+L"), [this, panel] {
    askWhereToSave(this, SaveKind::Lesson, [panel](const QString& path) { panel->saveCopy(path); });
  });
  add("reopenLesson", tr("&Reload the lesson file"), tr("F5"), [panel] { panel->reopen(); });
}

void MainWindow::askForLesson() {
  auto* dialog = new QFileDialog(this, tr("Open a lesson"), lastFolder_,
                                 tr("Lessons (*.json);;All files (*)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  connect(dialog, &QFileDialog::fileSelected, lessons_, &LessonsPanel::openFile);
  dialog->open();
}

}  // namespace clusterloom
