#pragma once

#include <QWidget>

#include "ui/words/qt_classes.h"

namespace clusterloom {

class CloudView;
class ColumnPlayer;
class Session;

/// The controls of the view's ColumnPlayer, to stand below the view. Visible while it is on; Escape
/// in it shows all points again.
class ColumnPlayerRow : public QWidget {
  Q_OBJECT

 public:
  ColumnPlayerRow(const Session& session, CloudView& view, QWidget* parent = nullptr);

  /// Gives the keyboard to the button that plays.
  void takeFocus();

 Q_SIGNALS:
  void framesRequested();

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void showState();
  void showPlace();
  void showWidth();
  void takeWidth();

  const Session& session_;
  CloudView& view_;
  ColumnPlayer& player_;
  QComboBox* column_;
  QLineEdit* width_;
  QToolButton* valueBack_;
  QToolButton* back_;
  QToolButton* play_;
  QToolButton* forward_;
  QToolButton* valueForward_;
  QComboBox* speed_;
  QLabel* place_;
  QSlider* slider_;
  QPushButton* frames_;
};

}  // namespace clusterloom
