#include <GL/glew.h>
// GLEW must come before any other GL header.
#include <vtkMatrix4x4.h>
#include <vtkObjectFactory.h>
#include <vtkOpenGLCamera.h>
#include <vtkOpenGLRenderWindow.h>
#include <vtkOpenGLShaderCache.h>
#include <vtkOpenGLState.h>
#include <vtkRenderer.h>
#include <vtkShaderProgram.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/core/stopwatch.h"
#include "render/scene/point_prop.h"

namespace clusterloom {
namespace {

constexpr const char* kVertexShader = R"(//VTK::System::Dec
in vec3 position;
in vec4 colour;
uniform mat4 worldToClip;
uniform int flatView;
uniform float side;
uniform vec3 ground;
uniform vec3 fading;  // strength, nearest, farthest
out vec3 pointColour;
void main() {
  gl_PointSize = side;
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
    float far = clamp((gl_Position.w - fading.y) / (fading.z - fading.y), 0.0, 1.0);
    pointColour = mix(pointColour, ground, fading.x * far);
  }
}
)";

// Shaders of their own, because each operation on a fragment is time in software.
constexpr const char* kDotShader = R"(//VTK::System::Dec
//VTK::Output::Dec
in vec3 pointColour;
uniform float side;
uniform float edge;
uniform float shade;
uniform float opacity;
void main() {
  float away = length(gl_PointCoord * side - vec2(0.5 * side));
  if (away >= edge) discard;
  float rim = min(away / (edge - 0.5), 1.0);
  float dark = shade * rim * rim * rim;
  gl_FragData[0] = vec4(pointColour * (1.0 - dark), min(edge - away, 1.0) * opacity);
}
)";

constexpr const char* kDiamondShader = R"(//VTK::System::Dec
//VTK::Output::Dec
in vec3 pointColour;
uniform float side;
uniform float edge;
uniform vec3 outline;
uniform float opacity;
void main() {
  vec2 offset = abs(gl_PointCoord - vec2(0.5)) * side;
  float away = offset.x + offset.y;  // half the diagonal at the edge
  if (away >= edge) discard;
  float line = max(0.32 * (edge - 0.5), 1.4);
  vec3 shown = mix(pointColour, outline, clamp(away - (edge - 0.5 - line), 0.0, 1.0));
  gl_FragData[0] = vec4(shown, min(edge - away, 1.0) * opacity);
}
)";

/// How the shaders cover the square of a point: by a soft rim, one pixel wide, which ends at `edge`
/// pixels from the middle.
struct Cover {
  float side;   ///< of the square, pixels
  float edge;   ///< beyond every corner for points that fill their square
  float shade;  ///< of the darker rim that separates neighbouring dots
};

Cover coverOf(const PointLook& look) {
  constexpr float kSmall = 2.5F;  // pixels: too small for a rim of its own shade
  constexpr float kShade = 0.2F;
  const bool small = look.shape == PointShape::Dot && look.size < kSmall;
  // Small points of a 3-D cloud fill their squares: rims would let those behind show through.
  if (small && !look.flat) return {look.size, look.size + 1, 0};
  return {look.size + 1, look.size / 2 + 0.5F, small ? 0 : kShade};
}

void setColour(vtkShaderProgram* program, const char* name, Colour colour) {
  const float value[3] = {static_cast<float>(colour.r) / 255.0F,
                          static_cast<float>(colour.g) / 255.0F,
                          static_cast<float>(colour.b) / 255.0F};
  program->SetUniform3f(name, value);
}

}  // namespace

vtkStandardNewMacro(PointProp);

void PointProp::setPoints(std::shared_ptr<const DisplayPoints> points) {
  points_ = std::move(points);
  const std::size_t n = points_ ? points_->size() : 0;
  // Their buffers can be freed only while the context is current: when the next frame is drawn.
  std::move(slices_.begin(), slices_.end(), std::back_inserter(retired_));
  slices_.clear();
  while (slices_.size() < (n + kSlice - 1) / kSlice) slices_.push_back(std::make_unique<Slice>());
  drawn_ = 0;
  if (!points_) return;
  for (std::size_t a = 0; a < 3; ++a) {
    bounds_[2 * a] = points_->box.low[a];
    bounds_[2 * a + 1] = points_->box.high[a];
  }
  this->Modified();
}

void PointProp::setColours(std::vector<std::uint8_t> colours) {
  colours_ = std::move(colours);
  for (auto& slice : slices_) slice->coloured = false;
  this->Modified();
}

void PointProp::planFrame(bool restart, std::size_t untilSlice) {
  restart_ = restart;
  until_ = std::min(untilSlice, slices_.size());
}

double* PointProp::GetBounds() { return points_ ? bounds_ : nullptr; }

