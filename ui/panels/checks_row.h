#pragma once

#include <QWidget>

#include "ui/words/qt_classes.h"

namespace clusterloom {

class Session;

/// The checks of all clusters together, and a button that starts long checks or stops running ones.
/// Hidden while checks are not wanted.
class ChecksRow : public QWidget {
  Q_OBJECT

 public:
  explicit ChecksRow(Session& session, QWidget* parent = nullptr);

 private:
  void showState();

  Session& session_;
  QLabel* text_;
  QPushButton* button_;
  bool stops_ = false;  ///< what the button does
};

}  // namespace clusterloom
