// The menu View: the entries for the window itself.
#include "ui/window/main_window.h"

#include <QAction>
#include <QActionGroup>
#include <QDockWidget>
#include <QMenu>
#include <QToolButton>
#include <utility>

#include "ui/charts/charts_panel.h"
#include "ui/dialogs/stored_points_dialog.h"
#include "ui/panels/message_bar.h"
#include "ui/session/file_levels.h"
#include "ui/session/motion.h"
#include "ui/theme/theme.h"
#include "ui/view/cloud_view.h"
#include "ui/widgets/form.h"
#include "ui/window/cloud_tabs.h"
#include "ui/window/view_actions.h"
#include "ui/words/language.h"
#include "ui/words/numbers.h"

namespace clusterloom {

void MainWindow::makeViewMenu() {
  viewActions_ = new ViewActions(actions_, session_, *view_);
  QMenu* menu = viewActions_->menu();
  QMenu* theme = menu->addMenu(tr("&Theme"));
  themeGroup_ = new QActionGroup(this);
  for (const auto& [text, choice] : {std::pair{tr("Follow the &system"), ThemeChoice::System},
                                     {tr("&Light"), ThemeChoice::Light},
                                     {tr("&Dark"), ThemeChoice::Dark}}) {
    QAction* made = theme->addAction(text);
    made->setCheckable(true);
    made->setChecked(choice == theme_);
    made->setData(int(choice));
    themeGroup_->addAction(made);
    connect(made, &QAction::triggered, this, [this, choice = choice] { setTheme(choice); });
  }
  makePointsMenu();
  addStoredPoints();
  makeMotionMenu();
  makeLanguageMenu();
  addWindowActions();
}

void MainWindow::addWindowActions() {
  actions_.add(viewActions_->menu(), "nextCloud", tr("Ne&xt cloud"), {},
               {QKeySequence(tr("Ctrl+PgDown"))}, tr("Show the next of the open clouds"),
               [this] { tabs_->step(1); });
  actions_.add(viewActions_->menu(), "previousCloud", tr("Pre&vious cloud"), {},
               {QKeySequence(tr("Ctrl+PgUp"))}, tr("Show the previous of the open clouds"),
               [this] { tabs_->step(-1); });
  QMenu* panels = viewActions_->menu()->addMenu(tr("&Panels"));
  for (QDockWidget* dock : docks_) panels->addAction(dock->toggleViewAction());
  QAction* engine = actions_.add(
      viewActions_->menu(), "engineCharts", tr("Charts of the engine"), {},
      {QKeySequence(tr("Ctrl+Shift+G"))},
      tr("Show the charts of how the work is done instead of the charts of the clusters"), {});
  engine->setCheckable(true);
  connect(engine, &QAction::triggered, this, [this](bool on) {
    showCharts();
    charts_->showGroup(on ? ChartGroup::Engine : ChartGroup::Clusters);
  });
  connect(charts_, &ChartsPanel::groupShown, engine,
          [engine](ChartGroup group) { engine->setChecked(group == ChartGroup::Engine); });
  QAction* maximise =
      actions_.add(viewActions_->menu(), "maximiseChart", tr("Maximise the chart"),
                   QStringLiteral("maximise"), {QKeySequence(tr("F12"))},
                   tr("Show the chart alone, as large as the window; Esc goes back"), {});
  maximise->setCheckable(true);
  connect(maximise, &QAction::triggered, this, &MainWindow::setChartMaximised);
  charts_->maximiseButton()->setDefaultAction(maximise);
  charts_->maximiseButton()->setAccessibleName(maximise->text());
  actions_.add(viewActions_->menu(), "fullScreen", tr("F&ull screen"), {},
               {QKeySequence(tr("Shift+F11"))}, {},
               [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
  QAction* presentation = actions_.add(
      viewActions_->menu(), "presentation", tr("Pres&entation"), {}, {QKeySequence(tr("F11"))},
      tr("The view alone on the whole screen, with larger points and labels"), {});
  presentation->setCheckable(true);
  connect(presentation, &QAction::triggered, this, &MainWindow::setPresenting);
  // In no menu: the menus are hidden while it is of use.
  actions_
      .addHidden("leavePresentation", tr("Leave the maximised chart or the presentation"),
                 Qt::Key_Escape,
                 [this] {
                   if (chartMaximised_)
                     setChartMaximised(false);
                   else
                     setPresenting(false);
                 })
      ->setEnabled(false);
}

void MainWindow::makePointsMenu() {
  QMenu* menu = viewActions_->menu()->addMenu(tr("Points while moving"));
  pointsGroup_ = new QActionGroup(this);
  for (const std::size_t points : {0, 100'000, 300'000, 1'000'000, 5'000'000}) {
    QAction* made = menu->addAction(points == 0 ? tr("&Automatic") : count(points));
    made->setObjectName(QStringLiteral("points-%1").arg(points));
    made->setToolTip(points == 0
                         ? tr("The number that can be drawn quickly enough for a smooth motion")
                         : tr("Each frame draws this number of points while the view moves, "
                              "however long that takes"));
    made->setCheckable(true);
    made->setData(qulonglong(points));
    pointsGroup_->addAction(made);
    connect(made, &QAction::triggered, this, [this, points] { setPointBudget(points); });
  }
  setPointBudget(0);
}

void MainWindow::setPointBudget(std::size_t points) {
  view_->setPointBudget(points);
  for (QAction* choice : pointsGroup_->actions())
    choice->setChecked(choice->data().toULongLong() == points);
}

void MainWindow::addStoredPoints() {
  actions_.add(
      viewActions_->menu(), "storedPoints", tr("All rows of large files…"), {}, {},
      tr("Whether and where all rows of files that do not fit into the memory are stored "
         "for drawing"),
      [this] { deletedOnClose(new StoredPointsDialog(session_.fileLevels(), this))->open(); });
}

void MainWindow::makeMotionMenu() {
  QMenu* menu = viewActions_->menu()->addMenu(tr("Reduced motion"));
  auto* group = new QActionGroup(this);
  Motion& motion = Motion::ofApplication();
  for (const auto& [text, choice] : {std::pair{tr("Follow the &system"), MotionChoice::System},
                                     {tr("&Always"), MotionChoice::Reduced},
                                     {tr("&Never"), MotionChoice::Full}}) {
    QAction* made = menu->addAction(text);
    made->setObjectName(QStringLiteral("motion-%1").arg(toText(choice)));
    made->setToolTip(tr("Animations show one still picture per second"));
    made->setCheckable(true);
    group->addAction(made);
    connect(made, &QAction::triggered, this,
            [&motion, choice = choice] { motion.setChoice(choice); });
    const auto show = [made, choice = choice, &motion] {
      made->setChecked(motion.choice() == choice);
    };
    show();
    connect(&motion, &Motion::changed, made, show);
  }
  const auto follow = [this, &motion] { setAnimated(!motion.isReduced()); };
  follow();
  connect(&motion, &Motion::changed, this, follow);
}

void MainWindow::makeLanguageMenu() {
  QMenu* menu = viewActions_->menu()->addMenu(tr("Lan&guage"));
  auto* group = new QActionGroup(this);
  const auto add = [&](const QString& text, const QString& code) {
    QAction* made = menu->addAction(text);
    made->setObjectName(QStringLiteral("language-%1").arg(code));
    made->setCheckable(true);
    made->setChecked(code == chosenLanguage());
    group->addAction(made);
    connect(made, &QAction::triggered, this, [this, code] {
      chooseLanguage(code);
      messages_->showMessage(MessageBar::Kind::Information,
                             tr("The language changes when Clusterloom is started again."));
    });
  };
  add(tr("Follow the &system"), {});
  // Each in itself: the names are not translated.
  for (const Language& language : languages()) add(language.name, language.code);
}

}  // namespace clusterloom
