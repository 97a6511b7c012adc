#include "engine/distributed/distributed_dbscan.h"

#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <sstream>

#include "engine/blocks/division_view.h"
#include "engine/cloud/stratified_sample.h"
#include "engine/core/predicate.h"
#include "engine/core/stopwatch.h"
#include "engine/cpu/cpu_backend.h"
#include "engine/distributed/cluster_numbers.h"
#include "engine/distributed/divide_space.h"
#include "engine/distributed/move_points.h"

namespace clusterloom {
namespace {

constexpr std::uint64_t kPairsAtOnce = std::uint64_t{1} << 22;

// The points of a rank after the move. Own points come first, then ghosts by rank.
struct Held {
  Held(const DbscanParams& dbscan, const Backend& joins, const Task& runTask)
      : params(dbscan), backend(joins), task(runTask) {}

  const DbscanParams& params;
  const Backend& backend;  // for joins of two clouds
  const Task& task;
  PointCloud points;
  std::size_t own = 0;
  std::vector<std::uint64_t> ids;  // of own points, in the whole cloud
  Route ghosts;
  std::vector<std::int32_t> ghostClusters;  // the owner's cluster of a core ghost, else kNoise
  std::vector<std::uint32_t> border;        // own points that are ghosts elsewhere, ascending

  std::size_t ghostCount() const { return points.size() - own; }
};

bool isCore(const Clustering& local, std::size_t p) { return local.roles[p] == PointRole::Core; }

// Ghosts that are core, but have too few neighbours among the points here to be seen as core.
std::vector<std::uint32_t> unseenCores(const Held& held, const Clustering& local) {
  std::vector<std::uint32_t> unseen;
  for (std::size_t g = 0; g < held.ghostCount(); ++g)
    if (held.ghostClusters[g] >= 0 && !isCore(local, held.own + g))
      unseen.push_back(std::uint32_t(held.own + g));
  return unseen;
}

// The rank that owns each ghost.
std::vector<std::int32_t> ownersOf(const Route& ghosts) {
  std::vector<std::int32_t> owners;
  owners.reserve(ghosts.arriving());
  for (std::size_t r = 0; r < ghosts.received.size(); ++r)
    owners.insert(owners.end(), ghosts.received[r], std::int32_t(r));
  return owners;
}

// Links by core ghosts: those seen as core are in a cluster here; the others are joined with the
// own core points near them, which are ghosts at their owners.
Result<std::vector<ClusterLink>> linksOf(const Held& held, const Clustering& local,
                                         const std::vector<std::uint32_t>& unseen) {
  const std::vector<std::int32_t> owners = ownersOf(held.ghosts);
  const auto linkTo = [&](std::int32_t own, std::size_t ghost) {
    return ClusterLink{own, {owners[ghost], held.ghostClusters[ghost]}};
  };
  std::vector<ClusterLink> links;
  const auto tidy = [&] {
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
  };
  for (std::size_t g = 0; g < held.ghostCount(); ++g)
    if (held.ghostClusters[g] >= 0 && isCore(local, held.own + g))
      links.push_back(linkTo(local.labels[held.own + g], g));
  tidy();

  std::vector<std::uint32_t> cores;
  std::copy_if(held.border.begin(), held.border.end(), std::back_inserter(cores),
               [&](std::uint32_t p) { return isCore(local, p); });
  if (unseen.empty() || cores.empty()) return links;
  const PointCloud coreCloud = pointsOf(held.points, cores);
  // Such a ghost has fewer than minPts neighbours here.
  const std::uint64_t most =
      std::min<std::uint64_t>(std::uint64_t(held.params.minPts), cores.size());
  const std::size_t atOnce = std::max<std::uint64_t>(1, kPairsAtOnce / most);
  for (std::size_t first = 0; first < unseen.size(); first += atOnce) {
    const std::vector<std::uint32_t> some(
        unseen.begin() + std::ptrdiff_t(first),
        unseen.begin() + std::ptrdiff_t(std::min(unseen.size(), first + atOnce)));
    const PointCloud queries = pointsOf(held.points, some);
    const auto pairs =
        held.backend.pairs(JoinInput(queries, coreCloud), held.params.eps, Strategy{}, held.task);
    if (!pairs) return tl::unexpected(pairs.error());
    for (const Pair& pair : pairs->pairs)
      links.push_back(
          linkTo(local.labels[cores[std::size_t(pair.q)]], some[std::size_t(pair.p)] - held.own));
    tidy();
  }
  return links;
}

RankClusters clustersOf(const Held& held, const Clustering& local, std::vector<ClusterLink> links) {
  RankClusters clusters;
  const auto count = std::size_t(local.clusters);
  clusters.lowest.assign(count, RankClusters::kNoPoint);
  for (std::size_t p = 0; p < held.own; ++p) {
    if (!isCore(local, p)) continue;
    std::uint64_t& lowest = clusters.lowest[std::size_t(local.labels[p])];
    lowest = std::min(lowest, held.ids[p]);
  }
  clusters.shared.assign(count, 0);
  for (const std::uint32_t p : held.border)
    if (isCore(local, p)) clusters.shared[std::size_t(local.labels[p])] = 1;
  for (const ClusterLink& link : links) clusters.shared[std::size_t(link.own)] = 1;
  clusters.links = std::move(links);
  return clusters;
}

// Gives border points the lowest final number within ε. `local` chose the lowest of its own
// numbers: that is another cluster only where the final numbers have another order, and where a
// core ghost was not seen as core. `labels` holds the final numbers of the local choices; only
// the points that these two cases concern are joined again.
Result<void> lowerBorders(const Held& held, const Clustering& local,
                          const std::vector<std::int32_t>& numbers,
                          const std::vector<std::uint32_t>& unseen,
                          const std::vector<std::int32_t>& ghostNumbers,
                          std::vector<std::int32_t>& labels) {
  constexpr std::int32_t kHighest = std::numeric_limits<std::int32_t>::max();
  const std::size_t clusters = numbers.size();
  // Clusters that come before one that is in front of them here.
  std::vector<std::uint8_t> moved(clusters, 0);
  std::int32_t highest = -1;
  for (std::size_t c = 0; c < clusters; ++c) {
    moved[c] = numbers[c] < highest;
    highest = std::max(highest, numbers[c]);
  }
  std::vector<std::int32_t> lowestAfter(clusters, kHighest);  // of the clusters behind
  for (std::size_t c = clusters; c-- > 1;)
    lowestAfter[c - 1] = std::min(lowestAfter[c], numbers[c]);

  std::vector<std::uint32_t> points = unseen;
  for (std::size_t p = 0; p < held.points.size(); ++p)
    if (isCore(local, p) && moved[std::size_t(local.labels[p])]) points.push_back(std::uint32_t(p));
  std::vector<std::uint8_t> asks(held.own, 0);
  if (!unseen.empty())
    for (const std::uint32_t p : held.border) asks[p] = !isCore(local, p);
  for (std::size_t p = 0; p < held.own; ++p)
    if (local.roles[p] == PointRole::Border) {
      const auto c = std::size_t(local.labels[p]);
      asks[p] = asks[p] || lowestAfter[c] < numbers[c];
    }
  std::vector<std::uint32_t> queries;
  for (std::size_t p = 0; p < held.own; ++p)
    if (asks[p]) queries.push_back(std::uint32_t(p));
  if (points.empty() || queries.empty()) return {};

  std::vector<std::int32_t> given(points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    given[i] = isCore(local, points[i]) ? numbers[std::size_t(local.labels[points[i]])]
                                        : ghostNumbers[points[i] - held.own];
  const PointCloud queryCloud = pointsOf(held.points, queries);
  const PointCloud pointCloud = pointsOf(held.points, points);
  const auto found = held.backend.lowestLabels(JoinInput(queryCloud, pointCloud), given,
                                               held.params.eps, Strategy{}, held.task);
  if (!found) return tl::unexpected(found.error());
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const std::int32_t label = found->labels[i];
    std::int32_t& now = labels[queries[i]];
    if (label != kNoise && (now == kNoise || label < now)) now = label;
  }
  return {};
}

// On rank 0: how the first rank that has points has run its backend, with the notes of all ranks.
Result<RunStats> statsOfRanks(Communicator& communicator, const RunStats& own, const Task& task) {
  std::string text = own.backend + '\n' + std::to_string(own.threads) + '\n' + own.strategy + '\n' +
                     std::to_string(own.indexedDims) + '\n' + own.note;
  const auto all = communicator.gather(0, std::span<const char>(text), task);
  if (!all) return tl::unexpected(all.error());
  RunStats stats;
  std::vector<std::string> notes;
  for (const auto& one : *all) {
    std::istringstream lines(std::string(one.begin(), one.end()));
    RunStats of;
    std::getline(lines, of.backend);
    lines >> of.threads >> std::ws;
    std::getline(lines, of.strategy);
    lines >> of.indexedDims;
    lines.ignore(1);
    std::getline(lines, of.note);
    if (of.backend.empty()) continue;
    if (stats.backend.empty()) {
      stats = of;
      stats.note.clear();
    }
    if (std::find(notes.begin(), notes.end(), of.note) == notes.end()) notes.push_back(of.note);
  }
  for (const std::string& note : notes) addNote(stats, note);
  return stats;
}

// The square of the distance of two neighbours at most, by NearOwners. The factor is above the
// rounding of the few sums of a Manhattan distance.
double squaredReachOf(Metric metric, double squaredEps) {
  constexpr double kAboveRounding = 1 + 0x1p-40;
  return metric == Metric::Manhattan ? kAboveRounding * squaredEps : squaredEps;
}

// DBSCAN of one rank's part; its phases follow each other on all ranks.
class DistributedRun {
 public:
  DistributedRun(Communicator& communicator, const DbscanParams& params, const Backend& backend,
                 const Strategy& strategy, const Backend& joins, const DistributedOptions& options,
                 const Task& task)
      : communicator_(communicator),
        params_(params),
        backend_(backend),
        strategy_(strategy),
        options_(options),
        task_(task),
        held_(params, joins, task) {}

