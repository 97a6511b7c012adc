#include "engine/distributed/ring_join.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "engine/core/large_pages.h"
#include "engine/core/memory_budget.h"
#include "engine/core/parallel_for.h"
#include "engine/core/stopwatch.h"
#include "engine/core/within_memory.h"
#include "engine/distributed/selection.h"
#include "engine/join/distance_bins.h"
#include "engine/join/join_plan.h"

namespace clusterloom {
namespace {

// A round's part of the progress of its stage.
Task taskOfRound(const Task& task, std::uint64_t round, std::uint64_t rounds) {
  if (!task.progress) return task;
  return {.stop = task.stop,
          .progress = [&task, round, rounds](std::string_view stage, double done) {
            task.report(stage, (double(round) + done) / double(rounds));
          }};
}

// Sends the part at hand to the next rank while `next` receives part `coming`, which the rank
// before has.
std::unique_ptr<Transfer> passOn(Communicator& communicator, std::uint64_t points,
                                 const PointCloud& entries, std::uint64_t coming, PointCloud& next,
                                 const Task& task) {
  const int ranks = communicator.size();
  const int right = (communicator.rank() + 1) % ranks;
  const int left = (communicator.rank() + ranks - 1) % ranks;
  std::vector<Outgoing> out;
  std::vector<Incoming> in;
  next.columns.resize(entries.dims());
  const std::size_t size = partSize(points, std::uint64_t(ranks), coming);
  for (std::size_t j = 0; j < next.columns.size(); ++j) {
    std::vector<double>& column = next.columns[j];
    if (column.empty()) resizeOnLargePages(column, size, task);
    column.resize(size);
    out.push_back({right, std::as_bytes(entries.column(j))});
    in.push_back({left, std::as_writable_bytes(std::span(column))});
  }
  return communicator.start(out, in);
}

// One rank's rounds.
class Ring {
 public:
  Ring(Communicator& communicator, const RingInput& input, const Task& task)
      : communicator_(communicator),
        input_(input),
        task_(task),
        ranks_(std::uint64_t(communicator.size())),
        rank_(std::uint64_t(communicator.rank())) {
    own_.name = communicator.host();
    own_.points = input.part.size();
  }

  // The strategy for all ranks and rounds, by rank 0, whose part is not empty.
  Result<Strategy> decide(SinkKind sink) {
    Strategy strategy = input_.strategy;
    if (rank_ == 0) {
      const auto plan = planJoin(JoinInput(input_.part, input_.part), input_.eps, strategy, sink,
                                 input_.backend.limits(), task_);
      if (!plan) return tl::unexpected(plan.error());
      strategy = plan->strategy;
    }
    if (auto sent = communicator_.broadcast(0, std::span<Strategy>(&strategy, 1), task_); !sent)
      return tl::unexpected(sent.error());
    return strategy;
  }

  // Joins the rank's points with every part: visit(join, part, task) gets the input of a round and
  // which rank's part it is, and returns the statistics of its join. Rounds with an empty side are
  // left out.
  using Visit =
      std::function<Result<RunStats>(const JoinInput& join, std::uint64_t part, const Task& task)>;
  Result<void> run(const Visit& visit) {
    const PointCloud* entries = &input_.part;
    PointCloud held;
    PointCloud next;
    for (std::uint64_t round = 0; round < ranks_; ++round) {
      const std::uint64_t part = (rank_ + ranks_ - round) % ranks_;
      std::unique_ptr<Transfer> transfer;  // destroyed before the memory that it reads and writes
      if (round + 1 < ranks_) {
        transfer = passOn(communicator_, input_.points, *entries, (part + ranks_ - 1) % ranks_,
                          next, task_);
        own_.bytesSent += entries->size() * entries->dims() * sizeof(double);
      }
      if (input_.part.size() > 0 && entries->size() > 0) {
        const auto joined =
            visit(JoinInput(input_.part, *entries), part, taskOfRound(task_, round, ranks_));
        if (!joined) return tl::unexpected(joined.error());
        add(*joined);
      }
      ++own_.batches;
      if (transfer) {
        const Stopwatch watch;
        if (auto arrived = transfer->wait(task_); !arrived) return arrived;
        own_.waiting += watch.seconds();
      }
      std::swap(held, next);
      entries = &held;
    }
    own_.end = sinceBegin_.seconds();
    return {};
  }

