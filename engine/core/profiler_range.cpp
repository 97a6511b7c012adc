#include "engine/core/profiler_range.h"

#ifdef CLUSTERLOOM_HAS_NVTX
#include <nvtx3/nvToolsExt.h>
#endif

namespace clusterloom {

#ifdef CLUSTERLOOM_HAS_NVTX
namespace {
constexpr RangeSink kNvtx{[](const char* name) { nvtxRangePushA(name); }, [] { nvtxRangePop(); }};
}  // namespace
constinit std::atomic<const RangeSink*> rangeSink{&kNvtx};
#else
constinit std::atomic<const RangeSink*> rangeSink{nullptr};
#endif

}  // namespace clusterloom
