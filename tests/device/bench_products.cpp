// Products of bytes in many dimensions, all calls whole: from coordinates in host memory, or from a
// prepared cloud whose copy stays on the GPU. Some counts of each cloud are checked by the
// predicate. With FOLDER each cloud is written there as raw doubles or floats, row by row, for
// tests/device/compare_products.py.
//
//   bench_products [REPEATS [FOLDER [CASE]]]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "engine/core/predicate.h"
#include "engine/core/stopwatch.h"
#include "engine/cuda/cuda_backend.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

using namespace clusterloom;

namespace {

struct Case {
  const char* name;
  std::size_t points;
  std::size_t dims;
  double eps;
  std::size_t centres;  ///< of normal clusters; 0: exponential with λ = 40
  bool single;          ///< coordinates are those of float32
};
constexpr Case kCases[] = {{"gauss128", 200'000, 128, 13.795, 50, false},
                           {"expo16", 2'000'000, 16, 0.05, 0, false},
                           {"expo32", 2'000'000, 32, 0.10, 0, false},
                           {"gauss384", 1'000'000, 384, 25.8, 1000, true},
                           {"normal384", 200'000, 384, 24.5, 1, true}};

PointCloud make(const Case& c) {
  PointCloud cloud;
  cloud.columns.assign(c.dims, std::vector<double>(c.points));
  std::vector<double> centres(std::max<std::size_t>(1, c.centres) * c.dims);
  std::mt19937_64 ofCentres(7);
  std::normal_distribution<double> spread(0, 3);
  for (double& x : centres) x = spread(ofCentres);
  constexpr std::size_t kBlock = 4096;
  tbb::parallel_for(std::size_t{0}, (c.points + kBlock - 1) / kBlock, [&](std::size_t block) {
    std::mt19937_64 random(1000 + block);
    std::normal_distribution<double> normal(0, 1);
    std::exponential_distribution<double> exponential(40);
    for (std::size_t p = block * kBlock; p < std::min(c.points, (block + 1) * kBlock); ++p) {
      const std::size_t centre = c.centres == 0 ? 0 : random() % c.centres;
      for (std::size_t j = 0; j < c.dims; ++j) {
        const double x =
            c.centres == 0 ? exponential(random) : centres[centre * c.dims + j] + normal(random);
        cloud.columns[j][p] = c.single ? static_cast<double>(static_cast<float>(x)) : x;
      }
    }
  });
  return cloud;
}

template <class Value>
void write(const PointCloud& cloud, const std::string& file) {
  std::vector<Value> rows(cloud.size() * cloud.dims());
  tbb::parallel_for(std::size_t{0}, cloud.size(), [&](std::size_t p) {
    for (std::size_t j = 0; j < cloud.dims(); ++j)
      rows[p * cloud.dims() + j] = static_cast<Value>(cloud.columns[j][p]);
  });
  std::FILE* const out = std::fopen(file.c_str(), "wb");
  if (out == nullptr || std::fwrite(rows.data(), sizeof(Value), rows.size(), out) != rows.size())
    std::printf("cannot write %s\n", file.c_str());
  if (out != nullptr) std::fclose(out);
}

std::size_t wrongCounts(const PointCloud& cloud, double eps,
                        const std::vector<std::uint32_t>& counts) {
  constexpr std::size_t kAsked = 64;
  std::vector<std::size_t> wrong(kAsked);
  tbb::parallel_for(std::size_t{0}, kAsked, [&](std::size_t i) {
    const std::size_t p = cloud.size() / kAsked * i;
    std::vector<double> sums(cloud.size());  // in the order of the dimensions, as the predicate
    for (std::size_t j = 0; j < cloud.dims(); ++j)
      for (std::size_t q = 0; q < cloud.size(); ++q) {
        const double difference = cloud.columns[j][p] - cloud.columns[j][q];
        sums[q] += difference * difference;
      }
    const auto near = std::count_if(sums.begin(), sums.end(),
                                    [&](double square) { return withinEps(square, eps * eps); });
    wrong[i] = static_cast<std::uint32_t>(near) != counts[p];
  });
  return static_cast<std::size_t>(std::count(wrong.begin(), wrong.end(), 1));
}

double median(std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

void print(const char* what, const std::vector<double>& seconds, const RunStats& stats) {
  double kernels = 0;
  for (const KernelStats& kernel : stats.kernels) kernels += kernel.seconds;
  std::printf(
      "  %-26s %8.1f ms; last: rounding %.1f, pairs %.1f, labels %.1f, kernels %.1f ms; %s\n", what,
      1e3 * median(seconds), 1e3 * stats.seconds.index, 1e3 * stats.seconds.join,
      1e3 * stats.seconds.label, 1e3 * kernels, stats.strategy.c_str());
  std::fflush(stdout);
}

void run(const Backend& gpu, const Case& c, int repeats, const std::string& folder) {
  const PointCloud cloud = make(c);
  std::printf("%s: %zu x %zu, eps %g\n", c.name, c.points, c.dims, c.eps);
  const auto file = folder + "/" + c.name;
  if (!folder.empty() && c.single) write<float>(cloud, file);
  if (!folder.empty() && !c.single) write<double>(cloud, file);
  const PreparedCloud prepared(std::make_shared<const PointCloud>(cloud));
  const struct {
    const char* name;
    JoinInput input;
    Strategy strategy;
  } ways[] = {{"counts, products", JoinInput(cloud), {.method = Method::Products}},
              {"… prepared", JoinInput(prepared), {.method = Method::Products}},
              {"counts, default, prepared", JoinInput(prepared), {}}};
  for (const auto& way : ways) {
    std::vector<double> seconds;
    Result<NeighbourCounts> counts;
    for (int i = 0; i < repeats; ++i) {
      const Stopwatch watch;
      counts = gpu.count(way.input, c.eps, way.strategy, {});
      seconds.push_back(watch.seconds());
      if (!counts) return void(std::printf("  %s\n", counts.error().message.c_str()));
    }
    print(way.name, seconds, counts->stats);
    if (way.name == ways[0].name)
      std::printf("  %llu pairs, %.3g of %.3g ordered pairs multiplied, %zu of 64 counts wrong\n",
                  static_cast<unsigned long long>(counts->pairs),
                  static_cast<double>(counts->candidates),
                  static_cast<double>(c.points) * static_cast<double>(c.points),
                  wrongCounts(cloud, c.eps, counts->counts));
  }
  for (const auto& way : ways) {
    std::vector<double> seconds;
    Result<Clustering> labels;
    for (int i = 0; i < repeats; ++i) {
      const Stopwatch watch;
      labels = gpu.dbscan(way.input, {c.eps, 10}, way.strategy, {});
      seconds.push_back(watch.seconds());
      if (!labels) return void(std::printf("  %s\n", labels.error().message.c_str()));
    }
    print(("DBSCAN " + std::string(way.name)).c_str(), seconds, labels->stats);
    std::printf("  %d clusters\n", static_cast<int>(labels->clusters));
    if (c.centres == 0) break;  // the grid takes long
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int repeats = argc > 1 ? std::atoi(argv[1]) : 5;
  const std::string folder = argc > 2 ? argv[2] : "";
  const std::string only = argc > 3 ? argv[3] : "";
  const auto gpu = makeCudaBackend();
  if (!gpu) {
    std::printf("no device: %s\n", gpu.error().message.c_str());
    return 77;
  }
  std::printf("%s\n", (*gpu)->describe().c_str());
  for (const Case& c : kCases)
    if (only.empty() || only == c.name) run(**gpu, c, repeats, folder);
  return 0;
}
