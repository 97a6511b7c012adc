#pragma once

#include <QDialog>

#include "ui/words/qt_classes.h"

namespace clusterloom {

class Session;

/// Clusters the selected points separately: asks for their ε and minPts, shows the result, and
/// offers to merge the clusters into the result of the whole or to export the points as a separate
/// file. It stays above the window, which can be used meanwhile.
class ClusterSelectionDialog : public QDialog {
  Q_OBJECT

 public:
  explicit ClusterSelectionDialog(Session& session, QWidget* parent = nullptr);
  ~ClusterSelectionDialog() override;

  QString resultText() const;

 Q_SIGNALS:
  void exportRequested();

 private:
  std::optional<double> eps() const;
  void start();
  void showState();
  void check();

  Session& session_;
  QLineEdit* eps_;
  QSpinBox* minPts_;
  QLabel* result_;
  QPushButton* run_;
  QPushButton* merge_;
  QPushButton* export_;
};

}  // namespace clusterloom
