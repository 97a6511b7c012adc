#pragma once

#include <memory>

#include "engine/backend.h"
#include "engine/cloud/space.h"

namespace clusterloom {

/// `backend` for a space whose points become unit vectors and whose ε becomes their distance: a
/// sphere, on which two points are neighbours when the great circle between them is at most ε long
/// (engine/cloud/sphere_points.h; poles and the date line are points like others), or cosine
/// distances (engine/cloud/directions.h). Every strategy answers as for the vectors. BadCall for
/// `histogram`, whose bins are equal steps of the distance, and for `load`.
std::unique_ptr<Backend> makeUnitVectorBackend(std::shared_ptr<const Backend> backend,
                                               const Space& space);

}  // namespace clusterloom
