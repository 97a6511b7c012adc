#pragma once

#include <vtkInteractorStyleTrackballCamera.h>

namespace clusterloom {

/// Pointer control of a 3-D view: drag turns, Ctrl or middle pans, right or wheel zooms (Shift is
/// left to the host). VTK's trackball without its letter keys, which quit the program or draw wire
/// frames.
class TurnStyle : public vtkInteractorStyleTrackballCamera {
 public:
  static TurnStyle* New();
  vtkTypeMacro(TurnStyle, vtkInteractorStyleTrackballCamera);
  void OnChar() override {}
  void OnLeftButtonDown() override;

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
