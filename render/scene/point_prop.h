#pragma once

#include <vtkNew.h>
#include <vtkOpenGLBufferObject.h>
#include <vtkOpenGLVertexArrayObject.h>
#include <vtkProp.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "render/gl/frame_keeper.h"
#include "render/paint/theme.h"
#include "render/scene/display_space.h"
#include "render/scene/drawn_colours.h"
#include "render/scene/stored_reader.h"

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

/// Draws points block by block (PointBlock): 16 bytes a point on the device (position, colour,
/// layer), each block uploaded when it is first drawn, so that no frame takes long. The blocks
/// drawn so far are kept as a picture and the next ones are drawn over it. A prop of its own
/// because VTK's point mappers upload everything at once, again whenever an actor is shown or
/// hidden.
class PointProp : public vtkProp {
 public:
  static PointProp* New();
  vtkTypeMacro(PointProp, vtkProp);

  /// Points that stay on the device, at most; what is drawn beyond is uploaded each time.
  static constexpr std::size_t kMostKept = 40'000'000;

  void setPoints(std::shared_ptr<const DisplayPoints> points);
  /// Points of a file instead, whose blocks are read when they are drawn; null: none.
  void setStored(std::shared_ptr<const StoredPoints> stored, StoredColourer colourer);
  const std::shared_ptr<const DisplayPoints>& points() const { return points_; }
  /// Why a block of the file could not be read, which is drawn as nothing.
  std::optional<Error> storedError() const { return reader_ ? reader_->error() : std::nullopt; }
  /// Of these points; not null. Those of a block are made when it is first drawn.
  void setColours(std::shared_ptr<const DrawnColours> colours);
  const DrawnColours& colours() const { return *colours_; }
  void setLook(const PointLook& look) { look_ = look; }
  /// Whether its picture is kept in any case, because others are drawn over it in further frames.
  void setKept(bool kept) { kept_ = kept; }

  /// The blocks of the picture (visibleBlocks), for the frames from the next restart on.
  void setVisible(std::vector<std::uint32_t> blocks);
  /// Blocks and points of the picture, and how many of them are drawn.
  std::size_t blocks() const { return visible_.size(); }
  std::size_t visiblePoints() const { return visiblePoints_; }
  std::size_t drawnPoints() const { return drawnPoints_; }
  bool isComplete() const {
    if (!points_ || points_->blocks.empty()) return true;
    return !visible_.empty() && drawn_ >= visible_.size();
  }
  /// Points that the last frame added, and the milliseconds until the device had drawn them.
  struct Drawn {
    std::size_t points = 0;
    double ms = 0;
  };
  Drawn lastDrawn() const { return lastDrawn_; }
  /// What the next frame adds: it restarts, or continues from the kept picture (check `holds`
  /// first), and draws blocks until they have this many points.
  void planFrame(bool restart, std::size_t points);
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
  struct Buffers {
    vtkNew<vtkOpenGLBufferObject> positions;
    vtkNew<vtkOpenGLBufferObject> colours;
    vtkNew<vtkOpenGLVertexArrayObject> attributes;
    vtkShaderProgram* program = nullptr;  ///< the one `attributes` was made for
    bool coloured = false;
    std::uint32_t count = 0;  ///< of points; 0 where they could not be read
    void release();
  };
  /// False where it waits for the disk.
  bool drawBlock(std::uint32_t index, vtkShaderProgram* program);
  void upload(std::uint32_t index);
  bool uploadStored(std::uint32_t index);
  /// Those that the next frame adds.
  std::span<const std::uint32_t> nextBlocks() const;
  void drawBlocks(vtkRenderer& renderer, vtkOpenGLRenderWindow& window);
  void forget(std::uint32_t block);
  void forgetUnseen();
  void shade(vtkRenderer& renderer, vtkOpenGLRenderWindow& window);

  std::shared_ptr<const DisplayPoints> points_;
  std::unique_ptr<StoredReader> reader_;  ///< of stored points
  std::chrono::steady_clock::time_point readUntil_;
  double waitedMs_ = 0;
  std::shared_ptr<const DrawnColours> colours_ = std::make_shared<const DrawnColours>();
  std::vector<std::unique_ptr<Buffers>> buffers_;  ///< by block; null: not on the device
  std::vector<std::unique_ptr<Buffers>> retired_;  ///< to be freed when the context is current
  std::size_t keptPoints_ = 0;                     ///< of the blocks on the device
  std::vector<std::uint32_t> visible_;             ///< blocks in the order in which they are drawn
  std::size_t visiblePoints_ = 0;
  PointLook look_;
  FrameKeeper keeper_;
  bool kept_ = false;
  bool restart_ = true;
  std::size_t toAdd_ = 0;  ///< points
  std::size_t drawn_ = 0;  ///< of `visible_`
  std::size_t drawnPoints_ = 0;
  Drawn lastDrawn_;
  double bounds_[6] = {-0.5, 0.5, -0.5, 0.5, -0.5, 0.5};
};

}  // namespace clusterloom
