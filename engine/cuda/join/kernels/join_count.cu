#include "engine/cuda/join/kernels/join_kernel.cuh"

namespace clusterloom {

void launchJoin(const KernelLaunch& launch, const JoinView& view, const QueryRange& range,
                const LaneCountSink<CudaLane>& sink) {
  launchJoinOf(launch, "count", view, range, sink);
}

}  // namespace clusterloom
