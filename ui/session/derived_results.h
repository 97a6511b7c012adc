#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <functional>
#include <memory>
#include <tuple>
#include <vector>

#include "engine/core/infinity.h"
#include "engine/dbscan/join_forecast.h"
#include "engine/dbscan/statistics.h"
#include "engine/dbscan/sweep.h"
#include "engine/hierarchy/eps_curve.h"
#include "engine/hierarchy/k_distance.h"
#include "engine/join/cost_of_k.h"
#include "ui/jobs/derived_result.h"
#include "ui/jobs/settle_timer.h"
#include "ui/session/grid_cells.h"
#include "ui/session/results.h"
#include "ui/session/session_parts.h"
#include "ui/session/session_values.h"

namespace clusterloom {

class Hierarchy;

/// The number of clusters at every ε.
struct ExactSweep {
  EpsCurve curve;
  std::vector<Plateau> plateaus;  ///< the longest, longest first
  double mostEps = kInfinity;     ///< the largest ε to offer, below the smallest that runs refuse
};

/// The part of the session that owns what is derived from cloud, parameters and result: statistics,
/// colour values, cells of the grid, cost of k, forecast of a join, k-distances and the ε sweep.
/// Each has its own kind of job. What only a chart shows is computed only while the chart is
/// visible (set…Wanted).
class DerivedResults : public QObject {
  Q_OBJECT

 public:
  /// `load` gives the load of warps that is known, or null.
  DerivedResults(const SessionData& data, const ClusterRun& run, const EveryEps& every,
                 std::function<std::shared_ptr<const LoadResult>()> load, SessionValues values,
                 JobQueue& jobs, QObject* parent);

  /// Statistics of the result, in original units; null until they are ready.
  std::shared_ptr<const ClusteringStatistics> statistics() const { return statistics_.get(); }
  std::shared_ptr<const ColourValues> colourValues() const { return colourValues_.get(); }
  std::shared_ptr<const GridCells> gridCells() const { return gridCells_.get(); }
  std::shared_ptr<const CostModel> costModel() const { return costModel_.get(); }
  /// For the cloud and ε when it was made; null until it is ready, and where the backend refuses.
  std::shared_ptr<const JoinForecast> joinForecast() const { return joinForecast_.get(); }
  std::shared_ptr<const KDistances> kDistances() const { return kDistances_.get(); }
  const std::vector<SweepPoint>& sweep() const { return sweep_; }
  /// Replaces `sweep` once every ε is prepared; null until then.
  std::shared_ptr<const ExactSweep> exactSweep() const { return exactSweep_.get(); }

  void setKDistanceWanted(bool wanted);
  void setSweepWanted(bool wanted);
  void setCostOfKWanted(bool wanted);
  void setJoinForecastWanted(bool wanted);

  // Called by the session.
  /// Stops all jobs of this part and drops their results.
  void drop();
  void dropStatistics();
  /// While ε is dragged over a large cloud: when it rests.
  void startStatistics();
  void updateColourValues();
  void updateGrid();
  void updateKDistances();
  /// Computes them again where they failed or were stopped.
  void retryKDistances();
  void startSweep();
  /// Computes the cost of k and forecasts the join when no parameter has changed for a moment.
  void startCostOfKLater() { costTimer_.start(); }

 Q_SIGNALS:
  void statisticsChanged();
  void colourValuesChanged();
  void gridCellsChanged();
  void costModelChanged();
  void joinForecastChanged();
  void kDistancesChanged();
  void sweepChanged();  ///< points come one by one; also exactSweep()

 private:
  using Cloud = std::shared_ptr<const PointCloud>;

  void computeStatistics();
  void updateCostOfK();
  void updateJoinForecast();
  void followHierarchy();
  void dropSweep();

  const SessionData& data_;
  const ClusterRun& run_;
  const EveryEps& every_;
  std::function<std::shared_ptr<const LoadResult>()> load_;
  SessionValues values_;
  JobQueue& jobs_;
  DerivedResult<ClusteringStatistics, std::shared_ptr<const ClusterResult>> statistics_{
      jobs_, JobKind::Statistics, [this] { Q_EMIT statisticsChanged(); }};
  /// Of a cloud, what colours it, the column, the dimension, ε and the LoadResult, which is only
  /// compared.
  DerivedResult<ColourValues, std::tuple<Cloud, ColourBy, QString, int, double, const void*>>
      colourValues_{jobs_, JobKind::ColourValues, [this] { Q_EMIT colourValuesChanged(); }};
  /// Of a cloud, ε, the number of indexed dimensions and whether they are reordered.
  DerivedResult<GridCells, std::tuple<Cloud, double, int, Toggle>> gridCells_{
      jobs_, JobKind::Grid, [this] { Q_EMIT gridCellsChanged(); }};
  DerivedResult<CostModel, std::tuple<Cloud, double, Strategy, std::shared_ptr<BackendSlot>>>
      costModel_{jobs_, JobKind::CostOfK, [this] { Q_EMIT costModelChanged(); }};
  DerivedResult<JoinForecast, std::tuple<Cloud, double, std::shared_ptr<BackendSlot>>>
      joinForecast_{jobs_, JobKind::JoinForecast, [this] { Q_EMIT joinForecastChanged(); },
                    // The run reports refusals of the backend.
                    [this](const Error&) { joinForecast_.drop(); }};
  /// Of a cloud, minPts and the metric.
  DerivedResult<KDistances, std::tuple<Cloud, std::int64_t, Metric>> kDistances_{
      jobs_, JobKind::KDistance, [this] { Q_EMIT kDistancesChanged(); }};
  std::vector<SweepPoint> sweep_;
  DerivedResult<ExactSweep, std::shared_ptr<const Hierarchy>> exactSweep_{
      jobs_, JobKind::Sweep, [this] { Q_EMIT sweepChanged(); }};
  bool sweepWanted_ = false;
  SettleTimer costTimer_{300, [this] {  // not urgent
                           updateCostOfK();
                           updateJoinForecast();
                         }};
  SettleTimer statisticsTimer_{120, [this] { computeStatistics(); }};
};

}  // namespace clusterloom
