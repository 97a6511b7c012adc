#include "engine/cuda/join/kernels/join_kernel.cuh"

namespace clusterloom {

void launchMeasuredJoin(const KernelLaunch& launch, const JoinView& view, const QueryRange& range,
                        const LanePairSink<CudaLane>& sink) {
  launchJoinOf<MeasuringLane>(launch, "measured pairs", view, range, sink);
}

}  // namespace clusterloom
