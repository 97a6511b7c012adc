// The parts of the window and how it follows the session.
#include "ui/window/main_window.h"

#include <QAbstractButton>
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QDesktopServices>
#include <QDir>
#include <QDockWidget>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>
#include <utility>

#include "ui/charts/charts_panel.h"
#include "ui/charts/replay_row.h"
#include "ui/panels/clusters_panel.h"
#include "ui/panels/column_player_row.h"
#include "ui/panels/data_panel.h"
#include "ui/panels/engine_panel.h"
#include "ui/panels/message_bar.h"
#include "ui/panels/parameters_panel.h"
#include "ui/panels/selection_panel.h"
#include "ui/panels/status_strip.h"
#include "ui/session/added_points.h"
#include "ui/session/cluster_run.h"
#include "ui/session/derived_results.h"
#include "ui/session/open_clouds.h"
#include "ui/session/recent_files.h"
#include "ui/session/result_words.h"
#include "ui/session/session_files.h"
#include "ui/theme/icons.h"
#include "ui/view/accessible_widgets.h"
#include "ui/view/cloud_view.h"
#include "ui/view/reading_view.h"
#include "ui/widgets/form.h"
#include "ui/widgets/panel_scroll.h"
#include "ui/widgets/spoken_slider.h"
#include "ui/window/announcements.h"
#include "ui/window/cloud_tabs.h"
#include "ui/window/file_queue.h"
#include "ui/window/fit_to_screen.h"
#include "ui/window/frame_series.h"
#include "ui/window/help_actions.h"
#include "ui/window/lesson_window.h"
#include "ui/window/output_actions.h"
#include "ui/window/selection_actions.h"
#include "ui/window/unsaved_work.h"
#include "ui/window/view_actions.h"
#include "ui/window/welcome_page.h"
#include "ui/window/whole_file_actions.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

constexpr int kViewStateDelay = 800;
}  // namespace

MainWindow::MainWindow(Session& session, Memory memory, QWidget* parent)
    : QMainWindow(parent), session_(session), memory_(memory) {
  installAccessibleWidgets();
  setObjectName(QStringLiteral("mainWindow"));
  setWindowIcon(colouredIcon(QStringLiteral("clusterloom")));
  setAcceptDrops(true);
  prepareDocks();
  resize(kUsualSize);

  makeCentre();
  output_ = new OutputActions(actions_, session_, *view_, *messages_, folders_,
                              [this] { return viewState(); });
  wholeFile_ = new WholeFileActions(actions_, session_, *messages_, folders_);
  makeDocks();
  makeFileMenu();
  makeEditMenu();
  selectionActions_ = new SelectionActions(actions_, session_, *view_, *selection_, folders_);
  makeViewMenu();
  help_ = new HelpActions(actions_, session_);
  connect(help_, &HelpActions::lessonsRequested, this, [this] { showLessons(); });
  makeToolBar();
  queue_ = new FileQueue(
      session_, [this](const QString& path) { return startBeside(path); }, this);
  connect(queue_, &FileQueue::failed, this,
          [this](const QString& text) { messages_->showMessage(MessageBar::Kind::Error, text); });
  unsaved_ = new UnsavedWork(session_, this, [this] { output_->saveSession(false); });
  connect(output_, &OutputActions::saveGivenUp, unsaved_, &UnsavedWork::cancel);
  status_ = new StatusStrip(session_, this);
  statusBar()->addWidget(status_, 1);
  statusBar()->setAccessibleName(status_->summary());
  statusBar()->setSizeGripEnabled(false);

  viewStateTimer_ = new QTimer(this);
  viewStateTimer_->setSingleShot(true);
  viewStateTimer_->setInterval(kViewStateDelay);
  listenToSession();
  new Announcements(session_, *messages_, *this);
  readSettings();
  viewActions_->rebuildColourMenu();
  rebuildRecentMenu();
  showState();
  showDisplay();
}

MainWindow::~MainWindow() {
  delete lessons_.data();
  // The children go after this; no signal of the session may reach them through this window.
  disconnect(&session_, nullptr, this, nullptr);
  disconnect(&session_.jobs(), nullptr, this, nullptr);
  disconnect(session_.undoStack(), nullptr, this, nullptr);
}

