// The class Engine of the module: joins, DBSCAN and the load of warps on one backend.
#include <pybind11/stl.h>
#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <ctime>
#include <map>
#include <new>
#include <numeric>
#include <optional>

#include "app/python/arrays.h"
#include "app/python/interruptible.h"
#include "app/python/module.h"
#include "engine/batch_history.h"
#include "engine/cloud/borrowed_cloud.h"
#include "engine/cloud/generators.h"
#include "engine/core/large_array.h"
#include "engine/core/memory_budget.h"
#include "engine/core/parallel_for.h"
#include "engine/core/stopwatch.h"
#include "engine/dbscan/backend_in_space.h"
#include "engine/dbscan/point_groups.h"
#include "engine/dbscan/weighted_dbscan.h"
#include "engine/join/strategy_options.h"
#include "engine/load/load_report.h"

namespace clusterloom::python {

namespace {

using Options = std::map<std::string, std::string>;

std::unique_ptr<Engine> makeEngine(const std::string& backend, int threads, int device,
                                   const Options& options, std::vector<double> period,
                                   const std::string& metric, bool forLoad) {
  auto engine = std::make_unique<Engine>();
  engine->threads = threads;
  if (forLoad) engine->strategy = gpuCalcGlobal();
  for (const auto& [key, value] : options) {
    std::string name = key;
    std::replace(name.begin(), name.end(), '_', '-');
    const StrategyOption* option = findStrategyOption(name);
    if (option == nullptr)
      throw py::value_error("There is no strategy option '" + key +
                            "'; clusterloom.strategy_choices() lists them");
    if (auto set = setOption(engine->strategy, *option, value); !set) {
      Error error = set.error();
      error.message.replace(0, 2 + name.size(), key);  // "--dense-cells" is "dense_cells" here
      raise(error);
    }
  }
  auto made = [&] {
    const RunningCall call;
    const py::gil_scoped_release unlocked;  // a GPU may take a while to answer
    BackendOptions how;
    how.threads = threads;
    how.device = device;
    how.batchHistory = batchHistoryFile();
    how.lateStart = true;
    return makeBackend(backend, how);
  }();
  if (!made) raise(made.error());
  Space space{.periods = std::move(period)};
  if (metric == "haversine")
    space.sphere = {.angles = Sphere::Angles::Radians, .latitudeFirst = true, .radius = 1};
  else
    space.metric = metricOf(metric);
  auto inSpace = backendIn(space, {}, std::move(*made));
  if (!inSpace) raise(inSpace.error());
  engine->backend = std::move(*inSpace);
  engine->space = std::move(space);
  return engine;
}

}  // namespace

Metric metricOf(const std::string& name) {
  const auto metric = parseMetric(name);
  if (!metric) raise(metric.error());
  return *metric;
}

namespace {

/// Times a call of the engine.
class CallTimer {
 public:
  void read(RunTimes& times) const {
    times.call = watch_.seconds();
    times.callProcessor = static_cast<double>(std::clock() - clock_) / CLOCKS_PER_SEC;
  }