  Result<DistributedClustering> run(PointCloud part) {
    communicator_.host().copy(report_.host.data(), report_.host.size() - 1);
    report_.read = part.size();
    Result<void> done = move(std::move(part));
    if (done) done = addGhosts();
    if (done) done = cluster();
    if (done) done = merge();
    if (done) done = number();
    if (done) done = sendAnswer();
    if (done) done = sumUp();
    if (!done) return tl::unexpected(done.error());
    return std::move(answer_);
  }

 private:
  void enter(RankPhase phase) {
    if (options_.record != nullptr) options_.record->enter(phase);
  }

  std::size_t self() const { return std::size_t(communicator_.rank()); }

  // Divides space, and moves the points to their owners.
  Result<void> move(PointCloud part) {
    enter(RankPhase::Divide);
    const auto squared = epsSquared(params_.eps);
    if (!squared) return tl::unexpected(squared.error());
    squaredReach_ = squaredReachOf(options_.metric, *squared);
    if (auto fine =
            checkParts(communicator_, part, params_, task_, options_.rowOf, options_.metric);
        !fine)
      return fine;
    auto first = firstPointsOfRanks(communicator_, part.size(), task_);
    if (!first) return tl::unexpected(first.error());
    firstPoints_ = std::move(*first);
    task_.report("dividing space", 0);
    auto divided = divideSpace(communicator_, part, params_, task_);
    if (!divided) return tl::unexpected(divided.error());
    auto owners = routeToOwners(communicator_, *divided, task_);
    if (!owners) return tl::unexpected(owners.error());
    owners_ = std::move(*owners);
    division_ = std::move(divided->division);
    divided->cells = {};

    task_.report("moving points", 0);
    enter(RankPhase::Move);
    auto moved = movePoints(communicator_, owners_, std::move(part), task_);
    if (!moved) return tl::unexpected(moved.error());
    held_.points = std::move(*moved);
    held_.own = held_.points.size();
    held_.ids.resize(held_.own);
    std::vector<std::uint64_t> ids(report_.read);
    std::iota(ids.begin(), ids.end(), firstPoints_[self()]);
    return sendAlong(communicator_, owners_, std::span<const std::uint64_t>(ids),
                     std::span(held_.ids), task_);
  }

