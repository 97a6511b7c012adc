#pragma once

#include <map>
#include <mutex>
#include <string>

#include "engine/core/shared_pass.h"
#include "engine/hybrid/ordered_queries.h"

namespace clusterloom {

/// What both sides did in earlier joins, by a word for the kind of join. Used by several threads.
class RateMemory {
 public:
  SideRates of(const std::string& kind) const {
    const std::lock_guard lock(mutex_);
    const auto found = rates_.find(kind);
    return found == rates_.end() ? SideRates{} : found->second;
  }
  /// Takes the mean of what is known and what was measured, since a run may have been disturbed.
  /// Rates of 0 say nothing.
  void learn(const std::string& kind, const SideRates& measured) {
    const std::lock_guard lock(mutex_);
    SideRates& rates = rates_[kind];
    const auto take = [](double& known, double now) {
      if (now > 0) known = known > 0 ? (known + now) / 2 : now;
    };
    take(rates.gpu, measured.gpu);
    take(rates.cpu, measured.cpu);
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, SideRates> rates_;
};

}  // namespace clusterloom
