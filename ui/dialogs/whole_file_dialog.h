#pragma once

#include <QDialog>
#include <QFileDialog>
#include <QStringList>
#include <QTimer>
#include <optional>

#include "ui/session/whole_file.h"
#include "ui/words/qt_classes.h"

namespace clusterloom {

class RealSpinBox;

/// Asks how all rows of a file are clustered of which the session has only some, and shows the
/// forecast.
class WholeFileDialog : public QDialog {
  Q_OBJECT

 public:
  /// `wholeFile` forecasts; `proposed` fills the fields; `about` says which file it is; `inputs`
  /// are the open files, which are refused as targets.
  WholeFileDialog(WholeFile& wholeFile, const WholeFileOrder& proposed, const QString& about,
                  QStringList inputs, QWidget* parent = nullptr);
  ~WholeFileDialog() override;

  WholeFileOrder order() const;

 private:
  void addParameters(QFormLayout* form, const WholeFileOrder& proposed);
  void addFiles(QFormLayout* form, const WholeFileOrder& proposed);
  QLineEdit* addPath(QFormLayout* form, const QString& label, const QString& path,
                     const QString& browse, QFileDialog::FileMode mode);
  /// Why the run cannot start; empty where it can.
  QString fault() const;
  void check();
  /// Measures again where the order has changed.
  void askForForecast();
  void showForecast(const BlockForecast& forecast, const QString& why);
  void say(const QString& forecast);

  WholeFile& wholeFile_;
  QStringList inputs_;
  QTimer settle_;  ///< until nothing is changed for a moment
  std::optional<WholeFileOrder> forecastOf_;
  QLineEdit* eps_;
  QSpinBox* minPts_;
  RealSpinBox* memory_;  ///< GiB
  QLineEdit* labels_;
  QLineEdit* scratch_;
  QLabel* forecast_;
  QLabel* hint_;
  QPushButton* start_;
};

}  // namespace clusterloom
