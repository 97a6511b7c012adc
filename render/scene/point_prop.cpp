#include <GL/glew.h>
// GLEW must come before any other GL header.
#include <vtkMath.h>
#include <vtkMatrix4x4.h>
#include <vtkObjectFactory.h>
#include <vtkOpenGLCamera.h>
#include <vtkOpenGLRenderWindow.h>
#include <vtkOpenGLShaderCache.h>
#include <vtkOpenGLState.h>
#include <vtkRenderer.h>
#include <vtkShaderProgram.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "engine/core/stopwatch.h"
#include "render/gl/depth_shading.h"
#include "render/scene/point_prop.h"

namespace clusterloom {
namespace {

constexpr const char* kVertexShader = R"(//VTK::System::Dec
in vec3 position;
in vec4 colour;
uniform mat4 worldToClip;
uniform int flatView;
uniform float size;
uniform float rim;     // pixels of a soft rim around the point; 0: it fills its square
uniform float opacity;
uniform vec3 noise;    // its size as a factor, its opacity; 1: it lies behind all other points
uniform vec3 ground;
uniform vec3 fading;  // strength, nearest, farthest
uniform vec4 viewAxis;  // (x, y, z, 1) · this: distance from the viewer
out vec3 pointColour;
out vec3 cover;  // side of the square, distance from its middle where the point ends, opacity
void main() {
  bool isNoise = colour.a < 0.25;
  float diameter = isNoise ? size * noise.x : size;
  cover = vec3(diameter + rim, rim > 0.0 ? 0.5 * (diameter + rim) : diameter + 1.0,
               isNoise ? noise.y : opacity);
  gl_PointSize = cover.x;
  if (colour.a < 0.1) {  // hidden: outside of the view
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    pointColour = ground;
    return;
  }
  gl_Position = worldToClip * vec4(position, 1.0);
  pointColour = colour.rgb;
  if (flatView == 1) {
    gl_Position.z = (0.4 - 0.8 * colour.a) * gl_Position.w;
  } else {
    float away = dot(viewAxis, vec4(position, 1.0));
    float far = clamp((away - fading.y) / (fading.z - fading.y), 0.0, 1.0);
    pointColour = mix(pointColour, ground, fading.x * far);
    if (isNoise && noise.z > 0.0) gl_Position.z = 0.9999 * gl_Position.w;
  }
}
)";

// Shaders of their own, because each operation on a fragment is time in software.
constexpr const char* kDotShader = R"(//VTK::System::Dec
//VTK::Output::Dec
in vec3 pointColour;
in vec3 cover;
uniform float shade;
void main() {
  float away = length(gl_PointCoord * cover.x - vec2(0.5 * cover.x));
  if (away >= cover.y) discard;
  float part = min(away / (cover.y - 0.5), 1.0);
  float dark = shade * part * part * part;
  gl_FragData[0] = vec4(pointColour * (1.0 - dark), min(cover.y - away, 1.0) * cover.z);
}
)";

constexpr const char* kDiamondShader = R"(//VTK::System::Dec
//VTK::Output::Dec
in vec3 pointColour;
in vec3 cover;
uniform vec3 outline;
void main() {
  vec2 offset = abs(gl_PointCoord - vec2(0.5)) * cover.x;
  float away = offset.x + offset.y;  // half the diagonal at the edge
  if (away >= cover.y) discard;
  float line = max(0.32 * (cover.y - 0.5), 1.4);
  vec3 shown = mix(pointColour, outline, clamp(away - (cover.y - 0.5 - line), 0.0, 1.0));
  gl_FragData[0] = vec4(shown, min(cover.y - away, 1.0) * cover.z);
}
)";

/// Pixels of the soft rim of points, and how dark the rim is that separates neighbouring dots.
struct Rim {
  float width;
  float shade;
};

Rim rimOf(const PointLook& look) {
  constexpr float kSmall = 2.5F;  // pixels: too small for a rim of its own shade
  constexpr float kShade = 0.2F;
  const bool small = look.shape == PointShape::Dot && look.size < kSmall;
  // Small points of a 3-D cloud fill their squares: rims would let those behind show through.
  if (small && !look.flat) return {0, 0};
  return {1, small ? 0 : kShade};
}

