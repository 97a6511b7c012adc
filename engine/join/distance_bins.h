#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/result.h"
#include "engine/join/lane_program.h"

namespace clusterloom {

/// Equal bins of distance up to ε: bin i takes the pairs that a join at upper[i] finds and a join
/// at upper[i − 1] does not, by the same predicate, so that the sum of the bins up to i is the
/// number of pairs at ε = upper[i], exactly.
struct DistanceBins {
  static constexpr int kMost = 4096;
  std::vector<double> upper;    ///< ascending; the last is ε
  std::vector<double> squared;  ///< what squared distances are compared with
};

/// BadCall for an ε that `epsSquared` refuses, for bins that are not 1 … kMost, and where ε is so
/// small that the square of the first edge is not a normal number.
Result<DistanceBins> makeDistanceBins(double eps, int bins);

/// Counts ordered pairs by distance. Written over the lane, for CPU and GPU. Several copies of the
/// bins keep lanes from waiting for each other.
template <class Lane>
struct LaneHistogramSink {
  static constexpr std::uint32_t kCopies = 64;

  // The join view's.
  const double* columns[kMaxGridDims] = {};
  int dims = 0;
  Metric metric = Metric::Euclidean;
  const double* squared = nullptr;  ///< DistanceBins::squared
  std::uint32_t bins = 0;
  std::uint64_t* counts = nullptr;  ///< kCopies rows of `bins`, zero before

  CLUSTERLOOM_LANE void begin(std::uint32_t, std::uint32_t) {}
  CLUSTERLOOM_LANE bool hit(std::uint32_t p, std::uint32_t q) {
    const double square =
        squaredLength(metric, dims, [&](int j) { return columns[j][p] - columns[j][q]; });
    const std::uint32_t bin = lowerBound(squared, std::uint32_t{0}, bins - 1, square);
    Lane{}.add(counts + (p % kCopies) * bins + bin, std::uint64_t{1});
    return false;
  }
  template <class Group>
  CLUSTERLOOM_LANE void finish(Lane&, const Group&) {}
  void finish(std::uint32_t) {}
};

/// A sink over `view` that writes to `counts`, both in the memory of the lane's processor.
template <class Lane>
LaneHistogramSink<Lane> histogramSink(const JoinView& view, const double* squared,
                                      std::uint32_t bins, std::uint64_t* counts) {
  LaneHistogramSink<Lane> sink;
  for (int j = 0; j < view.dims; ++j) sink.columns[j] = view.columns[j];
  sink.dims = view.dims;
  sink.metric = view.metric;
  sink.squared = squared;
  sink.bins = bins;
  sink.counts = counts;
  return sink;
}

/// Adds up the copies.
std::vector<std::uint64_t> sumOfCopies(const std::vector<std::uint64_t>& counts, std::size_t bins);

}  // namespace clusterloom
