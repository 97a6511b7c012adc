#include "engine/cuda/dbscan/g_dbscan.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "engine/core/memory_budget.h"
#include "engine/core/stopwatch.h"
#include "engine/core/translatable.h"
#include "engine/cuda/join/kernels/all_pairs.h"
#include "engine/cuda/runtime/cuda_lane.h"
#include "engine/cuda/runtime/gpu_phase.h"
#include "engine/cuda/runtime/launch.h"
#include "engine/dbscan/g_dbscan_program.h"
#include "engine/dbscan/labelling.h"
#include "engine/dbscan/search_bound.h"

namespace clusterloom {
namespace {

/// From this number of passes on a search is called long: some seconds, at 10 to 20 µs a pass.
constexpr std::uint64_t kLongSearch = 200'000;

__global__ void visitLevel(const __grid_constant__ GraphView g) {
  CudaLane lane;
  const std::size_t v = threadNumber();
  if (v < g.vertices) visitVertex(lane, g, std::uint32_t(v));
}

__global__ void labelCluster(const __grid_constant__ GraphView g, std::int32_t cluster) {
  CudaLane lane;
  const std::size_t v = threadNumber();
  if (v < g.vertices) labelVertex(lane, g, std::uint32_t(v), cluster);
}

/// The device memory of every version's search, for searchGraph.
struct DeviceSearch {
  DeviceSearch(GpuRun& gpuRun, KernelLog& kernelLog, const GraphView& graph,
               std::span<const std::uint32_t> hostDegrees, bool isLong)
      : run(gpuRun),
        log(kernelLog),
        g(graph),
        degrees(hostDegrees),
        stage(isLong ? translatable("searching the graph, a long search")
                     : translatable("searching the graph")),
        flags(run.lease(), 3 * std::size_t{g.vertices}),
        words(run.lease(), 2) {
    flags.fillBytes(0);
    g.visited = flags.data();
    g.frontier = g.visited + g.vertices;
    g.next = g.frontier + g.vertices;
    g.loaded = words.data();
    g.nextRoot = words.data() + 1;
  }

  void start(std::uint32_t root) {
    CUDA_CHECK(cudaMemsetAsync(g.visited + root, 1, 1, run.stream()));
    CUDA_CHECK(cudaMemsetAsync(g.frontier + root, 1, 1, run.stream()));
    run.task().report(stage, double(root) / g.vertices);
  }

  void queueLevel() {
    CUDA_CHECK(cudaMemsetAsync(g.loaded, 0, sizeof *g.loaded, run.stream()));
    log.time(run.stream(), {"search level", reinterpret_cast<const void*>(visitLevel), kBlockSize},
             [&] { visitLevel<<<blocksFor(g.vertices), kBlockSize, 0, run.stream()>>>(g); });
    std::swap(g.frontier, g.next);
  }

  void wait() {
    run.wait();
    log.settle();
  }

  /// Lowest core vertex from v on for which `free` holds.
  template <class Free>
  std::uint32_t rootFrom(std::uint32_t v, const Free& free) const {
    while (v < g.vertices && !(degrees[v] >= g.minPts && free(v))) ++v;
    return v;
  }
  std::uint32_t firstRoot() const {
    return rootFrom(0, [](std::uint32_t) { return true; });
  }

  GpuRun& run;
  KernelLog& log;
  GraphView g;
  std::span<const std::uint32_t> degrees;
  std::string_view stage;
  DeviceBuffer<std::uint8_t> flags;
  DeviceBuffer<std::uint32_t> words;
};

/// The frontier goes to the host after each level and is searched there one by one; so are the
/// vertices that were reached, which are labelled there ([Frasson 2021, §3.3] on [1]).
struct PaperSearch : DeviceSearch {
  PaperSearch(GpuRun& gpuRun, KernelLog& kernelLog, const GraphView& graph,
              std::span<const std::uint32_t> hostDegrees, bool isLong)
      : DeviceSearch(gpuRun, kernelLog, graph, hostDegrees, isLong),
        here(g.vertices),
        labels(g.vertices, kNoise) {}

  bool level() {
    queueLevel();
    download(g.frontier);
    return std::find(here.data(), here.data() + here.size(), std::uint8_t{1}) !=
           here.data() + here.size();
  }
  std::uint32_t label(std::int32_t cluster) {
    download(g.visited);
    for (std::uint32_t v = 0; v < g.vertices; ++v)
      if (here[v] != 0 && labels[v] == kNoise) labels[v] = cluster;
    root = rootFrom(root, [&](std::uint32_t v) { return labels[v] == kNoise; });
    return root;
  }
  std::vector<std::int32_t> takeLabels() { return std::move(labels); }

  void download(const std::uint8_t* from) {
    CUDA_CHECK(
        cudaMemcpyAsync(here.data(), from, here.size(), cudaMemcpyDeviceToHost, run.stream()));
    wait();
  }

  PinnedBuffer<std::uint8_t> here;
  std::vector<std::int32_t> labels;
  std::uint32_t root = 0;
};

/// Frontier and labels stay on the device: it says in a word whether there is another level, and
/// which vertex is the next root.
struct ResidentSearch : DeviceSearch {
  ResidentSearch(GpuRun& gpuRun, KernelLog& kernelLog, const GraphView& graph,
                 std::span<const std::uint32_t> hostDegrees, bool isLong)
      : DeviceSearch(gpuRun, kernelLog, graph, hostDegrees, isLong),
        labels(run.lease(), g.vertices) {
    labels.fillBytes(0xff);  // kNoise
    static_assert(kNoise == -1);
    g.labels = labels.data();
  }

