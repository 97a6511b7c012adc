#pragma once

#include <cstdint>
#include <string>

#include "engine/join/division.h"

namespace clusterloom {

/// How the pairs are found. The other options describe Grid. Other methods take none of them, with
/// three exceptions: the versions of G-DBSCAN take SHORTC, the methods of EGO the precision, and
/// NewSuperEgo the order WorkQueue. BruteForce compares all points with all. RTree, SuperEgo,
/// NewSuperEgo and KdTree run on the CPU only, Products on a CPU and on one GPU. The others are the
/// four versions of G-DBSCAN [Frasson 2021, §4] and one of ours, for DBSCAN on a GPU only.
enum class Method {
  Grid,
  BruteForce,
  RTree,               ///< search and refine [Gowanlock 2018, §5.2.2]
  SuperEgo,            ///< sequences of points in EGO order, joined with each other
                       ///< [Gallet 2020, §3.2]
  NewSuperEgo,         ///< the same for one query at a time [Gallet 2020, §4.5]
  KdTree,              ///< leaves of a tree of points, joined with nodes of it (ours)
  Products,            ///< products of rounded coordinates, for many dimensions (ours)
  GDbscanPaper,        ///< the frontier goes to the host after each level
  GDbscanNoTransfer,   ///< the frontier stays on the device, as in all versions below
  GDbscanShifted,      ///< each thread begins with another candidate
  GDbscanShared,       ///< candidates of the thread's own block are read from shared memory
  GDbscanSharedTiles,  ///< all candidates are read from tiles in shared memory (ours)
};

constexpr bool isEgo(Method method) {
  return method == Method::SuperEgo || method == Method::NewSuperEgo;
}

/// Joins that were designed for the CPU.
constexpr bool isCpuMethod(Method method) {
  return method == Method::RTree || isEgo(method) || method == Method::KdTree;
}

constexpr bool isGDbscan(Method method) {
  return method != Method::Grid && method != Method::BruteForce && method != Method::Products &&
         !isCpuMethod(method);
}

/// Which cells a query point compares with. [Gowanlock 2018, §4.2] and [Gallet 2019, §III-B]; Tile
/// is ours.
enum class AccessPattern { Full, Unicomp, LidUnicomp, Tile };

/// A half pattern visits each pair of adjacent cells from one side only, so a hit in another cell
/// stands for both ordered pairs. constexpr because device code calls it too.
constexpr bool isHalf(AccessPattern pattern) {
  return pattern == AccessPattern::Unicomp || pattern == AccessPattern::LidUnicomp;
}

/// The order in which query points are processed: [Gowanlock 2019, §3.2.1] (bins), [Gallet 2019,
/// §III-C, D].
enum class QueryOrder { Input, Bins, Cell, SortByWorkload, WorkQueue };

/// An option that may be left to the engine.
enum class Toggle { Auto, On, Off };

enum class Precision { Double, Single };

/// How a GPU brings pairs and neighbour tables to the host. CountScanFill counts, then writes rows
/// to their places. KeyValueSort writes (p, q) pairs in no order and sorts each batch, as the
/// papers do [Gowanlock 2018, §4.1], for at most 10⁹ pairs.
enum class ResultRoute { CountScanFill, KeyValueSort };

/// How a join is to be done. Plain data; every strategy gives the same answer.
///
/// Example:
///
///     Strategy strategy = gpuCalcGlobal();
///     strategy.order = QueryOrder::WorkQueue;
///     strategy.indexedDims = 2;
///     const std::string words = describe(strategy);
///
/// Performance. The default leaves the method to the engine (planJoin): tiles in the order of
/// cells, with k by the cost model (engine/join/cost_of_k.h), or Super-EGO, the k-d tree or
/// products where these are expected to take less time. The other values are those of the papers,
/// which tests/bench/RESULTS.md compares.
///
/// Errors. `checkStrategy` (engine/join/join_plan.h) says which combinations a backend accepts; a
/// call refuses others by BadCall.
struct Strategy {
  Method method = Method::Grid;
  AccessPattern pattern = AccessPattern::Tile;
  QueryOrder order = QueryOrder::Cell;
  int indexedDims = 0;            ///< k, 1 … min(n, 8); 0 lets the cost model choose
  int threadsPerPoint = 1;        ///< 1, 2, 4, 8, 16, 32 (GPU only beyond 1)
  Toggle reorder = Toggle::Auto;  ///< REORDER, [Gowanlock 2019, §4.2]
  Toggle sortIdu = Toggle::Auto;  ///< SORTIDU, [Gowanlock 2019, §4.3]
  Toggle shortCircuit =
      Toggle::Auto;  ///< SHORTC, [Gowanlock 2019, §4.4]; in G-DBSCAN [Frasson 2021, §3.1.1]
  Toggle denseCells = Toggle::Auto;  ///< dense sub-cells of the fused DBSCAN (ours)
  Toggle earlyStop = Toggle::Auto;   ///< core tests stop at minPts (ours)
  Precision precision = Precision::Double;
  ResultRoute route = ResultRoute::CountScanFill;  ///< GPU only, pairs and tables only
  std::uint64_t batchPairs = 0;                    ///< b_s, pairs per batch; 0: auto
  int streams = 0;                         ///< CUDA streams; 0 lets the engine choose (GPU only)
  int blockSize = 0;                       ///< CUDA block size; 0 lets the engine choose (GPU only)
  Division division = Division::Adaptive;  ///< of the queries between CPU and GPU (hybrid only)
  CpuMethod cpuMethod = CpuMethod::Grid;   ///< of the CPU's share (hybrid only)
  std::uint32_t cpuBatch = 0;  ///< queries that a CPU thread takes at once; 0: auto (hybrid only)
  /// ε at which static divisions time both processors [Gallet 2020, §4.2.2]; 0: the join's own
  /// (hybrid only).
  double referenceEps = 0;

  friend bool operator==(const Strategy&, const Strategy&) = default;
};

/// GPUCALCGLOBAL, the papers' first kernel, except for the dimensions that it indexes [Gowanlock
/// 2018, algorithm 1].
inline Strategy gpuCalcGlobal() {
  Strategy strategy;
  strategy.pattern = AccessPattern::Full;
  strategy.order = QueryOrder::Bins;
  strategy.reorder = strategy.sortIdu = strategy.shortCircuit = Toggle::Off;
  return strategy;
}

/// A strategy without the options of DBSCAN (dense cells, early stop), for a plain join.
Strategy asJoin(Strategy strategy);

/// A strategy without the options of joins by CPU and GPU together (division, the CPU's method and
/// batch, reference ε), for a run by one processor.
Strategy ofOneProcessor(Strategy strategy);

/// The command line's word for each option, e.g. "lid-unicomp", and back (false: unknown word).
std::string toText(Method method);
std::string toText(AccessPattern pattern);
std::string toText(QueryOrder order);
std::string toText(Toggle toggle);
std::string toText(ResultRoute route);
std::string toText(Division division);
std::string toText(CpuMethod method);
std::string toText(Deal deal);
bool fromText(const std::string& text, AccessPattern& pattern);
bool fromText(const std::string& text, QueryOrder& order);
bool fromText(const std::string& text, Deal& deal);

/// One line that names the pattern, the order and every option that is set, or the method where it
/// is not the grid; for status lines and logs.
std::string describe(const Strategy& strategy);

}  // namespace clusterloom
