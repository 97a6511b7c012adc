#include "render/scene/view_style.h"

#include <vtkCallbackCommand.h>
#include <vtkCamera.h>
#include <vtkObjectFactory.h>
#include <vtkRenderWindowInteractor.h>
#include <vtkRenderer.h>

namespace clusterloom {

vtkStandardNewMacro(TurnStyle);
vtkStandardNewMacro(FlatStyle);

void TurnStyle::OnLeftButtonDown() {
  if (this->Interactor->GetControlKey() == 0)
    vtkInteractorStyleTrackballCamera::OnLeftButtonDown();
  else
    vtkInteractorStyleTrackballCamera::OnMiddleButtonDown();
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
