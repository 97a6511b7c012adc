// Docks, presentations, and saved settings.
#include "ui/window/main_window.h"

#include <QApplication>
#include <QDockWidget>
#include <QEvent>
#include <QGuiApplication>
#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenuBar>
#include <QSettings>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QTimer>
#include <QToolBar>
#include <utility>

#include "ui/charts/charts_panel.h"
#include "ui/panels/engine_panel.h"
#include "ui/panels/message_bar.h"
#include "ui/session/cluster_run.h"
#include "ui/session/every_eps.h"
#include "ui/session/file_levels.h"
#include "ui/session/motion.h"
#include "ui/theme/theme.h"
#include "ui/view/cloud_view.h"

namespace clusterloom {

namespace {

// Docks of another layout than this are not restored.
constexpr int kDockLayoutVersion = 1;
/// Bytes for all rows of large files on the disk, unless another number is chosen.
constexpr qulonglong kUsualStoredBytes = qulonglong{10} << 30;
constexpr int kResizeDelay = 200;  // until the window system has resized a window

/// Smaller differences come from rounding.
constexpr int kNoticed = 4;

int along(Qt::Orientation orientation, const QSize& size) {
  return orientation == Qt::Vertical ? size.height() : size.width();
}

/// Gives panels their sizes back when the window that holds them was small for a while: Qt shrinks
/// them with the window, and leaves the space to the central widget when it grows again.
class DockSizes : public QObject {
 public:
  /// For the docks of the window, which may get more. Its child.
  explicit DockSizes(QMainWindow& window);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QList<QDockWidget*> docked() const;
  void remember();
  void restore();
  void restore(Qt::Orientation orientation);

  QMainWindow& window_;
  QHash<const QDockWidget*, QSize> wanted_;
  QSize wantedFor_;        ///< the size of the window with these
  QSize settledSize_;      ///< of the window; docks are resized before it tells of another one
  bool restored_ = false;  ///< since the window was resized
  QTimer windowSettled_;   ///< runs while the window, and with it the docks, are being resized
};

DockSizes::DockSizes(QMainWindow& window) : QObject(&window), window_(window) {
  windowSettled_.setSingleShot(true);
  windowSettled_.setInterval(50);
  connect(&windowSettled_, &QTimer::timeout, this, qOverload<>(&DockSizes::restore));
  window.installEventFilter(this);
}

bool DockSizes::eventFilter(QObject* watched, QEvent* event) {
  if (watched == &window_) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::Show) {
      restored_ = false;
      windowSettled_.start();
    }
    if (event->type() == QEvent::ChildPolished)
      if (auto* const dock = qobject_cast<QDockWidget*>(static_cast<QChildEvent*>(event)->child()))
        dock->installEventFilter(this);
  } else if (event->type() == QEvent::Resize && window_.size() == settledSize_ &&
             !windowSettled_.isActive()) {
    // What separates the docks was moved, by a person, or by the program: in a small window the
    // program has no choice.
    const bool isSmall =
        window_.width() < wantedFor_.width() || window_.height() < wantedFor_.height();
    if (!isSmall || QGuiApplication::mouseButtons() != Qt::NoButton) remember();
  }
  return QObject::eventFilter(watched, event);
}

QList<QDockWidget*> DockSizes::docked() const {
  QList<QDockWidget*> docks;
  for (QDockWidget* const dock : window_.findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly))
    if (dock->isVisible() && !dock->isFloating()) docks << dock;
  return docks;
}

void DockSizes::remember() {
  for (const QDockWidget* const dock : docked()) wanted_[dock] = dock->size();
  wantedFor_ = window_.size();
}

void DockSizes::restore() {
  settledSize_ = window_.size();
  if (wanted_.isEmpty()) return remember();
  // Once: what does not fit now never will.
  if (std::exchange(restored_, !restored_)) return;
  restore(Qt::Vertical);
  restore(Qt::Horizontal);
  windowSettled_.start();  // what follows is not to be remembered
}

void DockSizes::restore(Qt::Orientation orientation) {
  if (along(orientation, window_.size()) < along(orientation, wantedFor_)) return;
  const QList<QDockWidget*> docks = docked();
  QList<int> sizes;
  bool isShort = false;
  for (QDockWidget* const dock : docks) {
    const int size = along(orientation, dock->size());
    sizes << along(orientation, wanted_.value(dock, dock->size()));
    isShort = isShort || size < sizes.back() - kNoticed;
  }
  if (!isShort) return;
  window_.resizeDocks(docks, sizes, orientation);
}

}  // namespace

