#pragma once

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace clusterloom {

class EpsSlider;
class Session;

/// ε, minPts and the number of indexed dimensions k with the predicted cost of each.
class ParametersPanel : public QWidget {
  Q_OBJECT

 public:
  explicit ParametersPanel(Session& session, QWidget* parent = nullptr);

  EpsSlider* eps() const { return eps_; }
  QSpinBox* minPts() const { return minPts_; }
  QComboBox* indexedDims() const { return indexedDims_; }

 private:
  void showParameters();
  void showCosts();
  void showAutomaticK();
  void showSuggestion();

  Session& session_;
  EpsSlider* eps_;
  QSpinBox* minPts_;
  QComboBox* indexedDims_;
  QPushButton* useSuggestion_;
  QLabel* suggestionText_;
};

}  // namespace clusterloom
