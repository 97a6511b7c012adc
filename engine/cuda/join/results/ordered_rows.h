#pragma once

#include <cstdint>
#include <optional>

#include "engine/cuda/join/device_join.h"
#include "engine/join/row_program.h"

namespace clusterloom {

/// The arrays of RowCandidates, in device memory.
struct DeviceRowCandidates {
  DeviceBuffer<std::uint64_t> start;
  DeviceBuffer<std::uint32_t> ids;
  DeviceBuffer<double> coordinates;

  RowCandidates view() const {
    return {.start = start.data(),
            .ids = ids.data(),
            .coordinates = coordinates.data(),
            .size = ids.size()};
  }
};

/// Rows that come out sorted, for tables of one cloud by the plain tile pattern (64 bits, no
/// SORTIDU, no SHORTC, no work queue, one thread per point as far as the caller cares). Makes the
/// candidates of every cell; nothing for other plans and where they would be more than 64 per point
/// or a quarter of the device's free memory. Waits.
std::optional<DeviceRowCandidates> makeRowCandidates(GpuRun& run, DeviceJoin& join);

/// Queues the rows of tickets [begin, end): that of ticket t begins at ids[rowStart[t − begin]].
void launchOrderedRows(const KernelLaunch& launch, const DeviceJoin& join,
                       const DeviceRowCandidates& candidates, const QueryRange& range,
                       const std::uint64_t* rowStart, std::uint32_t* ids);

}  // namespace clusterloom
