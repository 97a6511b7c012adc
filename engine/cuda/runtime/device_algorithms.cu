#include "engine/cuda/runtime/device_algorithms.h"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_sort.cuh>
#include <cub/device/device_select.cuh>

namespace clusterloom {
namespace {

// Each of the library's calls comes twice: once to say how much scratch memory it wants.
template <class Call>
void withScratch(const Lease& lease, const Call& call) {
  std::size_t bytes = 0;
  CUDA_CHECK(call(nullptr, bytes));
  DeviceBuffer<std::byte> scratch(lease, bytes + 1);
  CUDA_CHECK(call(scratch.data(), bytes));
}

template <class Key, class Sort>
void sortPairs(const Lease& lease, DeviceBuffer<Key>& keys, DeviceBuffer<std::uint32_t>& values,
               const Sort& sort) {
  DeviceBuffer<Key> otherKeys(lease, keys.size());
  DeviceBuffer<std::uint32_t> otherValues(lease, values.size());
  cub::DoubleBuffer<Key> k(keys.data(), otherKeys.data());
  cub::DoubleBuffer<std::uint32_t> v(values.data(), otherValues.data());
  withScratch(lease, [&](void* scratch, std::size_t& bytes) { return sort(scratch, bytes, k, v); });
  if (k.Current() != keys.data()) std::swap(keys, otherKeys);
  if (v.Current() != values.data()) std::swap(values, otherValues);
}

template <class Key>
void sortAscending(const Lease& lease, DeviceBuffer<Key>& keys, DeviceBuffer<std::uint32_t>& values,
                   int bits) {
  sortPairs(lease, keys, values, [&](void* scratch, std::size_t& bytes, auto& k, auto& v) {
    return cub::DeviceRadixSort::SortPairs(scratch, bytes, k, v, keys.size(), 0, bits,
                                           lease.stream);
  });
}

template <class Key>
void sortFirstKeys(const Lease& lease, DeviceBuffer<Key>& keys, std::size_t used, int bits) {
  DeviceBuffer<Key> other(lease, keys.size());
  cub::DoubleBuffer<Key> k(keys.data(), other.data());
  withScratch(lease, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(scratch, bytes, k, used, 0, bits, lease.stream);
  });
  if (k.Current() != keys.data()) std::swap(keys, other);
}

struct Widen {
  __host__ __device__ std::uint64_t operator()(std::uint32_t x) const { return x; }
};

struct Greater {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};

}  // namespace

void sortByKey(const Lease& lease, DeviceBuffer<std::uint32_t>& keys,
               DeviceBuffer<std::uint32_t>& values, int bits) {
  sortAscending(lease, keys, values, bits);
}

void sortByKey(const Lease& lease, DeviceBuffer<std::uint64_t>& keys,
               DeviceBuffer<std::uint32_t>& values, int bits) {
  sortAscending(lease, keys, values, bits);
}

void sortByKeyDescending(const Lease& lease, DeviceBuffer<std::uint64_t>& keys,
                         DeviceBuffer<std::uint32_t>& values, int bits) {
  sortPairs(lease, keys, values, [&](void* scratch, std::size_t& bytes, auto& k, auto& v) {
    return cub::DeviceRadixSort::SortPairsDescending(scratch, bytes, k, v, keys.size(), 0, bits,
                                                     lease.stream);
  });
}

void sortKeys(const Lease& lease, DeviceBuffer<std::uint32_t>& keys, int bits) {
  sortFirstKeys(lease, keys, keys.size(), bits);
}

void sortKeys(const Lease& lease, DeviceBuffer<std::uint64_t>& keys, std::size_t used, int bits) {
  sortFirstKeys(lease, keys, used, bits);
}

void sortRows(const Lease& lease, DeviceBuffer<std::uint32_t>& keys, std::size_t used,
              const std::uint64_t* start, std::size_t rows) {
  DeviceBuffer<std::uint32_t> other(lease, keys.size());
  cub::DoubleBuffer<std::uint32_t> k(keys.data(), other.data());
  withScratch(lease, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceSegmentedSort::SortKeys(scratch, bytes, k, std::int64_t(used),
                                              std::int64_t(rows), start, start + 1, lease.stream);
  });
  if (k.Current() != keys.data()) std::swap(keys, other);
}

void exclusiveScan(const Lease& lease, const std::uint32_t* in, std::uint32_t* out, std::size_t n) {
  withScratch(lease, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(scratch, bytes, in, out, n, lease.stream);
  });
}

void exclusiveScan(const Lease& lease, const std::uint32_t* in, std::uint64_t* out, std::size_t n) {
  const auto wide = thrust::make_transform_iterator(in, Widen{});
  withScratch(lease, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(scratch, bytes, wide, out, n, lease.stream);
  });
}

void runningMaximum(const Lease& lease, const std::uint32_t* in, std::uint32_t* out,
                    std::size_t n) {
  withScratch(lease, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceScan::InclusiveScan(scratch, bytes, in, out, Greater{}, n, lease.stream);
  });
}

void runningMaximum(const Lease& lease, const std::uint64_t* in, std::uint64_t* out,
                    std::size_t n) {
  withScratch(lease, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceScan::InclusiveScan(scratch, bytes, in, out, Greater{}, n, lease.stream);
  });
}

void selectFlagged(const Lease& lease, const std::uint8_t* flags, std::uint32_t* out,
                   std::uint32_t* count, std::size_t n) {
  const thrust::counting_iterator<std::uint32_t> all(0);
  withScratch(lease, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceSelect::Flagged(scratch, bytes, all, flags, out, count, n, lease.stream);
  });
}

void uniqueSorted(const Lease& lease, const std::uint32_t* in, std::uint32_t* out,
                  std::uint32_t* count, std::size_t n) {
  withScratch(lease, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceSelect::Unique(scratch, bytes, in, out, count, n, lease.stream);
  });
}

void sum(const Lease& lease, const std::uint32_t* in, std::uint64_t* out, std::size_t n) {
  const auto wide = thrust::make_transform_iterator(in, Widen{});
  withScratch(lease, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceReduce::Sum(scratch, bytes, wide, out, n, lease.stream);
  });
}

void sum(const Lease& lease, const std::uint64_t* in, std::uint64_t* out, std::size_t n) {
  withScratch(lease, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceReduce::Sum(scratch, bytes, in, out, n, lease.stream);
  });
}

}  // namespace clusterloom