/// The size of noise as a factor, its opacity, and whether it lies behind all other points.
void setNoise(vtkShaderProgram* program, float strength, float opacity) {
  constexpr float kSmallest = 0.5F;  // of the size of other points
  const float value[3] = {std::lerp(kSmallest, 1.0F, strength), strength * opacity,
                          strength < 1 ? 1.0F : 0.0F};
  program->SetUniform3f("noise", value);
}

void setViewAxis(vtkShaderProgram* program, vtkCamera& camera) {
  double forward[3];
  double position[3];
  camera.GetDirectionOfProjection(forward);
  camera.GetPosition(position);
  const float axis[4] = {float(forward[0]), float(forward[1]), float(forward[2]),
                         -float(vtkMath::Dot(forward, position))};
  program->SetUniform4f("viewAxis", axis);
}

void setColour(vtkShaderProgram* program, const char* name, Colour colour) {
  const float value[3] = {float(colour.r) / 255.0F, float(colour.g) / 255.0F,
                          float(colour.b) / 255.0F};
  program->SetUniform3f(name, value);
}

}  // namespace

vtkStandardNewMacro(PointProp);

void PointProp::Buffers::release() {
  attributes->ReleaseGraphicsResources();
  positions->ReleaseGraphicsResources();
  colours->ReleaseGraphicsResources();
}

void PointProp::setStored(std::shared_ptr<const StoredPoints> stored, StoredColourer colourer) {
  setPoints(stored ? stored->outline() : nullptr);
  if (stored) reader_ = std::make_unique<StoredReader>(std::move(stored), std::move(colourer));
}

void PointProp::setPoints(std::shared_ptr<const DisplayPoints> points) {
  reader_.reset();
  points_ = std::move(points);
  // Their buffers can be freed only while the context is current: when the next frame is drawn.
  std::move(buffers_.begin(), buffers_.end(), std::back_inserter(retired_));
  buffers_.clear();
  buffers_.resize(points_ ? points_->blocks.size() : 0);
  keptPoints_ = 0;
  setVisible({});
  if (!points_) return;
  for (std::size_t a = 0; a < 3; ++a) {
    bounds_[2 * a] = points_->box.low[a];
    bounds_[2 * a + 1] = points_->box.high[a];
  }
  this->Modified();
}

void PointProp::setColours(std::shared_ptr<const DrawnColours> colours) {
  colours_ = std::move(colours);
  for (const auto& block : buffers_)
    if (block) block->coloured = false;
  this->Modified();
}

void PointProp::setVisible(std::vector<std::uint32_t> blocks) {
  visible_ = std::move(blocks);
  visiblePoints_ = 0;
  for (const std::uint32_t block : visible_) visiblePoints_ += points_->blocks[block].count;
  drawn_ = drawnPoints_ = 0;
}

void PointProp::planFrame(bool restart, std::size_t points) {
  restart_ = restart;
  toAdd_ = points;
}

double* PointProp::GetBounds() { return points_ ? bounds_ : nullptr; }

void PointProp::forget(std::uint32_t block) {
  if (!buffers_[block]) return;
  buffers_[block]->release();
  buffers_[block].reset();
  keptPoints_ -= points_->blocks[block].count;
}

// Those that are drawn last go first.
void PointProp::forgetUnseen() {
  if (keptPoints_ <= kMostKept) return;
  std::vector<bool> seen(buffers_.size(), false);
  for (const std::uint32_t block : visible_) seen[block] = true;
  for (std::uint32_t block = 0; block < seen.size(); ++block)
    if (!seen[block]) forget(block);
  for (auto last = visible_.rbegin(); last != visible_.rend() && keptPoints_ > kMostKept; ++last)
    forget(*last);
}

