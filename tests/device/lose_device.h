#pragma once

#include <vector>

namespace loseDevice {

/// Holds nearly all device memory while it exists.
class Hog {
 public:
  Hog();
  ~Hog();
  Hog(const Hog&) = delete;
  Hog& operator=(const Hog&) = delete;
  bool took() const { return !blocks_.empty(); }

 private:
  std::vector<void*> blocks_;
};

/// A kernel that traps: from here on every CUDA call of this process fails.
void byTrap();

}  // namespace loseDevice
