#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "render/charts/data_table.h"
#include "render/paint/theme.h"

class vtkInteractorObserver;
class vtkRenderWindow;
class vtkRenderer;

namespace clusterloom {

class Painter;

/// Called with a value while it is dragged (done = false) and at release (done = true).
using DragFn = std::function<void(double value, bool done)>;

/// Keys of a chart. Take: what the keys have chosen is to be used.
enum class ChartKey { Left, Right, Up, Down, ZoomIn, ZoomOut, All, Take, None };
/// Makes sentences; any thread may call it.
using MakeWords = std::function<std::vector<std::string>()>;

/// Shared by all charts: a place in a window, a theme, a pixel ratio and a text for when they are
/// empty. Setters draw nothing: the host renders after its own calls. Pointer events make the
/// interactor render.
class Chart {
 public:
  virtual ~Chart();
  Chart(const Chart&) = delete;
  Chart& operator=(const Chart&) = delete;

  /// Adds the chart to a window; detach before the window is destroyed.
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

  /// True when there is nothing to plot.
  bool isEmpty() const;
  /// True for charts whose horizontal axis can be zoomed.
  bool canZoom() const;
  /// True when only a part of the horizontal axis is visible; ChartKey::All shows all of it.
  bool isZoomed() const;
  /// Paints the chart as it is, without what follows the pointer, into a rectangle of
  /// width × height logical pixels at the painter's origin.
  void paintInto(Painter& painter, int width, int height, Background background);
  /// The same as an SVG document.
  std::string toSvg(int width, int height, Background background, const std::string& title);
  /// What the chart says in words as it was drawn last: titles, keys and tags, without the numbers
  /// along the axes, or the text of the empty chart. Nothing before the first frame.
  std::vector<std::string> words();
  /// What the keys have chosen, in words; empty for nothing, and for charts without such a choice.
  std::string chosenWords() const;
  /// Grows whenever other data are set.
  std::uint64_t revision() const;
  /// The plotted numbers; a table without rows when the chart is empty.
  virtual MakeTable table() const = 0;
  /// The number of rows of table(), for charts with a row per point, warp or cluster: what is known
  /// before a long table is made. 0 for the other charts, whose tables are short.
  virtual std::uint64_t longTableRows() const { return 0; }
  /// What a person should know of the plotted numbers, for charts of which the range of each column
  /// of the table says little; null for the others.
  virtual MakeWords valueWords() const { return nullptr; }

  struct Impl;  ///< defined in chart_parts.h, for the charts themselves

 protected:
  Chart();
  std::unique_ptr<Impl> impl_;
};

/// A chart with a mark of ε, which can be dragged (dragged_eps.h).
class EpsChart : public Chart {
 public:
  /// Moves the mark; does not call onDrag. 0: none on a logarithmic axis.
  void setEps(double eps);
  double eps() const;
  void setOnDrag(DragFn onDrag);
};

}  // namespace clusterloom
