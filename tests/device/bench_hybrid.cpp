// Joins by both processors on the clouds and ε grids of [Gallet 2020, table 2]: response time,
// candidates a second, imbalance, shares and transfers of HEGJoin-Dyn, -SQ, -SC and the adaptive
// division, beside each side alone. The pairs must be the same in every row of a cloud and ε; exit
// status 1 when they are not.
//
//   bench_hybrid [--clouds 2d2m,4d10m,…|2m|10m] [--steps 1-5] [--seconds S] [--repeat R]
//                [--threads N] [--pattern full|tile] [--rows gpu,one-batch,grid,ego,dyn,queries,
//                candidates,adaptive,shared,dyn-ego,adaptive-ego] [--table] [--json FILE]
//
// `gpu` is LBJoin: WORKQUEUE on three streams in batches of 5 · 10⁷ pairs; `one-batch` the same
// without batches, which counts need not have. `adaptive` may leave a run to one processor, which
// it says; `shared` is the adaptive division that never does. Step 5 is the largest ε. Times are
// medians of R runs after one that is not timed (GPU rows) and of one run for the CPU alone. No row
// is begun after S seconds.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "engine/backend.h"
#include "engine/core/stopwatch.h"
#include "engine/cuda/hybrid/shared_gpu.h"
#include "engine/hybrid/hybrid_backend.h"
#include "tests/device/paper_clouds.h"

using namespace clusterloom;

namespace {

struct EpsGrid {
  const char* name;
  std::size_t dims;
  std::size_t points;
  double lowest;
  double highest;
};

constexpr EpsGrid kGrids[] = {
    {"2d2m", 2, 2'000'000, .0004, .002},    {"3d2m", 3, 2'000'000, .001, .005},
    {"4d2m", 4, 2'000'000, .002, .01},      {"6d2m", 6, 2'000'000, .003, .015},
    {"8d2m", 8, 2'000'000, .003, .015},     {"2d10m", 2, 10'000'000, .00008, .0004},
    {"3d10m", 3, 10'000'000, .0003, .0015}, {"4d10m", 4, 10'000'000, .0008, .004},
    {"6d10m", 6, 10'000'000, .0016, .008},  {"8d10m", 8, 10'000'000, .0024, .012}};

struct Options {
  std::string clouds = "2m";
  int firstStep = 1;
  int lastStep = 5;
  double seconds = 500;
  int repeat = 3;
  int threads = 0;
  AccessPattern pattern = AccessPattern::Full;
  std::string rows = "gpu,one-batch,grid,ego,dyn,queries,candidates,adaptive";
  bool table = false;
  std::string json;
};

bool names(const std::string& list, const std::string& word) {
  return ("," + list + ",").find("," + word + ",") != std::string::npos;
}

bool wants(const Options& options, const EpsGrid& grid) {
  const std::string name = grid.name;
  return names(options.clouds, name) || names(options.clouds, name.substr(name.find('d') + 1));
}

struct Row {
  const char* name;
  const Backend* backend;
  Strategy strategy;
  bool cpuAlone = false;
};

struct Measured {
  double seconds = 0;  // response time, index and order included
  std::uint64_t pairs = 0;
  std::uint64_t candidates = 0;
  RunStats stats;
};

Result<Measured> once(const Row& row, const PointCloud& cloud, double eps, bool table) {
  const Stopwatch watch;
  Measured measured;
  if (table) {
    auto made = row.backend->neighbourTable(cloud, eps, row.strategy, {});
    if (!made) return tl::unexpected(made.error());
    measured.seconds = watch.seconds();
    measured.pairs = made->ids.size();
    measured.stats = std::move(made->stats);
  } else {
    auto counted = row.backend->count(cloud, eps, row.strategy, {});
    if (!counted) return tl::unexpected(counted.error());
    measured.seconds = watch.seconds();
    measured.pairs = counted->pairs;
    measured.candidates = counted->candidates;
    measured.stats = std::move(counted->stats);
  }
  return measured;
}

double transferShare(const RunStats& stats, double seconds) {
  double transfers = 0;
  int streams = 1;
  for (const SharedPass& pass : stats.passes)
    for (const SharedBatch& batch : pass.batches) {
      transfers += batch.transfer;
      if (batch.processor == Processor::Gpu) streams = std::max(streams, batch.lane + 1);
    }
  for (const BatchStats& batch : stats.timeline) {
    transfers += batch.transferEnd - batch.kernelEnd;
    streams = std::max(streams, batch.stream + 1);
  }
  return transfers / streams / seconds;
}

void usage(const char* program) {
  std::fprintf(stderr, "usage: %s [options], see the head of bench_hybrid.cpp\n", program);
  std::exit(2);
}

Options optionsOf(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--table") {
      options.table = true;
      continue;
    }
    if (i + 1 >= argc) usage(argv[0]);
    const std::string value = argv[++i];
    if (option == "--clouds")
      options.clouds = value;
    else if (option == "--steps") {
      if (std::sscanf(value.c_str(), "%d-%d", &options.firstStep, &options.lastStep) == 1)
        options.lastStep = options.firstStep;
    } else if (option == "--seconds")
      options.seconds = std::atof(value.c_str());
    else if (option == "--repeat")
      options.repeat = std::max(1, std::atoi(value.c_str()));
    else if (option == "--threads")
      options.threads = std::atoi(value.c_str());
    else if (option == "--pattern") {
      if (!fromText(value, options.pattern)) usage(argv[0]);
    } else if (option == "--rows")
      options.rows = value;
    else if (option == "--json")
      options.json = value;
    else
      usage(argv[0]);
  }
  return options;
}

