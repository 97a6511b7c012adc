#include "ui/lessons/lesson_tasks.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <string_view>

#include "engine/io/output_set.h"
#include "ui/lessons/lesson_player.h"

namespace clusterloom {

namespace {

QByteArray quoted(QString text) {
  text.replace(QLatin1Char('"'), QStringLiteral("\"\""));
  return '"' + text.toUtf8() + '"';
}

}  // namespace

QByteArray scoreJson(const std::vector<TaskProgress>& tasks) {
  QJsonArray list;
  for (const TaskProgress& task : tasks)
    list << QJsonObject{{"lesson", task.lesson}, {"step", task.step},
                        {"task", task.task},     {"attempts", task.attempts},
                        {"hints", task.hints},   {"answer_shown", task.answerShown},
                        {"solved", task.solved}};
  return QJsonDocument(
             QJsonObject{{"format", "clusterloom score"}, {"version", 1}, {"tasks", list}})
      .toJson();
}

QByteArray scoreCsv(const std::vector<TaskProgress>& tasks) {
  QByteArray csv = "lesson,step,task,attempts,hints,answer_shown,solved\n";
  for (const TaskProgress& task : tasks)
    csv += quoted(task.lesson) + ',' + QByteArray::number(task.step) + ',' + quoted(task.task) +
           ',' + QByteArray::number(task.attempts) + ',' + QByteArray::number(task.hints) + ',' +
           (task.answerShown ? "1" : "0") + ',' + (task.solved ? "1" : "0") + '\n';
  return csv;
}

LessonTasks::LessonTasks(LessonPlayer& player) : QObject(&player), player_(player) {
  connect(&player_, &LessonPlayer::stepChanged, this, [this] {
    verdict_ = TaskVerdict::Unknown;
    Q_EMIT stepShown();
    Q_EMIT changed();
  });
  connect(&player_, &LessonPlayer::factsChanged, this, &LessonTasks::checkGoal);
}

const LessonTask* LessonTasks::task() const {
  return player_.lesson() && player_.step().task ? &*player_.step().task : nullptr;
}

TaskProgress LessonTasks::progress() const {
  if (!player_.lesson()) return {};
  const auto found = progress_.find({player_.lesson()->path, player_.stepNumber()});
  return found == progress_.end() ? TaskProgress{} : found->second;
}

FactTable LessonTasks::facts() const { return player_.facts(); }

TaskProgress& LessonTasks::own() {
  TaskProgress& progress = progress_[{player_.lesson()->path, player_.stepNumber()}];
  progress.lesson = player_.lesson()->title;
  progress.step = player_.stepNumber() + 1;
  progress.task = player_.step().title;
  return progress;
}

void LessonTasks::answer(const QString& typed) {
  if (task() && task()->kind == TaskKind::Number)
    take(checkNumber(*task(), typed, player_.facts()));
}

void LessonTasks::choose(int choice) {
  if (task() && task()->kind == TaskKind::Choice)
    take(checkChoice(*task(), choice, player_.facts()));
}

void LessonTasks::take(TaskVerdict verdict) {
  verdict_ = verdict;
  if (verdict == TaskVerdict::Unknown || verdict == TaskVerdict::NoNumber) return Q_EMIT changed();
  TaskProgress& progress = own();
  // Answers after the task was solved do not count.
  if (progress.solved) return Q_EMIT changed();
  ++progress.attempts;
  progress.solved = verdict == TaskVerdict::Right;
  change();
  if (verdict == TaskVerdict::Right) Q_EMIT solved();
}

void LessonTasks::checkGoal() {
  if (!task() || task()->kind != TaskKind::Goal || progress().solved) return;
  if (!player_.areFactsCurrent() || !isReached(*task(), player_.facts())) return;
  take(TaskVerdict::Right);
}

void LessonTasks::showHint() {
  if (!task() || progress().hints >= int(task()->hints.size())) return;
  ++own().hints;
  change();
}

void LessonTasks::noteAnswerShown() {
  if (!task() || progress().solved || progress().answerShown) return;
  own().answerShown = true;
  change();
}

void LessonTasks::change() {
  const auto written = write();
  failure_ = written ? QString() : QString::fromStdString(written.error().message);
  Q_EMIT changed();
}

Result<void> LessonTasks::recordIn(const QString& path) {
  scorePath_ = path;
  const auto written = write();
  if (!written) scorePath_.clear();
  failure_.clear();
  return written;
}

Result<void> LessonTasks::write() const {
  if (scorePath_.isEmpty()) return {};
  std::vector<TaskProgress> tasks;
  for (const auto& [place, progress] : progress_) tasks.push_back(progress);
  const bool csv = scorePath_.endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive);
  const QByteArray bytes = csv ? scoreCsv(tasks) : scoreJson(tasks);
  return writeAtomically(scorePath_.toStdString(),
                         std::string_view(bytes.constData(), std::size_t(bytes.size())));
}

}  // namespace clusterloom
