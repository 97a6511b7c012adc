#include "engine/cuda/distributed/divided_labels.h"

#include <algorithm>
#include <new>
#include <numeric>
#include <utility>

#include "engine/blocks/cluster_forest.h"
#include "engine/core/stopwatch.h"
#include "engine/cuda/distributed/division_kernels.h"
#include "engine/distributed/divide_space.h"

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
  const std::int32_t* number(const DeviceBuffer<std::int32_t>& copied,
                             const DeviceBuffer<std::int32_t>& copies,
                             const DeviceBuffer<std::uint32_t>& lowest) override;

 private:
  using Offer = PeerExchange::Offer;
  static std::vector<std::uint64_t> countsOf(const std::vector<Offer>& offers) {
    std::vector<std::uint64_t> counts;
    for (const Offer& offer : offers) counts.push_back(offer.count);
    return counts;
  }

  void divide();
  void cutSpace();
  void dealCells();
  void move();
  void addCopies();
  void widen(std::size_t stride);
  void mergeClusters(const DeviceBuffer<std::int32_t>& copied,
                     const DeviceBuffer<std::int32_t>& copies,
                     const DeviceBuffer<std::uint32_t>& lowest);
  void numberClusters(const DeviceBuffer<std::uint32_t>& lowest);
  void sendBack(DividedLabels& answer);
  // Flags of own points that others may be near to, behind the coordinates.
  std::uint8_t* outer() {
    return reinterpret_cast<std::uint8_t*>(points_.coordinates.data() +
                                           points_.dims * points_.stride());
  }
  static std::size_t doublesFor(std::size_t bytes) {
    return (bytes + sizeof(double) - 1) / sizeof(double);
  }

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
  SpaceCuts cuts_;
  DeviceDivision division_;
  PointsByOwner byOwner_;  // the part's
  Runs leaving_;           // of these
  Runs arriving_;          // of own points, by the rank that was given them
  DeviceCloud points_;     // own, then copies of others', by owner
  BorderPoints border_;
  Runs copied_;  // own points of which others have copies, by that rank
  Runs copies_;  // of others' points here, by owner
  DeviceBuffer<std::uint32_t> borderOrder_;

  // Memory that other ranks read.
  std::vector<std::vector<double>> sample_;
  DeviceBuffer<std::uint32_t> pointsOfCells_;
  DeviceBuffer<double> packed_;
  DeviceBuffer<double> packedCopies_;
  DeviceBuffer<LinkedPlaces> links_;
  DeviceBuffer<std::uint64_t> lowestIds_;  // of clusters
  DeviceBuffer<std::uint32_t> lowestOfHeads_;
  DeviceBuffer<std::uint32_t> answers_;  // how many heads of this part come before those asked for
  DeviceBuffer<std::int32_t> numbers_;   // of clusters
  std::vector<DeviceBuffer<std::int32_t>> numbersOf_;  // copies of those of other ranks
  DeviceLabels found_;

  ClusterRow row_;
  DeviceBuffer<std::uint32_t> heads_;  // of clusters, as places in the row
  std::vector<Offer> orders_;          // of own points, the order of the ranks that were given them
  PointOrigins origins_;               // these ranks; the orders are added when they are needed
  DeviceBuffer<std::uint64_t> clusterCount_;  // of all ranks
  RankReport report_;
  Stopwatch watch_;
  PeerExchange exchange_;
};

// The ranks are threads of one process: each reads the samples of all others where they are, and
// all cut alike.
void DividedRun::cutSpace() {
  const std::uint64_t points = firstPoints_.back();
  const auto ranks = static_cast<int>(ranks_);
  std::vector<int> dims(part_.dims);
  std::iota(dims.begin(), dims.end(), 0);
  sample_ = sampleOf(run_, part_, dims, sampleOfPart(part_.size, points, ranks, part_.dims));
  for (std::vector<double>& column : sample_) std::sort(column.begin(), column.end());
  std::vector<std::vector<double>> ofAll(part_.dims);
  for (const Offer& offer : exchange_.offer(std::vector<Offer>(ranks_, {.data = &sample_}))) {
    const auto& theirs = *static_cast<const std::vector<std::vector<double>>*>(offer.data);
    for (std::size_t j = 0; j < part_.dims; ++j) mergeSorted(ofAll[j], theirs[j]);
  }
  cuts_ = cutBySample(ofAll, points, plan_.params, ranks);
}