  // Completes the statistics with those of all ranks. Collective.
  Result<RunStats> finish(std::uint64_t candidates) {
    own_.candidates = candidates;
    struct Numbers {
      double index, join, waiting, end;
      std::uint64_t points, candidates, batches, bytesSent;
    };
    const auto all =
        communicator_.allGather(Numbers{own_.index, own_.join, own_.waiting, own_.end, own_.points,
                                        own_.candidates, own_.batches, own_.bytesSent},
                                task_);
    if (!all) return tl::unexpected(all.error());
    const std::string name = communicator_.host();
    const auto names = communicator_.gather(0, std::span<const char>(name), task_);
    if (!names) return tl::unexpected(names.error());
    for (std::size_t r = 0; r < all->size(); ++r) {
      const Numbers& one = (*all)[r];
      stats_.ranks.push_back({.name = r < names->size()
                                          ? std::string((*names)[r].begin(), (*names)[r].end())
                                          : std::string(),
                              .index = one.index,
                              .join = one.join,
                              .waiting = one.waiting,
                              .end = one.end,
                              .points = one.points,
                              .candidates = one.candidates,
                              .batches = one.batches,
                              .bytesSent = one.bytesSent});
    }
    stats_.seconds.index = own_.index;
    stats_.seconds.join = own_.join + own_.waiting;
    stats_.seconds.total = sinceBegin_.seconds();
    return std::move(stats_);
  }

 private:
  void add(const RunStats& round) {
    own_.index += round.seconds.index;
    own_.join += round.seconds.join;
    stats_.backend = round.backend;
    stats_.threads = round.threads;
    stats_.strategy = round.strategy;
    stats_.indexedDims = round.indexedDims;
    stats_.cells += round.cells;
    stats_.batches += round.batches;
    stats_.distanceCalculations += round.distanceCalculations;
    if (stats_.note.empty()) stats_.note = round.note;  // most often the same in each round
  }

  Communicator& communicator_;
  const RingInput& input_;
  const Task& task_;
  const std::uint64_t ranks_;
  const std::uint64_t rank_;
  const Stopwatch sinceBegin_;
  RankStats own_;
  RunStats stats_;
};

// An exception or error of a rank's body ends the job on all ranks.
template <class T, class Body>
Result<T> onThisRank(Communicator& communicator, const Task& task, const Body& body) {
  return runRank(communicator, task, [&](const Task& own) -> Result<T> {
    return withinMemory([&] { return body(own); },
                        "Not enough memory for this rank's part. Use more ranks or a smaller ε.");
  });
}

// Rows of the same points, from several parts of the cloud.
class RowMerger {
 public:
  explicit RowMerger(std::size_t rows) : lengths_(rows, 0) {}

  void add(NeighbourTable table, std::uint64_t part) {
    for (std::size_t i = 0; i < lengths_.size(); ++i)
      lengths_[i] += table.offsets[i + 1] - table.offsets[i];
    tables_.push_back({std::move(table), part});
  }

  // Entry e of the rows of part s is point s + e · ranks.
  Result<RingTable> merged(std::uint64_t ranks, const Task& task) {
    RingTable all;
    all.offsets.assign(lengths_.size() + 1, 0);
    std::inclusive_scan(lengths_.begin(), lengths_.end(), all.offsets.begin() + 1);
    const std::uint64_t bytes = all.offsets.back() * sizeof(std::int64_t);
    if (bytes > availableMemory())
      return tooLarge("The rows of this rank would be " + std::to_string(all.offsets.back()) +
                      " pairs, " + memoryText(bytes) + ", and " + memoryText(availableMemory()) +
                      " are free. Use more ranks or a smaller ε.");
    all.ids.resize(all.offsets.back());
    for (std::size_t i = 0; i < lengths_.size(); ++i) {
      if (i % 4096 == 0 && task.cancelled()) return cancelledError();
      std::uint64_t to = all.offsets[i];
      for (const auto& [table, part] : tables_)
        for (std::uint64_t e = table.offsets[i]; e < table.offsets[i + 1]; ++e)
          all.ids[to++] = std::int64_t(part + std::uint64_t(table.ids[e]) * ranks);
      std::sort(all.ids.begin() + std::ptrdiff_t(all.offsets[i]),
                all.ids.begin() + std::ptrdiff_t(to));
    }
    return all;
  }

