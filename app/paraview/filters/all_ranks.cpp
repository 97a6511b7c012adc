#include "app/paraview/filters/all_ranks.h"

#include <vtkCommunicator.h>
#include <vtkMultiProcessController.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/core/task.h"
#include "engine/core/within_memory.h"

namespace clusterloom::paraview {

namespace {

constexpr int kTag = 52100;
/// Values of one message: messages of MPI have fewer than 2³¹ bytes.
constexpr std::size_t kMost = std::size_t{1} << 26;

/// The type that the controller sends in place of a value of the same size.
template <class Value>
using Sent = std::conditional_t<sizeof(Value) == 1, unsigned char,
                                std::conditional_t<sizeof(Value) == 4, int, double>>;

template <class Value>
void send(vtkMultiProcessController& ranks, int to, const Value* values, std::size_t count) {
  const auto* at = reinterpret_cast<const Sent<Value>*>(values);
  for (std::size_t i = 0; i < count; i += kMost)
    ranks.Send(at + i, vtkIdType(std::min(kMost, count - i)), to, kTag);
}

template <class Value>
void receive(vtkMultiProcessController& ranks, int from, Value* values, std::size_t count) {
  auto* at = reinterpret_cast<Sent<Value>*>(values);
  for (std::size_t i = 0; i < count; i += kMost)
    ranks.Receive(at + i, vtkIdType(std::min(kMost, count - i)), from, kTag);
}

/// The description of a rank's points for the other ranks.
struct Part {
  vtkIdType points = 0;
  vtkIdType columns = 0;   ///< of numbers, the weights included
  vtkIdType weighted = 0;  ///< 1: the last column is that of weights
};
constexpr int kPartValues = sizeof(Part) / sizeof(vtkIdType);

std::vector<Part> partsOfAll(vtkMultiProcessController& ranks, const Part& own) {
  std::vector<Part> parts(std::size_t(ranks.GetNumberOfProcesses()));
  ranks.AllGather(&own.points, &parts.front().points, kPartValues);
  return parts;
}

/// Makes room in the columns of rank 0 for the points of all. Throws std::bad_alloc.
void makeRoomForAll(std::vector<Coordinates>& columns, const std::vector<Part>& parts) {
  std::size_t total = 0;
  for (const Part& part : parts) {
    total += std::size_t(part.points);
    if (part.points > 0) columns.resize(std::size_t(part.columns));
  }
  for (std::vector<double>& column : columns) column.reserve(total);
}

/// On rank 0 all points, its own first, for which there is room; on the others nothing. Each rank
/// has the columns of its own points.
std::vector<Coordinates> gather(vtkMultiProcessController& ranks, std::vector<Coordinates> columns,
                                const std::vector<Part>& parts) {
  if (ranks.GetLocalProcessId() != 0) {
    for (const std::vector<double>& column : columns) send(ranks, 0, column.data(), column.size());
    return {};
  }
  for (std::size_t rank = 1; rank < parts.size(); ++rank) {
    const auto points = std::size_t(parts[rank].points);
    if (points == 0) continue;
    for (std::vector<double>& column : columns) {
      column.resize(column.size() + points);
      receive(ranks, int(rank), column.data() + column.size() - points, points);
    }
  }
  return columns;
}

/// Tells all ranks which arrays rank 0 has, and makes room in them for `entries` entries,
/// those of the points of this rank.
Result<void> makeRoomForFound(vtkMultiProcessController& ranks, FoundClusters& found,
                              std::size_t entries) {
  forEachArray(found, [&](auto& array, auto) {
    vtkIdType exists = array ? 1 : 0;
    ranks.Broadcast(&exists, 1, 0);
    if (exists != 0 && !array) array.emplace();
  });
  const auto made = withinMemory([&]() -> Result<void> {
    forEachArray(found, [&](auto& array, auto) {
      if (array) array->reserve(entries);
    });
    return {};
  });
  return endOnAllRanks(&ranks, made);
}

/// Gives each rank the entries of its points of one array, for which there is room.
template <class Value>
void scatter(vtkMultiProcessController& ranks, std::vector<Value>& values,
             const std::vector<Part>& parts) {
  const auto own = std::size_t(ranks.GetLocalProcessId());
  if (own != 0) {
    values.resize(std::size_t(parts[own].points));
    receive(ranks, 0, values.data(), values.size());
    return;
  }
  auto at = std::size_t(parts.front().points);
  for (std::size_t rank = 1; rank < parts.size(); ++rank) {
    send(ranks, int(rank), values.data() + at, std::size_t(parts[rank].points));
    at += std::size_t(parts[rank].points);
  }
  values.resize(std::size_t(parts.front().points));
}

/// Puts entries for the points that were left out between those of the others.
void addLeftOut(FoundClusters& found, const std::vector<std::uint8_t>& leftOut) {
  forEachArray(found, [&](auto& array, auto ofLeftOut) {
    if (!array) return;
    auto& values = *array;
    // From the last one, so that none is overwritten before it has moved.
    std::size_t next = values.size();
    values.resize(leftOut.size());
    for (std::size_t i = leftOut.size(); i-- > 0;)
      values[i] = leftOut[i] != 0 ? ofLeftOut : values[--next];
  });
}

/// Whether the points of all ranks can be one cloud. BadInput on rank 0, Cancelled on the others.
Result<void> checkParts(const std::vector<Part>& parts, int rank) {
  const Part* first = nullptr;
  for (const Part& part : parts) {
    if (part.points == 0) continue;
    if (first == nullptr) first = &part;
    if (part.columns == first->columns) continue;
    if (rank != 0) return cancelledError();
    return badInput("The arrays chosen have " + std::to_string(first->columns) +
                    " components on one rank of the server and " + std::to_string(part.columns) +
                    " on another.");
  }
  return {};
}

Result<FoundClusters> onSeveral(vtkMultiProcessController& ranks, Result<InputPoints> points,
                                const ClusterFunction& cluster) {
  const int rank = ranks.GetLocalProcessId();
  if (auto fine = endOnAllRanks(&ranks, endOf(points)); !fine) return tl::unexpected(fine.error());
  auto columns = std::move(points->cloud.columns);
  Part own{.weighted = points->weights.empty() ? 0 : 1};
  if (own.weighted != 0) columns.push_back(std::move(points->weights));
  own.columns = vtkIdType(columns.size());
  own.points = columns.empty() ? 0 : vtkIdType(columns.front().size());
  const std::vector<Part> parts = partsOfAll(ranks, own);
  if (auto fine = checkParts(parts, rank); !fine) return tl::unexpected(fine.error());

  // Nothing is sent before it is known that it can be received.
  const auto room = withinMemory([&]() -> Result<void> {
    if (rank == 0) makeRoomForAll(columns, parts);
    return {};
  });
  if (auto fine = endOnAllRanks(&ranks, room); !fine) return tl::unexpected(fine.error());
  columns = gather(ranks, std::move(columns), parts);
  Result<FoundClusters> found;
  if (rank == 0) {
    points->cloud.columns = std::move(columns);
    const bool weighted = std::any_of(parts.begin(), parts.end(),
                                      [](const Part& part) { return part.weighted != 0; });
    if (weighted) {
      points->weights = std::move(points->cloud.columns.back().own());
      points->cloud.columns.pop_back();
    }
    found = withinMemory([&] { return cluster(*points); });
  }
  if (auto fine = endOnAllRanks(&ranks, endOf(found)); !fine) return tl::unexpected(fine.error());
  double figures[] = {found->eps, double(found->clusters), double(found->noise)};
  ranks.Broadcast(figures, 3, 0);
  found->eps = figures[0];
  found->clusters = std::int64_t(figures[1]);
  found->noise = std::int64_t(figures[2]);
  if (auto fine = makeRoomForFound(ranks, *found, points->leftOut.size()); !fine)
    return tl::unexpected(fine.error());
  forEachArray(*found, [&](auto& array, auto) {
    if (array) scatter(ranks, *array, parts);
  });
  addLeftOut(*found, points->leftOut);
  return found;
}

}  // namespace

Result<FoundClusters> onAllRanks(vtkMultiProcessController* controller, Result<InputPoints> points,
                                 const ClusterFunction& cluster) {
  if (controller != nullptr && controller->GetNumberOfProcesses() > 1)
    return onSeveral(*controller, std::move(points), cluster);
  if (!points) return tl::unexpected(points.error());
  return withinMemory([&] {
    auto found = cluster(*points);
    if (found) addLeftOut(*found, points->leftOut);
    return found;
  });
}

Result<void> endOnAllRanks(vtkMultiProcessController* controller, Result<void> own) {
  if (controller == nullptr || controller->GetNumberOfProcesses() == 1) return own;
  const vtkIdType failed = own ? 0 : 1;
  vtkIdType anyFailed = 0;
  controller->AllReduce(&failed, &anyFailed, 1, vtkCommunicator::MAX_OP);
  if (own && anyFailed != 0) return cancelledError();
  return own;
}

}  // namespace clusterloom::paraview
