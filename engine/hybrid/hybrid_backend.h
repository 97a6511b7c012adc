#pragma once

#include <memory>

#include "engine/backend.h"
#include "engine/hybrid/rate_memory.h"
#include "engine/hybrid/shared_device.h"

namespace clusterloom {

/// The backend hybrid [Gallet 2020, §4]: CPU threads and a device share the queries of each join,
/// by the full or tile pattern. Counts, pairs, tables and the core test of DBSCAN are shared.
///
/// `alone` is the device's own backend, where it has one. With the adaptive division the device
/// does a join alone, in its fastest way, where the expected speeds of both sides (rates of earlier
/// joins, else a sample and the device's own figure) show that sharing would not pay; likewise the
/// CPU. RunStats::sharing and the note have the decision. Not shared:
/// - DBSCAN by the adaptive division, which goes to the faster side: labelling after a shared core
///   test takes as long on one side as its whole fused DBSCAN, which needs no counts. Under the
///   other divisions the core test is shared, as in the paper, and the CPU does the rest.
/// - histograms and lowest labels, which go to the faster side, or to the CPU without `alone`: a
///   histogram is one result of all queries, which each side would keep and merge, and the lowest
///   labels belong to joins that take no longer than the order of their queries.
///
/// `threads`: of the CPU, at least 1. `rates`: of earlier joins, here and in earlier programs.
std::unique_ptr<Backend> makeHybridBackend(std::unique_ptr<SharedDevice> device, int threads,
                                           std::unique_ptr<Backend> alone = nullptr,
                                           std::unique_ptr<RateMemory> rates = nullptr);

}  // namespace clusterloom
