// The View menu: camera, colours, what is on show, style, and the window itself.
#include "ui/window/main_window.h"

#include <QAction>
#include <QActionGroup>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QToolButton>
#include <utility>

#include "ui/dialogs/appearance_dialog.h"
#include "ui/panels/charts_panel.h"
#include "ui/panels/column_player_row.h"
#include "ui/panels/message_bar.h"
#include "ui/session/cluster_run.h"
#include "ui/session/motion.h"
#include "ui/session/session_data.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/view/cloud_view.h"
#include "ui/view/column_player.h"
#include "ui/window/cloud_tabs.h"
#include "ui/words/language.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {
constexpr double kPointSizeStep = 1;
constexpr double kLeastPointSize = 1;
constexpr double kMostPointSize = 12;
constexpr double kUsualPointSize = 3;

/// The size to step from where the view chooses it by itself.
double pointSizeOf(const DisplayState& display) {
  return display.pointSize > 0 ? display.pointSize : kUsualPointSize;
}
}  // namespace

void MainWindow::makeViewMenu() {
  viewMenu_ = menuBar()->addMenu(tr("&View"));
  addCameraActions();
  viewMenu_->addSeparator();
  addColourActions();
  addVisibilityActions();
  viewMenu_->addSeparator();
  addStyleActions();
  makeMotionMenu();
  makeLanguageMenu();
  addWindowActions();
}

void MainWindow::addCameraActions() {
  addAction(viewMenu_, "fit", tr("&Fit"), QStringLiteral("fit"), {QKeySequence(tr("F"))},
            tr("Show everything"), [this] { view_->fit(); });
  addAction(viewMenu_, "zoomToSelection", tr("&Zoom to selection"), QStringLiteral("zoom"),
            {QKeySequence(tr("Z"))}, tr("Zoom to the selected clusters or points"),
            [this] { view_->zoomToSelection(); });
  addAction(viewMenu_, "turnAbout", tr("&Rotate about the picked point"), {},
            {QKeySequence(tr("C"))},
            tr("In 3-D: turn about the picked point (or double-click a point); Fit resets it"),
            [this] { view_->turnAboutPickedPoint(); });
  for (const bool flat : {true, false}) {
    QAction* made =
        addAction(viewMenu_, flat ? "flat" : "space", flat ? tr("&2-D") : tr("&3-D"),
                  flat ? QStringLiteral("flat") : QStringLiteral("space"),
                  {QKeySequence(flat ? tr("2") : tr("3"))},
                  flat ? tr("Show two axes flat") : tr("Show three axes"),
                  [this, flat] { changeDisplay([flat](DisplayState& d) { d.flat = flat; }); });
    made->setCheckable(true);
  }
  addAction(viewMenu_, "orthographic", tr("Orthographic"), {}, {QKeySequence(tr("O"))},
            tr("In 3-D, show equal lengths equally long however far away they are"),
            [this] {
              const bool on = action("orthographic")->isChecked();
              changeDisplay([on](DisplayState& d) { d.orthographic = on; });
            })
      ->setCheckable(true);
  QMenu* look = viewMenu_->addMenu(tr("&Look from"));
  const struct {
    const char* name;
    QString text;
    ViewPreset preset;
    QString key;
  } looks[] = {{"front", tr("&Front"), ViewPreset::Front, tr("Ctrl+1")},
               {"back", tr("&Back"), ViewPreset::Back, tr("Ctrl+Shift+1")},
               {"right", tr("&Right"), ViewPreset::Right, tr("Ctrl+3")},
               {"left", tr("&Left"), ViewPreset::Left, tr("Ctrl+Shift+3")},
               {"top", tr("&Top"), ViewPreset::Top, tr("Ctrl+7")},
               {"bottom", tr("B&ottom"), ViewPreset::Bottom, tr("Ctrl+Shift+7")},
               {"corner", tr("&Corner"), ViewPreset::Corner, tr("Ctrl+5")}};
  for (const auto& from : looks) {
    addAction(look, from.name, from.text, {}, {QKeySequence(from.key)}, {},
              [this, preset = from.preset] { view_->setViewPreset(preset); });
  }
}

