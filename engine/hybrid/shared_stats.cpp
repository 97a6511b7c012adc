#include "engine/hybrid/shared_stats.h"

#include <algorithm>
#include <cmath>

namespace clusterloom {

void summarise(SharedPass& pass, const OrderedQueries& queries) {
  std::sort(pass.batches.begin(), pass.batches.end(),
            [](const SharedBatch& a, const SharedBatch& b) {
              return a.start != b.start ? a.start < b.start : a.firstQuery < b.firstQuery;
            });
  pass.queries = queries.size();
  pass.order = queries.points;
  std::uint64_t gpuQueries = 0;
  std::uint64_t gpuCandidates = 0;
  for (const SharedBatch& batch : pass.batches) {
    double& end = batch.processor == Processor::Gpu ? pass.gpuEnd : pass.cpuEnd;
    end = std::max(end, batch.end);
    if (batch.processor != Processor::Gpu) continue;
    gpuQueries += batch.queries;
    gpuCandidates += batch.candidates;
  }
  if (pass.end() > 0) pass.imbalance = std::abs(pass.gpuEnd - pass.cpuEnd) / pass.end();
  if (pass.queries > 0) pass.gpuQueries = double(gpuQueries) / pass.queries;
  if (const std::uint64_t all = queries.candidatesBefore.back(); all > 0)
    pass.gpuCandidates = double(gpuCandidates) / double(all);
}

SideRates ratesOf(const SharedPass& pass, const OrderedQueries& queries) {
  double gpuWork = 0;
  double cpuWork = 0;
  double cpuSeconds = 0;
  int threads = 0;
  for (const SharedBatch& batch : pass.batches) {
    const double work =
        queries.workBefore(batch.firstQuery + batch.queries) - queries.workBefore(batch.firstQuery);
    if (batch.processor == Processor::Gpu) {
      gpuWork += work;
      continue;
    }
    cpuWork += work;
    cpuSeconds += batch.end - batch.start;
    threads = std::max(threads, batch.lane + 1);
  }
  return {pass.gpuEnd > 0 ? gpuWork / pass.gpuEnd : 0,
          cpuSeconds > 0 ? threads * cpuWork / cpuSeconds : 0};
}

}  // namespace clusterloom
