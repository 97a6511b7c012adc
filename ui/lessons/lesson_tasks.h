#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>
#include <map>
#include <utility>
#include <vector>

#include "engine/core/result.h"
#include "ui/lessons/lesson_task.h"

namespace clusterloom {

class LessonPlayer;

/// How a reader got on with the task of one step.
struct TaskProgress {
  QString lesson;  ///< its title
  int step = 0;    ///< from 1
  QString task;    ///< title of the step
  int attempts = 0;
  int hints = 0;             ///< that were shown
  bool answerShown = false;  ///< before it was solved
  bool solved = false;
  friend bool operator==(const TaskProgress&, const TaskProgress&) = default;
};

/// A score file for a teacher: one object or one row for each task.
QByteArray scoreJson(const std::vector<TaskProgress>& tasks);
QByteArray scoreCsv(const std::vector<TaskProgress>& tasks);

/// The tasks of the lessons that a player plays: checks answers, notices goals that are reached,
/// and keeps how far the reader got. Nothing is written unless a score file is asked for.
class LessonTasks : public QObject {
  Q_OBJECT

 public:
  explicit LessonTasks(LessonPlayer& player);

  /// Of the step on show; null where it has no task.
  const LessonTask* task() const;
  TaskProgress progress() const;
  /// The numbers of the step.
  FactTable facts() const;
  /// The verdict on the last answer to the step on show.
  TaskVerdict verdict() const { return verdict_; }

  /// Checks a typed number, or the choice of that number from 0. Each counts as an attempt, unless
  /// it is no number or the numbers of the step are not there yet.
  void answer(const QString& typed);
  void choose(int choice);
  void showHint();
  /// To be called when the reader has seen the answer.
  void noteAnswerShown();

  /// From now on writes the score into this file at every change, JSON or, by its name, CSV; an
  /// empty path ends that. Io with the system's message.
  Result<void> recordIn(const QString& path);
  QString scorePath() const { return scorePath_; }
  /// Why the score could not be written; empty where it could.
  QString failure() const { return failure_; }

 Q_SIGNALS:
  /// Another step is on show, or the same one again; `changed` follows.
  void stepShown();
  void changed();
  /// The task of the step on show has just been solved.
  void solved();

 private:
  TaskProgress& own();
  void take(TaskVerdict verdict);
  void checkGoal();
  void change();
  Result<void> write() const;

  LessonPlayer& player_;
  std::map<std::pair<QString, int>, TaskProgress> progress_;  ///< by file and step
  TaskVerdict verdict_ = TaskVerdict::Unknown;
  QString scorePath_;
  QString failure_;
};

}  // namespace clusterloom