void MainWindow::makeCentre() {
  auto* centre = new QWidget(this);
  auto* layout = spaced(new QVBoxLayout(centre), {0, 0, 0, 0}, 0);
  // The bar of messages lies over its lower edge, and leaves the row below free.
  auto* upper = new QWidget(centre);
  auto* upperLayout = spaced(new QVBoxLayout(upper), {0, 0, 0, 0}, 0);
  pages_ = new QStackedWidget(upper);
  welcome_ = new WelcomePage;
  view_ = new CloudView(session_, pages_);
  // Scrolling, or the page's height would be the minimum height of the window.
  pages_->addWidget(new PanelScroll(welcome_));
  pages_->addWidget(view_);
  tabs_ = new CloudTabs(session_, upper);
  connect(tabs_, &CloudTabs::closeAsked, this, &MainWindow::closeCloud);
  upperLayout->addWidget(tabs_);
  upperLayout->addWidget(pages_, 1);
  layout->addWidget(upper, 1);
  auto* playerRow = new ColumnPlayerRow(session_, *view_, centre);
  connect(playerRow, &ColumnPlayerRow::framesRequested, this,
          [this] { output_->savePlayedColumn(); });
  layout->addWidget(playerRow);
  messages_ = new MessageBar(upper);  // above the pages
  connect(view_, &CloudView::settled, messages_, &MessageBar::place);
  setCentralWidget(centre);

  connect(welcome_, &WelcomePage::openRequested, this, [this] { askForFile(Ask::IfText); });
  connect(welcome_, &WelcomePage::guideRequested, this, [this] { help_->showGuide(); });
  connect(welcome_, &WelcomePage::lessonsRequested, this, &MainWindow::showLessons);
  connect(welcome_, &WelcomePage::recentRequested, this, &MainWindow::openRecent);
  connect(welcome_, &WelcomePage::sampleRequested, this,
          [this](const GeneratorSpec& spec) { session_.data().openSample(spec); });
  connect(view_, &CloudView::menuRequested, this,
          [this](const QPoint& at) { viewActions_->showMenuAt(at); });
  connect(view_, &CloudView::noticeChanged, this, [this](const QString& notice) {
    if (notice.isEmpty()) {
      messages_->dismiss(MessageBar::Kind::Information);
    } else {
      messages_->showMessage(MessageBar::Kind::Information, notice);
      if (std::exchange(keepsSample_, false)) showState();  // there may be no picture
    }
  });
}

QDockWidget* MainWindow::addDock(const char* name, const QString& title, QWidget* content,
                                 Qt::DockWidgetArea area) {
  auto* dock = named(name, new QDockWidget(title, this));
  dock->setWidget(content);
  addDockWidget(area, dock);
  // The menu of panels hides them. Without its icon the button would be there, but not be seen.
  if (auto* close = dock->findChild<QAbstractButton*>(QStringLiteral("qt_dockwidget_closebutton")))
    close->setFixedSize(0, 0);
  docks_ << dock;
  return dock;
}

