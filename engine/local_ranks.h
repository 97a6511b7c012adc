#pragma once

#include <string>

#include "engine/distributed/divided_backend.h"

namespace clusterloom {

/// makeLocalRanks with the backends of this build. Where all ranks have a GPU,
/// LocalRanks::onDevices keeps points there.
Result<LocalRanks> makeRanksHere(const std::string& name, const BackendOptions& options);

}  // namespace clusterloom
