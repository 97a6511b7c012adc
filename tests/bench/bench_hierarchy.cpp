// Times the hierarchy: what compare_hierarchy.py runs beside a rival, and stages and labels alone.
//
//   bench_hierarchy run CLOUD.npy THREADS        a build and labels for each line "MINPTS EPS
//   [WEIGHTS.npy]" bench_hierarchy stages KIND POINTS DIMS MINPTS THREADS REPEATS bench_hierarchy
//   generate KIND POINTS DIMS OUT.npy
//
// Each build prints one line of JSON: seconds of its stages, processor seconds of all threads,
// bytes a point that it keeps, and the largest resident memory beyond the coordinates. `stages`
// also times the labels of values of ε at five quantiles of the core distances, the least of 9
// calls each.

#include <sys/resource.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "engine/cloud/generators.h"
#include "engine/core/stopwatch.h"
#include "engine/hierarchy/eps_curve.h"
#include "engine/hierarchy/hierarchy.h"
#include "engine/hierarchy/neighbour_graph.h"
#include "engine/io/read.h"
#include "engine/io/write.h"

using namespace clusterloom;

namespace {

template <class T>
T valueOf(Result<T> result) {
  if (result) return std::move(*result);
  std::cerr << result.error().message << '\n';
  std::exit(1);
}

double processorSeconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

std::uint64_t memory(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(field + ':')) return 1024 * std::stoull(line.substr(field.size() + 1));
  return 0;
}

nlohmann::ordered_json describe(const Hierarchy& hierarchy, double processor) {
  const HierarchySeconds& seconds = hierarchy.seconds();
  return {{"seconds", seconds.total},
          {"processor_seconds", processor},
          {"index", seconds.index},
          {"neighbours", seconds.neighbours},
          {"tree", seconds.tree},
          {"sort", seconds.sort},
          {"dendrogram", seconds.dendrogram},
          {"borders", seconds.borders},
          {"kept_bytes_per_point",
           static_cast<double>(hierarchy.bytes()) / static_cast<double>(hierarchy.points())}};
}

Dataset makeCloud(const std::string& kind, std::size_t points, std::size_t dims) {
  return valueOf(generate({.kind = kind, .points = points, .dims = dims, .seed = 7}));
}

struct Built {
  Hierarchy hierarchy;
  nlohmann::ordered_json line;
};

Built build(const PointCloud& cloud, std::int64_t minPts, int threads) {
  std::ofstream("/proc/self/clear_refs") << '5';
  const std::uint64_t before = memory("VmRSS");
  const double start = processorSeconds();
  Hierarchy hierarchy = valueOf(Hierarchy::build(cloud, {minPts, threads}));
  auto line = describe(hierarchy, processorSeconds() - start);
  const std::uint64_t peak = memory("VmHWM");
  line["peak_bytes_per_point"] =
      static_cast<double>(peak - std::min(peak, before)) / static_cast<double>(cloud.size());
  return {std::move(hierarchy), std::move(line)};
}

int answer(const std::string& path, int threads) {
  const Dataset data = valueOf(readDataset(path));
  for (std::string text; std::getline(std::cin, text);) {
    std::istringstream words(text);
    std::int64_t minPts = 0;
    double eps = 0;
    std::string weights;
    words >> minPts >> eps >> weights;
    Built built = build(data.cloud, minPts, threads);
    const Stopwatch watch;
    built.line["clusters"] = valueOf(built.hierarchy.labels(eps)).clusters;
    built.line["labels"] = watch.seconds();
    if (!weights.empty()) {
      const LargeArray<double>& squared = built.hierarchy.dendrogram().squaredWeights;
      OutputSet outputs;
      if (auto done = writeTableNpy({outputs, weights}, squared.size(), 1,
                                    [&](std::size_t i, double* row) { *row = squared[i]; });
          !done || !outputs.commit())
        return 1;
    }
    std::cout << built.line << std::endl;
  }
  return 0;
}

int stages(const std::string& kind, std::size_t points, std::size_t dims, std::int64_t minPts,
           int threads, int repeats) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(threads));
  const PointCloud cloud = makeCloud(kind, points, dims).cloud;
  for (int i = 0; i < repeats; ++i) {
    Built built = build(cloud, minPts, threads);
    if (i + 1 == repeats) {
      const auto cores = built.hierarchy.squaredCoreDistances();
      std::vector<double> sorted(cores.begin(), cores.end());
      std::sort(sorted.begin(), sorted.end());
      for (const double quantile : {0.02, 0.2, 0.5, 0.8, 0.99}) {
        const auto at = static_cast<std::size_t>(quantile * static_cast<double>(points - 1));
        double least = 1e9;
        for (int call = 0; call < 9; ++call) {
          const Stopwatch watch;
          const auto labels = built.hierarchy.labels(std::sqrt(sorted[at]));
          least = std::min(least, watch.seconds());
        }
        built.line["labels_ms"].push_back(1e3 * least);
      }
      const Stopwatch watch;
      built.line["curve_rows"] = valueOf(epsCurve(built.hierarchy)).rows();
      built.line["curve"] = watch.seconds();
    }
    std::cout << built.line << std::endl;
  }
  return 0;
}

int derive(const std::string& kind, std::size_t points, std::size_t dims, std::int64_t most,
           int threads) {
  const PointCloud cloud = makeCloud(kind, points, dims).cloud;
  const Stopwatch watch;
  const NeighbourGraph graph = valueOf(NeighbourGraph::build(cloud, {most, threads}));
  std::cout << "graph " << watch.seconds() << " s, "
            << static_cast<double>(graph.bytes()) / static_cast<double>(points) << " bytes a point"
            << std::endl;
  for (const std::int64_t minPts : {std::int64_t{2}, std::int64_t{5}, std::int64_t{10}, most - 1}) {
    const double start = processorSeconds();
    const Hierarchy hierarchy = valueOf(graph.hierarchy({minPts, threads}));
    std::cout << "minPts " << minPts << ' ' << describe(hierarchy, processorSeconds() - start)
              << std::endl;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "run" && argc == 4) return answer(argv[2], std::atoi(argv[3]));
  if (what == "stages" && argc == 8)
    return stages(argv[2], std::stoul(argv[3]), std::stoul(argv[4]), std::stol(argv[5]),
                  std::stoi(argv[6]), std::stoi(argv[7]));
  if (what == "derive" && argc == 7)
    return derive(argv[2], std::stoul(argv[3]), std::stoul(argv[4]), std::stol(argv[5]),
                  std::stoi(argv[6]));
  if (what == "generate" && argc == 6) {
    const Dataset made = makeCloud(argv[2], std::stoul(argv[3]), std::stoul(argv[4]));
    OutputSet outputs;
    return writeDataset({outputs, argv[5]}, made) && outputs.commit() ? 0 : 1;
  }
  std::cerr << "bench_hierarchy run CLOUD.npy THREADS\n"
               "bench_hierarchy stages KIND POINTS DIMS MINPTS THREADS REPEATS\n"
               "bench_hierarchy derive KIND POINTS DIMS K THREADS\n"
               "bench_hierarchy generate KIND POINTS DIMS OUT.npy\n";
  return 2;
}
