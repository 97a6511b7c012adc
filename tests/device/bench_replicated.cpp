// Joins that several GPUs of one host share, on the clouds of [Gowanlock 2019, §6] and [Gallet
// 2019]: replicated (query sets dealt in fixed orders and from a shared queue) and in a ring, on
// 1, 2, 4, … GPUs, with their efficiency T(1) / (g · T(g)) and what `plan` forecasts. The pairs
// must be the same in every row of a cloud; exit status 1 when they are not, 77 where fewer than
// two GPUs answer.
//
//   bench_replicated [--repeat R] [--seconds S] [--query-sets M] [--pattern full|tile]
//                    [--clouds 2,6,16] [--rows own,fixed,single,queue,ring] [--threads-per-point K]
//
// Times are medians of R runs after one that is not timed: `total` with upload, index and order,
// `join` without; of a ring from parts that the ranks have to counts of their points. No row is
// begun after S seconds.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/backend.h"
#include "engine/core/stopwatch.h"
#include "engine/distributed/local_communicator.h"
#include "engine/distributed/rank_plan.h"
#include "engine/distributed/ring_join.h"
#include "engine/distributed/selection.h"
#include "tests/device/paper_clouds.h"

using namespace clusterloom;

namespace {

constexpr paperClouds::Case kClouds[] = {
    {"expo", 2, 2'000'000, 0.002}, {"expo", 6, 2'000'000, 0.012}, {"expo", 16, 2'000'000, 0.05}};

// Memory of one host: the parts of a ring move as fast as a thread copies one.
Network hostMemory(const PointCloud& cloud) {
  const PointCloud part = selectionOf(cloud, 0, 2);
  const Stopwatch watch;
  const PointCloud copy = part;
  const double seconds = watch.seconds();
  const double bytes = static_cast<double>(copy.size() * copy.dims() * sizeof(double));
  return {.bytesPerSecond = bytes / seconds, .overlaps = false};
}

struct Options {
  int repeat = 3;
  double seconds = 150;
  std::uint32_t querySets = 0;
  AccessPattern pattern = AccessPattern::Tile;
  std::string clouds = "2,6,16";  // dimensions
  std::string rows = "own,fixed,single,queue,ring";
  int threadsPerPoint = 1;
};

bool names(const std::string& list, const std::string& word) {
  return ("," + list + ",").find("," + word + ",") != std::string::npos;
}

struct Measured {
  double total = 0;
  double join = 0;
  double imbalance = 0;  // the longest join of a rank / the mean − 1
  std::uint64_t pairs = 0;
  std::string note;  // of a device that has failed
};

double imbalanceOf(const std::vector<RankStats>& ranks) {
  double longest = 0;
  double sum = 0;
  for (const RankStats& rank : ranks) {
    longest = std::max(longest, rank.join);
    sum += rank.join;
  }
  return sum > 0 ? longest * static_cast<double>(ranks.size()) / sum - 1 : 0;
}

Result<Measured> byBackend(const Backend& backend, const PointCloud& cloud, double eps,
                           const Strategy& strategy) {
  const Stopwatch watch;
  const auto counted = backend.count(cloud, eps, strategy, {});
  if (!counted) return tl::unexpected(counted.error());
  return Measured{.total = watch.seconds(),
                  .join = counted->stats.seconds.join,
                  .imbalance = imbalanceOf(counted->stats.ranks),
                  .pairs = counted->pairs,
                  .note = counted->stats.note};
}

Result<Measured> byRing(const std::vector<std::unique_ptr<Backend>>& backends, std::size_t ranks,
                        const PointCloud& cloud, double eps, const Strategy& strategy) {
  std::vector<PointCloud> parts;  // each rank has its own when the ring begins
  for (std::size_t r = 0; r < ranks; ++r) parts.push_back(selectionOf(cloud, r, ranks));
  Measured measured;
  std::mutex mutex;
  const Stopwatch watch;
  const auto done =
      runLocalRanks(static_cast<int>(ranks), {}, [&](Communicator& communicator, const Task& task) {
        const auto rank = static_cast<std::size_t>(communicator.rank());
        const auto counts = ringCounts(communicator,
                                       {.part = parts[rank],
                                        .points = cloud.size(),
                                        .backend = *backends[rank],
                                        .eps = eps,
                                        .strategy = strategy},
                                       task);
        if (!counts) return Result<void>(tl::unexpected(counts.error()));
        const std::lock_guard lock(mutex);
        measured.join = std::max(measured.join, counts->stats.seconds.join);
        measured.imbalance = imbalanceOf(counts->stats.ranks);
        measured.pairs = counts->pairs;
        return Result<void>();
      });
  if (!done) return tl::unexpected(done.error());
  measured.total = watch.seconds();
  return measured;
}

template <class Run>
Result<Measured> medianOf(int repeat, const Run& run) {
  std::vector<Measured> runs;
  for (int i = -1; i < repeat; ++i) {
    auto measured = run();
    if (!measured) return measured;
    if (i >= 0) runs.push_back(*measured);
  }
  std::sort(runs.begin(), runs.end(),
            [](const Measured& a, const Measured& b) { return a.total < b.total; });
  return runs[runs.size() / 2];
}

/// The rows of a cloud.
struct Table {
  std::uint64_t pairs = 0;
  bool same = true;

