#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/cloud/point_cloud.h"
#include "engine/core/large_array.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/distributed/communicator.h"
#include "engine/distributed/divide_space.h"

namespace clusterloom {

/// How values of one kind go from each rank to each other one, any number of times: the values of
/// `order`, cut into runs of `sent` by receiver, arrive as runs of `received` by sender.
struct Route {
  std::vector<std::uint32_t> order;       ///< indices of values, by receiver
  std::vector<std::size_t> sent;          ///< how many go to each rank
  std::vector<std::size_t> received;      ///< how many come from each rank
  std::size_t arriving() const;           ///< sum of `received`
  std::uint64_t leaving(int self) const;  ///< sum of `sent` to others than `self`
};

/// Learns from each rank how many values it sends.
Result<Route> makeRoute(Communicator& communicator, std::vector<std::uint32_t> order,
                        std::vector<std::size_t> sent, const Task& task);

/// Sends values[order[i]] along the route; `into` has route.arriving() places.
template <Sendable T>
Result<void> sendAlong(Communicator& communicator, const Route& route, std::span<const T> values,
                       std::span<T> into, const Task& task) {
  // Values that stay on this rank need no intermediate copy.
  const auto self = std::size_t(communicator.rank());
  LargeArray<T> leaving(route.order.size() - route.sent[self]);
  std::vector<Outgoing> outgoing;
  std::vector<Incoming> incoming;
  std::size_t taken = 0;
  std::size_t packed = 0;
  for (std::size_t r = 0; r < route.sent.size(); ++r) {
    const auto place = into.first(route.received[r]);
    into = into.subspan(route.received[r]);
    T* const to = r == self ? place.data() : leaving.data() + packed;
    for (std::size_t i = 0; i < route.sent[r]; ++i) to[i] = values[route.order[taken + i]];
    taken += route.sent[r];
    if (r == self) continue;
    outgoing.push_back({int(r), std::as_bytes(std::span<const T>(to, route.sent[r]))});
    incoming.push_back({int(r), std::as_writable_bytes(place)});
    packed += route.sent[r];
  }
  return communicator.start(outgoing, incoming)->wait(task);
}

/// Sends what has arrived along the route back: `answers` has one value for each value that
/// arrived, and into[order[i]] becomes the answer to value i that left.
template <Sendable T>
Result<void> sendBack(Communicator& communicator, const Route& route, std::span<const T> answers,
                      std::span<T> into, const Task& task) {
  std::vector<T> arriving(route.order.size());
  if (auto done =
          sendRuns(communicator, route.received, answers, route.sent, std::span(arriving), task);
      !done)
    return done;
  for (std::size_t i = 0; i < arriving.size(); ++i) into[route.order[i]] = arriving[i];
  return {};
}

/// Sends consecutive runs of `out`, one a receiver, into consecutive runs of `in`, one a sender.
template <Sendable T>
Result<void> sendRuns(Communicator& communicator, const std::vector<std::size_t>& outRuns,
                      std::span<const T> out, const std::vector<std::size_t>& inRuns,
                      std::span<T> in, const Task& task) {
  std::vector<Outgoing> outgoing;
  std::vector<Incoming> incoming;
  std::span<const T> kept;
  std::span<T> place;
  for (std::size_t r = 0; r < outRuns.size(); ++r) {
    const auto leaving = out.first(outRuns[r]);
    const auto arriving = in.first(inRuns[r]);
    out = out.subspan(outRuns[r]);
    in = in.subspan(inRuns[r]);
    if (int(r) == communicator.rank()) {
      kept = leaving;
      place = arriving;
      continue;
    }
    outgoing.push_back({int(r), std::as_bytes(leaving)});
    incoming.push_back({int(r), std::as_writable_bytes(arriving)});
  }
  const auto transfer = communicator.start(outgoing, incoming);
  std::copy(kept.begin(), kept.end(), place.begin());
  return transfer->wait(task);
}

/// The route of a part's points to the owners of their cells; each rank's points keep their order.
/// Parallel on the caller's TBB arena.
Result<Route> routeToOwners(Communicator& communicator, const DividedPart& divided,
                            const Task& task);

/// The route of copies of a rank's own points to the other ranks that may own neighbours
/// (NearOwners).
Result<Route> routeOfGhosts(Communicator& communicator, const SpaceDivision& division,
                            const PointCloud& own, double squaredReach, Metric metric,
                            const Task& task);

/// Moves the points, one dimension after the other; `part` is emptied. The columns get space for
/// some ghosts too. TooLarge when more points arrive than a cloud may have.
Result<PointCloud> movePoints(Communicator& communicator, const Route& route, PointCloud part,
                              const Task& task);

/// Appends the ghosts to a rank's own points.
Result<void> appendGhosts(Communicator& communicator, const Route& route, PointCloud& points,
                          const Task& task);

}  // namespace clusterloom
