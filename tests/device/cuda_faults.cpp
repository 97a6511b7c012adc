// Faults of a GPU: every CUDA call of a run fails once, out of memory and lost in turn, and the CPU
// takes over with the same answer; then the memory is truly exhausted, then the device truly lost.
// Exit status 1 on the first thing that is wrong, 2 where no GPU answers.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <string>

#include "engine/backend.h"
#include "engine/cuda/hierarchy/hierarchy_gpu.h"
#include "engine/cuda/runtime/failure.h"
#include "engine/dbscan/label_new_points.h"
#include "tests/device/copy_agreement.h"
#include "tests/device/lose_device.h"
#include "tests/engine/gpu_agreement.h"

using namespace clusterloom;

namespace {

constexpr const char* kTakenOver = "This run was done by the CPU.";
constexpr const char* kFinished = "The CPU did the rest of this run alone.";

bool byCpu(const std::string& note) {
  return note.find(kTakenOver) != std::string::npos || note.find(kFinished) != std::string::npos;
}

struct Run {
  const char* name;
  /// Runs on a backend; says what is wrong with the answer, and leaves the stats's note.
  std::function<std::string(const Backend&, std::string& note)> run;
};

std::vector<Run> runsOf(const gpuAgreement::Judged& judged) {
  std::vector<Run> runs;
  const auto labels = [&judged](const Strategy& strategy) {
    return [&judged, strategy](const Backend& backend, std::string& note) -> std::string {
      const auto found = backend.dbscan(judged.input(), judged.clustering.params, strategy, {});
      if (!found) return agreement::failed(found.error());
      note = found->stats.note;
      return agreement::difference(*found, judged.clustering);
    };
  };
  const auto counts = [&judged](const Strategy& strategy) {
    return [&judged, strategy](const Backend& backend, std::string& note) -> std::string {
      const auto found = backend.count(judged.input(), judged.eps, strategy, {});
      if (!found) return agreement::failed(found.error());
      note = found->stats.note;
      return found->counts == judged.counts.counts ? "" : "counts differ";
    };
  };
  const auto pairs = [&judged](const Strategy& strategy) {
    return [&judged, strategy](const Backend& backend, std::string& note) -> std::string {
      const auto found = backend.pairs(judged.input(), judged.eps, strategy, {});
      if (!found) return agreement::failed(found.error());
      note = found->stats.note;
      return found->pairs == judged.pairs.pairs ? "" : "pairs differ";
    };
  };
  // Two clouds, which are the same: the answers are those of the self-join.
  const auto countsOfTwo = [&judged](const Strategy& strategy) {
    return [&judged, strategy](const Backend& backend, std::string& note) -> std::string {
      const auto found =
          backend.count(JoinInput(judged.cloud, judged.cloud), judged.eps, strategy, {});
      if (!found) return agreement::failed(found.error());
      note = found->stats.note;
      return found->counts == judged.counts.counts ? "" : "counts differ";
    };
  };
  const auto pairsOfTwo = [&judged](const Strategy& strategy) {
    return [&judged, strategy](const Backend& backend, std::string& note) -> std::string {
      const auto found =
          backend.pairs(JoinInput(judged.cloud, judged.cloud), judged.eps, strategy, {});
      if (!found) return agreement::failed(found.error());
      note = found->stats.note;
      return found->pairs == judged.pairs.pairs ? "" : "pairs differ";
    };
  };
  const auto labelsOfTwo = [&judged](const Strategy& strategy) {
    return [&judged, strategy](const Backend& backend, std::string& note) -> std::string {
      const auto found =
          labelNewPoints(backend, judged.cloud, judged.clustering, judged.cloud, strategy, {});
      if (!found) return agreement::failed(found.error());
      note = found->stats.note;
      return found->labels == judged.clustering.labels ? "" : "labels differ";
    };
  };
  runs.push_back({"fused DBSCAN", labels({})});
  runs.push_back({"lane DBSCAN, UNICOMP", labels({.pattern = AccessPattern::Unicomp})});
  runs.push_back({"brute force", labels({.method = Method::BruteForce})});
  runs.push_back({"counts by tiles", counts({})});
  runs.push_back({"counts, WORKQUEUE", counts({.pattern = AccessPattern::LidUnicomp,
                                               .order = QueryOrder::WorkQueue,
                                               .threadsPerPoint = 8})});
  runs.push_back({"pairs, in windows", pairs({.batchPairs = 900})});
  runs.push_back({"pairs, ordered rows",
                  pairs({.sortIdu = Toggle::Off, .shortCircuit = Toggle::Off, .batchPairs = 900})});
  runs.push_back(
      {"pairs, sorted rows", pairs({.pattern = AccessPattern::Full, .batchPairs = 900})});
  runs.push_back(
      {"pairs, sorted keys", pairs({.route = ResultRoute::KeyValueSort, .batchPairs = 900})});
  runs.push_back({"counts of two clouds", countsOfTwo({.order = QueryOrder::SortByWorkload})});
  runs.push_back({"pairs of two clouds", pairsOfTwo({.batchPairs = 900})});
  runs.push_back({"pairs of two clouds, sorted keys",
                  pairsOfTwo({.route = ResultRoute::KeyValueSort, .batchPairs = 900})});
  runs.push_back({"labels of new points", labelsOfTwo({})});
  runs.push_back(
      {"labels of new points, brute force", labelsOfTwo({.method = Method::BruteForce})});
  return runs;
}

// Hierarchies and nearest neighbours: a GPU that fails says so, and the caller asks the CPU.
std::vector<Run> hierarchyRunsOf(const HierarchyGpu& gpu, const gpuAgreement::Judged& judged) {
  constexpr int kMinPts = 5;
  const auto failed = [](const Error& error, std::string& note) -> std::string {
    if (error.kind != ErrorKind::TooLarge && error.kind != ErrorKind::Unavailable)
      return agreement::failed(error);
    note = kTakenOver;
    return {};
  };
  const auto nearest = [&gpu, &judged, failed](int k) {
    return [&gpu, &judged, failed, k](const Backend&, std::string& note) -> std::string {
      const auto found = gpu.nearest(judged.input(), k, {});
      if (!found) return failed(found.error(), note);
      const auto expected = nearestNeighbours(judged.cloud, k);
      return std::ranges::equal(found->ids, expected->ids) ? "" : "neighbours differ";
    };
  };
  const auto hierarchy = [&gpu, &judged, failed](const Backend&, std::string& note) -> std::string {
    const auto found = gpu.hierarchy(judged.input(), {.minPts = kMinPts}, {});
    if (!found) return failed(found.error(), note);
    const auto labels = found->labels(judged.eps);
    const auto expected = Hierarchy::build(judged.cloud, {.minPts = kMinPts})->labels(judged.eps);
    return labels->labels == expected->labels && labels->roles == expected->roles ? ""
                                                                                  : "labels differ";
  };
  // Only products build it.
  std::mt19937_64 random(130);
  const auto wide =
      std::make_shared<const PointCloud>(draws::draw(random, "blobs", 600, kMaxGridDims + 2));
  const auto byProducts = [&gpu, wide, failed](const Backend&, std::string& note) -> std::string {
    const auto found = gpu.hierarchy(*wide, {.minPts = kMinPts}, {});
    if (!found) return failed(found.error(), note);
    const auto expected = Hierarchy::build(*wide, {.minPts = kMinPts});
    return std::ranges::equal(found->dendrogram().squaredWeights,
                              expected->dendrogram().squaredWeights)
               ? ""
               : "weights differ";
  };
  return {{"nearest neighbours", nearest(kMinPts)},
          {"nearest neighbours by products", nearest(kMaxNearest + 6)},
          {"hierarchy", hierarchy},
          {"hierarchy by products", byProducts}};
}

constexpr Division kDivisions[] = {Division::Adaptive, Division::Dyn, Division::Queries,
                                   Division::Candidates};

// What CPU and GPU share. Batches of few pairs, so that the GPU has several of them.
std::vector<Run> sharedRunsOf(const gpuAgreement::Judged& judged,
                              std::span<const Division> divisions) {
  std::vector<Run> runs;
  for (const Division division : divisions) {
    const Strategy strategy{.batchPairs = 900, .division = division, .cpuBatch = 8};
    runs.push_back({"shared pairs",
                    [&judged, strategy](const Backend& backend, std::string& note) -> std::string {
                      const auto found = backend.pairs(judged.input(), judged.eps, strategy, {});
                      if (!found) return agreement::failed(found.error());
                      note = found->stats.note;
                      return found->pairs == judged.pairs.pairs ? "" : "pairs differ";
                    }});
    runs.push_back({"shared DBSCAN",
                    [&judged, strategy](const Backend& backend, std::string& note) -> std::string {
                      const auto found =
                          backend.dbscan(judged.input(), judged.clustering.params, strategy, {});
                      if (!found) return agreement::failed(found.error());
                      note = found->stats.note;
                      return agreement::difference(*found, judged.clustering);
                    }});
  }
  return runs;
}

// Fails the 1st, 2nd, 3rd … call of each run until none is left to fail. Of a prepared cloud, runs
// for which the memory is too small may go on without the copy on the device.
std::string everyCallFails(const Backend& backend, const std::vector<Run>& runs, int& faults,
                           bool prepared = false) {
  for (const Run& run : runs)
    for (const cudaError_t code : {cudaErrorMemoryAllocation, cudaErrorUnknown})
      for (int nth = 1;; ++nth) {
        failCudaCall(nth, code);
        std::string note;
        const std::string what = run.run(backend, note);
        const bool hit = failCudaCall(0, cudaSuccess) <= 0;
        const std::string where =
            std::string(run.name) + ", call " + std::to_string(nth) + " fails: ";
        if (!what.empty()) return where + what;
        const bool takenOver = byCpu(note);
        const bool mayGoOn = prepared && code == cudaErrorMemoryAllocation;
        if (hit != takenOver && !(hit && mayGoOn))
          return where + (hit ? "without a note" : "the CPU ran although the GPU had succeeded");
        if (!hit) break;
        ++faults;
      }
  return {};
}

// A run for which the memory is too small drops the copies of other clouds, and says so. Copies
// outlive the backend that made them.
std::string dropsCopies() {
  const auto copied = std::make_shared<PointCloud>();
  copied->columns.assign(2, std::vector<double>(20'000'000));
  for (std::size_t i = 0; i < copied->size(); ++i) {
    copied->columns[0][i] = static_cast<double>(i % 5000);
    copied->columns[1][i] = static_cast<double>(i / 5000);
  }
  const PreparedCloud prepared(copied);
  {
    const auto first = makeBackend("cuda", {});
    if (!first) return first.error().message;
    const auto counted = (*first)->dbscan(prepared, {.eps = 0.5, .minPts = 2}, {}, {});
    if (!counted) return counted.error().message;
    if (counted->noiseCount != copied->size()) return "points of a lattice are not noise";
  }
  const auto gpu = makeBackend("cuda", {});
  if (!gpu) return gpu.error().message;
  const int device = (*gpu)->devices().front().number;
  if (!prepared.copyOn(device)) return "there is no copy";
  const loseDevice::Hog hog;
  std::mt19937_64 random(9);
  const auto judged = gpuAgreement::judge(draws::draw(random, "blobs", 600, 2), 0.3, 5);
  const auto found = (*gpu)->dbscan(judged.cloud, judged.clustering.params, {}, {});
  if (!found) return found.error().message;
  if (prepared.copyOn(device)) return "the copy is still there";
  if (found->stats.note.find("were dropped") == std::string::npos)
    return "without a note: " + found->stats.note;
  return agreement::difference(*found, judged.clustering);
}

std::string allRun(const Backend& backend, const std::vector<Run>& runs, bool onCpu) {
  for (const Run& run : runs) {
    std::string note;
    if (const std::string what = run.run(backend, note); !what.empty())
      return std::string(run.name) + ": " + what;
    if (onCpu != byCpu(note))
      return std::string(run.name) + ": not where it should have run: " + note;
  }
  return {};
}

}  // namespace