void PointProp::upload(std::uint32_t index) {
  const PointBlock& block = points_->blocks[index];
  std::unique_ptr<Buffers>& made = buffers_[index];
  if (!made) {
    made = std::make_unique<Buffers>();
    made->positions->Upload(points_->xyz.data() + 3 * std::size_t{block.first},
                            3 * std::size_t{block.count}, vtkOpenGLBufferObject::ArrayBuffer);
    made->count = block.count;
    keptPoints_ += block.count;
  }
  if (made->coloured) return;
  made->colours->Upload(colours_->bytes().data() + 4 * std::size_t{block.first},
                        4 * std::size_t{block.count}, vtkOpenGLBufferObject::ArrayBuffer);
  made->coloured = true;
  made->program = nullptr;
}

bool PointProp::uploadStored(std::uint32_t index) {
  std::unique_ptr<Buffers>& made = buffers_[index];
  if (made) return true;
  if (!reader_->isNext(index)) {  // first of all, or the picture was lost
    std::vector<std::uint32_t> wanted;
    std::copy_if(std::find(visible_.begin(), visible_.end(), index), visible_.end(),
                 std::back_inserter(wanted), [this](std::uint32_t b) { return !buffers_[b]; });
    reader_->want(wanted);
  }
  const Stopwatch watch;
  const auto ready = reader_->take(index, readUntil_);
  waitedMs_ += 1e3 * watch.seconds();
  if (!ready) return false;
  made = std::make_unique<Buffers>();
  if (!ready->colours.empty()) {
    made->positions->Upload(ready->xyz, vtkOpenGLBufferObject::ArrayBuffer);
    made->colours->Upload(ready->colours, vtkOpenGLBufferObject::ArrayBuffer);
  }
  made->count = std::uint32_t(ready->colours.size() / 4);
  made->coloured = true;
  keptPoints_ += points_->blocks[index].count;
  return true;
}

bool PointProp::drawBlock(std::uint32_t index, vtkShaderProgram* program) {
  if (!reader_)
    upload(index);
  else if (!uploadStored(index))
    return false;
  Buffers& buffers = *buffers_[index];
  if (buffers.count == 0) return true;
  buffers.attributes->Bind();
  if (buffers.program != program) {
    buffers.attributes->ShaderProgramChanged();
    buffers.attributes->Bind();
    buffers.attributes->AddAttributeArray(program, buffers.positions, "position", 0,
                                          3 * sizeof(float), VTK_FLOAT, 3, false);
    buffers.attributes->AddAttributeArray(program, buffers.colours, "colour", 0, 4,
                                          VTK_UNSIGNED_CHAR, 4, true);
    buffers.program = program;
  }
  glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(buffers.count));
  buffers.attributes->Release();
  if (keptPoints_ > kMostKept) forget(index);
  return true;
}

int PointProp::RenderOpaqueGeometry(vtkViewport* viewport) {
  auto* renderer = vtkRenderer::SafeDownCast(viewport);
  auto* window = vtkOpenGLRenderWindow::SafeDownCast(renderer->GetRenderWindow());
  retired_.clear();
  lastDrawn_ = {};
  if (window == nullptr || !points_ || colours_->points() != points_->size()) return 0;
  const int* size = window->GetSize();
  if (restart_ || !keeper_.restore(size[0], size[1])) {
    drawn_ = drawnPoints_ = 0;
    forgetUnseen();
  }
  const bool more = !isComplete() && toAdd_ > 0;
  if (more) drawBlocks(*renderer, *window);
  // Only the whole picture, since few points are no surface and each pass is time in software. What
  // is kept is not shaded.
  if (look_.relief > 0 && isComplete()) shade(*renderer, *window);
  return more ? 1 : 0;
}

void PointProp::shade(vtkRenderer& renderer, vtkOpenGLRenderWindow& window) {
  vtkCamera& camera = *renderer.GetActiveCamera();
  const int* size = window.GetSize();
  DepthShading shading;
  shading.strength = look_.relief;
  shading.radius = look_.pixel;
  shading.parallel = camera.GetParallelProjection() != 0;
  shading.nearest = float(camera.GetClippingRange()[0]);
  shading.farthest = float(camera.GetClippingRange()[1]);
  constexpr double kSlope = 0.268;  // of the rays at the edge of a perspective view
  if (shading.parallel) shading.focal = float(camera.GetParallelScale() / kSlope);
  shadeByDepth(window, keeper_.depthTexture(), size[0], size[1], shading);
}