  bool level() {
    queueLevel();
    return word(0) != 0;
  }
  std::uint32_t label(std::int32_t cluster) {
    const auto none = run.mailbox<std::uint32_t>(1);
    none[0] = g.vertices;
    words.upload(none, 1);
    log.time(
        run.stream(), {"label cluster", reinterpret_cast<const void*>(labelCluster), kBlockSize},
        [&] { labelCluster<<<blocksFor(g.vertices), kBlockSize, 0, run.stream()>>>(g, cluster); });
    return word(1);
  }
  std::vector<std::int32_t> takeLabels() {
    std::vector<std::int32_t> here(g.vertices);
    labels.download(here);
    wait();
    return here;
  }

  std::uint32_t word(std::size_t which) {
    const auto there = run.mailbox<std::uint32_t>(1);
    words.download(there, which);
    wait();
    return there[0];
  }

  DeviceBuffer<std::int32_t> labels;
};

CandidateAccess accessOf(Method method) {
  switch (method) {
    case Method::GDbscanShifted: return CandidateAccess::Shifted;
    case Method::GDbscanShared: return CandidateAccess::OwnBlock;
    case Method::GDbscanSharedTiles: return CandidateAccess::SharedTiles;
    default: return CandidateAccess::InOrder;
  }
}

template <class Search>
GraphSearch searchOnGpu(AllPairsRun& join, const GraphView& graph,
                        std::span<const std::uint32_t> degrees, bool isLong,
                        std::vector<std::int32_t>& labels) {
  const GpuPhase phase("search graph");
  Search search(join.run, join.log, graph, degrees, isLong);
  const GraphSearch done = searchGraph(search, graph.vertices);
  labels = search.takeLabels();
  return done;
}

}  // namespace

Result<Clustering> gDbscanOnGpu(GpuRun& run, const JoinInput& input, const DbscanParams& params,
                                double squaredEps, const Strategy& strategy) {
  Stopwatch watch;
  Clustering clustering;
  clustering.params = params;
  StageSeconds& seconds = clustering.stats.seconds;
  const std::size_t n = input.points.size();
  AllPairsRun join(run, input, squaredEps, accessOf(strategy.method), kLargestAllPairsBlock);
  join.all.shortCircuit = strategy.shortCircuit == Toggle::On;

  DeviceBuffer<std::uint32_t> degrees(run.lease(), n + 1);
  degrees.fillBytes(0);
  countNeighbours(join, degrees.data());
  const DeviceBuffer<std::uint64_t> firstEdge = rowOffsets(join, degrees);
  const auto end = run.mailbox<std::uint64_t>(1);
  firstEdge.download(end, n);
  std::vector<std::uint32_t> hostDegrees(n);
  degrees.download(hostDegrees);
  run.wait();
  const std::uint64_t edges = end[0];
  const std::uint64_t bytes = edges * sizeof(std::uint32_t);
  // Memory of the search besides the edges: rows in progress, labels and flags, 11 bytes a vertex.
  std::uint64_t free = run.device().freeMemory();
  if (bytes + 11 * n > free && PreparedCloud::dropCopies(run.device().id()) > 0) {
    addNote(clustering.stats, kCopiesDropped);
    free = run.device().freeMemory();
  }
  if (bytes + 11 * n > free)
    return tooLarge("G-DBSCAN's graph would have " + std::to_string(edges) + " edges, " +
                    memoryText(bytes) + ", and " + memoryText(free) +
                    " of the GPU's memory are free. Use a smaller ε, or the method grid, which "
                    "stores no graph.");
  DeviceBuffer<std::uint32_t> adjacency(run.lease(), edges);
  listNeighbours(join, {.begin = 0,
                        .end = std::uint32_t(n),
                        .counts = degrees.data(),
                        .firstEdge = firstEdge.data(),
                        .firstOfAll = 0,
                        .table = adjacency.data()});
  seconds.join = watch.lap();

  GraphView graph;
  graph.vertices = std::uint32_t(n);
  graph.minPts = std::uint32_t(std::min<std::uint64_t>(std::uint64_t(params.minPts), n + 1));
  graph.degrees = degrees.data();
  graph.firstEdge = firstEdge.data();
  graph.edges = adjacency.data();
  const auto least = leastPasses(input.points, params.eps, hostDegrees, graph.minPts, run.task());
  if (!least) return tl::unexpected(least.error());
  const bool isLong = *least > kLongSearch;
  const auto search = strategy.method == Method::GDbscanPaper ? searchOnGpu<PaperSearch>
                                                              : searchOnGpu<ResidentSearch>;
  const GraphSearch done = search(join, graph, hostDegrees, isLong, clustering.labels);
  clustering.clusters = done.clusters;
  std::vector<std::uint8_t> core(n);
  for (std::size_t v = 0; v < n; ++v) core[v] = hostDegrees[v] >= graph.minPts;
  fillRoles(clustering, core);
  seconds.label = watch.lap();

  RunStats& stats = clustering.stats;
  stats.batches = 1;
  stats.distanceCalculations = calculationsOf(join);
  stats.kernels = join.log.stats();
  stats.note = "G-DBSCAN's graph had " + std::to_string(edges) + " edges (" + memoryText(bytes) +
               "); the search took " + std::to_string(done.levels) + " levels for " +
               std::to_string(done.clusters) + " clusters, " + std::to_string(done.passes()) +
               " passes over all points (at least " + std::to_string(*least) +
               " were predicted from the cells of the core points)" +
               (isLong ? "; for so many clusters or levels the method grid is much faster." : ".");
  seconds.total = seconds.join + seconds.label;
  return clustering;
}

}  // namespace clusterloom
