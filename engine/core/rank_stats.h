#pragma once

#include <cstdint>
#include <string>

namespace clusterloom {

/// What one rank or device did in a run that several share. Seconds.
struct RankStats {
  std::string name;              ///< its machine or device
  double index = 0;              ///< building indexes
  double join = 0;               ///< joining
  double waiting = 0;            ///< for points that were not there yet, or for other ranks
  double end = 0;                ///< when it was done, since the run began
  std::uint64_t points = 0;      ///< that it had as queries
  std::uint64_t candidates = 0;  ///< of these
  std::uint64_t batches = 0;     ///< rounds of a ring, or query sets
  std::uint64_t bytesSent = 0;
};

}  // namespace clusterloom
