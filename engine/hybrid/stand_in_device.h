#pragma once

#include <cstdint>
#include <memory>

#include "engine/hybrid/shared_device.h"
#include "engine/hybrid/simulate_division.h"

namespace clusterloom {

/// A stand-in for a GPU: threads of the CPU that answer a device's batches, no faster than a
/// modelled device would. Shows on any machine how a join divides its work.
struct StandInSpec {
  /// Streams and speed. A rate of 0 sets no limit: the batch takes what it takes.
  SideModel speed{.lanes = 3};
  std::uint64_t bufferPairs = kSharedBatchPairs;  ///< pairs of a batch's rows that fit
  bool failsToBegin = false;
  double orderSeconds = 0;  ///< from the order on the device to the order on the host
  bool failsToOrder = false;
  bool countsParts = false;  ///< has a way of its own to count a part of the queries
  /// Batches that succeed before the device fails for good; −1: it never fails.
  int batchesBeforeFailure = -1;
};

std::unique_ptr<SharedDevice> makeStandInDevice(const StandInSpec& spec);

}  // namespace clusterloom
