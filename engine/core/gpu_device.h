#pragma once

#include <string>

namespace clusterloom {

/// A GPU that a backend can run on.
struct GpuDevice {
  int number = 0;    ///< for BackendOptions::device
  std::string name;  ///< with its memory, for display
};

}  // namespace clusterloom
