#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "app/cli/papers/numbers.h"
#include "app/cli/papers/paper_tables.h"
#include "engine/backend.h"

namespace clusterloom::cli {

/// A value with the parts from which it is computed.
struct Asked {
  const Paper& paper;
  const PaperItem& item;
  const PaperValue& value;
  MadeCloud& made;
  double eps;
  std::size_t sampleWarps;
  int threads;  ///< of the CPU; 0: all
  const Task& task;

  const PointCloud& cloud() const { return made.cloud; }
  double points() const { return double(cloud().size()); }
  /// The strategy of this name with the paper's k, or as many indexed dimensions as there may be.
  Strategy strategy(const char* name) const;
  Strategy strategy() const { return strategy(value.strategy); }
  /// The response time of a join as the paper takes it.
  double seconds(const RunStats& stats) const {
    return paper.timesIndex ? stats.seconds.total : stats.seconds.total - stats.seconds.index;
  }
  /// As many pairs or query points in the size of this cloud.
  std::uint64_t scaled(double size) const;
};

/// The backend of a strategy, and the strategy as the backend takes it.
struct Runner {
  std::unique_ptr<Backend> backend;
  Strategy strategy;
};
Result<Runner> runnerOf(const Asked& asked, Strategy strategy);

/// The stats of a run, and what it ran on.
struct MeasuredRun {
  RunStats stats;
  std::string by;
};

/// A join that delivers all pairs: as those of the papers, which estimate the pairs and do not
/// count them first, where the backend has that route and the result fits into memory twice; else
/// with the run that counts.
Result<MeasuredRun> pairRun(const Asked& asked, const Strategy& strategy);

}  // namespace clusterloom::cli
