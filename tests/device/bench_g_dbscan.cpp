// G-DBSCAN's versions [Frasson 2021, §4], with whole distances and with those that end early,
// beside brute force and the grid: host to host, labels equal.
//
//   bench_g_dbscan [RUNS] [LARGE] [FOLDER]      LARGE 0 leaves 400,000 × 20-D out
//
// With FOLDER also writes FOLDER/g_dbscan.jsonl, a JSON object a row, and the labels of each cloud
// as FOLDER/labels_POINTSxDIMS.npy: tests/bench/compare_dbscan.py --g-dbscan FOLDER makes the table
// of them, with scikit-learn on the same input.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "engine/backend.h"
#include "engine/cloud/generators.h"
#include "engine/core/stopwatch.h"

using namespace clusterloom;

namespace {

struct Case {
  std::size_t points;
  std::size_t dims;
  double eps;
  /// Seconds that the paper prints for its four versions, on a V100 and data of its own.
  double published[4];
};

constexpr Case kCases[] = {{200'000, 10, 6, {9.570, 9.342, 9.563, 8.311}},
                           {400'000, 20, 10, {61.670, 61.540, 63.082, 64.539}}};
constexpr std::int64_t kMinPts = 10;
constexpr std::uint64_t kSeed = 42;

struct Row {
  Method method;
  bool shortCircuit;
  int published;  ///< index into Case::published, −1: not in the paper's tables
};
constexpr Row kRows[] = {
    {Method::GDbscanPaper, false, 0},        {Method::GDbscanNoTransfer, false, 1},
    {Method::GDbscanShifted, false, 2},      {Method::GDbscanShared, false, 3},
    {Method::GDbscanSharedTiles, false, -1}, {Method::GDbscanNoTransfer, true, -1},
    {Method::GDbscanShared, true, -1},       {Method::GDbscanSharedTiles, true, -1},
    {Method::BruteForce, false, -1},         {Method::Grid, false, -1}};

bool writeLabels(const std::string& path, const std::vector<std::int32_t>& labels) {
  std::string header = "{'descr': '<i4', 'fortran_order': False, 'shape': (" +
                       std::to_string(labels.size()) + ",), }";
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return false;
  const unsigned char length[] = {static_cast<unsigned char>(header.size() % 256),
                                  static_cast<unsigned char>(header.size() / 256)};
  std::fwrite("\x93NUMPY\x01\x00", 1, 8, file);
  std::fwrite(length, 1, 2, file);
  std::fwrite(header.data(), 1, header.size(), file);
  std::fwrite(labels.data(), sizeof(std::int32_t), labels.size(), file);
  return std::fclose(file) == 0;
}

struct Measured {
  Clustering clustering;
  double seconds = 0;
  bool equal = false;
};

void writeRow(std::FILE* file, const Case& c, const Row& row, const Measured& measured) {
  std::fprintf(
      file,
      "{\"points\": %zu, \"dims\": %zu, \"eps\": %.17g, \"min_pts\": %lld, \"seed\": %llu, "
      "\"method\": \"%s\", \"short_circuit\": %s, \"seconds\": %.6f, \"clusters\": %d, "
      "\"core\": %llu, \"labels_equal\": %s, \"note\": \"%s\"",
      c.points, c.dims, c.eps, static_cast<long long>(kMinPts),
      static_cast<unsigned long long>(kSeed), toText(row.method).c_str(),
      row.shortCircuit ? "true" : "false", measured.seconds, measured.clustering.clusters,
      static_cast<unsigned long long>(measured.clustering.coreCount),
      measured.equal ? "true" : "false", measured.clustering.stats.note.c_str());
  if (row.published >= 0) std::fprintf(file, ", \"published\": %.3f", c.published[row.published]);
  std::fprintf(file, "}\n");
  std::fflush(file);
}

}  // namespace

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::max(1, std::atoi(argv[1])) : 3;
  const bool large = argc <= 2 || std::atoi(argv[2]) != 0;
  const std::string folder = argc > 3 ? argv[3] : "";
  const auto gpu = makeBackend("cuda", {});
  if (!gpu) {
    std::printf("no device: %s\n", gpu.error().message.c_str());
    return 77;
  }
  std::FILE* rows =
      folder.empty() ? nullptr : std::fopen((folder + "/g_dbscan.jsonl").c_str(), "w");
  if (!folder.empty() && rows == nullptr) {
    std::printf("cannot write to %s\n", folder.c_str());
    return 2;
  }
  bool same = true;
  for (const Case& c : kCases) {
    if (!large && c.dims > 10) continue;
    const PointCloud cloud = std::move(
        generate({.kind = "blobs", .points = c.points, .dims = c.dims, .seed = kSeed})->cloud);
    std::printf("blobs, %zu × %zu-D, ε %g, minPts %lld, %s, median of %d\n", c.points, c.dims,
                c.eps, static_cast<long long>(kMinPts), (*gpu)->describe().c_str(), runs);
    std::vector<std::int32_t> labels;
    for (const Row& row : kRows) {
      const Strategy strategy{.method = row.method,
                              .shortCircuit = row.shortCircuit ? Toggle::On : Toggle::Auto};
      std::vector<double> seconds;
      Result<Clustering> found = fail(ErrorKind::BadCall, "not run");
      for (int run = 0; run < runs + 1; ++run) {  // the first is not counted
        const Stopwatch watch;
        found = (*gpu)->dbscan(cloud, {c.eps, kMinPts}, strategy, {});
        if (!found) break;
        if (run > 0) seconds.push_back(watch.seconds());
      }
      if (!found) {
        std::printf("  %-30s %s\n", describe(strategy).c_str(), found.error().message.c_str());
        same = false;
        continue;
      }
      if (labels.empty()) {
        labels = found->labels;
        const std::string name =
            "/labels_" + std::to_string(c.points) + "x" + std::to_string(c.dims) + ".npy";
        if (rows != nullptr && !writeLabels(folder + name, labels)) return 2;
      }
      std::sort(seconds.begin(), seconds.end());
      const bool equal = labels == found->labels;
      const Measured measured{std::move(*found), seconds[seconds.size() / 2], equal};
      const Clustering& clustering = measured.clustering;
      same = same && measured.equal;
      std::printf("  %-30s %8.3f s, %d clusters, %llu core, labels %s",
                  row.method == Method::Grid ? "grid" : describe(strategy).c_str(),
                  measured.seconds, clustering.clusters,
                  static_cast<unsigned long long>(clustering.coreCount),
                  measured.equal ? "equal" : "DIFFERENT");
      if (row.published >= 0) std::printf(", published %.3f s", c.published[row.published]);
      std::printf("; %s\n", clustering.stats.note.c_str());
      for (const KernelStats& kernel : clustering.stats.kernels)
        std::printf("      %-20s %9.2f ms, %d launches\n", kernel.name.c_str(),
                    1e3 * kernel.seconds, kernel.launches);
      std::fflush(stdout);
      if (rows != nullptr) writeRow(rows, c, row, measured);
    }
  }
  if (rows != nullptr && std::fclose(rows) != 0) return 2;
  return same ? 0 : 1;
}