 private:
  Stopwatch watch_;
  std::clock_t clock_ = std::clock();
};

/// One or two arrays as clouds.
struct Clouds {
  PointCloud queries;
  std::optional<PointCloud> others;
  JoinInput join() const { return others ? JoinInput(queries, *others) : JoinInput(queries); }
};

/// Calls run(clouds, task), interruptibly; `times` gets what it took.
template <class Run>
auto onClouds(const py::buffer& points, const std::optional<py::buffer>& others,
              const py::object& progress, RunTimes& times, Run&& run) {
  const PointsView view(points);
  std::optional<PointsView> other;
  if (others) other.emplace(*others);
  return interruptibly(progress, [&](const Task& task) {
    Clouds clouds{view.cloud(), {}};
    if (other) clouds.others = other->cloud();
    const CallTimer timer;
    auto result = run(clouds, task);
    timer.read(times);
    return result;
  });
}

/// The core points as scikit-learn's estimators keep them.
struct CorePoints {
  LargeArray<std::int64_t> rows;  ///< ascending
  Memory coordinates;             ///< row by row
};

/// Copies points of a cloud that borrows all its columns, row by row.
template <class Real>
void copyRows(const PointCloud& points, std::span<const std::uint32_t> listed, Real* to) {
  const std::size_t dims = points.dims();
  if (const auto rows = rowsOf(points)) {
    for (std::size_t i = 0; i < listed.size(); ++i)
      std::memcpy(to + i * dims, rows->first + std::ptrdiff_t(listed[i]) * rows->stride,
                  dims * sizeof(Real));
    return;
  }
  for (std::size_t j = 0; j < dims; ++j)
    withValues(points.columns[j], [&](const auto& x) {
      for (std::size_t i = 0; i < listed.size(); ++i) to[i * dims + j] = Real(x[listed[i]]);
    });
}

/// The core points, with coordinates of the type that the cloud borrows.
template <class Real>
Result<CorePoints> corePoints(const PointCloud& points, const Clustering& clustering, int threads) {
  constexpr std::size_t kMost = 16384;
  const std::size_t dims = points.dims();
  const std::size_t size = std::min(kMost, pointsAtOnce(dims));
  const std::vector<PointRole>& roles = clustering.roles;
  const std::size_t blocks = (roles.size() + size - 1) / size;
  const auto endOf = [&](std::size_t block) { return std::min(roles.size(), (block + 1) * size); };
  try {
    LargeArray<std::int64_t> rows(clustering.coreCount);
    LargeArray<Real> coordinates(clustering.coreCount * dims);
    std::vector<std::size_t> first(blocks + 1, 0);  // core points before each block
    tbb::task_arena arena(arenaThreads(threads));
    arena.execute([&] {
      parallelFor(blocks, 1, [&](std::size_t block) {
        first[block + 1] = static_cast<std::size_t>(
            std::count(roles.begin() + static_cast<std::ptrdiff_t>(block * size),
                       roles.begin() + static_cast<std::ptrdiff_t>(endOf(block)), PointRole::Core));
      });
      std::partial_sum(first.begin(), first.end(), first.begin());
      parallelFor(blocks, 1, [&](std::size_t block) {
        // Listed without a branch on the role, which no processor can predict.
        std::array<std::uint32_t, kMost> listed;
        std::size_t count = 0;
        for (std::size_t p = block * size; p < endOf(block); ++p) {
          listed[count] = static_cast<std::uint32_t>(p);
          count += roles[p] == PointRole::Core ? 1 : 0;
        }
        std::copy_n(listed.begin(), count, rows.begin() + std::ptrdiff_t(first[block]));
        copyRows(points, {listed.data(), count}, coordinates.data() + first[block] * dims);
      });
    });
    return CorePoints{std::move(rows), exported(std::move(coordinates), dims)};
  } catch (const std::bad_alloc&) {
    return tooLarge("There is no memory for a copy of " + std::to_string(clustering.coreCount) +
                    " core points.");
  }
}

struct Clustered {
  Clustering clustering;
  CorePoints core;
  RunTimes times;
};

/// The group of each of `points` points, from an array of int64 that are below their number.
PointGroups groupsIn(const py::buffer& array, std::size_t points) {
  const py::buffer_info info = array.request();
  if (info.ndim != 1 || info.itemsize != sizeof(std::int64_t) ||
      static_cast<std::size_t>(info.size) != points ||
      (info.size > 1 && info.strides[0] != sizeof(std::int64_t)))
    throw py::value_error("groups must be a contiguous array of int64, one for each point");
  const auto* first = static_cast<const std::int64_t*>(info.ptr);
  PointGroups groups;
  groups.of.assign(first, first + info.size);
  groups.count = static_cast<std::uint32_t>(points);
  return groups;
}

/// Clusters the points, those of each group on their own where there are groups.
py::dict dbscan(const Engine& engine, const py::buffer& points, double eps, std::int64_t minPts,
                const std::optional<py::buffer>& weights, const py::object& progress,
                const std::optional<py::buffer>& groups) {
  const PointsView view(points);
  std::optional<PointGroups> grouped;
  if (groups) grouped = groupsIn(*groups, view.points());
  std::optional<PointsView> weighted;
  if (weights) weighted.emplace(*weights);
  Clustered found = interruptibly(progress, [&](const Task& task) -> Result<Clustered> {
    Clustered made;
    PointCloud cloud = view.cloud();
    std::vector<double> weight;
    if (weighted) weight = std::move(weighted->cloud().columns.front().own());
    if (grouped) {
      auto apart = apartByGroup(std::move(cloud), *grouped, eps);
      if (!apart) return tl::unexpected(apart.error());
      cloud = std::move(*apart);
    }
    const CallTimer timer;
    auto clustering =
        dbscanOf(*engine.backend, cloud, weight, {eps, minPts}, engine.strategy, task);
    if (!clustering) return tl::unexpected(clustering.error());
    timer.read(made.times);
    auto core = view.single() ? corePoints<float>(view.cloud(), *clustering, engine.threads)
                              : corePoints<double>(view.cloud(), *clustering, engine.threads);
    if (!core) return tl::unexpected(core.error());
    made.clustering = std::move(*clustering);
    made.core = std::move(*core);
    return made;
  });
  py::dict result;
  result["clusters"] = found.clustering.clusters;
  result["run"] = describeRun(found.clustering.stats, found.times);
  result["labels"] = exported(std::move(found.clustering.labels));
  result["core_rows"] = exported(std::move(found.core.rows));
  result["core_points"] = std::move(found.core.coordinates);
  return result;
}

/// What a call on arrays found, as a dictionary: the statistics of the run, and what
/// add(result, found) takes from the rest.
template <class Run, class Add>
py::dict foundOnClouds(const py::buffer& points, const std::optional<py::buffer>& others,
                       const py::object& progress, const Run& run, const Add& add) {
  RunTimes times;
  auto found = onClouds(points, others, progress, times, run);
  py::dict result;
  result["run"] = describeRun(found.stats, times);
  add(result, found);
  return result;
}

py::dict counts(const Engine& engine, const py::buffer& points,
                const std::optional<py::buffer>& others, double eps, const py::object& progress) {
  return foundOnClouds(
      points, others, progress,
      [&](const Clouds& clouds, const Task& task) {
        return engine.backend->count(clouds.join(), eps, engine.strategy, task);
      },
      [](py::dict& result, NeighbourCounts& found) {
        result["counts"] = exported(std::move(found.counts));
      });
}

py::dict pairs(const Engine& engine, const py::buffer& points,
               const std::optional<py::buffer>& others, double eps, const py::object& progress) {
  return foundOnClouds(
      points, others, progress,
      [&](const Clouds& clouds, const Task& task) {
        return engine.backend->pairs(clouds.join(), eps, engine.strategy, task);
      },
      [](py::dict& result, PairList& found) {
        result["pairs"] = exportedBytes(std::move(found.pairs));
      });
}

/// The canonical distances of the pairs of a table, in its order.
Result<LargeArray<double>> distancesOf(const NeighbourTable& table, const Clouds& clouds,
                                       int threads, const Task& task) {
  const std::uint64_t bytes = table.ids.size() * sizeof(double);
  if (auto fits = checkTableFits(table.ids.size(), bytes); !fits)
    return tl::unexpected(fits.error());
  const PointCloud& queries = clouds.queries;
  const PointCloud& others = clouds.others ? *clouds.others : clouds.queries;
  LargeArray<double> distances(table.ids.size());
  tbb::task_arena arena(arenaThreads(threads));
  arena.execute([&] {
    parallelFor(queries.size(), 1024, task, [&](std::size_t p) {
      for (std::uint64_t i = table.offsets[p]; i < table.offsets[p + 1]; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < queries.dims(); ++j) {
          const double d = queries.columns[j][p] - others.columns[j][std::size_t(table.ids[i])];
          sum += d * d;
        }
        distances[i] = std::sqrt(sum);
      }
    });
  });
  if (task.cancelled()) return cancelledError();
  return distances;
}

struct TableWithDistances : NeighbourTable {
  LargeArray<double> distances;
};

py::dict table(const Engine& engine, const py::buffer& points,
               const std::optional<py::buffer>& others, double eps, bool distances,
               const py::object& progress) {
  return foundOnClouds(
      points, others, progress,
      [&](const Clouds& clouds, const Task& task) -> Result<TableWithDistances> {
        auto made = engine.backend->neighbourTable(clouds.join(), eps, engine.strategy, task);
        if (!made) return tl::unexpected(made.error());
        TableWithDistances found{std::move(*made), {}};
        if (!distances) return found;
        auto measured = distancesOf(found, clouds, engine.threads, task);
        if (!measured) return tl::unexpected(measured.error());
        found.distances = std::move(*measured);
        return found;
      },
      [](py::dict& result, TableWithDistances& found) {
        result["distances"] = exported(std::move(found.distances));
        result["offsets"] = exported(std::move(found.offsets));
        result["ids"] = exported(std::move(found.ids));
      });
}

py::dict histogram(const Engine& engine, const py::buffer& points,
                   const std::optional<py::buffer>& others, double eps, int bins,
                   const py::object& progress) {
  return foundOnClouds(
      points, others, progress,
      [&](const Clouds& clouds, const Task& task) {
        return engine.backend->histogram(clouds.join(), eps, bins, engine.strategy, task);
      },
      [](py::dict& result, DistanceHistogram& found) {
        result["upper"] = exported(std::move(found.upper));
        result["pairs"] = exported(std::move(found.pairs));
      });
}

/// The members of WarpLoad for numpy.dtype: names, formats and offsets, and the size of one.
py::dict warpFields() {
  py::list names;
  py::list formats;
  py::list offsets;
  const auto add = [&](const char* name, const char* format, std::size_t offset) {
    names.append(name);
    formats.append(format);
    offsets.append(offset);
  };
  add("number", "u4", offsetof(WarpLoad, number));
  add("batch", "u4", offsetof(WarpLoad, batch));
  add("first_ticket", "u4", offsetof(WarpLoad, firstTicket));
  add("tickets", "u4", offsetof(WarpLoad, tickets));
  // One of each for every loop: cell, search, candidate, hit.
  add("steps", "(4,)u8", offsetof(WarpLoad, steps));
  add("lane_steps", "(4,)u8", offsetof(WarpLoad, laneSteps));
  static_assert(kLoops == 4);
  add("longest_lane", "u8", offsetof(WarpLoad, longestLane));
  add("shortest_lane", "u8", offsetof(WarpLoad, shortestLane));
  add("start", "f8", offsetof(WarpLoad, start));
  add("end", "f8", offsetof(WarpLoad, end));
  add("multiprocessor", "u4", offsetof(WarpLoad, multiprocessor));
  add("slot", "u4", offsetof(WarpLoad, slot));
  add("cycles", "u8", offsetof(WarpLoad, cycles));
  py::dict fields;
  fields["names"] = names;
  fields["formats"] = formats;
  fields["offsets"] = offsets;
  fields["itemsize"] = sizeof(WarpLoad);
  return fields;
}

/// The GPU that is modelled, and what its steps cost.
SimtMachine machineOf(const std::string& text, const std::string& weights) {
  auto machine = machineFromText(text);
  if (!machine) raise(machine.error());
  auto costs = weightsFromText(weights);
  if (!costs) raise(costs.error());
  machine->weights = *costs;
  return *machine;
}

py::dict load(const Engine& engine, const py::buffer& points, double eps, const std::string& kernel,
              std::size_t sampleWarps, std::uint64_t seed, const std::string& machine,
              const std::string& weights, const py::object& progress) {
  LoadRequest request{.kernel = LoadKernel::Pairs, .sampleWarps = sampleWarps, .seed = seed};
  if (!fromText(kernel, request.kernel))
    throw py::value_error("kernel must be 'pairs' or 'counts', not '" + kernel + "'");
  request.machine = machineOf(machine, weights);
  return foundOnClouds(
      points, {}, progress,
      [&](const Clouds& clouds, const Task& task) {
        return engine.backend->load(clouds.queries, eps, engine.strategy, request, task);
      },
      [](py::dict& result, LoadReport& found) {
        result["measured"] = found.measured;
        result["all_warps"] = found.allWarps;
        result["wee"] = found.wee;
        result["wee_error"] = found.weeError;
        result["makespan"] = found.makespan;
        result["ideal_makespan"] = found.idealMakespan;
        result["makespan_seconds"] = secondsOf(found, found.makespan);
        result["candidates"] = found.candidates;
        result["distance_calculations"] = found.distanceCalculations;
        result["pairs"] = found.pairs;
        result["pairs_error"] = found.pairsError;
        result["weights"] = py::cast(found.weights.of);
        result["distance_calculations_error"] = found.distancesError;
        result["warps"] = exportedBytes(std::move(found.warps));
        result["point_of_ticket"] = exported(std::move(found.pointOfTicket));
      });
}

/// The coordinates of a generated cloud, as rows.
Memory generated(const std::string& kind, std::size_t points, std::size_t dims, std::uint64_t seed,
                 const py::object& progress) {
  return exported(interruptibly(progress,
                                [&](const Task& task) -> Result<std::vector<double>> {
                                  const auto made = generate({kind, points, dims, seed}, task);
                                  if (!made) return tl::unexpected(made.error());
                                  std::vector<double> rows(points * dims);
                                  for (std::size_t d = 0; d < dims; ++d)
                                    for (std::size_t i = 0; i < points; ++i)
                                      rows[i * dims + d] = made->cloud.columns[d][i];
                                  return rows;
                                }),
                  dims);
}

}  // namespace

