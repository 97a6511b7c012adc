// The window's actions: menus, tool bar and what they do.
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QProgressBar>
#include <QProgressDialog>
#include <QSettings>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QToolBar>
#include <QToolButton>

#include "engine/io/format_table.h"
#include "engine/io/packing.h"
#include "ui/dialogs/about_dialog.h"
#include "ui/dialogs/appearance_dialog.h"
#include "ui/dialogs/export_dialog.h"
#include "ui/dialogs/frames_dialog.h"
#include "ui/dialogs/picture_dialog.h"
#include "ui/dialogs/shortcuts_dialog.h"
#include "ui/guide/guide_window.h"
#include "ui/panels/charts_panel.h"
#include "ui/panels/clusters_panel.h"
#include "ui/panels/column_player_row.h"
#include "ui/panels/eps_slider.h"
#include "ui/panels/message_bar.h"
#include "ui/panels/parameters_panel.h"
#include "ui/session/added_points.h"
#include "ui/session/cluster_run.h"
#include "ui/session/open_clouds.h"
#include "ui/session/opened_labels.h"
#include "ui/session/recent_files.h"
#include "ui/session/replay.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/view/cloud_view.h"
#include "ui/view/column_player.h"
#include "ui/window/cloud_tabs.h"
#include "ui/window/frame_series.h"
#include "ui/window/main_window.h"
#include "ui/window/unsaved_work.h"
#include "ui/window/welcome_page.h"
#include "ui/words/language.h"
#include "ui/words/numbers.h"
#include "ui/words/result_words.h"