void PointProp::drawSlice(std::size_t index, vtkShaderProgram* program) {
  Slice& slice = *slices_[index];
  const std::size_t begin = index * kSlice;
  const std::size_t count = std::min(kSlice, points_->size() - begin);
  slice.attributes->Bind();
  if (!slice.uploaded) {
    slice.positions->Upload(points_->xyz.data() + 3 * begin, 3 * count,
                            vtkOpenGLBufferObject::ArrayBuffer);
    slice.uploaded = true;
    slice.program = nullptr;
  }
  if (!slice.coloured) {
    slice.colours->Upload(colours_.data() + 4 * begin, 4 * count,
                          vtkOpenGLBufferObject::ArrayBuffer);
    slice.coloured = true;
    slice.program = nullptr;
  }
  if (slice.program != program) {
    slice.attributes->ShaderProgramChanged();
    slice.attributes->Bind();
    slice.attributes->AddAttributeArray(program, slice.positions, "position", 0, 3 * sizeof(float),
                                        VTK_FLOAT, 3, false);
    slice.attributes->AddAttributeArray(program, slice.colours, "colour", 0, 4, VTK_UNSIGNED_CHAR,
                                        4, true);
    slice.program = program;
  }
  glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(count));
  slice.attributes->Release();
}

int PointProp::RenderOpaqueGeometry(vtkViewport* viewport) {
  auto* renderer = vtkRenderer::SafeDownCast(viewport);
  auto* window = vtkOpenGLRenderWindow::SafeDownCast(renderer->GetRenderWindow());
  retired_.clear();
  lastDrawn_ = {};
  if (window == nullptr || !points_ || colours_.size() != 4 * points_->size()) return 0;
  const int* size = window->GetSize();
  if (restart_ || !keeper_.restore(size[0], size[1])) drawn_ = 0;
  if (drawn_ >= until_) return 0;

  const bool dots = look_.shape == PointShape::Dot;
  vtkShaderProgram* program = window->GetShaderCache()->ReadyShaderProgram(
      kVertexShader, dots ? kDotShader : kDiamondShader, "");
  if (program == nullptr) return 0;
  auto* camera = vtkOpenGLCamera::SafeDownCast(renderer->GetActiveCamera());
  vtkMatrix4x4* worldToView = nullptr;
  vtkMatrix3x3* normals = nullptr;
  vtkMatrix4x4* viewToClip = nullptr;
  vtkMatrix4x4* worldToClip = nullptr;
  camera->GetKeyMatrices(renderer, worldToView, normals, viewToClip, worldToClip);
  program->SetUniformMatrix("worldToClip", worldToClip);
  program->SetUniformi("flatView", look_.flat ? 1 : 0);
  const Cover cover = coverOf(look_);
  program->SetUniformf("side", cover.side);
  program->SetUniformf("edge", cover.edge);
  program->SetUniformf("opacity", look_.opacity);
  setColour(program, "ground", look_.ground);
  if (dots)
    program->SetUniformf("shade", cover.shade);
  else
    setColour(program, "outline", look_.outline);
  const float fading[3] = {look_.fade, look_.nearest, look_.farthest};
  program->SetUniform3f("fading", fading);

  // Other props change this state.
  vtkOpenGLState* state = window->GetState();
  state->vtkglEnable(GL_DEPTH_TEST);
  state->vtkglDepthFunc(GL_LEQUAL);
  // Translucent points do not hide those behind them; in flat views layers still do.
  const bool hides = look_.flat || look_.opacity >= 1;
  state->vtkglDepthMask(hides ? GL_TRUE : GL_FALSE);
  state->vtkglEnable(GL_BLEND);
  state->vtkglBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE,
                                GL_ONE_MINUS_SRC_ALPHA);
  glEnable(GL_PROGRAM_POINT_SIZE);
  const Stopwatch watch;
  lastDrawn_.slices = until_ - drawn_;
  for (; drawn_ < until_; ++drawn_) drawSlice(drawn_, program);
  glFinish();
  lastDrawn_.ms = 1e3 * watch.seconds();
  glDisable(GL_PROGRAM_POINT_SIZE);
  state->vtkglDepthMask(GL_TRUE);
  // A picture is kept only when it takes more than one frame.
  if (slices_.size() > 1)
    keeper_.keep(size[0], size[1]);
  else
    keeper_.release();
  return 1;
}

void PointProp::ReleaseGraphicsResources(vtkWindow* /*window*/) {
  for (auto& slice : slices_) {
    slice->attributes->ReleaseGraphicsResources();
    slice->positions->ReleaseGraphicsResources();
    slice->colours->ReleaseGraphicsResources();
    slice->uploaded = slice->coloured = false;
    slice->program = nullptr;
  }
  retired_.clear();
  keeper_.release();
  drawn_ = 0;
}

}  // namespace clusterloom
