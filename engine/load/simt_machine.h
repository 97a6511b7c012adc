#pragma once

#include <string>

namespace clusterloom {

/// The GPU that is modelled. Default: an H200, and the three streams of the papers.
struct SimtMachine {
  int multiprocessors = 132;
  int warpsPerMultiprocessor = 64;  ///< resident at once
  int streams = 3;                  ///< batches in flight, where the strategy does not set it

  int warpSlots() const { return multiprocessors * warpsPerMultiprocessor; }
  friend bool operator==(const SimtMachine&, const SimtMachine&) = default;
};

/// "H200" where multiprocessors and warps are those of one, else "GPU".
inline std::string nameOf(const SimtMachine& machine) {
  const SimtMachine h200;
  const bool same = machine.multiprocessors == h200.multiprocessors &&
                    machine.warpsPerMultiprocessor == h200.warpsPerMultiprocessor;
  return same ? "H200" : "GPU";
}

}  // namespace clusterloom