// Rank 0 deals the cells: what GPUs of several kinds would compute might differ.
void DividedRun::dealCells() {
  pointsOfCells_ = countPointsOfCells(run_, part_, division_);
  std::vector<Offer> toEach(ranks_);
  toEach[0] = {.data = pointsOfCells_.data(), .count = pointsOfCells_.size()};
  std::vector<Offer> from = exchange_.offer(std::move(toEach));
  toEach.assign(ranks_, {});
  std::vector<DeviceBuffer<std::uint32_t>> countsHere(ranks_);
  if (self_ == 0) {
    std::vector<const std::uint32_t*> counts(ranks_);
    for (std::size_t r = 0; r < ranks_; ++r) counts[r] = exchange_.readable(from[r], countsHere[r]);
    clusterloom::dealCells(run_, cuts_, counts, plan_.params, part_.dims, division_);
    toEach.assign(ranks_, {.data = division_.owner.data(), .count = division_.owner.size()});
  }
  from = exchange_.offer(std::move(toEach));
  if (self_ != 0) exchange_.take(from[0], 0, division_.owner.data());
  exchange_.done();
}

void DividedRun::divide() {
  enter(RankPhase::Divide);
  run_.task().report("dividing space", 0);
  std::vector<std::uint64_t> parts;
  for (const Offer& offer : exchange_.offer(std::vector<Offer>(ranks_, {.tag = part_.size})))
    parts.push_back(offer.tag);
  firstPoints_ = Runs(std::move(parts)).first;
  cutSpace();
  division_ = uploadDivision(run_, cuts_);
  dealCells();
  byOwner_ = orderByOwner(run_, part_, division_, static_cast<int>(ranks_));
  leaving_ = Runs(byOwner_.counts);
  settle(RankActivity::Busy);
}

void DividedRun::move() {
  enter(RankPhase::Move);
  run_.task().report("moving points", 0);
  const std::size_t dims = part_.dims;
  std::vector<Offer> orders(ranks_);
  for (std::size_t r = 0; r < ranks_; ++r)
    orders[r] = {.data = byOwner_.order.data() + leaving_.first[r], .count = leaving_.counts[r]};
  orders_ = exchange_.offer(std::move(orders));
  arriving_ = Runs(countsOf(orders_));
  origins_.ranks = static_cast<std::uint32_t>(ranks_);
  std::copy(arriving_.first.begin(), arriving_.first.end(), origins_.firstOwn);
  std::copy(firstPoints_.begin(), firstPoints_.end() - 1, origins_.firstPoint);
  const std::size_t own = arriving_.all();
  checkPoints(own);
  // Columns, with places for a few copies behind each, and then a byte for each point: whether
  // others may be near to it. All columns begin at a multiple of 32 places, so that what one rank
  // writes is as far from it in each.
  points_.size = own;
  points_.dims = dims;
  points_.gap = ranks_ > 1 ? own / 32 + 64 : 0;
  points_.gap += (32 - points_.stride() % 32) % 32;
  points_.coordinates =
      DeviceBuffer<double>(run_.lease(), dims * points_.stride() + doublesFor(own));
  std::vector<PeerExchange::Place> places(ranks_);
  for (std::size_t r = 0; r < ranks_; ++r)
    places[r] = {.columns = points_.coordinates.data(),
                 .count = points_.stride(),
                 .first = arriving_.first[r]};
  const std::vector<PeerExchange::Place> into = exchange_.open(std::move(places));

  // Points for ranks that are not reached are packed here, and staged.
  const auto packedFor = [&](std::size_t r) {
    const std::uint64_t count = leaving_.counts[r];
    return exchange_.reaches(static_cast<int>(r)) ? 0 : dims * count + doublesFor(count);
  };
  std::size_t packed = 0;
  for (std::size_t r = 0; r < ranks_; ++r) packed += packedFor(r);
  packed_ = DeviceBuffer<double>(run_.lease(), packed);
  PointTargets targets;
  std::vector<Offer> staged(ranks_);
  double* next = packed_.data();
  for (std::size_t r = 0; r < ranks_; ++r) {
    const std::uint64_t count = leaving_.counts[r];
    double* columns = into[r].columns;
    std::uint64_t stride = into[r].count;
    std::uint64_t first = into[r].first;
    if (packedFor(r) > 0) {
      staged[r] = {.data = next, .count = count};
      columns = next;
      stride = count;
      first = 0;
      next += packedFor(r);
    } else if (count > 0) {
      exchange_.await(into[r].ready);
    }
    auto* const outer = reinterpret_cast<std::uint8_t*>(columns + dims * stride);
    targets.ofRank[r] = {.columns = columns + first,
                         .outer = outer + first,
                         .stride = stride,
                         .first = leaving_.first[r],
                         .count = count};
  }
  sendPoints(run_, part_, targets, static_cast<int>(ranks_), static_cast<int>(self_), byOwner_);
  part_.coordinates = {};
  byOwner_.tags = {};
  exchange_.done();
  if (exchange_.staged()) {
    const std::vector<Offer> from = exchange_.offer(std::move(staged));
    for (std::size_t r = 0; r < ranks_; ++r) {
      for (std::size_t j = 0; j < dims; ++j)
        exchange_.take(from[r], j,
                       points_.coordinates.data() + j * points_.stride() + arriving_.first[r]);
      exchange_.take(from[r], dims * sizeof(double), outer() + arriving_.first[r]);
    }
    exchange_.done();
  }
  packed_ = {};
  settle(RankActivity::Moving);
}

