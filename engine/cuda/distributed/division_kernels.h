#pragma once

#include <cstdint>
#include <vector>

#include "engine/blocks/division_view.h"
#include "engine/cuda/grid/device_cloud.h"
#include "engine/cuda/runtime/device.h"
#include "engine/dbscan/clustering.h"
#include "engine/distributed/divide_space.h"

// The kernels of a DBSCAN that is divided in space between GPUs. All of them queue their work on
// the run's stream, and wait only where they say so. Cells, owners and near ranks are those of the
// CPU's ranks: both compile engine/blocks/division_view.h.

namespace clusterloom {

/// A division with its tables in device memory.
struct DeviceDivision {
  DivisionView view;
  SliceGuess guesses[DivisionView::kMostCuts] = {};
  DeviceBuffer<std::byte> tables;  // bounds, and where to search for slices
  DeviceBuffer<int> owner;
};
/// With places for the owners.
DeviceDivision uploadDivision(GpuRun& run, const SpaceCuts& cuts);

/// Approximate numbers of points of the cloud in each cell: large clouds are sampled, and every
/// cell counts at least one.
DeviceBuffer<std::uint32_t> countPointsOfCells(GpuRun& run, const DeviceCloud& cloud,
                                               const DeviceDivision& division);
/// Deals the cells to ranks, as divideSpace does on the host, by the costs of their points on a
/// GPU. `counts` are those of all ranks, maybe in other GPUs' memory; `dims` is that of the cloud.
void dealCells(GpuRun& run, const SpaceCuts& cuts, const std::vector<const std::uint32_t*>& counts,
               const DbscanParams& params, std::size_t dims, DeviceDivision& division);

/// Points by the owner of their cell.
struct PointsByOwner {
  DeviceBuffer<std::uint32_t> order;  ///< ascending for each owner, owner after owner
  std::vector<std::uint64_t> counts;  ///< how many each owns
  DeviceBuffer<std::uint8_t> tags;    ///< of each point, for sendPoints
};
/// The points of a cloud for `ranks` ranks. The division has owners. Waits for the counts, not for
/// the order.
PointsByOwner orderByOwner(GpuRun& run, const DeviceCloud& cloud, const DeviceDivision& division,
                           int ranks);

/// Where the points for a rank go: place i of these columns and flags is for point
/// order[first + i], i < count. The memory may be another GPU's.
struct PointTarget {
  double* columns = nullptr;
  std::uint8_t* outer = nullptr;
  std::uint64_t stride = 0;  ///< from column to column
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};
struct PointTargets {
  PointTarget ofRank[DivisionView::kMostRanks];
};
/// Writes the coordinates of points there, and whether other ranks than a point's owner may have
/// neighbours of it (NearOwners::innerCells).
void sendPoints(GpuRun& run, const DeviceCloud& part, const PointTargets& targets, int ranks,
                int self, const PointsByOwner& points);

/// Where the answers of a rank are: the label word (engine/cuda/dbscan/label_word.h) of point
/// order[first + i] at place i, i < count, for core points with the rank's own number of the
/// cluster, of which `numbers` has the final one. The memory may be another GPU's.
struct AnswerSource {
  const std::int32_t* words = nullptr;
  const std::int32_t* numbers = nullptr;
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};
struct AnswerSources {
  AnswerSource ofRank[DivisionView::kMostRanks];
};
/// The labels and roles in the order of points. Without roles where `roles` is null.
void fetchAnswers(GpuRun& run, const AnswerSources& sources, int ranks, int self,
                  const DeviceBuffer<std::uint32_t>& order, std::int32_t* labels,
                  std::uint8_t* roles);

/// The points of which other ranks get copies.
struct BorderPoints {
  std::vector<DeviceBuffer<std::uint32_t>> toRank;  ///< ascending; may be longer than …
  std::vector<std::uint32_t> counts;                ///< … the number of points for each rank
};
/// Those of the points of rank `self`, of which `outer` flags the candidates. Waits.
BorderPoints borderPointsOf(GpuRun& run, const DeviceCloud& own, const DivisionView& division,
                            const std::uint8_t* outer, int ranks, int self, double squaredEps);

/// Column j of the points order[0 … count): into[j · stride + i] for each dimension.
void gatherPoints(GpuRun& run, const DeviceCloud& cloud, const std::uint32_t* order,
                  std::size_t count, double* into, std::size_t stride);
/// into[i] = values[order[i]] for i < count.
void gatherValues(GpuRun& run, const std::uint32_t* values, const std::uint32_t* order,
                  std::size_t count, std::uint32_t* into);

/// into[p] = the owner of each point p, of points by owner, `counts` for each.
void ownersOfPoints(GpuRun& run, const DeviceBuffer<std::uint32_t>& order,
                    const std::vector<std::uint64_t>& counts, DeviceBuffer<std::uint16_t>& into);

/// The ranks that were given the own points of a rank: the points firstOwn[r] … firstOwn[r + 1] − 1
/// are those that rank r was given, which calls the i-th of them order[r][i]. The memory may be
/// another GPU's.
struct PointOrigins {
  const std::uint32_t* order[DivisionView::kMostRanks] = {};
  std::uint64_t firstOwn[DivisionView::kMostRanks + 1] = {};
  std::uint64_t firstPoint[DivisionView::kMostRanks] = {};  ///< id of the first of each rank's part
  std::uint32_t ranks = 0;
};
inline constexpr std::uint64_t kNoPoint = ~std::uint64_t{0};
/// The id of each of these points of a rank; kNoPoint for copies.
void idsOfPoints(GpuRun& run, const PointOrigins& origins,
                 const DeviceBuffer<std::uint32_t>& points, std::uint64_t* ids);

/// Of the points `own`, ascending own points of a rank, those from `first` on are
/// order[own[i] − first] here if own[i] − first < `ordered`: sets their bits of `marks`, and stores
/// the point of each, or kElsewhere. `own` may be another GPU's memory.
inline constexpr std::uint32_t kElsewhere = 0xffffffffU;
void markHeads(GpuRun& run, const std::uint32_t* own, std::size_t count, std::uint64_t first,
               const std::uint32_t* order, std::uint64_t ordered, std::uint32_t* points,
               std::uint32_t* marks);
/// How many bits are set in the words before each word of `marks`.
DeviceBuffer<std::uint32_t> marksBefore(GpuRun& run, const DeviceBuffer<std::uint32_t>& marks);
/// How many points before a point are marked: into[1 + i] for points[i], i < count, and into[0] for
/// `all`, which has a bit too.
void countsBefore(GpuRun& run, const DeviceBuffer<std::uint32_t>& marks,
                  const DeviceBuffer<std::uint32_t>& before, std::uint32_t all,
                  const std::uint32_t* points, std::size_t count, std::uint32_t* into);
/// numbers[heads[i]]: how many heads of all ranks come before head i of this one, whose lowest
/// point is own[i]. answers[r] are the countsBefore of rank r for `own`, maybe in another GPU's
/// memory. `all` becomes the number of heads.
void numberHeads(GpuRun& run, const PointOrigins& origins,
                 const std::vector<const std::uint32_t*>& answers, const std::uint32_t* heads,
                 const std::uint32_t* own, std::size_t count, std::int32_t* numbers,
                 std::uint64_t* all);

/// Which copies are of which rank, and the clusters of all ranks in a row.
struct ClusterRow {
  std::uint64_t firstCopy[DivisionView::kMostRanks + 1] = {};  ///< and the end
  std::uint32_t first[DivisionView::kMostRanks + 1] = {};      ///< place of a cluster, and the end
  std::uint32_t ranks = 0;
  std::uint32_t self = 0;

