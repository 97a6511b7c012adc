#pragma once

#include <memory>

#include "engine/backend.h"
#include "engine/cloud/space.h"

namespace clusterloom {

/// `backend` for clouds of longitude and latitude: two points are neighbours when the great circle
/// between them is at most ε long. The points become unit vectors and ε the chord
/// (engine/cloud/sphere_points.h), so that poles and the date line are points like others, and
/// every strategy answers as in three dimensions. BadCall for `histogram`, whose bins are equal
/// steps of the distance, and for `load`.
std::unique_ptr<Backend> makeSphereBackend(std::shared_ptr<const Backend> backend,
                                           const Sphere& sphere);

}  // namespace clusterloom