void MainWindow::makeDocks() {
  data_ = new DataPanel(session_);
  parameters_ = new ParametersPanel(session_);
  engine_ = new EnginePanel(session_);
  clusters_ = new ClustersPanel(session_);
  selection_ = new SelectionPanel(session_);
  charts_ = new ChartsPanel(session_);
  connect(engine_, &EnginePanel::chartsRequested, this, [this] {
    showCharts();
    charts_->showGroup(ChartGroup::Engine);
  });
  connect(charts_->findChild<ReplayRow*>(), &ReplayRow::framesRequested, output_,
          &OutputActions::saveGrowth);

  auto* left = new QWidget;
  auto* leftLayout = spaced(new QVBoxLayout(left), {0, 0, 0, 0}, 4);
  leftLayout->addWidget(parameters_);
  leftLayout->addWidget(engine_);
  leftLayout->addStretch(1);

  dataDock_ = addDock("dataDock", tr("Data"), new PanelScroll(data_), Qt::LeftDockWidgetArea);
  parametersDock_ =
      addDock("parametersDock", tr("Parameters"), new PanelScroll(left), Qt::LeftDockWidgetArea);
  clustersDock_ =
      addDock("clustersDock", tr("Clusters"), new PanelScroll(clusters_), Qt::RightDockWidgetArea);
  selectionDock_ = addDock("selectionDock", tr("Selection"), new PanelScroll(selection_),
                           Qt::RightDockWidgetArea);
  chartsDock_ = addDock("chartsDock", tr("Charts"), charts_, Qt::BottomDockWidgetArea);
  // The tabs name the charts; a title above them would only take space.
  chartsDock_->setTitleBarWidget(new QWidget(chartsDock_));

  connect(data_, &DataPanel::importAgainRequested, this, [this] {
    if (const auto open = session_.data().dataset(); open && !open->source.path.empty()) {
      showImportDialog(QString::fromStdString(open->source.path), session_.data().readOptions(), {},
                       Place::Instead);
    }
  });
  connect(clusters_, &ClustersPanel::zoomRequested, view_, &CloudView::zoomToSelection);
  connect(clusters_, &ClustersPanel::hideOthersRequested, this,
          [this] { viewActions_->hideOthers(); });
  connect(clusters_, &ClustersPanel::showAllRequested, this, [this] { viewActions_->showAll(); });
  connect(clusters_, &ClustersPanel::menuRequested, this,
          [this](const QPoint& at) { viewActions_->showMenuAt(at); });
}

void MainWindow::listenToSession() {
  connect(&session_.data(), &SessionData::dataAboutToChange, this, [this] {
    // Messages about these data are removed with them.
    if (session_.data().dataset()) messages_->hide();
    keepsSample_ = sampleShown_;
  });
  connect(&session_.data(), &SessionData::dataChanged, this, [this] {
    messages_->dismiss(MessageBar::Kind::Error);
    viewActions_->rebuildColourMenu();
    showDisplay();
    rememberFile();
    rebuildRecentMenu();
    showState();
  });
  connect(&session_.data(), &SessionData::partialChanged, this, [this] {
    const bool reading = bool(session_.data().partial());
    if (reading) {
      sampleShown_ = true;
    } else {
      // If it was read to its end, the data change before this.
      QTimer::singleShot(0, this, [this] { sampleShown_ = bool(session_.data().partial()); });
    }
    if (reading != (reading_ != nullptr && pages_->currentWidget() == reading_)) showState();
  });
  connect(view_, &CloudView::contentShown, this, [this] {
    if (!std::exchange(keepsSample_, false)) return;
    showState();
  });
  connect(&session_.data(), &SessionData::cloudChanged, this, [this] {
    showState();
    showDisplay();
  });
  connect(&session_.clusterRun(), &ClusterRun::resultChanged, this, &MainWindow::showState);
  connect(&session_.clusterRun(), &ClusterRun::stateChanged, this, &MainWindow::showRunState);
  connect(&session_, &Session::selectionChanged, this, &MainWindow::showState);
  const auto showSelection = [this] { selectionActions_->showState(showsData()); };
  connect(&session_, &Session::parametersChanged, this, showSelection);
  connect(&session_.files(), &SessionFiles::modifiedChanged, this, &MainWindow::showState);
  connect(&session_, &Session::displayChanged, this, &MainWindow::showDisplay);
  connect(&session_.addedPoints(), &AddedPoints::changed, this, &MainWindow::showState);
  connect(&session_, &Session::displayChanged, this, showSelection);
  connect(&session_.jobs(), &JobQueue::failed, this, &MainWindow::showFailure);
  connect(&session_.jobs(), &JobQueue::warned, this, [this](const QString& message) {
    messages_->showMessage(MessageBar::Kind::Warning, message);
  });
  connect(&session_.files(), &SessionFiles::exported, this,
          [this](const QString& path, const QString& names) {
            const QString written = tr("Wrote %1.").arg(QDir::toNativeSeparators(path));
            messages_->showMessage(
                MessageBar::Kind::Information,
                names.isEmpty() ? written : tr("%1 Renamed there: %2.").arg(written, names),
                tr("Show f&older"), [path] {
                  QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(path).absolutePath()));
                });
          });
  connect(&session_.files(), &SessionFiles::lossFound, this,
          [this] { closing_ = false; });  // nothing is written yet
  connect(&session_.files(), &SessionFiles::sessionSaved, this, [this](const QString& path) {
    const QString note = outputText(session_.clusterRun(), session_.parameters(), false);
    const QString saved = tr("Saved the session as %1.").arg(QDir::toNativeSeparators(path));
    if (note.isEmpty())
      messages_->showPassing(saved);
    else
      messages_->showMessage(MessageBar::Kind::Warning, saved + QLatin1Char('\n') + note);
    rememberFile();
    rebuildRecentMenu();
    showState();
  });
  connect(&session_.jobs(), &JobQueue::ended, this,
          [this](quint64 number, JobKind kind, JobEnd end) {
            // Later, so that an error is shown first.
            if (closing_ && writesFile(kind)) QTimer::singleShot(0, this, &QWidget::close);
            // What failed then has been done now.
            if (end != JobEnd::Done || !failure_ || kind != failure_->kind ||
                number <= failure_->number)
              return;
            if (messages_->text() == failure_->text) messages_->dismiss(MessageBar::Kind::Error);
            failure_.reset();
          });
  connect(&session_.files(), &SessionFiles::sessionOpened, this, [this] {
    showState();
    showDisplay();
  });
  connect(&session_.files(), &SessionFiles::viewStateRestored, this, &MainWindow::restoreViewState);
  connect(&session_.files(), &SessionFiles::cloudViewRestored, this, &MainWindow::restoreCamera);
  connect(&session_.clouds(), &OpenClouds::changed, this, &MainWindow::showState);
  connect(&session_.clouds(), &OpenClouds::leaving, this,
          [this] { session_.files().setViewState(viewState()); });
  connect(view_, &CloudView::settled, viewStateTimer_, qOverload<>(&QTimer::start));
  connect(viewStateTimer_, &QTimer::timeout, this, [this] {
    if (session_.data().dataset()) session_.files().setViewState(viewState());
  });
}

