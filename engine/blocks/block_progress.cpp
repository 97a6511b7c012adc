#include "engine/blocks/block_progress.h"

#include <algorithm>
#include <numeric>

namespace clusterloom {
namespace {

// Measured with 3 to 200 million points on two threads (tests/bench/RESULTS.md).
constexpr double kTextByte = 2.5;
constexpr double kPackedPointsByte = 20;
constexpr double kWrittenByte = 2;
constexpr double kClusteredByte = 10;
constexpr double kClusteredByteOnGpu = 1;
constexpr double kLabelledByte = 3;
constexpr double kRowCost = 14;

}  // namespace

double costOfByte(Format format) {
  switch (format) {
    case Format::Text: return kTextByte;
    case Format::Laz:
    case Format::Copc: return kPackedPointsByte;
    default: return 1;
  }
}

BlockProgress::BlockProgress(const BlockVolume& volume) { expect(BlockPass::Count, volume); }

void BlockProgress::expect(BlockPass from, const BlockVolume& volume) {
  const double inBlocks = volume.blockBytes + volume.queryBytes;
  const std::array<double, kPasses> costs{
      volume.fileBytes, volume.fileBytes + kWrittenByte * inBlocks,
      volume.blockBytes * (volume.onGpu ? kClusteredByteOnGpu : kClusteredByte),
      volume.queryBytes > 0 ? volume.blockBytes + kLabelledByte * volume.queryBytes : 0,
      kRowCost * volume.rows};
  const auto first = std::size_t(from);
  const double begin = begins_[first];
  const double all = std::accumulate(costs.begin() + first, costs.end(), 0.0);
  double done = 0;
  for (std::size_t pass = first; pass < kPasses; ++pass) {
    done += costs[pass];
    begins_[pass + 1] = all > 0 ? std::min(begin + (1 - begin) * done / all, 1.0) : 1;
  }
}

double BlockProgress::at(BlockPass pass, double done) const {
  const double begin = begins_[std::size_t(pass)];
  return begin + (begins_[std::size_t(pass) + 1] - begin) * std::clamp(done, 0.0, 1.0);
}

}  // namespace clusterloom
