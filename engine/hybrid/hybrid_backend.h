#pragma once

#include <memory>

#include "engine/backend.h"
#include "engine/hybrid/shared_device.h"

namespace clusterloom {

/// The backend "hybrid" [Gallet 2020, §4]: CPU threads and a device share the queries of each join.
/// Counts, pairs, tables and the core test of DBSCAN are shared; the rest of DBSCAN, histograms and
/// lowest labels are done by the CPU. Self-joins by the full or tile pattern only. `threads`: of
/// the CPU, at least 1.
std::unique_ptr<Backend> makeHybridBackend(std::unique_ptr<SharedDevice> device, int threads);

}  // namespace clusterloom
