// Times DBSCAN on one cloud. The driver compare_dbscan.py talks to it through its standard input,
// so that runs of ours and of a rival can alternate while both stay warm.
//
//   bench_dbscan generate KIND POINTS DIMS SEED OUT.npy     makes a cloud
//   bench_dbscan bandwidth [THREADS]                        memory bandwidth of this machine
//   bench_dbscan run CLOUD.npy [THREADS]                    reads lines from standard input:
//       EPS MINPTS [LABELS.npy CORE.npy]    one run each, answered by one line of JSON
//   bench_dbscan outliers [POINTS] [RUNS] [THREADS] [DIMS]  clouds with outliers against the same
//                                                           clouds without them, and plain clouds
#include <malloc.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
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

/// Uniform and normal numbers, the same in every build.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}
  double unit() { return static_cast<double>(random_() >> 11) * 0x1p-53; }
  double normal() {
    return std::sqrt(-2 * std::log(1 - unit())) * std::cos(6.283185307179586 * unit());
  }

 private:
  std::mt19937_64 random_;
};

PointCloud emptyCloud(std::size_t points, std::size_t dims) {
  PointCloud cloud;
  cloud.names.assign(dims, "x");
  cloud.columns.assign(dims, std::vector<double>(points));
  return cloud;
}

PointCloud kept(const PointCloud& cloud, const std::vector<bool>& keep) {
  PointCloud rest = emptyCloud(0, cloud.dims());
  for (std::size_t j = 0; j < cloud.dims(); ++j)
    for (std::size_t p = 0; p < cloud.size(); ++p)
      if (keep[p]) rest.columns[j].push_back(cloud.columns[j][p]);
  return rest;
}

/// A cloud, the same without its outliers, and the ε and minPts of both.
struct OutlierCase {
  std::string name;
  PointCloud cloud;
  PointCloud without;
  DbscanParams params;
};

/// A side at which `points` points of a cube have about eight neighbours within ε = 1.
double sideFor(std::size_t points, std::size_t dims) {
  const double ball[] = {0, 2, 3.14, 4.19, 4.93, 5.26, 5.17};
  return std::pow(static_cast<double>(points) * ball[dims] / 8, 1.0 / static_cast<double>(dims));
}

OutlierCase outlierCase(const std::string& kind, std::size_t points, std::size_t dims) {
  OutlierCase c{kind, emptyCloud(points, dims), {}, {.eps = 1, .minPts = 5}};
  Draw draw(dims);
  const bool plain = kind == "uniform" || kind == "blobs";
  std::vector<std::vector<double>> centres(20, std::vector<double>(dims));
  const double side = sideFor(points, dims);
  for (auto& centre : centres)
    for (double& x : centre) x = 2 * side * draw.unit();
  std::vector<bool> keep(points, true);
  for (std::size_t p = 0; p < points; ++p) {
    const auto blob = static_cast<std::size_t>(20 * draw.unit());
    for (std::size_t j = 0; j < dims; ++j) {
      double x = side * draw.unit();
      if (kind == "blobs") x = centres[blob][j] + side / 12 * draw.normal();
      if (kind == "log-normal, sigma 10") x = std::exp(10 * draw.normal());
      if (kind == "Cauchy") x = side / 8 * std::tan(3.141592653589793 * (draw.unit() - 0.5));
      if (kind == "two clusters 1e12 apart" && p % 2 == 1) x += 1e12;
      c.cloud.columns[j][p] = x;
    }
  }
  const auto makeOutlier = [&](std::size_t p, std::size_t j, double x) {
    c.cloud.columns[j][p] = x;
    keep[p] = false;
  };
  if (kind == "nodata 3.4e38")
    for (std::size_t j = 0; j < dims; ++j) makeOutlier(17 + j, j, 3.4028234663852886e38);
  for (const double far : {1e10, 1e38})
    if (kind == (far == 1e10 ? "100 outliers to 1e10" : "100 outliers to 1e38"))
      for (std::size_t i = 0; i < 100; ++i)
        for (std::size_t j = 0; j < dims; ++j)
          makeOutlier(i * (points / 100), j, far * (2 * draw.unit() - 1));
  if (plain) return c;
  if (kind == "two clusters 1e12 apart") {
    c.without = c.cloud;
    for (auto& column : c.without.columns)
      for (std::size_t p = 1; p < points; p += 2) column[p] += 4 * side - 1e12;
    return c;
  }
  // Of the long tails those points go that lie farther out than 1000 sides in some dimension.
  if (kind == "Cauchy" || kind == "log-normal, sigma 10")
    for (std::size_t j = 0; j < dims; ++j)
      for (std::size_t p = 0; p < points; ++p)
        if (std::abs(c.cloud.columns[j][p]) > 1000 * side) keep[p] = false;
  c.without = kept(c.cloud, keep);
  return c;
}

double secondsOf(const Backend& backend, const PointCloud& cloud, const DbscanParams& params,
                 std::int32_t& clusters) {
  const Stopwatch watch;
  const auto found = backend.dbscan(cloud, params, {}, {});
  const double seconds = watch.seconds();
  clusters = found ? found->clusters : -1;
  return seconds;
}

int compareOutliers(std::size_t points, int runs, int threads, std::size_t onlyDims) {
  const auto backend = makeBackend("cpu", {.threads = threads});
  if (!backend) return complain(backend.error().message);
  std::printf("%zu points, eps 1, minPts 5, least of %d runs, %s\n", points, runs,
              (*backend)->describe().c_str());
  for (std::size_t dims = 2; dims <= 6; ++dims) {
    if (onlyDims != 0 && dims != onlyDims) continue;
    for (const char* kind :
         {"uniform", "blobs", "nodata 3.4e38", "100 outliers to 1e10", "100 outliers to 1e38",
          "two clusters 1e12 apart", "log-normal, sigma 10", "Cauchy"}) {
      const OutlierCase c = outlierCase(kind, points, dims);
      double least[2] = {std::numeric_limits<double>::infinity(),
                         std::numeric_limits<double>::infinity()};
      std::int32_t clusters[2] = {0, 0};
      for (int i = 0; i < runs; ++i)
        for (const int without : {0, 1}) {
          const PointCloud& cloud = without ? c.without : c.cloud;
          if (cloud.size() == 0) continue;
          least[without] =
              std::min(least[without], secondsOf(**backend, cloud, c.params, clusters[without]));
        }
      std::printf("%zu-D %-24s %8.3f s, %d clusters", dims, kind, least[0], clusters[0]);
      if (c.without.size() > 0)
        std::printf("; without: %8.3f s, %d clusters, %zu points; %.2f times", least[1],
                    clusters[1], c.without.size(), least[0] / least[1]);
      std::printf("\n");
      std::fflush(stdout);
    }
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
  if (!words.empty() && words[0] == "outliers")
    return compareOutliers(words.size() > 1 ? number(1) : 1'000'000,
                           words.size() > 2 ? static_cast<int>(number(2)) : 5,
                           static_cast<int>(number(3)), number(4));
  std::fprintf(stderr,
               "usage: bench_dbscan generate KIND POINTS DIMS SEED OUT.npy\n"
               "       bench_dbscan bandwidth [THREADS]\n"
               "       bench_dbscan run CLOUD.npy [THREADS]   (then lines EPS MINPTS [LABELS.npy "
               "CORE.npy])\n"
               "       bench_dbscan outliers [POINTS] [RUNS] [THREADS] [DIMS]\n");
  return 2;
}
