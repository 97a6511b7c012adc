#include "engine/distributed/rank_record.h"

#include <span>
#include <utility>

namespace clusterloom {
namespace {

// A rank that computes for less than this between two waits is recorded as waiting: the record
// stays small where messages follow each other closely.
constexpr double kShortest = 20e-6;

class RecordingTransfer final : public Transfer {
 public:
  RecordingTransfer(std::unique_ptr<Transfer> transfer, RankRecord& record, RankActivity activity)
      : transfer_(std::move(transfer)), record_(record), activity_(activity) {}

  Result<void> wait(const Task& task) override {
    const double since = record_.now();
    auto done = transfer_->wait(task);
    record_.add(activity_, since);
    return done;
  }

 private:
  std::unique_ptr<Transfer> transfer_;
  RankRecord& record_;
  RankActivity activity_;
};

}  // namespace

Result<void> RankRecord::begin(Communicator& communicator, const Task& task) {
  if (auto all = communicator.barrier(task); !all) return all;
  clock_.lap();
  spans_.clear();
  phase_.reset();
  done_ = 0;
  return {};
}

void RankRecord::append(RankActivity activity, double end) {
  if (!phase_ || end <= done_) return;
  if (!spans_.empty()) {
    RankSpan& last = spans_.back();
    const bool follows = last.phase == *phase_ && last.end == done_;
    const bool isShort = activity == RankActivity::Busy && end - done_ < kShortest;
    if (follows && (last.activity == activity || isShort)) {
      last.end = done_ = end;
      return;
    }
  }
  spans_.push_back({*phase_, activity, done_, end});
  done_ = end;
}

void RankRecord::enter(RankPhase phase) {
  leave();
  phase_ = phase;
  done_ = now();
}

void RankRecord::leave() {
  append(RankActivity::Busy, now());
  phase_.reset();
}

void RankRecord::add(RankActivity activity, double since) {
  append(RankActivity::Busy, since);
  append(activity, now());
}

std::unique_ptr<Transfer> RecordingCommunicator::start(const std::vector<Outgoing>& out,
                                                       const std::vector<Incoming>& in) {
  std::size_t bytes = 0;
  for (const Outgoing& one : out) bytes += one.bytes.size();
  for (const Incoming& one : in) bytes += one.bytes.size();
  return std::make_unique<RecordingTransfer>(
      communicator_.start(out, in), record_,
      bytes > kCountBytes ? RankActivity::Moving : RankActivity::Waiting);
}

Result<std::vector<std::vector<RankSpan>>> gatherSpans(Communicator& communicator,
                                                       const RankRecord& record, const Task& task) {
  return communicator.gather(0, std::span<const RankSpan>(record.spans()), task);
}

std::string_view toText(RankPhase phase) {
  switch (phase) {
    case RankPhase::Read: return "read";
    case RankPhase::Divide: return "divide";
    case RankPhase::Move: return "move";
    case RankPhase::Ghosts: return "ghosts";
    case RankPhase::Join: return "join";
    case RankPhase::Merge: return "merge";
    case RankPhase::Number: return "number";
    case RankPhase::Write: return "write";
  }
  return {};
}

std::string_view toText(RankActivity activity) {
  switch (activity) {
    case RankActivity::Busy: return "busy";
    case RankActivity::Waiting: return "waiting";
    case RankActivity::Moving: return "moving";
  }
  return {};
}

double secondsIn(const std::vector<RankSpan>& spans, RankPhase phase) {
  double seconds = 0;
  for (const RankSpan& span : spans)
    if (span.phase == phase) seconds += span.end - span.begin;
  return seconds;
}

double secondsOf(const std::vector<RankSpan>& spans, RankActivity activity) {
  double seconds = 0;
  for (const RankSpan& span : spans)
    if (span.activity == activity) seconds += span.end - span.begin;
  return seconds;
}

}  // namespace clusterloom