  Result<void> addGhosts() {
    enter(RankPhase::Ghosts);
    auto ghosts = routeOfGhosts(communicator_, division_, held_.points, squaredReach_,
                                options_.metric, task_);
    if (!ghosts) return tl::unexpected(ghosts.error());
    held_.ghosts = std::move(*ghosts);
    held_.border = held_.ghosts.order;
    std::sort(held_.border.begin(), held_.border.end());
    held_.border.erase(std::unique(held_.border.begin(), held_.border.end()), held_.border.end());
    const std::size_t dims = held_.points.dims();
    if (auto done = appendGhosts(communicator_, held_.ghosts, held_.points, task_); !done)
      return done;
    report_.points = held_.own;
    report_.ghosts = held_.ghostCount();
    report_.bytesSent =
        owners_.leaving(communicator_.rank()) * (8 * dims + sizeof(std::uint64_t)) +
        held_.ghosts.leaving(communicator_.rank()) * (8 * dims + 2 * sizeof(std::int32_t)) +
        (owners_.arriving() - owners_.received[self()]) * sizeof(std::int32_t);
    report_.divide = watch_.lap();
    return {};
  }

  Result<void> cluster() {
    enter(RankPhase::Join);
    if (held_.own > 0) {
      auto answer = backend_.dbscan(held_.points, params_, strategy_, task_);
      if (!answer) return tl::unexpected(answer.error());
      local_ = std::move(*answer);
    }
    report_.cluster = watch_.lap();
    return {};
  }

