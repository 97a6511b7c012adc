#pragma once

#include <chrono>

namespace clusterloom {

/// Seconds since construction or the last `lap`.
class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  double lap() {
    const double elapsed = seconds();
    start_ = std::chrono::steady_clock::now();
    return elapsed;
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace clusterloom
