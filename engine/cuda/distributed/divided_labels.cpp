#include "engine/cuda/distributed/divided_labels.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <numbers>
#include <numeric>
#include <utility>

#include "engine/core/stopwatch.h"
#include "engine/cuda/distributed/division_kernels.h"
#include "engine/cuda/runtime/device_algorithms.h"
#include "engine/distributed/cluster_numbers.h"
#include "engine/distributed/space_division.h"

namespace clusterloom {
namespace {

template <class T>
T valueOf(Result<T> result) {
  if (!result) throw RanksFailed{std::move(result.error())};
  return std::move(*result);
}

void check(const Result<void>& result) {
  if (!result) throw RanksFailed{result.error()};
}

// What a point costs a GPU: most where it has about minPts neighbours, since it then searches them
// all and its unions are many. By how many neighbours are to be expected for each of minPts, in
// powers of two from 1/4 on; between dimensions the cost differs more than between values of
// minPts. Fitted on uniform clouds (bench_divided --costs, tests/bench/RESULTS.md).
double costOnGpu(double density, std::int64_t minPts, std::size_t dims) {
  constexpr int kPlaces = 9;
  constexpr double kPlane[kPlaces] = {1.24, 1.43, 1.85, 1.61, 1.37, 1.16, 1.06, 1, 1};
  constexpr double kSpace[kPlaces] = {1.59, 2.17, 3.58, 3.11, 2.1, 1.53, 1.2, 1.05, 1};
  const double* const costs = dims < 3 ? kPlane : kSpace;
  constexpr double kBalls[] = {2, std::numbers::pi, 4 * std::numbers::pi / 3};  // of radius 1
  const double expected = density * kBalls[dims - 1] / static_cast<double>(minPts);
  const double place = std::clamp(std::log2(expected) + 2, 0.0, kPlaces - 1.0);
  const int below = std::min(static_cast<int>(place), kPlaces - 2);
  return costs[below] + (place - below) * (costs[below + 1] - costs[below]);
}

// Points in device memory that are to be divided; keeps their cells.
class DevicePoints final : public PointsToDivide {
 public:
  DevicePoints(GpuRun& run, const DeviceCloud& cloud) : run_(run), cloud_(cloud) {}

  std::size_t size() const override { return cloud_.size; }
  std::size_t dims() const override { return cloud_.dims; }
  double costOf(double density, std::int64_t minPts, std::size_t dims) const override {
    return costOnGpu(density, minPts, dims);
  }
  std::vector<std::vector<double>> sample(std::size_t count) override {
    std::vector<int> dims(cloud_.dims);
    std::iota(dims.begin(), dims.end(), 0);
    return sampleOf(run_, cloud_, dims, count);
  }
  std::vector<std::uint64_t> countCells(const SpaceDivision& division, std::size_t cells) override {
    onDevice = uploadDivision(run_, division);
    counts = countPointsOfCells(run_, cloud_, onDevice, cells, cellOfPoint);
    return counts;
  }

  DeviceDivision onDevice;  // without owners
  DeviceBuffer<std::uint32_t> cellOfPoint;
  std::vector<std::uint64_t> counts;  // of this rank

 private:
  GpuRun& run_;
  const DeviceCloud& cloud_;
};

// Consecutive runs of values, one a rank.
struct Runs {
  std::vector<std::uint64_t> counts;
  std::vector<std::uint64_t> first;  // one more, for the end

  explicit Runs(std::vector<std::uint64_t> of = {}) : counts(std::move(of)) {
    first.assign(counts.size() + 1, 0);
    std::partial_sum(counts.begin(), counts.end(), first.begin() + 1);
  }
  std::uint64_t all() const { return first.back(); }
};

// One rank's part of the work. Memory that other ranks read is in members, which outlive
// `exchange_`.
class DividedRun final : public FusedHalo {
 public:
  DividedRun(Communicator& communicator, PeerGroup& group, GpuRun& run, DeviceCloud part,
             const DividedPlan& plan, RankRecord* record)
      : communicator_(communicator),
        run_(run),
        plan_(plan),
        record_(record),
        ranks_(static_cast<std::size_t>(communicator.size())),
        self_(static_cast<std::size_t>(communicator.rank())),
        part_(std::move(part)),
        exchange_(communicator, group, run, record) {}

