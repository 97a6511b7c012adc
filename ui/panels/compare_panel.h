#pragma once

#include <vector>

#include "render/charts/response_chart.h"
#include "render/charts/warp_load_chart.h"
#include "ui/panels/chart_page.h"
#include "ui/session/paper_strategies.h"

class QComboBox;
class QLabel;
class QListWidget;
class QPushButton;
class QStackedWidget;
class QTableWidget;

namespace clusterloom {

class ChartView;
class Comparison;
class Session;

/// Strategies beside each other: which to compare, a table of what each did, and the warps of two
/// of them on the same axis. The table can be exported as CSV and as a picture.
class ComparePanel : public ChartPage {
  Q_OBJECT

 public:
  explicit ComparePanel(Session& session, QWidget* parent = nullptr);
  ~ComparePanel() override;

  QTableWidget* table() const { return table_; }
  /// Runs what is ticked, as the button does.
  void compare() { start(false); }
  /// False while a comparison is under way.
  bool isReady() const override;
  void exportCsv(const QString& path);
  void exportPicture(const QString& path);

 private:
  void showRuns();
  void showCharts();
  void start(bool overEps);
  void keepEngineStrategy();
  void dropKept();

  Session& session_;
  Comparison& comparison_;
  WarpLoadChart charts_[2];
  ChartView* views_[2];
  QComboBox* sides_[2];
  QString chosen_[2];                ///< by hand; empty: the first two
  QListWidget* list_;                ///< the papers', the engine's, then what was kept
  std::vector<PaperStrategy> kept_;  ///< strategies of the engine panel as they once were
  QPushButton* keep_;
  QTableWidget* table_;
  ResponseChart response_;
  ChartView* responseView_;
  QStackedWidget* pages_;  ///< the table with its charts, or the response times
  QPushButton* run_;
  QPushButton* sweep_;
  QPushButton* csv_;
  QPushButton* picture_;
  QLabel* note_;
};

}  // namespace clusterloom
