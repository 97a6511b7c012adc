// Menus but View, and the tool bar.
#include "ui/window/main_window.h"

#include <QAction>
#include <QApplication>
#include <QContextMenuEvent>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QSpinBox>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QToolBar>
#include <QToolButton>
#include <utility>

#include "engine/io/format_table.h"
#include "ui/dialogs/about_dialog.h"
#include "ui/dialogs/shortcuts_dialog.h"
#include "ui/guide/guide_window.h"
#include "ui/panels/charts_panel.h"
#include "ui/panels/clusters_panel.h"
#include "ui/panels/eps_slider.h"
#include "ui/panels/message_bar.h"
#include "ui/panels/parameters_panel.h"
#include "ui/session/added_points.h"
#include "ui/session/cluster_run.h"
#include "ui/session/open_clouds.h"
#include "ui/session/recent_files.h"
#include "ui/session/result_words.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/view/announcer.h"
#include "ui/view/cloud_view.h"
#include "ui/widgets/form.h"
#include "ui/widgets/share_slider.h"
#include "ui/window/unsaved_work.h"
#include "ui/window/welcome_page.h"
#include "ui/words/numbers.h"

namespace clusterloom {

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
              showCharts();
              charts_->tabs()->tabBar()->setFocus(Qt::ShortcutFocusReason);
            });
  addAction(menu, "focusView", tr("Go to the &view"), {}, {QKeySequence(tr("Ctrl+T"))}, {},
            [this] { view_->setFocus(Qt::ShortcutFocusReason); });
  addAction(menu, "focusMessage", tr("Go to the m&essage"), {}, {QKeySequence(tr("Ctrl+Shift+M"))},
            {}, [this] {
              if (!messages_->takeFocus())
                Announcer::ofApplication().say(*this, Announcer::Topic::Message,
                                               tr("There is no message"));
            });
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
  // In no menu: it opens them. Qt does so for Alt alone, which many window managers take.
  auto* menus = new QAction(tr("Open the menus"), this);
  menus->setObjectName(QStringLiteral("openMenus"));
  menus->setShortcut(QKeySequence(Qt::Key_F10));
  connect(menus, &QAction::triggered, this, [this] {
    if (menuBar()->isVisible()) menuBar()->setActiveAction(menuBar()->actions().front());
  });
  QMainWindow::addAction(menus);
  // The other key for the menu of what has the focus, which Qt does not know everywhere.
  auto* menuHere = new QAction(tr("Open the menu of what has the focus"), this);
  menuHere->setObjectName(QStringLiteral("openMenuHere"));
  menuHere->setShortcut(QKeySequence(Qt::SHIFT | Qt::Key_F10));
  connect(menuHere, &QAction::triggered, this, [] {
    QWidget* const focus = QApplication::focusWidget();
    if (focus == nullptr) return;
    const QPoint at = focus->rect().center();
    QContextMenuEvent event(QContextMenuEvent::Keyboard, at, focus->mapToGlobal(at));
    QCoreApplication::sendEvent(focus, &event);
  });
  QMainWindow::addAction(menuHere);
}

void MainWindow::showGuide() {
  if (!guide_) guide_ = new GuideWindow(this);
  guide_->show();
  guide_->raise();
  guide_->activateWindow();
}

void MainWindow::addNoiseSlider() {
  auto* noise = new QWidget(toolBar_);
  auto* row = new QHBoxLayout(noise);
  row->setContentsMargins(fontScaled(8), 0, fontScaled(6), 0);
  auto* name = new QLabel(tr("Noise"), noise);
  noiseSlider_ = new ShareSlider(session_, &DisplayState::noise, 0, noise);
  noiseSlider_->setObjectName(QStringLiteral("noiseSlider"));
  noiseSlider_->setAccessibleName(tr("Strength of noise"));
  noiseSlider_->setFixedWidth(fontScaled(72));
  noiseSlider_->setPageStep(20);
  row->addWidget(name);
  row->addWidget(noiseSlider_);
  noise->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
  toolBar_->addWidget(noise);
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
  addNoiseSlider();
  add("grid");
  bar->addSeparator();
  add("hideOthers");
  add("showAll");
  auto* spring = new QWidget(bar);
  spring->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  bar->addWidget(spring);
  add("copyCommandLine");
  add("export", true);
  styleOverflow(bar);
}

}  // namespace clusterloom
