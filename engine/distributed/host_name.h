#pragma once

#include <string>

namespace clusterloom {

/// The name of this machine, for messages that say on which one a rank runs.
std::string hostName();

}  // namespace clusterloom
