#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace clusterloom {

/// The rates of a rank, per second. Rates fall as a rank's part gets smaller, since each query
/// searches the index even if it finds little there; so they are given, or measured, for each
/// number of ranks.
struct RankSpeeds {
  double candidates = 0;     ///< of the join, as the full pattern counts them
  double indexedPoints = 0;  ///< placed in an index: its points, and the queries that search it
  /// Seconds of a join, or of each round of a ring, that more ranks do not share: checks, memory,
  /// counts to the host.
  double beside = 0;
};

/// Seconds that one rank takes for a replicated join when all query sets are dealt to it.
struct DealtJoin {
  double sets = 0;    ///< from the first set to the end of the last one; ranks share them
  double beside = 0;  ///< choice of the strategy, index, results
};

/// A rank's connection to the others, in each direction.
struct Network {
  double bytesPerSecond = 5e9;
  double latency = 0;  ///< seconds that each message takes beside its bytes
  /// Parts of a ring move while ranks join; between ranks of one process that is memory, which is
  /// copied when a rank waits for it.
  bool overlaps = true;
};

/// The workload of a self-join: candidates of query points.
struct PlanWorkload {
  std::uint64_t points = 0;
  std::size_t dims = 0;
  /// Candidates of each sampled query; of query i at i where the sample is the whole cloud.
  std::vector<std::uint64_t> candidates;

  bool isWhole() const { return candidates.size() == points; }
  double mean() const;  ///< candidates of a query
};

/// Candidates of the query sets 0 … m − 1, where set i is every m-th query from i on, which is the
/// uniform selection of [Gowanlock 2019, §6.2]. Exact where the sample is the whole cloud. Else
/// sets are taken for sums of independent draws: their expected values in ascending order, by the
/// sample's mean and variance, dealt to the sets in a fixed scattered order. `m` ≥ 1.
std::vector<double> setCandidates(const PlanWorkload& workload, std::uint64_t m);

/// The same of sets that are dealt runs of the order by workload (engine/join/query_sets.h). A
/// sampled order stands for the whole one, stretched.
std::vector<double> runSetCandidates(const PlanWorkload& workload, std::uint64_t m);

/// The ring join [Gowanlock 2019, §6.3] on g ranks. All ranks begin a round together: it lasts as
/// long as the slowest rank's index and join, or as the transfer of the next part, which runs
/// beside them. Seconds.
struct RingForecast {
  double move = 0;      ///< the points to their ranks at the beginning, the counts back at the end
  double index = 0;     ///< of a round
  double join = 0;      ///< of a round, by the slowest rank, with what it takes beside
  double transfer = 0;  ///< of a round: the next part; the last round has none
  double waiting = 0;   ///< of a round: what the transfer takes longer than index and join
  double total = 0;
  double imbalance = 0;         ///< the slowest rank's join / the mean − 1
  std::uint64_t bytesSent = 0;  ///< by each rank
  std::uint64_t memory = 0;     ///< bytes of a rank
};

/// The replicated join [Gowanlock 2019, §6.2]: each rank indexes the whole cloud.
struct ReplicatedForecast {
  std::uint64_t querySets = 0;
  double index = 0;            ///< with the choice of the strategy
  double fixed = 0;            ///< total where set i is dealt to rank i mod g (Deal::Fixed)
  double single = 0;           ///< the same with sets of single queries, as printed (Deal::Single)
  double queue = 0;            ///< total where ranks take the next set from a shared queue
  double imbalance = 0;        ///< of the fixed deal: the slowest rank's join / the mean − 1
  double singleImbalance = 0;  ///< of that of single queries
  std::uint64_t memory = 0;    ///< bytes of a rank
};

/// The expected times of a join on `ranks` ranks.
struct RanksForecast {
  std::uint64_t ranks = 1;
  RingForecast ring;
  ReplicatedForecast replicated;
};

/// The inputs of a forecast. All numbers are positive, except those that are 0 here.
struct PlanRequest {
  std::uint64_t ranks = 1;
  std::uint64_t querySets = 0;  ///< of the replicated join; 0: kSetsPerRank for each rank
  RankSpeeds ring = {};         ///< of a rank that indexes 1 / ranks of the points
  RankSpeeds replicated = {};   ///< of a rank that indexes all of them
  /// Of such a rank where a shared queue lets it use its own method to join; zeros: as
  /// `replicated`.
  RankSpeeds own = {};
  DealtJoin dealt = {};   ///< by a fixed deal of `querySets` sets; zeros: as `replicated`
  DealtJoin single = {};  ///< the same of single queries
  DealtJoin queued = {};  ///< from a shared queue; zeros: as `own`
  Network network = {};
  double choice = 0;  ///< seconds in which each rank of the replicated join chooses the strategy
  double ringChoice = 0;  ///< the same in a ring, once, by rank 0 from its part
};

/// Query sets for each rank where the call does not say how many.
inline constexpr std::uint64_t kSetsPerRank = 8;

/// Simulates both joins, from numbers alone.
RanksForecast forecast(const PlanWorkload& workload, const PlanRequest& request);

/// When each rank ends if rank r does tasks r, r + g, … of these lengths.
std::vector<double> endsOfFixedDeal(const std::vector<double>& seconds, std::uint64_t ranks);
/// The same if each free rank takes the next task.
std::vector<double> endsOfQueue(const std::vector<double>& seconds, std::uint64_t ranks);

}  // namespace clusterloom
