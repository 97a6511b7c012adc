#include "ui/lessons/lesson_task.h"

#include <algorithm>
#include <cmath>

#include "ui/words/numbers.h"

namespace clusterloom {

QStringList LessonTask::strategies() const {
  QStringList names;
  if (kind == TaskKind::Number) names += value.strategies();
  for (const TaskChoice& choice : choices) names += choice.claim.strategies();
  for (const Claim& claim : goal) names += claim.strategies();
  for (const LessonText& hint : hints) names += hint.strategies();
  return names;
}

bool LessonTask::uses(bool Fact::*what) const {
  const auto any = [what](const auto& parts) {
    return std::any_of(parts.begin(), parts.end(),
                       [what](const auto& part) { return part.uses(what); });
  };
  return value.uses(what) || any(goal) || any(hints) ||
         std::any_of(choices.begin(), choices.end(),
                     [what](const TaskChoice& choice) { return choice.claim.uses(what); });
}

TaskVerdict checkNumber(const LessonTask& task, const QString& typed, const FactTable& facts) {
  QString text = typed.simplified();
  if (text.endsWith(QLatin1Char('%'))) text = text.chopped(1).trimmed();
  // Grouped as the texts write it ("32,889"), else as any field takes it.
  bool grouped = false;
  const double number = numberLocale().toDouble(text, &grouped);
  const std::optional<double> plain = typedNumber(text);
  std::optional<double> read = grouped ? std::optional(number) : plain;
  if (!read || !std::isfinite(*read)) return TaskVerdict::NoNumber;
  const double value = task.value.value(facts);
  if (!std::isfinite(value)) return TaskVerdict::Unknown;
  const double unit = task.value.style() == NumberStyle::Percent ? 100 : 1;
  // A sign before three digits may be that of the fraction, too: what is nearer was meant.
  if (plain && std::abs(*plain / unit - value) < std::abs(*read / unit - value)) read = plain;
  const double given = *read / unit;
  if (std::abs(given - value) <= task.within * std::abs(value)) return TaskVerdict::Right;
  return given < value ? TaskVerdict::TooLow : TaskVerdict::TooHigh;
}

TaskVerdict checkChoice(const LessonTask& task, int choice, const FactTable& facts) {
  if (choice < 0 || choice >= int(task.choices.size())) return TaskVerdict::Wrong;
  const Claim& claim = task.choices[std::size_t(choice)].claim;
  if (!claim.isKnown(facts)) return TaskVerdict::Unknown;
  return claim.holds(facts) ? TaskVerdict::Right : TaskVerdict::Wrong;
}

bool isReached(const LessonTask& task, const FactTable& facts) {
  return !task.goal.empty() && std::all_of(task.goal.begin(), task.goal.end(),
                                           [&](const Claim& claim) { return claim.holds(facts); });
}

}  // namespace clusterloom
