#pragma once

#include <QDialog>
#include <optional>

#include "ui/session/display_state.h"
#include "ui/words/qt_classes.h"

namespace clusterloom {

class CloudView;
class Session;

/// How points are drawn: size, opacity, strength of noise, colour map and the range of values it
/// shows. Changes take effect at once; the window can be used meanwhile.
class AppearanceDialog : public QDialog {
  Q_OBJECT

 public:
  AppearanceDialog(Session& session, CloudView& view, QWidget* parent = nullptr);

 private:
  void showState();
  void takeRange();
  QLayout* withPercentage(QSlider* slider);

  Session& session_;
  CloudView& view_;
  QDoubleSpinBox* size_;
  QComboBox* map_;
  QLineEdit* low_;
  QLineEdit* high_;
  QPushButton* reset_;
  QLabel* note_;
  std::optional<ValueRange> shown_;  ///< in the two boxes
};

}  // namespace clusterloom
