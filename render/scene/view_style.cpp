#include "render/scene/view_style.h"

#include <vtkCallbackCommand.h>
#include <vtkCamera.h>
#include <vtkMath.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkRenderWindow.h>
#include <vtkRenderWindowInteractor.h>
#include <vtkRenderer.h>
#include <vtkTransform.h>

#include <algorithm>
#include <cmath>

namespace clusterloom {

void turnCamera(vtkCamera* camera, double right, double up,
                const std::optional<std::array<double, 3>>& centre) {
  std::array<double, 3> about{};
  if (centre)
    about = *centre;
  else
    camera->GetFocalPoint(about.data());
  constexpr double kVertical[3] = {0, 0, 1};
  double forward[3];
  camera->GetDirectionOfProjection(forward);
  double across[3];
  vtkMath::Cross(forward, kVertical, across);
  // Looking along the vertical, any direction may be up: the camera's own stays.
  constexpr double kAlong = 1e-6;
  if (vtkMath::Norm(across) < kAlong) vtkMath::Cross(forward, camera->GetViewUp(), across);
  vtkMath::Normalize(across);
  double level[3];
  vtkMath::Cross(across, forward, level);
  camera->SetViewUp(level);
  const double height = vtkMath::DegreesFromRadians(std::asin(std::clamp(-forward[2], -1.0, 1.0)));
  up = std::clamp(height + up, -90.0, 90.0) - height;
  vtkNew<vtkTransform> turn;
  turn->Translate(about.data());
  turn->RotateWXYZ(right, kVertical);
  turn->RotateWXYZ(-up, across);
  turn->Translate(-about[0], -about[1], -about[2]);
  camera->ApplyTransform(turn);
  camera->OrthogonalizeViewUp();
}

vtkStandardNewMacro(TurnStyle);
vtkStandardNewMacro(FlatStyle);

void TurnStyle::OnLeftButtonDown() {
  if (this->Interactor->GetControlKey() == 0)
    vtkInteractorStyleTrackballCamera::OnLeftButtonDown();
  else
    vtkInteractorStyleTrackballCamera::OnMiddleButtonDown();
}

void TurnStyle::Rotate() {
  if (this->CurrentRenderer == nullptr) return;
  const int* now = this->Interactor->GetEventPosition();
  const int* before = this->Interactor->GetLastEventPosition();
  const int* size = this->CurrentRenderer->GetRenderWindow()->GetSize();
  // Degrees for a drag across the whole window, as VTK's trackball has it.
  const double most = 20 * this->MotionFactor;
  turnCamera(this->CurrentRenderer->GetActiveCamera(), -most * (now[0] - before[0]) / size[0],
             -most * (now[1] - before[1]) / size[1], centre);
  this->Interactor->Render();
}

void FlatStyle::OnLeftButtonDown() {
  const int* at = this->Interactor->GetEventPosition();
  this->FindPokedRenderer(at[0], at[1]);
  if (this->CurrentRenderer == nullptr) return;
  this->GrabFocus(this->EventCallbackCommand);
  this->StartPan();
}

void FlatStyle::OnMouseWheelForward() { zoomAboutPointer(1.2); }
void FlatStyle::OnMouseWheelBackward() { zoomAboutPointer(1 / 1.2); }

void FlatStyle::zoomAboutPointer(double factor) {
  const int* at = this->Interactor->GetEventPosition();
  this->FindPokedRenderer(at[0], at[1]);
  if (this->CurrentRenderer == nullptr) return;
  vtkCamera* camera = this->CurrentRenderer->GetActiveCamera();
  const int* size = this->CurrentRenderer->GetSize();
  // The place under the pointer stays there: the middle moves towards it by the gain of the zoom.
  const double perPixel = 2 * camera->GetParallelScale() / size[1];
  const double gain = perPixel * (1 - 1 / factor);
  const double dx = gain * (at[0] - size[0] / 2.0);
  const double dy = gain * (at[1] - size[1] / 2.0);
  double focal[3];
  double position[3];
  camera->GetFocalPoint(focal);
  camera->GetPosition(position);
  camera->SetFocalPoint(focal[0] + dx, focal[1] + dy, focal[2]);
  camera->SetPosition(position[0] + dx, position[1] + dy, position[2]);
  camera->SetParallelScale(camera->GetParallelScale() / factor);
  this->Interactor->Render();
}

}  // namespace clusterloom
