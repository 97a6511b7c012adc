#pragma once

#include <QWidget>

#include "render/charts/batch_chart.h"
#include "render/charts/cost_chart.h"
#include "render/charts/k_distance_chart.h"
#include "render/charts/sweep_chart.h"

class QTableView;
class QTabWidget;

namespace clusterloom {

class ChartView;
class ComparePanel;
class LoadPanel;
class RunsModel;
class Session;

/// The charts below the view, in tabs: k-distance (its cut is the ε slider), ε sweep, the load of
/// warps, batches over time, strategies beside each other, predicted cost of k, and the runs of
/// this session. A chart's numbers are computed only while it is looked at.
class ChartsPanel : public QWidget {
  Q_OBJECT

 public:
  enum Tab { KDistance, Sweep, WarpLoad, Batches, Compare, Cost, Runs };

  explicit ChartsPanel(Session& session, QWidget* parent = nullptr);
  ~ChartsPanel() override;

  QTabWidget* tabs() const { return tabs_; }
  void showTab(Tab tab);
  ChartView* view(Tab tab) const;
  LoadPanel* load() const { return load_; }
  ComparePanel* compare() const { return compare_; }
  void exportRunsCsv(const QString& path);
  void exportRunsPicture(const QString& path);
  /// False while the chart in front has yet to get its numbers.
  bool isReady() const;

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void tellWanted();
  void showKDistances();
  void showSweep();
  void showCosts();
  void showBatches();
  void showEps();
  void onDrag(double eps, bool done);

  Session& session_;
  KDistanceChart kDistance_;
  SweepChart sweep_;
  BatchChart batches_;
  CostChart cost_;
  QTabWidget* tabs_;
  ChartView* kDistanceView_;
  ChartView* sweepView_;
  LoadPanel* load_;
  ChartView* batchesView_;
  ComparePanel* compare_;
  ChartView* costView_;
  RunsModel* runs_;
  QTableView* runsTable_;
};

}  // namespace clusterloom
