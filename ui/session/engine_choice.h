#pragma once

#include <QString>
#include <vector>

namespace clusterloom {

/// The backend, threads and devices of runs. The choice changes no label, so undo does not include
/// it.
struct EngineChoice {
  QString backend = QStringLiteral("auto");
  int threads = 0;  ///< 0: as many as the machine has
  int device = -1;  ///< number of the GPU; −1: the first that answers
  /// Ranks that divide DBSCAN between them in this process; 0: it is not divided.
  int ranks = 0;
  /// GPUs that the ranks take in turn, ascending (engine/distributed/divided_backend.h). GPUs
  /// without a number of ranks: one rank a GPU.
  std::vector<int> rankDevices;
  friend bool operator==(const EngineChoice&, const EngineChoice&) = default;
};

}  // namespace clusterloom
