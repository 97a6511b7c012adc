#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/backend.h"
#include "engine/core/result.h"
#include "engine/distributed/distributed_dbscan.h"
#include "engine/distributed/local_communicator.h"

namespace clusterloom {

/// Makes a backend by its name: makeBackend, or a replacement in tests.
using MakeBackend = std::function<Result<std::unique_ptr<Backend>>(const std::string& name,
                                                                   const BackendOptions& options)>;

/// The result of ranks on devices for the parts of a cloud. The same on all ranks.
struct PartOnDevices {
  std::optional<DistributedClustering> answer;  ///< none where the run is not for them …
  std::string why = {};  ///< … a note, where they could do it with more memory
};

/// DBSCAN divided in space between ranks of this process whose points stay on their devices.
class RanksOnDevices {
 public:
  virtual ~RanksOnDevices() = default;
  /// As Backend::dbscan, with RunStats::ranks and owners. nullopt where they do not do this run:
  /// with strategies other than the fused DBSCAN, or where no work is needed.
  virtual Result<std::optional<Clustering>> dbscan(const JoinInput& input,
                                                   const DbscanParams& params,
                                                   const Strategy& strategy,
                                                   const Task& task) const = 0;
  /// As distributedDbscan, for each of as many ranks: rank r takes device r. No answer where they
  /// do not do this run: as above, or where a device has too little free memory.
  virtual Result<PartOnDevices> dbscanOfPart(Communicator& communicator, const PointCloud& part,
                                             const DbscanParams& params, const Strategy& strategy,
                                             const DistributedOptions& options,
                                             const Task& task) const = 0;
  /// How the ranks are to wait for each other.
  virtual LocalRankOptions rankOptions() const { return {}; }
};

/// DBSCAN of the part on the devices; where they do not do the run, or there are none (null), the
/// result of `onHost()`, with a note on the reason where devices could have done it. Collective.
Result<DistributedClustering> dbscanOfPart(
    const RanksOnDevices* onDevices, Communicator& communicator, const PointCloud& part,
    const DbscanParams& params, const Strategy& strategy, const DistributedOptions& options,
    const Task& task, const std::function<Result<DistributedClustering>()>& onHost);

/// The backends and devices of the ranks of one process.
struct LocalRanks {
  std::vector<std::unique_ptr<Backend>> backends;  ///< by rank
  int threadsEach = 1;
  std::vector<int> devices = {};  ///< the GPU of each rank; empty where some rank has none
  /// The same ranks with points on the devices; may be null.
  std::unique_ptr<RanksOnDevices> onDevices = nullptr;
};

/// Makes the backends of `options.ranks` ranks of one process; 0 or kRankADevice: one a device, at
/// least one. They share the threads evenly. Rank r takes device r mod g of the g devices that
/// `options` names, or, where it names none, of those that the backend could run on. Errors of
/// `make`, and BadCall for devices that are named twice or with a backend that does not run on one.
Result<LocalRanks> makeLocalRanks(const std::string& name, const BackendOptions& options,
                                  const MakeBackend& make);

/// The backend `whole`, but for DBSCAN, which is divided in space between ranks in this process
/// (engine/distributed/distributed_dbscan.h). The labels are the same. Each rank holds a copy of
/// its points beside the cloud. Where the ranks have devices, points stay on these if they can: a
/// run that fails there because memory is short or a device is lost is done through host memory,
/// and the note says so. RunStats::ranks says what each of them did. An error of a rank names it.
std::unique_ptr<Backend> makeDividedBackend(std::unique_ptr<Backend> whole, LocalRanks ranks);

}  // namespace clusterloom
