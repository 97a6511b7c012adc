#pragma once

#include <QMainWindow>
#include <QPointer>
#include <functional>
#include <optional>

#include "engine/io/read.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/theme/theme.h"
#include "ui/window/window_actions.h"
#include "ui/words/qt_classes.h"

namespace clusterloom {

class ChartsPanel;
class CloudView;
class CloudTabs;
class ClustersPanel;
class DataPanel;
class EnginePanel;
class FileQueue;
class HelpActions;
class LessonWindow;
class MessageBar;
class OutputActions;
class ParametersPanel;
class ReadingView;
class SelectionActions;
class SelectionPanel;
class ShareSlider;
class StatusStrip;
class UnsavedWork;
class ViewActions;
struct RecentFile;
class WelcomePage;
class WholeFileActions;

/// The main window: the view with panels around it, the actions, and error messages. It owns no
/// data and calls the session, which must outlive it.
class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  /// Whether size, docks, theme and recent files come from and go to the settings.
  /// The size of a new window, in logical pixels.
  static constexpr QSize kUsualSize{1360, 860};
  enum class Memory { Remember, Forget };
  /// Whether a text file is shown in the import dialog before it is opened.
  enum class Ask { Never, IfText };

  explicit MainWindow(Session& session, Memory memory = Memory::Remember,
                      QWidget* parent = nullptr);
  ~MainWindow() override;

  /// Opens a cloud or a session file (decided by its content, then by its name).
  void openPath(const QString& path, Ask ask);
  /// Opens a cloud for comparison; for a session file shows a message that it is not a cloud.
  void openBeside(const QString& path);
  /// The same for several: those after the first are opened in tabs beside it, all without a
  /// dialog.
  void openPaths(const QStringList& paths, Ask ask);
  /// The same where something may be open: unsaved work is asked for first. Text files are shown in
  /// the import dialog.
  void openInstead(const QStringList& paths);
  /// Opens these in tabs, one after the other, when `first` is read (FileQueue).
  void openAlso(const QString& first, const QStringList& files);
  void openRequest(const OpenRequest& request);
  /// The effect of an imported file on the clouds in tabs: all are closed, it is opened for
  /// comparison, or it replaces the one on show.
  enum class Place { Alone, Beside, Instead };
  void showImportDialog(const QString& path, const ReadOptions& options,
                        const std::optional<Preview>& preview = {}, Place place = Place::Alone);
  /// Offers to restore the session of an earlier run that did not end properly.
  void offerRecovery();

  /// Opens the window for lessons, or brings it to the front.
  void showLessons();

  void setTheme(ThemeChoice choice);
  /// Whether a session that has a file is saved when the window closes, instead of a question.
  void setSavesOnClose(bool saves) { savesOnClose_ = saves; }
  /// Full screen with nothing but the view (in lessons also the text and the charts); points and
  /// text are larger.
  void setPresenting(bool presenting);
  bool isPresenting() const { return presenting_; }
  /// Shows the charts alone, in place of the view and the panels. The state is not saved.
  void setChartMaximised(bool maximised);
  bool isChartMaximised() const { return chartMaximised_; }
  /// True when the newest exact result, its picture and the chart in front are on the screen.
  bool isSettled() const;

  Session& session() const { return session_; }
  CloudView* cloudView() const { return view_; }
  ChartsPanel* charts() const { return charts_; }
  ClustersPanel* clusters() const { return clusters_; }
  SelectionPanel* selection() const { return selection_; }
  ParametersPanel* parameters() const { return parameters_; }
  EnginePanel* engine() const { return engine_; }
  DataPanel* data() const { return data_; }
  /// The window that showLessons has opened; null when there is none.
  MainWindow* lessonWindow() const;
  MessageBar* messages() const { return messages_; }
  StatusStrip* status() const { return status_; }
  /// An action by its name ("open", "undo", "hideOthers" …); null for none.
  QAction* action(const char* name) const;

  /// The differences of a window for lessons.
  struct LessonRole {
    std::function<void()> showLessons;  ///< what opens lessons elsewhere
    std::function<void()> layOutDocks;  ///< their sizes where none are remembered
    std::function<QString()> title;
  };
  /// Makes this the window of a lesson, the text of which is in `dock`: without the panels of data,
  /// clusters and selection, and with the charts beside the view in a presentation. *Close* closes
  /// the window, because the data belongs to the lesson.
  void takeLesson(QDockWidget* dock, LessonRole role);
  WindowActions& windowActions() { return actions_; }
  void resizeCharts(int height);
  /// Title, actions and docks follow the open data.
  void showState();

