#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "render/scene/display_space.h"
#include "render/scene/picking.h"

class vtkCamera;

namespace clusterloom {

enum class ViewPreset;

/// The window that a camera fits a box into.
struct FitArea {
  int width = 0;  ///< device pixels
  int height = 0;
  double left = 0;  ///< pixels at each side that are not for the box
  double bottom = 0;
  double right = 0;
  double top = 0;
  double margin = 1;  ///< fraction of what remains that the box takes
};

/// Shows a box flat, through a parallel projection along z.
void fitFlat(vtkCamera& camera, const DisplayBox& box, const FitArea& area);

/// Shows a box in perspective, in the direction in which the camera looks already.
void fitPerspective(vtkCamera& camera, const DisplayBox& box, const FitArea& area);

/// The same through a parallel projection.
void fitParallel(vtkCamera& camera, const DisplayBox& box, const FitArea& area);

/// Changes the projection of a 3-D view. What lies in the plane of the focal point keeps its size.
void setParallel(vtkCamera& camera, bool parallel);

/// Looks at the focal point from `direction`, at the same distance.
void lookFrom(vtkCamera& camera, const std::array<double, 3>& direction,
              const std::array<double, 3>& up);
void lookFrom(vtkCamera& camera, ViewPreset preset);

/// Moves a flat camera by fractions of the height of the view.
void panFlat(vtkCamera& camera, double right, double up);

/// Near and far plane for a cloud with this box. In 3-D, a camera with parallel projection that is
/// not in front of all of it goes back, which does not change its picture.
void setClipping(vtkCamera& camera, const DisplayBox& cloud, bool flat);

/// Position, focal point, view up and parallel scale.
inline constexpr std::size_t kCameraNumbers = 10;
std::vector<double> cameraNumbers(vtkCamera& camera);
/// Restores the first kCameraNumbers of `numbers`.
void setCameraNumbers(vtkCamera& camera, const std::vector<double>& numbers, bool parallel);

/// The transform of a camera in a window of this size.
ViewTransform transformOf(vtkCamera& camera, int width, int height, bool flat);

/// The space whose axes a perspective view shows: `space`, or, where the camera looks at a small
/// part of the cloud, the part of it around the focal point. The axes of the whole cloud would be
/// outside the picture.
DisplaySpace axesSpaceOf(vtkCamera& camera, const DisplaySpace& space, const DisplayBox& cloud);

}  // namespace clusterloom
