#pragma once

#include "app/paraview/filters/vtkClusterloomFilter.h"

/// Exact DBSCAN. Adds the arrays "label" (int: 0, 1, …; −1 for noise, −2 for a point that was left
/// out) and "role" (unsigned char: 0 noise, 1 border, 2 core).
class CLUSTERLOOMFILTERS_EXPORT vtkClusterloomDBSCAN : public vtkClusterloomFilter {
 public:
  static vtkClusterloomDBSCAN* New();
  vtkTypeMacro(vtkClusterloomDBSCAN, vtkClusterloomFilter);

  /// ε, in the units of the coordinates; 0: the knee of the k-distances for minPts, which the
  /// field data of the output tell.
  vtkSetMacro(Epsilon, double);
  vtkGetMacro(Epsilon, double);
  /// The neighbours within ε, the point itself included, that make a point core.
  vtkSetMacro(MinPts, int);
  vtkGetMacro(MinPts, int);

  enum { EUCLIDEAN = 0, COSINE = 1 };
  /// How distances are measured.
  vtkSetMacro(Metric, int);
  vtkGetMacro(Metric, int);
  /// The periods of a periodic box, one for each dimension, as "10,10,-"; empty for none.
  void SetPeriods(const char* periods);
  /// Array with a weight for each point; empty or "None" for none.
  void SetWeightArray(const char* name);

 protected:
  vtkClusterloomDBSCAN() = default;
  clusterloom::Result<clusterloom::paraview::FoundClusters> Cluster(
      const clusterloom::paraview::InputPoints& points,
      const clusterloom::Task& task) const override;

  double Epsilon = 0;
  int MinPts = 5;
  int Metric = EUCLIDEAN;
  std::string Periods;
};
