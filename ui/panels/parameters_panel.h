#pragma once

#include <QWidget>

#include "ui/words/qt_classes.h"

namespace clusterloom {

class EpsSlider;
class Session;

/// ε, minPts and the number of indexed dimensions k with the predicted cost of each; whether runs
/// start by themselves, and a button that starts one.
class ParametersPanel : public QWidget {
  Q_OBJECT

 public:
  explicit ParametersPanel(Session& session, QWidget* parent = nullptr);

  EpsSlider* eps() const { return eps_; }
  QSpinBox* minPts() const { return minPts_; }
  QComboBox* indexedDims() const { return indexedDims_; }
  QPushButton* runButton() const { return run_; }
  QCheckBox* autoRun() const { return autoRun_; }
  QCheckBox* everyEps() const { return everyEps_; }
  /// Beside it: the state of the hierarchy.
  QLabel* everyEpsState() const { return everyEpsState_; }
  /// Builds a hierarchy that is large.
  QPushButton* prepareButton() const { return prepare_; }

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void addEpsRows(QFormLayout* form);
  /// minPts, weights and k.
  void addCountRows(QFormLayout* form);
  void addRunRows(QFormLayout* form);
  void showParameters();
  void showCosts();
  void showAutomaticK();
  void showSuggestion();
  void showWeights();
  void fillStableMenu();
  void showRunState();
  void showEveryEps();

  Session& session_;
  EpsSlider* eps_;
  QSpinBox* minPts_;
  QComboBox* weights_;
  QLabel* weightsNote_;
  QComboBox* indexedDims_;
  QPushButton* useSuggestion_;
  QPushButton* stable_;
  QLabel* suggestionText_;
  QCheckBox* autoRun_;
  QPushButton* run_;
  QCheckBox* everyEps_;
  QLabel* everyEpsState_;
  QGridLayout* everyRow_;
  QPushButton* prepare_;
  bool minPtsChanged_ = false;  ///< since Return was pressed there
};

}  // namespace clusterloom