void MainWindow::addColourActions() {
  colourMenu_ = viewMenu_->addMenu(themedIcon(QStringLiteral("colour")), tr("&Colour by"));
  colourGroup_ = new QActionGroup(this);
  addAction(viewMenu_, "grid", tr("Gr&id"), QStringLiteral("grid"), {QKeySequence(tr("G"))},
            tr("Show the cells of the grid"),
            [this] {
              const bool shown = action("grid")->isChecked();
              changeDisplay([shown](DisplayState& d) { d.gridShown = shown; });
            })
      ->setCheckable(true);
  QMenu* gridColour = viewMenu_->addMenu(tr("C&olour cells by"));
  gridColourGroup_ = new QActionGroup(this);
  for (const auto& [text, by] :
       {std::pair{tr("&Points"), GridColouring::Count},
        {tr("&Workload (candidates of a query point)"), GridColouring::Workload}}) {
    QAction* made = gridColour->addAction(text);
    made->setCheckable(true);
    made->setData(int(by));
    gridColourGroup_->addAction(made);
    connect(made, &QAction::triggered, this,
            [this, by = by] { changeDisplay([by](DisplayState& d) { d.gridColouring = by; }); });
  }
  QMenu* arrows = viewMenu_->addMenu(tr("Access pattern arro&ws"));
  arrowsGroup_ = new QActionGroup(this);
  for (const auto& [text, which] : {std::pair{tr("&None"), PatternArrows::None},
                                    {tr("&Full"), PatternArrows::Full},
                                    {tr("&UNICOMP"), PatternArrows::Unicomp},
                                    {tr("&LID-UNICOMP"), PatternArrows::LidUnicomp}}) {
    QAction* made = arrows->addAction(text);
    made->setCheckable(true);
    made->setData(int(which));
    made->setToolTip(
        tr("Point at a cell: arrows show which cells it is compared with, numbers show how many"));
    arrowsGroup_->addAction(made);
    connect(made, &QAction::triggered, this, [this, which = which] {
      changeDisplay([which](DisplayState& d) {
        d.patternArrows = which;
        d.gridShown = d.gridShown || which != PatternArrows::None;
      });
    });
  }
}

void MainWindow::addVisibilityActions() {
  addAction(viewMenu_, "hideOthers", tr("&Hide others"), QStringLiteral("others"),
            {QKeySequence(tr("H"))}, tr("Show only the selected clusters"),
            [this] { hideOthers(); });
  addAction(viewMenu_, "showAll", tr("&Show all"), QStringLiteral("eye"),
            {QKeySequence(tr("Shift+H"))}, tr("Show all clusters and noise"),
            [this] { showAll(); });
  QAction* play = addAction(
      viewMenu_, "playColumn", tr("Play a column"), {}, {QKeySequence(tr("P"))},
      tr("Step through the values of a column, such as a time: only the points in a window of "
         "values are drawn"),
      [this] {
        view_->player().setOn(action("playColumn")->isChecked());
        if (view_->player().isOn()) findChild<ColumnPlayerRow*>()->takeFocus();
      });
  play->setCheckable(true);
  connect(&view_->player(), &ColumnPlayer::changed, play,
          [this, play] { play->setChecked(view_->player().isOn()); });
}

void MainWindow::addStyleActions() {
  addAction(viewMenu_, "biggerPoints", tr("&Bigger points"), {}, {QKeySequence(tr("]"))}, {},
            [this] {
              changeDisplay([](DisplayState& d) {
                d.pointSize = std::min(kMostPointSize, pointSizeOf(d) + kPointSizeStep);
              });
            });
  addAction(viewMenu_, "smallerPoints", tr("S&maller points"), {}, {QKeySequence(tr("["))}, {},
            [this] {
              changeDisplay([](DisplayState& d) {
                d.pointSize = std::max(kLeastPointSize, pointSizeOf(d) - kPointSizeStep);
              });
            });
  addAction(viewMenu_, "appearance", tr("Appeara&nce…"), {}, {QKeySequence(tr("Ctrl+Shift+A"))},
            tr("Size and opacity of points, colour map and its range"), [this] {
              if (auto* open = findChild<AppearanceDialog*>()) return open->activateWindow();
              auto* dialog = new AppearanceDialog(session_, *view_, this);
              dialog->setAttribute(Qt::WA_DeleteOnClose);
              dialog->show();
            });
  addAction(viewMenu_, "axes", tr("&Axes"), {}, {QKeySequence(tr("A"))}, {}, [this] {
    const bool shown = action("axes")->isChecked();
    changeDisplay([shown](DisplayState& d) { d.axesShown = shown; });
  })->setCheckable(true);
  addAction(viewMenu_, "densityBlended", tr("Blend by density"), {}, {QKeySequence(tr("D"))},
            tr("In 2-D, where many points lie over each other, show how many: clusters are fainter "
               "where they are thin"),
            [this] {
              const bool on = action("densityBlended")->isChecked();
              changeDisplay([on](DisplayState& d) { d.densityBlended = on; });
            })
      ->setCheckable(true);
  addAction(viewMenu_, "lighting", tr("Eye-dome lighting"), {}, {QKeySequence(tr("E"))},
            tr("In 3-D, darken what lies behind its neighbours: the shape of a scan is seen"),
            [this] {
              const bool on = action("lighting")->isChecked();
              changeDisplay([on](DisplayState& d) { d.lighting = on; });
            })
      ->setCheckable(true);
  addAction(viewMenu_, "scaleBar", tr("Scale bar"), {}, {QKeySequence(tr("B"))},
            tr("A bar of a round length, in 2-D and in orthographic views"),
            [this] {
              const bool shown = action("scaleBar")->isChecked();
              changeDisplay([shown](DisplayState& d) { d.scaleBar = shown; });
            })
      ->setCheckable(true);
  QMenu* background = viewMenu_->addMenu(tr("Bac&kground"));
  backgroundGroup_ = new QActionGroup(this);
  for (const auto& [text, colour] : {std::pair{tr("As the &theme"), QColor()},
                                     {tr("&Light"), QColor(Qt::white)},
                                     {tr("&Dark"), QColor(Qt::black)}}) {
    QAction* made = background->addAction(text);
    made->setCheckable(true);
    if (colour.isValid()) made->setData(colour);
    backgroundGroup_->addAction(made);
    connect(made, &QAction::triggered, this, [this, colour = colour] {
      changeDisplay([colour](DisplayState& d) { d.background = colour; });
    });
  }
  QMenu* theme = viewMenu_->addMenu(tr("&Theme"));
  themeGroup_ = new QActionGroup(this);
  for (const auto& [text, choice] : {std::pair{tr("As the &system"), ThemeChoice::System},
                                     {tr("&Light"), ThemeChoice::Light},
                                     {tr("&Dark"), ThemeChoice::Dark}}) {
    QAction* made = theme->addAction(text);
    made->setCheckable(true);
    made->setChecked(choice == theme_);
    made->setData(int(choice));
    themeGroup_->addAction(made);
    connect(made, &QAction::triggered, this, [this, choice = choice] { setTheme(choice); });
  }
}

