#pragma once

#include <QObject>
#include <QTemporaryDir>
#include <vector>

#include "ui/charts/chart_page.h"
#include "ui/session/backend_slot.h"
#include "ui/window/main_window.h"

namespace clusterloom {

class LessonPlayer;
class LessonsPanel;

/// A window for lessons with its own session, so that a lesson never changes the data of the window
/// from which it was opened. It shows the lesson beside the parameters, the view and the charts.
class LessonWindow final : public QObject {
  Q_OBJECT

 public:
  /// Opens the first of the lessons that come with the program. The window is not shown yet.
  /// `measuring` makes the backend of the GPU that measures the numbers in texts about a GPU.
  explicit LessonWindow(BackendMaker measuring = makeBackend);
  ~LessonWindow() override;

  MainWindow& window() { return window_; }
  Session& session() { return session_; }
  LessonPlayer& player() { return *player_; }
  LessonsPanel* lessons() const { return lessons_; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  /// False: the window stays until the lesson that is being drawn is written.
  bool mayClose();
  /// Tells assistive technology which step of which lesson is open.
  void sayStep();
  void layOutDocks();
  void makeLessonMenu();
  void makePageKeys();
  /// A presentation is a lecture: large text, keys of a remote control, answers when asked for.
  void showLecture(bool lecture);
  void layOutLecture();
  void askForLesson();
  void askForExport();
  struct ExportKind;
  static std::vector<ExportKind> exportKinds();
  void exportTo(const QString& path, const ExportKind& kind);
  void keepScore();

  QTemporaryDir autosaves_;  ///< are discarded
  Session session_{nullptr, autosaves_.path()};
  MainWindow window_{session_, MainWindow::Memory::Forget};
  LessonPlayer* player_ = nullptr;
  LessonsPanel* lessons_ = nullptr;
  QDockWidget* lessonDock_ = nullptr;
  QString folder_;                     ///< of the lesson file opened last
  bool drawing_ = false;               ///< a lesson is drawn for a file
  bool closing_ = false;               ///< the window closes when that is written
  ChartId chart_ = ChartId::WarpLoad;  ///< of the step
};

}  // namespace clusterloom
