#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/metric.h"
#include "engine/core/result.h"
#include "engine/core/run_stats.h"
#include "engine/core/task.h"
#include "engine/join/join_input.h"
#include "engine/join/single_precision.h"
#include "engine/join/strategy.h"

namespace clusterloom {

/// How a join uses its pairs.
enum class SinkKind {
  Counts,          ///< neighbours of every point
  Pairs,           ///< the sorted list of ordered pairs
  NeighbourTable,  ///< CSR
  Histogram,       ///< ordered pairs by distance
  LowestLabels,    ///< the lowest label among the neighbours of every point
  Dbscan,          ///< core tests, then union-find over core pairs
};

/// The features of a backend beyond the plain join.
struct BackendLimits {
  std::string_view name;
  bool threadGroups = false;        ///< more than one thread per point, streams, block sizes
  bool singlePrecision = false;     ///< 32-bit with the canonical recheck
  bool keyValueSort = false;        ///< the papers' route of key/value pairs and a sort
  bool gDbscan = false;             ///< the versions of G-DBSCAN
  bool twoClouds = false;           ///< joins of two clouds
  bool cpuMethods = false;          ///< R-tree, Super-EGO, New-Super-EGO, k-d tree
  bool choosesProducts = false;     ///< takes products by itself where they are cheaper
  bool manyDims = false;            ///< more than kMaxGridDims dimensions
  bool hybrid = false;              ///< CPU and GPU share each join
  bool products = false;            ///< the method products
  bool productsOfBytes = false;     ///< … by a GPU's matrix units
  bool noOptions = false;           ///< takes no options of a strategy, and has no plan
  bool bruteForceManyDims = false;  ///< brute force in more than kMaxGridDims dimensions
};

/// How many clouds a join compares.
enum class JoinSides { OneCloud, TwoClouds };

/// The table of legal combinations: success when `backend` supports `strategy` for this sink, else
/// a BadCall that names the option and what to choose instead.
Result<void> checkStrategy(const Strategy& strategy, SinkKind sink, const BackendLimits& backend,
                           std::size_t dims, JoinSides sides = JoinSides::OneCloud);

/// The cost of a step of a search for cells on a backend, for the cost model of k
/// (engine/join/cost_of_k.h).
double searchStepOf(const BackendLimits& backend, SinkKind sink);

/// Whether a tree of points, which takes nodes within ε of others as a whole, is quicker than a
/// grid that compares this many points with each point; only in up to three dimensions.
bool isQuickByTree(std::size_t dims, double compared);

/// A strategy of the grid with every toggle decided that does not depend on k: all but SORTIDU with
/// patterns other than tile. Decides as planJoin does; the cost model of k takes the result.
Strategy decideWithoutK(const Strategy& strategy, SinkKind sink, std::size_t dims,
                        const BackendLimits& backend);

/// A strategy with every "auto" decided for one input and ε.
struct JoinPlan {
  double squaredEps = 0;  ///< of the ε that was checked: what squared distances compare with
  Metric metric = Metric::Euclidean;
  Strategy strategy;          ///< method grid: no Toggle::Auto, indexedDims ≥ 1
  std::vector<int> dims;      ///< indexed dimensions, slowest in the linear id first
  std::vector<int> sumOrder;  ///< order in which SHORTC adds dimensions; the cloud's own if empty
  int sortWithinCells = -1;   ///< SORTIDU's dimension, −1 for none
  SinglePrecision single;     ///< parameters of precision 32; empty with 64
  std::string note;           ///< decisions that the user should know
};

/// Says in the stats of a run which backend did it and how it was planned.
inline void describePlan(const JoinPlan& plan, std::string_view backend, RunStats& stats) {
  stats.backend = backend;
  stats.strategy = describe(plan.strategy);
  stats.indexedDims = plan.strategy.indexedDims;
  addNote(stats, plan.note);
}

/// Checks and decides. Auto: REORDER on; k the cheapest of the cost model, but n for dense cells in
/// up to 3 dimensions, whose rows the model's cell searches do not describe; where no option is set
/// and the backend has them, the method products above the grid's dimensions and, but for
/// histograms on a GPU, where it is predicted to be cheaper than any k, for DBSCAN on a CPU from 4
/// dimensions on the k-d tree where that is cheaper than both, in up to 3 the k-d tree for counts
/// of one cloud and for lowest labels where points have very many candidates, and for counts of one
/// cloud on a CPU Super-EGO from 4 to 11 dimensions and where points of 2 have few candidates, and
/// k = 2 where those of 3 have few; SORTIDU where coordinates are compared one by one, with tiles
/// in the lists of a GPU, and in its DBSCAN of six dimensions where points have many candidates,
/// then in five of them and without dense cells and SHORTC; with other patterns when k < n; SHORTC
/// from 4 dimensions on, but not in those lists; dense cells for DBSCAN by tiles in cell order in
/// one batch and 64 bits; early stop wherever it is legal. Precision 32 becomes 64, and the note
/// says so, where its band around ε² would be wider than kWidestBand. Methods other than the grid
/// leave nothing to decide: their plan is the strategy. With two clouds the indexed one decides the
/// order of dimensions. BadCall, BadInput, Cancelled.
Result<JoinPlan> planJoin(const JoinInput& input, double eps, const Strategy& strategy,
                          SinkKind sink, const BackendLimits& backend, const Task& task);

}  // namespace clusterloom
