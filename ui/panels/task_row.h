#pragma once

#include <QWidget>

#include "ui/words/qt_classes.h"

namespace clusterloom {

class LessonTasks;

/// The controls of the task of a step: a field for a number or a box of choices, *Check* and
/// *Hint*. Its remarks on the answer go into the text of the lesson: `words`.
class TaskRow : public QWidget {
  Q_OBJECT

 public:
  explicit TaskRow(LessonTasks& tasks, QWidget* parent = nullptr);

  /// The task, the verdict on the last answer, and the hints shown so far, as HTML.
  QString words() const;

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void show();
  void check();
  QString verdictWords() const;

  LessonTasks& tasks_;
  QLineEdit* number_;
  QComboBox* choices_;
  QPushButton* check_;
  QPushButton* hint_;
  const void* shown_ = nullptr;  ///< the task whose choices are in the box
};

}  // namespace clusterloom
