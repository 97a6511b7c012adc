#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <stop_token>
#include <vector>

#include "engine/core/lane.h"
#include "engine/join/join_view.h"
#include "engine/join/lane_program.h"
#include "engine/load/load_report.h"

namespace clusterloom {

/// Which of `count` ≤ 64 candidates, the i-th at position begin + i · stride, are neighbours of the
/// query by the canonical predicate: bit i. Vectorised across candidates, never across dimensions,
/// so that every sum is rounded as the predicate says.
std::uint64_t hitMask(const JoinView& view, std::uint32_t query, std::uint32_t begin,
                      std::uint32_t stride, std::uint32_t count);

/// Steps and active lane-steps of a warp, by loop.
struct WarpSteps {
  PerLoop<std::uint64_t> steps{};
  PerLoop<std::uint64_t> laneSteps{};
  friend bool operator==(const WarpSteps&, const WarpSteps&) = default;
};

/// The loops of the lanes of one warp, aligned as lockstep execution with reconvergence aligns
/// them: lanes in the same iteration (turn) of the same run of a loop step together, and all lanes
/// leave a loop before any continues. A run of a loop therefore takes the warp as many turns as its
/// longest lane, and a step within a turn (a hit) is taken once for all lanes that take it in that
/// turn.
///
/// Two lanes are in the same run of a loop when they are in the same turn of the same run of the
/// loop around it, after the same branch, and have entered as many loops since.
class AlignedLoops {
 public:
  /// One run of a loop by the warp.
  struct Run {
    Loop loop = Loop::Cell;
    std::uint32_t turns = 0;  ///< of the longest lane
    /// The turns of each lane, which are the first of the run.
    struct LaneTurns {
      std::uint32_t lane, turns;
    };
    std::vector<LaneTurns> lanes;
    /// The turns of 64 in which each lane hit, bit t for turn t, and those in which any lane did.
    struct HitTurns {
      std::array<std::uint64_t, 32> ofLane{};
      std::uint64_t any = 0;
    };
    std::vector<HitTurns> hits;  ///< of turns 0 … 63, 64 …, up to the last hit
    bool hitIn(std::uint32_t turn) const {
      return turn / 64 < hits.size() && (hits[turn / 64].any >> turn % 64 & 1U) != 0;
    }
    /// Runs within this one, in the order in which the warp takes them: their turn and
    /// index.
    struct Inner {
      std::uint64_t place;  ///< turn, branch, loops entered since, loop: ascending
      std::uint32_t run;
      std::uint32_t turn() const { return std::uint32_t(place >> 32); }
    };
    std::vector<Inner> inner;
  };

  AlignedLoops() { clear(); }
  /// Forgets all lanes; keeps the memory.
  void clear();

  /// The code outside all loops: no turns, but runs within.
  static constexpr std::uint32_t kOutside = 0;
  std::uint32_t runs() const { return used_; }
  const Run& run(std::uint32_t number) const { return runs_[number]; }

  WarpSteps steps() const;

 private:
  friend class TraceLane;
  std::uint32_t add(Loop loop);
  static void addHits(Run& run, std::uint32_t lane, std::size_t word, std::uint64_t turns) {
    if (turns == 0) return;
    if (word >= run.hits.size()) run.hits.resize(word + 1);
    run.hits[word].ofLane[lane] |= turns;
    run.hits[word].any |= turns;
  }

  std::vector<Run> runs_;  // [0, used_) are in use
  std::uint32_t used_ = 0;
};

/// A lane that records its trace in the loops of its warp. Lanes of a warp run one after another,
/// so it is for programs whose lanes do not wait for each other. engine/core/lane.h describes the
/// interface of a lane.
class TraceLane : public SerialLane {
 public:
  static constexpr std::uint32_t width = 32;

  /// `hits` is scratch memory that lanes may share in turn: all zero before and after.
  TraceLane(AlignedLoops& loops, std::vector<std::uint64_t>& hits, std::uint32_t id,
            std::stop_token stop = {})
      : loops_(loops), hits_(hits), id_(id), stop_(std::move(stop)) {}

