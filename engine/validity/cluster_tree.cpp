#include "engine/validity/cluster_points.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <array>
#include <utility>

#include "engine/core/infinity.h"

namespace clusterloom {
namespace {

constexpr std::size_t kParallel = 16384;  // points left, from which a step is divided
constexpr std::uint64_t kPairsPerReport = 1 << 20;

/// A point outside of the tree, by its place in the arrays.
struct Lightest {
  double weight = kInfinity;
  std::uint32_t point = ~std::uint32_t{0};
  std::size_t place = 0;

  void offer(const Lightest& other) {
    if (other.weight < weight || (other.weight == weight && other.point < point)) *this = other;
  }
};

/// Prim's algorithm. The points that are left stand at the front of the arrays.
class Prim {
 public:
  Prim(const ClusterPoints& points, std::span<const double> squaredCore)
      : dims_(points.dims),
        n_(points.size()),
        left_(points.size()),
        coordinates_(points.coordinates),
        core_(squaredCore.begin(), squaredCore.end()),
        point_(n_),
        weight_(n_, kInfinity),
        from_(n_, 0),
        at_(dims_) {
    for (std::size_t i = 0; i < n_; ++i) point_[i] = std::uint32_t(i);
  }

  ClusterTree run(SharedProgress& progress, const Task& task) {
    struct Edge {
      std::uint32_t a;
      std::uint32_t b;
      double weight;
    };
    LargeArray<Edge> edges;
    edges.reserve(n_ - 1);
    std::vector<std::uint8_t> degree(n_, 0);  // 2 stands for more, too
    const auto count = [&](std::uint32_t p) { degree[p] = degree[p] == 0 ? 1 : 2; };
    take(0);
    std::uint64_t compared = 0;  // since the last report
    while (left_ > 0 && !task.cancelled()) {
      compared += left_;
      if (compared >= kPairsPerReport) progress.add(std::exchange(compared, 0));
      const Lightest next = step();
      const std::uint32_t from = from_[next.place];
      edges.push_back({from, next.point, next.weight});
      count(from);
      count(next.point);
      take(next.place);
    }
    progress.add(compared);
    ClusterTree tree;
    for (std::uint32_t p = 0; p < n_; ++p)
      if (degree[p] > 1) tree.inner.push_back(p);
    if (tree.inner.empty()) tree.inner.push_back(0);
    double largest = 0;
    bool anyInner = false;
    for (const Edge& edge : edges) {
      largest = std::max(largest, edge.weight);
      if (degree[edge.a] < 2 || degree[edge.b] < 2) continue;
      tree.squaredSparseness = std::max(tree.squaredSparseness, edge.weight);
      anyInner = true;
    }
    if (!anyInner) tree.squaredSparseness = largest;
    return tree;
  }

 private:
  /// Moves the point at a place into the tree.
  void take(std::size_t place) {
    current_ = point_[place];
    currentCore_ = core_[place];
    --left_;
    for (std::size_t j = 0; j < dims_; ++j) {
      double* column = coordinates_.data() + j * n_;
      at_[j] = column[place];
      column[place] = column[left_];
    }
    core_[place] = core_[left_];
    point_[place] = point_[left_];
    weight_[place] = weight_[left_];
    from_[place] = from_[left_];
  }

  /// Offers the points that are left the edges of the current one. Returns the lightest.
  Lightest step() {
    if (left_ < kParallel) return scan(0, left_);
    return tbb::parallel_reduce(
        tbb::blocked_range<std::size_t>(0, left_, kParallel / 4), Lightest{},
        [this](const auto& range, Lightest found) {
          found.offer(scan(range.begin(), range.end()));
          return found;
        },
        [](Lightest a, const Lightest& b) {
          a.offer(b);
          return a;
        });
  }

  Lightest scan(std::size_t begin, std::size_t end) {
    Lightest found;
    std::array<double, kBlock> squared;
    for (; begin < end; begin += kBlock) {
      const std::size_t count = std::min(kBlock, end - begin);
      squaredDistances(at_.data(), coordinates_.data(), n_, dims_, begin, count, squared.data());
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t place = begin + i;
        const double weight = std::max({squared[i], core_[place], currentCore_});
        if (weight < weight_[place] || (weight == weight_[place] && current_ < from_[place])) {
          weight_[place] = weight;
          from_[place] = current_;
        }
        found.offer({weight_[place], point_[place], place});
      }
    }
    return found;
  }

  std::size_t dims_;
  std::size_t n_;
  std::size_t left_;
  LargeArray<double> coordinates_;
  LargeArray<double> core_;
  LargeArray<std::uint32_t> point_;
  LargeArray<double> weight_;       ///< of the lightest edge to the tree
  LargeArray<std::uint32_t> from_;  ///< the first point of the tree with such an edge
  std::vector<double> at_;          ///< coordinates of the point that joined the tree last
  std::uint32_t current_ = 0;
  double currentCore_ = 0;
};

}  // namespace

ClusterTree clusterTree(const ClusterPoints& points, std::span<const double> squaredCore,
                        SharedProgress& progress, const Task& task) {
  return Prim(points, squaredCore).run(progress, task);
}

}  // namespace clusterloom
