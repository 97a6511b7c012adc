#include "engine/cuda/join/kernels/join_kernel.cuh"

namespace clusterloom {

void launchJoin(const KernelLaunch& launch, const JoinView& view, const QueryRange& range,
                const LaneFillSink<CudaLane>& sink) {
  launchJoinOf(launch, "fill rows", view, range, sink);
}

}  // namespace clusterloom
