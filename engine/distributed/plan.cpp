#include "engine/distributed/plan.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <queue>

#include "engine/join/query_sets.h"

namespace clusterloom {
namespace {

// Bytes of an index for each of its points and queries beside their coordinates: ids, cells and
// ranks, and the linear ids of cells where each point has its own cell.
constexpr std::uint64_t kIndexBytes = 40;

// x at which the standard normal distribution reaches p, 0 < p < 1.
double normalQuantile(double p) {
  double low = -10;
  double high = 10;
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (low + high);
    (0.5 * std::erfc(-middle / std::sqrt(2.0)) < p ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

double varianceOf(const std::vector<std::uint64_t>& values, double mean) {
  double sum = 0;
  for (const std::uint64_t value : values) {
    const double offset = double(value) - mean;
    sum += offset * offset;
  }
  return values.size() < 2 ? 0 : sum / double(values.size() - 1);
}

// Queries of set i of m.
std::uint64_t sizeOfSet(std::uint64_t points, std::uint64_t m, std::uint64_t i) {
  return (points + m - 1 - i) / m;
}

// A number without a common divisor with m, near the golden section of m: its multiples visit the
// sets in a scattered order.
std::uint64_t scatteringStep(std::uint64_t m) {
  auto step = std::max<std::uint64_t>(1, std::uint64_t(0.618 * double(m)));
  while (std::gcd(step, m) != 1) ++step;
  return step;
}

double slowest(const std::vector<double>& ends) { return *std::ranges::max_element(ends); }

double overMean(const std::vector<double>& ends) {
  const double sum = std::accumulate(ends.begin(), ends.end(), 0.0);
  return sum > 0 ? slowest(ends) * double(ends.size()) / sum - 1 : 0;
}

// Of ranks whose sets end so: each has its share of the sets that were timed. Nothing where they
// were not.
std::optional<double> timedTotal(const DealtJoin& timed, const std::vector<double>& ends) {
  const double sum = std::accumulate(ends.begin(), ends.end(), 0.0);
  if (timed.sets <= 0 || sum <= 0) return std::nullopt;
  return timed.beside + timed.sets * slowest(ends) / sum;
}

RingForecast ringOf(const PlanWorkload& workload, const PlanRequest& request) {
  const auto ranks = double(request.ranks);
  const std::uint64_t part = sizeOfSet(workload.points, request.ranks, 0);
  const std::uint64_t pointBytes = workload.dims * sizeof(double);
  // A part holds 1 / g of each query's candidates, since it is a uniform selection.
  std::vector<double> joins = setCandidates(workload, request.ranks);
  for (double& seconds : joins) seconds /= ranks * request.ring.candidates;

  RingForecast ring;
  ring.imbalance = overMean(joins);
  ring.index = 2 * double(part) / request.ring.indexedPoints;
  ring.join = slowest(joins) + request.ring.beside;
  const std::uint64_t others = request.ranks - 1;
  const double perSecond = request.network.bytesPerSecond;
  if (others > 0) {
    const double partBytes = double(part * pointBytes);
    ring.transfer = partBytes / perSecond + request.network.latency;
    // Each rank keeps 1 / g of what it read and exchanges the rest, then the counts.
    const double moved =
        double(part * (pointBytes + sizeof(std::uint32_t))) * double(others) / ranks;
    ring.move = moved / perSecond + 2 * double(others) * request.network.latency;
    ring.bytesSent = std::uint64_t(moved) + others * part * pointBytes;
  }
  const double working = ring.index + ring.join;
  ring.waiting = std::max(0.0, ring.transfer - (request.network.overlaps ? working : 0));
  ring.total = request.ringChoice + ring.move + ranks * working + double(others) * ring.waiting;
  // Queries, the part at hand and the next one; the first two again in the order of cells.
  ring.memory = part * (5 * pointBytes + 2 * kIndexBytes);
  return ring;
}

ReplicatedForecast replicatedOf(const PlanWorkload& workload, const PlanRequest& request) {
  ReplicatedForecast replicated;
  replicated.querySets = request.querySets > 0 ? request.querySets : kSetsPerRank * request.ranks;
  const std::vector<double> sets = setCandidates(workload, replicated.querySets);
  const auto secondsOf = [](const std::vector<double>& candidates, const RankSpeeds& speeds) {
    std::vector<double> seconds;
    for (const double ofSet : candidates) seconds.push_back(ofSet / speeds.candidates);
    return seconds;
  };
  // Before its sets, and after them.
  const auto beside = [&](const RankSpeeds& speeds) {
    return request.choice + double(workload.points) / speeds.indexedPoints + speeds.beside;
  };
  const RankSpeeds& each = request.replicated;
  const RankSpeeds& own = request.own.candidates > 0 ? request.own : each;
  replicated.index = request.choice + double(workload.points) / each.indexedPoints;
  const std::vector<double> runs = runSetCandidates(workload, replicated.querySets);
  const std::vector<double> dealt = endsOfFixedDeal(secondsOf(runs, each), request.ranks);
  replicated.imbalance = overMean(dealt);
  replicated.fixed = timedTotal(request.dealt, dealt).value_or(beside(each) + slowest(dealt));
  const std::vector<double> single = endsOfFixedDeal(secondsOf(sets, each), request.ranks);
  replicated.singleImbalance = overMean(single);
  replicated.single = timedTotal(request.single, single).value_or(beside(each) + slowest(single));
  const std::vector<double> queued = endsOfQueue(secondsOf(sets, own), request.ranks);
  replicated.queue = timedTotal(request.queued, queued).value_or(beside(own) + slowest(queued));
  replicated.memory = workload.points * (2 * workload.dims * sizeof(double) + kIndexBytes);
  return replicated;
}

}  // namespace

double PlanWorkload::mean() const {
  double sum = 0;
  for (const std::uint64_t query : candidates) sum += double(query);
  return candidates.empty() ? 0 : sum / double(candidates.size());
}

std::vector<double> setCandidates(const PlanWorkload& workload, std::uint64_t m) {
  std::vector<double> sets(m, 0.0);
  if (workload.isWhole()) {
    for (std::size_t q = 0; q < workload.candidates.size(); ++q)
      sets[q % m] += double(workload.candidates[q]);
    return sets;
  }
  const double mean = workload.mean();
  // Of draws without replacement: the sets share one cloud.
  const double variance = varianceOf(workload.candidates, mean) * (1 - 1 / double(m));
  const std::uint64_t step = scatteringStep(m);
  for (std::uint64_t i = 0; i < m; ++i) {
    const std::uint64_t set = i * step % m;
    const auto size = double(sizeOfSet(workload.points, m, set));
    // The expected value of the i-th of m normal draws, approximately (Blom 1958).
    const double at = (double(i) + 0.625) / (double(m) + 0.25);
    sets[set] = std::max(0.0, size * mean + std::sqrt(size * variance) * normalQuantile(at));
  }
  return sets;
}

std::vector<double> runSetCandidates(const PlanWorkload& workload, std::uint64_t m) {
  std::vector<double> sets(m, 0.0);
  std::vector<std::uint64_t> order = workload.candidates;
  if (order.empty()) return sets;
  std::ranges::sort(order, std::greater<>());
  std::vector<double> before(order.size() + 1, 0.0);
  std::partial_sum(order.begin(), order.end(), before.begin() + 1);
  const double share = double(order.size()) / double(workload.points);  // sampled
  // Candidates of the first `queries` of all.
  const auto ofFirst = [&](std::uint64_t queries) {
    const double at = double(queries) * share;
    const auto whole = std::min(std::size_t(at), order.size() - 1);
    const double rest = at - double(whole);
    return (before[whole] + rest * double(order[whole])) / share;
  };
  const auto points = std::uint32_t(workload.points);
  const QuerySets deal(points, std::uint32_t(std::min<std::uint64_t>(m, points)));
  double done = 0;
  for (std::uint64_t run = 0; run * deal.run() < points; ++run) {
    const double until = ofFirst(std::min<std::uint64_t>(points, (run + 1) * deal.run()));
    sets[run % deal.sets()] += until - done;
    done = until;
  }
  return sets;
}

std::vector<double> endsOfFixedDeal(const std::vector<double>& seconds, std::uint64_t ranks) {
  std::vector<double> ends(ranks, 0.0);
  for (std::size_t i = 0; i < seconds.size(); ++i) ends[i % ranks] += seconds[i];
  return ends;
}

std::vector<double> endsOfQueue(const std::vector<double>& seconds, std::uint64_t ranks) {
  std::vector<double> ends(ranks, 0.0);
  using Free = std::pair<double, std::size_t>;  // when, and which rank
  std::priority_queue<Free, std::vector<Free>, std::greater<>> free;
  for (std::size_t r = 0; r < ranks; ++r) free.emplace(0.0, r);
  for (const double task : seconds) {
    const auto [when, rank] = free.top();
    free.pop();
    ends[rank] = when + task;
    free.emplace(ends[rank], rank);
  }
  return ends;
}

RanksForecast forecast(const PlanWorkload& workload, const PlanRequest& request) {
  return {.ranks = request.ranks,
          .ring = ringOf(workload, request),
          .replicated = replicatedOf(workload, request)};
}

}  // namespace clusterloom
