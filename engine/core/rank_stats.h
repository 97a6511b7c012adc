#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace clusterloom {

/// The phases of a DBSCAN that is divided between ranks, in their order.
enum class RankPhase : std::uint8_t {
  Read,    ///< its part of the file
  Divide,  ///< sampling and dividing space, finding the owner of each point
  Move,    ///< points to their owners
  Ghosts,  ///< copies of the points of others within ε
  Join,    ///< DBSCAN of own points and ghosts
  Merge,   ///< clusters of several ranks
  Number,  ///< final numbers, border points, labels back in the order of the input
  Write,   ///< its part of the labels
};
inline constexpr int kRankPhases = 8;

/// The activity of a rank in a phase.
enum class RankActivity : std::uint8_t {
  Busy,     ///< computing, reading or writing
  Waiting,  ///< for other ranks
  Moving,   ///< sending and receiving
};

/// A stretch of time of one rank. Seconds since all ranks began.
struct RankSpan {
  RankPhase phase = RankPhase::Read;
  RankActivity activity = RankActivity::Busy;
  double begin = 0;
  double end = 0;
};

/// The figures of one rank or device in a run that several share. Times in seconds.
struct RankStats {
  std::string name = {};         ///< its machine or device
  double index = 0;              ///< building indexes
  double join = 0;               ///< joining
  double waiting = 0;            ///< for points that were not there yet, or for other ranks
  double end = 0;                ///< when it was done, since the run began
  std::uint64_t points = 0;      ///< that it had as queries, or owned
  std::uint64_t candidates = 0;  ///< of these
  std::uint64_t batches = 0;     ///< rounds of a ring, or query sets
  std::uint64_t bytesSent = 0;
  std::uint64_t read = 0;            ///< points that it was given; divided DBSCAN only
  std::uint64_t ghosts = 0;          ///< points of others that it held; divided DBSCAN only
  std::vector<RankSpan> spans = {};  ///< in order of time; divided DBSCAN only
};

/// A query set of a join that several devices share, or the part of it that one of them did
/// [Gowanlock 2019, §6.2, figure 10]. Sets that streams of one device do at once share its time.
struct QuerySetStats {
  std::string stage = {};    ///< "counting", "filling"
  std::uint32_t set = 0;     ///< its number in the order
  std::uint32_t device = 0;  ///< its place in RunStats::ranks
  std::uint32_t queries = 0;
  std::uint64_t candidates = 0;
  double start = 0;    ///< seconds since the stage began
  double seconds = 0;  ///< until its results were on the host
};

}  // namespace clusterloom
