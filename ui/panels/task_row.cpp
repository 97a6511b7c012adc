#include "ui/panels/task_row.h"

#include <QComboBox>
#include <QEvent>
#include <QLineEdit>
#include <QPushButton>
#include <algorithm>
#include <utility>

#include "ui/lessons/lesson_tasks.h"
#include "ui/theme/theme.h"
#include "ui/view/announcer.h"
#include "ui/widgets/form.h"
#include "ui/widgets/wrapping_row.h"

namespace clusterloom {

namespace {
constexpr int kNumberWidth = 120;  // of the field for a number, at the usual size of text
}  // namespace

TaskRow::TaskRow(LessonTasks& tasks, QWidget* parent) : QWidget(parent), tasks_(tasks) {
  number_ = named("taskNumber", new QLineEdit(this), tr("Your answer"));
  number_->setPlaceholderText(tr("your answer"));
  number_->setMaximumWidth(fontScaled(kNumberWidth));
  choices_ = named("taskChoices", panelCombo(this, tr("Your answer")));
  choices_->setPlaceholderText(tr("choose…"));
  choices_->setMinimumContentsLength(20);
  check_ = named("taskCheck", new QPushButton(tr("Check"), this));
  hint_ = named("taskHint", new QPushButton(this));
  auto* row = new WrappingRow(this);
  row->setContentsMargins(0, 0, 0, 0);
  for (QWidget* part : {static_cast<QWidget*>(number_), static_cast<QWidget*>(choices_),
                        static_cast<QWidget*>(check_), static_cast<QWidget*>(hint_)})
    row->addWidget(part);
  connect(check_, &QPushButton::clicked, this, &TaskRow::check);
  connect(number_, &QLineEdit::returnPressed, this, &TaskRow::check);
  connect(hint_, &QPushButton::clicked, &tasks_, &LessonTasks::showHint);
  // The tasks of two lessons may have the same address.
  connect(&tasks_, &LessonTasks::stepShown, this, [this] { shown_ = nullptr; });
  connect(&tasks_, &LessonTasks::changed, this, &TaskRow::show);
  show();
}

void TaskRow::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange)
    number_->setMaximumWidth(qRound(kNumberWidth * textScale(font())));
}

void TaskRow::check() {
  const LessonTask* task = tasks_.task();
  if (!task) return;
  if (task->kind == TaskKind::Number)
    tasks_.answer(number_->text());
  else if (choices_->currentIndex() >= 0)
    tasks_.choose(choices_->currentIndex());
  Announcer::ofApplication().say(*this, Announcer::Topic::Lesson, verdictWords());
}

void TaskRow::show() {
  const LessonTask* task = tasks_.task();
  setVisible(task != nullptr);
  if (std::exchange(shown_, task) != task) {
    number_->clear();
    choices_->clear();
    if (task)
      for (const TaskChoice& choice : task->choices) choices_->addItem(choice.text);
    choices_->setCurrentIndex(-1);
  }
  if (!task) return;
  const TaskProgress progress = tasks_.progress();
  number_->setVisible(task->kind == TaskKind::Number);
  choices_->setVisible(task->kind == TaskKind::Choice);
  check_->setVisible(task->kind != TaskKind::Goal);
  const auto hints = int(task->hints.size());
  hint_->setText(tr("Hint %1 of %2").arg(std::min(progress.hints + 1, hints)).arg(hints));
  hint_->setEnabled(progress.hints < hints && !progress.solved);
}

QString TaskRow::verdictWords() const {
  switch (tasks_.verdict()) {
    case TaskVerdict::NoNumber: return tr("Type a number.");
    case TaskVerdict::TooLow: return tr("Too low.");
    case TaskVerdict::TooHigh: return tr("Too high.");
    case TaskVerdict::Wrong: return tr("No. Look again.");
    case TaskVerdict::Right: return tr("Right.");
    case TaskVerdict::Unknown: break;
  }
  return tasks_.progress().solved ? tr("Solved.") : QString();
}

QString TaskRow::words() const {
  const LessonTask* task = tasks_.task();
  if (!task) return {};
  QString html;
  if (task->kind == TaskKind::Goal && !tasks_.progress().solved) {
    const QString how =
        task->uses(&Fact::ofPickedWarp)
            ? tr("Pick a warp. The program notices when you have found the right one.")
            : tr("Change the settings. The program notices when you have found the answer.");
    html += QStringLiteral("<p>%1</p>").arg(how.toHtmlEscaped());
  }
  const int hints = std::min(tasks_.progress().hints, int(task->hints.size()));
  for (int i = 0; i < hints; ++i)
    html += QStringLiteral("<p><i>%1</i></p>")
                .arg(tr("Hint: %1")
                         .arg(task->hints[std::size_t(i)].filled(tasks_.facts()))
                         .toHtmlEscaped());
  if (const QString verdict = verdictWords(); !verdict.isEmpty())
    html += QStringLiteral("<p><b>%1</b></p>").arg(verdict.toHtmlEscaped());
  return html;
}

}  // namespace clusterloom
