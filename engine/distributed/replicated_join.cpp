#include "engine/distributed/replicated_join.h"

#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

#include "engine/core/memory_budget.h"
#include "engine/core/shared_progress.h"
#include "engine/core/within_memory.h"
#include "engine/distributed/device_threads.h"
#include "engine/join/query_sets.h"

namespace clusterloom {

/// The data that the lanes of a pass share.
struct ReplicatedJoin::Pass {
  const PassRequest& request;
  JoinSink& sink;
  std::vector<std::size_t> begins;  // first query of each set, and n
  std::vector<Rank*> living;        // when it began
  Deal deal;
  SharedProgress progress;
  Stopwatch watch = {};
  std::atomic<std::size_t> head = 0;            // sets taken from the queue
  std::vector<std::atomic<std::size_t>> dealt;  // sets taken of those of each living rank
  std::mutex mutex = {};
  std::vector<TicketRange> unfinished = {};  // guarded: of devices that have failed

  Pass(const PassRequest& passRequest, JoinSink& joinSink, std::vector<std::size_t> setBegins,
       std::vector<Rank*> ranks, Deal howDealt, const Task& task)
      : request(passRequest),
        sink(joinSink),
        begins(std::move(setBegins)),
        living(std::move(ranks)),
        deal(howDealt),
        progress(task, request.stage, begins.back()),
        dealt(living.size()) {}

  std::size_t sets() const { return begins.size() - 1; }
  std::uint32_t setOf(std::uint32_t query) const {
    const auto behind = std::ranges::upper_bound(begins, query);
    return std::uint32_t(behind - begins.begin() - 1);
  }
  TicketRange rangeOf(std::size_t set) const {
    return {std::uint32_t(begins[set]), std::uint32_t(begins[set + 1])};
  }

  // The next set for the device of that number among the living: its own, then those of failed
  // ones.
  std::optional<TicketRange> next(std::size_t device) {
    const std::size_t set = deal == Deal::Queue
                                ? head.fetch_add(1)
                                : device + dealt[device].fetch_add(1) * living.size();
    if (set < sets()) return rangeOf(set);
    const std::lock_guard lock(mutex);
    if (unfinished.empty()) return std::nullopt;
    const TicketRange range = unfinished.back();
    unfinished.pop_back();
    return range;
  }
};

ReplicatedJoin::ReplicatedJoin(const ReplicatedSetup& setup, const SharedWork& work,
                               const Task& task)
    : setup_(setup), work_(work), task_(task), quiet_{.stop = task.stop, .progress = {}} {}

void ReplicatedJoin::failed(Rank& rank, const Error& error) {
  rank.run.reset();
  lastError_ = error;
  if (task_.cancelled()) return;
  note_ += (note_.empty() ? "" : " ") + rank.stats.name + ": " + error.message +
           " The other devices did its part.";
}

Result<void> ReplicatedJoin::anyLeft() const {
  if (task_.cancelled()) return cancelledError();
  if (std::ranges::any_of(ranks_, [](const Rank& rank) { return rank.run != nullptr; })) return {};
  return tl::unexpected(*lastError_);
}

Result<void> ReplicatedJoin::prepare() {
  ranks_.resize(setup_.devices.size());
  std::vector<Result<std::unique_ptr<DeviceRun>>> begun(ranks_.size());
  const auto started = onThreads(ranks_.size(), [&](std::size_t r) {
    const Stopwatch watch;
    Rank& rank = ranks_[r];
    rank.device = setup_.devices[r].get();
    rank.stats.name = rank.device->describe();
    begun[r] = withinMemory([&] {
      const auto begin = [&] { return rank.device->begin(work_, r == 0 ? task_ : quiet_); };
      if (setup_.threadsEach <= 0) return begin();
      tbb::task_arena arena(setup_.threadsEach);
      return arena.execute(begin);
    });
    rank.stats.index = watch.seconds();
  });
  if (!started) return started;
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    if (begun[r])
      ranks_[r].run = std::move(*begun[r]);
    else
      failed(ranks_[r], begun[r].error());
  }
  for (Rank& rank : ranks_) {
    if (!rank.run) continue;
    auto order = rank.run->order();
    if (order) {
      queries_ = std::move(*order);
      return anyLeft();
    }
    failed(rank, order.error());
  }
  return anyLeft();
}

// False when the device has failed; the others then do the rest of the set.
bool ReplicatedJoin::runSet(Pass& pass, Rank& rank, int stream, TicketRange set) {
  std::vector<TicketRange> parts{set};
  const double start = pass.watch.seconds();
  const auto keep = [&](TicketRange part) {
    if (part.empty()) return;
    sets_.push_back({.stage = std::string(pass.request.stage),
                     .set = pass.setOf(part.begin),
                     .device = std::uint32_t(&rank - ranks_.data()),
                     .queries = part.size(),
                     .candidates = queries_.candidates(part.begin, part.end),
                     .start = start,
                     .seconds = pass.watch.seconds() - start});
  };
  while (!parts.empty()) {
    const TicketRange range = parts.back();
    parts.pop_back();
    Result<DeviceBatch> done =
        withinMemory([&] { return rank.run->run(stream, range, pass.request.enough, pass.sink); });
    if (done && done->overflowed) {
      if (range.size() > 1) {
        const auto [first, second] = halvesOf(range);
        parts.push_back(second);
        parts.push_back(first);
        continue;
      }
      done = unavailable("A device had no space for the pairs of one query.");
    }
    const std::lock_guard lock(pass.mutex);
    if (!done) {
      // What is left is one range: its parts are done in order.
      pass.unfinished.push_back({range.begin, set.end});
      keep({set.begin, range.begin});
      if (!lastError_ || task_.cancelled()) lastError_ = done.error();
      rank.stats.end = -1;  // marks the failure for the end of the pass
      return false;
    }
    pass.progress.add(range.size());
    rank.stats.points += range.size();
    rank.stats.candidates += queries_.candidates(range.begin, range.end);
    rank.stats.bytesSent += done->bytes;
  }
  const std::lock_guard lock(pass.mutex);
  ++rank.stats.batches;
  keep(set);
  return true;
}

