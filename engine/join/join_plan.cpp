#include "engine/join/join_plan.h"

#include <algorithm>
#include <optional>

#include "engine/core/predicate.h"
#include "engine/grid/dimension_order.h"
#include "engine/join/cost_of_k.h"
#include "engine/join/tile_cost.h"
#include "engine/product/product_cost.h"

namespace clusterloom {
namespace {

// Dense cells need the tile pattern's contiguous rows and decide the order of work themselves.
bool denseCellsPossible(const Strategy& s, SinkKind sink) {
  return sink == SinkKind::Dbscan && s.pattern == AccessPattern::Tile &&
         s.order == QueryOrder::Cell && s.sortIdu != Toggle::On && s.batchPairs == 0 &&
         s.precision == Precision::Double;
}

Toggle decide(Toggle asked, bool automatic) {
  return asked != Toggle::Auto ? asked : automatic ? Toggle::On : Toggle::Off;
}

// One of the options that the method does not take and that is set; empty when none is.
std::string_view gridOptionSet(const Strategy& s) {
  const Strategy standard;
  if (s.pattern != standard.pattern) return "access pattern";
  const bool byWorkload = s.method == Method::NewSuperEgo && s.order == QueryOrder::WorkQueue;
  if (s.order != standard.order && !byWorkload) return "query order";
  if (s.indexedDims != standard.indexedDims) return "number of indexed dimensions";
  if (s.threadsPerPoint != standard.threadsPerPoint) return "number of threads per point";
  if (s.reorder != standard.reorder) return "setting of REORDER";
  if (s.sortIdu != standard.sortIdu) return "setting of SORTIDU";
  if (s.shortCircuit != standard.shortCircuit && !isGDbscan(s.method)) return "setting of SHORTC";
  if (s.denseCells != standard.denseCells) return "setting of dense cells";
  if (s.earlyStop != standard.earlyStop) return "setting of early stop";
  if (s.precision != standard.precision && !isEgo(s.method)) return "choice of precision";
  if (s.route != standard.route) return "result route";
  if (s.batchPairs != standard.batchPairs) return "batch size";
  if (s.streams != standard.streams) return "number of streams";
  if (s.blockSize != standard.blockSize) return "block size";
  return {};
}

// The options that only a join by CPU and GPU together takes, and those that it refuses.
Result<void> checkHybrid(const Strategy& s, const BackendLimits& backend) {
  const std::string who = "The " + std::string(backend.name) + " backend ";
  if (!backend.hybrid) {
    const Strategy standard;
    const std::string_view option = s.division != standard.division           ? "division"
                                    : s.cpuMethod != standard.cpuMethod       ? "CPU method"
                                    : s.cpuBatch != standard.cpuBatch         ? "CPU batch"
                                    : s.referenceEps != standard.referenceEps ? "reference ε"
                                                                              : "";
    if (option.empty()) return {};
    return badCall(who + "runs on one processor and does not take " + std::string(option) +
                   "; leave it as it is, or choose the backend hybrid.");
  }
  if (s.method != Method::Grid)
    return badCall(who + "goes by the method grid, not " + toText(s.method) +
                   "; the CPU's share has a method of its own.");
  if (isHalf(s.pattern))
    return badCall(who + "needs all neighbours of a point at once, but the pattern " +
                   toText(s.pattern) + " finds each pair only once; choose full or tile.");
  if (s.referenceEps != 0 && !isStatic(s.division))
    return badCall("A reference ε is used by fixed shares only; choose the division " +
                   toText(Division::Queries) + " or " + toText(Division::Candidates) +
                   ", or leave it out.");
  if (s.order != QueryOrder::Cell && s.order != QueryOrder::WorkQueue)
    return badCall(who + "takes queries by workload; choose the order " +
                   toText(QueryOrder::WorkQueue) + ", not " + toText(s.order) + ".");
  return {};
}

// The options that a join of two clouds refuses with every method. Ranks in a ring and forecasts
// join parts or samples of a cloud in this way, so that the messages suit these as well.
Result<void> checkTwoClouds(const Strategy& s, SinkKind sink, const BackendLimits& backend) {
  if (!backend.twoClouds)
    return badCall("The " + std::string(backend.name) +
                   " backend joins a whole cloud with itself only; choose the backend cpu.");
  if (sink == SinkKind::Dbscan) return badCall("DBSCAN clusters one cloud, not two.");
  if (backend.hybrid && s.cpuMethod == CpuMethod::NewSuperEgo)
    return badCall("The CPU method " + toText(s.cpuMethod) +
                   " joins a whole cloud with itself only; choose " + toText(CpuMethod::Grid) +
                   ".");
  if (isCpuMethod(s.method) && s.method != Method::KdTree)
    return badCall("The method " + toText(s.method) +
                   " joins a whole cloud with itself only, not parts of it or two clouds; choose "
                   "the method grid.");
  if (s.method == Method::Grid && isHalf(s.pattern))
    return badCall(
        "The pattern " + toText(s.pattern) +
        " counts every hit as two pairs, (p, q) and (q, p). This is possible only where a whole "
        "cloud is joined with itself, not for parts of it or two clouds; choose full or tile.");
  return {};
}

// Decides what precision 32 goes by, or against it.
Result<void> planSingle(const JoinInput& input, double eps, JoinPlan& plan, const Task& task) {
  const PointCloud& cloud = input.points;
  const Bounds bounds = boundsOf(input);
  Result<CellGeometry> geometry;  // of a method without cells that are adjacent: nothing is folded
  if (!plan.dims.empty()) geometry = makeCellGeometry(cloud, bounds, eps, 1, plan.dims, task);
  if (!geometry) return tl::unexpected(geometry.error());
  plan.single = singlePrecisionFor(*geometry, bounds, eps, plan.sumOrder);
  // Queries of another cloud may lie where a slice has no points, further from those of adjacent
  // slices than these are from each other. Folded differences then prove pairs outside only.
  const auto cutIntoSlices = [](const OffsetColumn& column) { return column.slices; };
  if (input.twoClouds && std::ranges::any_of(plan.single.columns, cutIntoSlices))
    plan.single.acceptBelow = -1;
  if (plan.single.band <= kWidestBand) return {};
  plan.single = {};
  plan.strategy.precision = Precision::Double;
  plan.note =
      "Precision 32 was not used: the range of this cloud is so large against ε that 32-bit "
      "offsets would leave more than 1 % around ε² to 64 bits. Everything was computed in 64 bits.";
  return {};
}

/// Whether products can replace the grid: all is left to the engine, which may take them.
bool productsArePossible(const Strategy& asked, const BackendLimits& backend) {
  return asked == Strategy{} && backend.choosesProducts;
}

/// A GPU as those that were measured; the model of lanes and older GPUs have no matrix units.
bool isGpu(const BackendLimits& backend) { return backend.productsOfBytes && !backend.hybrid; }

ProductUnits unitsOf(const BackendLimits& backend, SinkKind sink, std::size_t dims) {
  // More do not fit into the fragments of a tile (engine/cuda/join/kernels/tile_count.cu).
  constexpr std::size_t kMostDimsOfCountingTiles = 34;
  if (!backend.productsOfBytes) return ProductUnits::Processor;
  return sink == SinkKind::Counts && dims <= kMostDimsOfCountingTiles
             ? ProductUnits::MatrixUnitsBesideCounts
             : ProductUnits::MatrixUnits;
}

/// The pairs of points that products look at.
double pairsOf(const JoinInput& input) {
  const double ordered = double(input.queries.size()) * double(input.points.size());
  return input.twoClouds ? ordered : ordered / 2;
}

/// Whether products are predicted to be cheaper than the best grid, even if no pair of leaves is
/// proven apart.
bool productsAreCheaper(const JoinInput& input, double passes, const CostModel& grid,
                        ProductUnits by, const PairShares& shares) {
  // A cloud with fewer points is joined at once by any method.
  constexpr std::size_t kLeastPoints = 2048;
  if (input.points.size() < kLeastPoints) return false;
  const CostOfK& best = grid.costs[std::size_t(grid.best) - 1];
  return productCost(pairsOf(input), input.points.dims(), by, shares) < passes * best.total();
}

/// Whether Super-EGO can replace the grid: it counts one cloud's neighbours, all is left to the
/// engine.
bool superEgoIsPossible(const JoinInput& input, const Strategy& asked, SinkKind sink,
                        const BackendLimits& backend) {
  return asked == Strategy{} && backend.cpuMethods && !input.twoClouds && sink == SinkKind::Counts;
}

/// Whether DBSCAN by a tree of points can replace the grid. In up to three dimensions dense cells
/// need less time.
bool treeIsPossible(const JoinInput& input, const Strategy& asked, SinkKind sink,
                    const BackendLimits& backend) {
  return asked == Strategy{} && backend.cpuMethods && !backend.threadGroups && !input.twoClouds &&
         sink == SinkKind::Dbscan && input.points.dims() > 3;
}

/// Whether the lowest labels around points may be found by a tree of points.
bool labelsGoByTree(const Strategy& asked, SinkKind sink, const BackendLimits& backend) {
  return asked == Strategy{} && backend.cpuMethods && sink == SinkKind::LowestLabels;
}

/// What DBSCAN by a tree of points is predicted to cost in the unit of the cost model: a walk for
/// each leaf looks at more nodes the more dimensions there are, and hardly at more where points
/// have more neighbours, since nodes within ε of each other are taken whole. Fitted to 12 clouds in
/// 4 to 8 dimensions (tests/bench/RESULTS.md); in many more, products cost less.
double treeCost(const PointCloud& cloud) {
  constexpr double kOfPoint = 90;
  const auto dims = double(cloud.dims());
  return kOfPoint * dims * dims * dims * double(cloud.size());
}

/// How a join goes whose method and k are left to the engine.
struct Choice {
  Method method = Method::Grid;
  int indexedDims = 0;  ///< of the grid
  bool window = false;  ///< SORTIDU instead of dense cells and SHORTC
};

/// Whether DBSCAN on a GPU goes by SORTIDU's window in five of six dimensions rather than by dense
/// cells of all six: that took 0.6 to 0.9 of the time where points have more candidates than these,
/// and 1.0 to 1.4 of it in uniform clouds (tests/bench/RESULTS.md).
bool windowIsQuicker(const JoinInput& input, SinkKind sink, const BackendLimits& backend,
                     const CostModel& model) {
  constexpr std::size_t kDims = 6;
  constexpr double kManyCandidates = 600;
  if (sink != SinkKind::Dbscan || !isGpu(backend) || input.points.dims() != kDims) return false;
  const double candidates = model.costs.back().distanceOps / double(kDims);
  return candidates > kManyCandidates * double(input.points.size());
}

/// In up to three dimensions the grid indexes all. Where a point has few candidates, finding them
/// takes longer than comparing them: then counts go by Super-EGO in two dimensions, and in three by
/// a grid of two, whose cells are found in fewer and longer ranges. Where it has very many, counts
/// and lowest labels go by a tree, which takes nodes as a whole.
Result<Choice> chooseInFewDims(const JoinInput& input, double eps, const std::vector<int>& order,
                               bool superEgo, bool tree, const Task& task) {
  // Of 80 counts by 16 threads (tests/bench/RESULTS.md) the grid lost up to half of the time where
  // points have fewer candidates than these, and won where they have more; a smaller cloud is
  // joined in less time than it takes to ask.
  constexpr std::size_t kLeastPoints = 100'000;
  constexpr double kFewCandidatesIn2D = 50;
  constexpr double kFewCandidatesIn3D = 80;
  const int n = int(input.points.dims());
  const Choice all{.indexedDims = n};
  if (!tree || input.queries.size() < kLeastPoints) return all;
  const auto model = costOfTiles(input, eps, order, kCpuSearchStep, task);
  if (!model) return tl::unexpected(model.error());
  const double read = model->costs.back().distanceOps / double(input.queries.size());
  if (isQuickByTree(input.points.dims(), read / n)) return Choice{.method = Method::KdTree};
  if (!superEgo || n < 2) return all;
  if (n == 2) return read < kFewCandidatesIn2D * n ? Choice{.method = Method::SuperEgo} : all;
  return read < kFewCandidatesIn3D * n ? Choice{.indexedDims = 2} : all;
}

/// The best grid for the toggles of `s`, or products or a tree where they are predicted to be
/// cheaper.
Result<Choice> gridOrProducts(const JoinInput& input, double eps, const Strategy& s,
                              const std::vector<int>& order, SinkKind sink,
                              const BackendLimits& backend, bool products, bool tree,
                              const Task& task) {
  constexpr std::size_t kLeastDimsOfQuickProducts = 16;
  const std::size_t dims = input.points.dims();
  const bool onMatrixUnits = products && backend.productsOfBytes;
  const ProductUnits units = unitsOf(backend, sink, dims);
  std::optional<PairShares> known;
  const auto shares = [&] {
    if (onMatrixUnits && !known) known = sharesOfPairs(input.queries, input.points, eps);
    return known.value_or(PairShares{});
  };
  if (onMatrixUnits && dims >= kLeastDimsOfQuickProducts &&
      areQuickProducts(pairsOf(input), dims, units, shares()))
    return Choice{.method = Method::Products};
  const double step = searchStepOf(backend, sink);
  const auto model = isCostOfTiles(s) ? costOfTiles(input, eps, order, step, task)
                                      : costOfK(input, eps, s, task, step);
  if (!model) return tl::unexpected(model.error());
  if (tree) {
    const double cost = treeCost(input.points);
    if (cost < model->costs[std::size_t(model->best) - 1].total() &&
        (!products || cost < productCost(pairsOf(input), dims, units)))
      return Choice{.method = Method::KdTree};
  }
  const bool window = products && windowIsQuicker(input, sink, backend, *model);
  // DBSCAN by the grid looks for neighbours once for core tests and once for unions; the pairs that
  // products find are kept. With SORTIDU's window it was as fast as products where these cost about
  // 1.2 times as much as one pass (tests/bench/RESULTS.md).
  const double passes = sink != SinkKind::Dbscan ? 1 : window ? 1.2 : 2;
  // The pairs that are left open are only estimated where they decide.
  if (products && productsAreCheaper(input, passes, *model, units, {}) &&
      productsAreCheaper(input, passes, *model, units, shares()))
    return Choice{.method = Method::Products};
  if (window) return Choice{.indexedDims = int(dims) - 1, .window = true};
  return Choice{.indexedDims = model->best};
}

/// For `s`, whose toggles are decided for the requested strategy; `order` are the dimensions as it
/// indexes them. The input is valid.
Result<Choice> choose(const JoinInput& input, double eps, const Strategy& asked, const Strategy& s,
                      const std::vector<int>& order, SinkKind sink, const BackendLimits& backend,
                      const Task& task) {
  // From 4 dimensions on Super-EGO took 0.3 to 1.0 of the time of the best grid in every cloud that
  // was measured, and less than products in up to 8; in 12 products take less.
  constexpr std::size_t kMostDimsOfSuperEgo = 11;
  const std::size_t dims = input.points.dims();
  const bool superEgo = superEgoIsPossible(input, asked, sink, backend);
  const bool windowAsked = asked.sortIdu == Toggle::On;
  if (dims <= 3 && s.pattern == AccessPattern::Tile && !windowAsked)
    return chooseInFewDims(input, eps, order, superEgo,
                           superEgo || labelsGoByTree(asked, sink, backend), task);
  if (superEgo && dims <= kMostDimsOfSuperEgo) return Choice{.method = Method::SuperEgo};
  Strategy modelled = s;
  // A window that was not requested does not change which k is best, but the model of it needs an
  // index.
  if (s.pattern == AccessPattern::Tile && !windowAsked) modelled.sortIdu = Toggle::Off;
  // On a GPU each pair that products find needs its distance for a histogram, which the cost of
  // products does not contain.
  const bool products = productsArePossible(asked, backend) &&
                        !(sink == SinkKind::Histogram && backend.productsOfBytes);
  return gridOrProducts(input, eps, modelled, order, sink, backend, products,
                        treeIsPossible(input, asked, sink, backend), task);
}

Result<void> checkWithoutOptions(const Strategy& s) {
  const std::string who = "Joins by Manhattan and Chebyshev distances take no ";
  if (s.method != Method::Grid)
    return badCall(who + "method " + toText(s.method) + "; leave the method as it is.");
  if (const std::string_view option = gridOptionSet(s); !option.empty())
    return badCall(who + std::string(option) + "; leave it as it is.");
  return {};
}

// The options that are left with more dimensions than the grid's.
Result<void> checkManyDims(const Strategy& s, const BackendLimits& backend, std::size_t dims) {
  const std::string most =
      std::to_string(kMaxGridDims) + " dimensions; this cloud has " + std::to_string(dims) + ". ";
  if (dims <= kMaxGridDims) return {};
  if (!backend.manyDims)
    return badCall("The backend " + std::string(backend.name) + " takes at most " + most +
                   "Choose fewer columns, or for a join the backend cpu.");
  const bool bruteForce = s.method == Method::BruteForce && backend.bruteForceManyDims;
  if (s.method != Method::Products && !bruteForce && !productsArePossible(s, backend))
    return badCall("The method " + toText(s.method) + " with these options takes at most " + most +
                   "Choose the method " + toText(Method::Products) +
                   ", or leave all options as they are.");
  return {};
}

Result<void> checkOtherMethod(const Strategy& s, SinkKind sink, const BackendLimits& backend) {
  const std::string word = toText(s.method);
  if (const std::string_view option = gridOptionSet(s); !option.empty())
    return badCall("The method " + word + " takes no " + std::string(option) +
                   "; leave it as it is, or choose the method grid.");
  if (sink == SinkKind::Histogram && s.method != Method::Products)
    return badCall("A histogram of distances goes by the method grid or products, not " + word +
                   ".");
  if (isCpuMethod(s.method) && !backend.cpuMethods)
    return badCall("The method " + word +
                   " runs on the CPU; choose the backend cpu, or the method grid.");
  if (s.method == Method::Products && !backend.products)
    return badCall(
        "The " + std::string(backend.name) +
        " backend has no method products; choose the backend auto or cpu, or the method grid.");
  if (isGDbscan(s.method)) {
    if (sink != SinkKind::Dbscan)
      return badCall("The method " + word + " gives DBSCAN's labels and no join; choose grid or " +
                     toText(Method::BruteForce) + ".");
    if (!backend.gDbscan)
      return badCall("The " + std::string(backend.name) +
                     " backend has no G-DBSCAN, which is for GPUs; choose grid or " +
                     toText(Method::BruteForce) + ".");
  }
  return {};
}

}  // namespace

bool isQuickByTree(std::size_t dims, double compared) {
  // Of counts in uniform and exponential clouds (tests/bench/RESULTS.md) the grid took less time
  // than the tree with half as many, and more with twice as many.
  constexpr double kMany[] = {1500, 3000, 6000};
  return dims >= 1 && dims <= 3 && compared > kMany[dims - 1];
}

Result<void> checkStrategy(const Strategy& s, SinkKind sink, const BackendLimits& backend,
                           std::size_t dims, JoinSides sides) {
  if (sides == JoinSides::TwoClouds)
    if (auto legal = checkTwoClouds(s, sink, backend); !legal) return legal;
  if (auto legal = checkHybrid(s, backend); !legal) return legal;
  if (backend.noOptions) return checkWithoutOptions(s);
  if (auto legal = checkManyDims(s, backend, dims); !legal) return legal;
  if (s.method != Method::Grid) return checkOtherMethod(s, sink, backend);
  const std::string who = "The " + std::string(backend.name) + " backend ";
  const auto most = int(std::min<std::size_t>(dims, 8));
  if (s.indexedDims < 0 || s.indexedDims > most)
    return badCall("The number of indexed dimensions must be between 1 and " +
                   std::to_string(most) + " for this cloud, or auto.");
  const int t = s.threadsPerPoint;
  if (t < 1 || t > 32 || (t & (t - 1)) != 0)
    return badCall("Threads per point must be 1, 2, 4, 8, 16 or 32.");
  if (!backend.threadGroups) {
    if (t != 1) return badCall(who + "uses one thread per point; several are for GPUs.");
    if (s.streams != 0) return badCall(who + "has no streams; they are for GPUs.");
    if (s.blockSize != 0) return badCall(who + "has no thread blocks; they are for GPUs.");
  }
  if (s.blockSize != 0 && (s.blockSize < 32 || s.blockSize > 1024 || s.blockSize % 32 != 0))
    return badCall("The block size must be a multiple of 32 from 32 to 1024, or auto.");
  if (s.streams < 0 || s.streams > 32)
    return badCall("The number of streams must be between 1 and 32, or auto.");
  if (s.precision == Precision::Single && !backend.singlePrecision)
    return badCall(who + "computes in 64 bits only; choose precision 64.");
  if (s.route == ResultRoute::KeyValueSort) {
    if (!backend.keyValueSort)
      return badCall(
          who +
          "does not sort key/value pairs, which is for GPUs; choose the route count-scan-fill.");
    if (sink != SinkKind::Pairs && sink != SinkKind::NeighbourTable)
      return badCall(
          "Sorting key/value pairs is for pairs and neighbour tables; this run makes none.");
  }
  if (s.earlyStop == Toggle::On && sink != SinkKind::Dbscan)
    return badCall("Early stop ends core tests at minPts; a join has none. Set it to auto or off.");
  if (s.earlyStop == Toggle::On && isHalf(s.pattern))
    return badCall("Early stop needs all neighbours of a point at once, but the pattern " +
                   toText(s.pattern) + " finds each pair only once; choose full or tile.");
  if (s.denseCells == Toggle::On && !denseCellsPossible(s, sink))
    return badCall(
        "Dense cells go with DBSCAN by the tile pattern in cell order, in one batch, in 64 bits "
        "and without SORTIDU.");
  return {};
}

double searchStepOf(const BackendLimits& backend, SinkKind sink) {
  // Measured on an H200 (tests/bench/RESULTS.md): tiles of counts compare by matrix units, those of
  // lists in a window, and DBSCAN where cells do not decide.
  constexpr double kGpuJoin = 20;
  constexpr double kGpuDbscan = 1;
  if (!isGpu(backend)) return kCpuSearchStep;
  return sink == SinkKind::Dbscan ? kGpuDbscan : kGpuJoin;
}

Strategy decideWithoutK(const Strategy& strategy, SinkKind sink, std::size_t dims,
                        const BackendLimits& backend) {
  Strategy s = strategy;
  s.denseCells = decide(s.denseCells, denseCellsPossible(s, sink));
  s.earlyStop = decide(s.earlyStop, sink == SinkKind::Dbscan && !isHalf(s.pattern));
  s.reorder = decide(s.reorder, true);
  const bool tiles = s.pattern == AccessPattern::Tile;
  // A window of SORTIDU keeps tiles from comparing whole ranges with vectors or matrix units. The
  // lists of a GPU are made without either.
  const bool oneByOne = isGpu(backend) && sink != SinkKind::Counts && sink != SinkKind::Dbscan;
  if (tiles) s.sortIdu = decide(s.sortIdu, oneByOne);
  s.shortCircuit = decide(s.shortCircuit, dims >= 4 && !(tiles && oneByOne));
  return s;
}

Result<JoinPlan> planJoin(const JoinInput& input, double eps, const Strategy& strategy,
                          SinkKind sink, const BackendLimits& backend, const Task& task) {
  const PointCloud& cloud = input.points;
  if (auto valid = validate(input); !valid) return tl::unexpected(valid.error());
  const auto squaredEps = epsSquared(eps);
  if (!squaredEps) return tl::unexpected(squaredEps.error());
  const JoinSides sides = input.twoClouds ? JoinSides::TwoClouds : JoinSides::OneCloud;
  if (auto legal = checkStrategy(strategy, sink, backend, cloud.dims(), sides); !legal)
    return tl::unexpected(legal.error());
  if (backend.noOptions)
    return badCall("There is no plan of a join by Manhattan or Chebyshev distances.");

  JoinPlan plan;
  plan.squaredEps = *squaredEps;
  plan.strategy = strategy;
  Strategy& s = plan.strategy;
  if (isEgo(s.method) && s.precision == Precision::Single) {
    plan.sumOrder = dimensionsByMeanStep(cloud);
    if (auto planned = planSingle(input, eps, plan, task); !planned)
      return tl::unexpected(planned.error());
  }
  if (s.method != Method::Grid) return plan;
  // Above the grid's dimensions nothing else is legal.
  if (cloud.dims() > kMaxGridDims) {
    s = {.method = Method::Products};
    return plan;
  }
  const int n = int(cloud.dims());
  s = decideWithoutK(s, sink, cloud.dims(), backend);
  const std::vector<int> order =
      s.reorder == Toggle::On ? dimensionsByVariance(input) : dimensionsInCloudOrder(cloud);
  if (s.indexedDims == 0) {
    const auto choice = choose(input, eps, strategy, s, order, sink, backend, task);
    if (!choice) return tl::unexpected(choice.error());
    if (choice->method != Method::Grid) {
      s = {.method = choice->method};
      return plan;
    }
    s.indexedDims = choice->indexedDims;
    if (choice->window) {
      s.sortIdu = Toggle::On;
      s.denseCells = s.shortCircuit = Toggle::Off;
    }
  }
  plan.dims.assign(order.begin(), order.begin() + s.indexedDims);
  s.sortIdu = decide(s.sortIdu, s.indexedDims < n && s.denseCells == Toggle::Off);
  if (s.sortIdu == Toggle::On)
    plan.sortWithinCells = order[std::size_t(std::min(s.indexedDims, n - 1))];
  if (s.shortCircuit == Toggle::On && s.reorder == Toggle::On) plan.sumOrder = order;
  if (s.precision == Precision::Single)
    if (auto planned = planSingle(input, eps, plan, task); !planned)
      return tl::unexpected(planned.error());
  return plan;
}

}  // namespace clusterloom
