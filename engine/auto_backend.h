#pragma once

#include <functional>
#include <memory>

#include "engine/backend.h"

namespace clusterloom {

/// Makes the backend of a GPU, and starts the device, which takes time. An error where none
/// answers.
using DeviceMaker = std::function<Result<std::shared_ptr<const Backend>>()>;

/// The GPU when one answers, else the CPU, with the reason as its remark.
std::unique_ptr<Backend> withDevice(std::unique_ptr<Backend> cpu, const DeviceMaker& makeDevice);

/// The same for a program that ends after a few runs: the device is not started before a run needs
/// it. Until then the CPU does the runs that it finishes before a GPU would have started, as long
/// as their total time is below that of a start, and the runs by CPU methods. Questions about the
/// backend itself (name, limits, description, devices) start the device. Safe to use from several
/// threads at once.
std::unique_ptr<Backend> withLateDevice(std::unique_ptr<Backend> cpu, DeviceMaker makeDevice);

/// Whether the CPU finishes a join before a GPU has started.
bool joinBeforeStart(const JoinInput& input);
/// The same of DBSCAN.
bool dbscanBeforeStart(const JoinInput& input, const DbscanParams& params,
                       const Strategy& strategy);

}  // namespace clusterloom
