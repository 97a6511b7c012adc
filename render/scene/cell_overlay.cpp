#include "render/scene/cell_overlay.h"

#include <vtkActor.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderer.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>

#include "engine/core/number_text.h"
#include "render/paint/translated_text.h"

namespace clusterloom {
namespace {

/// The plane of flat cells: behind the points, which lie at 0.
constexpr double kBehind = -1;
/// The plane of their edges that are drawn over the points.
constexpr double kBefore = 1.9;
/// Opacity of edges over the points, the side in pixels below which they are not drawn, and how
/// many pixels more it takes until they have that opacity.
constexpr double kOverPoints = 0.45;
constexpr double kHiddenCell = 10;
constexpr double kFading = 24;
/// Half the height of cells of one-dimensional clouds: a little more than the strip of points.
constexpr double kOverlayStrip = 0.08;

void setUp(vtkActor* actor, vtkPolyData* data, double opacity, vtkRenderer* renderer) {
  vtkNew<vtkPolyDataMapper> mapper;
  mapper->SetInputData(data);
  mapper->SetScalarModeToUsePointData();
  mapper->SetColorModeToDirectScalars();
  actor->SetMapper(mapper);
  actor->GetProperty()->LightingOff();
  actor->GetProperty()->SetOpacity(opacity);
  actor->VisibilityOff();
  renderer->AddActor(actor);
}

ScalarScale scaleOf(const std::vector<std::uint64_t>& weights) {
  ScalarScale scale;
  const auto [low, high] = std::minmax_element(weights.begin(), weights.end());
  scale.low = double(std::max<std::uint64_t>(*low, 1));
  scale.high = double(std::max<std::uint64_t>(*high, 1));
  scale.logarithmic = true;
  scale.fromGround = true;
  return scale;
}

}  // namespace

std::array<std::array<double, 3>, 8> cornersOf(const CellBoxes& cells, std::size_t cell,
                                               const DisplaySpace& space) {
  std::array<std::array<double, 3>, 8> corners{};
  for (std::size_t c = 0; c < 8; ++c) {
    for (std::size_t a = 0; a < 3; ++a) {
      const bool high = (c >> a & 1U) != 0;
      if (int(a) < cells.axes)
        corners[c][a] = space.toDisplay(int(a), high ? cells.high[a][cell] : cells.low[a][cell]);
      else
        corners[c][a] = a == 1 ? (high ? kOverlayStrip : -kOverlayStrip) : kBehind;
    }
  }
  return corners;
}

CellOverlay::CellOverlay(vtkRenderer* under, vtkRenderer* over) {
  setUp(faceActor_, faces_, 0.32, under);
  setUp(edgeActor_, edges_, 0.55, under);
  setUp(overActor_, edges_, kOverPoints, over);
  overActor_->SetPosition(0, 0, kBefore - kBehind);
}

CellOverlay::~CellOverlay() = default;

void CellOverlay::setLineWidth(double pixels) {
  edgeActor_->GetProperty()->SetLineWidth(float(pixels));
  overActor_->GetProperty()->SetLineWidth(float(pixels));
}

void CellOverlay::setPixelsPerUnit(double pixels) {
  const double opacity =
      kOverPoints * std::clamp((side_ * pixels - kHiddenCell) / kFading, 0.0, 1.0);
  overActor_->SetVisibility(opacity > 0);
  overActor_->GetProperty()->SetOpacity(opacity);
}

std::string CellOverlay::show(const CellBoxes* cells, const DisplaySpace& space, CellColour by,
                              std::size_t most, const Theme& theme) {
  scale_.reset();
  side_ = 0;
  faceActor_->VisibilityOff();
  edgeActor_->VisibilityOff();
  overActor_->VisibilityOff();
  faces_->Initialize();
  edges_->Initialize();
  if (cells == nullptr || cells->size() == 0) return {};
  if (cells->axes != space.axes)
    return filled(
        translate("Scene",
                  "the grid's cells have %1 axes and the view has %2: the cells are not drawn"),
        {std::to_string(cells->axes), std::to_string(space.axes)});

  const std::vector<std::uint64_t>& weights =
      by == CellColour::Count ? cells->count : cells->workload;
  scale_ = scaleOf(weights);
  const std::vector<std::size_t> chosen = heaviestCells(*cells, by, most);
  const bool flat = cells->axes < 3;

  vtkNew<vtkPoints> points;
  vtkNew<vtkUnsignedCharArray> colours;
  colours->SetNumberOfComponents(3);
  vtkNew<vtkCellArray> quads;
  vtkNew<vtkCellArray> lines;
  for (const std::size_t cell : chosen) {
    const Colour colour = colourOn(*scale_, positionOn(*scale_, double(weights[cell])), theme);
    const vtkIdType first = points->GetNumberOfPoints();
    const auto corners = cornersOf(*cells, cell, space);
    for (std::size_t c = 0; c < (flat ? 4U : 8U); ++c) {
      points->InsertNextPoint(corners[c].data());
      const unsigned char rgb[3] = {colour.r, colour.g, colour.b};
      colours->InsertNextTypedTuple(rgb);
    }
    if (flat) {
      const vtkIdType quad[4] = {first, first + 1, first + 3, first + 2};
      quads->InsertNextCell(4, quad);
    }
    for (int c = 0; c < (flat ? 4 : 8); ++c) {
      for (int a = 0; a < (flat ? 2 : 3); ++a) {
        if ((c >> a & 1) != 0) continue;
        const vtkIdType line[2] = {first + c, first + (c | 1 << a)};
        lines->InsertNextCell(2, line);
      }
    }
  }
  faces_->SetPoints(points);
  faces_->SetPolys(quads);
  faces_->GetPointData()->SetScalars(colours);
  edges_->SetPoints(points);
  edges_->SetLines(lines);
  edges_->GetPointData()->SetScalars(colours);
  faceActor_->SetVisibility(flat);
  edgeActor_->VisibilityOn();
  if (flat) {
    const auto corners = cornersOf(*cells, chosen.front(), space);
    side_ = std::max(corners[3][0] - corners[0][0], corners[3][1] - corners[0][1]);
  }
  if (chosen.size() == cells->size()) return {};
  return filled(translate("Scene", "the %1 heaviest of %2 cells are drawn"),
                {groupedText(chosen.size()), groupedText(cells->size())});
}

}  // namespace clusterloom
