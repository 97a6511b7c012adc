#pragma once

#include <QString>
#include <QStringList>
#include <vector>

#include "ui/lessons/formula.h"
#include "ui/lessons/lesson_text.h"

namespace clusterloom {

/// How the question of a step is answered.
enum class TaskKind {
  Number,  ///< a number is typed before the answer shows it
  Choice,  ///< one of several answers is chosen: that whose claim holds
  Goal,    ///< the session is changed, or a warp picked, until the claims hold
};

struct TaskChoice {
  QString text;
  Claim claim;
};

/// The task of a step, checked with the numbers of the step.
struct LessonTask {
  TaskKind kind = TaskKind::Number;
  Formula value;                    ///< of Number
  double within = 0;                ///< its largest relative error
  std::vector<TaskChoice> choices;  ///< of Choice
  std::vector<Claim> goal;          ///< of Goal
  std::vector<LessonText> hints;

  QStringList strategies() const;
  /// Whether it has numbers of a kind, as &Fact::measured.
  bool uses(bool Fact::*kind) const;
};

enum class TaskVerdict {
  Unknown,   ///< the numbers of the step are not there yet
  NoNumber,  ///< the text is no number
  TooLow,
  TooHigh,
  Wrong,
  Right,
};

/// Compares a typed number with the value; "35" and "35 %" are both 35 % where the value is a
/// percentage.
TaskVerdict checkNumber(const LessonTask& task, const QString& typed, const FactTable& facts);
/// Right for the choice whose claim holds.
TaskVerdict checkChoice(const LessonTask& task, int choice, const FactTable& facts);
/// Whether all claims of the goal hold.
bool isReached(const LessonTask& task, const FactTable& facts);

}  // namespace clusterloom
