#include "ui/lessons/lesson_score.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

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

}  // namespace clusterloom
