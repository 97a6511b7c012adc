#pragma once

#include <memory>

#include "engine/backend.h"
#include "engine/cloud/scaling.h"
#include "engine/cloud/space.h"

namespace clusterloom {

/// BadCall for what cannot be combined: periods on a sphere, and a scaling of longitude and
/// latitude. `scaling` is that of the run's cloud; periods are in the units before it.
Result<void> checkSpace(const Space& space, Scaling::Kind scaling);

/// `backend` with the distances of a space: as it is for a Euclidean one, else one of
/// engine/dbscan/periodic_backend.h and sphere_backend.h. Errors are those of checkSpace.
Result<std::unique_ptr<Backend>> backendIn(const Space& space, const Scaling& scaling,
                                           std::unique_ptr<Backend> backend);

}  // namespace clusterloom
