#pragma once

#include "app/paraview/filters/vtkClusterloomFilter.h"

/// HDBSCAN*, exactly. Adds the arrays "label" (int: 0, 1, …; −1 for noise, −2 for a point that was
/// left out), "probability" (double: how long the point stays in its cluster, 0 for noise) and
/// "outlier_score" (double, of GLOSH).
class CLUSTERLOOMFILTERS_EXPORT vtkClusterloomHDBSCAN : public vtkClusterloomFilter {
 public:
  static vtkClusterloomHDBSCAN* New();
  vtkTypeMacro(vtkClusterloomHDBSCAN, vtkClusterloomFilter);

  /// The fewest points of a cluster.
  vtkSetMacro(MinClusterSize, int);
  vtkGetMacro(MinClusterSize, int);
  /// minPts of the core distances, the point itself included, at most 1,024; 0: MinClusterSize, at
  /// most 64.
  vtkSetMacro(MinSamples, int);
  vtkGetMacro(MinSamples, int);

  enum { EXCESS_OF_MASS = 0, LEAVES = 1 };
  /// Which clusters of the tree are taken.
  vtkSetMacro(Selection, int);
  vtkGetMacro(Selection, int);
  /// All points may be one cluster.
  vtkSetMacro(AllowSingleCluster, bool);
  vtkGetMacro(AllowSingleCluster, bool);
  /// Clusters that appear below this ε are not told apart; 0 for none.
  vtkSetMacro(SelectionEpsilon, double);
  vtkGetMacro(SelectionEpsilon, double);
  /// The most points of a cluster at its birth, for EXCESS_OF_MASS; 0: no limit.
  vtkSetMacro(MaxClusterSize, int);
  vtkGetMacro(MaxClusterSize, int);

 protected:
  vtkClusterloomHDBSCAN() = default;
  clusterloom::Result<clusterloom::paraview::FoundClusters> Cluster(
      const clusterloom::paraview::InputPoints& points,
      const clusterloom::Task& task) const override;

  int MinClusterSize = 5;
  int MinSamples = 0;
  int Selection = EXCESS_OF_MASS;
  bool AllowSingleCluster = false;
  double SelectionEpsilon = 0;
  int MaxClusterSize = 0;
};
