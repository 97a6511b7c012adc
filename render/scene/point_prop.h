#pragma once

#include <vtkNew.h>
#include <vtkOpenGLBufferObject.h>
#include <vtkOpenGLVertexArrayObject.h>
#include <vtkProp.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "render/gl/frame_keeper.h"
#include "render/paint/theme.h"
#include "render/scene/display_space.h"

class vtkOpenGLRenderWindow;
class vtkRenderer;
class vtkShaderProgram;

namespace clusterloom {

/// How a point is marked: the cloud's own as dots, points added to it as diamonds with an outline.
enum class PointShape { Dot, Diamond };

/// The appearance of points.
struct PointLook {
  PointShape shape = PointShape::Dot;
  float size = 3;      ///< diameter in device pixels; of a diamond its diagonal
  float opacity = 1;   ///< of every point, in (0, 1]
  float blended = 1;   ///< factor of the opacity; noise, which lies apart, takes its root
  float noise = 1;     ///< how strongly points of DrawLayer::Noise are drawn, in [0, 1]
  bool flat = true;    ///< 2-D camera: layers decide what covers what
  Colour ground;       ///< what far points fade into
  Colour outline;      ///< of diamonds
  float fade = 0;      ///< fraction of their colour that the farthest points lose
  float nearest = 0;   ///< distance from the viewer at which fading starts
  float farthest = 1;  ///< and where it ends
  float relief = 0;    ///< strength of the shading by depth (render/gl/depth_shading.h); 0: none
  float pixel = 1;     ///< device pixels per logical pixel
};

/// Draws points slice by slice: 16 bytes a point on the device (position, colour, layer), each
/// slice uploaded when it is first drawn, so that no frame takes long. The slices drawn so far are
/// kept as a picture and the next ones are drawn over it. A prop of its own because VTK's point
/// mappers upload everything at once, again whenever an actor is shown or hidden.
class PointProp : public vtkProp {
 public:
  static PointProp* New();
  vtkTypeMacro(PointProp, vtkProp);

  /// Points of one slice: 9 to 14 ms of processor time under llvmpipe, spread over its threads.
  static constexpr std::size_t kSlice = 25000;

  void setPoints(std::shared_ptr<const DisplayPoints> points);
  const std::shared_ptr<const DisplayPoints>& points() const { return points_; }
  /// 4 bytes per point, as from colourPoints.
  void setColours(std::vector<std::uint8_t> colours);
  const std::vector<std::uint8_t>& colours() const { return colours_; }
  void setLook(const PointLook& look) { look_ = look; }

  std::size_t slices() const { return slices_.size(); }
  std::size_t drawnSlices() const { return drawn_; }
  /// Slices that the last frame added, and the milliseconds until the device had drawn them.
  struct Drawn {
    std::size_t slices = 0;
    double ms = 0;
  };
  Drawn lastDrawn() const { return lastDrawn_; }
  /// Which slices the coming frames add: the next one restarts, or continues from the kept
  /// picture (check `holds` first), and stops before `untilSlice`.
  void planFrame(bool restart, std::size_t untilSlice);
  /// Whether a picture is kept that a frame of this size could continue from.
  bool holds(int width, int height) const { return keeper_.holds(width, height); }

  double* GetBounds() override;
  int RenderOpaqueGeometry(vtkViewport* viewport) override;
  vtkTypeBool HasTranslucentPolygonalGeometry() override { return 0; }
  void ReleaseGraphicsResources(vtkWindow* window) override;

 protected:
  PointProp() = default;
  ~PointProp() override = default;

 private:
  struct Slice {
    vtkNew<vtkOpenGLBufferObject> positions;
    vtkNew<vtkOpenGLBufferObject> colours;
    vtkNew<vtkOpenGLVertexArrayObject> attributes;
    vtkShaderProgram* program = nullptr;  ///< the one `attributes` was made for
    bool uploaded = false;
    bool coloured = false;
  };
  void drawSlice(std::size_t index, vtkShaderProgram* program);
  void drawSlices(vtkRenderer& renderer, vtkOpenGLRenderWindow& window);
  void shade(vtkRenderer& renderer, vtkOpenGLRenderWindow& window);

  std::shared_ptr<const DisplayPoints> points_;
  std::vector<std::uint8_t> colours_;
  std::vector<std::unique_ptr<Slice>> slices_;
  std::vector<std::unique_ptr<Slice>> retired_;  ///< to be freed when the context is current
  PointLook look_;
  FrameKeeper keeper_;
  bool restart_ = true;
  std::size_t until_ = 0;
  std::size_t drawn_ = 0;
  Drawn lastDrawn_;
  double bounds_[6] = {-0.5, 0.5, -0.5, 0.5, -0.5, 0.5};
};

}  // namespace clusterloom