py::object fromJson(const Json& told) {
  // Names of hosts and devices may hold bytes that are not UTF-8.
  const std::string text = told.dump(-1, ' ', false, Json::error_handler_t::replace);
  return py::module_::import("json").attr("loads")(text);
}

py::dict describeRun(const RunStats& stats, const RunTimes& times) {
  Json told = {{"cells", 0},
               {"batches", 0},
               {"distance_calculations", 0},
               {"batch_model", Json::array()},
               {"passes", Json::array()},
               {"query_sets", Json::array()},
               {"note", ""}};
  addStats(told, stats);
  told["seconds"] = {{"call", times.call},           {"call_processor", times.callProcessor},
                     {"index", stats.seconds.index}, {"join", stats.seconds.join},
                     {"label", stats.seconds.label}, {"total", stats.seconds.total}};
  return fromJson(told);
}

void addEngine(py::module_& module) {
  using py::arg;
  py::class_<Engine>(module, "Engine")
      .def(py::init(&makeEngine), arg("backend"), arg("threads"), arg("device"), arg("strategy"),
           arg("period") = std::vector<double>(), arg("metric") = "euclidean",
           arg("for_load") = false)
      .def_property_readonly("remark",
                             [](const Engine& engine) { return engine.backend->remark(); })
      .def("dbscan", &dbscan, arg("points"), arg("eps"), arg("min_pts"), arg("weights").none(true),
           arg("progress"), arg("groups") = py::none())
      .def("counts", &counts, arg("points"), arg("others").none(true), arg("eps"), arg("progress"))
      .def("pairs", &pairs, arg("points"), arg("others").none(true), arg("eps"), arg("progress"))
      .def("table", &table, arg("points"), arg("others").none(true), arg("eps"), arg("distances"),
           arg("progress"))
      .def("histogram", &histogram, arg("points"), arg("others").none(true), arg("eps"),
           arg("bins"), arg("progress"))
      .def("load", &load, arg("points"), arg("eps"), arg("kernel"), arg("sample_warps"),
           arg("seed"), arg("machine"), arg("weights"), arg("progress"));
  module.def("warp_fields", &warpFields);
  module.def("generate", &generated, arg("kind"), arg("points"), arg("dims"), arg("seed"),
             arg("progress"));
}

}  // namespace clusterloom::python
