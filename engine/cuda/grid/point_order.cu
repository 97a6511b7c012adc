#include "engine/cuda/grid/point_order.h"

#include "engine/cuda/runtime/launch.h"

namespace clusterloom {
namespace {

template <class T>
__global__ void scatter(const std::uint32_t* pointIds, const T* values, T* out, std::size_t n) {
  const std::size_t p = threadNumber();
  if (p < n) out[pointIds[p]] = values[p];
}

template <class T>
void queueScatter(const Lease& lease, const std::uint32_t* pointIds, const T* values, T* out,
                  std::size_t n) {
  scatter<T><<<blocksFor(n), kBlockSize, 0, lease.stream>>>(pointIds, values, out, n);
  CUDA_CHECK_LAUNCH();
}

}  // namespace

void toPointOrder(const Lease& lease, const std::uint32_t* pointIds, const std::uint32_t* values,
                  std::uint32_t* out, std::size_t n) {
  queueScatter(lease, pointIds, values, out, n);
}

void toPointOrder(const Lease& lease, const std::uint32_t* pointIds, const std::uint8_t* values,
                  std::uint8_t* out, std::size_t n) {
  queueScatter(lease, pointIds, values, out, n);
}

}  // namespace clusterloom