// Makes each column `stride` values long.
void DividedRun::widen(std::size_t stride) {
  DeviceBuffer<double> columns(run_.lease(), points_.dims * stride);
  for (std::size_t j = 0; j < points_.dims; ++j)
    CUDA_CHECK(cudaMemcpyAsync(columns.data() + j * stride, points_.column(j),
                               points_.size * sizeof(double), cudaMemcpyDeviceToDevice,
                               run_.stream()));
  points_.coordinates = std::move(columns);
  points_.gap = stride - points_.size;
}

void DividedRun::addCopies() {
  enter(RankPhase::Ghosts);
  run_.task().report("finding ghosts", 0);
  const std::size_t own = points_.size;
  const std::size_t dims = points_.dims;
  BoundsSoFar bounds(run_, dims);  // while the host waits for other things
  bounds.add(points_, 0, own);
  border_ = borderPointsOf(run_, points_, division_.view, outer(), static_cast<int>(ranks_),
                           static_cast<int>(self_), plan_.fused.squaredEps);
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
  copies_ = Runs(countsOf(from));
  const std::size_t all = own + copies_.all();
  checkPoints(all);
  if (all > points_.stride()) widen(all);
  for (std::size_t r = 0; r < ranks_; ++r)
    for (std::size_t j = 0; j < dims; ++j)
      exchange_.take(from[r], j,
                     points_.coordinates.data() + j * points_.stride() + own + copies_.first[r]);
  points_.gap = points_.stride() - all;
  points_.size = all;
  exchange_.done();
  bounds.add(points_, own, copies_.all());
  if (all > 0) points_.bounds = bounds.read();
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

// A core copy is in a cluster of this rank and in a cluster of its owner: these two are linked.
// Each GPU joins the linked clusters of all ranks for itself, which takes less than to wait for
// another one.
void DividedRun::mergeClusters(const DeviceBuffer<std::int32_t>& copied,
                               const DeviceBuffer<std::int32_t>& copies,
                               const DeviceBuffer<std::uint32_t>& lowest) {
  DeviceBuffer<std::int32_t> theirs(run_.lease(), copies.size());
  std::vector<Offer> toEach(ranks_);
  for (std::size_t r = 0; r < ranks_; ++r)
    toEach[r] = {
        .data = copied.data() + copied_.first[r], .count = copied_.counts[r], .tag = lowest.size()};
  std::vector<Offer> from = exchange_.offer(std::move(toEach));
  for (std::size_t r = 0; r < ranks_; ++r)
    exchange_.take(from[r], 0, theirs.data() + copies_.first[r]);
  exchange_.done();

  std::vector<std::uint64_t> clusters;
  for (const Offer& offer : from) clusters.push_back(offer.tag);
  const Runs row(std::move(clusters));
  if (row.all() >= kNoPlace) check(checkClusterCount(row.all()));
  row_.ranks = static_cast<std::uint32_t>(ranks_);
  row_.self = static_cast<std::uint32_t>(self_);
  std::copy(copies_.first.begin(), copies_.first.end(), row_.firstCopy);
  std::copy(row.first.begin(), row.first.end(), row_.first);
  links_ = DeviceBuffer<LinkedPlaces>(run_.lease(), copies.size());
  linksOfCopies(run_, row_, copies.data(), theirs.data(), copies.size(), links_.data());
  lowestIds_ = DeviceBuffer<std::uint64_t>(run_.lease(), lowest.size());
  std::vector<DeviceBuffer<std::uint32_t>> ordersHere(ranks_);
  for (std::size_t r = 0; r < ranks_ && lowest.size() > 0; ++r)
    origins_.order[r] = exchange_.readable(orders_[r], ordersHere[r]);
  idsOfPoints(run_, origins_, lowest, lowestIds_.data());

  const std::vector<Offer> links =
      exchange_.offer(std::vector<Offer>(ranks_, {.data = links_.data(), .count = links_.size()}));
  const std::vector<Offer> ids = exchange_.offer(
      std::vector<Offer>(ranks_, {.data = lowestIds_.data(), .count = lowestIds_.size()}));
  std::vector<DeviceBuffer<LinkedPlaces>> linksHere(ranks_);
  std::vector<DeviceBuffer<std::uint64_t>> idsHere(ranks_);
  PartsOfRanks parts;
  for (std::size_t r = 0; r < ranks_; ++r)
    parts.ofRank[r] = {.links = exchange_.readable(links[r], linksHere[r]),
                       .linkCount = links[r].count,
                       .lowest = exchange_.readable(ids[r], idsHere[r])};
  heads_ = headsOfClusters(run_, row_, parts);
}

// Numbers the clusters of this rank that are their own heads by how many heads of all ranks come
// before, which the ranks that were given these points count. Then the clusters that are parts of
// others'. Collective.
void DividedRun::numberClusters(const DeviceBuffer<std::uint32_t>& lowest) {
  const OwnHeads heads = ownHeads(run_, row_, heads_);
  lowestOfHeads_ = DeviceBuffer<std::uint32_t>(run_.lease(), heads.count);
  gatherValues(run_, lowest.data(), heads.clusters.data(), heads.count, lowestOfHeads_.data());
  std::vector<Offer> toEach(ranks_);
  for (std::size_t r = 0; r < ranks_; ++r)
    toEach[r] = {.data = lowestOfHeads_.data(), .count = heads.count, .tag = arriving_.first[r]};
  std::vector<Offer> from = exchange_.offer(std::move(toEach));
  const Runs asked(countsOf(from));

  const std::size_t given = leaving_.all();
  DeviceBuffer<std::uint32_t> marks(run_.lease(), given / 32 + 1);
  marks.fillBytes(0);
  DeviceBuffer<std::uint32_t> points(run_.lease(), asked.all());
  std::vector<DeviceBuffer<std::uint32_t>> askedHere(ranks_);
  for (std::size_t r = 0; r < ranks_; ++r)
    markHeads(run_, exchange_.readable(from[r], askedHere[r]), from[r].count, from[r].tag,
              byOwner_.order.data() + leaving_.first[r], leaving_.counts[r],
              points.data() + asked.first[r], marks.data());
  const DeviceBuffer<std::uint32_t> before = marksBefore(run_, marks);
  answers_ = DeviceBuffer<std::uint32_t>(run_.lease(), asked.all() + ranks_);
  toEach.assign(ranks_, {});
  for (std::size_t r = 0; r < ranks_; ++r) {
    std::uint32_t* const answers = answers_.data() + asked.first[r] + r;
    countsBefore(run_, marks, before, static_cast<std::uint32_t>(given),
                 points.data() + asked.first[r], asked.counts[r], answers);
    toEach[r] = {.data = answers, .count = asked.counts[r] + 1};
  }
  from = exchange_.offer(std::move(toEach));
  std::vector<const std::uint32_t*> answers(ranks_);
  std::vector<DeviceBuffer<std::uint32_t>> answersHere(ranks_);
  for (std::size_t r = 0; r < ranks_; ++r) answers[r] = exchange_.readable(from[r], answersHere[r]);
  numbers_ = DeviceBuffer<std::int32_t>(run_.lease(), lowest.size());
  clusterCount_ = DeviceBuffer<std::uint64_t>(run_.lease(), 1);
  numberHeads(run_, origins_, answers, heads.clusters.data(), lowestOfHeads_.data(), heads.count,
              numbers_.data(), clusterCount_.data());

  toEach.assign(ranks_, {.data = numbers_.data(), .count = numbers_.size()});
  from = exchange_.offer(toEach);
  std::vector<const std::int32_t*> numbersOf(ranks_);
  std::vector<DeviceBuffer<std::int32_t>> numbersHere(ranks_);
  for (std::size_t r = 0; r < ranks_ && numbers_.size() > 0; ++r)
    numbersOf[r] = exchange_.readable(from[r], numbersHere[r]);
  numberParts(run_, row_, heads_, numbersOf, numbers_.data());
  // With those of the parts. To read them one by one from another GPU would take long.
  from = exchange_.offer(std::move(toEach));
  numbersOf_.resize(ranks_);
  for (std::size_t r = 0; r < ranks_; ++r) {
    if (r == self_ || leaving_.counts[r] == 0) continue;
    numbersOf_[r] = DeviceBuffer<std::int32_t>(run_.lease(), from[r].count);
    exchange_.take(from[r], 0, numbersOf_[r].data());
  }
  exchange_.done();
}

const std::int32_t* DividedRun::number(const DeviceBuffer<std::int32_t>& copied,
                                       const DeviceBuffer<std::int32_t>& copies,
                                       const DeviceBuffer<std::uint32_t>& lowest) {
  report_.cluster = watch_.lap();
  enter(RankPhase::Merge);
  run_.task().report("merging clusters", 0);
  // All ranks wait here for the slowest, so that a record tells their waiting from the rest.
  if (record_ != nullptr) check(communicator_.barrier(run_.task()));
  mergeClusters(copied, copies, lowest);
  settle(RankActivity::Busy);

  enter(RankPhase::Number);
  run_.task().report("border points", 0);
  numberClusters(lowest);
  return numbers_.data();
}

// Labels and roles go back to the ranks that were given the points, into their order.
void DividedRun::sendBack(DividedLabels& answer) {
  answer.labels = DeviceBuffer<std::int32_t>(run_.lease(), leaving_.all());
  if (plan_.roles) answer.roles = DeviceBuffer<std::uint8_t>(run_.lease(), leaving_.all());
  std::vector<Offer> words(ranks_);
  for (std::size_t r = 0; r < ranks_; ++r) {
    const std::uint64_t count = arriving_.counts[r];
    if (count > 0) words[r] = {.data = found_.labels.data() + arriving_.first[r], .count = count};
  }
  const std::vector<Offer> from = exchange_.offer(std::move(words));
  std::vector<DeviceBuffer<std::int32_t>> wordsHere(ranks_);
  AnswerSources sources;
  for (std::size_t r = 0; r < ranks_; ++r)
    sources.ofRank[r] = {.words = exchange_.readable(from[r], wordsHere[r]),
                         .numbers = r == self_ ? numbers_.data() : numbersOf_[r].data(),
                         .first = leaving_.first[r],
                         .count = leaving_.counts[r]};
  fetchAnswers(run_, sources, static_cast<int>(ranks_), static_cast<int>(self_), byOwner_.order,
               answer.labels.data(), answer.roles.data());
  exchange_.done();
}

DividedLabels DividedRun::labels() {
  const Stopwatch total;
  // Ranks may own a little more than they were given.
  run_.reserve(static_cast<std::uint64_t>(1.2 * bytesOfDividedPoint(part_.dims) *
                                          static_cast<double>(part_.size)));
  communicator_.host().copy(report_.host.data(), report_.host.size() - 1);
  divide();
  move();
  addCopies();
  report_.divide = watch_.lap();
  enter(RankPhase::Join);
  run_.task().report("clustering", 0);
  if (own() > 0) {
    found_ = fusedLabels(run_, points_, plan_.params, plan_.fused, this);
  } else {
    // Others' points may be near to the empty cells that this rank owns.
    DeviceBuffer<std::uint8_t> cores(run_.lease(), copies_.all());
    shareCores({}, cores);
    DeviceBuffer<std::int32_t> noClusters(run_.lease(), copies_.all());
    noClusters.fillBytes(0xff);
    number({}, noClusters, {});
  }
  DividedLabels answer;
  sendBack(answer);
  // The number of clusters of all ranks, and the clusters, core and border points of this one.
  const auto totals = run_.mailbox<std::uint64_t>(3);
  std::fill(totals.begin(), totals.end(), std::uint64_t{0});
  clusterCount_.download(totals.first(1));
  found_.totals.download({reinterpret_cast<std::uint32_t*>(&totals[1]), found_.totals.size()});
  run_.wait();
  check(checkClusterCount(totals[0]));
  const auto* const here = reinterpret_cast<const std::uint32_t*>(&totals[1]);
  answer.order = std::move(byOwner_.order);
  answer.sent = leaving_.counts;
  answer.clusters = static_cast<std::int32_t>(totals[0]);
  report_.merge = watch_.lap();
  report_.total = total.seconds();
  if (record_ != nullptr) record_->leave();
  struct Ended {
    RankReport report;
    std::uint64_t core;
    std::uint64_t border;
  };
  for (const Ended& rank :
       valueOf(communicator_.allGather(Ended{report_, here[1], here[2]}, run_.task()))) {
    answer.ranks.push_back(rank.report);
    answer.coreCount += rank.core;
    answer.borderCount += rank.border;
    answer.noiseCount += rank.report.points - rank.core - rank.border;
  }
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
