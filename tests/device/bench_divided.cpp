// DBSCAN divided in space between the GPUs of one host, with points that stay on the GPUs.
//
//   bench_divided --agreement [--seconds S] [--seed N]
//   bench_divided [--kind unif|expo] [--points N] [--dims D] [--eps E] [--min-pts M] [--gpus G]
//                 [--repeat R] [--single yes|no] [--way direct|staged]
//                 [--reach 0|1|2]
//   bench_divided --costs [--points N] [--repeat R]
//
// --agreement compares labels and roles with the CPU, element by element, on small hard clouds,
// with 1 to 8 ranks dealt to all GPUs (one is enough), by peer copies and staged through host
// memory. Exit status 1 on the first difference, 77 where no GPU answers.
//
// --costs prints what a point costs one GPU, by density (point_costs.h).
//
// Otherwise: points made on the GPUs, time from there to labels on the GPUs, for one GPU alone (the
// fused DBSCAN; left out with --single no) and for all of them up to G, efficiency, the memory of
// each rank, and what each rank did when. Labels and roles must be those of one GPU, element by
// element. Times are the medians of R runs after one that is not timed.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "engine/backend.h"
#include "engine/core/predicate.h"
#include "engine/core/stopwatch.h"
#include "engine/cpu/brute_force.h"
#include "engine/cuda/distributed/device_ranks.h"
#include "engine/cuda/distributed/divided_labels.h"
#include "engine/cuda/runtime/probe.h"
#include "engine/distributed/local_communicator.h"
#include "engine/distributed/selection.h"
#include "engine/join/join_plan.h"
#include "tests/device/device_points.h"
#include "tests/device/point_costs.h"
#include "tests/engine/agreement.h"
#include "tests/engine/cloud_draws.h"

using namespace clusterloom;

namespace {

struct Options {
  bool agreement = false;
  bool costs = false;
  double seconds = 60;
  std::uint64_t seed = 1;
  devicePoints::Kind kind = devicePoints::Kind::Uniform;
  std::uint64_t points = 20'000'000;
  std::size_t dims = 2;
  double eps = 0.04;
  std::int64_t minPts = 10;
  int gpus = 0;
  int repeat = 3;
  bool single = true;
  PeerGroup::Way way = PeerGroup::Way::Direct;
  int reach = 0;  // GpuFusedPlan::reach
};

using Gpus = std::vector<std::unique_ptr<Device>>;

std::vector<const Device*> dealt(const Gpus& gpus, int ranks) {
  std::vector<const Device*> all;
  for (int r = 0; r < ranks; ++r)
    all.push_back(gpus[static_cast<std::size_t>(r) % gpus.size()].get());
  return all;
}

// Runs body(communicator, run, rank) on ranks of this process, each on the GPU of its rank.
template <class Body>
Result<void> onRanks(const std::vector<const Device*>& devices, const Body& body) {
  return runLocalRanks(
      static_cast<int>(devices.size()), {},
      [&](Communicator& communicator, const Task& task) -> Result<void> {
        try {
          GpuRun run(*devices[static_cast<std::size_t>(communicator.rank())], task);
          body(communicator, run);
          return {};
        } catch (const RanksFailed& failed) {
          return tl::unexpected(failed.error);
        } catch (const CudaFailure& failure) {
          return fail(ErrorKind::Unavailable, failure.what());
        } catch (const CudaStopped&) {
          return cancelledError();
        }
      },
      rankOptionsForGpus());
}

// --- agreement -----------------------------------------------------------------------------------

BackendLimits gpuLimits() {
  return {.name = "cuda",
          .threadGroups = true,
          .singlePrecision = true,
          .keyValueSort = true,
          .gDbscan = true,
          .twoClouds = true};
}

// Rank r is given the points cuts[r] … cuts[r + 1] − 1.
Result<Clustering> overRanks(const Gpus& gpus, const PointCloud& cloud, const DbscanParams& params,
                             const std::vector<std::size_t>& cuts, PeerGroup::Way way) {
  const int ranks = static_cast<int>(cuts.size()) - 1;
  const auto plan = planJoin(cloud, params.eps, {}, SinkKind::Dbscan, gpuLimits(), {});
  if (!plan) return tl::unexpected(plan.error());
  const DividedPlan divided{.params = params,
                            .fused = {.squaredEps = plan->squaredEps, .dims = plan->dims},
                            .roles = true};
  Clustering answer;
  answer.params = params;
  answer.labels.resize(cloud.size());
  std::vector<std::uint8_t> roles(cloud.size());
  const auto devices = dealt(gpus, ranks);
  PeerGroup group(devices, way);
  std::mutex mutex;
  const auto done = onRanks(devices, [&](Communicator& communicator, GpuRun& run) {
    const auto self = static_cast<std::size_t>(communicator.rank());
    const std::size_t begin = cuts[self];
    const std::size_t rows = cuts[self + 1] - begin;
    DeviceCloud part;
    part.size = rows;
    part.dims = cloud.dims();
    part.coordinates = DeviceBuffer<double>(run.lease(), rows * cloud.dims());
    for (std::size_t j = 0; j < cloud.dims(); ++j)
      part.coordinates.upload(cloud.column(j).subspan(begin, rows), j * rows);
    const DividedLabels found =
        dividedLabels(communicator, group, run, std::move(part), divided, nullptr);
    found.labels.download(std::span(answer.labels).subspan(begin, rows));
    found.roles.download(std::span(roles).subspan(begin, rows));
    run.wait();
    const std::lock_guard lock(mutex);
    answer.clusters = found.clusters;
    answer.coreCount = found.coreCount;
    answer.borderCount = found.borderCount;
    answer.noiseCount = found.noiseCount;
  });
  if (!done) return tl::unexpected(done.error());
  for (const std::uint8_t role : roles) answer.roles.push_back(static_cast<PointRole>(role));
  return answer;
}

struct Agreement {
  const Gpus& gpus;
  std::uint64_t runs = 0;
  std::string what = {};  // the first difference

