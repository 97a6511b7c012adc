#pragma once

#include <QWidget>
#include <utility>
#include <vector>

#include "engine/join/strategy_options.h"
#include "ui/words/qt_classes.h"

namespace clusterloom {

class Session;

/// How the join is done: strategy with presets, backend, GPU, threads, and the ranks and GPUs that
/// divide a run; and a forecast of a join at ε, made while the panel is open. Collapsed at first:
/// no answer needs it. A combination that the engine refuses is not tried; its message is shown
/// below the option that was changed until all are legal again.
class EnginePanel : public QWidget {
  Q_OBJECT

 public:
  explicit EnginePanel(Session& session, QWidget* parent = nullptr);

  void setExpanded(bool expanded);
  bool isExpanded() const;
  /// The engine's objection to the chosen options; empty when they were accepted.
  QString objection() const;

 Q_SIGNALS:
  /// The user wants the charts of the engine.
  void chartsRequested();

 private:
  void makeHeader();
  void addStrategyRows(QFormLayout* form);
  void addBackendRows(QFormLayout* form);
  void showStrategy();
  void showBackend();
  void showDevices();
  void showRanks();
  void showForecast();
  void takeRanks();
  /// An option of the strategy and its field: a box of words, or a line for a number.
  struct Row {
    const StrategyOption* option;
    QComboBox* words;
    QLineEdit* number;
  };

  /// Applies all options; a refusal is shown below the field that was changed.
  void take(QWidget* changed);

  Session& session_;
  QToolButton* header_;
  QWidget* body_;
  QComboBox* preset_;
  QLabel* summary_;
  std::vector<Row> options_;
  QComboBox* backend_;
  QComboBox* device_;  ///< visible where there are several GPUs
  QLabel* inUse_;
  QSpinBox* threads_;
  QSpinBox* ranks_;
  QWidget* rankDevices_;  ///< a box for each GPU; visible where there are several
  std::vector<std::pair<int, QCheckBox*>> rankDeviceBoxes_;
  QLabel* forecast_;  ///< of a join at ε; hidden until there is one
  QLabel* objection_;
};

}  // namespace clusterloom