  // Numbers the clusters of all ranks.
  Result<void> merge() {
    task_.report("merging clusters", 0);
    enter(RankPhase::Merge);
    // The next messages need all ranks: those that are done wait here, and a record tells their
    // waiting from the time of the messages.
    if (auto all = communicator_.barrier(task_); !all) return all;
    labels_.resize(held_.own);
    for (std::size_t p = 0; p < held_.own; ++p)
      labels_[p] = isCore(local_, p) ? local_.labels[p] : kNoise;
    held_.ghostClusters.resize(held_.ghostCount());
    if (auto done = sendToGhosts(held_.ghostClusters); !done) return done;
    unseen_ = unseenCores(held_, local_);
    auto links = linksOf(held_, local_, unseen_);
    if (!links) return tl::unexpected(links.error());
    auto numbering = numberClustersOfRanks(
        communicator_, clustersOf(held_, local_, std::move(*links)), firstPoints_, task_);
    if (!numbering) return tl::unexpected(numbering.error());
    numbering_ = std::move(*numbering);
    return {};
  }

  // Gives the points these numbers, border points the lowest.
  Result<void> number() {
    task_.report("border points", 0);
    enter(RankPhase::Number);
    const std::vector<std::int32_t>& numbers = numbering_.numbers;
    for (std::int32_t& cluster : labels_)
      if (cluster >= 0) cluster = numbers[std::size_t(cluster)];
    std::vector<std::int32_t> ghostNumbers(held_.ghostCount());
    if (auto done = sendToGhosts(ghostNumbers); !done) return done;
    for (std::size_t p = 0; p < held_.own; ++p)
      if (local_.labels[p] >= 0) labels_[p] = numbers[std::size_t(local_.labels[p])];
    return lowerBorders(held_, local_, numbers, unseen_, ghostNumbers, labels_);
  }

  Result<void> sendToGhosts(std::vector<std::int32_t>& ofGhosts) {
    return sendAlong(communicator_, held_.ghosts, std::span<const std::int32_t>(labels_),
                     std::span(ofGhosts), task_);
  }

  // Labels, and roles where they are asked for, in the order in which the points were read.
  Result<void> sendAnswer() {
    answer_.clusters = numbering_.clusters;
    answer_.labels.resize(report_.read);
    if (auto done = sendBack(communicator_, owners_, std::span<const std::int32_t>(labels_),
                             std::span(answer_.labels), task_);
        !done || !options_.roles)
      return done;
    std::vector<PointRole> roles(held_.own);
    for (std::size_t p = 0; p < held_.own; ++p)
      roles[p] = isCore(local_, p)      ? PointRole::Core
                 : labels_[p] == kNoise ? PointRole::Noise
                                        : PointRole::Border;
    answer_.owners.resize(report_.read);
    std::size_t row = 0;
    for (std::size_t r = 0; r < owners_.sent.size(); ++r)
      for (std::size_t i = 0; i < owners_.sent[r]; ++i)
        answer_.owners[owners_.order[row++]] = std::uint16_t(r);
    answer_.roles.resize(report_.read);
    return sendBack(communicator_, owners_, std::span<const PointRole>(roles),
                    std::span(answer_.roles), task_);
  }