  bool ok() const { return what.empty(); }
  void compare(const std::string& name, const PointCloud& cloud, const Clustering& expected,
               const std::vector<std::size_t>& cuts, PeerGroup::Way way = PeerGroup::Way::Direct) {
    if (!ok()) return;
    const auto found = overRanks(gpus, cloud, expected.params, cuts, way);
    what = found ? agreement::difference(*found, expected) : agreement::failed(found.error());
    ++runs;
    if (!ok())
      what = name + ", " + std::to_string(cloud.size()) + " × " + std::to_string(cloud.dims()) +
             ", " + std::to_string(cuts.size() - 1) + " ranks" +
             (way == PeerGroup::Way::Staged ? ", staged" : "") + ": " + what;
  }
  void compareRanks(const std::string& name, const PointCloud& cloud, const DbscanParams& params) {
    const auto expected = bruteForceDbscan(cloud, params);
    for (int ranks = 1; ranks <= 8; ++ranks)
      compare(name, cloud, *expected, draws::equalCuts(cloud.size(), ranks),
              ranks % 3 == 0 ? PeerGroup::Way::Staged : PeerGroup::Way::Direct);
  }
};

// A lattice in which every distance is a tie.
void lattices(Agreement& tried) {
  for (const double step : {1.0, 0.1})
    for (const std::int64_t minPts : {1, 3, 5, 9}) {
      std::mt19937_64 random(3);
      std::vector<int> places(40 * 40);
      std::iota(places.begin(), places.end(), 0);
      std::shuffle(places.begin(), places.end(), random);
      std::vector<std::vector<double>> columns(2);
      for (const int at : places) {
        if (at % 7 == 0) continue;
        columns[0].push_back((at % 40) * step - 2);
        columns[1].push_back((at / 40) * step + 5);
      }
      for (const double eps : {step, std::nextafter(step, 0.0)})
        tried.compareRanks("lattice", draws::cloudOf(columns), {eps, minPts});
    }
}

void specialClouds(Agreement& tried) {
  std::mt19937_64 random(5);
  std::vector<std::vector<double>> heavy(2);
  for (int i = 0; i < 2000; ++i)
    for (auto& column : heavy) column.push_back(i % 10 != 0 ? 3.0 : 6 * draws::unit(random));
  for (const std::int64_t minPts : {1, 3, 1900})
    tried.compareRanks("one heavy cell", draws::cloudOf(heavy), {0.25, minPts});
  std::vector<int> places(3000);
  std::iota(places.begin(), places.end(), 0);
  std::shuffle(places.begin(), places.end(), random);
  std::vector<std::vector<double>> chain(2);
  for (const int at : places) {
    if (at == 1700) continue;
    chain[0].push_back(at);
    chain[1].push_back(at % 2);
  }
  tried.compareRanks("chain over all ranks", draws::cloudOf(chain), {1.5, 3});
  const PointCloud uniform = draws::draw(random, "uniform", 500, 3);
  for (const double eps : {9.99, 20.0, 1e10})
    tried.compareRanks("ε beyond the extent", uniform, {eps, 5});
  for (std::size_t n = 1; n <= 7; ++n)
    tried.compareRanks("fewer points than ranks", draws::draw(random, "uniform", n, 2), {4, 2});
  tried.compareRanks("more than all as minPts", uniform, {3, 501});
  for (const std::size_t dims : {4, 8, 17})
    tried.compareRanks("many dimensions", draws::draw(random, "blobs", 400, dims),
                       {0.6 * std::sqrt(static_cast<double>(dims)), 5});
}

void largerClouds(Agreement& tried) {
  const auto cpu = makeBackend("cpu", {});
  struct Case {
    const char* kind;
    std::size_t dims;
    DbscanParams params;
  };
  for (const Case& c : {Case{"uniform", 2, {0.06, 4}}, Case{"uniform", 2, {0.11, 12}},
                        Case{"exponential", 2, {0.0006, 4}}, Case{"blobs", 3, {0.08, 4}},
                        Case{"offset", 3, {0.15, 12}}, Case{"Cauchy", 2, {0.05, 4}}}) {
    std::mt19937_64 random(11);
    const PointCloud cloud = draws::draw(random, c.kind, 60000, c.dims);
    const auto expected = (*cpu)->dbscan(cloud, c.params, {}, {});
    for (int ranks = 1; ranks <= 8; ++ranks)
      tried.compare(c.kind, cloud, *expected, draws::equalCuts(cloud.size(), ranks));
    // As the command line and the window run it.
    std::vector<int> numbers;
    for (int r = 0; r < 3; ++r)
      numbers.push_back(tried.gpus[static_cast<std::size_t>(r) % tried.gpus.size()]->id());
    const auto ranks = makeRanksOnGpus(numbers, gpuLimits());
    const auto found = (*ranks)->dbscan(cloud, c.params, {}, {});
    if (!tried.ok()) return;
    tried.what = !found    ? agreement::failed(found.error())
                 : !*found ? "not done on the GPUs"
                           : agreement::difference(**found, *expected);
    if (!tried.ok()) tried.what = std::string(c.kind) + ", backend: " + tried.what;
  }
}

void randomCloud(Agreement& tried, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::string& kind = draws::kAllKinds[random() % draws::kAllKinds.size()];
  const std::size_t n = 1 + random() % (seed % 5 == 0 ? 900 : 250);
  const PointCloud cloud = draws::draw(random, kind, n, 1 + random() % (seed % 3 == 0 ? 12 : 3));
  const DbscanParams params{draws::drawEps(random, cloud),
                            static_cast<std::int64_t>(1 + random() % (seed % 2 == 0 ? 6 : 25))};
  const auto expected = bruteForceDbscan(cloud, params);
  const int ranks = 1 + static_cast<int>(random() % 8);
  tried.compare("seed " + std::to_string(seed) + ", " + kind, cloud, *expected,
                draws::drawnCuts(random, n, ranks),
                seed % 4 == 0 ? PeerGroup::Way::Staged : PeerGroup::Way::Direct);
}

int agreementOf(const Gpus& gpus, const Options& options) {
  const Stopwatch watch;
  Agreement tried{gpus};
  const bool representative = options.seed == 1;
  if (representative) {
    specialClouds(tried);
    lattices(tried);
    largerClouds(tried);
  }
  std::uint64_t seed = options.seed;
  for (; tried.ok() && watch.seconds() < options.seconds; ++seed) randomCloud(tried, seed);
  std::printf("%llu divided runs on %zu GPUs agree with the CPU, seeds %llu to %llu, %.1f s\n",
              static_cast<unsigned long long>(tried.runs), gpus.size(),
              static_cast<unsigned long long>(options.seed), static_cast<unsigned long long>(seed),
              watch.seconds());
  if (tried.ok()) return 0;
  std::printf("DIFFERENT: %s\n", tried.what.c_str());
  return 1;
}

// --- benchmark -----------------------------------------------------------------------------------

struct Answer {
  std::vector<std::int32_t> labels;
  std::vector<std::uint8_t> roles;
};

struct Measured {
  std::vector<double> seconds;
  std::vector<std::uint64_t> memory;  // most bytes in use on each rank's GPU
  std::vector<RankStats> ranks;
  std::int32_t clusters = 0;
  std::uint64_t noise = 0;

