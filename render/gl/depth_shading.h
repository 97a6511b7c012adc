#pragma once

class vtkOpenGLRenderWindow;

namespace clusterloom {

/// Eye-dome lighting [Boucheny 2009]: what lies behind its neighbours in the picture is darkened,
/// so that the shape of a scan is seen without normals. A pass of our own, because VTK's
/// (vtkEDLShading) draws a whole renderer into buffers of its own, in every frame.
struct DepthShading {
  float strength = 0.5F;  ///< 0: none
  float radius = 1;       ///< pixels between a place and those it is compared with
  bool parallel = false;  ///< the projection
  float nearest = 0.1F;   ///< distance of the near plane
  float farthest = 1;     ///< and of the far plane
  float focal = 1;        ///< distance at which lengths in depth are as those in the picture
};

/// Darkens the bound frame buffer of this size by a texture of its depths. The farthest depths are
/// ground, and stay as they are. The GL context is current.
void shadeByDepth(vtkOpenGLRenderWindow& window, unsigned depths, int width, int height,
                  const DepthShading& shading);

}  // namespace clusterloom
