#include "engine/distributed/rank_progress.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <condition_variable>
#include <stop_token>
#include <system_error>

namespace clusterloom {
namespace {

using namespace std::chrono_literals;

constexpr auto kTick = 100ms;
constexpr double kAlmost = 0.999;  // a fraction of 1 is not yet the next stage
constexpr int kOwnStages = 64;     // of a rank between two shared ones

// The stages that all ranks enter, in order. What a rank reports in between, such as the stages of
// its backend, is numbered by itself: ranks without points leave them out.
constexpr std::array<std::string_view, 6> kShared = {
    "reading", "dividing space", "moving points", "merging clusters", "border points", "writing"};

}  // namespace

ProgressOfRanks progressOf(const std::vector<double>& told) {
  if (told.empty()) return {};
  const double behind = std::floor(*std::min_element(told.begin(), told.end()));
  double sum = 0;
  for (const double value : told) sum += std::clamp(value - behind, 0.0, 1.0);
  return {int(behind), std::min(1.0, sum / double(told.size()))};
}

RankProgress::RankProgress(Communicator& communicator, ProgressFn report)
    : communicator_(communicator), report_(communicator.rank() == 0 ? std::move(report) : nullptr) {
  if (!report_ || communicator.size() == 1) return;
  // Others go on while rank 0 waits for them. Where no thread can start, rank 0 reports while it
  // works itself.
  try {
    ticker_ = std::jthread([this](const std::stop_token& stop) { tick(stop); });
  } catch (const std::system_error&) {
  }
}

void RankProgress::tick(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  while (!wake.wait_for(lock, stop, kTick, [&] { return stop.stop_requested(); })) {
    const std::lock_guard guard(mutex_);
    if (!stage_.empty()) reportAll();
  }
}

RankProgress::~RankProgress() {
  if (!ticker_.joinable()) return;
  ticker_.request_stop();
  ticker_.join();
  if (!stage_.empty()) reportAll();
}

ProgressFn RankProgress::function() {
  if (communicator_.size() == 1) return report_;
  return [this](std::string_view stage, double fraction) { take(stage, fraction); };
}

void RankProgress::take(std::string_view stage, double fraction) {
  const std::lock_guard guard(mutex_);
  if (stage != stage_) {
    stage_ = stage;
    const auto shared = std::find(kShared.begin(), kShared.end(), stage);
    if (shared != kShared.end()) {
      shared_ = int(shared - kShared.begin());
      own_ = 0;
      ownNames_.clear();
    } else {
      // Stages that come again, as in the rounds of a ring, keep their number.
      const auto known = std::find(ownNames_.begin(), ownNames_.end(), stage);
      own_ = std::min(int(known - ownNames_.begin()) + 1, kOwnStages - 1);
      if (known == ownNames_.end()) ownNames_.push_back(stage);
    }
    if (report_) names_[shared_ * kOwnStages + own_] = stage_;
  }
  communicator_.tellProgress(shared_ * kOwnStages + own_ + std::clamp(fraction, 0.0, kAlmost));
  if (report_) reportAll();
}

void RankProgress::reportAll() {
  const ProgressOfRanks all = progressOf(communicator_.toldProgress());
  const auto name = names_.find(all.stage);
  // Rank 0 was not in a stage of another rank's backend where it has no points itself.
  report_(name != names_.end() ? name->second
          : all.stage % kOwnStages > 0
              ? std::string_view("clustering")
              : kShared[std::size_t(all.stage / kOwnStages) % kShared.size()],
          all.fraction);
}

}  // namespace clusterloom