void ReplicatedJoin::lane(Pass& pass, std::size_t living, int stream) {
  Rank& rank = *pass.living[living];
  while (!task_.cancelled()) {
    {
      const std::lock_guard lock(pass.mutex);
      if (rank.stats.end < 0) return;  // another stream has found that the device fails
    }
    const auto set = pass.next(living);
    if (!set || !runSet(pass, rank, stream, *set)) return;
    const std::lock_guard lock(pass.mutex);
    if (rank.stats.end >= 0) rank.stats.end = pass.watch.seconds();
  }
}

Result<void> ReplicatedJoin::pass(const PassRequest& request, JoinSink& sink) {
  std::vector<Rank*> living;
  int streams = 0;
  for (Rank& rank : ranks_)
    if (rank.run) {
      living.push_back(&rank);
      streams += rank.run->streams();
    }
  // Counts take nothing but time on a device: it is filled by one long run, and goes on with the
  // next while the last queries of that end. Rows have to fit into each stream's buffer.
  const std::size_t workers = sink.wantsRows() ? std::size_t(streams) : living.size();
  const std::uint32_t most = std::max<std::uint32_t>(1, queries_.size());
  const std::uint32_t sets = std::clamp<std::uint32_t>(setup_.querySets, 1, most);
  std::vector<std::size_t> begins =
      isFixedDeal(setup_.deal)
          ? QuerySets(queries_.size(), sets, setup_.deal == Deal::Single).begins()
      : setup_.querySets > 0 ? runsOfEqualWork(queries_, sets)
                             : runsOfFallingWork(queries_, std::uint32_t(workers));
  const double before = sinceBegin_.seconds();
  Pass pass(request, sink, std::move(begins), living, setup_.deal, task_);
  const auto firstSet = std::ptrdiff_t(sets_.size());
  for (Rank* rank : living) rank->stats.end = 0;
  // Devices may have been done before another one failed; then they go on with its sets.
  for (;;) {
    std::vector<std::pair<std::size_t, int>> lanes;
    for (std::size_t d = 0; d < living.size(); ++d)
      if (living[d]->run)
        for (int s = 0; s < living[d]->run->streams(); ++s) lanes.emplace_back(d, s);
    lastError_.reset();
    const auto started = onThreads(
        lanes.size(), [&](std::size_t l) { lane(pass, lanes[l].first, lanes[l].second); });
    if (!started) return started;
    if (task_.cancelled()) return cancelledError();
    for (std::size_t d = 0; d < living.size(); ++d)
      if (living[d]->run && living[d]->stats.end < 0) {
        living[d]->stats.end = 0;
        // All sets that the fixed deal still has for it.
        if (isFixedDeal(pass.deal))
          for (std::size_t set = d + pass.dealt[d].load() * living.size(); set < pass.sets();
               set += living.size())
            pass.unfinished.push_back(pass.rangeOf(set));
        pass.dealt[d] = pass.sets();
        const Error why = lastError_.value_or(outOfMemory());
        failed(*living[d], why);
      }
    if (auto left = anyLeft(); !left) return left;
    const bool allTaken = isFixedDeal(pass.deal) || pass.head.load() >= pass.sets();
    if (pass.unfinished.empty() && allTaken) break;
  }
  std::ranges::sort(sets_.begin() + firstSet, sets_.end(), {},
                    [](const QuerySetStats& set) { return std::pair(set.set, set.start); });
  const double seconds = sinceBegin_.seconds() - before;
  for (Rank* rank : living) {
    const double busy = std::min(seconds, rank->stats.end);
    rank->stats.join += busy;
    rank->stats.waiting += seconds - busy;
    rank->stats.end = before + busy;
  }
  return {};
}

void ReplicatedJoin::addTo(RunStats& stats) {
  stats.querySets = sets_;
  for (Rank& rank : ranks_) {
    stats.ranks.push_back(rank.stats);
    if (!rank.run) continue;
    RunStats own;
    // The result is valid although its statistics are incomplete.
    if (auto added = rank.run->addTo(own); !added) continue;
    stats.distanceCalculations += own.distanceCalculations;
    stats.cells = own.cells;
    stats.batches += rank.stats.batches;
    stats.kernels.insert(stats.kernels.end(), own.kernels.begin(), own.kernels.end());
  }
}

}  // namespace clusterloom