  // The counts of all ranks, and their reports.
  Result<void> sumUp() {
    std::uint64_t cores = 0;
    for (std::size_t p = 0; p < held_.own; ++p) cores += isCore(local_, p);
    std::uint64_t counts[] = {held_.own, cores,
                              std::uint64_t(std::count(labels_.begin(), labels_.end(), kNoise))};
    if (auto done = communicator_.allReduce(std::span<std::uint64_t>(counts), std::plus<>(), task_);
        !done)
      return done;
    answer_.points = counts[0];
    answer_.coreCount = counts[1];
    answer_.noiseCount = counts[2];
    answer_.borderCount = counts[0] - counts[1] - counts[2];
    report_.merge = watch_.lap();
    report_.total = total_.seconds();
    if (options_.record != nullptr) options_.record->leave();
    auto reports = communicator_.allGather(report_, task_);
    if (!reports) return tl::unexpected(reports.error());
    answer_.ranks = std::move(*reports);
    RunStats stats = std::move(local_.stats);
    // That a part has fewer points than minPts means nothing for the whole cloud.
    const auto minPts = std::uint64_t(params_.minPts);
    if (held_.points.size() < minPts && minPts <= firstPoints_.back()) stats.note.clear();
    auto shown = statsOfRanks(communicator_, stats, task_);
    if (!shown) return tl::unexpected(shown.error());
    answer_.stats = std::move(*shown);
    return {};
  }

  Communicator& communicator_;
  const DbscanParams& params_;
  const Backend& backend_;
  const Strategy& strategy_;
  const DistributedOptions& options_;
  const Task& task_;
  Stopwatch total_;
  Stopwatch watch_;
  RankReport report_;
  double squaredReach_ = 0;
  std::vector<std::uint64_t> firstPoints_;  // of each rank in the whole cloud, and the end
  SpaceDivision division_;
  Route owners_;
  Held held_;
  Clustering local_;                   // of own points and ghosts
  std::vector<std::int32_t> labels_;   // of own points: the core points' clusters, then all numbers
  std::vector<std::uint32_t> unseen_;  // as unseenCores
  ClusterNumbering numbering_;
  DistributedClustering answer_;
};

}  // namespace

Result<DistributedClustering> distributedDbscan(Communicator& communicator, PointCloud part,
                                                const DbscanParams& params, const Backend& backend,
                                                const Strategy& strategy,
                                                const DistributedOptions& options,
                                                const Task& task) {
  const int threads = options.threads > 0 ? options.threads : tbb::info::default_concurrency();
  // Joins of two clouds are small here: a backend without them leaves them to the CPU.
  const auto cpu = backend.limits().twoClouds ? nullptr : makeCpuBackend(threads);
  const Backend& joins = cpu ? *cpu : backend;
  tbb::task_arena arena(threads);
  return arena.execute([&] {
    return DistributedRun(communicator, params, backend, strategy, joins, options, task)
        .run(std::move(part));
  });
}

std::vector<RankStats> rankStatsOf(const std::vector<RankReport>& reports,
                                   std::vector<std::vector<RankSpan>> spans) {
  std::vector<RankStats> all;
  for (std::size_t r = 0; r < reports.size(); ++r) {
    const RankReport& report = reports[r];
    RankStats rank;
    rank.name = report.host.data();
    rank.read = report.read;
    rank.points = report.points;
    rank.ghosts = report.ghosts;
    rank.bytesSent = report.bytesSent;
    if (r < spans.size()) rank.spans = std::move(spans[r]);
    rank.join = report.cluster;
    rank.waiting = secondsOf(rank.spans, RankActivity::Waiting);
    rank.end = rank.spans.empty() ? report.total : rank.spans.back().end;
    all.push_back(std::move(rank));
  }
  return all;
}

StageSeconds stageSecondsOf(const std::vector<RankStats>& ranks) {
  StageSeconds stages;
  for (const RankStats& rank : ranks) {
    const auto seconds = [&](auto... phases) { return (secondsIn(rank.spans, phases) + ...); };
    stages.index = std::max(stages.index, seconds(RankPhase::Read, RankPhase::Divide,
                                                  RankPhase::Move, RankPhase::Ghosts));
    stages.join = std::max(stages.join, seconds(RankPhase::Join));
    stages.label =
        std::max(stages.label, seconds(RankPhase::Merge, RankPhase::Number, RankPhase::Write));
  }
  return stages;
}

}  // namespace clusterloom
