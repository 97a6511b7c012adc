#pragma once

#include <QCoreApplication>
#include <QTemporaryDir>
#include <vector>

#include "ui/panels/chart_page.h"
#include "ui/window/main_window.h"

namespace clusterloom {

class LessonsPanel;

/// The session of a window for lessons. Its autosaves are discarded.
struct LessonSession {
  QTemporaryDir autosaves;
  Session ownSession{nullptr, autosaves.path()};
};

/// A window for lessons with a session of its own: whatever a lesson does, the window from which it
/// was opened keeps its data. It shows the lesson beside the parameters, the view and the charts.
/// The session is a base, so that it outlives the window; moc requires the QObject to be the first
/// base, so this class has no signals of its own.
class LessonWindow final : private LessonSession, public MainWindow {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::LessonWindow)

 public:
  /// Opens the first of the lessons that come with the program.
  LessonWindow();
  ~LessonWindow() override;

  LessonsPanel* lessons() const { return lessons_; }
  /// Puts the focus on the text of the lesson.
  void showLessons() override;

 protected:
  void showState() override;
  void layOutDocks() override;
  bool event(QEvent* event) override;

 private:
  /// Tells assistive technology which step of which lesson is open.
  void sayStep();
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

  LessonsPanel* lessons_ = nullptr;
  QDockWidget* lessonDock_ = nullptr;
  QString folder_;                     ///< of the lesson file opened last
  ChartId chart_ = ChartId::WarpLoad;  ///< of the step
};

}  // namespace clusterloom
