#include "engine/distributed/move_points.h"

#include <limits>
#include <numeric>

#include "engine/core/chunks.h"
#include "engine/core/shared_progress.h"

namespace clusterloom {
namespace {

constexpr std::size_t kMovedAtOnce = 16384;
// One place for a ghost per kSpaceForGhosts points: unused space takes no memory.
constexpr std::size_t kSpaceForGhosts = 8;

// Indices by receiver from the receiver of each value, in ascending order for each.
std::vector<std::uint32_t> orderByReceiver(const std::vector<std::int32_t>& receivers,
                                           std::vector<std::size_t>& counts) {
  for (const std::int32_t r : receivers) ++counts[std::size_t(r)];
  std::vector<std::size_t> next(counts.size(), 0);
  std::partial_sum(counts.begin(), counts.end() - 1, next.begin() + 1);
  std::vector<std::uint32_t> order(receivers.size());
  for (std::size_t i = 0; i < receivers.size(); ++i)
    order[next[std::size_t(receivers[i])]++] = std::uint32_t(i);
  return order;
}

Result<void> checkPoints(std::size_t points) {
  if (points <= kMaxPoints) return {};
  return tooLarge("This rank would hold " + std::to_string(points) + " points; at most " +
                  std::to_string(kMaxPoints) + " are possible. Use more ranks, or a smaller ε.");
}

}  // namespace

std::size_t Route::arriving() const {
  return std::accumulate(received.begin(), received.end(), std::size_t{0});
}

std::uint64_t Route::leaving(int self) const {
  return std::accumulate(sent.begin(), sent.end(), std::uint64_t{0}) - sent[std::size_t(self)];
}

Result<Route> makeRoute(Communicator& communicator, std::vector<std::uint32_t> order,
                        std::vector<std::size_t> sent, const Task& task) {
  const auto received = communicator.exchangeLengths({sent.begin(), sent.end()}, task);
  if (!received) return tl::unexpected(received.error());
  return Route{.order = std::move(order),
               .sent = std::move(sent),
               .received = {received->begin(), received->end()}};
}

Result<Route> routeToOwners(Communicator& communicator, const DividedPart& divided,
                            const Task& task) {
  std::vector<std::int32_t> owners(divided.cells.size());
  for (std::size_t p = 0; p < owners.size(); ++p)
    owners[p] = divided.division.owner[divided.cells[p]];
  std::vector<std::size_t> counts(std::size_t(communicator.size()), 0);
  std::vector<std::uint32_t> order = orderByReceiver(owners, counts);
  return makeRoute(communicator, std::move(order), std::move(counts), task);
}

Result<Route> routeOfGhosts(Communicator& communicator, const SpaceDivision& division,
                            const PointCloud& own, double squaredReach, Metric metric,
                            const Task& task) {
  struct Found {
    std::vector<std::int32_t> ranks;
    std::vector<std::uint32_t> points;
  };
  const std::vector<std::uint8_t> inner = NearOwners::innerCells(division);
  std::vector<Found> blocks(chunksOf(own.size(), kMovedAtOnce));
  SharedProgress progress(task, "finding ghosts", blocks.size());
  forChunks(own.size(), kMovedAtOnce, [&](std::size_t block, std::size_t begin, std::size_t end) {
    if (task.cancelled()) return;
    NearOwners near(division, squaredReach, communicator.rank(), metric);
    std::vector<std::uint32_t> cells(end - begin);
    division.cellsOf(own, begin, cells);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (inner[cells[i]]) continue;
      for (const int rank : near.of(own, begin + i)) {
        blocks[block].ranks.push_back(rank);
        blocks[block].points.push_back(std::uint32_t(begin + i));
      }
    }
    progress.add(1);
  });
  if (task.cancelled()) return cancelledError();
  Found all;
  for (Found& block : blocks) {
    all.ranks.insert(all.ranks.end(), block.ranks.begin(), block.ranks.end());
    all.points.insert(all.points.end(), block.points.begin(), block.points.end());
    block = {};
  }
  if (all.ranks.size() > std::numeric_limits<std::uint32_t>::max())
    return tooLarge("The points of this rank would be ghosts of others " +
                    std::to_string(all.ranks.size()) + " times. Use more ranks, or a smaller ε.");
  std::vector<std::size_t> counts(std::size_t(communicator.size()), 0);
  std::vector<std::uint32_t> order = orderByReceiver(all.ranks, counts);
  for (std::uint32_t& at : order) at = all.points[at];
  return makeRoute(communicator, std::move(order), std::move(counts), task);
}

Result<PointCloud> movePoints(Communicator& communicator, const Route& route, PointCloud part,
                              const Task& task) {
  if (auto fits = checkPoints(route.arriving()); !fits) return tl::unexpected(fits.error());
  PointCloud own;
  own.names = part.names;
  for (auto& column : part.columns) {
    std::vector<double>& into = own.columns.emplace_back();
    into.reserve(route.arriving() + route.arriving() / kSpaceForGhosts);
    into.resize(route.arriving());
    if (auto done =
            sendAlong(communicator, route, std::span<const double>(column), std::span(into), task);
        !done)
      return tl::unexpected(done.error());
    column = {};
  }
  return own;
}

Result<void> appendGhosts(Communicator& communicator, const Route& route, PointCloud& points,
                          const Task& task) {
  const std::size_t own = points.size();
  if (auto fits = checkPoints(own + route.arriving()); !fits) return fits;
  for (auto& column : points.columns) {
    // Exactly as long as it must be: a vector that grows by itself takes twice as much.
    column.reserve(own + route.arriving());
    column.resize(own + route.arriving());
    if (auto done = sendAlong(communicator, route, std::span<const double>(column).first(own),
                              std::span(column).subspan(own), task);
        !done)
      return done;
  }
  return {};
}

}  // namespace clusterloom
