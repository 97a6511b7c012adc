#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/backend.h"
#include "engine/core/result.h"
#include "engine/core/run_stats.h"
#include "engine/core/task.h"
#include "engine/hybrid/batch_cuts.h"
#include "engine/hybrid/ordered_queries.h"
#include "engine/hybrid/query_ends.h"
#include "engine/join/join_input.h"
#include "engine/join/join_plan.h"
#include "engine/join/join_results.h"
#include "engine/join/query_part.h"

namespace clusterloom {

/// Rows of a batch, or a part of them, as a device delivers them: row r belongs to query
/// firstQuery + r and is entries rowStart[r] … rowStart[r + 1] − 1 of the batch, ascending ids.
struct RowsOfBatch {
  std::uint32_t firstQuery = 0;
  std::span<const std::uint64_t> rowStart;  ///< one entry more than rows
  std::uint64_t first = 0;                  ///< number in the batch of entries[0]
  std::span<const std::uint32_t> entries;
};

/// Where the results of both processors meet: neighbour counts by query, or the rows of a neighbour
/// table whose offsets are final. Written by all lanes at once, each query by one of them.
class JoinSink {
 public:
  explicit JoinSink(std::span<std::uint32_t> countOfQuery) : counts_(countOfQuery) {}
  /// `table.ids` has room for all rows. Both outlive the sink.
  JoinSink(NeighbourTable& table, const OrderedQueries& queries)
      : table_(&table), queries_(&queries) {}

  bool wantsRows() const { return table_ != nullptr; }

  /// Counts of queries from `firstQuery` on.
  void takeCounts(std::uint32_t firstQuery, std::span<const std::uint32_t> counts);
  /// False, and nothing is written, when a row does not have the length counted before.
  [[nodiscard]] bool takeRows(const RowsOfBatch& rows);
  /// The place of a query's row, to be filled.
  std::span<std::int32_t> row(std::uint32_t query) const;

 private:
  std::span<std::uint32_t> counts_;
  NeighbourTable* table_ = nullptr;
  const OrderedQueries* queries_ = nullptr;
};

/// A join that several processors share. The plan is for this input and ε, of the full or tile
/// pattern in the order WORKQUEUE, or INPUT where devices share query sets, unless a function asks
/// for another. All of it outlives the run.
struct SharedWork {
  const JoinInput& input;
  double eps;
  const JoinPlan& plan;
  /// Number of sets that the order is dealt to (engine/join/query_sets.h), at most the number of
  /// queries.
  std::uint32_t querySets = 1;
  bool singleQueries = false;  ///< they are dealt single queries, not runs
};

/// The result of a batch on a device.
struct DeviceBatch {
  bool overflowed = false;  ///< its rows did not fit into the buffer; nothing was delivered
  double transfer = 0;      ///< seconds of copying to the host
  std::uint64_t bytes = 0;  ///< copied to the host
};

/// A timed sample of the queries, strided over the whole order.
struct DeviceSample {
  NeighbourSample neighbours;
  double seconds = 0;  ///< for the sampled queries
};

/// One join on a device. Errors end the device's part of the join, not the join; Cancelled when the
/// task was stopped. Destroying a run frees all that it holds.
class DeviceRun {
 public:
  virtual ~DeviceRun() = default;
  virtual int streams() const = 0;
  /// The order of queries that both processors use. May take long, and may be called while batches
  /// run.
  virtual Result<OrderedQueries> order() = 0;
  virtual std::uint32_t queries() const = 0;
  /// The ends of `batches` batches from query 0 on, of about the same work each, that together are
  /// `share` of all work. Known before the order is on the host.
  virtual Result<std::vector<std::uint32_t>> firstBatches(double share, int batches) = 0;
  /// The number of queries that keep the whole device busy: the time of fewer does not show its
  /// speed.
  virtual std::uint32_t queriesAtOnce() const { return 1; }
  /// Counts the neighbours of queries 0, step, 2·step, …
  virtual Result<DeviceSample> sample(std::uint32_t step) = 0;
  /// Does queries [begin, end) on one stream and delivers their counts or, if the sink takes rows,
  /// their rows. Returns when the batch is done. A count of `enough` or more means at least that
  /// many. Rows that do not fit into the device's buffer are not delivered: the batch has
  /// overflowed, and the caller requests halves of it; one query's always fit. Called by one thread
  /// for each stream at once.
  virtual Result<DeviceBatch> run(int stream, TicketRange range, std::uint32_t enough,
                                  JoinSink& sink) = 0;
  /// Adds distances, cells and kernels of all batches so far.
  virtual Result<void> addTo(RunStats& stats) = 0;
};

/// A processor beside the CPU that takes part in joins: a GPU, or a stand-in for one.
class SharedDevice {
 public:
  virtual ~SharedDevice() = default;
  /// Its name for display.
  virtual std::string describe() const = 0;
  /// As Backend::devices.
  virtual std::vector<GpuDevice> devices() const { return {}; }
  /// Its approximate rate before anything is measured, as in SideRates; 0 where it is unknown.
  virtual double expectedRate(std::size_t /*dims*/) const { return 0; }
  /// The fraction of its own rate that it reaches in a shared join, whose queries come in the order
  /// of their workload and in smaller batches.
  virtual double sharedFraction(std::size_t /*dims*/) const { return 1; }
  /// Begins a join: when it returns, index and order are on the device. Equal work has the same
  /// order on all devices. Work and task must stay in place as long as the run.
  virtual Result<std::unique_ptr<DeviceRun>> begin(const SharedWork& work,
                                                   const Task& task) const = 0;
  /// Neighbours of the queries of one part, 0 for all other points, by a method of the device that
  /// is faster than batches of an order; `candidates` are those of all queries. The work's plan is
  /// in cell order. nullopt where the device has no such method for this work; then no device of
  /// its kind has one.
  virtual Result<std::optional<NeighbourCounts>> countPart(const SharedWork& /*work*/,
                                                           QueryPart /*part*/,
                                                           const Task& /*task*/) const {
    return std::nullopt;
  }
};

}  // namespace clusterloom