  std::uint32_t all() const { return first[ranks]; }
};
inline constexpr std::uint32_t kNoPlace = 0xffffffffU;
/// Two places in the row whose clusters are parts of one; kNoPlace twice for none.
struct LinkedPlaces {
  std::uint32_t own = kNoPlace;
  std::uint32_t other = kNoPlace;
};
/// A link for each copy: of its cluster here and that at its owner, where it is core. Clusters are
/// negative where it is not.
void linksOfCopies(GpuRun& run, const ClusterRow& row, const std::int32_t* own,
                   const std::int32_t* theirs, std::size_t copies, LinkedPlaces* links);

/// The clusters of a rank, maybe in another GPU's memory.
struct PartsOfRank {
  const LinkedPlaces* links = nullptr;
  std::uint64_t linkCount = 0;
  const std::uint64_t* lowest = nullptr;  ///< id of the lowest own core point of each, or kNoPoint
};
struct PartsOfRanks {
  PartsOfRank ofRank[DivisionView::kMostRanks];
};
/// The place of the head of each cluster of this rank: of the part, among those that links join,
/// with the lowest point.
DeviceBuffer<std::uint32_t> headsOfClusters(GpuRun& run, const ClusterRow& row,
                                            const PartsOfRanks& parts);
/// The clusters of this rank that are their own heads, ascending, at the begin of a list. Waits for
/// their number.
struct OwnHeads {
  DeviceBuffer<std::uint32_t> clusters;
  std::size_t count = 0;
};
OwnHeads ownHeads(GpuRun& run, const ClusterRow& row, const DeviceBuffer<std::uint32_t>& heads);
/// The numbers of the clusters whose heads are other clusters: those of the heads, which
/// numbersOf[r] has for rank r, maybe in another GPU's memory.
void numberParts(GpuRun& run, const ClusterRow& row, const DeviceBuffer<std::uint32_t>& heads,
                 const std::vector<const std::int32_t*>& numbersOf, std::int32_t* numbers);

}  // namespace clusterloom