namespace clusterloom {

namespace {
constexpr double kPointSizeStep = 1;
constexpr double kLeastPointSize = 1;
constexpr double kMostPointSize = 12;
constexpr double kUsualPointSize = 3;
constexpr int kMoreIcon = 12;  // the width that Qt gives this button

/// The size to step from where the view chooses it by itself.
double pointSizeOf(const DisplayState& display) {
  return display.pointSize > 0 ? display.pointSize : kUsualPointSize;
}
}  // namespace

QAction* MainWindow::action(const char* name) const {
  return findChild<QAction*>(QLatin1String(name));
}

QAction* MainWindow::addAction(QMenu* menu, const char* name, const QString& text,
                               const QString& icon, const QList<QKeySequence>& shortcuts,
                               const QString& toolTip, std::function<void()> run) {
  auto* made = new QAction(text, this);
  made->setObjectName(QLatin1String(name));
  if (!icon.isEmpty()) made->setIcon(themedIcon(icon));
  made->setShortcuts(shortcuts);
  if (!toolTip.isEmpty()) {
    const QString key =
        shortcuts.isEmpty()
            ? QString()
            : QStringLiteral(" (%1)").arg(shortcuts.front().toString(QKeySequence::NativeText));
    made->setToolTip(toolTip + key);
    made->setStatusTip({});
  }
  if (run) connect(made, &QAction::triggered, this, [run = std::move(run)] { run(); });
  menu->addAction(made);
  QMainWindow::addAction(made);  // its shortcut works with the menu bar hidden, too
  return made;
}

void MainWindow::makeFileMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&File"));
  addAction(menu, "open", tr("&Open…"), QStringLiteral("open"), {QKeySequence::Open},
            tr("Open a point cloud"), [this] { askForFile(Ask::IfText); });
  addAction(menu, "openBeside", tr("Open &for comparison…"), {}, {QKeySequence(tr("Ctrl+Shift+N"))},
            tr("Open another cloud in a tab beside this one, with the same parameters (or drop it "
               "with Ctrl held)"),
            [this] { askForFileBeside(); });
  addAction(menu, "reimport", tr("&Columns…"), {}, {QKeySequence(tr("Ctrl+Shift+O"))},
            tr("Choose the columns of the open text file again"), [this] {
              if (const auto data = session_.data().dataset()) {
                showImportDialog(QString::fromStdString(data->source.path),
                                 session_.data().readOptions(), {}, Place::Instead);
              }
            });
  recentMenu_ = menu->addMenu(tr("Open &recent"));
  connect(recentMenu_, &QMenu::aboutToShow, this, &MainWindow::rebuildRecentMenu);
  QMenu* sampleMenu = menu->addMenu(tr("Sa&mples"));
  for (const Sample& sample : samples()) {
    QAction* made = sampleMenu->addAction(colouredIcon(sample.icon),
                                          tr("%1 (%2)").arg(sample.name, sample.summary));
    connect(made, &QAction::triggered, this, [this, spec = sample.spec] {
      unsaved_->before([this, spec] { session_.data().openSample(spec); });
    });
  }
  menu->addSeparator();
  addAction(menu, "addPoints", tr("A&dd points…"), {}, {QKeySequence(tr("Ctrl+Shift+D"))},
            tr("Draw the points of another file over the cloud and label them by its clusters"),
            [this] { askForPointsToAdd(); });
  addAction(menu, "removeAdded", tr("Remove added poin&ts"), {}, {}, {},
            [this] { session_.addedPoints().remove(); });
  addAction(menu, "openLabels", tr("Ope&n labels…"), {}, {QKeySequence(tr("Ctrl+Shift+B"))},
            tr("Show labels of the open cloud that are kept in a file, such as those that a "
               "cluster of machines computed"),
            [this] { askForLabels(); });
  menu->addSeparator();
  addAction(menu, "openSession", tr("Open &session…"), {}, {},
            tr("Open data, parameters and view as they were saved"), [this] { askForSession(); });
  addAction(menu, "saveSession", tr("S&ave session"), QStringLiteral("save"), {QKeySequence::Save},
            {}, [this] { saveSession(false); });
  addAction(menu, "saveSessionAs", tr("Sa&ve session as…"), {}, {QKeySequence(tr("Ctrl+Shift+S"))},
            {}, [this] { saveSession(true); });
  menu->addSeparator();
  addAction(menu, "export", tr("&Export…"), QStringLiteral("export"), {QKeySequence(tr("Ctrl+E"))},
            tr("Export labelled points, the table of clusters or a picture"),
            [this] { showExportDialog(); });
  addAction(
      menu, "savePicture", tr("Save p&icture…"), QStringLiteral("picture"),
      {QKeySequence(tr("Ctrl+Shift+P"))},
      tr("Save a picture of the view at any resolution, with a transparent background if wanted"),
      [this] { showPictureDialog(); });
  addAction(menu, "copyCommandLine", tr("Co&py as command line"), QStringLiteral("terminal"),
            {QKeySequence(tr("Ctrl+Shift+C"))},
            tr("Copy the clusterloom-cli call that gives the same labels"), [this] {
              copyCall(session_.files().commandLine(),
                       tr("Copied: %1").arg(session_.files().commandLine()));
            });
  addAction(menu, "copyBatchScript", tr("Copy as &batch script"), {}, {},
            tr("Copy a Slurm script that gives the same labels on a cluster of machines"), [this] {
              copyCall(session_.files().batchScript(),
                       tr("Copied a batch script for Slurm. Its number of ranks, threads and time "
                          "are a start."));
            });
  menu->addSeparator();
  addAction(menu, "closeData", tr("C&lose"), {},
            {QKeySequence(tr("Ctrl+W")), QKeySequence(tr("Ctrl+F4"))}, {}, [this] {
              OpenClouds& clouds = session_.clouds();
              if (clouds.count() == 0) return;
              if (clouds.count() > 1) return clouds.close(clouds.current());
              unsaved_->before([this] { session_.closeData(); });
            });
  addAction(menu, "quit", tr("&Quit"), {}, {QKeySequence(tr("Ctrl+Q"))}, {}, [this] { close(); });
}

