// Measures what the engine's own choice of a strategy costs: for 40 clouds at two ε each, counts
// and DBSCAN by the default beside every strategy that may be faster, and the regret, the time of
// the default over that of the fastest.
//
//   bench_choice [--backend NAME] [--threads N] [--result NAME] [--only TEXT] [--shrink N]
//                [--all FILE]
//
// --result takes one of counts, dbscan and table (default: the first two), --only the clouds whose
// name matches the regular expression TEXT; --shrink divides the numbers of points by N; --all
// writes the time of every strategy as CSV. ε is the median distance of 256 points to their 4th or
// 32nd neighbour. Times are medians of three runs from host memory to host memory; a strategy that
// is slower than the best so far is stopped. Exit status 77 where the backend is not to be had.
#include <tbb/parallel_for.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <regex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "engine/backend.h"
#include "engine/cloud/generators.h"
#include "engine/core/stopwatch.h"
#include "engine/join/join_plan.h"

using namespace clusterloom;

namespace {

struct Made {
  const char* kind;
  std::size_t dims;
  std::size_t points;
};

constexpr Made kClouds[] = {
    {"unif", 2, 10'000},      {"unif", 2, 1'000'000},     {"unif", 2, 10'000'000},
    {"unif", 3, 100'000},     {"unif", 3, 2'000'000},     {"unif", 4, 1'000'000},
    {"unif", 5, 500'000},     {"unif", 6, 1'000'000},     {"unif", 8, 200'000},
    {"unif", 12, 100'000},    {"unif", 16, 100'000},      {"unif", 32, 50'000},
    {"unif", 90, 20'000},     {"expo", 2, 10'000},        {"expo", 2, 2'000'000},
    {"expo", 3, 1'000'000},   {"expo", 4, 2'000'000},     {"expo", 6, 1'000'000},
    {"expo", 8, 500'000},     {"expo", 16, 200'000},      {"expo", 32, 100'000},
    {"expo", 90, 20'000},     {"blobs", 2, 100'000},      {"blobs", 2, 10'000'000},
    {"blobs", 3, 1'000'000},  {"blobs", 5, 500'000},      {"blobs", 8, 200'000},
    {"blobs", 16, 100'000},   {"blobs", 32, 50'000},      {"blobs", 64, 20'000},
    {"varied", 2, 1'000'000}, {"varied", 4, 500'000},     {"rings", 6, 200'000},
    {"shapes", 3, 1'000'000}, {"lattice", 2, 1'000'000},  {"lattice", 3, 500'000},
    {"lattice", 6, 117'649},  {"outliers", 2, 1'000'000}, {"outliers", 3, 1'000'000},
    {"outliers", 5, 200'000}};

// Every thousandth point is a thousand times as far out.
void castOut(PointCloud& cloud) {
  for (std::size_t d = 0; d < cloud.dims(); ++d)
    for (std::size_t i = 0; i < cloud.size(); i += 1000) cloud.columns[d][i] *= 1000;
}

PointCloud make(const Made& made, std::size_t shrink) {
  const bool outliers = std::strcmp(made.kind, "outliers") == 0;
  auto set = generate({.kind = outliers ? "unif" : made.kind,
                       .points = std::max<std::size_t>(1000, made.points / shrink),
                       .dims = made.dims,
                       .seed = 42});
  if (outliers) castOut(set->cloud);
  return std::move(set->cloud);
}

// The median distance of some points to their m-th other neighbour, by brute force.
double medianDistance(const PointCloud& cloud, std::size_t m) {
  constexpr std::size_t kAsked = 256;
  const std::size_t n = cloud.size();
  std::vector<double> distances(kAsked);
  tbb::parallel_for(std::size_t{0}, kAsked, [&](std::size_t a) {
    const std::size_t p = a * n / kAsked + 1;
    std::vector<double> squares(n, 0);
    for (std::size_t d = 0; d < cloud.dims(); ++d)
      for (std::size_t q = 0; q < n; ++q) {
        const double difference = cloud.column(d)[p] - cloud.column(d)[q];
        squares[q] += difference * difference;
      }
    const auto at = squares.begin() + std::ptrdiff_t(m);
    std::nth_element(squares.begin(), at, squares.end());
    distances[a] = std::sqrt(*at);
  });
  const auto middle = distances.begin() + kAsked / 2;
  std::nth_element(distances.begin(), middle, distances.end());
  return *middle;
}

// Requests a stop after some time unless it is destroyed before.
class Deadline {
 public:
  explicit Deadline(double seconds)
      : thread_([this, seconds](const std::stop_token& over) {
          std::unique_lock lock(mutex_);
          if (!wake_.wait_for(lock, over, std::chrono::duration<double>(seconds),
                              [&] { return over.stop_requested(); }))
            late_.request_stop();
        }) {}
  Task task() const { return {.stop = late_.get_token(), .progress = {}}; }

 private:
  std::stop_source late_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;
};

struct Run {
  const Backend& backend;
  const PointCloud& cloud;
  double eps;
  SinkKind sink;

  // Seconds of one run; nothing where it takes longer than `limit` or is refused.
  std::optional<double> once(const Strategy& strategy, double limit, std::string* words) const {
    const Deadline deadline(limit);
    const Stopwatch watch;
    RunStats stats;
    const auto failed = [&](const Error& error) {
      if (error.kind != ErrorKind::Cancelled && error.kind != ErrorKind::BadCall)
        std::fprintf(stderr, "%s: %s\n", describe(strategy).c_str(), error.message.c_str());
      return std::nullopt;
    };
    if (sink == SinkKind::Counts) {
      auto counts = backend.count(cloud, eps, strategy, deadline.task());
      if (!counts) return failed(counts.error());
      stats = std::move(counts->stats);
    } else if (sink == SinkKind::NeighbourTable) {
      auto table = backend.neighbourTable(cloud, eps, strategy, deadline.task());
      if (!table) return failed(table.error());
      stats = std::move(table->stats);
    } else {
      auto clusters = backend.dbscan(cloud, {.eps = eps, .minPts = 5}, strategy, deadline.task());
      if (!clusters) return failed(clusters.error());
      stats = std::move(clusters->stats);
    }
    const double seconds = watch.seconds();
    if (words != nullptr) *words = stats.strategy;
    return seconds;
  }

  // The median of three runs; of the first where that is beyond `limit`.
  std::optional<double> seconds(const Strategy& strategy, double limit, std::string* words) const {
    const auto first = once(strategy, limit, words);
    if (!first || *first > limit) return {};
    std::vector<double> all{*first};
    constexpr double kLong = 2;  // seconds: one run tells enough
    while (all.size() < 3 && *first < kLong) {
      const auto next = once(strategy, 10 * limit, nullptr);
      if (!next) return {};
      all.push_back(*next);
    }
    std::ranges::sort(all);
    return all[all.size() / 2];
  }
};

std::vector<Strategy> rivals(const Run& run) {
  const std::size_t dims = run.cloud.dims();
  std::vector<Strategy> all;
  for (int k = 1; k <= int(std::min<std::size_t>(dims, 8)); ++k) {
    all.push_back({.indexedDims = k, .sortIdu = Toggle::Off});
    for (const Toggle shortCircuit : {Toggle::Off, Toggle::On})
      all.push_back({.indexedDims = k, .sortIdu = Toggle::On, .shortCircuit = shortCircuit});
  }
  if (run.sink == SinkKind::Dbscan) all.push_back({.denseCells = Toggle::Off});
  all.push_back({.pattern = AccessPattern::Full});
  all.push_back({.pattern = AccessPattern::LidUnicomp});
  for (const Method method :
       {Method::Products, Method::KdTree, Method::SuperEgo, Method::BruteForce})
    all.push_back({.method = method});
  return all;
}

struct Options {
  std::string backend = "cpu";
  int threads = 0;
  std::vector<SinkKind> results{SinkKind::Counts, SinkKind::Dbscan};
  std::string only;
  std::size_t shrink = 1;
  std::string all;
};

const char* nameOf(SinkKind sink) {
  return sink == SinkKind::Counts ? "counts" : sink == SinkKind::Dbscan ? "dbscan" : "table";
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    const char* const value = argv[i + 1];
    if (name == "--backend")
      options.backend = value;
    else if (name == "--threads")
      options.threads = std::atoi(value);
    else if (name == "--only")
      options.only = value;
    else if (name == "--result")
      options.results = {std::strcmp(value, "dbscan") == 0  ? SinkKind::Dbscan
                         : std::strcmp(value, "table") == 0 ? SinkKind::NeighbourTable
                                                            : SinkKind::Counts};
    else if (name == "--shrink")
      options.shrink = std::max(1ULL, std::strtoull(value, nullptr, 10));
    else if (name == "--all")
      options.all = value;
    else
      std::exit((std::fprintf(stderr, "unknown option %s\n", argv[i]), 2));
  }
  return options;
}

// Measures one case; returns its regret.
std::optional<double> measure(const Run& run, const std::string& name, std::FILE* all) {
  const char* const sink = nameOf(run.sink);
  constexpr double kLongest = 30;
  std::string chosen;
  const auto byDefault = run.seconds({}, kLongest, &chosen);
  if (!byDefault) {
    std::printf("%-20s %-9.4g %s: the default did not end in %g s\n", name.c_str(), run.eps, sink,
                kLongest);
    return {};
  }
  double best = *byDefault;
  std::string bestWords = chosen;
  for (const Strategy& rival : rivals(run)) {
    std::string words;
    const auto seconds = run.seconds(rival, 1.5 * best + 0.002, &words);
    if (all != nullptr)
      std::fprintf(all, "%s,%.6g,%s,%s,%.6f,%.6f\n", name.c_str(), run.eps, sink,
                   describe(rival).c_str(), seconds.value_or(-1), *byDefault);
    if (seconds && *seconds < best) {
      best = *seconds;
      bestWords = words;
    }
  }
  // The default again: the machine may have been slower at first.
  const double again = run.seconds({}, kLongest, nullptr).value_or(*byDefault);
  const double regret = std::min(*byDefault, again) / std::min(best, again);
  std::printf("%-20s %-9.4g %s %9.2f ms %9.2f ms %6.2f  %s%s%s\n", name.c_str(), run.eps, sink,
              std::min(*byDefault, again) * 1e3, std::min(best, again) * 1e3, regret,
              chosen.c_str(), regret > 1.05 ? "  |  " : "", regret > 1.05 ? bestWords.c_str() : "");
  std::fflush(stdout);
  return regret;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  const auto backend = makeBackend(options.backend, {.threads = options.threads});
  if (!backend) {
    std::printf("no backend: %s\n", backend.error().message.c_str());
    return 77;
  }
  std::FILE* const all = options.all.empty() ? nullptr : std::fopen(options.all.c_str(), "w");
  std::printf("%s\ncloud, ε, result, default, best, regret, what the default is | the best\n",
              (*backend)->describe().c_str());
  std::vector<double> regrets;
  for (const Made& made : kClouds) {
    const std::string name =
        std::string(made.kind) + " " + std::to_string(made.dims) + "-D " +
        std::to_string(std::max<std::size_t>(1000, made.points / options.shrink));
    if (!std::regex_search(name, std::regex(options.only))) continue;
    const PointCloud cloud = make(made, options.shrink);
    for (const std::size_t neighbours : {4, 32}) {
      const double eps = medianDistance(cloud, neighbours);
      for (const SinkKind sink : options.results)
        if (const auto regret = measure({**backend, cloud, eps, sink}, name, all))
          regrets.push_back(*regret);
    }
  }
  if (all != nullptr) std::fclose(all);
  if (regrets.empty()) return 1;
  std::ranges::sort(regrets);
  std::printf("%zu cases: median %.3f, worst %.2f, above 1.2: %zu\n", regrets.size(),
              regrets[regrets.size() / 2], regrets.back(),
              std::size_t(regrets.end() - std::ranges::upper_bound(regrets, 1.2)));
  return 0;
}