 private:
  struct Part {
    NeighbourTable table;
    std::uint64_t part;
  };
  std::vector<std::uint64_t> lengths_;
  std::vector<Part> tables_;
};

// Makes `pairs` and `candidates` of a rank's result those of all ranks.
template <class T>
Result<void> sumOfRanks(Communicator& communicator, T& result, const Task& task) {
  std::uint64_t sums[] = {result.pairs, result.candidates};
  if (auto summed = communicator.allReduce(std::span<std::uint64_t>(sums), std::plus<>{}, task);
      !summed)
    return summed;
  result.pairs = sums[0];
  result.candidates = sums[1];
  return {};
}

}  // namespace

Result<double> ringSeconds(Communicator& communicator, const PointCloud& part, std::uint64_t points,
                           const Task& task) {
  return onThisRank<double>(communicator, task, [&](const Task& own) -> Result<double> {
    const auto ranks = std::uint64_t(communicator.size());
    const PointCloud* entries = &part;
    PointCloud held;
    PointCloud next;
    if (auto all = communicator.barrier(own); !all) return tl::unexpected(all.error());
    const Stopwatch watch;
    for (std::uint64_t round = 1; round < ranks; ++round) {
      const std::uint64_t coming = (std::uint64_t(communicator.rank()) + ranks - round) % ranks;
      const auto transfer = passOn(communicator, points, *entries, coming, next, own);
      if (auto arrived = transfer->wait(own); !arrived) return tl::unexpected(arrived.error());
      if (auto all = communicator.barrier(own); !all) return tl::unexpected(all.error());
      std::swap(held, next);
      entries = &held;
    }
    return communicator.allReduce(
        watch.seconds(), [](double a, double b) { return std::max(a, b); }, own);
  });
}

void addCounts(std::span<std::uint64_t> sums, std::span<const std::uint32_t> counts) {
  constexpr std::size_t kAtOnce = std::size_t{1} << 15;
  parallelFor(sums.size(), kAtOnce, [&](std::size_t i) { sums[i] += counts[i]; });
}

Result<RingCounts> ringCounts(Communicator& communicator, const RingInput& input,
                              const Task& task) {
  return onThisRank<RingCounts>(communicator, task, [&](const Task& own) -> Result<RingCounts> {
    Ring ring(communicator, input, own);
    const auto strategy = ring.decide(SinkKind::Counts);
    if (!strategy) return tl::unexpected(strategy.error());
    RingCounts result;
    resizeOnLargePages(result.counts, input.part.size(), own);
    if (own.cancelled()) return cancelledError();
    const auto done =
        ring.run([&](const JoinInput& join, std::uint64_t, const Task& round) -> Result<RunStats> {
          const auto counted = input.backend.count(join, input.eps, *strategy, round);
          if (!counted) return tl::unexpected(counted.error());
          addCounts(result.counts, counted->counts);
          result.pairs += counted->pairs;
          result.candidates += counted->candidates;
          return counted->stats;
        });
    if (!done) return tl::unexpected(done.error());
    auto stats = ring.finish(result.candidates);
    if (!stats) return tl::unexpected(stats.error());
    result.stats = std::move(*stats);
    if (auto summed = sumOfRanks(communicator, result, own); !summed)
      return tl::unexpected(summed.error());
    return result;
  });
}

Result<RingTable> ringTable(Communicator& communicator, const RingInput& input, const Task& task) {
  return onThisRank<RingTable>(communicator, task, [&](const Task& own) -> Result<RingTable> {
    Ring ring(communicator, input, own);
    const auto strategy = ring.decide(SinkKind::NeighbourTable);
    if (!strategy) return tl::unexpected(strategy.error());
    RowMerger rows(input.part.size());
    std::uint64_t candidates = 0;
    const auto done = ring.run(
        [&](const JoinInput& join, std::uint64_t part, const Task& round) -> Result<RunStats> {
          auto table = input.backend.neighbourTable(join, input.eps, *strategy, round);
          if (!table) return tl::unexpected(table.error());
          RunStats stats = std::move(table->stats);
          candidates += table->candidates;
          rows.add(std::move(*table), part);
          return stats;
        });
    if (!done) return tl::unexpected(done.error());
    auto table = rows.merged(std::uint64_t(communicator.size()), own);
    if (!table) return table;
    auto stats = ring.finish(candidates);
    if (!stats) return tl::unexpected(stats.error());
    table->stats = std::move(*stats);
    table->pairs = table->ids.size();
    table->candidates = candidates;
    if (auto summed = sumOfRanks(communicator, *table, own); !summed)
      return tl::unexpected(summed.error());
    return table;
  });
}

Result<DistanceHistogram> ringHistogram(Communicator& communicator, const RingInput& input,
                                        int bins, const Task& task) {
  return onThisRank<DistanceHistogram>(
      communicator, task, [&](const Task& own) -> Result<DistanceHistogram> {
        Ring ring(communicator, input, own);
        const auto edges = makeDistanceBins(input.eps, bins);
        if (!edges) return tl::unexpected(edges.error());
        const auto strategy = ring.decide(SinkKind::Histogram);
        if (!strategy) return tl::unexpected(strategy.error());
        DistanceHistogram all;
        all.upper = edges->upper;
        all.pairs.assign(edges->upper.size(), 0);
        const auto done = ring.run(
            [&](const JoinInput& join, std::uint64_t, const Task& round) -> Result<RunStats> {
              const auto made = input.backend.histogram(join, input.eps, bins, *strategy, round);
              if (!made) return tl::unexpected(made.error());
              for (std::size_t bin = 0; bin < all.pairs.size(); ++bin)
                all.pairs[bin] += made->pairs[bin];
              return made->stats;
            });
        if (!done) return tl::unexpected(done.error());
        if (auto summed = communicator.allReduce(std::span(all.pairs), std::plus<>{}, own); !summed)
          return tl::unexpected(summed.error());
        auto stats = ring.finish(0);
        if (!stats) return tl::unexpected(stats.error());
        all.stats = std::move(*stats);
        return all;
      });
}

}  // namespace clusterloom
