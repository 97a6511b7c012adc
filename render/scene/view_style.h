#pragma once

#include <vtkInteractorStyleTrackballCamera.h>

#include <array>
#include <optional>

class vtkCamera;

namespace clusterloom {

/// Turns a camera as a turntable does, by degrees to the right about the z axis and up to at most
/// straight down or straight up: z stays upright in the picture. The place turned about stays where
/// it is in the picture; nullopt: the camera's focal point.
void turnCamera(vtkCamera* camera, double right, double up,
                const std::optional<std::array<double, 3>>& centre);

/// Pointer control of a 3-D view: drag turns, Ctrl or middle pans, right or wheel zooms (Shift is
/// left to the host). VTK's trackball without its letter keys, which quit the program or draw wire
/// frames.
class TurnStyle : public vtkInteractorStyleTrackballCamera {
 public:
  static TurnStyle* New();
  vtkTypeMacro(TurnStyle, vtkInteractorStyleTrackballCamera);
  void OnChar() override {}
  void OnLeftButtonDown() override;
  void Rotate() override;
  /// What drags turn about; nullopt: the camera's focal point.
  std::optional<std::array<double, 3>> centre;

 protected:
  TurnStyle() = default;
  ~TurnStyle() override = default;
};

/// Pointer control of a flat view: drag pans, right drag zooms, the wheel zooms about the pointer.
class FlatStyle : public TurnStyle {
 public:
  static FlatStyle* New();
  vtkTypeMacro(FlatStyle, TurnStyle);
  void OnLeftButtonDown() override;
  void OnMouseWheelForward() override;
  void OnMouseWheelBackward() override;

 protected:
  FlatStyle() = default;
  ~FlatStyle() override = default;

 private:
  void zoomAboutPointer(double factor);
};

}  // namespace clusterloom