// --- following the session ------------------------------------------------------------------

void MainWindow::showState() {
  const bool data = showsData();
  const bool reading = bool(session_.data().partial());
  if (chartMaximised_ && !data && !reading) setChartMaximised(false);
  if (reading && reading_ == nullptr) {
    reading_ = new ReadingView(session_, pages_);
    pages_->addWidget(reading_);
  }
  // A hidden start page must not keep the window large, nor one that a lesson soon replaces.
  const bool started = data || role_;
  const QSizePolicy::Policy policy = started ? QSizePolicy::Ignored : QSizePolicy::Preferred;
  pages_->widget(0)->setSizePolicy(policy, policy);
  if (reading || (keepsSample_ && data))
    pages_->setCurrentWidget(reading_);
  else if (chartMaximised_)
    pages_->setCurrentWidget(charts_);
  else
    pages_->setCurrentIndex(data ? 1 : 0);
  setDocksShown(data && !presenting_ && !chartMaximised_);
  if (presenting_ && role_) chartsDock_->setVisible(data && !chartMaximised_);
  charts_->setControlsShown(!presenting_);
  action("leavePresentation")->setEnabled(presenting_ || chartMaximised_);
  action("maximiseChart")->setChecked(chartMaximised_);
  const QString name = session_.data().dataName();
  const QString document = session_.files().sessionPath().isEmpty()
                               ? name
                               : QFileInfo(session_.files().sessionPath()).completeBaseName();
  if (role_)
    setWindowTitle(role_->title());
  else
    setWindowTitle(data ? tr("%1[*] — Clusterloom").arg(document) : tr("Clusterloom"));
  setWindowModified(!session_.files().sessionPath().isEmpty() && session_.files().isModified());

  const bool result = data && session_.clusterRun().result();
  const bool selected = data && !session_.selection().clusters.empty();
  for (const char* needsData : {"closeData",
                                "saveSession",
                                "saveSessionAs",
                                "copyCommandLine",
                                "copyBatchScript",
                                "fit",
                                "flat",
                                "space",
                                "grid",
                                "axes",
                                "orthographic",
                                "scaleBar",
                                "lighting",
                                "densityBlended",
                                "front",
                                "back",
                                "left",
                                "right",
                                "top",
                                "bottom",
                                "corner",
                                "appearance",
                                "savePicture",
                                "playColumn",
                                "biggerPoints",
                                "smallerPoints",
                                "focusEps",
                                "focusMinPts",
                                "focusView",
                                "focusCharts",
                                "engineCharts",
                                "maximiseChart",
                                "addPoints",
                                "openLabels",
                                "openBeside"}) {
    action(needsData)->setEnabled(data);
  }
  for (const char* needsResult : {"export", "copyClusters", "focusFilter", "focusClusters"}) {
    action(needsResult)->setEnabled(result);
  }
  for (const char* needsOthers : {"nextCloud", "previousCloud"})
    action(needsOthers)->setEnabled(data && session_.clouds().count() > 1);
  tabs_->setShown(data && !presenting_);
  if (role_) action("closeData")->setEnabled(true);
  action("hideOthers")->setEnabled(selected);
  action("removeAdded")->setEnabled(data && session_.addedPoints().dataset());
  action("reimport")->setEnabled(data && session_.data().dataset()->source.format == "csv");
  viewActions_->colourMenu()->setEnabled(data);
  if (colourButton_ != nullptr) colourButton_->setEnabled(data);
  const auto cloud = session_.data().cloud();
  const bool space = data && cloud && cloud->dims() > 2;
  for (const char* needsSpace :
       {"flat", "space", "front", "back", "left", "right", "top", "bottom", "corner"}) {
    action(needsSpace)->setEnabled(space);
  }
  showUndo();
  selectionActions_->showState(data);
  wholeFile_->showState();
  showRunState();
}

