// Times the search for the nearest neighbours of all points. The driver compare_knn.py talks to it
// through its standard input, so that runs of ours and of rivals can alternate while all stay warm.
//
//   bench_knn generate KIND POINTS DIMS SEED OUT.npy
//   bench_knn ours|nanoflann|nanoflann-tree-order CLOUD.npy THREADS     reads lines:
//       K [DISTANCES.npy]    one run each, answered by one line of JSON; squared distances
//
// nanoflann gets what it is fastest with: points as rows, the number of dimensions known when this
// is compiled, its own leaf size. Its tree is built by one thread, queries are shared by all. In
// "tree order" they are asked in the order of its tree, so that following ones share caches.
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <nanoflann.hpp>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "engine/cloud/generators.h"
#include "engine/core/large_array.h"
#include "engine/core/stopwatch.h"
#include "engine/hierarchy/nearest_neighbours.h"
#include "engine/io/read.h"
#include "engine/io/write.h"

using namespace clusterloom;

namespace {

int complain(const std::string& message) {
  std::fprintf(stderr, "bench_knn: %s\n", message.c_str());
  return 1;
}

/// Squared distances, n rows of k, and seconds: all, and those of building a tree.
struct Answer {
  LargeArray<double> squared;
  double seconds = 0;
  double build = 0;
};

Answer runOurs(const PointCloud& cloud, int k, int threads) {
  Answer answer;
  const Stopwatch watch;
  Task task;
  task.progress = [&](std::string_view stage, double fraction) {
    if (stage == "finding neighbours" && fraction <= 0) answer.build = watch.seconds();
  };
  auto found = nearestNeighbours(cloud, k, threads, task);
  answer.seconds = watch.seconds();
  if (found) answer.squared = std::move(found->squaredDistances);
  return answer;
}

struct Rows {
  std::vector<double> values;
  std::size_t dims;

  std::size_t kdtree_get_point_count() const { return values.size() / dims; }
  double kdtree_get_pt(std::size_t p, std::size_t j) const { return values[p * dims + j]; }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};

/// The points in the order of a tree, under its name in old and new versions.
template <class Tree>
const std::vector<std::uint32_t>& orderOf(const Tree& tree) {
  if constexpr (requires { tree.vAcc_; })
    return tree.vAcc_;
  else
    return tree.vAcc;
}

template <int D>
Answer runNanoflann(const Rows& rows, int k, int threads, bool treeOrder) {
  using Tree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, Rows>, Rows,
                                                   D, std::uint32_t>;
  Answer answer;
  const Stopwatch watch;
  const std::size_t n = rows.kdtree_get_point_count();
  Tree tree(D, rows);
  tree.buildIndex();
  answer.build = watch.seconds();
  const auto entries = static_cast<std::size_t>(k);
  LargeArray<std::uint32_t> ids(n * entries);
  answer.squared.resize(n * entries);
  tbb::task_arena arena(threads);
  arena.execute([&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n, 1024), [&](const auto& range) {
      for (std::size_t i = range.begin(); i < range.end(); ++i) {
        const std::size_t p = treeOrder ? orderOf(tree)[i] : i;
        tree.knnSearch(rows.values.data() + p * D, entries, ids.data() + p * entries,
                       answer.squared.data() + p * entries);
      }
    });
  });
  answer.seconds = watch.seconds();
  return answer;
}

Answer runNanoflann(const Rows& rows, int k, int threads, bool treeOrder) {
  switch (rows.dims) {
    case 2: return runNanoflann<2>(rows, k, threads, treeOrder);
    case 3: return runNanoflann<3>(rows, k, threads, treeOrder);
    case 5: return runNanoflann<5>(rows, k, threads, treeOrder);
    default: std::exit(complain("nanoflann is compiled for 2, 3 and 5 dimensions"));
  }
}

int answerRuns(const std::string& who, const std::string& path, int threads) {
  const auto dataset = readDataset(path);
  if (!dataset) return complain(dataset.error().message);
  const PointCloud& cloud = dataset->cloud;
  Rows rows{{}, cloud.dims()};
  if (who != "ours")
    for (std::size_t p = 0; p < cloud.size(); ++p)
      for (const auto& column : cloud.columns) rows.values.push_back(column[p]);
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    int k = 0;
    std::string out;
    if (!(words >> k)) return complain("expected K: " + line);
    words >> out;
    const Answer answer = who == "ours"
                              ? runOurs(cloud, k, threads)
                              : runNanoflann(rows, k, threads, who == "nanoflann-tree-order");
    const auto columns = static_cast<std::size_t>(k);
    if (!out.empty()) {
      const auto fill = [&](std::size_t p, double* row) {
        std::copy_n(answer.squared.data() + p * columns, columns, row);
      };
      if (!writeRowsNpy(out, *dataset, columns, fill)) return complain("cannot write " + out);
    }
    std::cout << nlohmann::json{{"seconds", answer.seconds}, {"build", answer.build}}.dump()
              << std::endl;
  }
  return 0;
}

int generateCloud(const std::string& kind, std::size_t points, std::size_t dims, std::uint64_t seed,
                  const std::string& path) {
  const auto made = generate({.kind = kind, .points = points, .dims = dims, .seed = seed});
  if (!made) return complain(made.error().message);
  const auto written = writeDataset(path, *made);
  return written ? 0 : complain(written.error().message);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 6 && words[0] == "generate")
    return generateCloud(words[1], std::stoul(words[2]), std::stoul(words[3]), std::stoul(words[4]),
                         words[5]);
  if (words.size() == 3 &&
      (words[0] == "ours" || words[0] == "nanoflann" || words[0] == "nanoflann-tree-order"))
    return answerRuns(words[0], words[1], std::stoi(words[2]));
  return complain("see the top of bench_knn.cpp for its calls");
}