void MainWindow::prepareDocks() {
  new DockSizes(*this);
  setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowNestedDocks |
                 QMainWindow::AllowTabbedDocks);
  setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
  setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
}

void MainWindow::layOutDocks() {
  if (role_) return role_->layOutDocks();
  resizeDocks({dataDock_, clustersDock_}, {fontScaled(290), fontScaled(385)}, Qt::Horizontal);
  resizeDocks({dataDock_, parametersDock_}, {250, 330}, Qt::Vertical);
  resizeDocks({clustersDock_, selectionDock_}, {380, 220}, Qt::Vertical);
  resizeCharts(220);
}

void MainWindow::takeLesson(QDockWidget* dock, LessonRole role) {
  role_ = std::move(role);
  for (QDockWidget* left : {dataDock_, clustersDock_, selectionDock_}) {
    docks_.removeOne(left);
    left->hide();
    left->toggleViewAction()->setVisible(false);
  }
  // The text takes the whole height of the window; the charts are beside it.
  setCorner(Qt::TopRightCorner, Qt::RightDockWidgetArea);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  addDockWidget(Qt::RightDockWidgetArea, dock);
}

void MainWindow::setPresenting(bool presenting) {
  if (presenting == presenting_) return;
  presenting_ = presenting;
  if (presenting) {
    setDocksShown(false);  // remembers them as they are in this size
    wasFullScreen_ = isFullScreen();
  }
  menuBar()->setVisible(!presenting);
  statusBar()->setVisible(!presenting);
  toolBar_->setVisible(!presenting);
  action("presentation")->setChecked(presenting);
  view_->setMagnification(presenting ? kPresentationScale : 1);
  enlargeText(*centralWidget(), presenting);
  enlargeText(*charts_, presenting);
  setWindowState(presenting || wasFullScreen_ ? windowState() | Qt::WindowFullScreen
                                              : windowState() & ~Qt::WindowFullScreen);
  showState();
  if (presenting) {
    view_->setFocus();
    // The rulers of the view are at its lower edge.
    messages_->setPlacement([this](const QSize& size) {
      return view_->mapTo(messages_->parentWidget(), view_->freePlace(size));
    });
    messages_->showPassing(tr("Presentation: Esc or F11 leaves it."));
  } else {
    messages_->setPlacement({});
    messages_->dismissPassing();  // how to leave it
    // Once more when the window has its own size again: the docks were restored in another one.
    QTimer::singleShot(kResizeDelay, this, [this, docks = dockState_] {
      if (docksShown_ && !docks.isEmpty()) restoreState(docks, kDockLayoutVersion);
    });
  }
  Q_EMIT presentationChanged(presenting);
}

void MainWindow::setChartMaximised(bool maximised) {
  if (maximised == chartMaximised_ || (maximised && !showsData())) return;
  if (presenting_) messages_->dismiss(MessageBar::Kind::Information);  // it is about the view
  if (maximised) setDocksShown(false);  // remembers them with the charts in their place
  chartMaximised_ = maximised;
  QWidget* focus = charts_->isAncestorOf(QApplication::focusWidget()) ? QApplication::focusWidget()
                                                                      : charts_->tabs()->tabBar();
  if (maximised)
    pages_->addWidget(charts_);
  else
    chartsDock_->setWidget(charts_);
  showState();
  charts_->show();
  focus->setFocus();
}

void MainWindow::showCharts() {
  if (!chartMaximised_) chartsDock_->show();
}

void MainWindow::setDocksShown(bool shown) {
  if (shown == docksShown_) return;
  docksShown_ = shown;
  if (!shown) {
    if (isVisible()) dockState_ = saveState(kDockLayoutVersion);
    for (QDockWidget* dock : docks_)
      if (!presenting_ || !role_ || dock != chartsDock_) dock->hide();
  } else {
    // Sizes set while the docks are hidden are forgotten: the first time they are set now.
    if (dockState_.isEmpty() || !restoreState(dockState_, kDockLayoutVersion)) {
      for (QDockWidget* dock : docks_) dock->show();
      layOutDocks();
    }
  }
  for (QDockWidget* dock : docks_) dock->toggleViewAction()->setEnabled(shown);
}

