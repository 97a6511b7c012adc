#pragma once

#include <cstdint>
#include <span>

#include "engine/hybrid/ordered_queries.h"
#include "engine/join/join_results.h"

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

}  // namespace clusterloom