/// What all clouds have in common.
struct Bench {
  const Options& options;
  Stopwatch total = {};
  std::FILE* json = nullptr;
  bool same = true;                                               // pairs
  std::map<std::string, std::pair<double, int>> imbalances = {};  // sum and number by row

  bool isOver() const { return total.seconds() > options.seconds; }
};

/// Nothing where no run ended.
std::optional<Measured> medianOf(const Row& row, const PointCloud& cloud, double eps,
                                 const Bench& bench) {
  std::vector<Measured> runs;
  const int timed = row.cpuAlone ? 1 : bench.options.repeat;
  for (int run = row.cpuAlone ? 0 : -1; run < timed; ++run) {
    auto measured = once(row, cloud, eps, bench.options.table);
    if (!measured) {
      std::printf("  %-12s %s\n", row.name, measured.error().message.c_str());
      break;
    }
    if (run >= 0) runs.push_back(std::move(*measured));
    if (bench.isOver() && !runs.empty()) break;
  }
  if (runs.empty()) return std::nullopt;
  std::sort(runs.begin(), runs.end(),
            [](const Measured& a, const Measured& b) { return a.seconds < b.seconds; });
  return runs[runs.size() / 2];
}

void printRow(const Row& row, const Measured& median, std::uint64_t candidates, Bench& bench) {
  std::printf("  %-12s %9.2f ms (index %7.2f), %9.3g candidates/s", row.name, 1e3 * median.seconds,
              1e3 * median.stats.seconds.index, static_cast<double>(candidates) / median.seconds);
  if (!median.stats.passes.empty()) {
    const SharedPass& pass = median.stats.passes.back();
    std::size_t gpuBatches = 0;
    for (const SharedBatch& batch : pass.batches) gpuBatches += batch.processor == Processor::Gpu;
    std::printf(
        ", imbalance %.3f, GPU %.1f %% of queries, %.1f %% of candidates, %zu + %zu batches",
        pass.imbalance, 100 * pass.gpuQueries, 100 * pass.gpuCandidates, gpuBatches,
        pass.batches.size() - gpuBatches);
    auto& [sum, number] = bench.imbalances[row.name];
    sum += pass.imbalance;
    ++number;
  }
  std::printf(", transfers %.1f %%%s%s\n", 100 * transferShare(median.stats, median.seconds),
              median.stats.note.empty() ? "" : "; ", median.stats.note.c_str());
  std::fflush(stdout);
}

void writeJson(std::FILE* json, const char* cloud, double eps, const Row& row,
               const Measured& median, std::uint64_t candidates) {
  const SharedPass pass = median.stats.passes.empty() ? SharedPass{} : median.stats.passes.back();
  std::fprintf(json,
               "{\"cloud\":\"%s\",\"eps\":%g,\"row\":\"%s\",\"seconds\":%.6g,\"pairs\":%llu,"
               "\"candidates\":%llu,\"imbalance\":%.6g,\"gpu_queries\":%.6g,"
               "\"gpu_candidates\":%.6g,\"gpu_seconds\":%.6g,\"cpu_seconds\":%.6g,"
               "\"transfer_share\":%.6g}\n",
               cloud, eps, row.name, median.seconds, static_cast<unsigned long long>(median.pairs),
               static_cast<unsigned long long>(candidates), pass.imbalance, pass.gpuQueries,
               pass.gpuCandidates, pass.gpuEnd, pass.cpuEnd,
               transferShare(median.stats, median.seconds));
  std::fflush(json);
}

/// What both sides could do together, and whether it was worth it.
void printGain(std::map<std::string, double>& seconds) {
  const double onGpu = std::min(seconds.count("gpu") ? seconds["gpu"] : 1e300,
                                seconds.count("one-batch") ? seconds["one-batch"] : 1e300);
  if (onGpu == 1e300 || !seconds.count("grid") || !seconds.count("adaptive")) return;
  std::printf(
      "  the CPU has %.1f %% of the GPU's throughput; adaptive %.3f of both together, "
      "%.3f times the faster side's time\n",
      100 * onGpu / seconds["grid"], 1 / seconds["adaptive"] / (1 / onGpu + 1 / seconds["grid"]),
      seconds["adaptive"] / std::min(onGpu, seconds["grid"]));
}

