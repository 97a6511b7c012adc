#pragma once

#include <vector>

namespace loseDevice {

/// Takes what there is of device memory, but for crumbs, as long as it lives.
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