  /// `one`: the same on one GPU; `forecast`: seconds, 0 where there is none.
  void print(const char* row, std::size_t gpus, const Result<Measured>& measured,
             const Measured* one = nullptr, double forecast = 0) {
    if (!measured) {
      std::printf("  %-20s %zu GPUs: %s\n", row, gpus, measured.error().message.c_str());
      same = false;
      return;
    }
    if (pairs == 0) pairs = measured->pairs;
    if (measured->pairs != pairs) {
      std::printf("  %-20s %zu GPUs: DIFFERENT, %llu pairs, not %llu\n", row, gpus,
                  static_cast<unsigned long long>(measured->pairs),
                  static_cast<unsigned long long>(pairs));
      same = false;
    }
    std::printf("  %-20s %zu GPUs: total %9.2f ms, join %9.2f ms, imbalance %.3f", row, gpus,
                1e3 * measured->total, 1e3 * measured->join, measured->imbalance);
    if (one != nullptr)
      std::printf(", efficiency %.3f (join %.3f)",
                  one->total / static_cast<double>(gpus) / measured->total,
                  one->join / static_cast<double>(gpus) / measured->join);
    if (forecast > 0)
      std::printf(", plan %.2f ms (%.2f of it)", 1e3 * forecast, forecast / measured->total);
    std::printf("%s%s\n", measured->note.empty() ? "" : "; ", measured->note.c_str());
    std::fflush(stdout);
  }
};

Options optionsOf(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    const std::string value = argv[i + 1];
    if (name == "--repeat")
      options.repeat = std::max(1, std::atoi(value.c_str()));
    else if (name == "--seconds")
      options.seconds = std::atof(value.c_str());
    else if (name == "--query-sets")
      options.querySets = static_cast<std::uint32_t>(std::atoi(value.c_str()));
    else if (name == "--clouds")
      options.clouds = value;
    else if (name == "--threads-per-point")
      options.threadsPerPoint = std::atoi(value.c_str());
    else if (name == "--rows")
      options.rows = value;
    else if (name != "--pattern" || !fromText(value, options.pattern)) {
      std::fprintf(stderr, "see the head of bench_replicated.cpp\n");
      std::exit(2);
    }
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = optionsOf(argc, argv);
  const auto first = makeBackend("cuda", {});
  if (!first) {
    std::printf("no device: %s\n", first.error().message.c_str());
    return 77;
  }
  const std::vector<GpuDevice> gpus = (*first)->devices();
  if (gpus.size() < 2) {
    std::printf("skipped: one GPU answers (%s), and joins of several GPUs need two\n",
                gpus.front().name.c_str());
    return 77;
  }
  std::vector<std::unique_ptr<Backend>> alone;
  for (const GpuDevice& gpu : gpus) {
    auto backend = makeBackend("cuda", {.device = gpu.number});
    if (!backend) {
      std::printf("%s\n", backend.error().message.c_str());
      return 1;
    }
    alone.push_back(std::move(*backend));
  }
  std::printf("%zu × %s, pattern %s, median of %d\n", gpus.size(), gpus.front().name.c_str(),
              toText(options.pattern).c_str(), options.repeat);
  const Stopwatch total;
  Table table;
  for (const paperClouds::Case& c : kClouds) {
    if (total.seconds() > options.seconds) break;
    if (!names(options.clouds, std::to_string(c.dims))) continue;
    const PointCloud cloud = paperClouds::make(c);
    Strategy strategy;
    strategy.pattern = options.pattern;
    strategy.threadsPerPoint = options.threadsPerPoint;
    std::printf("%s\n", paperClouds::nameOf(c).c_str());
    table.pairs = 0;
    if (names(options.rows, "own"))
      table.print("one GPU's own way", 1, medianOf(options.repeat, [&] {
                    return byBackend(*alone[0], cloud, c.eps, strategy);
                  }));
    RankPlanOptions asked;
    asked.querySets = options.querySets;
    asked.network = hostMemory(cloud);
    asked.dealt = dealtByGpu(*alone[0], gpus.front().number);
    for (std::size_t g = 1; g <= gpus.size(); g *= 2) asked.ranks.push_back(g);
    const Stopwatch planning;
    const auto plan = planRanks(*alone[0], cloud, c.eps, strategy, asked, {});
    if (!plan) std::printf("  no plan: %s\n", plan.error().message.c_str());
    if (plan)
      std::printf("  plan, in %.2f s: one GPU %.2f ms, %.2f of them to choose the strategy\n",
                  planning.seconds(), 1e3 * plan->oneRank, 1e3 * plan->choice);
    const auto planned = [&](std::size_t g) -> const RanksForecast* {
      if (!plan) return nullptr;
      for (const RanksForecast& f : plan->forecasts)
        if (f.ranks == g) return &f;
      return nullptr;
    };
    for (const Deal deal : {Deal::Fixed, Deal::Single, Deal::Queue}) {
      if (!names(options.rows, toText(deal))) continue;
      Measured one;
      for (std::size_t g = 1; g <= gpus.size() && total.seconds() < options.seconds; g *= 2) {
        BackendOptions devices{.querySets = options.querySets, .deal = deal};
        for (std::size_t i = 0; i < g; ++i) devices.devices.push_back(gpus[i].number);
        const auto backend = makeBackend("cuda", devices);
        if (!backend) {
          std::printf("%s\n", backend.error().message.c_str());
          return 1;
        }
        const auto measured =
            medianOf(options.repeat, [&] { return byBackend(**backend, cloud, c.eps, strategy); });
        if (measured && g == 1) one = *measured;
        double forecastSeconds = 0;
        if (const RanksForecast* f = planned(g))
          forecastSeconds = deal == Deal::Fixed    ? f->replicated.fixed
                            : deal == Deal::Single ? f->replicated.single
                                                   : f->replicated.queue;
        table.print(("replicated, " + toText(deal)).c_str(), g, measured, &one, forecastSeconds);
      }
    }
    if (!names(options.rows, "ring")) continue;
    Measured one;
    for (std::size_t g = 1; g <= gpus.size() && total.seconds() < options.seconds; g *= 2) {
      const auto measured =
          medianOf(options.repeat, [&] { return byRing(alone, g, cloud, c.eps, strategy); });
      if (measured && g == 1) one = *measured;
      const RanksForecast* f = planned(g);
      table.print("ring", g, measured, &one, f != nullptr ? f->ring.total - f->ring.move : 0);
    }
  }
  return table.same ? 0 : 1;
}