int main() {
  const auto gpu = makeBackend("cuda", {});
  if (!gpu) {
    std::printf("no device: %s\n", gpu.error().message.c_str());
    return 2;
  }
  const auto backend = makeBackend("auto", {});
  std::mt19937_64 random(8);
  const auto judged = gpuAgreement::judge(draws::draw(random, "blobs", 600, 2), 0.3, 5);
  const std::vector<Run> runs = runsOf(judged);
  const auto report = [](const char* stage, const std::string& what) {
    std::printf("%-28s %s\n", stage, what.empty() ? "fine" : what.c_str());
    std::fflush(stdout);
    return what.empty();
  };
  const auto hybrid = makeBackend("hybrid", {});
  if (!hybrid) {
    std::printf("no hybrid: %s\n", hybrid.error().message.c_str());
    return 1;
  }
  const std::vector<Run> sharedRuns = sharedRunsOf(judged, kDivisions);
  // Adaptive may leave a run to one side after faults have made the GPU seem slow.
  const std::span<const Division> always = std::span(kDivisions).subspan(1);
  const std::vector<Run> alwaysShared = sharedRunsOf(judged, always);
  int faults = 0;
  const std::string failing = everyCallFails(**backend, runs, faults);
  std::printf("%d faults injected\n", faults);
  if (!report("every call fails once", failing)) return 1;
  if (!report("the GPU goes on after that", allRun(**backend, runs, false))) return 1;
  auto kept = judged;
  gpuAgreement::prepare(kept);
  std::vector<Run> keptRuns = runsOf(kept);
  keptRuns.resize(4);  // the ways to the points on the device
  const std::string keptFailing = everyCallFails(**backend, keptRuns, faults, true);
  std::printf("%d faults injected in all\n", faults);
  if (!report("every call with a prepared cloud", keptFailing)) return 1;
  if (!report("the GPU goes on after that", allRun(**backend, keptRuns, false))) return 1;
  const auto hierarchyGpu = HierarchyGpu::open(-1);
  if (!report("a GPU for hierarchies", hierarchyGpu ? "" : hierarchyGpu.error().message)) return 1;
  const std::vector<Run> treeRuns = hierarchyRunsOf(*hierarchyGpu, judged);
  const std::string treeFailing = everyCallFails(**backend, treeRuns, faults, true);
  std::printf("%d faults injected in all\n", faults);
  if (!report("every call of a hierarchy", treeFailing)) return 1;
  const std::vector<Run> keptTreeRuns = hierarchyRunsOf(*hierarchyGpu, kept);
  const std::string keptTreeFailing = everyCallFails(**backend, keptTreeRuns, faults, true);
  if (!report("and with a prepared cloud", keptTreeFailing)) return 1;
  if (!report("the GPU goes on after that", allRun(**backend, keptTreeRuns, false))) return 1;
  if (!report("copies are dropped", dropsCopies())) return 1;
  const std::string copyFailing =
      copyAgreement::afterFailures((*gpu)->devices().front().number, faults);
  std::printf("%d faults injected in all\n", faults);
  if (!report("every call of a copy", copyFailing)) return 1;
  const std::string sharedFailing = everyCallFails(**hybrid, sharedRuns, faults);
  std::printf("%d faults injected in all\n", faults);
  if (!report("every call of a shared join", sharedFailing)) return 1;
  if (!report("both go on after that", allRun(**hybrid, alwaysShared, false))) return 1;
  {
    // They keep no memory of earlier runs, which could be enough.
    const auto freshBackend = makeBackend("auto", {});
    const auto freshHybrid = makeBackend("hybrid", {});
    const loseDevice::Hog hog;
    if (!report("device memory is exhausted", hog.took() ? "" : "the memory could not be taken"))
      return 1;
    const auto large = gpuAgreement::judge(draws::draw(random, "uniform", 3000, 3), 4.0, 5);
    if (!report("the CPU takes over", allRun(**freshBackend, runsOf(large), true))) return 1;
    if (!report("the CPU finishes alone", allRun(**freshHybrid, sharedRunsOf(large, always), true)))
      return 1;
    // By its number: of several GPUs the first that answers is another one now.
    const auto freshGpu = HierarchyGpu::open((*gpu)->devices().front().number);
    const std::string whereTrees =
        freshGpu ? allRun(**freshBackend, hierarchyRunsOf(*freshGpu, large), true) : "";
    if (!report("hierarchies say so", whereTrees)) return 1;
  }
  if (!report("the GPU goes on after that", allRun(**backend, runs, false))) return 1;
  loseDevice::byTrap();
  if (!report("the device is lost", allRun(**backend, runs, true))) return 1;
  if (!report("and the prepared cloud with it", allRun(**backend, keptRuns, true))) return 1;
  if (!report("hierarchies say so", allRun(**backend, treeRuns, true))) return 1;
  if (!report("the CPU finishes alone", allRun(**hybrid, alwaysShared, true))) return 1;
  const auto refused = (*gpu)->count(judged.cloud, judged.eps, {}, {});
  const bool said = !refused && refused.error().kind == ErrorKind::Unavailable;
  return report("and says so where asked", said ? "" : "it did not") ? 0 : 1;
}
