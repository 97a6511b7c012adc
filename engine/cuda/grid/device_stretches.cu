#include "engine/cuda/grid/device_geometry.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "engine/cuda/runtime/device_algorithms.h"
#include "engine/cuda/runtime/gpu_phase.h"
#include "engine/cuda/runtime/launch.h"

namespace clusterloom {
namespace {

// Buckets of one length with the median in the middle, each with points a stretch. Values outside
// are rare, or the host's way is taken for all of them.
constexpr std::uint32_t kBuckets = 1U << 18;
// One point in kCountedOneIn is counted: the numbers only say where slices may be united.
constexpr std::uint32_t kCountedOneIn = 16;
// Values outside of a dimension that come with their number; more are copied in a second step.
constexpr std::size_t kFew = 64;
constexpr std::size_t kWords = GpuRun::kMailboxBytes / sizeof(double);

struct Dimension {
  const double* x;
  double begin;   // of the first bucket
  double* few;    // the first values outside …
  double* other;  // … and the others
};

struct Dimensions {
  static constexpr int kMost = 8;
  Dimension at[kMost];
};

// Marks the buckets of dimension blockIdx.y that hold points. Marks are looked at before they are
// set, from the cache that is nearest, since most are set already.
__global__ void markBuckets(const __grid_constant__ Dimensions dims, std::size_t n, double length,
                            std::uint8_t* filled, std::uint32_t* points,
                            std::uint32_t* outsideCount) {
  const std::size_t i = threadNumber();
  if (i >= n) return;
  const Dimension& dim = dims.at[blockIdx.y];
  const double x = dim.x[i];
  const double place = (x - dim.begin) / length;
  if (!(place >= 0 && place < kBuckets)) {
    const std::uint32_t at = atomicAdd(&outsideCount[blockIdx.y], 1);
    if (at < kFew)
      dim.few[at] = x;
    else
      dim.other[at - kFew] = x;
    return;
  }
  const std::uint32_t b = blockIdx.y * kBuckets + std::uint32_t(place);
  if (filled[b] == 0) filled[b] = 1;
  if (i % kCountedOneIn == 0) atomicAdd(&points[b], kCountedOneIn);
}

struct Found {
  std::uint32_t bucket;
  std::uint32_t points;
};

__global__ void collect(const std::uint32_t* points, const std::uint32_t* list,
                        const std::uint32_t* count, Found* found) {
  const std::size_t i = threadNumber();
  if (i < *count) found[i] = {list[i], points[list[i]]};
}

// The values of a bucket: place = fl(fl(x − begin) / length) is off by at most 2⁻³³ below 2¹⁸
// buckets, and an edge by that and a few units in its last place.
Stretch stretchOf(const Found& found, double begin, double length) {
  constexpr double kMax = std::numeric_limits<double>::max();
  const double b = found.bucket % kBuckets;
  const double low = begin + b * length;
  const double high = begin + (b + 1) * length;
  const double slack = length * 0x1p-30 + std::max(std::abs(low), std::abs(high)) * 0x1p-50;
  return {std::max(low - slack, -kMax), std::min(high + slack, kMax), std::max(found.points, 1U)};
}

// The median of some of the values of each dimension.
std::vector<double> middlesOf(GpuRun& run, const DeviceCloud& cloud, const std::vector<int>& dims) {
  constexpr std::size_t kAsked = 255;
  const std::size_t n = std::min(cloud.size, kAsked);
  std::vector<std::vector<double>> some;
  if (cloud.host == nullptr) {
    some = sampleOf(run, cloud, dims, n);
  } else {
    for (const int dim : dims) {
      const std::span<const double> values = cloud.host->column(std::size_t(dim));
      some.emplace_back(n);
      for (std::size_t i = 0; i < n; ++i) some.back()[i] = values[i * values.size() / n];
    }
  }
  std::vector<double> middles;
  for (auto& values : some) {
    const auto middle = values.begin() + std::ptrdiff_t(n / 2);
    std::nth_element(values.begin(), middle, values.end());
    middles.push_back(*middle);
  }
  return middles;
}

Result<std::vector<std::vector<Stretch>>> find(GpuRun& run, const DeviceCloud& cloud, double eps,
                                               const std::vector<int>& dims) {
  const GpuPhase phase("stretches");
  const Lease lease = run.lease();
  const std::size_t n = cloud.size;
  const double length = stretchLength(eps) * (1 - 0x1p-20);  // shorter, for the slack
  const auto count = std::uint32_t(dims.size());
  const std::uint32_t buckets = count * kBuckets;
  DeviceBuffer<double> fewOutside(lease, count * kFew);
  DeviceBuffer<double> otherOutside(lease, count * n);
  fewOutside.fillBytes(0);
  Dimensions there;
  const std::vector<double> middles = middlesOf(run, cloud, dims);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto dim = std::size_t(dims[i]);
    there.at[i] = {cloud.column(dim), middles[i] - length * (kBuckets / 2),
                   fewOutside.data() + i * kFew, otherOutside.data() + i * n};
  }
  DeviceBuffer<std::uint8_t> filled(lease, buckets);
  DeviceBuffer<std::uint32_t> points(lease, buckets);
  DeviceBuffer<std::uint32_t> counts(lease, 1 + count);  // buckets with points; points outside
  filled.fillBytes(0);
  points.fillBytes(0);
  counts.fillBytes(0);
  markBuckets<<<dim3(blocksFor(n), count), kBlockSize, 0, run.stream()>>>(
      there, n, length, filled.data(), points.data(), counts.data() + 1);
  CUDA_CHECK_LAUNCH();
  DeviceBuffer<std::uint32_t> list(lease, buckets);
  DeviceBuffer<Found> found(lease, buckets);
  selectFlagged(lease, filled.data(), list.data(), counts.data(), buckets);
  collect<<<blocksFor(buckets), kBlockSize, 0, run.stream()>>>(points.data(), list.data(),
                                                               counts.data(), found.data());
  CUDA_CHECK_LAUNCH();
  const auto sizes = run.mailbox<std::uint32_t>(1 + count);
  const auto few = run.mailbox<double>(kWords).subspan(kWords - count * kFew);
  counts.download(sizes);
  fewOutside.download(few);
  run.wait();

  std::vector<Found> inside(sizes[0]);
  found.download(inside);
  std::vector<std::vector<double>> far(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto values = few.subspan(i * kFew, kFew);
    const std::size_t first = std::min<std::size_t>(sizes[1 + i], kFew);
    far[i].resize(sizes[1 + i]);
    std::copy_n(values.begin(), first, far[i].begin());
    otherOutside.download(std::span(far[i]).subspan(first), i * n);
  }
  run.wait();

  std::vector<std::vector<Stretch>> all(count);
  auto next = inside.begin();
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto farther = stretchesOf(far[i], stretchLength(eps), run.task());
    if (!farther) return tl::unexpected(farther.error());
    for (; next != inside.end() && next->bucket / kBuckets == i; ++next)
      all[i].push_back(stretchOf(*next, there.at[i].begin, length));
    // Those from outside lie below and above the others.
    all[i].insert(all[i].end(), farther->begin(), farther->end());
    std::inplace_merge(all[i].begin(), all[i].end() - std::ptrdiff_t(farther->size()), all[i].end(),
                       [](const Stretch& a, const Stretch& b) { return a.low < b.low; });
  }
  return all;
}

}  // namespace

Stretches stretchesOf(GpuRun& run, const DeviceCloud& cloud, double eps) {
  return Stretches(
      [&run, &cloud, eps](const std::vector<int>& dims) { return find(run, cloud, eps, dims); });
}

}  // namespace clusterloom
