#include "engine/cuda/join/kernels/join_kernel.cuh"

namespace clusterloom {

void launchJoin(const KernelLaunch& launch, const JoinView& view, const QueryRange& range,
                const LanePairSink<CudaLane>& sink) {
  launchJoinOf(launch, "write pairs", view, range, sink);
}

}  // namespace clusterloom
