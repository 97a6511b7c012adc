#pragma once

#include <QWidget>
#include <array>
#include <memory>

#include "ui/words/qt_classes.h"

namespace clusterloom {

class Session;
struct Dataset;
struct PointCloud;

/// The open data: name, size, columns; the scaling, the space of distances and ε by dimension; and,
/// beyond three dimensions, the axes shown.
class DataPanel : public QWidget {
  Q_OBJECT

 public:
  explicit DataPanel(Session& session, QWidget* parent = nullptr);

 Q_SIGNALS:
  /// The user wants to choose columns again.
  void importAgainRequested();

 private:
  void addDataRows(QFormLayout* form);
  void addSpaceRows(QFormLayout* form);
  void addDimensionRows(QFormLayout* form);
  void followFields();
  void showData();
  void showAdded();
  void showScaling();
  static QString degreesHint(const PointCloud& cloud, const QString& sphere);
  void showSpace();
  void showEpsOfDimensions();
  void fillAxes(int kind);
  void showAxes();
  void takeScaling();
  void takeSpace();
  void takeEpsOfDimensions();
  void takeAxes();

  Session& session_;
  QLabel* name_;
  QLabel* size_;
  QLabel* columns_;
  QLabel* added_;
  QPushButton* importAgain_;
  QComboBox* scaling_;
  QLineEdit* factors_;
  QLabel* factorsError_;
  QComboBox* space_;
  QLineEdit* periods_;
  bool entersFactors_ = false;  ///< and they are not those of the session yet
  bool entersPeriods_ = false;  ///< and they are not those of the session yet
  QLabel* spaceNote_;
  QLabel* spaceError_;
  QWidget* epsRow_;
  QLineEdit* epsOfDimensions_;
  QString shownEps_;  ///< the text there that stands for the parameters
  QLabel* epsError_;
  QWidget* axesRow_;
  QComboBox* axesKind_;
  std::array<QComboBox*, 3> axes_{};
  std::weak_ptr<const Dataset> filledFrom_;  ///< whose columns the boxes list
  int filledKind_ = -1;
};

}  // namespace clusterloom
