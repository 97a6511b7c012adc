#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/rank_stats.h"
#include "engine/core/stopwatch.h"
#include "engine/hybrid/shared_device.h"
#include "engine/hybrid/shared_join.h"
#include "engine/join/division.h"

namespace clusterloom {

/// The devices of a replicated join and how its query sets are dealt to them.
struct ReplicatedSetup {
  std::span<const std::unique_ptr<SharedDevice>> devices;
  Deal deal = Deal::Queue;
  /// 0, in a queue only: as many as needed, of decreasing work.
  std::uint32_t querySets = 0;
  /// CPU threads that each device's index may take; 0: those of the caller's arena.
  int threadsEach = 0;
};

/// A join by several devices, each of which has both clouds and the index [Gowanlock 2019, §6.2].
/// In a fixed deal the query sets are uniform selections of the order by workload, or of the cloud
/// where they are dealt single queries, so that they take about the same time
/// (engine/join/query_sets.h). A shared queue has runs of the order, the heaviest queries first, so
/// that the queries of the last sets end soonest: of about the same work where their number is
/// given, else of decreasing work. When a device fails, now or later, the others do its sets and
/// note() says so. Not for two threads at once; `setup`, `work` and `task` outlive it.
class ReplicatedJoin {
 public:
  ReplicatedJoin(const ReplicatedSetup& setup, const SharedWork& work, const Task& task);
  ReplicatedJoin(const ReplicatedJoin&) = delete;
  ReplicatedJoin& operator=(const ReplicatedJoin&) = delete;

  /// Makes the index on all devices at once, and the order. Errors: that of the last device where
  /// all of them fail, Cancelled.
  Result<void> prepare();
  const OrderedQueries& queries() const { return queries_; }
  /// Does every query once. Errors as prepare(). `request.neighbours` is not used: rows that do not
  /// fit into a device's buffer are done in halves.
  Result<void> pass(const PassRequest& request, JoinSink& sink);
  /// Adds what all devices did in all passes, with the time of each query set.
  void addTo(RunStats& stats);
  const std::string& note() const { return note_; }

 private:
  struct Rank {
    const SharedDevice* device = nullptr;
    std::unique_ptr<DeviceRun> run;  // null once it has failed
    RankStats stats;
  };
  struct Pass;

  void failed(Rank& rank, const Error& error);
  Result<void> anyLeft() const;
  void lane(Pass& pass, std::size_t living, int stream);
  bool runSet(Pass& pass, Rank& rank, int stream, TicketRange set);

  const ReplicatedSetup& setup_;
  const SharedWork& work_;
  const Task& task_;
  // The task of all devices but one for the run: progress comes from one thread at a time.
  const Task quiet_;
  const Stopwatch sinceBegin_;
  std::vector<Rank> ranks_;
  OrderedQueries queries_;
  std::vector<QuerySetStats> sets_;  // of all passes; guarded by that of the pass
  std::string note_;
  std::optional<Error> lastError_;
};

}  // namespace clusterloom