QByteArray MainWindow::viewState() const {
  QJsonArray camera;
  for (const double value : view_->cameraState()) camera.append(value);
  QJsonObject state;
  state[QStringLiteral("camera")] = camera;
  state[QStringLiteral("chart")] = int(charts_->current());
  return QJsonDocument(state).toJson(QJsonDocument::Compact);
}

void MainWindow::restoreCamera(const QByteArray& viewState) {
  const QJsonObject state = QJsonDocument::fromJson(viewState).object();
  std::vector<double> camera;
  for (const QJsonValue value : state[QStringLiteral("camera")].toArray()) {
    camera.push_back(value.toDouble());
  }
  if (!camera.empty()) view_->restoreCamera(camera);
}

void MainWindow::restoreViewState(const QByteArray& bytes) {
  restoreCamera(bytes);
  const QJsonObject state = QJsonDocument::fromJson(bytes).object();
  const int chart = state[QStringLiteral("chart")].toInt(-1);
  if (chart >= 0 && chart < int(chartPages().size())) charts_->showTab(ChartId(chart));
}

void MainWindow::readSettings() {
  if (memory_ == Memory::Forget) return;
  const QSettings settings;
  restoreGeometry(settings.value(QStringLiteral("window/geometry")).toByteArray());
  const QByteArray docks = settings.value(QStringLiteral("window/docks")).toByteArray();
  if (!docks.isEmpty() && restoreState(docks, kDockLayoutVersion)) dockState_ = docks;
  engine_->setExpanded(settings.value(QStringLiteral("window/engineExpanded"), false).toBool());
  session_.clusterRun().setAutoRun(settings.value(QStringLiteral("run/automatic"), true).toBool());
  session_.everyEps().setEnabled(settings.value(QStringLiteral("run/everyEps"), true).toBool());
  askForText_ = settings.value(QStringLiteral("import/ask"), true).toBool();
  folders_.opened = settings.value(QStringLiteral("files/folder")).toString();
  folders_.exports = settings.value(QStringLiteral("export/folder")).toString();
  folders_.format = settings.value(QStringLiteral("export/format")).toString();
  setTheme(themeFromText(settings.value(QStringLiteral("window/theme")).toString()));
  Motion::ofApplication().setChoice(
      motionFromText(settings.value(QStringLiteral("window/motion")).toString()));
  setPointBudget(settings.value(QStringLiteral("view/pointBudget"), 0).toULongLong());
  session_.fileLevels().setEnabled(settings.value(QStringLiteral("view/allRows"), true).toBool());
  session_.fileLevels().setPlace(
      QStandardPaths::writableLocation(QStandardPaths::CacheLocation) + QStringLiteral("/points"),
      settings.value(QStringLiteral("view/allRowsBytes"), kUsualStoredBytes).toULongLong());
}

void MainWindow::writeSettings() const {
  if (memory_ == Memory::Forget) return;
  QSettings settings;
  settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
  settings.setValue(QStringLiteral("window/docks"),
                    docksShown_ ? saveState(kDockLayoutVersion) : dockState_);
  settings.setValue(QStringLiteral("window/engineExpanded"), engine_->isExpanded());
  settings.setValue(QStringLiteral("window/theme"), toText(theme_));
  settings.setValue(QStringLiteral("window/motion"), toText(Motion::ofApplication().choice()));
  settings.setValue(QStringLiteral("view/pointBudget"), qulonglong(view_->pointBudget()));
  settings.setValue(QStringLiteral("view/allRows"), session_.fileLevels().isEnabled());
  settings.setValue(QStringLiteral("view/allRowsBytes"), qulonglong(session_.fileLevels().limit()));
  settings.setValue(QStringLiteral("import/ask"), askForText_);
  settings.setValue(QStringLiteral("run/automatic"), session_.clusterRun().autoRun());
  settings.setValue(QStringLiteral("run/everyEps"), session_.everyEps().isEnabled());
  settings.setValue(QStringLiteral("files/folder"), folders_.opened);
  settings.setValue(QStringLiteral("export/folder"), folders_.exports);
  settings.setValue(QStringLiteral("export/format"), folders_.format);
}

}  // namespace clusterloom
