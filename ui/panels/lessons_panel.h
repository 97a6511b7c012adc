#pragma once

#include <QTimer>
#include <QWidget>

#include "ui/lessons/lesson.h"
#include "ui/words/qt_classes.h"

namespace clusterloom {

class LessonPlayer;
class LessonTasks;
class LoadPanel;
class Session;
class TaskRow;

/// A lesson to be read: its step's text with the numbers of the run, the question and its answer,
/// and the picked warp step by step. It shows the state of the player and chooses its step; the
/// steps of the warp are the cursor of the load panel's lane chart.
class LessonsPanel : public QWidget {
  Q_OBJECT

 public:
  LessonsPanel(Session& session, LessonPlayer& player, LoadPanel& load, QWidget* parent = nullptr);

  /// Opens a lesson file; shows why where it is not one.
  void openFile(const QString& path);
  /// Reads the file of the lesson on show again, after it was edited; the step stays.
  void reopen();
  /// Copies the file of the lesson on show and opens the copy; shows why where it cannot.
  void saveCopy(const QString& path);
  /// Shows an error below the text.
  void complain(const QString& what);
  void goBack();
  /// The next step, and after the last the next lesson.
  void goNext();
  void revealAnswer();
  /// Sets the step up again as it was before the reader changed it.
  void restoreStep();
  /// Moves the cursor over the picked warp's steps; the cloud shows what is compared there.
  void stepWarp(int by);
  void playWarp(bool play);
  /// Scrolls the text a page on or back; from its end or beginning to the next step or the last.
  void turnPage(int by);
  /// In a lecture an answer is shown only when it is asked for, even if the task is solved.
  void setLecture(bool lecture);
  LessonTasks& tasks() const { return *tasks_; }
  bool isPlaying() const { return playTimer_.isActive(); }

  /// Of the lesson that is open; empty when none is.
  QString title() const;
  QTextBrowser* text() const { return text_; }
  /// Lesson and step in words: "Why warps idle, Step 1 of 5: One warp"; empty when none is open.
  QString placeWords() const;
  /// The action of the warp at the cursor, in words.
  QString stepWords() const;
  /// The error on show; empty without one.
  QString complaint() const;

 Q_SIGNALS:
  void openFileRequested();
  void lessonOpened();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void makeList();
  QLayout* makeWarpButtons();
  void showStep();
  void showText();
  void showTask();
  void showWarp();
  void onWarpReady();

  Session& session_;
  LessonPlayer& player_;
  LoadPanel& load_;
  LessonTasks* tasks_;
  TaskRow* taskRow_;
  QComboBox* list_;
  QPushButton* open_;
  QLabel* place_;
  QTextBrowser* text_;
  QLabel* note_;
  QPushButton* restore_;
  QPushButton* answer_;
  QWidget* warpRow_;
  QToolButton* stepBack_;
  QToolButton* play_;
  QToolButton* stepOn_;
  QComboBox* speed_;
  QLabel* words_;
  QPushButton* back_;
  QPushButton* next_;
  bool revealed_ = false;
  bool lecture_ = false;
  QString complaint_;
  QString shownHtml_;
  QTimer playTimer_;
};

}  // namespace clusterloom
