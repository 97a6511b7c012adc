#pragma once

#include <QDialog>
#include <QFileDialog>
#include <QStringList>

#include "ui/session/whole_file.h"

class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace clusterloom {

class RealSpinBox;

/// Asks how all rows of a file are clustered, of which the session has one of several.
class WholeFileDialog : public QDialog {
  Q_OBJECT

 public:
  /// `proposed` fills the fields; `about` says which file it is; `inputs` are the open files, which
  /// are refused as targets.
  WholeFileDialog(const WholeFileOrder& proposed, const QString& about, QStringList inputs,
                  QWidget* parent = nullptr);

  WholeFileOrder order() const;

 private:
  void addParameters(QFormLayout* form, const WholeFileOrder& proposed);
  void addFiles(QFormLayout* form, const WholeFileOrder& proposed);
  QLineEdit* addPath(QFormLayout* form, const QString& label, const QString& path,
                     const QString& browse, QFileDialog::FileMode mode);
  /// Why the run cannot start; empty where it can.
  QString fault() const;
  void check();

  QStringList inputs_;
  QLineEdit* eps_;
  QSpinBox* minPts_;
  RealSpinBox* memory_;  ///< GiB
  QLineEdit* labels_;
  QLineEdit* scratch_;
  QLabel* hint_;
  QPushButton* start_;
};

}  // namespace clusterloom
