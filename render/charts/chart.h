#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/dbscan/k_distance.h"
#include "engine/dbscan/sweep.h"
#include "engine/join/cost_of_k.h"
#include "render/paint/theme.h"

class vtkInteractorObserver;
class vtkRenderWindow;
class vtkRenderer;

namespace clusterloom {

/// Called with a value while it is dragged (done = false) and at release (done = true).
using DragFn = std::function<void(double value, bool done)>;

/// Keys of a chart.
enum class ChartKey { Left, Right, ZoomIn, ZoomOut, All, None };

/// Shared by all charts: a place in a window, a theme, a pixel ratio and a text for when they are
/// empty. Setters draw nothing: the host renders after its own calls. Pointer events make the
/// interactor render.
class Chart {
 public:
  virtual ~Chart();
  Chart(const Chart&) = delete;
  Chart& operator=(const Chart&) = delete;

  /// Adds the chart to a window; detach before the window dies.
  void attach(vtkRenderWindow* window);
  void detach();
  vtkRenderer* renderer() const;
  /// The style that sends mouse events to the chart; give it to the interactor.
  vtkInteractorObserver* interactorStyle() const;

  void setBackground(Background background);
  /// Device pixels per logical pixel: scales fonts and lines.
  void setPixelRatio(double ratio);
  /// Shown in the middle while there is nothing to plot.
  void setEmptyText(const std::string& text);
  /// Takes a key; true when the chart uses it and wants to be drawn again.
  bool pressKey(ChartKey key);

  struct Impl;  ///< defined in chart_parts.h, for the charts themselves

 protected:
  Chart();
  std::unique_ptr<Impl> impl_;
};

/// k-distances in falling order against the share of the points, with a line at ε that can be
/// dragged (press anywhere in the plot), and the suggested ε marked. Points left of where the cut
/// meets the curve would not be core.
class KDistanceChart final : public Chart {
 public:
  KDistanceChart();
  ~KDistanceChart() override;
  /// nullptr empties the chart.
  void setData(std::shared_ptr<const KDistances> data);
  /// Moves the cut; does not call onDrag.
  void setEps(double eps);
  double eps() const;
  void setLogarithmic(bool logarithmic);
  void setOnDrag(DragFn onDrag);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Clusters (left axis), noise and the largest cluster (right axis, % of points) against ε
/// (logarithmic), the current ε marked; press or drag in the plot to choose another of the steps.
class SweepChart final : public Chart {
 public:
  SweepChart();
  ~SweepChart() override;
  /// Steps so far (any order) of a cloud of `points` points; empty empties the chart.
  void setData(std::vector<SweepPoint> steps, std::uint64_t points);
  /// Moves the mark; does not call onDrag.
  void setEps(double eps);
  double eps() const;
  void setOnDrag(DragFn onDrag);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Time of the runs that indexed k dimensions.
struct MeasuredK {
  int k = 1;
  double seconds = 0;  ///< of the fastest of them
};

/// Predicted cost of indexing k dimensions: stacked bars of cell searches and distances (linear,
/// because logarithmic axes misrepresent stacks), the k in use marked; and, on an axis of its own,
/// the time of the runs [Gowanlock 2019, figure 7].
class CostChart final : public Chart {
 public:
  CostChart();
  ~CostChart() override;
  /// nullopt empties the chart. `chosen` is the k in use.
  void setData(const std::optional<CostModel>& model, int chosen);
  /// Times of runs with these very points and ε; a k of which there are none is left out.
  void setMeasured(std::vector<MeasuredK> measured);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace clusterloom
