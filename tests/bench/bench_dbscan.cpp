// Times DBSCAN on one cloud. The driver compare_dbscan.py talks to it through its standard input,
// so that runs of ours and of a rival can alternate while both stay warm.
//
//   bench_dbscan generate KIND POINTS DIMS SEED OUT.npy     makes a cloud
//   bench_dbscan bandwidth [THREADS]                        memory bandwidth of this machine
//   bench_dbscan run CLOUD.npy [THREADS]                    reads lines from standard input:
//       EPS MINPTS [LABELS.npy CORE.npy]    one run each, answered by one line of JSON
#include <malloc.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "engine/backend.h"
#include "engine/cloud/generators.h"
#include "engine/core/stopwatch.h"
#include "engine/io/read.h"
#include "engine/io/write.h"

using namespace clusterloom;

namespace {

int complain(const std::string& message) {
  std::fprintf(stderr, "bench_dbscan: %s\n", message.c_str());
  return 1;
}

/// A figure of /proc/self/status in bytes, e.g. VmRSS.
std::uint64_t processMemory(const std::string& field) {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    if (line.rfind(field + ":", 0) != 0) continue;
    return std::strtoull(line.c_str() + field.size() + 1, nullptr, 10) * 1024;
  }
  return 0;
}

/// Makes VmHWM count from now on.
void resetPeakMemory() { std::ofstream("/proc/self/clear_refs") << "5"; }

int generateCloud(const std::string& kind, std::size_t points, std::size_t dims, std::uint64_t seed,
                  const std::string& path) {
  const auto made = generate({.kind = kind, .points = points, .dims = dims, .seed = seed});
  if (!made) return complain(made.error().message);
  const auto written = writeDataset(path, *made);
  return written ? 0 : complain(written.error().message);
}

/// Best of ten: the bytes that a = b + s·c moves, read and written, over the time it takes.
int measureBandwidth(int threads) {
  constexpr std::size_t kDoubles = std::size_t{1} << 25;
  std::vector<double> a(kDoubles, 1.0), b(kDoubles, 2.0), c(kDoubles, 3.0);
  double best = std::numeric_limits<double>::infinity();
  tbb::task_arena arena(threads > 0 ? threads : tbb::task_arena::automatic);
  for (int i = 0; i < 10; ++i) {
    const Stopwatch watch;
    arena.execute([&] {
      tbb::parallel_for(tbb::blocked_range<std::size_t>(0, kDoubles, 1 << 16), [&](const auto& r) {
        for (std::size_t j = r.begin(); j < r.end(); ++j) a[j] = b[j] + 0.5 * c[j];
      });
    });
    best = std::min(best, watch.seconds());
  }
  std::printf("%.2f GB/s\n", 3.0 * sizeof(double) * kDoubles / best / 1e9);
  return a[kDoubles / 2] == 3.5 ? 0 : 1;
}

nlohmann::json jsonOf(const Clustering& clustering, double wall, std::uint64_t peak,
                      std::size_t n) {
  const StageSeconds& seconds = clustering.stats.seconds;
  return {{"seconds", wall},
          {"index", seconds.index},
          {"join", seconds.join},
          {"label", seconds.label},
          {"bytes_per_point", static_cast<double>(peak) / static_cast<double>(n)},
          {"clusters", clustering.clusters},
          {"core", clustering.coreCount},
          {"border", clustering.borderCount},
          {"noise", clustering.noiseCount},
          {"cells", clustering.stats.cells},
          {"threads", clustering.stats.threads},
          {"strategy", clustering.stats.strategy}};
}

int answerRuns(const std::string& path, int threads) {
  const auto dataset = readDataset(path);
  if (!dataset) return complain(dataset.error().message);
  const auto backend = makeBackend("cpu", {.threads = threads});
  if (!backend) return complain(backend.error().message);
  const PointCloud& cloud = dataset->cloud;
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    DbscanParams params;
    std::string labels, core;
    if (!(words >> params.eps >> params.minPts)) return complain("expected EPS MINPTS: " + line);
    words >> labels >> core;
    malloc_trim(0);  // what an earlier run left behind is not this run's memory
    const std::uint64_t before = processMemory("VmRSS");
    resetPeakMemory();
    const Stopwatch watch;
    const auto clustering = (*backend)->dbscan(cloud, params, {}, {});
    const double wall = watch.seconds();
    const std::uint64_t peak = processMemory("VmHWM");
    if (!clustering) return complain(clustering.error().message);
    if (!core.empty()) {
      std::vector<std::int32_t> flags(cloud.size());
      for (std::size_t p = 0; p < flags.size(); ++p)
        flags[p] = clustering->roles[p] == PointRole::Core;
      if (!writeNpy(labels, clustering->labels) || !writeNpy(core, flags))
        return complain("cannot write " + labels + " and " + core);
    }
    nlohmann::json answer =
        jsonOf(*clustering, wall, peak > before ? peak - before : 0, cloud.size());
    answer["points"] = cloud.size();
    answer["dims"] = cloud.dims();
    answer["eps"] = params.eps;
    answer["min_pts"] = params.minPts;
    std::cout << answer.dump() << std::endl;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const auto number = [&](std::size_t i) {
    return i < words.size() ? std::strtoull(words[i].c_str(), nullptr, 10) : 0;
  };
  if (words.size() == 6 && words[0] == "generate")
    return generateCloud(words[1], number(2), number(3), number(4), words[5]);
  if (!words.empty() && words[0] == "bandwidth")
    return measureBandwidth(static_cast<int>(number(1)));
  if (words.size() >= 2 && words[0] == "run")
    return answerRuns(words[1], static_cast<int>(number(2)));
  std::fprintf(stderr,
               "usage: bench_dbscan generate KIND POINTS DIMS SEED OUT.npy\n"
               "       bench_dbscan bandwidth [THREADS]\n"
               "       bench_dbscan run CLOUD.npy [THREADS]   (then lines EPS MINPTS [LABELS.npy "
               "CORE.npy])\n");
  return 2;
}
