#pragma once

namespace clusterloom {

/// The GPU that is modelled. Default: an H200, and the three streams of the papers.
struct SimtMachine {
  int multiprocessors = 132;
  int warpsPerMultiprocessor = 64;  ///< resident at once
  int streams = 3;                  ///< batches in flight, where the strategy does not set it

  int warpSlots() const { return multiprocessors * warpsPerMultiprocessor; }
  friend bool operator==(const SimtMachine&, const SimtMachine&) = default;
};

}  // namespace clusterloom
