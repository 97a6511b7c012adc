#include "engine/cuda/join/kernels/join_kernel.cuh"

namespace clusterloom {

void launchJoin(const KernelLaunch& launch, const JoinView& view, const QueryRange& range,
                const LaneUnionSink<CudaLane>& sink) {
  launchJoinOf(launch, "unite core points", view, range, sink);
}

}  // namespace clusterloom
