#pragma once

#include "engine/core/translatable.h"
#include "engine/cpu/cpu_sinks.h"
#include "engine/cpu/prepared_join.h"

namespace clusterloom {

/// A prepared join whose passes are one function of the derived class:
///   run(stage, task, makeSink, wanted) → Result<JoinWork>
/// It gives every pair of the queries for which wanted(position) holds to sinks (cpu_sinks.h) that
/// makeSink() makes for one thread each. With `bothWays` each pair is found once, from either end:
/// it is given as (p, q) and (q, p), and all positions must be queries.
template <class Derived>
class SinkJoin : public PreparedJoin {
 public:
  Result<JoinWork> fill(std::span<std::uint64_t> cursors, std::span<std::int32_t> ids,
                        const Task& task) const override {
    return derived().run(
        translatable("filling"), task, [&] { return FillSink(cursors, ids, pointIds()); },
        [](std::uint32_t) { return true; });
  }
  Result<JoinWork> unite(UnionFind& sets, std::span<const std::uint8_t> core,
                         const Task& task) const override {
    // A pair that is found once may be found from its end that is not core.
    return derived().run(
        translatable("union"), task, [&] { return UnionSink(sets, core); },
        [&, all = derived().bothWays()](std::uint32_t p) { return all || core[p]; });
  }
  Result<JoinWork> placeBorders(std::span<std::int32_t> labels, std::span<const std::uint8_t> core,
                                const Task& task) const override {
    return derived().run(
        "border points", task, [&] { return BorderSink(labels, core); },
        [&, all = derived().bothWays()](std::uint32_t p) { return all || !core[p]; });
  }

 private:
  const Derived& derived() const { return static_cast<const Derived&>(*this); }
};

}  // namespace clusterloom
