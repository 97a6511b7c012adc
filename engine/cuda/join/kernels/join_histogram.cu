#include "engine/cuda/join/kernels/join_kernel.cuh"

namespace clusterloom {

void launchJoin(const KernelLaunch& launch, const JoinView& view, const QueryRange& range,
                const LaneHistogramSink<CudaLane>& sink) {
  launchJoinOf(launch, "histogram", view, range, sink);
}

}  // namespace clusterloom
