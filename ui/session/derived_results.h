#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>
#include <optional>
#include <vector>

#include "engine/dbscan/join_forecast.h"
#include "engine/dbscan/statistics.h"
#include "engine/dbscan/sweep.h"
#include "engine/hierarchy/eps_curve.h"
#include "engine/hierarchy/k_distance.h"
#include "engine/join/cost_of_k.h"
#include "ui/session/grid_cells.h"
#include "ui/session/results.h"

namespace clusterloom {

class Session;

/// What colour values were computed for. They are computed again only when it changes.
struct ColourKey {
  const PointCloud* cloud = nullptr;
  ColourBy by = ColourBy::Cluster;
  QString attribute;
  int dimension = 0;
  double eps = 0;
  const void* load = nullptr;  ///< the LoadResult, of colours that show it
  friend bool operator==(const ColourKey&, const ColourKey&) = default;
};

/// What grid cells were computed for.
struct GridKey {
  const PointCloud* cloud = nullptr;
  double eps = 0;
  int indexedDims = 0;
  Toggle reorder = Toggle::Auto;
  friend bool operator==(const GridKey&, const GridKey&) = default;
};

/// The number of clusters at every ε.
struct ExactSweep {
  EpsCurve curve;
  std::vector<Plateau> plateaus;  ///< the longest, longest first
};

/// The part of the session that owns what is derived from cloud, parameters and result: statistics,
/// colour values, cells of the grid, cost of k, forecast of a join, k-distances and
/// the ε sweep. Each is a job of its own kind. What only a chart shows is computed only while the
/// chart is visible (set…Wanted).
class DerivedResults : public QObject {
  Q_OBJECT

 public:
  explicit DerivedResults(Session& session);

  /// Statistics of the result, in original units; null until they are ready.
  std::shared_ptr<const ClusteringStatistics> statistics() const { return statistics_; }
  std::shared_ptr<const ColourValues> colourValues() const { return colourValues_; }
  std::shared_ptr<const GridCells> gridCells() const { return gridCells_; }
  std::shared_ptr<const CostModel> costModel() const { return costModel_; }
  /// Of the cloud and ε when it was made; null until it is ready, and where the backend refuses.
  std::shared_ptr<const JoinForecast> joinForecast() const { return joinForecast_; }
  std::shared_ptr<const KDistances> kDistances() const { return kDistances_; }
  const std::vector<SweepPoint>& sweep() const { return sweep_; }
  /// In place of `sweep` once every ε is prepared; null until then.
  std::shared_ptr<const ExactSweep> exactSweep() const { return exactSweep_; }

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
  /// Connects to other parts, once all are made.
  void connectParts();
  void updateColourValues();
  void updateGrid();
  void startKDistance();
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
  void computeStatistics();
  void startCostOfK();
  void startJoinForecast();
  void dropKDistances();
  void startExactSweep();
  void followHierarchy();
  void dropSweep();

  Session& session_;
  std::shared_ptr<const ClusteringStatistics> statistics_;
  std::shared_ptr<const ColourValues> colourValues_;
  std::shared_ptr<const GridCells> gridCells_;
  std::shared_ptr<const CostModel> costModel_;
  std::shared_ptr<const JoinForecast> joinForecast_;
  std::shared_ptr<const KDistances> kDistances_;
  std::vector<SweepPoint> sweep_;
  std::shared_ptr<const ExactSweep> exactSweep_;

  std::optional<ColourKey> coloursFor_;
  std::optional<GridKey> gridFor_;
  bool kDistanceWanted_ = true;
  bool sweepWanted_ = false;
  bool costOfKWanted_ = true;
  bool joinForecastWanted_ = false;
  QTimer costTimer_;
  QTimer statisticsTimer_;
};

}  // namespace clusterloom