  double median() const {
    std::vector<double> sorted = seconds;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
};

void resetHighWater(const Device& device) {
  std::uint64_t zero = 0;
  CUDA_CHECK(cudaMemPoolSetAttribute(device.pool(), cudaMemPoolAttrUsedMemHigh, &zero));
}

std::uint64_t highWater(const Device& device) {
  std::uint64_t bytes = 0;
  CUDA_CHECK(cudaMemPoolGetAttribute(device.pool(), cudaMemPoolAttrUsedMemHigh, &bytes));
  return bytes;
}

GpuFusedPlan fusedPlan(const Options& options) {
  std::vector<int> dims(options.dims);
  std::iota(dims.begin(), dims.end(), 0);
  return {.squaredEps = *epsSquared(options.eps), .dims = dims, .reach = options.reach};
}

Result<Measured> alone(const Gpus& gpus, const Options& options, Answer* answer) {
  Measured measured;
  const auto done = onRanks(dealt(gpus, 1), [&](Communicator&, GpuRun& run) {
    resetHighWater(run.device());
    const DeviceCloud cloud =
        devicePoints::make(run, options.kind, 0, options.points, options.dims);
    for (int i = -1; i < options.repeat; ++i) {
      run.wait();
      const Stopwatch watch;
      const DeviceLabels found =
          fusedLabels(run, cloud, {options.eps, options.minPts}, fusedPlan(options));
      run.wait();
      if (i >= 0) measured.seconds.push_back(watch.seconds());
      const auto totals = run.mailbox<std::uint32_t>(3);
      found.totals.download(totals);
      run.wait();
      measured.clusters = static_cast<std::int32_t>(totals[0]);
      measured.noise = options.points - totals[1] - totals[2];
      if (answer == nullptr || i + 1 < options.repeat) continue;
      answer->labels.resize(options.points);
      answer->roles.resize(options.points);
      found.labels.download(answer->labels);
      found.roles.download(answer->roles);
      run.wait();
    }
    measured.memory.push_back(highWater(run.device()));
  });
  if (!done) return tl::unexpected(done.error());
  return measured;
}

// The last of `repeat + 2` runs records what each rank did, and is not timed.
Result<Measured> divided(const Gpus& gpus, int ranks, const Options& options, Answer* answer) {
  Measured measured;
  measured.memory.resize(static_cast<std::size_t>(ranks));
  const auto devices = dealt(gpus, ranks);
  PeerGroup group(devices, options.way);
  std::printf("%d %s by %s\n", ranks, ranks == 1 ? "rank" : "ranks", group.describe());
  if (answer != nullptr) {
    answer->labels.assign(options.points, -3);
    answer->roles.assign(options.points, 9);
  }
  std::mutex mutex;
  for (int i = -1; i <= options.repeat; ++i) {
    const bool last = i == options.repeat;
    double slowest = 0;
    const auto done = onRanks(devices, [&](Communicator& communicator, GpuRun& run) {
      const auto self = static_cast<std::uint64_t>(communicator.rank());
      const std::uint64_t begin = blockBegin(options.points, devices.size(), self);
      const std::uint64_t rows = blockBegin(options.points, devices.size(), self + 1) - begin;
      resetHighWater(run.device());
      DeviceCloud part = devicePoints::make(run, options.kind, begin, rows, options.dims);
      run.wait();
      RankRecord record;
      const auto failed = [&](const auto& result) {
        if (!result) throw RanksFailed{result.error()};
      };
      failed(record.begin(communicator, run.task()));
      RecordingCommunicator recording(communicator, record);
      const Stopwatch watch;
      const DividedPlan plan{.params = {options.eps, options.minPts},
                             .fused = fusedPlan(options),
                             .roles = last && answer != nullptr};
      const DividedLabels found =
          dividedLabels(last ? static_cast<Communicator&>(recording) : communicator, group, run,
                        std::move(part), plan, last ? &record : nullptr);
      const double seconds = watch.seconds();
      if (last && answer != nullptr) {
        found.labels.download(std::span(answer->labels).subspan(begin, rows));
        found.roles.download(std::span(answer->roles).subspan(begin, rows));
        run.wait();
      }
      auto spans = gatherSpans(communicator, record, run.task());
      failed(spans);
      const std::lock_guard lock(mutex);
      slowest = std::max(slowest, seconds);
      measured.memory[self] = highWater(run.device());
      measured.clusters = found.clusters;
      measured.noise = found.noiseCount;
      if (self == 0 && last) measured.ranks = rankStatsOf(found.ranks, std::move(*spans));
    });
    if (!done) return tl::unexpected(done.error());
    if (i >= 0 && !last) measured.seconds.push_back(slowest);
  }
  return measured;
}

void print(const Options& options, const char* name, int ranks, const Measured& measured,
           const Measured* one) {
  std::printf("%-10s %d GPUs: %9.2f ms (", name, ranks, 1e3 * measured.median());
  for (const double seconds : measured.seconds) std::printf(" %.2f", 1e3 * seconds);
  std::printf(" ), %.0f M points/s, %d clusters, %llu noise",
              1e-6 * static_cast<double>(options.points) / measured.median(), measured.clusters,
              static_cast<unsigned long long>(measured.noise));
  if (one != nullptr) std::printf(", efficiency %.3f", one->median() / ranks / measured.median());
  std::printf("\n");
  for (std::size_t r = 0; r < measured.memory.size(); ++r) {
    const std::uint64_t points =
        r < measured.ranks.size() ? measured.ranks[r].points : options.points;
    std::printf("  rank %zu: most memory %.2f GB, %.0f bytes a point\n", r,
                1e-9 * static_cast<double>(measured.memory[r]),
                static_cast<double>(measured.memory[r]) /
                    static_cast<double>(std::max<std::uint64_t>(1, points)));
  }
  if (!measured.ranks.empty()) {
    std::printf("  %-6s %12s %10s %10s", "rank", "points", "ghosts", "MB sent");
    for (int p = 0; p < kRankPhases; ++p)
      std::printf(" %14s", std::string(toText(static_cast<RankPhase>(p))).c_str());
    std::printf("   ms (waiting)\n");
  }
  for (std::size_t r = 0; r < measured.ranks.size(); ++r) {
    const RankStats& rank = measured.ranks[r];
    std::printf("  %-6zu %12llu %10llu %10.1f", r, static_cast<unsigned long long>(rank.points),
                static_cast<unsigned long long>(rank.ghosts),
                1e-6 * static_cast<double>(rank.bytesSent));
    for (int p = 0; p < kRankPhases; ++p) {
      const auto phase = static_cast<RankPhase>(p);
      double waiting = 0;
      for (const RankSpan& span : rank.spans)
        if (span.phase == phase && span.activity == RankActivity::Waiting)
          waiting += span.end - span.begin;
      std::printf(" %7.2f (%4.1f)", 1e3 * secondsIn(rank.spans, phase), 1e3 * waiting);
    }
    std::printf("\n");
  }
  std::fflush(stdout);
}

// Empty where they are the same.
std::string differenceOf(const Answer& found, const Answer& expected) {
  const auto labels =
      std::mismatch(found.labels.begin(), found.labels.end(), expected.labels.begin());
  if (labels.first != found.labels.end())
    return "label of point " + std::to_string(labels.first - found.labels.begin()) + " is " +
           std::to_string(*labels.first) + ", not " + std::to_string(*labels.second);
  const auto roles = std::mismatch(found.roles.begin(), found.roles.end(), expected.roles.begin());
  if (roles.first != found.roles.end())
    return "role of point " + std::to_string(roles.first - found.roles.begin());
  return {};
}

int benchmark(const Gpus& gpus, const Options& options) {
  std::printf("%s, %llu points, %zu-D, ε %g, minPts %lld, median of %d\n",
              options.kind == devicePoints::Kind::Uniform ? "uniform" : "exponential",
              static_cast<unsigned long long>(options.points), options.dims, options.eps,
              static_cast<long long>(options.minPts), options.repeat);
  std::optional<Measured> one;
  Answer expected;
  if (options.single) {
    auto measured = alone(gpus, options, &expected);
    if (measured) {
      one = std::move(*measured);
      print(options, "alone", 1, *one, nullptr);
      // What one GPU kept is for the ranks.
      std::uint64_t none = 0;
      CUDA_CHECK(cudaDeviceSynchronize());
      CUDA_CHECK(cudaMemPoolTrimTo(gpus[0]->pool(), none));
    } else {
      std::printf("alone: %s\n", measured.error().message.c_str());
      expected = {};
    }
  }
  bool same = true;
  const int most = options.gpus > 0 ? options.gpus : static_cast<int>(gpus.size());
  for (int g = std::min(2, most); g <= most; g *= 2) {
    Answer found;
    const auto measured = divided(gpus, g, options, one ? &found : nullptr);
    if (!measured) {
      std::printf("%d ranks: %s\n", g, measured.error().message.c_str());
      return 1;
    }
    print(options, "divided", g, *measured, one ? &*one : nullptr);
    if (!one) continue;
    const std::string what = differenceOf(found, expected);
    std::printf("  %s\n", what.empty() ? "labels and roles are those of one GPU"
                                       : ("DIFFERENT: " + what).c_str());
    same = same && what.empty();
  }
  return same ? 0 : 1;
}

[[noreturn]] void usage() {
  std::fprintf(stderr, "see the head of bench_divided.cpp\n");
  std::exit(2);
}

Options optionsOf(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--agreement") {
      options.agreement = true;
      continue;
    }
    if (name == "--costs") {
      options.costs = true;
      continue;
    }
    if (++i == argc) usage();
    const std::string value = argv[i];
    if (name == "--seconds")
      options.seconds = std::atof(value.c_str());
    else if (name == "--seed")
      options.seed = std::strtoull(value.c_str(), nullptr, 10);
    else if (name == "--kind" && (value == "unif" || value == "expo"))
      options.kind =
          value == "unif" ? devicePoints::Kind::Uniform : devicePoints::Kind::Exponential;
    else if (name == "--points")
      options.points = static_cast<std::uint64_t>(std::atof(value.c_str()));
    else if (name == "--dims")
      options.dims = std::strtoull(value.c_str(), nullptr, 10);
    else if (name == "--eps")
      options.eps = std::atof(value.c_str());
    else if (name == "--min-pts")
      options.minPts = std::atoll(value.c_str());
    else if (name == "--gpus")
      options.gpus = std::atoi(value.c_str());
    else if (name == "--repeat")
      options.repeat = std::max(1, std::atoi(value.c_str()));
    else if (name == "--reach")
      options.reach = std::atoi(value.c_str());
    else if (name == "--single" && (value == "yes" || value == "no"))
      options.single = value == "yes";
    else if (name == "--way" && (value == "direct" || value == "staged"))
      options.way = value == "direct" ? PeerGroup::Way::Direct : PeerGroup::Way::Staged;
    else
      usage();
  }
  if (options.points < 1 || options.dims < 1 || options.dims > 8 || !epsSquared(options.eps) ||
      options.minPts < 1)
    usage();
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = optionsOf(argc, argv);
  const GpuProbe probe = probeGpus();
  if (probe.usable.empty()) {
    std::printf("no device: %s\n", probe.reason.c_str());
    return 77;
  }
  try {
    Gpus gpus;
    for (const GpuInfo& gpu : probe.usable) {
      gpus.push_back(std::make_unique<Device>(gpu.id));
      // Memory stays with the process, so that no run waits for it.
      std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
      CUDA_CHECK(
          cudaMemPoolSetAttribute(gpus.back()->pool(), cudaMemPoolAttrReleaseThreshold, &all));
    }
    std::printf("%zu × %s\n", gpus.size(), probe.usable.front().name.c_str());
    if (options.costs) {
      const Task task;
      GpuRun run(*gpus[0], task);
      pointCosts::print(run, options.points, options.repeat);
      return 0;
    }
    return options.agreement ? agreementOf(gpus, options) : benchmark(gpus, options);
  } catch (const CudaFailure& failure) {
    std::printf("failed: %s\n", failure.what());
    return 1;
  }
}
