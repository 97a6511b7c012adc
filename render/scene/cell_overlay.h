#pragma once

#include <vtkNew.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "render/paint/colour_map.h"
#include "render/scene/axes_layout.h"
#include "render/scene/cell_boxes.h"
#include "render/scene/display_space.h"

class vtkActor;
class vtkPolyData;
class vtkRenderer;

namespace clusterloom {

/// Cells of the grid: translucent quads with edges under the points in flat scenes, wire boxes
/// among them in 3-D, in greys by count or workload on a logarithmic scale, which no cluster has.
/// In flat scenes the edges are drawn faintly over the points, too, so that opaque points do not
/// hide them.
class CellOverlay {
 public:
  CellOverlay(vtkRenderer* under, vtkRenderer* over);
  ~CellOverlay();
  CellOverlay(const CellOverlay&) = delete;
  CellOverlay& operator=(const CellOverlay&) = delete;

  /// Draws at most `most` cells, the heaviest; null draws none. The message says what is left out.
  std::string show(const CellBoxes* cells, const DisplaySpace& space, CellColour by,
                   std::size_t most, const Theme& theme);
  void setLineWidth(double pixels);
  /// How large a unit of the display is in the picture: edges over the points fade where cells are
  /// small, because they would hide the points.
  void setPixelsPerUnit(double pixels);
  std::optional<ScalarScale> scale() const { return scale_; }

 private:
  vtkNew<vtkPolyData> faces_;
  vtkNew<vtkPolyData> edges_;
  vtkNew<vtkActor> faceActor_;
  vtkNew<vtkActor> edgeActor_;
  vtkNew<vtkActor> overActor_;  ///< edges over the points
  std::optional<ScalarScale> scale_;
  double side_ = 0;  ///< of a cell in units of the display, flat scenes only
};

/// The eight corners of a cell in display coordinates (bit a of the index: high side on axis a).
/// In flat scenes all lie in one plane behind the points.
std::array<std::array<double, 3>, 8> cornersOf(const CellBoxes& cells, std::size_t cell,
                                               const DisplaySpace& space);

}  // namespace clusterloom
