// Menus but View, and the tool bar.
#include "ui/window/main_window.h"

#include <QAction>
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

#include "ui/charts/charts_panel.h"
#include "ui/panels/clusters_panel.h"
#include "ui/panels/eps_slider.h"
#include "ui/panels/message_bar.h"
#include "ui/panels/parameters_panel.h"
#include "ui/session/added_points.h"
#include "ui/session/cluster_run.h"
#include "ui/session/open_clouds.h"
#include "ui/session/recent_files.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/view/announcer.h"
#include "ui/view/cloud_view.h"
#include "ui/widgets/form.h"
#include "ui/widgets/spoken_slider.h"
#include "ui/window/output_actions.h"
#include "ui/window/unsaved_work.h"
#include "ui/window/view_actions.h"
#include "ui/window/welcome_page.h"
#include "ui/window/whole_file_actions.h"

namespace clusterloom {

QAction* MainWindow::action(const char* name) const { return actions_.find(name); }

void MainWindow::makeFileMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&File"));
  actions_.add(menu, "open", tr("&Open…"), QStringLiteral("open"), {QKeySequence::Open},
               tr("Open a point cloud"), [this] { askForFile(Ask::IfText); });
  actions_.add(
      menu, "openBeside", tr("Open &for comparison…"), {}, {QKeySequence(tr("Ctrl+Shift+N"))},
      tr("Open another cloud in a tab beside this one, with the same parameters (or drop it "
         "with Ctrl held)"),
      [this] { askForFileBeside(); });
  actions_.add(menu, "reimport", tr("&Columns…"), {}, {QKeySequence(tr("Ctrl+Shift+O"))},
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
  actions_.add(menu, "addPoints", tr("A&dd points…"), {}, {QKeySequence(tr("Ctrl+Shift+D"))},
               tr("Draw the points of another file over the cloud and label them by the clusters "
                  "of the cloud"),
               [this] { askForPointsToAdd(); });
  actions_.add(menu, "removeAdded", tr("Remove added poin&ts"), {}, {}, {},
               [this] { session_.addedPoints().remove(); });
  actions_.add(menu, "openLabels", tr("Ope&n labels…"), {}, {QKeySequence(tr("Ctrl+Shift+B"))},
               tr("Show labels of the open cloud from a file, for example those computed on a "
                  "cluster of machines"),
               [this] { askForLabels(); });
  wholeFile_->addTo(menu);
  menu->addSeparator();
  actions_.add(menu, "openSession", tr("Open &session…"), {}, {},
               tr("Open data, parameters and view as they were saved"),
               [this] { askForSession(); });
  output_->addTo(menu);
  menu->addSeparator();
  actions_.add(menu, "closeData", tr("C&lose"), {},
               {QKeySequence(tr("Ctrl+W")), QKeySequence(tr("Ctrl+F4"))}, {}, [this] {
                 OpenClouds& clouds = session_.clouds();
                 if (role_)
                   close();  // the data belongs to the lesson
                 else if (clouds.count() > 1)
                   closeCloud(clouds.current());
                 else if (clouds.count() > 0)
                   unsaved_->before([this] { session_.closeData(); });
               });
  actions_.add(menu, "quit", tr("&Quit"), {}, {QKeySequence(tr("Ctrl+Q"))}, {},
               [this] { close(); });
}

void MainWindow::makeEditMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&Edit"));
  UndoStack* undo = session_.undoStack();
  // What is dragged or plays is a step of its own first.
  const auto endDrag = [this] {
    parameters_->eps()->abandonDrag();
    session_.setDragging(false);
  };
  actions_.add(menu, "undo", tr("&Undo"), QStringLiteral("undo"),
               QKeySequence::keyBindings(QKeySequence::Undo), {}, [undo, endDrag] {
                 endDrag();
                 undo->undo();
               });
  actions_.add(menu, "redo", tr("&Redo"), QStringLiteral("redo"),
               QKeySequence::keyBindings(QKeySequence::Redo), {}, [undo, endDrag] {
                 endDrag();
                 undo->redo();
               });
  connect(undo, &UndoStack::changed, this, &MainWindow::showUndo);
  menu->addSeparator();
  actions_.add(menu, "copyClusters", tr("&Copy clusters"), QStringLiteral("copy"),
               {QKeySequence::Copy}, tr("Copy the selected rows of the table of clusters"),
               [this] { clusters_->copySelection(); });
  menu->addSeparator();
  actions_.add(menu, "focusEps", tr("Go to &ε"), {}, {QKeySequence(tr("Ctrl+L"))}, {}, [this] {
    parameters_->eps()->box()->setFocus(Qt::ShortcutFocusReason);
    parameters_->eps()->box()->selectAll();
  });
  actions_.add(menu, "focusMinPts", tr("Go to &minPts"), {}, {QKeySequence(tr("Ctrl+M"))}, {},
               [this] {
                 parameters_->minPts()->setFocus(Qt::ShortcutFocusReason);
                 parameters_->minPts()->selectAll();
               });
  actions_.add(menu, "focusFilter", tr("&Filter clusters"), QStringLiteral("filter"),
               {QKeySequence::Find}, {},
               [this] { clusters_->filter()->setFocus(Qt::ShortcutFocusReason); });
  actions_.add(menu, "focusClusters", tr("Go to the &table of clusters"), {},
               {QKeySequence(tr("Ctrl+Shift+F"))}, {}, [this] {
                 clustersDock_->show();
                 clusters_->table()->setFocus(Qt::ShortcutFocusReason);
               });
  actions_.add(menu, "focusCharts", tr("Go to the c&harts"), {}, {QKeySequence(tr("Ctrl+G"))}, {},
               [this] {
                 showCharts();
                 charts_->tabs()->tabBar()->setFocus(Qt::ShortcutFocusReason);
               });
  actions_.add(menu, "focusView", tr("Go to the &view"), {}, {QKeySequence(tr("Ctrl+T"))}, {},
               [this] { view_->setFocus(Qt::ShortcutFocusReason); });
  actions_.add(menu, "focusMessage", tr("Go to the m&essage"), {},
               {QKeySequence(tr("Ctrl+Shift+M"))}, {}, [this] {
                 if (!messages_->takeFocus())
                   Announcer::ofApplication().say(*this, Announcer::Topic::Message,
                                                  tr("There is no message"));
               });
  menu->addSeparator();
  actions_.add(menu, "run", tr("Ru&n"), {}, {QKeySequence(tr("F5"))},
               tr("Run with the parameters as they are"), [this] { session_.clusterRun().run(); });
  QAction* automatic = actions_.add(menu, "autoRun", tr("Run aut&omatically"), {}, {},
                                    tr("Run whenever a parameter changes"), {});
  automatic->setCheckable(true);
  connect(automatic, &QAction::toggled, this,
          [this](bool on) { session_.clusterRun().setAutoRun(on); });
  actions_.add(menu, "stop", tr("&Stop"), QStringLiteral("cancel"), {QKeySequence(tr("Ctrl+."))},
               {}, [this] { session_.cancel(); });
}

void MainWindow::showUndo() {
  const UndoStack* undo = session_.undoStack();
  action("undo")->setText(tr("&Undo %1").arg(undo->undoText()).trimmed());
  action("redo")->setText(tr("&Redo %1").arg(undo->redoText()).trimmed());
  action("undo")->setEnabled(showsData() && undo->canUndo());
  action("redo")->setEnabled(showsData() && undo->canRedo());
}

void MainWindow::addNoiseSlider() {
  auto* noise = new QWidget(toolBar_);
  auto* row = spaced(new QHBoxLayout(noise), {fontScaled(8), 0, fontScaled(6), 0});
  auto* name = new QLabel(tr("Noise"), noise);
  noiseSlider_ = named("noiseSlider", new ShareSlider(session_, &DisplayState::noise, 0, noise),
                       tr("Strength of noise"));
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
  bar->setAccessibleName(bar->windowTitle());
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
  colourButton_->setMenu(viewActions_->colourMenu());
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
