#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "engine/hybrid/ordered_queries.h"

namespace clusterloom {

/// Rates by a word for the kind of join, which names the machine too.
using KnownRates = std::map<std::string, SideRates>;

/// The rates of both sides in earlier joins. May be used by several threads.
class RateMemory {
 public:
  /// `known` comes from earlier programs; the destructor passes what was learned to
  /// `keep(changed)`.
  explicit RateMemory(KnownRates known = {}, std::function<void(const KnownRates&)> keep = {})
      : rates_(std::move(known)), keep_(std::move(keep)) {}
  ~RateMemory() {
    if (keep_ && !changed_.empty()) keep_(changed_);
  }
  RateMemory(const RateMemory&) = delete;
  RateMemory& operator=(const RateMemory&) = delete;

  SideRates of(const std::string& kind) const {
    const std::lock_guard lock(mutex_);
    const auto found = rates_.find(kind);
    return found == rates_.end() ? SideRates{} : found->second;
  }
  /// Takes the mean of the known and the measured rates, since a run may have been disturbed. Rates
  /// of 0 are ignored.
  void learn(const std::string& kind, const SideRates& measured) {
    const auto take = [](double& known, double now) {
      if (now > 0) known = known > 0 ? (known + now) / 2 : now;
    };
    const std::lock_guard lock(mutex_);
    SideRates& rates = rates_[kind];
    take(rates.gpu, measured.gpu);
    take(rates.cpu, measured.cpu);
    changed_[kind] = rates;
  }

 private:
  mutable std::mutex mutex_;
  KnownRates rates_;
  KnownRates changed_;
  const std::function<void(const KnownRates&)> keep_;
};

}  // namespace clusterloom