 Q_SIGNALS:
  void presentationChanged(bool presenting);
  void closed();

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragLeaveEvent(QDragLeaveEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  /// Whether the data of the session are on show: there are any, and no other file is being read.
  bool showsData() const;
  void layOutDocks();
  void makeCentre();
  void prepareDocks();
  void makeDocks();
  void makeFileMenu();
  void makeEditMenu();
  void makeViewMenu();
  void addWindowActions();
  void makeMotionMenu();
  void makePointsMenu();
  void addStoredPoints();
  void setPointBudget(std::size_t points);
  void makeLanguageMenu();
  void makeToolBar();
  void addNoiseSlider();
  void listenToSession();
  /// `name` is the dock's key in saved layouts.
  QDockWidget* addDock(const char* name, const QString& title, QWidget* content,
                       Qt::DockWidgetArea area);
  void rememberFile() const;
  void rebuildRecentMenu();
  void openRecent(const RecentFile& file);
  /// Starts to open it, or returns why it cannot be opened beside the open data.
  QString startBeside(const QString& path);
  void askForFile(Ask ask);
  void askForFileBeside();
  void askForSession();
  /// Work that only the open session has of this cloud is asked for first.
  void closeCloud(int index);
  /// Calls `open`; where that closes all clouds, unsaved work is asked for first.
  void openAgain(const std::function<void()>& open);
  void askForPointsToAdd();
  void askForLabels();
  /// Asks for a file that belongs to the open cloud; the dialog goes with the cloud.
  void askForFileOfCloud(const QString& title, const QString& filter,
                         std::function<void(const QString&)> take);
  void showFailure(const Failure& failure);
  /// Adds a button to the message `text` about a file where import options can help.
  void offerImportOptions(const QString& path, const QString& text);
  /// The same for a file that is too large: reads every n-th row of it.
  void offerFewerRows(const QString& path, const QString& text);
  /// Undo and redo, while the data that they change are on show.
  void showUndo();
  void showRunState();
  void showDisplay();
  void setDocksShown(bool shown);
  void showCharts();
  QByteArray viewState() const;
  void restoreViewState(const QByteArray& bytes);
  void restoreCamera(const QByteArray& viewState);
  void readSettings();
  void writeSettings() const;

  Session& session_;
  WindowActions actions_{*this};
  Memory memory_;
  ThemeChoice theme_ = ThemeChoice::System;
  bool askForText_ = true;
  bool docksShown_ = true;
  bool presenting_ = false;
  bool chartMaximised_ = false;
  bool sampleShown_ = false;    ///< of a file that is being read, or was until just now
  bool keepsSample_ = false;    ///< on show until the view has a picture of the whole cloud
  bool wasFullScreen_ = false;  ///< before the presentation
  bool savesOnClose_ = false;
  bool closing_ = false;         ///< as soon as the files being written are done
  quint64 closingRevision_ = 0;  ///< of the session when that was decided
  bool closingNow_ = false;      ///< without waiting for it
  QByteArray dockState_;         ///< where the docks are when there is data; empty: never laid out
  FileQueue* queue_;
  OutputActions* output_ = nullptr;
  WholeFileActions* wholeFile_ = nullptr;
  SelectionActions* selectionActions_ = nullptr;
  ViewActions* viewActions_ = nullptr;
  HelpActions* help_ = nullptr;
  UnsavedWork* unsaved_;
  UsedFolders folders_;
  QString stoppedText_;  ///< the message about a stopped run, while it may be shown
  struct ShownFailure {
    JobKind kind;
    quint64 number;  ///< of the newest job of its kind at that time
    QString text;
  };
  std::optional<ShownFailure> failure_;  ///< the message about it may be shown

  QStackedWidget* pages_ = nullptr;
  WelcomePage* welcome_ = nullptr;
  CloudTabs* tabs_ = nullptr;
  CloudView* view_ = nullptr;
  ReadingView* reading_ = nullptr;  ///< made when it is first needed
  MessageBar* messages_ = nullptr;
  DataPanel* data_ = nullptr;
  ParametersPanel* parameters_ = nullptr;
  EnginePanel* engine_ = nullptr;
  ClustersPanel* clusters_ = nullptr;
  SelectionPanel* selection_ = nullptr;
  ChartsPanel* charts_ = nullptr;
  StatusStrip* status_ = nullptr;
  std::optional<LessonRole> role_;  ///< nothing but in a window for lessons
  QPointer<LessonWindow> lessons_;
  QList<QDockWidget*> docks_;  ///< all of the following that are in use
  QDockWidget* dataDock_ = nullptr;
  QDockWidget* parametersDock_ = nullptr;
  QDockWidget* clustersDock_ = nullptr;
  QDockWidget* selectionDock_ = nullptr;
  QDockWidget* chartsDock_ = nullptr;
  QMenu* recentMenu_ = nullptr;
  QActionGroup* themeGroup_ = nullptr;
  QActionGroup* pointsGroup_ = nullptr;
  QToolBar* toolBar_ = nullptr;
  static constexpr int kColourTextWidth = 140;  ///< of this button, for every text
  QToolButton* colourButton_ = nullptr;
  ShareSlider* noiseSlider_ = nullptr;
  QTimer* viewStateTimer_ = nullptr;
};

}  // namespace clusterloom
