#include "engine/cuda/join/kernels/join_kernel.cuh"

namespace clusterloom {

void launchJoin(const KernelLaunch& launch, const JoinView& view, const QueryRange& range,
                const LaneBorderSink<CudaLane>& sink) {
  launchJoinOf(launch, "border points", view, range, sink);
}

}  // namespace clusterloom
