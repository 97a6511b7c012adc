#pragma once

#include <vtkContextItem.h>

#include <functional>

#include "render/paint/painter.h"

class vtkRenderer;

namespace clusterloom {

/// Lets a function paint over (or, in a lower renderer, under) a scene.
class PaintedItem : public vtkContextItem {
 public:
  static PaintedItem* New();
  vtkTypeMacro(PaintedItem, vtkContextItem);

  std::function<void(Painter&)> paint;
  double ratio = 1;

  bool Paint(vtkContext2D* context) override;

  /// Puts the item over everything else that `renderer` draws.
  void addTo(vtkRenderer* renderer);

 protected:
  PaintedItem() = default;
  ~PaintedItem() override = default;
};

}  // namespace clusterloom
