#include "app/cli/papers/asked.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/join/backend_kinds.h"
#include "engine/join/strategy_options.h"

namespace clusterloom::cli {

Strategy Asked::strategy(const char* name) const {
  Strategy named = strategyNamed(name);
  const std::uint64_t most = paper.indexedDims > 0 ? std::uint64_t(paper.indexedDims)
                                                   : findStrategyOption("index-dims")->most;
  if (named.method == Method::Grid)
    named.indexedDims = int(std::min<std::uint64_t>(cloud().dims(), most));
  return named;
}

std::uint64_t Asked::scaled(double size) const {
  return std::uint64_t(std::max(1.0, std::round(size * made.share())));
}

Result<Runner> runnerOf(const Asked& asked, Strategy strategy) {
  const bool shared = strategy.division != Division::Adaptive;
  if (shared) {
    strategy.order = QueryOrder::WorkQueue;
    strategy.cpuMethod = CpuMethod::NewSuperEgo;
  }
  const std::string name(shared                         ? kSharingBackend
                         : isCpuMethod(strategy.method) ? kCpuBackend
                                                        : "auto");
  // The papers' R-tree is on one thread.
  auto backend =
      makeBackend(name, {.threads = strategy.method == Method::RTree ? 1 : asked.threads});
  if (!backend) return tl::unexpected(backend.error());
  if (!(*backend)->limits().threadGroups) {
    strategy.threadsPerPoint = 1;
    strategy.streams = 0;
  }
  return Runner{std::move(*backend), strategy};
}

Result<MeasuredRun> pairRun(const Asked& asked, const Strategy& strategy) {
  const auto runner = runnerOf(asked, strategy);
  if (!runner) return tl::unexpected(runner.error());
  const Backend& backend = *runner->backend;
  Strategy uncounted = runner->strategy;
  uncounted.route = ResultRoute::KeyValueSort;
  if (uncounted.batchPairs == 0) uncounted.batchPairs = asked.scaled(asked.paper.batchPairs);
  if (backend.limits().keyValueSort) {
    auto table = backend.neighbourTable(asked.cloud(), asked.eps, uncounted, asked.task);
    if (table) return MeasuredRun{std::move(table->stats), backend.describe()};
    if (table.error().kind != ErrorKind::TooLarge) return tl::unexpected(table.error());
  }
  auto table = backend.neighbourTable(asked.cloud(), asked.eps, runner->strategy, asked.task);
  if (!table) return tl::unexpected(table.error());
  return MeasuredRun{std::move(table->stats),
                     backend.describe() + ", which counts the pairs first"};
}

}  // namespace clusterloom::cli