void MainWindow::makeEditMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&Edit"));
  UndoStack* undo = session_.undoStack();
  addAction(menu, "undo", tr("&Undo"), QStringLiteral("undo"),
            QKeySequence::keyBindings(QKeySequence::Undo), {}, [undo] { undo->undo(); });
  addAction(menu, "redo", tr("&Redo"), QStringLiteral("redo"),
            QKeySequence::keyBindings(QKeySequence::Redo), {}, [undo] { undo->redo(); });
  connect(undo, &UndoStack::changed, this, &MainWindow::showUndo);
  menu->addSeparator();
  addAction(menu, "copyClusters", tr("&Copy clusters"), QStringLiteral("copy"),
            {QKeySequence::Copy}, tr("Copy the selected rows of the table of clusters"),
            [this] { clusters_->copySelection(); });
  menu->addSeparator();
  addAction(menu, "focusEps", tr("Go to &ε"), {}, {QKeySequence(tr("Ctrl+L"))}, {}, [this] {
    parameters_->eps()->box()->setFocus(Qt::ShortcutFocusReason);
    parameters_->eps()->box()->selectAll();
  });
  addAction(menu, "focusMinPts", tr("Go to &minPts"), {}, {QKeySequence(tr("Ctrl+M"))}, {}, [this] {
    parameters_->minPts()->setFocus(Qt::ShortcutFocusReason);
    parameters_->minPts()->selectAll();
  });
  addAction(menu, "focusFilter", tr("&Filter clusters"), QStringLiteral("filter"),
            {QKeySequence::Find}, {},
            [this] { clusters_->filter()->setFocus(Qt::ShortcutFocusReason); });
  addAction(menu, "focusClusters", tr("Go to the &table of clusters"), {},
            {QKeySequence(tr("Ctrl+Shift+F"))}, {}, [this] {
              clustersDock_->show();
              clusters_->table()->setFocus(Qt::ShortcutFocusReason);
            });
  addAction(menu, "focusCharts", tr("Go to the c&harts"), {}, {QKeySequence(tr("Ctrl+G"))}, {},
            [this] {
              chartsDock_->show();
              charts_->tabs()->tabBar()->setFocus(Qt::ShortcutFocusReason);
            });
  addAction(menu, "focusView", tr("Go to the &view"), {}, {QKeySequence(tr("Ctrl+T"))}, {},
            [this] { view_->setFocus(Qt::ShortcutFocusReason); });
  menu->addSeparator();
  addAction(menu, "run", tr("Ru&n"), {}, {QKeySequence(tr("F5"))},
            tr("Run with the parameters as they are"), [this] { session_.clusterRun().run(); });
  QAction* automatic = addAction(menu, "autoRun", tr("Run aut&omatically"), {}, {},
                                 tr("Run whenever a parameter changes"), {});
  automatic->setCheckable(true);
  connect(automatic, &QAction::toggled, this,
          [this](bool on) { session_.clusterRun().setAutoRun(on); });
  addAction(menu, "stop", tr("&Stop"), QStringLiteral("cancel"), {QKeySequence(tr("Ctrl+."))}, {},
            [this] { session_.cancel(); });
}

void MainWindow::showUndo() {
  const UndoStack* undo = session_.undoStack();
  action("undo")->setText(tr("&Undo %1").arg(undo->undoText()).trimmed());
  action("redo")->setText(tr("&Redo %1").arg(undo->redoText()).trimmed());
  action("undo")->setEnabled(showsData() && undo->canUndo());
  action("redo")->setEnabled(showsData() && undo->canRedo());
}

void MainWindow::closeWithData(QDialog* dialog) {
  const SessionData& data = session_.data();
  connect(&data, &SessionData::dataAboutToChange, dialog, &QDialog::reject);
  connect(&data, &SessionData::partialChanged, dialog, [&data, dialog] {
    if (data.partial()) dialog->reject();
  });
}