  std::uint32_t id() const { return id_; }
  bool stopping() const { return stop_.stop_requested(); }

  void enter(Loop loop);
  void step(Loop) {
    ++turn_;
    branch_ = 0;
    entered_ = 0;
  }
  void leave(Loop);
  void branch(int i) {
    branch_ = std::uint32_t(i) + 1;
    entered_ = 0;
  }
  /// A hit, in a loop that holds no other.
  void mark(Loop) {
    const std::size_t word = turn_ / 64;
    if (word >= hits_.size()) hits_.resize(2 * word + 64);
    hits_[word] |= std::uint64_t{1} << turn_ % 64;
  }

  /// `count` ≤ 64 turns at once, and which of them hit; in a run all such calls but the last have
  /// 64 turns.
  void turnsWithHits(std::uint32_t count, std::uint64_t hits) {
    turn_ += count;
    AlignedLoops::addHits(loops_.runs_[run_], id_, turn_ / 64, hits);
  }

  /// The position of the lane.
  std::uint32_t run() const { return run_; }
  std::uint32_t turn() const { return turn_; }

 private:
  static constexpr std::uint32_t kBefore = ~std::uint32_t{0};  // the first step makes it turn 0

  AlignedLoops& loops_;
  std::vector<std::uint64_t>& hits_;
  std::uint32_t id_;
  std::stop_token stop_;

  // The position of the lane: a run, its turn, and the loops passed within the turn.
  std::uint32_t run_ = AlignedLoops::kOutside;
  std::uint32_t turn_ = 0;
  std::uint32_t branch_ = 0;
  std::uint32_t entered_ = 0;
  std::uint32_t nextInner_ = 0;  // runs within that come before are passed
  struct Outer {
    std::uint32_t run, turn, branch, entered, nextInner;
  };
  std::array<Outer, 8> outer_{};
  std::uint32_t depth_ = 0;
};

/// A sink that counts the hits of a query itself, which under a half pattern are not all of them.
struct CountOwn {
  std::uint32_t query = 0;
  std::uint32_t found = 0;
  bool hit(std::uint32_t p, std::uint32_t) {
    if (p == query) ++found;
    return false;
  }
  void hits(std::uint32_t count, bool) { found += count; }
};

/// A sink that counts the ordered pairs it receives.
struct CountPairs {
  std::uint64_t pairs = 0;
  bool hit(std::uint32_t, std::uint32_t) {
    ++pairs;
    return false;
  }
  void hits(std::uint32_t count, bool bothWays) { pairs += bothWays ? 2 * count : count; }
};

/// A sink that needs the number of the hits only; bothWays says that each is two pairs.
template <class Sink>
concept CountingSink = requires(Sink sink) {
  sink.hits(1U, true);
};

/// scanRange of the lane program for a lane that is traced and a sink that counts: the same turns
/// and hits, 64 at a time. How the plan decides a distance does not change the result or the
/// turns.
template <Deciding How, int D, bool BothWays, CountingSink Sink>
bool scanRange(TraceLane& lane, const JoinView& v, const QueryPoint<D>& query, std::uint32_t begin,
               std::uint32_t end, std::uint32_t stride, std::bool_constant<BothWays>, Sink& sink,
               std::uint64_t& calculations) {
  lane.enter(Loop::Candidate);
  const std::uint32_t turns = end > begin ? (end - begin - 1) / stride + 1 : 0;
  for (std::uint32_t done = 0; done < turns;) {
    const std::uint32_t count = std::min<std::uint32_t>(64, turns - done);
    const std::uint64_t hits = hitMask(v, query.position, begin + done * stride, stride, count);
    lane.turnsWithHits(count, hits);
    sink.hits(std::uint32_t(std::popcount(hits)), BothWays);
    done += count;
    constexpr std::uint32_t kTurnsBetweenLooks = 1U << 14;
    if (done % kTurnsBetweenLooks == 0 && lane.stopping()) break;
  }
  calculations += turns;
  lane.leave(Loop::Candidate);
  return lane.stopping();
}

}  // namespace clusterloom
