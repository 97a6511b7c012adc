#pragma once

#include <QDialog>

#include "ui/words/qt_classes.h"

namespace clusterloom {

class FileLevels;

/// Whether all rows of files that do not fit into the memory are drawn, how many bytes the files
/// for this may take, and removing them. Changes take effect at once.
class StoredPointsDialog : public QDialog {
  Q_OBJECT

 public:
  explicit StoredPointsDialog(FileLevels& levels, QWidget* parent = nullptr);

 private:
  void takeLimit();
  void showKept();

  FileLevels& levels_;
  QCheckBox* drawn_;
  QDoubleSpinBox* limit_;
  QLabel* kept_;
  QPushButton* clear_;
};

}  // namespace clusterloom
