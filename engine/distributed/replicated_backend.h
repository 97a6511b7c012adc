#pragma once

#include <memory>
#include <vector>

#include "engine/backend.h"
#include "engine/hybrid/shared_device.h"

namespace clusterloom {

/// One device of a replicated backend: for query sets of a kept index, and for whole runs.
struct ReplicatedDevice {
  std::unique_ptr<SharedDevice> device;
  std::unique_ptr<Backend> alone;
};

struct ReplicatedOptions {
  /// 0: kSetsPerRank (engine/distributed/plan.h) for each device in a fixed deal, also one of
  /// single queries; in a queue as many as needed, of decreasing work.
  std::uint32_t querySets = 0;
  Deal deal = Deal::Queue;
  int threadsEach = 0;  ///< as ReplicatedSetup
};

/// The backend "replicated" [Gowanlock 2019, §6.2]: devices that share each join, every one of them
/// with the whole cloud, by the full or tile pattern, of one cloud or two. Counts, pairs and
/// neighbour tables are dealt by query sets of one index on each device, unless the devices have a
/// faster way to count a part each and neither sets nor deal are given; a histogram is dealt as
/// one selection of the queries for each device, whose bins are added. Lowest labels, DBSCAN and
/// the load of warps are done by the first device alone. There is at least one device.
std::unique_ptr<Backend> makeReplicatedBackend(std::vector<ReplicatedDevice> devices,
                                               const ReplicatedOptions& options);

}  // namespace clusterloom
