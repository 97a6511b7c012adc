#include "engine/cuda/grid/point_order.h"
#include "engine/cuda/runtime/launch.h"

namespace clusterloom {
namespace {

__global__ void scatter(const std::uint32_t* pointIds, const std::uint32_t* values,
                        std::uint32_t* out, std::size_t n) {
  const std::size_t p = threadNumber();
  if (p < n) out[pointIds[p]] = values[p];
}

}  // namespace

void toPointOrder(const Lease& lease, const std::uint32_t* pointIds, const std::uint32_t* values,
                  std::uint32_t* out, std::size_t n) {
  scatter<<<blocksFor(n), kBlockSize, 0, lease.stream>>>(pointIds, values, out, n);
  CUDA_CHECK_LAUNCH();
}

}  // namespace clusterloom