void MainWindow::makeViewMenu() {
  viewMenu_ = menuBar()->addMenu(tr("&View"));
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
  viewMenu_->addSeparator();
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
  viewMenu_->addSeparator();
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
  makeLanguageMenu();
  addAction(viewMenu_, "nextCloud", tr("Ne&xt cloud"), {}, {QKeySequence(tr("Ctrl+PgDown"))},
            tr("Show the next of the open clouds"), [this] { tabs_->step(1); });
  addAction(viewMenu_, "previousCloud", tr("Pre&vious cloud"), {}, {QKeySequence(tr("Ctrl+PgUp"))},
            tr("Show the previous of the open clouds"), [this] { tabs_->step(-1); });
  QMenu* panels = viewMenu_->addMenu(tr("&Panels"));
  for (QDockWidget* dock : docks_) panels->addAction(dock->toggleViewAction());
  addAction(viewMenu_, "fullScreen", tr("F&ull screen"), {}, {QKeySequence(tr("Shift+F11"))}, {},
            [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
  QAction* presentation =
      addAction(viewMenu_, "presentation", tr("Pres&entation"), {}, {QKeySequence(tr("F11"))},
                tr("The view alone on the whole screen, with larger points and labels"), {});
  presentation->setCheckable(true);
  connect(presentation, &QAction::triggered, this, &MainWindow::setPresenting);
  // In no menu: the menus are hidden while it is of use.
  auto* leave = new QAction(tr("Leave the presentation"), this);
  leave->setObjectName(QStringLiteral("leavePresentation"));
  leave->setShortcut(QKeySequence(Qt::Key_Escape));
  leave->setEnabled(false);
  connect(leave, &QAction::triggered, this, [this] { setPresenting(false); });
  QMainWindow::addAction(leave);
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

void MainWindow::makeHelpMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&Help"));
  addAction(menu, "guide", tr("&User's guide"), QStringLiteral("guide"), {QKeySequence(tr("F1"))},
            {}, [this] { showGuide(); });
  addAction(menu, "shortcuts", tr("&Keyboard shortcuts"), QStringLiteral("keyboard"),
            {QKeySequence(tr("Shift+F1"))}, {}, [this] {
              auto* dialog = new ShortcutsDialog(actions(), this);
              dialog->setAttribute(Qt::WA_DeleteOnClose);
              dialog->open();
            });
  addAction(menu, "lessons", tr("&Lessons"), {}, {QKeySequence(tr("Ctrl+F1"))},
            tr("Learn why warps idle and what helps, in short lessons"), [this] { showLessons(); });
  addAction(menu, "about", tr("&About Clusterloom"), QStringLiteral("info"), {}, {}, [this] {
    auto* dialog = new AboutDialog(session_.clusterRun().backendDescription(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
  });
  addAction(menu, "aboutQt", tr("About &Qt"), {}, {}, {}, [] { QApplication::aboutQt(); });
}

void MainWindow::showGuide() {
  if (!guide_) guide_ = new GuideWindow(this);
  guide_->show();
  guide_->raise();
  guide_->activateWindow();
}

void MainWindow::makeToolBar() {
  QToolBar* bar = addToolBar(tr("Tools"));
  toolBar_ = bar;
  bar->setObjectName(QStringLiteral("toolBar"));
  bar->setMovable(false);
  bar->setIconSize({fontScaled(20), fontScaled(20)});
  bar->setToolButtonStyle(Qt::ToolButtonIconOnly);
  bar->setContextMenuPolicy(Qt::PreventContextMenu);
  const auto add = [this, bar](const char* name, bool text = false) {
    bar->addAction(action(name));
    auto* button = qobject_cast<QToolButton*>(bar->widgetForAction(action(name)));
    button->setAccessibleName(action(name)->text().remove(QLatin1Char('&')));
    button->setFocusPolicy(Qt::TabFocus);
    if (text) button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  };
  add("open", true);
  bar->addSeparator();
  add("undo");
  add("redo");
  bar->addSeparator();
  add("fit");
  add("zoomToSelection");
  add("flat");
  add("space");
  bar->addSeparator();
  add("selectRectangle");
  add("selectLasso");
  bar->addSeparator();
  colourButton_ = new QToolButton(bar);
  colourButton_->setIcon(themedIcon(QStringLiteral("colour")));
  colourButton_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  colourButton_->setMenu(colourMenu_);
  colourButton_->setPopupMode(QToolButton::InstantPopup);
  colourButton_->setFocusPolicy(Qt::TabFocus);
  colourButton_->setAccessibleName(tr("Colour by"));
  // As wide for every name: the buttons after it stay in their places.
  colourButton_->setFixedWidth(colourButton_->sizeHint().width() + fontScaled(kColourTextWidth));
  bar->addWidget(colourButton_);
  add("grid");
  bar->addSeparator();
  add("hideOthers");
  add("showAll");
  auto* spring = new QWidget(bar);
  spring->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  bar->addWidget(spring);
  add("copyCommandLine");
  add("export", true);
  // What does not fit is behind this button.
  auto* more = bar->findChild<QToolButton*>(QStringLiteral("qt_toolbar_ext_button"));
  more->setIcon(themedIcon(QStringLiteral("chevron-right")));
  more->setIconSize({kMoreIcon, kMoreIcon});
  more->setFocusPolicy(Qt::TabFocus);
  more->setToolTip(tr("More tools"));
  more->setAccessibleName(tr("More tools"));
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

void MainWindow::rememberFile() const {
  const auto data = session_.data().dataset();
  if (memory_ == Memory::Forget || !data) return;
  // What a session opened is listed as that session.
  if (!session_.files().sessionPath().isEmpty())
    addRecentFile({session_.files().sessionPath(), true, {}, {}});
  else if (!data->source.path.empty())
    addRecentFile({QString::fromStdString(data->source.path), false, session_.data().readOptions(),
                   session_.parameters().scaling});
}

void MainWindow::rebuildRecentMenu() {
  recentMenu_->clear();
  const std::vector<RecentFile> files =
      memory_ == Memory::Remember ? recentFiles() : std::vector<RecentFile>();
  welcome_->setRecent(files);
  int number = 0;
  for (const RecentFile& file : files) {
    const QString path = QDir::toNativeSeparators(file.path);
    QAction* made = recentMenu_->addAction(QStringLiteral("&%1  %2").arg(++number).arg(
        file.isSession ? tr("%1 (session)").arg(path) : path));
    connect(made, &QAction::triggered, this, [this, file] { openRecent(file); });
  }
  if (!files.empty()) {
    recentMenu_->addSeparator();
    connect(recentMenu_->addAction(tr("&Clear this list")), &QAction::triggered, this, [this] {
      clearRecentFiles();
      rebuildRecentMenu();
    });
  }
  recentMenu_->setEnabled(!files.empty());
}

void MainWindow::openRecent(const RecentFile& file) {
  unsaved_->before([this, file] {
    if (file.isSession) return session_.files().openSession(file.path);
    OpenRequest request;
    request.path = file.path;
    request.read = file.read;
    request.scaling = file.scaling;
    openRequest(request);
  });
}

namespace {

/// "*.csv *.npy … *.gz *.zst", for file dialogs.
QString readPatterns() {
  QStringList patterns;
  for (const std::string& extension : readExtensions())
    patterns << QLatin1Char('*') + QString::fromStdString(extension);
  for (const PackingKind& kind : packingKinds())
    patterns << QLatin1Char('*') + QString::fromStdString(std::string(kind.extension));
  return patterns.join(QLatin1Char(' '));
}

}  // namespace

void MainWindow::askForFile(Ask ask) {
  auto* dialog = new QFileDialog(this, tr("Open a point cloud"), lastFolder_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  dialog->setNameFilters({tr("Point clouds and sessions (%1 *.clusterloom)").arg(readPatterns()),
                          tr("All files (*)")});
  connect(dialog, &QFileDialog::fileSelected, this, [this, ask](const QString& path) {
    unsaved_->before([this, path, ask] { openPath(path, ask); });
  });
  dialog->open();
}

void MainWindow::askForFileBeside() {
  askForFileOfCloud(tr("Open for comparison"), tr("Point clouds (%1)").arg(readPatterns()),
                    [this](const QString& path) { openBeside(path); });
}

void MainWindow::askForPointsToAdd() {
  askForFileOfCloud(tr("Add points"), tr("Point clouds (%1)").arg(readPatterns()),
                    [this](const QString& path) { session_.addedPoints().open(path); });
}

void MainWindow::askForLabels() {
  askForFileOfCloud(tr("Open labels"), tr("Labels (*.npy *.csv *.txt *.gz *.zst)"),
                    [this](const QString& path) { session_.openedLabels().open(path); });
}

void MainWindow::askForFileOfCloud(const QString& title, const QString& filter,
                                   std::function<void(const QString&)> take) {
  auto* dialog = new QFileDialog(this, title, lastFolder_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  dialog->setNameFilters({filter, tr("All files (*)")});
  closeWithData(dialog);
  connect(dialog, &QFileDialog::fileSelected, this, std::move(take));
  dialog->open();
}

void MainWindow::askForSession() {
  auto* dialog = new QFileDialog(this, tr("Open a session"), lastFolder_,
                                 tr("Clusterloom sessions (*.clusterloom)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
    unsaved_->before([this, path] { session_.files().openSession(path); });
  });
  dialog->open();
}

void MainWindow::saveSession(bool askForPath) {
  session_.files().setViewState(viewState());
  if (!askForPath && !session_.files().sessionPath().isEmpty()) {
    session_.files().saveSession(session_.files().sessionPath());
    return;
  }
  auto* dialog = new QFileDialog(this, tr("Save the session"), lastFolder_,
                                 tr("Clusterloom sessions (*.clusterloom)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(QStringLiteral("clusterloom"));
  dialog->selectFile(QFileInfo(session_.data().dataName()).completeBaseName() +
                     QStringLiteral(".clusterloom"));
  connect(dialog, &QFileDialog::fileSelected, this,
          [this](const QString& path) { session_.files().saveSession(path); });
  connect(dialog, &QDialog::rejected, unsaved_, &UnsavedWork::cancel);
  closeWithData(dialog);
  dialog->open();
}

void MainWindow::showExportDialog() {
  const std::set<std::int32_t>& selected = session_.selection().clusters;
  QString folder = exportFolder_.isEmpty() ? lastFolder_ : exportFolder_;
  if (folder.isEmpty() || !QFileInfo(folder).isDir()) {
    folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
  }
  QString base = QFileInfo(session_.data().dataName()).completeBaseName();
  base = base.section(QLatin1Char(' '), 0, 0);
  const auto data = session_.data().dataset();
  auto* dialog = new ExportDialog(
      QDir(folder).filePath(base + tr("-clusters")), int(selected.size()), session_.inputFiles(),
      outputText(session_.clusterRun(), session_.parameters(), true), view_->size(), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFormat(exportFormat_);
  closeWithData(dialog);
  const PointSet chosen = session_.selection().points;
  if (data)
    dialog->offerPoints(data->cloud.size(), session_.data().whole()->cloud.size(),
                        chosen ? chosen->size() : 0);
  if (session_.addedPoints().isCurrent())
    dialog->offerAddedPoints(session_.addedPoints().dataset()->cloud.size());
  connect(dialog, &QDialog::accepted, this, [this, dialog, chosen] {
    const ExportChoice choice = dialog->choice();
    exportFolder_ = QFileInfo(choice.path).absolutePath();
    if (choice.what != ExportChoice::What::Picture)
      exportFormat_ = QString::fromStdString(extensionOf(choice.path.toStdString())).mid(1);
    const std::set<std::int32_t>& clusters = session_.selection().clusters;
    switch (choice.what) {
      case ExportChoice::What::AllPoints:
        session_.files().exportLabelled(choice.path, {}, choice.provenance, ExportLoss::Ask);
        break;
      case ExportChoice::What::KeptPoints:
        session_.files().exportPoints(choice.path, nullptr, nullptr, choice.provenance,
                                      ExportLoss::Ask);
        break;
      case ExportChoice::What::SelectedPoints:
        session_.files().exportPoints(choice.path, chosen, nullptr, choice.provenance,
                                      ExportLoss::Ask);
        break;
      case ExportChoice::What::AddedPoints:
        session_.addedPoints().exportLabelled(choice.path, choice.provenance, ExportLoss::Ask);
        break;
      case ExportChoice::What::SelectedClusters:
        session_.files().exportLabelled(choice.path, {clusters.begin(), clusters.end()},
                                        choice.provenance, ExportLoss::Ask);
        break;
      case ExportChoice::What::ClusterTable:
        session_.files().exportClusterTable(choice.path, choice.provenance);
        break;
      case ExportChoice::What::Picture:
        exportPicture(choice.path, choice.picture);
        break;
    }
  });
  dialog->open();
}

void MainWindow::showPictureDialog() {
  auto* dialog = new PictureDialog(view_->size(), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  closeWithData(dialog);
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    const QString folder = exportFolder_.isEmpty() ? lastFolder_ : exportFolder_;
    auto* target = new QFileDialog(this, tr("Save the picture"), folder, tr("PNG image (*.png)"));
    target->setAttribute(Qt::WA_DeleteOnClose);
    target->setAcceptMode(QFileDialog::AcceptSave);
    target->setDefaultSuffix(QStringLiteral("png"));
    closeWithData(target);
    target->selectFile(
        QFileInfo(session_.data().dataName()).completeBaseName().section(QLatin1Char(' '), 0, 0) +
        QStringLiteral(".png"));
    connect(target, &QFileDialog::fileSelected, this,
            [this, size = dialog->chosen()](const QString& path) {
              exportFolder_ = QFileInfo(path).absolutePath();
              exportPicture(path, size);
            });
    target->open();
  });
  dialog->open();
}

void MainWindow::saveGrowth() {
  session_.replay().pause();
  showFramesDialog(
      new FramesDialog(tr("Frames of the growth"),
                       tr("Frames from the smallest ε to the largest, evenly on a logarithmic "
                          "scale"),
                       120, view_->size(), this),
      QStringLiteral("growth"), [this] { return growthFrames(session_); });
}

void MainWindow::savePlayedColumn() {
  ColumnPlayer& player = view_->player();
  player.pause();
  const QString column = player.columns()[std::size_t(player.column())].name;
  showFramesDialog(
      new FramesDialog(tr("Frames of the column %1").arg(column),
                       tr("Frames from the first window to the last, evenly over the column; with "
                          "as many frames as values, one for each"),
                       player.usualFrames(), view_->size(), this),
      QStringLiteral("column"), [this] { return columnFrames(session_, *view_); });
}

void MainWindow::showFramesDialog(FramesDialog* dialog, const QString& name,
                                  const std::function<FrameSource()>& source) {
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  closeWithData(dialog);
  connect(dialog, &QDialog::accepted, this, [this, dialog, name, source] {
    auto* folder = new QFileDialog(this, tr("Folder of the frames"),
                                   exportFolder_.isEmpty() ? lastFolder_ : exportFolder_);
    folder->setAttribute(Qt::WA_DeleteOnClose);
    folder->setFileMode(QFileDialog::Directory);
    folder->setOption(QFileDialog::ShowDirsOnly);
    closeWithData(folder);
    connect(folder, &QFileDialog::fileSelected, this,
            [this, order = FrameOrder{{}, name, dialog->frames(), dialog->size()},
             source](const QString& path) {
              exportFolder_ = path;
              FrameOrder here = order;
              here.folder = path;
              saveFrames(here, source());
            });
    folder->open();
  });
  dialog->open();
}

void MainWindow::saveFrames(FrameOrder order, FrameSource source) {
  // Frames of an earlier series stay.
  const auto taken = [&] {
    return QFileInfo::exists(QDir(order.folder).filePath(order.name + QStringLiteral("-0001.png")));
  };
  const QString name = order.name;
  for (int number = 2; taken(); ++number) order.name = name + QString::number(number);
  FrameSeries* series = FrameSeries::start(session_, *view_, std::move(source), order);
  auto* progress = new QProgressDialog(tr("Saving frames …"), tr("Stop"), 0, order.frames, this);
  progress->setObjectName(QStringLiteral("framesProgress"));
  // The bars of the theme are lower than a line of text.
  progress->findChild<QProgressBar*>()->setTextVisible(false);
  progress->setAutoReset(false);
  progress->setMinimumDuration(0);
  connect(progress, &QProgressDialog::canceled, series, &FrameSeries::stop);
  connect(series, &FrameSeries::progressed, progress,
          [progress](int done) { progress->setValue(done); });
  connect(series, &FrameSeries::finished, this, [this, progress, order](int written, bool stopped) {
    progress->deleteLater();
    if (written == 0) return;
    messages_->showPassing(
        (stopped ? tr("Stopped after %1 in %2") : tr("Saved %1 in %2"))
            .arg(counted(std::uint64_t(written), tr("1 frame"), tr("%1 frames")), order.folder));
  });
  progress->show();
}

void MainWindow::exportPicture(const QString& path, const PictureSize& size) {
  view_->drawPicture(size, [this, path](Result<PictureDrawing::Make> made) {
    if (!made) return session_.report(JobKind::Export, made.error(), path);
    session_.files().exportImage(path, std::move(*made));
  });
}

void MainWindow::copyCall(const QString& call, const QString& copied) {
  QApplication::clipboard()->setText(call);
  // Clusters of HDBSCAN* have a call of their own.
  const auto shown = session_.clusterRun().result();
  QString note = shown && shown->hdbscan
                     ? QString()
                     : outputText(session_.clusterRun(), session_.parameters(), false);
  const QString subset = subsetText(
      session_.parameters(), session_.data().whole() ? session_.data().whole()->cloud.size() : 0);
  if (!subset.isEmpty()) {
    if (!note.isEmpty()) note += QLatin1Char('\n');
    note += tr("The call clusters all points of the file alike; the window has %1.").arg(subset);
  }
  if (note.isEmpty())
    messages_->showPassing(copied);
  else
    messages_->showMessage(MessageBar::Kind::Warning, copied + QLatin1Char('\n') + note);
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
