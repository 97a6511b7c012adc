#include "engine/dbscan/backend_in_space.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/dbscan/periodic_backend.h"
#include "engine/dbscan/sphere_backend.h"

namespace clusterloom {

Result<void> checkSpace(const Space& space, Scaling::Kind scaling) {
  if (!space.sphere) return {};
  if (!space.periods.empty())
    return fail(ErrorKind::BadCall,
                "Longitude and latitude need no periods: the sphere closes at the date line.");
  if (scaling != Scaling::Kind::None)
    return fail(ErrorKind::BadCall,
                "Longitude and latitude are not scaled; choose the scaling none. ε is a length "
                "along great circles.");
  return {};
}

Result<std::unique_ptr<Backend>> backendIn(const Space& space, const Scaling& scaling,
                                           std::unique_ptr<Backend> backend) {
  if (auto fine = checkSpace(space, scaling.kind); !fine) return tl::unexpected(fine.error());
  if (space.sphere) return makeSphereBackend(std::move(backend), *space.sphere);
  if (space.periods.empty()) return backend;
  std::vector<double> periods = space.periods;
  for (std::size_t j = 0; j < std::min(periods.size(), scaling.factor.size()); ++j)
    periods[j] *= std::abs(scaling.factor[j]);
  return makePeriodicBackend(std::move(backend), std::move(periods));
}

}  // namespace clusterloom
