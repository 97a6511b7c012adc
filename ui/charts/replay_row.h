#pragma once

#include <QWidget>

#include "ui/words/qt_classes.h"

namespace clusterloom {

class Session;

/// Plays how clusters grow with ε, and shows the advice of the exact curve on the ε on show.
class ReplayRow : public QWidget {
  Q_OBJECT

 public:
  explicit ReplayRow(Session& session, QWidget* parent = nullptr);

 Q_SIGNALS:
  /// The frames are to be saved as pictures.
  void framesRequested();

 private:
  void showState();
  void showAdvice();

  Session& session_;
  QToolButton* back_;
  QToolButton* play_;
  QToolButton* forward_;
  QComboBox* speed_;
  QPushButton* frames_;
  QLabel* advice_;
};

}  // namespace clusterloom
