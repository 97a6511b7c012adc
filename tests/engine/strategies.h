#pragma once

#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "engine/join/strategy.h"

/// Every strategy there is to try, and which of them ought to be legal.
namespace strategies {

using namespace clusterloom;

inline const std::vector<Method> kOtherMethods{Method::BruteForce,
                                               Method::RTree,
                                               Method::SuperEgo,
                                               Method::NewSuperEgo,
                                               Method::KdTree,
                                               Method::Products,
                                               Method::GDbscanPaper,
                                               Method::GDbscanNoTransfer,
                                               Method::GDbscanShifted,
                                               Method::GDbscanShared,
                                               Method::GDbscanSharedTiles};
inline const std::vector<Method> kCpuMethods{Method::RTree, Method::SuperEgo, Method::NewSuperEgo,
                                             Method::KdTree, Method::Products};
inline const std::vector<AccessPattern> kPatterns{AccessPattern::Full, AccessPattern::Unicomp,
                                                  AccessPattern::LidUnicomp, AccessPattern::Tile};
inline const std::vector<QueryOrder> kOrders{QueryOrder::Input, QueryOrder::Bins, QueryOrder::Cell,
                                             QueryOrder::SortByWorkload, QueryOrder::WorkQueue};
inline const std::vector<Precision> kPrecisions{Precision::Double, Precision::Single};
inline const std::vector<Toggle> kOnOff{Toggle::On, Toggle::Off};
inline const std::vector<Toggle> kToggles{Toggle::Auto, Toggle::On, Toggle::Off};

enum class For { Join, Dbscan };

/// The rules of legal combinations as DESIGN states them, written down a second time: core tests
/// that stop early need full or tile; dense cells are the fused DBSCAN's, which goes by tiles in
/// cell order, all at once and in 64 bits; sorted keys are for joins on a GPU; other methods than
/// the grid take none of its options, but for SHORTC in G-DBSCAN, which is for DBSCAN on a GPU, and
/// the precision in those of EGO, which are, like the R-tree and the k-d tree, for the CPU;
/// New-Super-EGO takes the order WORKQUEUE.
inline bool legal(const Strategy& s, For use, bool gpu = false) {
  if (s.method != Method::Grid) {
    const bool ego = s.method == Method::SuperEgo || s.method == Method::NewSuperEgo;
    const bool onCpu = ego || s.method == Method::RTree || s.method == Method::KdTree;
    const bool onGpu = s.method != Method::BruteForce && s.method != Method::Products && !onCpu;
    const bool ordered = s.order == QueryOrder::Cell ||
                         (s.order == QueryOrder::WorkQueue && s.method == Method::NewSuperEgo);
    const bool plain = s.pattern == AccessPattern::Tile && ordered && s.indexedDims == 0 &&
                       s.threadsPerPoint == 1 && s.batchPairs == 0 && s.streams == 0 &&
                       s.blockSize == 0 && (s.precision == Precision::Double || ego) &&
                       s.reorder == Toggle::Auto && s.sortIdu == Toggle::Auto &&
                       (s.shortCircuit == Toggle::Auto || onGpu) && s.denseCells == Toggle::Auto &&
                       s.earlyStop == Toggle::Auto && s.route == ResultRoute::CountScanFill;
    return plain && (!onGpu || (gpu && use == For::Dbscan)) && (!onCpu || !gpu);
  }
  if (s.route == ResultRoute::KeyValueSort && !(gpu && use == For::Join)) return false;
  const bool half = s.pattern == AccessPattern::Unicomp || s.pattern == AccessPattern::LidUnicomp;
  if (s.earlyStop == Toggle::On && (half || use == For::Join)) return false;
  const bool dense = use == For::Dbscan && s.pattern == AccessPattern::Tile &&
                     s.order == QueryOrder::Cell && s.sortIdu != Toggle::On && s.batchPairs == 0 &&
                     s.precision == Precision::Double;
  return s.denseCells != Toggle::On || dense;
}

/// The full product of patterns, orders, k, toggles, precisions and batch sizes for a cloud of
/// `dims` dimensions, legal or not.
inline std::vector<Strategy> all(std::size_t dims) {
  std::vector<Strategy> result;
  const int most = static_cast<int>(std::min<std::size_t>(dims, 8));
  for (auto pattern : kPatterns)
    for (auto order : kOrders)
      for (int k = 0; k <= most; ++k)
        for (auto reorder : kOnOff)
          for (auto sortIdu : kOnOff)
            for (auto shortCircuit : kOnOff)
              for (auto denseCells : kToggles)
                for (auto earlyStop : kToggles)
                  for (auto precision : kPrecisions)
                    for (std::uint64_t batchPairs : {0, 40})
                      result.push_back({.pattern = pattern,
                                        .order = order,
                                        .indexedDims = k,
                                        .reorder = reorder,
                                        .sortIdu = sortIdu,
                                        .shortCircuit = shortCircuit,
                                        .denseCells = denseCells,
                                        .earlyStop = earlyStop,
                                        .precision = precision,
                                        .batchPairs = batchPairs});
  return result;
}

/// One legal strategy drawn at random; for a GPU also what only a GPU expresses, and for a CPU also
/// its other methods.
inline Strategy draw(std::mt19937_64& random, std::size_t dims, For use, bool gpu = false) {
  const auto pick = [&](const auto& from) { return from[random() % from.size()]; };
  if (!gpu && random() % 4 == 0) {
    Strategy s{.method = pick(kCpuMethods)};
    if (isEgo(s.method)) s.precision = pick(kPrecisions);
    if (s.method == Method::NewSuperEgo && random() % 2 == 0) s.order = QueryOrder::WorkQueue;
    return s;
  }
  for (;;) {
    Strategy s;
    s.pattern = pick(kPatterns);
    s.order = pick(kOrders);
    s.indexedDims = static_cast<int>(random() % (std::min<std::size_t>(dims, 8) + 1));
    s.reorder = pick(kToggles);
    s.sortIdu = pick(kToggles);
    s.shortCircuit = pick(kToggles);
    s.denseCells = pick(kToggles);
    s.earlyStop = pick(kToggles);
    s.precision = pick(kPrecisions);
    if (random() % 3 == 0) s.batchPairs = 1 + random() % 5000;
    if (gpu) {
      s.threadsPerPoint = 1 << random() % 6;
      s.streams = static_cast<int>(random() % 6);
      s.blockSize = static_cast<int>(random() % 33) * 32;  // 0 leaves it to the engine
      if (use == For::Join && random() % 4 == 0) s.route = ResultRoute::KeyValueSort;
    }
    if (legal(s, use, gpu)) return s;
  }
}

/// Each other method than the grid, as it is and with each of the grid's options set; legal or not.
inline std::vector<Strategy> otherMethods() {
  const std::vector<Strategy> options{{},
                                      {.pattern = AccessPattern::Full},
                                      {.order = QueryOrder::WorkQueue},
                                      {.indexedDims = 1},
                                      {.threadsPerPoint = 2},
                                      {.reorder = Toggle::Off},
                                      {.sortIdu = Toggle::Off},
                                      {.shortCircuit = Toggle::On},
                                      {.denseCells = Toggle::Off},
                                      {.earlyStop = Toggle::Off},
                                      {.precision = Precision::Single},
                                      {.route = ResultRoute::KeyValueSort},
                                      {.batchPairs = 7},
                                      {.streams = 1},
                                      {.blockSize = 64}};
  std::vector<Strategy> result;
  for (const Method method : kOtherMethods)
    for (Strategy s : options) {
      s.method = method;
      result.push_back(s);
    }
  return result;
}

/// For failure messages.
inline std::string text(const Strategy& s) {
  return "method " + toText(s.method) + " pattern " + toText(s.pattern) + " order " +
         toText(s.order) + " k " + std::to_string(s.indexedDims) + " reorder " + toText(s.reorder) +
         " sort-idu " + toText(s.sortIdu) + " short-circuit " + toText(s.shortCircuit) + " dense " +
         toText(s.denseCells) + " early-stop " + toText(s.earlyStop) + " batch " +
         std::to_string(s.batchPairs) + " threads " + std::to_string(s.threadsPerPoint) +
         " streams " + std::to_string(s.streams) + " block " + std::to_string(s.blockSize) +
         " route " + toText(s.route) + (s.precision == Precision::Single ? " precision 32" : "");
}

}  // namespace strategies
