#include "engine/cuda/product/rounded_cloud.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>

#include "engine/cuda/product/byte_squares.cuh"
#include "engine/cuda/runtime/device_algorithms.h"
#include "engine/cuda/runtime/launch.h"
#include "engine/product/rounded_points.h"

namespace clusterloom {
namespace {

constexpr unsigned kRows = 32;   ///< points of a block that rounds
constexpr unsigned kWarps = 8;   ///< of such a block
constexpr unsigned kChunk = 64;  ///< dimensions at a time

struct Columns {
  const double* first = nullptr;
  std::size_t stride = 0;
  std::uint32_t size = 0;
  std::uint32_t dims = 0;
  __device__ double at(std::uint32_t j, std::uint32_t p) const { return first[j * stride + p]; }
};

Columns columnsOf(const DeviceCloud& cloud) {
  return {cloud.column(0), cloud.stride(), std::uint32_t(cloud.size), std::uint32_t(cloud.dims)};
}

// Of a block of 256 threads; right in thread 0.
template <class Combine>
__device__ double overBlock(double value, const Combine& combine) {
  __shared__ double parts[256];
  parts[threadIdx.x] = value;
  __syncthreads();
  for (unsigned half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half)
      parts[threadIdx.x] = combine(parts[threadIdx.x], parts[threadIdx.x + half]);
    __syncthreads();
  }
  const double all = parts[0];
  __syncthreads();
  return all;
}

// One block a dimension. Each cloud adds its share of the mean of all.
__global__ void addMeans(const __grid_constant__ Columns cloud, double points, double* centre) {
  double mine = 0;
  for (std::uint32_t p = threadIdx.x; p < cloud.size; p += blockDim.x)
    mine += cloud.at(blockIdx.x, p) / points;
  const double all = overBlock(mine, [](double a, double b) { return a + b; });
  if (threadIdx.x == 0) centre[blockIdx.x] += all;
}

// The largest |x − c| of each dimension; +∞ where a difference overflows.
__global__ void largestOffsets(const __grid_constant__ Columns cloud, const double* centre,
                               double* largest) {
  double mine = 0;
  for (std::uint32_t p = threadIdx.x; p < cloud.size; p += blockDim.x)
    mine = fmax(mine, fabs(cloud.at(blockIdx.x, p) - centre[blockIdx.x]));
  const double all = overBlock(mine, [](double a, double b) { return fmax(a, b); });
  if (threadIdx.x == 0) largest[blockIdx.x] = fmax(largest[blockIdx.x], all);
}

// The largest squared distance of a point from the centre, in units: its bits order as it does.
__global__ void largestNorm(const __grid_constant__ Columns cloud, const double* centre,
                            double unit, unsigned long long* largest) {
  double most = 0;
  for (std::size_t p = threadNumber(); p < cloud.size; p += std::size_t(gridDim.x) * blockDim.x) {
    double sum = 0;
    for (std::uint32_t j = 0; j < cloud.dims; ++j) {
      const double share = (cloud.at(j, std::uint32_t(p)) - centre[j]) / unit;
      sum += share * share;
    }
    most = fmax(most, sum);
  }
  const double all = overBlock(most, [](double a, double b) { return fmax(a, b); });
  if (threadIdx.x == 0)
    atomicMax(largest, static_cast<unsigned long long>(__double_as_longlong(all)));
}

struct RoundedRowsView {
  std::uint32_t width = 0;
  double* errors = nullptr;       ///< by position
  std::int32_t* norms = nullptr;  ///< of bytes, by position; of words what their sums begin with
};

// Rounds the points of 32 positions; a warp takes every eighth dimension and writes whole rows.
template <class Value>
__global__ void __launch_bounds__(kRows* kWarps)
    roundRows(const __grid_constant__ Columns cloud, const std::uint32_t* pointIds,
              const double* centre, double scale, const __grid_constant__ RoundedRowsView to,
              Value* rows) {
  __shared__ Value chunk[kRows][kChunk + 4];
  __shared__ double squares[kWarps][kRows];
  __shared__ std::int32_t norms[kWarps][kRows];
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  const std::uint32_t first = blockIdx.x * kRows;
  const std::uint32_t position = first + lane;
  const bool here = position < cloud.size;
  const std::uint32_t point = !here ? 0 : pointIds != nullptr ? pointIds[position] : position;
  double square = 0;
  std::int32_t norm = 0;
  for (std::uint32_t from = 0; from < to.width; from += kChunk) {
    for (unsigned c = warp; c < kChunk; c += kWarps) {
      const std::uint32_t j = from + c;
      std::int32_t value = 0;
      if (here && j < cloud.dims && scale != 0)
        value = roundedCoordinate(cloud.at(j, point), centre[j], scale, square);
      chunk[lane][c] = static_cast<Value>(value);
      norm += value * value;
    }
    __syncthreads();
    const unsigned used = min(kChunk, to.width - from);
    for (unsigned e = threadIdx.x; e < kRows * used; e += kRows * kWarps)
      rows[std::size_t(first + e / used) * to.width + from + e % used] = chunk[e / used][e % used];
    __syncthreads();
  }
  squares[warp][lane] = square;
  norms[warp][lane] = norm;
  __syncthreads();
  if (warp != 0) return;
  for (unsigned w = 1; w < kWarps; ++w) {
    square += squares[w][lane];
    norm += norms[w][lane];
  }
  to.errors[position] = !here        ? 0
                        : scale == 0 ? __longlong_as_double(0x7ff0000000000000LL)
                                     : sqrt(square) * (1 + kReachMargin);
  if (!here) norm = kNormOfNobody;
  to.norms[position] = std::is_same_v<Value, std::int8_t> ? norm : startOfWords(norm);
}

// Copies rows `from[i]` of bytes, and their norms.
__global__ void gatherRows(const std::int8_t* rows, const std::int32_t* norms,
                           const std::uint32_t* from, std::uint32_t width, std::int8_t* to,
                           std::int32_t* normsTo) {
  const std::size_t row = from[blockIdx.x];
  for (std::uint32_t j = threadIdx.x; j < width; j += blockDim.x)
    to[std::size_t(blockIdx.x) * width + j] = rows[row * width + j];
  if (threadIdx.x == 0) normsTo[blockIdx.x] = norms[row];
}

// The nearest pivot of each point, with its squared distance above it.
__global__ void __launch_bounds__(kSquaresThreads)
    nearestPivots(const __grid_constant__ ByteRows points, std::uint32_t firstPoint,
                  const __grid_constant__ ByteRows pivots, std::uint32_t width,
                  unsigned long long* nearest) {
  std::int32_t squares[4][4];
  byteSquares(points, firstPoint, pivots, 0, width, squares);
  for (unsigned r = 0; r < 4; ++r) {
    unsigned long long best = ~0ULL;
    for (unsigned i = 0; i < 4; ++i) {
      const std::uint32_t pivot = blockIdx.x * kSquaresSide + threadIdx.x % 16 + 16 * i;
      if (pivot < pivots.count)
        best = min(best, static_cast<unsigned long long>(squares[r][i]) << 32 | pivot);
    }
    for (int apart = 8; apart > 0; apart /= 2)
      best = min(best, __shfl_xor_sync(0xffffffffU, best, apart));
    const std::uint32_t p = firstPoint + blockIdx.y * kSquaresSide + threadIdx.x / 16 * 4 + r;
    if (threadIdx.x % 16 == 0 && p < points.count) atomicMin(nearest + p, best);
  }
}

__global__ void takePivots(const unsigned long long* nearest, std::uint32_t* keys,
                           std::uint32_t* pointIds, std::uint32_t n) {
  const std::size_t p = threadNumber();
  if (p >= n) return;
  if (nearest != nullptr) keys[p] = std::uint32_t(nearest[p]);
  pointIds[p] = std::uint32_t(p);
}

// The ball of a tile: any whole point near the middle is a centre, and distances from it are exact.
__global__ void __launch_bounds__(kProductTile)
    tileBalls(const std::int8_t* bytes, const double* errors, std::uint32_t size,
              std::uint32_t width, std::int8_t* centres, std::int32_t* centreNorms, double* radii,
              double* tileErrors) {
  __shared__ std::int32_t mostSquared;
  __shared__ std::int32_t norm;
  __shared__ unsigned long long mostError;
  const std::uint32_t first = blockIdx.x * kProductTile;
  const std::uint32_t count = min(kProductTile, size - first);
  const std::int8_t* const rows = bytes + std::size_t(first) * width;
  std::int8_t* const centre = centres + std::size_t(blockIdx.x) * width;
  if (threadIdx.x == 0) {
    mostSquared = 0;
    norm = 0;
    mostError = 0;
  }
  __syncthreads();
  std::int32_t mine = 0;
  for (std::uint32_t j = threadIdx.x; j < width; j += kProductTile) {
    std::int32_t sum = 0;
    for (std::uint32_t p = 0; p < count; ++p) sum += rows[std::size_t(p) * width + j];
    const std::int32_t value = sum / std::int32_t(count);
    centre[j] = std::int8_t(value);
    mine += value * value;
  }
  atomicAdd(&norm, mine);
  __syncthreads();
  if (threadIdx.x < count) {
    const std::int8_t* const row = rows + std::size_t(threadIdx.x) * width;
    std::int32_t square = 0;
    for (std::uint32_t j = 0; j < width; ++j) {
      const std::int32_t difference = row[j] - centre[j];
      square += difference * difference;
    }
    atomicMax(&mostSquared, square);
    atomicMax(&mostError,
              static_cast<unsigned long long>(__double_as_longlong(errors[first + threadIdx.x])));
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  centreNorms[blockIdx.x] = norm;
  radii[blockIdx.x] = sqrt(double(mostSquared)) * (1 + kReachMargin);
  tileErrors[blockIdx.x] = __longlong_as_double(static_cast<long long>(mostError));
}

__global__ void splitRows(const std::int16_t* words, std::uint32_t wordWidth, std::size_t count,
                          std::uint32_t half, const std::int32_t* starts, std::int8_t* bytes,
                          std::int32_t* parts) {
  const std::size_t i = threadNumber();
  if (i >= count) return;
  const std::size_t p = i / half;
  const std::uint32_t j = std::uint32_t(i % half);
  const std::int32_t word = j < wordWidth ? words[p * wordWidth + j] : 0;
  bytes[p * 2 * half + j] = std::int8_t(highByte(word));
  bytes[(p * 2 + 1) * half + j] = std::int8_t(lowByte(word));
  if (j == 0) parts[p] = partOfColumn(starts[p]);
}

template <class Value>
void roundAll(GpuRun& run, const RoundedCloud& to, const DeviceRounding& rounding, bool inOrder,
              std::uint32_t width, double* errors, std::int32_t* norms, Value* rows) {
  roundRows<Value><<<to.tiles*(kProductTile / kRows), kRows * kWarps, 0, run.stream()>>>(
      columnsOf(*to.cloud), inOrder ? to.pointIds.data() : nullptr, rounding.centre.data(),
      std::is_same_v<Value, std::int8_t> ? rounding.byteScale : rounding.wordScale,
      RoundedRowsView{width, errors, norms}, rows);
  CUDA_CHECK_LAUNCH();
}

/// An order of the rows of bytes in which near ones follow each other; waits.
std::vector<std::uint32_t> orderOfRows(GpuRun& run, const DeviceBuffer<std::int8_t>& rows,
                                       std::uint32_t count, std::uint32_t width) {
  std::vector<std::int8_t> there(rows.size());
  rows.download(there);
  run.wait();
  PointCloud cloud;
  cloud.columns.assign(width, std::vector<double>(count));
  for (std::uint32_t p = 0; p < count; ++p)
    for (std::uint32_t j = 0; j < width; ++j)
      cloud.columns[j][p] = there[std::size_t(p) * width + j];
  const PointCloud* const clouds[] = {&cloud};
  auto rounded = roundPoints(cloud, roundingFor(clouds, run.task()), run.task(), 0);
  if (!rounded) throw CudaStopped{};
  return std::move(rounded->pointIds);
}

/// Groups the points by the nearest of some of them, the pivots, which are in an order of their
/// own. The bytes are those of the points in their own order.
void orderPoints(GpuRun& run, RoundedCloud& rounded) {
  constexpr std::uint32_t kMostPivots = 4096;
  const Lease lease = run.lease();
  const std::uint32_t n = rounded.size;
  const std::uint32_t width = rounded.byteWidth;
  const std::uint32_t pivots = std::min(kMostPivots, n / kProductTile);
  std::vector<std::uint32_t> chosen(pivots);
  for (std::uint32_t i = 0; i < pivots; ++i)
    chosen[i] = std::uint32_t(std::uint64_t{n} * i / pivots);
  DeviceBuffer<std::uint32_t> from(lease, pivots);
  DeviceBuffer<std::int8_t> rows(lease, std::size_t{pivots} * width);
  DeviceBuffer<std::int32_t> norms(lease, pivots);
  const auto gather = [&] {
    from.upload(chosen);
    gatherRows<<<pivots, 128, 0, run.stream()>>>(rounded.bytes.data(), rounded.norms.data(),
                                                 from.data(), width, rows.data(), norms.data());
    CUDA_CHECK_LAUNCH();
  };
  gather();
  const std::vector<std::uint32_t> order = orderOfRows(run, rows, pivots, width);
  std::vector<std::uint32_t> ordered(pivots);
  for (std::uint32_t i = 0; i < pivots; ++i) ordered[i] = chosen[order[i]];
  chosen = std::move(ordered);
  gather();

  DeviceBuffer<std::uint64_t> nearest(lease, n);
  nearest.fillBytes(0xff);
  const ByteRows points{rounded.bytes.data(), rounded.norms.data(), n};
  constexpr std::uint32_t kMostBlocks = 1U << 15;  // of the y axis, at most 65,535
  for (std::uint32_t first = 0; first < n; first += kMostBlocks * kSquaresSide) {
    const dim3 blocks(blocksFor(pivots, kSquaresSide),
                      std::min(kMostBlocks, blocksFor(n - first, kSquaresSide)));
    nearestPivots<<<blocks, kSquaresThreads, 0, run.stream()>>>(
        points, first, {rows.data(), norms.data(), pivots}, width,
        reinterpret_cast<unsigned long long*>(nearest.data()));
    CUDA_CHECK_LAUNCH();
  }
  DeviceBuffer<std::uint32_t> keys(lease, n);
  takePivots<<<blocksFor(n), kBlockSize, 0, run.stream()>>>(
      reinterpret_cast<const unsigned long long*>(nearest.data()), keys.data(),
      rounded.pointIds.data(), n);
  CUDA_CHECK_LAUNCH();
  sortByKey(lease, keys, rounded.pointIds, int(std::bit_width(pivots)));
  run.wait();  // the host's ids of the pivots end here
}

}  // namespace

DeviceRounding deviceRounding(GpuRun& run, const std::vector<const DeviceCloud*>& clouds) {
  const std::size_t dims = clouds.front()->dims;
  const auto blocks = unsigned(dims);
  double points = 0;
  for (const DeviceCloud* cloud : clouds) points += double(cloud->size);
  DeviceRounding rounding;
  rounding.centre = DeviceBuffer<double>(run.lease(), dims);
  rounding.centre.fillBytes(0);
  DeviceBuffer<double> offsets(run.lease(), dims);
  offsets.fillBytes(0);
  for (const DeviceCloud* cloud : clouds) {
    addMeans<<<blocks, 256, 0, run.stream()>>>(columnsOf(*cloud), points, rounding.centre.data());
    CUDA_CHECK_LAUNCH();
  }
  for (const DeviceCloud* cloud : clouds) {
    largestOffsets<<<blocks, 256, 0, run.stream()>>>(columnsOf(*cloud), rounding.centre.data(),
                                                     offsets.data());
    CUDA_CHECK_LAUNCH();
  }
  std::vector<double> largest(dims);
  offsets.download(largest);
  run.wait();
  const double unit = *std::max_element(largest.begin(), largest.end());
  if (!std::isfinite(unit)) return rounding;
  DeviceBuffer<unsigned long long> norm(run.lease(), 1);
  norm.fillBytes(0);
  if (unit > 0)
    for (const DeviceCloud* cloud : clouds) {
      largestNorm<<<std::min(blocksFor(cloud->size), 2048U), 256, 0, run.stream()>>>(
          columnsOf(*cloud), rounding.centre.data(), unit, norm.data());
      CUDA_CHECK_LAUNCH();
    }
  const std::uint64_t bits = run.read(norm);
  rounding.byteScale = unit == 0 ? 1.0 : std::min(kLargestByte / unit, 1e300);
  rounding.wordScale =
      scaleOfNorm(unit * std::sqrt(std::bit_cast<double>(bits)) * (1 + kReachMargin), dims);
  return rounding;
}

RoundedCloud roundOnDevice(GpuRun& run, std::shared_ptr<const DeviceCloud> cloud,
                           const DeviceRounding& rounding) {
  // Less is multiplied at once in any order.
  constexpr std::uint32_t kWorthOrder = 4096;
  const Lease lease = run.lease();
  RoundedCloud rounded;
  rounded.cloud = std::move(cloud);
  rounded.size = std::uint32_t(rounded.cloud->size);
  rounded.tiles = (rounded.size + kProductTile - 1) / kProductTile;
  const auto dims = std::uint32_t(rounded.cloud->dims);
  rounded.byteWidth = dims <= 32 ? 32 : (dims + 63) / 64 * 64;
  rounded.wordWidth = (dims + 7) / 8 * 8;
  const std::size_t places = std::size_t{rounded.tiles} * kProductTile;
  rounded.pointIds = DeviceBuffer<std::uint32_t>(lease, rounded.size);
  rounded.bytes = DeviceBuffer<std::int8_t>(lease, places * rounded.byteWidth);
  rounded.norms = DeviceBuffer<std::int32_t>(lease, places);
  rounded.words = DeviceBuffer<std::int16_t>(lease, places * rounded.wordWidth);
  rounded.wordErrors = DeviceBuffer<double>(lease, places);
  rounded.wordStarts = DeviceBuffer<std::int32_t>(lease, places);
  rounded.tileErrors = DeviceBuffer<double>(lease, rounded.tiles);
  rounded.radii = DeviceBuffer<double>(lease, rounded.tiles);
  rounded.centres =
      DeviceBuffer<std::int8_t>(lease, std::size_t{rounded.tiles} * rounded.byteWidth);
  rounded.centreNorms = DeviceBuffer<std::int32_t>(lease, rounded.tiles);
  if (rounded.size >= kWorthOrder) {
    DeviceBuffer<double> byteErrors(lease, places);
    roundAll(run, rounded, rounding, false, rounded.byteWidth, byteErrors.data(),
             rounded.norms.data(), rounded.bytes.data());
    orderPoints(run, rounded);
  } else {
    takePivots<<<blocksFor(rounded.size), kBlockSize, 0, run.stream()>>>(
        nullptr, nullptr, rounded.pointIds.data(), rounded.size);
    CUDA_CHECK_LAUNCH();
  }
  roundInOrder(run, rounded, rounding);
  return rounded;
}

void splitWords(GpuRun& run, RoundedCloud& rounded) {
  const std::uint32_t half = widthOfWordBytes(rounded.cloud->dims) / 2;
  const std::size_t words = std::size_t{rounded.tiles} * kProductTile * half;
  rounded.wordBytes = DeviceBuffer<std::int8_t>(run.lease(), 2 * words);
  rounded.wordParts = DeviceBuffer<std::int32_t>(run.lease(), words / half);
  splitRows<<<blocksFor(words), kBlockSize, 0, run.stream()>>>(
      rounded.words.data(), rounded.wordWidth, words, half, rounded.wordStarts.data(),
      rounded.wordBytes.data(), rounded.wordParts.data());
  CUDA_CHECK_LAUNCH();
}

void roundInOrder(GpuRun& run, RoundedCloud& rounded, const DeviceRounding& rounding) {
  DeviceBuffer<double> byteErrors(run.lease(), std::size_t{rounded.tiles} * kProductTile);
  roundAll(run, rounded, rounding, true, rounded.byteWidth, byteErrors.data(), rounded.norms.data(),
           rounded.bytes.data());
  roundAll(run, rounded, rounding, true, rounded.wordWidth, rounded.wordErrors.data(),
           rounded.wordStarts.data(), rounded.words.data());
  tileBalls<<<rounded.tiles, kProductTile, 0, run.stream()>>>(
      rounded.bytes.data(), byteErrors.data(), rounded.size, rounded.byteWidth,
      rounded.centres.data(), rounded.centreNorms.data(), rounded.radii.data(),
      rounded.tileErrors.data());
  CUDA_CHECK_LAUNCH();
}

}  // namespace clusterloom
