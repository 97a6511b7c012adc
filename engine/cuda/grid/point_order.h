#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/cuda/runtime/memory.h"

namespace clusterloom {

/// Queues out[pointIds[p]] = values[p] for p < n: from cell order back to the order of the cloud.
void toPointOrder(const Lease& lease, const std::uint32_t* pointIds, const std::uint32_t* values,
                  std::uint32_t* out, std::size_t n);
void toPointOrder(const Lease& lease, const std::uint32_t* pointIds, const std::uint8_t* values,
                  std::uint8_t* out, std::size_t n);

}  // namespace clusterloom
