#pragma once

#include <cstdint>
#include <functional>

namespace clusterloom {

/// Called with the warp that the user picked: its place in LoadReport::warps, −1 for none.
using WarpPickFn = std::function<void(std::int64_t warp)>;

}  // namespace clusterloom