bool MainWindow::showsData() const {
  return session_.data().dataset() && !session_.data().partial();
}

void MainWindow::showRunState() {
  const ClusterRun& run = session_.clusterRun();
  const RunState state = run.state();
  action("run")->setEnabled(canStart(state) && !session_.data().partial());
  {
    const QSignalBlocker block(action("autoRun"));
    action("autoRun")->setChecked(run.autoRun());
  }
  // Outputs and copies need an ε, and not that of the data before.
  const bool known = showsData() && !session_.data().awaitsEps();
  for (const char* needsEps :
       {"saveSession", "saveSessionAs", "copyCommandLine", "copyBatchScript"})
    action(needsEps)->setEnabled(known);

  QString text;
  if (state == RunState::Stopped) {
    text = resultText(run, session_.parameters());
    text[0] = text[0].toUpper();
    text += QLatin1Char('.');
  } else if (state == RunState::NeedsEps && run.wasStopped()) {
    text = tr("Stopped before an ε was suggested. Enter ε, or run to look for one.");
  }
  if (text == stoppedText_) return;
  if (text.isEmpty()) {
    if (messages_->text() == stoppedText_) messages_->hide();
  } else {
    messages_->showMessage(MessageBar::Kind::Warning, text, tr("Run"),
                           [this] { session_.clusterRun().run(); });
  }
  stoppedText_ = text;
}

void MainWindow::showDisplay() {
  viewActions_->showDisplay();
  if (const QAction* colour = viewActions_->colour();
      colour != nullptr && colourButton_ != nullptr) {
    const QString text = tr("Colour: %1").arg(colour->text().remove(QLatin1Char('&')));
    colourButton_->setText(colourButton_->fontMetrics().elidedText(text, Qt::ElideRight,
                                                                   fontScaled(kColourTextWidth)));
    colourButton_->setToolTip(text + QLatin1Char('\n') + tr("What the colours of the points mean"));
  }
  if (noiseSlider_ != nullptr) {
    const bool labels = isOfLabels(session_.display().colourBy);
    noiseSlider_->setEnabled(labels);
    noiseSlider_->setToolTip(
        labels ? tr("Noise at %1 %: below 100 % it is smaller, fainter and behind all clusters; "
                    "0 % hides it")
                     .arg(std::lround(100 * session_.display().noise))
               : tr("This applies only where colours show clusters or roles"));
  }
}

