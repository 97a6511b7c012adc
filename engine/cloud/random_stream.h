#pragma once

#include <cstdint>

namespace clusterloom {

/// Random numbers for generated clouds: SplitMix64 started from (seed, stream). Each point draws
/// from its own stream, so point i does not depend on how many points are made, nor on their order.
/// The same on every machine and library.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, std::uint64_t stream);

  /// 64 random bits.
  std::uint64_t bits();
  /// Uniform in [0, 1), a multiple of 2^-53.
  double uniform();
  /// Uniform in [low, high).
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// Uniform in 0 … count − 1.
  std::uint32_t below(std::uint32_t count);
  /// Exponential with rate 1.
  double exponential();
  /// Normal with mean 0 and variance 1 (Marsaglia's polar method).
  double normal();

 private:
  std::uint64_t state_;
  double spare_ = 0.0;
  bool hasSpare_ = false;
};

}  // namespace clusterloom
