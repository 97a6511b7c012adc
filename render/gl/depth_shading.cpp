#include <GL/glew.h>
// GLEW must come before any other GL header.
#include <vtkOpenGLRenderWindow.h>
#include <vtkOpenGLShaderCache.h>
#include <vtkOpenGLState.h>
#include <vtkShaderProgram.h>

#include "render/gl/depth_shading.h"

namespace clusterloom {
namespace {

/// One triangle that covers the picture.
constexpr const char* kWholeVertexShader = R"(//VTK::System::Dec
void main() {
  vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  gl_Position = vec4(corner, 0.0, 1.0);
}
)";

// Distances relative to that of the place: the same at any distance in perspective. Depths in
// perspective are linear in 1 / distance, so few operations are needed: each one is time in
// software.
constexpr const char* kShadingShader = R"(//VTK::System::Dec
//VTK::Output::Dec
uniform sampler2D depths;
uniform int radius;
uniform float strength;
uniform vec2 perspective;  // relative distance = depth / (x + y · depth)
const float kGround = 0.9999;
const float kDarkest = 0.35;  // colours of clusters can still be told apart
void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  float depth = texelFetch(depths, at, 0).r;
  if (depth >= kGround) discard;
  ivec2 low = max(at - radius, ivec2(0));
  ivec2 high = min(at + radius, textureSize(depths, 0) - 1);
  vec4 around = vec4(texelFetch(depths, ivec2(low.x, at.y), 0).r,
                     texelFetch(depths, ivec2(high.x, at.y), 0).r,
                     texelFetch(depths, ivec2(at.x, low.y), 0).r,
                     texelFetch(depths, ivec2(at.x, high.y), 0).r);
  float behind = dot(max(vec4(depth) - around, 0.0), vec4(1.0));
  float relative = strength * behind / (perspective.x + perspective.y * depth);
  gl_FragData[0] = vec4(vec3(mix(kDarkest, 1.0, exp(-relative))), 1.0);
}
)";

}  // namespace

void shadeByDepth(vtkOpenGLRenderWindow& window, unsigned depths, int width, int height,
                  const DepthShading& shading) {
  if (depths == 0 || shading.strength <= 0) return;
  vtkShaderProgram* program =
      window.GetShaderCache()->ReadyShaderProgram(kWholeVertexShader, kShadingShader, "");
  if (program == nullptr) return;
  program->SetUniformi("depths", 0);
  program->SetUniformi("radius", static_cast<int>(shading.radius + 0.5F));
  program->SetUniformf("strength", shading.strength);
  const float span = shading.farthest - shading.nearest;
  const float perspective[2] = {(shading.parallel ? shading.focal : shading.farthest) / span,
                                shading.parallel ? 0.0F : -1.0F};
  program->SetUniform2f("perspective", perspective);

  vtkOpenGLState* state = window.GetState();
  state->vtkglViewport(0, 0, width, height);
  state->vtkglDisable(GL_DEPTH_TEST);
  state->vtkglDepthMask(GL_FALSE);
  state->vtkglEnable(GL_BLEND);
  state->vtkglBlendFuncSeparate(GL_ZERO, GL_SRC_COLOR, GL_ZERO, GL_ONE);  // factors of the colours
  state->vtkglActiveTexture(GL_TEXTURE0);
  GLint bound = 0;
  glGetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
  glBindTexture(GL_TEXTURE_2D, depths);
  GLuint attributes = 0;  // none, but something must be bound
  glGenVertexArrays(1, &attributes);
  glBindVertexArray(attributes);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindVertexArray(0);
  glDeleteVertexArrays(1, &attributes);
  glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(bound));
  state->vtkglBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE,
                                GL_ONE_MINUS_SRC_ALPHA);
  state->vtkglDepthMask(GL_TRUE);
  state->vtkglEnable(GL_DEPTH_TEST);
}

}  // namespace clusterloom
