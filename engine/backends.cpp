#include "engine/backend.h"
#include "engine/cpu/cpu_backend.h"

namespace clusterloom {

Result<std::unique_ptr<Backend>> makeBackend(const std::string& name,
                                             const BackendOptions& options) {
  if (options.threads < 0 || options.threads > 4096)
    return fail(ErrorKind::BadCall, "The number of threads must be between 1 and 4096.");
  if (name == "cpu" || name == "auto") return makeCpuBackend(options.threads);
  if (name == "cuda" || name == "simt" || name == "hybrid" || name == "mpi")
    return fail(ErrorKind::Unavailable,
                "The backend " + name + " is not in this build; choose cpu or auto.");
  return fail(ErrorKind::BadCall, "There is no backend called " + name + "; choose cpu or auto.");
}

std::vector<std::string> availableBackends() { return {"cpu"}; }

}  // namespace clusterloom