std::span<const std::uint32_t> PointProp::nextBlocks() const {
  std::size_t end = drawn_;
  for (std::size_t points = 0; end < visible_.size() && points < toAdd_; ++end)
    points += points_->blocks[visible_[end]].count;
  return std::span(visible_).subspan(drawn_, end - drawn_);
}

void PointProp::drawBlocks(vtkRenderer& renderer, vtkOpenGLRenderWindow& window) {
  const bool dots = look_.shape == PointShape::Dot;
  vtkShaderProgram* program = window.GetShaderCache()->ReadyShaderProgram(
      kVertexShader, dots ? kDotShader : kDiamondShader, "");
  if (program == nullptr) return;
  auto* camera = vtkOpenGLCamera::SafeDownCast(renderer.GetActiveCamera());
  vtkMatrix4x4* worldToView = nullptr;
  vtkMatrix3x3* normals = nullptr;
  vtkMatrix4x4* viewToClip = nullptr;
  vtkMatrix4x4* worldToClip = nullptr;
  camera->GetKeyMatrices(&renderer, worldToView, normals, viewToClip, worldToClip);
  program->SetUniformMatrix("worldToClip", worldToClip);
  program->SetUniformi("flatView", look_.flat ? 1 : 0);
  const Rim rim = rimOf(look_);
  program->SetUniformf("size", look_.size);
  program->SetUniformf("rim", rim.width);
  program->SetUniformf("opacity", look_.opacity * look_.blended);
  setNoise(program, look_.noise, look_.opacity * std::sqrt(look_.blended));
  setColour(program, "ground", look_.ground);
  if (dots)
    program->SetUniformf("shade", rim.shade);
  else
    setColour(program, "outline", look_.outline);
  const float fading[3] = {look_.fade, look_.nearest, look_.farthest};
  program->SetUniform3f("fading", fading);
  setViewAxis(program, *camera);

  // Other props change this state.
  vtkOpenGLState* state = window.GetState();
  state->vtkglEnable(GL_DEPTH_TEST);
  state->vtkglDepthFunc(GL_LEQUAL);
  // Translucent points do not hide those behind them; in flat views layers still do.
  const bool hides = look_.flat || look_.opacity >= 1;
  state->vtkglDepthMask(hides ? GL_TRUE : GL_FALSE);
  state->vtkglEnable(GL_BLEND);
  state->vtkglBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE,
                                GL_ONE_MINUS_SRC_ALPHA);
  glEnable(GL_PROGRAM_POINT_SIZE);
  const std::span<const std::uint32_t> blocks = nextBlocks();
  colours_->need(blocks);  // their time is not that of drawing, which decides how many there are
  constexpr std::chrono::milliseconds kMostWaiting{15};
  constexpr std::chrono::hours kAsLongAsItTakes{24};
  readUntil_ = std::chrono::steady_clock::now();
  if (toAdd_ == std::numeric_limits<std::size_t>::max())
    readUntil_ += kAsLongAsItTakes;
  else
    readUntil_ += kMostWaiting;
  waitedMs_ = 0;
  const Stopwatch watch;
  for (const std::uint32_t block : blocks) {
    if (!drawBlock(block, program)) break;
    lastDrawn_.points += points_->blocks[block].count;
    ++drawn_;
  }
  drawnPoints_ += lastDrawn_.points;
  glFinish();
  lastDrawn_.ms = 1e3 * watch.seconds() - waitedMs_;
  glDisable(GL_PROGRAM_POINT_SIZE);
  state->vtkglDepthMask(GL_TRUE);
  // A picture is kept only when it takes more than one frame, or for its depths.
  const int* size = window.GetSize();
  if (kept_ || visible_.size() > 1 || look_.relief > 0)
    keeper_.keep(size[0], size[1]);
  else
    keeper_.release();
}

void PointProp::ReleaseGraphicsResources(vtkWindow* /*window*/) {
  for (std::uint32_t block = 0; block < buffers_.size(); ++block) forget(block);
  for (const auto& block : retired_)
    if (block) block->release();
  retired_.clear();
  keeper_.release();
  drawn_ = drawnPoints_ = 0;
}

}  // namespace clusterloom
