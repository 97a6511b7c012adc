#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/rank_stats.h"
#include "engine/core/result.h"
#include "engine/core/stopwatch.h"
#include "engine/core/task.h"
#include "engine/distributed/communicator.h"

namespace clusterloom {

/// When one rank computed, waited and moved data, phase by phase. For one thread.
class RankRecord {
 public:
  /// Begins at the same time on all ranks, but for the time of a message. Collective.
  Result<void> begin(Communicator& communicator, const Task& task);
  /// Ends the phase before and begins this one.
  void enter(RankPhase phase);
  /// Ends the phase; enter() begins the next.
  void leave();
  /// Time in the phase that was not spent computing, from `since` until now.
  void add(RankActivity activity, double since);
  /// Seconds since begin().
  double now() const { return clock_.seconds(); }
  /// In order of time; of the phases that have ended.
  const std::vector<RankSpan>& spans() const { return spans_; }

 private:
  void append(RankActivity activity, double end);

  Stopwatch clock_;
  std::optional<RankPhase> phase_;
  double done_ = 0;  // the record is complete until then
  std::vector<RankSpan> spans_;
};

/// A communicator that records how long its rank waits for messages. Those of at most
/// `kCountBytes` carry counts and reductions: their time is that of waiting for the other rank.
/// The time of larger ones is that of moving data.
class RecordingCommunicator final : public Communicator {
 public:
  static constexpr std::size_t kCountBytes = 1024;

  /// Both outlive it.
  RecordingCommunicator(Communicator& communicator, RankRecord& record)
      : communicator_(communicator), record_(record) {}

  int rank() const override { return communicator_.rank(); }
  int size() const override { return communicator_.size(); }
  std::string host() const override { return communicator_.host(); }
  std::unique_ptr<Transfer> start(const std::vector<Outgoing>& out,
                                  const std::vector<Incoming>& in) override;
  void fail(const Error& error) override { communicator_.fail(error); }
  std::optional<Error> failure() const override { return communicator_.failure(); }
  std::stop_token ended() const override { return communicator_.ended(); }
  void tellProgress(double value) override { communicator_.tellProgress(value); }
  std::vector<double> toldProgress() override { return communicator_.toldProgress(); }

 private:
  Communicator& communicator_;
  RankRecord& record_;
};

/// The spans of all ranks, by rank, on rank 0. Collective; `record` should not be that of
/// `communicator`.
Result<std::vector<std::vector<RankSpan>>> gatherSpans(Communicator& communicator,
                                                       const RankRecord& record, const Task& task);

/// "read", "divide", …; "busy", "waiting", "moving".
std::string_view toText(RankPhase phase);
std::string_view toText(RankActivity activity);

/// Seconds of a rank in a phase, and with an activity, in all.
double secondsIn(const std::vector<RankSpan>& spans, RankPhase phase);
double secondsOf(const std::vector<RankSpan>& spans, RankActivity activity);

}  // namespace clusterloom
