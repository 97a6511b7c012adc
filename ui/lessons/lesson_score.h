#pragma once

#include <QByteArray>
#include <QString>
#include <vector>

namespace clusterloom {

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

}  // namespace clusterloom