  DividedLabels labels();

  std::size_t own() const override { return arriving_.all(); }
  const DeviceBuffer<std::uint32_t>& copied() const override { return borderOrder_; }
  void shareCores(const DeviceBuffer<std::uint8_t>& copied,
                  DeviceBuffer<std::uint8_t>& copies) override;
  DeviceBuffer<std::int32_t> number(const DeviceBuffer<std::int32_t>& copied,
                                    const DeviceBuffer<std::int32_t>& copies,
                                    const DeviceBuffer<std::uint32_t>& lowest) override;

 private:
  using Offer = PeerExchange::Offer;

  void divide();
  void move();
  void addCopies();
  std::vector<std::uint64_t> idsOf(const std::vector<std::uint32_t>& points);
  struct SharedClusters;
  SharedClusters sharedOf(const DeviceBuffer<std::int32_t>& copied,
                          const DeviceBuffer<std::int32_t>& copies,
                          const DeviceBuffer<std::uint32_t>& lowest);
  void numberHeads(const DeviceBuffer<std::uint32_t>& heads,
                   const DeviceBuffer<std::uint32_t>& lowest, DeviceBuffer<std::int32_t>& numbers);
  std::vector<std::int32_t> numbersOf(const std::vector<std::uint64_t>& ids);
  template <class T>
  void sendBack(const T* values, DeviceBuffer<T>& into);

  void enter(RankPhase phase) {
    if (record_ != nullptr) record_->enter(phase);
  }
  // Where the phases are recorded, each ends when the device is done with it.
  void settle(RankActivity activity) {
    if (record_ == nullptr) return;
    const double since = record_->now();
    run_.wait();
    record_->add(activity, since);
  }
  void checkPoints(std::uint64_t points) const {
    if (points > kMaxPoints)
      throw RanksFailed{{.kind = ErrorKind::TooLarge,
                         .message = "This rank would hold " + std::to_string(points) +
                                    " points; at most " + std::to_string(kMaxPoints) +
                                    " are possible. Use more ranks, or a smaller ε."}};
  }

  Communicator& communicator_;
  GpuRun& run_;
  const DividedPlan& plan_;
  RankRecord* record_;
  const std::size_t ranks_;
  const std::size_t self_;

  DeviceCloud part_;
  std::vector<std::uint64_t> firstPoints_;  // of each rank's part, and the end
  SpaceDivision division_;
  DeviceDivision onDevice_;
  DeviceBuffer<std::uint32_t> order_;  // the part's points by owner
  Runs leaving_;                       // of `order_`, by owner
  Runs arriving_;                      // of own points, by the rank that was given them
  DeviceBuffer<std::uint32_t> cellOfPoint_;
  DeviceBuffer<std::uint8_t> inner_;  // flags of cells
  DeviceBuffer<std::uint8_t> outer_;  // flags of own points that others may be near to
  DeviceCloud points_;                // own, then copies of others', by owner
  BorderPoints border_;
  Runs copied_;  // own points of which others have copies, by that rank
  Runs copies_;  // of others' points here, by owner
  DeviceBuffer<std::uint32_t> borderOrder_;

  // What other ranks read.
  DeviceBuffer<std::byte> packed_;
  DeviceBuffer<double> packedCopies_;
  DeviceBuffer<std::uint32_t> lowestOfHeads_;
  DeviceBuffer<std::int32_t> numbersOfHeads_;
  DeviceLabels found_;

