#include "engine/cuda/join/kernels/all_pairs.h"

#include "engine/cuda/join/kernels/all_pairs_kernel.cuh"
#include "engine/cuda/runtime/device_algorithms.h"

namespace clusterloom {
namespace {

struct CountWork {
  std::uint32_t* counts;
  __device__ bool wanted(std::uint32_t) const { return true; }
  __device__ NeighbourCounter start(std::uint32_t p) const { return {counts[p]}; }
  __device__ void finish(std::uint32_t p, const NeighbourCounter& counter) const {
    counts[p] = counter.count;
  }
};

struct ListWork {
  RowsToFill rows;
  std::uint32_t* filled;  // by row, from earlier launches
  __device__ bool wanted(std::uint32_t) const { return true; }
  __device__ RowFiller start(std::uint32_t p) const {
    return {rows.table + (rows.firstEdge[p] - rows.firstOfAll), rows.counts[p],
            filled[p - rows.begin]};
  }
  __device__ void finish(std::uint32_t p, const RowFiller& row) const {
    filled[p - rows.begin] = row.filled;
  }
};

std::shared_ptr<const DeviceCloud> allPoints(GpuRun& run, const JoinInput& input) {
  if (!input.twoClouds) return pointsOnDevice(run, input);
  DeviceCloud there;
  there.size = input.points.size() + input.queries.size();
  there.dims = input.points.dims();
  there.host = &input.points;
  there.coordinates = DeviceBuffer<double>(run.lease(), there.size * there.dims);
  for (std::size_t j = 0; j < there.dims; ++j) {
    there.coordinates.upload(input.points.column(j), j * there.size);
    there.coordinates.upload(input.queries.column(j), j * there.size + input.points.size());
  }
  return std::make_shared<const DeviceCloud>(std::move(there));
}

}  // namespace

AllPairsRun::AllPairsRun(GpuRun& gpuRun, const JoinInput& input, double squaredEps,
                         CandidateAccess how, unsigned mostThreads)
    : run(gpuRun),
      cloud(allPoints(gpuRun, input)),
      access(how),
      largestBlock(mostThreads),
      calculations(gpuRun.lease(), 1) {
  all = {.points = {cloud->column(0), cloud->size},
         .size = std::uint32_t(cloud->size),
         .dims = std::uint32_t(cloud->dims),
         .squaredEps = squaredEps};
  candidates = std::uint32_t(input.points.size());
  queries = {input.twoClouds ? candidates : 0, all.size};
  calculations.fillBytes(0);
}

AllPairsShape allPairsShape(const AllPairsRun& join) {
  int most = 0;
  CUDA_CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin,
                                    join.run.device().id()));
  const std::size_t bytesAThread = sharedBytesAThread(join.all.dims, join.access);
  const std::size_t fit = std::size_t(most) / bytesAThread / 32 * 32;
  const auto block = unsigned(std::min<std::size_t>(join.largestBlock, fit));
  return {block, block * bytesAThread};
}

void countNeighbours(AllPairsRun& join, std::uint32_t* counts) {
  CUDA_CHECK(cudaMemsetAsync(counts, 0, join.all.size * sizeof *counts, join.run.stream()));
  runAllPairs(join, "count neighbours", "counting neighbours", join.queries, CountWork{counts});
}

void listNeighbours(AllPairsRun& join, const RowsToFill& rows) {
  DeviceBuffer<std::uint32_t> filled(join.run.lease(), rows.end - rows.begin);
  filled.fillBytes(0);
  runAllPairs(join, "list neighbours", "listing neighbours", {rows.begin, rows.end},
              ListWork{rows, filled.data()});
}

DeviceBuffer<std::uint64_t> rowOffsets(AllPairsRun& join,
                                       const DeviceBuffer<std::uint32_t>& counts) {
  DeviceBuffer<std::uint64_t> offsets(join.run.lease(), counts.size());
  exclusiveScan(join.run.lease(), counts.data(), offsets.data(), counts.size());
  return offsets;
}

std::uint64_t calculationsOf(AllPairsRun& join) { return join.run.read(join.calculations); }

}  // namespace clusterloom