void MainWindow::addWindowActions() {
  addAction(viewMenu_, "nextCloud", tr("Ne&xt cloud"), {}, {QKeySequence(tr("Ctrl+PgDown"))},
            tr("Show the next of the open clouds"), [this] { tabs_->step(1); });
  addAction(viewMenu_, "previousCloud", tr("Pre&vious cloud"), {}, {QKeySequence(tr("Ctrl+PgUp"))},
            tr("Show the previous of the open clouds"), [this] { tabs_->step(-1); });
  QMenu* panels = viewMenu_->addMenu(tr("&Panels"));
  for (QDockWidget* dock : docks_) panels->addAction(dock->toggleViewAction());
  QAction* engine = addAction(
      viewMenu_, "engineCharts", tr("Charts of the engine"), {}, {QKeySequence(tr("Ctrl+Shift+G"))},
      tr("Show the charts of how the work is done, in place of those of the clusters"), {});
  engine->setCheckable(true);
  connect(engine, &QAction::triggered, this, [this](bool on) {
    showCharts();
    charts_->showGroup(on ? ChartGroup::Engine : ChartGroup::Clusters);
  });
  connect(charts_, &ChartsPanel::groupShown, engine,
          [engine](ChartGroup group) { engine->setChecked(group == ChartGroup::Engine); });
  QAction* maximise =
      addAction(viewMenu_, "maximiseChart", tr("Maximise the chart"), QStringLiteral("maximise"),
                {QKeySequence(tr("F12"))},
                tr("Show the chart alone, as large as the window; Esc goes back"), {});
  maximise->setCheckable(true);
  connect(maximise, &QAction::triggered, this, &MainWindow::setChartMaximised);
  charts_->maximiseButton()->setDefaultAction(maximise);
  charts_->maximiseButton()->setAccessibleName(maximise->text());
  addAction(viewMenu_, "fullScreen", tr("F&ull screen"), {}, {QKeySequence(tr("Shift+F11"))}, {},
            [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
  QAction* presentation =
      addAction(viewMenu_, "presentation", tr("Pres&entation"), {}, {QKeySequence(tr("F11"))},
                tr("The view alone on the whole screen, with larger points and labels"), {});
  presentation->setCheckable(true);
  connect(presentation, &QAction::triggered, this, &MainWindow::setPresenting);
  // In no menu: the menus are hidden while it is of use.
  auto* leave = new QAction(tr("Leave the maximised chart or the presentation"), this);
  leave->setObjectName(QStringLiteral("leavePresentation"));
  leave->setShortcut(QKeySequence(Qt::Key_Escape));
  leave->setEnabled(false);
  connect(leave, &QAction::triggered, this, [this] {
    if (chartMaximised_)
      setChartMaximised(false);
    else
      setPresenting(false);
  });
  QMainWindow::addAction(leave);
}

void MainWindow::makeMotionMenu() {
  QMenu* menu = viewMenu_->addMenu(tr("Reduced motion"));
  auto* group = new QActionGroup(this);
  Motion& motion = Motion::ofApplication();
  for (const auto& [text, choice] : {std::pair{tr("As the &system"), MotionChoice::System},
                                     {tr("&Always"), MotionChoice::Reduced},
                                     {tr("&Never"), MotionChoice::Full}}) {
    QAction* made = menu->addAction(text);
    made->setObjectName(QStringLiteral("motion-%1").arg(toText(choice)));
    made->setToolTip(tr("What plays shows one still picture a second"));
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
  QMenu* menu = viewMenu_->addMenu(tr("Lan&guage"));
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
  add(tr("As the &system"), {});
  // Each in itself: the names are not translated.
  for (const Language& language : languages()) add(language.name, language.code);
}

void MainWindow::rebuildColourMenu() {
  for (QAction* old : colourGroup_->actions()) delete old;
  colourMenu_->clear();
  const auto add = [this](const QString& text, ColourBy by, const QVariant& which) {
    QAction* made = colourMenu_->addAction(text);
    made->setCheckable(true);
    made->setData(QVariantList{int(by), which});
    colourGroup_->addAction(made);
    connect(made, &QAction::triggered, this, [this, by, which] {
      changeDisplay([by, which](DisplayState& d) {
        d.colourBy = by;
        if (by == ColourBy::Attribute) d.attribute = which.toString();
        if (by == ColourBy::Dimension) d.dimension = which.toInt();
      });
    });
  };
  add(tr("&cluster"), ColourBy::Cluster, {});
  add(tr("&role (core, border, noise)"), ColourBy::Role, {});
  add(tr("&density"), ColourBy::Density, {});
  colourMenu_->addSeparator();
  add(tr("&workload (candidates)"), ColourBy::Workload, {});
  add(tr("w&arp"), ColourBy::Warp, {});
  add(tr("&idle lane-steps caused"), ColourBy::IdleLaneSteps, {});
  if (const auto data = session_.data().dataset()) {
    if (!data->attributes.empty()) colourMenu_->addSeparator();
    for (const Attribute& attribute : data->attributes) {
      const QString name = QString::fromStdString(attribute.name);
      add(tr("column %1").arg(QString(name).replace(QLatin1Char('&'), QLatin1String("&&"))),
          ColourBy::Attribute, name);
    }
    colourMenu_->addSeparator();
    for (std::size_t j = 0; j < data->cloud.dims(); ++j) {
      const QString name = QString::fromStdString(data->cloud.names[j]);
      add(tr("dimension %1").arg(QString(name).replace(QLatin1Char('&'), QLatin1String("&&"))),
          ColourBy::Dimension, int(j));
    }
  }
  showDisplay();
}

void MainWindow::hideOthers() {
  const auto result = session_.clusterRun().result();
  const std::set<std::int32_t> shown = session_.selection().clusters;
  if (!result || shown.empty()) return;
  changeDisplay([&](DisplayState& display) {
    display.hidden.clear();
    for (std::int32_t label = kNoise; label < result->clustering.clusters; ++label) {
      if (shown.count(label) == 0) display.hidden.insert(label);
    }
  });
}

void MainWindow::showAll() {
  changeDisplay([](DisplayState& display) { display.hidden.clear(); });
}

void MainWindow::showViewMenu(const QPoint& position) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  for (const char* name : {"fit", "zoomToSelection", "hideOthers", "showAll", "clearSelection",
                           "keepSelection", "removeSelection", "clusterSelection", "turnAbout"}) {
    menu->addAction(action(name));
  }
  const std::set<std::int32_t> selected = session_.selection().clusters;
  QAction* hide = menu->addAction(tr("Hi&de the selected"));
  hide->setEnabled(!selected.empty());
  connect(hide, &QAction::triggered, this, [this, selected] {
    changeDisplay([&](DisplayState& d) { d.hidden.insert(selected.begin(), selected.end()); });
  });
  QAction* noise = menu->addAction(tr("Hide nois&e"));
  noise->setCheckable(true);
  noise->setChecked(session_.display().hidden.count(kNoise) > 0);
  connect(noise, &QAction::toggled, this, [this](bool hidden) {
    changeDisplay([hidden](DisplayState& d) {
      if (hidden) {
        d.hidden.insert(kNoise);
      } else {
        d.hidden.erase(kNoise);
      }
    });
  });
  menu->addSeparator();
  menu->addMenu(colourMenu_);
  menu->addAction(action("grid"));
  menu->popup(position);
}

}  // namespace clusterloom