  // Of the points of the part, while clusters are numbered: how many before each are the lowest
  // core point of a cluster of all ranks, and how many are in the parts before.
  DeviceBuffer<std::uint32_t> before_;
  std::uint64_t beforePart_ = 0;
  std::int32_t clusters_ = 0;
  RankReport report_;
  Stopwatch watch_;
  PeerExchange exchange_;
};

void DividedRun::divide() {
  enter(RankPhase::Divide);
  run_.task().report("dividing space", 0);
  firstPoints_ = valueOf(
      firstPointsOfRanks(communicator_, static_cast<std::uint64_t>(part_.size), run_.task()));
  DevicePoints points(run_, part_);
  division_ = valueOf(divideSpace(communicator_, points, plan_.params, run_.task()));
  onDevice_ = std::move(points.onDevice);
  uploadOwners(run_, division_, onDevice_);
  std::vector<std::uint64_t> counts(ranks_, 0);
  for (std::size_t cell = 0; cell < points.counts.size(); ++cell)
    if (points.counts[cell] > 0)
      counts[static_cast<std::size_t>(division_.owner[cell])] += points.counts[cell];
  leaving_ = Runs(std::move(counts));
  order_ = orderByOwner(run_, onDevice_.view, static_cast<int>(ranks_), points.cellOfPoint);
  cellOfPoint_ = std::move(points.cellOfPoint);
  const std::vector<std::uint8_t> inner = NearRanks::innerCells(division_);
  inner_ = DeviceBuffer<std::uint8_t>(run_.lease(), inner.size());
  inner_.upload(inner);
  settle(RankActivity::Busy);
}

void DividedRun::move() {
  enter(RankPhase::Move);
  run_.task().report("moving points", 0);
  const std::size_t dims = part_.dims;
  // For each receiver the coordinates, dimension by dimension, and then a byte for each point.
  const auto bytesOf = [&](std::size_t r) {
    const std::size_t bytes = r == self_ ? 0 : leaving_.counts[r] * (dims * sizeof(double) + 1);
    return (bytes + sizeof(double) - 1) / sizeof(double) * sizeof(double);
  };
  std::size_t bytes = 0;
  for (std::size_t r = 0; r < ranks_; ++r) bytes += bytesOf(r);
  packed_ = DeviceBuffer<std::byte>(run_.lease(), bytes);
  const auto flag = [&](std::size_t r, std::uint8_t* into) {
    flagOuter(run_, order_.data() + leaving_.first[r], leaving_.counts[r], cellOfPoint_, inner_,
              into);
  };
  std::vector<Offer> toEach(ranks_);
  std::byte* next = packed_.data();
  for (std::size_t r = 0; r < ranks_; ++r) {
    const std::size_t count = leaving_.counts[r];
    toEach[r] = {.data = next, .count = count};
    if (r == self_) continue;
    gatherPoints(run_, part_, order_.data() + leaving_.first[r], count,
                 reinterpret_cast<double*>(next), count);
    flag(r, reinterpret_cast<std::uint8_t*>(next + dims * sizeof(double) * count));
    next += bytesOf(r);
  }
  const std::vector<Offer> from = exchange_.offer(std::move(toEach));
  std::vector<std::uint64_t> counts;
  for (const Offer& offer : from) counts.push_back(offer.count);
  arriving_ = Runs(std::move(counts));
  const std::size_t own = arriving_.all();
  checkPoints(own);
  points_.size = own;
  points_.dims = dims;
  points_.coordinates = DeviceBuffer<double>(run_.lease(), dims * own);
  outer_ = DeviceBuffer<std::uint8_t>(run_.lease(), own);
  double* const columns = points_.coordinates.data();
  for (std::size_t r = 0; r < ranks_; ++r) {
    if (r == self_) continue;
    for (std::size_t j = 0; j < dims; ++j)
      exchange_.take(from[r], j, columns + j * own + arriving_.first[r]);
    exchange_.take(from[r], dims * sizeof(double), outer_.data() + arriving_.first[r]);
  }
  // What stays is gathered into its place meanwhile.
  gatherPoints(run_, part_, order_.data() + leaving_.first[self_], leaving_.counts[self_],
               columns + arriving_.first[self_], own);
  flag(self_, outer_.data() + arriving_.first[self_]);
  part_.coordinates = {};
  cellOfPoint_ = {};
  exchange_.done();
  packed_ = {};
  settle(RankActivity::Moving);
}

void DividedRun::addCopies() {
  enter(RankPhase::Ghosts);
  run_.task().report("finding ghosts", 0);
  const std::size_t own = points_.size;
  const std::size_t dims = points_.dims;
  border_ = borderPointsOf(run_, points_, onDevice_.view, outer_, static_cast<int>(ranks_),
                           static_cast<int>(self_), plan_.fused.squaredEps);
  outer_ = {};
  copied_ = Runs({border_.counts.begin(), border_.counts.end()});
  borderOrder_ = DeviceBuffer<std::uint32_t>(run_.lease(), copied_.all());
  packedCopies_ = DeviceBuffer<double>(run_.lease(), dims * copied_.all());
  std::vector<Offer> toEach(ranks_);
  for (std::size_t r = 0; r < ranks_; ++r) {
    const std::size_t count = copied_.counts[r];
    double* const packed = packedCopies_.data() + dims * copied_.first[r];
    toEach[r] = {.data = packed, .count = count};
    if (count == 0) continue;
    CUDA_CHECK(cudaMemcpyAsync(borderOrder_.data() + copied_.first[r], border_.toRank[r].data(),
                               count * sizeof(std::uint32_t), cudaMemcpyDeviceToDevice,
                               run_.stream()));
    gatherPoints(run_, points_, border_.toRank[r].data(), count, packed, count);
  }
  border_ = {};
  const std::vector<Offer> from = exchange_.offer(std::move(toEach));
  std::vector<std::uint64_t> counts;
  for (const Offer& offer : from) counts.push_back(offer.count);
  copies_ = Runs(std::move(counts));
  if (copies_.all() > 0) {
    const std::size_t all = own + copies_.all();
    checkPoints(all);
    DeviceBuffer<double> columns(run_.lease(), dims * all);
    for (std::size_t j = 0; j < dims; ++j) {
      CUDA_CHECK(cudaMemcpyAsync(columns.data() + j * all, points_.column(j), own * sizeof(double),
                                 cudaMemcpyDeviceToDevice, run_.stream()));
      for (std::size_t r = 0; r < ranks_; ++r)
        exchange_.take(from[r], j, columns.data() + j * all + own + copies_.first[r]);
    }
    points_.coordinates = std::move(columns);
    points_.size = all;
  }
  exchange_.done();
  packedCopies_ = {};
  settle(RankActivity::Moving);
  report_.read = leaving_.all();
  report_.points = own;
  report_.ghosts = copies_.all();
  report_.bytesSent = (leaving_.all() - leaving_.counts[self_]) * 8 * dims +
                      copied_.all() * (8 * dims + 1 + sizeof(std::int32_t)) +
                      (own - arriving_.counts[self_]) * sizeof(std::int32_t);
}

void DividedRun::shareCores(const DeviceBuffer<std::uint8_t>& copied,
                            DeviceBuffer<std::uint8_t>& copies) {
  std::vector<Offer> toEach(ranks_);
  for (std::size_t r = 0; r < ranks_; ++r)
    toEach[r] = {.data = copied.data() + copied_.first[r], .count = copied_.counts[r]};
  const std::vector<Offer> from = exchange_.offer(std::move(toEach));
  for (std::size_t r = 0; r < ranks_; ++r)
    exchange_.take(from[r], 0, copies.data() + copies_.first[r]);
  exchange_.done();
}

// The numbers in the whole cloud of own points. Collective. Each is known to the rank that was
// given the point.
std::vector<std::uint64_t> DividedRun::idsOf(const std::vector<std::uint32_t>& points) {
  std::vector<std::vector<std::uint32_t>> asked(ranks_);
  std::vector<std::uint16_t> askedOf;
  askedOf.reserve(points.size());
  for (const std::uint32_t p : points) {
    const auto after = std::upper_bound(arriving_.first.begin(), arriving_.first.end(), p);
    const auto r = static_cast<std::size_t>(after - arriving_.first.begin()) - 1;
    askedOf.push_back(static_cast<std::uint16_t>(r));
    asked[r].push_back(p - static_cast<std::uint32_t>(arriving_.first[r]));
  }
  const auto requests = valueOf(communicator_.exchange(asked, run_.task()));
  std::vector<std::vector<std::uint32_t>> replies(ranks_);
  for (std::size_t r = 0; r < ranks_; ++r) {
    const std::size_t count = requests[r].size();
    replies[r].resize(count);
    if (count == 0) continue;
    DeviceBuffer<std::uint32_t> places(run_.lease(), count);
    DeviceBuffer<std::uint32_t> values(run_.lease(), count);
    places.upload(requests[r]);
    gatherValues(run_, order_.data() + leaving_.first[r], places.data(), count, values.data());
    values.download(replies[r]);
  }
  run_.wait();
  const auto answers = valueOf(communicator_.exchange(replies, run_.task()));
  std::vector<std::uint64_t> ids;
  ids.reserve(points.size());
  std::vector<std::size_t> next(ranks_, 0);
  for (const std::uint16_t r : askedOf) ids.push_back(firstPoints_[r] + answers[r][next[r]++]);
  return ids;
}

// What a rank knows of the clusters that it may share with others.
struct DividedRun::SharedClusters {
  std::vector<std::uint32_t> clusters;  // ascending
  std::vector<std::uint32_t> lowest;    // the lowest point of each: a copy where it has no own
  std::vector<ClusterLink> links;
};

// A copy that is core is in a cluster here and in one of its owner: these are linked.
DividedRun::SharedClusters DividedRun::sharedOf(const DeviceBuffer<std::int32_t>& copied,
                                                const DeviceBuffer<std::int32_t>& copies,
                                                const DeviceBuffer<std::uint32_t>& lowest) {
  DeviceBuffer<std::int32_t> theirs(run_.lease(), copies.size());
  std::vector<Offer> toEach(ranks_);
  for (std::size_t r = 0; r < ranks_; ++r)
    toEach[r] = {.data = copied.data() + copied_.first[r], .count = copied_.counts[r]};
  const std::vector<Offer> from = exchange_.offer(std::move(toEach));
  for (std::size_t r = 0; r < ranks_; ++r)
    exchange_.take(from[r], 0, theirs.data() + copies_.first[r]);
  exchange_.done();

  const std::size_t clusters = lowest.size();
  DeviceBuffer<std::uint32_t> counts(run_.lease(), ranks_ + 1);
  counts.fillBytes(0);
  std::vector<DeviceBuffer<std::uint64_t>> ofRank(ranks_);
  for (std::size_t r = 0; r < ranks_; ++r)
    if (copies_.counts[r] > 0)
      linksOfCopies(run_, copies.data() + copies_.first[r], theirs.data() + copies_.first[r],
                    copies_.counts[r], ofRank[r], counts.data() + r);
  DeviceBuffer<std::uint8_t> flags(run_.lease(), clusters);
  flags.fillBytes(0);
  markClusters(run_, copied.data(), copied.size(), flags.data());
  markClusters(run_, copies.data(), copies.size(), flags.data());
  DeviceBuffer<std::uint32_t> list(run_.lease(), clusters);
  if (clusters > 0)
    selectFlagged(run_.lease(), flags.data(), list.data(), counts.data() + ranks_, clusters);
  std::vector<std::uint32_t> found(ranks_ + 1);
  counts.download(found);
  run_.wait();

  SharedClusters shared;
  std::vector<std::vector<std::uint64_t>> links(ranks_);
  for (std::size_t r = 0; r < ranks_; ++r) {
    links[r].resize(found[r]);
    ofRank[r].download(links[r]);
  }
  shared.clusters.resize(found[ranks_]);
  shared.lowest.resize(found[ranks_]);
  DeviceBuffer<std::uint32_t> lowestOfShared(run_.lease(), shared.lowest.size());
  gatherValues(run_, lowest.data(), list.data(), shared.lowest.size(), lowestOfShared.data());
  list.download(shared.clusters);
  lowestOfShared.download(shared.lowest);
  run_.wait();
  for (std::size_t r = 0; r < ranks_; ++r)
    for (const std::uint64_t link : links[r])
      shared.links.push_back(
          {static_cast<std::int32_t>(link >> 32),
           {static_cast<std::int32_t>(r), static_cast<std::int32_t>(link & 0xffffffffU)}});
  return shared;
}

// Numbers the clusters `heads` of this rank, whose lowest core points are the lowest of what they
// are a part of: by how many heads of all ranks come before, which the ranks that were given these
// points count. Collective.
void DividedRun::numberHeads(const DeviceBuffer<std::uint32_t>& heads,
                             const DeviceBuffer<std::uint32_t>& lowest,
                             DeviceBuffer<std::int32_t>& numbers) {
  const std::size_t count = heads.size();
  lowestOfHeads_ = DeviceBuffer<std::uint32_t>(run_.lease(), count);
  gatherValues(run_, lowest.data(), heads.data(), count, lowestOfHeads_.data());
  const std::vector<std::uint64_t> places = placesOf(run_, lowestOfHeads_, arriving_.first);
  std::vector<std::uint64_t> counts(ranks_);
  for (std::size_t r = 0; r < ranks_; ++r) counts[r] = places[r + 1] - places[r];
  const Runs asked(std::move(counts));
  std::vector<Offer> toEach(ranks_);
  for (std::size_t r = 0; r < ranks_; ++r) {
    std::uint32_t* const points = lowestOfHeads_.data() + asked.first[r];
    subtract(run_, points, asked.counts[r], static_cast<std::uint32_t>(arriving_.first[r]));
    toEach[r] = {.data = points, .count = asked.counts[r]};
  }
  std::vector<Offer> from = exchange_.offer(std::move(toEach));
  counts.clear();
  for (const Offer& offer : from) counts.push_back(offer.count);
  const Runs requests(std::move(counts));
  DeviceBuffer<std::uint32_t> points(run_.lease(), requests.all());
  for (std::size_t r = 0; r < ranks_; ++r)
    exchange_.take(from[r], 0, points.data() + requests.first[r]);
  exchange_.done();

  before_ = DeviceBuffer<std::uint32_t>(run_.lease(), leaving_.all());
  before_.fillBytes(0);
  for (std::size_t r = 0; r < ranks_; ++r)
    markPoints(run_, order_.data() + leaving_.first[r], points.data() + requests.first[r],
               requests.counts[r], before_.data());
  if (before_.size() > 0)
    exclusiveScan(run_.lease(), before_.data(), before_.data(), before_.size());
  const Runs inParts(valueOf(communicator_.allGather(requests.all(), run_.task())));
  check(checkClusterCount(inParts.all()));
  clusters_ = static_cast<std::int32_t>(inParts.all());
  beforePart_ = inParts.first[self_];
  numbersOfHeads_ = DeviceBuffer<std::int32_t>(run_.lease(), requests.all());
  numbersOfPoints(run_, before_.data(), static_cast<std::uint32_t>(beforePart_), points.data(),
                  requests.all(), numbersOfHeads_.data());

  toEach.assign(ranks_, {});
  for (std::size_t r = 0; r < ranks_; ++r)
    toEach[r] = {.data = numbersOfHeads_.data() + requests.first[r], .count = requests.counts[r]};
  from = exchange_.offer(std::move(toEach));
  DeviceBuffer<std::int32_t> answers(run_.lease(), count);
  for (std::size_t r = 0; r < ranks_; ++r)
    exchange_.take(from[r], 0, answers.data() + asked.first[r]);
  exchange_.done();
  scatterValues(run_, answers.data(), heads.data(), count, numbers.data());
}

// The numbers of the clusters with these lowest core points, after numberHeads. Collective.
std::vector<std::int32_t> DividedRun::numbersOf(const std::vector<std::uint64_t>& ids) {
  std::vector<std::vector<std::uint32_t>> asked(ranks_);
  std::vector<std::uint16_t> askedOf;
  for (const std::uint64_t id : ids) {
    const auto after = std::upper_bound(firstPoints_.begin(), firstPoints_.end(), id);
    const auto r = static_cast<std::size_t>(after - firstPoints_.begin()) - 1;
    askedOf.push_back(static_cast<std::uint16_t>(r));
    asked[r].push_back(static_cast<std::uint32_t>(id - firstPoints_[r]));
  }
  const auto requests = valueOf(communicator_.exchange(asked, run_.task()));
  std::vector<std::vector<std::int32_t>> replies(ranks_);
  for (std::size_t r = 0; r < ranks_; ++r) {
    const std::size_t count = requests[r].size();
    replies[r].resize(count);
    if (count == 0) continue;
    DeviceBuffer<std::uint32_t> points(run_.lease(), count);
    DeviceBuffer<std::int32_t> values(run_.lease(), count);
    points.upload(requests[r]);
    numbersOfPoints(run_, before_.data(), static_cast<std::uint32_t>(beforePart_), points.data(),
                    count, values.data());
    values.download(replies[r]);
  }
  run_.wait();
  const auto answers = valueOf(communicator_.exchange(replies, run_.task()));
  std::vector<std::int32_t> numbers;
  std::vector<std::size_t> next(ranks_, 0);
  for (const std::uint16_t r : askedOf) numbers.push_back(answers[r][next[r]++]);
  return numbers;
}

DeviceBuffer<std::int32_t> DividedRun::number(const DeviceBuffer<std::int32_t>& copied,
                                              const DeviceBuffer<std::int32_t>& copies,
                                              const DeviceBuffer<std::uint32_t>& lowest) {
  report_.cluster = watch_.lap();
  enter(RankPhase::Merge);
  run_.task().report("merging clusters", 0);
  // All ranks wait here for the slowest, so that a record tells their waiting from the rest.
  if (record_ != nullptr) check(communicator_.barrier(run_.task()));
  const SharedClusters found = sharedOf(copied, copies, lowest);
  // Clusters of copies alone come last: copies have the highest numbers here.
  const auto withOwn =
      std::lower_bound(found.lowest.begin(), found.lowest.end(), static_cast<std::uint32_t>(own()));
  std::vector<std::uint64_t> ids = idsOf({found.lowest.begin(), withOwn});
  ids.resize(found.clusters.size(), RankClusters::kNoPoint);
  std::vector<SharedCluster> shared;
  for (std::size_t i = 0; i < ids.size(); ++i)
    shared.push_back({static_cast<std::int32_t>(found.clusters[i]), ids[i]});
  const std::vector<std::uint64_t> merged =
      valueOf(mergeSharedClusters(communicator_, shared, found.links, run_.task()));
  std::vector<std::uint32_t> parts;  // clusters whose lowest core point is another rank's
  std::vector<std::uint64_t> lowestOfParts;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (merged[i] == ids[i]) continue;
    parts.push_back(found.clusters[i]);
    lowestOfParts.push_back(merged[i]);
  }

