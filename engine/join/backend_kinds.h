#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace clusterloom {

// The names of backends stand here. Callers ask for capabilities of a backend.

inline constexpr std::string_view kCpuBackend = "cpu";
inline constexpr std::string_view kDeviceBackend = "cuda";     ///< of one GPU
inline constexpr std::string_view kSharingBackend = "hybrid";  ///< CPU and GPU share each join
inline constexpr std::string_view kModelBackend = "simt";      ///< the model of a GPU's warps

/// The known properties of a kind of backend before one is made. Callers ask for capabilities and
/// not for names; makeBackend (engine/backend.h) makes them.
struct BackendKind {
  std::string_view name;           ///< what makeBackend takes
  bool decides = false;            ///< takes the best of the others that answers
  bool onDevice = false;           ///< takes the number of a GPU
  bool sharesDevices = false;      ///< takes several GPUs
  bool sharesJoins = false;        ///< CPU and GPU share each join
  bool measuresLoad = false;       ///< `load` measures what warps do
  bool modelsOnly = false;         ///< models the load and has no results of joins
  bool buildsHierarchies = false;  ///< engine/hierarchies.h takes its name
};

/// All kinds, best first, also those that are not in this build.
inline constexpr std::array kBackendKinds{
    BackendKind{.name = "auto",
                .decides = true,
                .onDevice = true,
                .sharesDevices = true,
                .buildsHierarchies = true},
    BackendKind{.name = kDeviceBackend,
                .onDevice = true,
                .sharesDevices = true,
                .measuresLoad = true,
                .buildsHierarchies = true},
    BackendKind{.name = kSharingBackend, .onDevice = true, .sharesJoins = true},
    BackendKind{.name = kCpuBackend, .buildsHierarchies = true},
    BackendKind{.name = kModelBackend, .modelsOnly = true}};

/// The kind of that name; a kind without capabilities where there is none.
constexpr BackendKind backendKind(std::string_view name) {
  const auto* const found =
      std::find_if(kBackendKinds.begin(), kBackendKinds.end(),
                   [&](const BackendKind& kind) { return kind.name == name; });
  return found == kBackendKinds.end() ? BackendKind{} : *found;
}

}  // namespace clusterloom
