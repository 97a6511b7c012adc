// DBSCAN on a GPU from a call of the backend to labels on the host while ε moves, as in a window:
// with the cloud uploaded by each run, and with a prepared cloud. Prints the first run, then the
// median and the longest of the further runs with their stages, and whether all labels of both ways
// are equal, and for the last ε those of the CPU. Exit status 1 where they are not.
//
//   bench_prepared [RUNS] [POINTS]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/backend.h"
#include "engine/cloud/generators.h"
#include "engine/core/large_pages.h"
#include "engine/core/stopwatch.h"
#include "tests/device/median.h"

using namespace clusterloom;

namespace {

struct Case {
  const char* name;
  const char* generator;
  bool scaled;  ///< to [0, 100] by the maximum of each dimension
  double low;   ///< ε moves from here …
  double high;  ///< … to here
};

// A point has about 8 to 125 neighbours in the uniform cloud of 10 million points.
constexpr Case kCases[] = {{"Unif2D", "unif", false, 0.05, 0.2},
                           {"Expo2D", "expo", true, 0.02, 0.2}};
constexpr int kMinPts = 10;

PointCloud make(const Case& c, std::size_t points) {
  GeneratorSpec spec;
  spec.kind = c.generator;
  spec.points = points;
  spec.dims = 2;
  spec.seed = 42;
  PointCloud cloud = std::move(generate(spec)->cloud);
  if (c.scaled)
    for (auto& column : cloud.columns) {
      const double factor = 100.0 / *std::max_element(column.begin(), column.end());
      for (double& x : column) x *= factor;
    }
  return cloud;
}

// FNV-1a of labels and roles.
std::uint64_t hashOf(const Clustering& clustering) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  const auto add = [&](std::uint64_t value) { hash = (hash ^ value) * 0x100000001b3ULL; };
  for (std::size_t i = 0; i < clustering.labels.size(); ++i) {
    add(static_cast<std::uint32_t>(clustering.labels[i]));
    add(static_cast<std::uint64_t>(clustering.roles[i]));
  }
  return hash;
}

struct Drag {
  double first = 0;             ///< ms
  std::vector<double> further;  ///< ms, one per ε
  std::map<std::string, std::vector<double>> stages;
  std::vector<std::string> order;  ///< of the stages
  std::vector<std::uint64_t> hashes;
  std::string failure;
};

// The first ε twice: once as the first run, and once as the first of the others.
Drag drag(const Backend& gpu, const JoinInput& input, const std::vector<double>& eps) {
  Drag result;
  for (std::size_t i = 0; i <= eps.size(); ++i) {
    const DbscanParams params{.eps = eps[i == 0 ? 0 : i - 1], .minPts = kMinPts};
    const Stopwatch watch;
    auto found = gpu.dbscan(input, params, {}, {});
    const double ms = 1e3 * watch.seconds();
    if (!found || found->stats.backend != "cuda" || !found->stats.note.empty()) {
      result.failure = found ? "note: " + found->stats.note : found.error().message;
      return result;
    }
    if (i == 0) {
      result.first = ms;
      continue;
    }
    result.further.push_back(ms);
    result.hashes.push_back(hashOf(*found));
    const auto add = [&](const std::string& stage, double seconds) {
      auto& times = result.stages[stage];
      if (times.empty()) result.order.push_back(stage);
      times.push_back(1e3 * seconds);
    };
    for (const KernelStats& stage : found->stats.kernels) add(stage.name, stage.seconds);
    add("run without planning", found->stats.seconds.total);
  }
  return result;
}

void print(const char* way, const Drag& of) {
  std::printf("  %-10s first %7.2f ms; further median %6.2f, longest %6.2f ms;", way, of.first,
              median(of.further), *std::max_element(of.further.begin(), of.further.end()));
  for (const std::string& stage : of.order)
    std::printf(" %s %.2f", stage.c_str(), median(of.stages.at(stage)));
  std::printf("\n");
}

// Milliseconds for the memory of labels and roles, which a run takes while the device computes.
double memoryMs(std::size_t points, bool largePages) {
  std::vector<double> times;
  for (int i = 0; i < 5; ++i) {
    const Stopwatch watch;
    std::vector<std::int32_t> labels;
    std::vector<PointRole> roles;
    if (largePages) {
      resizeOnLargePages(labels, points, {});
      resizeOnLargePages(roles, points, {});
    } else {
      labels.resize(points);
      roles.resize(points);
    }
    times.push_back(1e3 * watch.seconds());
  }
  return median(times);
}

}  // namespace

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::max(1, std::atoi(argv[1])) : 15;
  const std::size_t points = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 10'000'000;
  const auto cpu = makeBackend("cpu", {});
  const auto gpu = makeBackend("cuda", {});
  if (!gpu) {
    std::printf("no device: %s\n", gpu.error().message.c_str());
    return 77;
  }
  std::printf("%s, %zu points, 2-D, minPts %d, %d values of eps\n", (*gpu)->describe().c_str(),
              points, kMinPts, runs);
  // Kernels are loaded, page-locked memory is taken.
  (void)(*gpu)->dbscan(make(kCases[0], std::min<std::size_t>(points, 1'000'000)), {1.0, kMinPts},
                       {}, {});
  std::printf("memory of labels and roles: %.2f ms, on large pages %.2f ms\n",
              memoryMs(points, false), memoryMs(points, true));
  bool allRight = true;
  for (const Case& c : kCases) {
    const auto cloud = std::make_shared<const PointCloud>(make(c, points));
    std::vector<double> eps;
    for (int i = 0; i < runs; ++i)
      eps.push_back(c.low + (c.high - c.low) * i / std::max(1, runs - 1));
    const Drag plain = drag(**gpu, *cloud, eps);
    const PreparedCloud prepared(cloud);
    const Drag kept = drag(**gpu, prepared, eps);
    const auto judge = (*cpu)->dbscan(prepared, {eps.back(), kMinPts}, {}, {});
    const bool same = plain.failure.empty() && kept.failure.empty() &&
                      plain.hashes == kept.hashes && judge && hashOf(*judge) == kept.hashes.back();
    allRight = allRight && same;
    std::printf("%s, eps %g to %g: %s\n", c.name, c.low, c.high,
                same ? "labels equal" : ("WRONG " + plain.failure + kept.failure).c_str());
    if (!same) continue;
    print("uploaded", plain);
    print("prepared", kept);
    for (std::size_t i = 0; i < eps.size(); ++i)
      std::printf("    eps %.4f: %6.2f ms uploaded, %6.2f ms prepared\n", eps[i], plain.further[i],
                  kept.further[i]);
  }
  return allRight ? 0 : 1;
}