  enter(RankPhase::Number);
  run_.task().report("border points", 0);
  DeviceBuffer<std::int32_t> numbers(run_.lease(), lowest.size());
  numberHeads(otherClusters(run_, lowest.size(), parts), lowest, numbers);
  const std::vector<std::int32_t> numbersOfParts = numbersOf(lowestOfParts);
  before_ = {};
  if (!parts.empty()) {
    DeviceBuffer<std::uint32_t> where(run_.lease(), parts.size());
    DeviceBuffer<std::int32_t> values(run_.lease(), parts.size());
    where.upload(parts);
    values.upload(numbersOfParts);
    scatterValues(run_, values.data(), where.data(), parts.size(), numbers.data());
  }
  return numbers;
}

// Values of own points back to the ranks that were given the points, in their order.
template <class T>
void DividedRun::sendBack(const T* values, DeviceBuffer<T>& into) {
  std::vector<Offer> toEach(ranks_);
  for (std::size_t r = 0; r < ranks_; ++r)
    toEach[r] = {.data = values == nullptr ? nullptr : values + arriving_.first[r],
                 .count = arriving_.counts[r]};
  into = DeviceBuffer<T>(run_.lease(), leaving_.all());
  DeviceBuffer<T> back(run_.lease(), leaving_.all());
  const std::vector<Offer> from = exchange_.offer(std::move(toEach));
  for (std::size_t r = 0; r < ranks_; ++r)
    exchange_.take(from[r], 0, back.data() + leaving_.first[r]);
  exchange_.done();
  scatterValues(run_, back.data(), order_.data(), leaving_.all(), into.data());
}

DividedLabels DividedRun::labels() {
  const Stopwatch total;
  communicator_.host().copy(report_.host.data(), report_.host.size() - 1);
  divide();
  move();
  addCopies();
  report_.divide = watch_.lap();
  enter(RankPhase::Join);
  run_.task().report("clustering", 0);
  std::uint64_t counts[3] = {own(), 0, 0};
  if (own() > 0) {
    found_ = fusedLabels(run_, points_, plan_.params, plan_.fused, this);
  } else {
    DeviceBuffer<std::uint8_t> none;
    shareCores({}, none);
    number({}, {}, {});
  }
  DividedLabels answer;
  sendBack<std::int32_t>(found_.labels.data(), answer.labels);
  if (plan_.roles) sendBack<std::uint8_t>(found_.roles.data(), answer.roles);
  if (own() > 0) {
    const auto numbers = run_.mailbox<std::uint32_t>(3);
    found_.totals.download(numbers);
    run_.wait();
    counts[1] = numbers[1];
    counts[2] = numbers[2];
  }
  check(communicator_.allReduce(std::span<std::uint64_t>(counts), std::plus<>(), run_.task()));
  run_.wait();
  answer.order = std::move(order_);
  answer.sent = leaving_.counts;
  answer.clusters = clusters_;
  answer.coreCount = counts[1];
  answer.borderCount = counts[2];
  answer.noiseCount = counts[0] - counts[1] - counts[2];
  report_.merge = watch_.lap();
  report_.total = total.seconds();
  if (record_ != nullptr) record_->leave();
  answer.ranks = valueOf(communicator_.allGather(report_, run_.task()));
  return answer;
}

}  // namespace

DividedLabels dividedLabels(Communicator& communicator, PeerGroup& group, GpuRun& run,
                            DeviceCloud part, const DividedPlan& plan, RankRecord* record) {
  DividedRun work(communicator, group, run, std::move(part), plan, record);
  // The others must know of a failure before `work` waits for them.
  try {
    return work.labels();
  } catch (const RanksFailed& failed) {
    communicator.fail(failed.error);
    throw;
  } catch (const CudaStopped&) {
    communicator.fail({.kind = ErrorKind::Cancelled, .message = "stopped"});
    throw;
  } catch (const CudaFailure& failure) {
    communicator.fail(errorOf(failure));
    throw;
  } catch (const std::bad_alloc&) {
    communicator.fail(
        {.kind = ErrorKind::TooLarge, .message = "There is not enough memory for this run."});
    throw;
  }
}

}  // namespace clusterloom
