#include "engine/cloud/random_stream.h"

#include <cmath>

#include "engine/cloud/plain_math.h"
#include "engine/core/mixed_bits.h"

namespace clusterloom {

namespace {

constexpr std::uint64_t kGoldenGamma = 0x9e3779b97f4a7c15ULL;

}  // namespace

RandomStream::RandomStream(std::uint64_t seed, std::uint64_t stream)
    // Mixed twice: neighbouring seeds and streams must not land on neighbouring states.
    : state_(mixedBits(mixedBits(seed + kGoldenGamma) ^ (stream * kGoldenGamma + 1))) {}

std::uint64_t RandomStream::bits() {
  state_ += kGoldenGamma;
  return mixedBits(state_);
}

double RandomStream::uniform() { return double(bits() >> 11) * 0x1p-53; }

std::uint32_t RandomStream::below(std::uint32_t count) {
  return std::uint32_t(((bits() >> 32) * count) >> 32);
}

double RandomStream::exponential() { return -plainLog(1.0 - uniform()); }

double RandomStream::normal() {
  if (hasSpare_) {
    hasSpare_ = false;
    return spare_;
  }
  for (;;) {
    const double x = 2.0 * uniform() - 1.0;
    const double y = 2.0 * uniform() - 1.0;
    const double s = x * x + y * y;
    if (s >= 1.0 || s == 0.0) continue;
    const double factor = std::sqrt(-2.0 * plainLog(s) / s);
    spare_ = y * factor;
    hasSpare_ = true;
    return x * factor;
  }
}

}  // namespace clusterloom