void MainWindow::resizeCharts(int height) { resizeDocks({chartsDock_}, {height}, Qt::Vertical); }

MainWindow* MainWindow::lessonWindow() const { return lessons_ ? &lessons_->window() : nullptr; }

void MainWindow::showLessons() {
  if (role_) return role_->showLessons();
  if (!lessons_) {
    lessons_ = new LessonWindow;
    MainWindow& window = lessons_->window();
    connect(&window, &MainWindow::closed, lessons_, &QObject::deleteLater);
    window.setTheme(theme_);
    window.resize(size().expandedTo(kUsualSize));
    fitToScreen(window);
  }
  MainWindow* window = lessonWindow();
  window->show();
  window->raise();
  window->activateWindow();
}

bool MainWindow::isSettled() const {
  const JobQueue& jobs = session_.jobs();
  const auto result = session_.clusterRun().result();
  const bool shown = result && (session_.clusterRun().isResultCurrent() || !result->isOfRun());
  return !keepsSample_ && !queue_->isBusy() && shown && !session_.clusterRun().preview() &&
         session_.derived().statistics() && view_->isSettled() && charts_->isReady() &&
         !jobs.isActive(JobKind::Cluster) && !jobs.isActive(JobKind::Load) &&
         !jobs.isActive(JobKind::ClusterColours) && !jobs.isActive(JobKind::ColourValues) &&
         !jobs.isActive(JobKind::WarpLight) && !jobs.isActive(JobKind::Grid) &&
         !jobs.isActive(JobKind::Select) && !jobs.isActive(JobKind::SelectionSummary) &&
         !jobs.isActive(JobKind::OpenLabels);
}

void MainWindow::setTheme(ThemeChoice choice) {
  theme_ = choice;
  applyTheme(*qApp, choice);
  for (QAction* theme : themeGroup_->actions()) {
    theme->setChecked(theme->data().toInt() == int(choice));
  }
}

// --- events ---------------------------------------------------------------------------------

void MainWindow::closeEvent(QCloseEvent* event) {
  // What changes while the window waits to close is asked for, too.
  const quint64 revision = session_.files().revision();
  const bool wasAsked = closing_ && closingRevision_ == revision;
  closingRevision_ = revision;
  const bool unsaved = !wasAsked && unsaved_->exists() && isVisible();
  const bool hasFile = !session_.files().sessionPath().isEmpty();
  if (unsaved && savesOnClose_ && hasFile && !session_.data().awaitsEps()) {
    closing_ = true;
    output_->saveSession(false);
  } else if (unsaved) {
    event->ignore();
    closing_ = false;
    unsaved_->before([this, now = std::exchange(closingNow_, false)] {
      closing_ = true;
      closingNow_ = now;
      close();
    });
    return;
  }
  // Files are written to their end, unless the user chooses not to wait.
  const auto jobs = session_.jobs().active();
  const auto* series = view_->findChild<FrameSeries*>();
  const bool writesFrames = series != nullptr && !series->isOver();
  const bool writes = writesFrames || std::ranges::any_of(jobs, [](const JobInfo& job) {
                        return writesFile(job.kind);
                      });
  if (!closingNow_ && writes) {
    if (writesFrames && !closing_)
      connect(series, &FrameSeries::finished, this, [this] {
        if (closing_) QTimer::singleShot(0, this, &QWidget::close);
      });
    event->ignore();
    closing_ = true;
    const bool whole = session_.jobs().isActive(JobKind::WholeFile);
    messages_->showMessage(MessageBar::Kind::Information,
                           whole
                               ? tr("All rows of a file are being clustered; the window closes "
                                    "when they are done. Closing it now cancels the run.")
                               : tr("A file is being written; the window closes when it is done."),
                           tr("Cl&ose now"), [this] {
                             closingNow_ = true;
                             close();
                           });
    return;
  }
  if (lessons_ && !lessonWindow()->close()) {  // it asks, and both stay open
    closing_ = closingNow_ = false;
    return event->ignore();
  }
  setPresenting(false);
  writeSettings();
  session_.jobs().cancelAll();
  QMainWindow::closeEvent(event);
  Q_EMIT closed();
}

}  // namespace clusterloom