/// All rows of a cloud and ε.
void compare(const std::vector<Row>& rows, const char* name, const PointCloud& cloud, double eps,
             Bench& bench) {
  std::uint64_t pairs = 0;
  std::uint64_t candidates = 0;  // of the grid, by which all rows' rates are told
  std::map<std::string, double> seconds;
  std::printf("Expo%s, eps %g\n", name, eps);
  for (const Row& row : rows) {
    if (!names(bench.options.rows, row.name) || bench.isOver()) continue;
    const auto median = medianOf(row, cloud, eps, bench);
    if (!median) continue;
    seconds[row.name] = median->seconds;
    if (row.strategy.method == Method::Grid && median->candidates > 0)
      candidates = median->candidates;
    if (pairs == 0) pairs = median->pairs;
    if (pairs != median->pairs) {
      std::printf("  %-12s DIFFERENT: %llu pairs, not %llu\n", row.name,
                  static_cast<unsigned long long>(median->pairs),
                  static_cast<unsigned long long>(pairs));
      bench.same = false;
    }
    printRow(row, *median, candidates, bench);
    if (bench.json != nullptr) writeJson(bench.json, name, eps, row, *median, candidates);
  }
  printGain(seconds);
}

struct Backends {
  const Backend* gpu;
  const Backend* hybrid;
  const Backend* sharing;
  const Backend* cpu;
};

std::vector<Row> rowsOf(const Backends& by, AccessPattern pattern, std::size_t dims) {
  const Strategy lbJoin{.pattern = pattern,
                        .order = QueryOrder::WorkQueue,
                        .indexedDims = static_cast<int>(std::min<std::size_t>(dims, 6)),
                        .batchPairs = 50'000'000,
                        .streams = 3};
  Strategy oneBatch = lbJoin;
  oneBatch.batchPairs = 0;
  oneBatch.streams = 0;
  const auto shared = [&](Division division, CpuMethod method) {
    Strategy s = lbJoin;
    s.division = division;
    s.cpuMethod = method;
    return s;
  };
  return {{"gpu", by.gpu, lbJoin},
          {"one-batch", by.gpu, oneBatch},
          {"grid", by.cpu, {.indexedDims = lbJoin.indexedDims}, true},
          {"ego", by.cpu, {.method = Method::NewSuperEgo}, true},
          {"dyn", by.hybrid, shared(Division::Dyn, CpuMethod::Grid)},
          {"queries", by.hybrid, shared(Division::Queries, CpuMethod::Grid)},
          {"candidates", by.hybrid, shared(Division::Candidates, CpuMethod::Grid)},
          {"adaptive", by.hybrid, shared(Division::Adaptive, CpuMethod::Grid)},
          {"shared", by.sharing, shared(Division::Adaptive, CpuMethod::Grid)},
          {"dyn-ego", by.hybrid, shared(Division::Dyn, CpuMethod::NewSuperEgo)},
          {"adaptive-ego", by.hybrid, shared(Division::Adaptive, CpuMethod::NewSuperEgo)}};
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = optionsOf(argc, argv);
  const auto gpu = makeBackend("cuda", {});
  const auto hybrid = makeBackend("hybrid", {.threads = options.threads});
  const auto cpu = makeBackend("cpu", {.threads = options.threads});
  if (!gpu || !hybrid || !cpu) {
    std::printf("no device: %s\n", !gpu ? gpu.error().message.c_str() : "the CPU cannot take part");
    return 77;
  }
  auto device = makeSharedGpu(-1);
  if (!device) {
    std::printf("no device: %s\n", device.error().message.c_str());
    return 77;
  }
  const int threads =
      options.threads > 0 ? options.threads : static_cast<int>(std::thread::hardware_concurrency());
  const auto sharing = makeHybridBackend(std::move(*device), threads);
  std::printf("%s; %s, pattern %s, median of %d\n", (*hybrid)->describe().c_str(),
              options.table ? "neighbour tables" : "counts", toText(options.pattern).c_str(),
              options.repeat);
  Bench bench{.options = options};
  if (!options.json.empty()) bench.json = std::fopen(options.json.c_str(), "w");
  for (const EpsGrid& grid : kGrids) {
    if (!wants(options, grid) || bench.isOver()) continue;
    const PointCloud cloud = paperClouds::make({"expo", grid.dims, grid.points, grid.lowest});
    const auto rows =
        rowsOf({gpu->get(), hybrid->get(), sharing.get(), cpu->get()}, options.pattern, grid.dims);
    for (int step = options.firstStep; step <= options.lastStep; ++step)
      compare(rows, grid.name, cloud, grid.lowest + (grid.highest - grid.lowest) * (step - 1) / 4,
              bench);
  }
  for (const auto& [row, sum] : bench.imbalances)
    std::printf("mean imbalance of %-12s %.3f over %d runs\n", row.c_str(), sum.first / sum.second,
                sum.second);
  if (bench.json != nullptr) std::fclose(bench.json);
  return bench.same ? 0 : 1;
}
