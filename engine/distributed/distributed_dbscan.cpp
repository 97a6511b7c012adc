#include "engine/distributed/distributed_dbscan.h"

#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>
#include <sstream>

#include "engine/core/predicate.h"
#include "engine/core/stopwatch.h"
#include "engine/cpu/cpu_backend.h"
#include "engine/distributed/cluster_numbers.h"
#include "engine/distributed/move_points.h"
#include "engine/distributed/space_division.h"
#include "engine/join/join_plan.h"
#include "engine/version.h"

namespace clusterloom {
namespace {

constexpr std::uint64_t kPairsAtOnce = std::uint64_t{1} << 22;

// A number that differs when the ranks were not called alike (FNV-1a).
class Fingerprint {
 public:
  Fingerprint& add(std::string_view text) {
    for (const char c : text) step(static_cast<unsigned char>(c));
    step(0xff);
    return *this;
  }
  Fingerprint& add(std::uint64_t value) {
    for (int i = 0; i < 64; i += 8) step(static_cast<unsigned char>(value >> i));
    return *this;
  }
  std::uint64_t value() const { return value_; }

 private:
  void step(unsigned char byte) { value_ = (value_ ^ byte) * 0x100000001b3ULL; }
  std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

// BadInput on the ranks whose call differs from that of rank 0.
Result<void> checkAlike(Communicator& communicator, const PointCloud& part,
                        const DbscanParams& params, const Task& task) {
  struct Call {
    std::uint64_t program;
    std::uint64_t columns;
    std::uint64_t parameters;
  };
  Fingerprint columns;
  for (const std::string& name : part.names) columns.add(name);
  Call call{.program = Fingerprint().add(kVersion).add(__VERSION__).value(),
            .columns = columns.add(part.dims()).value(),
            .parameters = Fingerprint()
                              .add(std::bit_cast<std::uint64_t>(params.eps))
                              .add(static_cast<std::uint64_t>(params.minPts))
                              .value()};
  const Call own = call;
  if (auto sent = communicator.broadcast(0, std::span(&call, 1), task); !sent) return sent;
  if (own.program != call.program)
    return fail(ErrorKind::BadInput, std::string("This rank runs version ") + kVersion +
                                         " of the program, built by another compiler or from "
                                         "other sources than that of rank 0. Install the same "
                                         "build everywhere.");
  if (own.columns != call.columns)
    return fail(ErrorKind::BadInput, "This rank's part has " + std::to_string(part.dims()) +
                                         " dimensions, or names of columns, that differ from those "
                                         "of rank 0. Give all ranks the same file.");
  if (own.parameters != call.parameters)
    return fail(ErrorKind::BadInput, "This rank was called with another ε or minPts than rank 0.");
  return communicator.barrier(task);
}

// What a rank holds once the points have moved. Own points come first, then ghosts by rank.
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

PointCloud selected(const PointCloud& cloud, const std::vector<std::uint32_t>& which) {
  PointCloud some;
  some.names = cloud.names;
  for (const auto& column : cloud.columns) {
    std::vector<double>& into = some.columns.emplace_back(which.size());
    for (std::size_t i = 0; i < which.size(); ++i) into[i] = column[which[i]];
  }
  return some;
}

bool isCore(const Clustering& local, std::size_t p) { return local.roles[p] == PointRole::Core; }

// Ghosts that are core, but have too few neighbours among the points here to be seen as core.
std::vector<std::uint32_t> unseenCores(const Held& held, const Clustering& local) {
  std::vector<std::uint32_t> unseen;
  for (std::size_t g = 0; g < held.ghostCount(); ++g)
    if (held.ghostClusters[g] >= 0 && !isCore(local, held.own + g))
      unseen.push_back(static_cast<std::uint32_t>(held.own + g));
  return unseen;
}

// The rank that owns each ghost.
std::vector<std::int32_t> ownersOf(const Route& ghosts) {
  std::vector<std::int32_t> owners;
  owners.reserve(ghosts.arriving());
  for (std::size_t r = 0; r < ghosts.received.size(); ++r)
    owners.insert(owners.end(), ghosts.received[r], static_cast<std::int32_t>(r));
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
  const PointCloud coreCloud = selected(held.points, cores);
  // Such a ghost has fewer than minPts neighbours here.
  const std::uint64_t most =
      std::min<std::uint64_t>(static_cast<std::uint64_t>(held.params.minPts), cores.size());
  const std::size_t atOnce = std::max<std::uint64_t>(1, kPairsAtOnce / most);
  for (std::size_t first = 0; first < unseen.size(); first += atOnce) {
    const std::vector<std::uint32_t> some(
        unseen.begin() + static_cast<std::ptrdiff_t>(first),
        unseen.begin() + static_cast<std::ptrdiff_t>(std::min(unseen.size(), first + atOnce)));
    const PointCloud queries = selected(held.points, some);
    const auto pairs =
        held.backend.pairs(JoinInput(queries, coreCloud), held.params.eps, Strategy{}, held.task);
    if (!pairs) return tl::unexpected(pairs.error());
    for (const Pair& pair : pairs->pairs)
      links.push_back(linkTo(local.labels[cores[static_cast<std::size_t>(pair.q)]],
                             some[static_cast<std::size_t>(pair.p)] - held.own));
    tidy();
  }
  return links;
}

RankClusters clustersOf(const Held& held, const Clustering& local, std::vector<ClusterLink> links) {
  RankClusters clusters;
  const auto count = static_cast<std::size_t>(local.clusters);
  clusters.lowest.assign(count, RankClusters::kNoPoint);
  for (std::size_t p = 0; p < held.own; ++p) {
    if (!isCore(local, p)) continue;
    std::uint64_t& lowest = clusters.lowest[static_cast<std::size_t>(local.labels[p])];
    lowest = std::min(lowest, held.ids[p]);
  }
  clusters.shared.assign(count, 0);
  for (const std::uint32_t p : held.border)
    if (isCore(local, p)) clusters.shared[static_cast<std::size_t>(local.labels[p])] = 1;
  for (const ClusterLink& link : links) clusters.shared[static_cast<std::size_t>(link.own)] = 1;
  clusters.links = std::move(links);
  return clusters;
}

// Gives border points the lowest final number within ε. `local` chose the lowest of its own
// numbers: that is another cluster only where the final numbers have another order, and where a
// core ghost was not seen as core. `labels` holds the final numbers of the local choices; so many
// points are joined anew as these two cases concern.
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
    if (isCore(local, p) && moved[static_cast<std::size_t>(local.labels[p])])
      points.push_back(static_cast<std::uint32_t>(p));
  std::vector<std::uint8_t> asks(held.own, 0);
  if (!unseen.empty())
    for (const std::uint32_t p : held.border) asks[p] = !isCore(local, p);
  for (std::size_t p = 0; p < held.own; ++p)
    if (local.roles[p] == PointRole::Border) {
      const auto c = static_cast<std::size_t>(local.labels[p]);
      asks[p] = asks[p] || lowestAfter[c] < numbers[c];
    }
  std::vector<std::uint32_t> queries;
  for (std::size_t p = 0; p < held.own; ++p)
    if (asks[p]) queries.push_back(static_cast<std::uint32_t>(p));
  if (points.empty() || queries.empty()) return {};

  std::vector<std::int32_t> given(points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    given[i] = isCore(local, points[i]) ? numbers[static_cast<std::size_t>(local.labels[points[i]])]
                                        : ghostNumbers[points[i] - held.own];
  const PointCloud queryCloud = selected(held.points, queries);
  const PointCloud pointCloud = selected(held.points, points);
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

Result<DistributedClustering> run(Communicator& communicator, PointCloud part,
                                  const DbscanParams& params, const Backend& backend,
                                  const Strategy& strategy, const Backend& joins,
                                  const DistributedOptions& options, const Task& task) {
  const auto enter = [&](RankPhase phase) {
    if (options.record != nullptr) options.record->enter(phase);
  };
  enter(RankPhase::Divide);
  Stopwatch total;
  Stopwatch watch;
  RankReport report;
  communicator.host().copy(report.host.data(), report.host.size() - 1);
  report.read = part.size();
  const auto squaredEps = epsSquared(params.eps);
  if (!squaredEps) return tl::unexpected(squaredEps.error());
  if (auto fine = checkParts(communicator, part, params, task); !fine)
    return tl::unexpected(fine.error());
  const auto firstPoints = firstPointsOfRanks(communicator, part.size(), task);
  if (!firstPoints) return tl::unexpected(firstPoints.error());
  const auto self = static_cast<std::size_t>(communicator.rank());

  task.report("dividing space", 0);
  auto divided = divideSpace(communicator, part, params, task);
  if (!divided) return tl::unexpected(divided.error());
  const SpaceDivision& division = divided->division;
  const auto owners = routeToOwners(communicator, *divided, task);
  if (!owners) return tl::unexpected(owners.error());
  divided->cells = {};
  const std::size_t rows = part.size();
  const std::size_t dims = part.dims();

  task.report("moving points", 0);
  enter(RankPhase::Move);
  auto moved = movePoints(communicator, *owners, std::move(part), task);
  if (!moved) return tl::unexpected(moved.error());
  Held held(params, joins, task);
  held.points = std::move(*moved);
  held.own = held.points.size();
  held.ids.resize(held.own);
  {
    std::vector<std::uint64_t> ids(rows);
    std::iota(ids.begin(), ids.end(), (*firstPoints)[self]);
    if (auto done = sendAlong(communicator, *owners, std::span<const std::uint64_t>(ids),
                              std::span(held.ids), task);
        !done)
      return tl::unexpected(done.error());
  }
  enter(RankPhase::Ghosts);
  auto ghosts = routeOfGhosts(communicator, division, held.points, *squaredEps, task);
  if (!ghosts) return tl::unexpected(ghosts.error());
  held.ghosts = std::move(*ghosts);
  held.border = held.ghosts.order;
  std::sort(held.border.begin(), held.border.end());
  held.border.erase(std::unique(held.border.begin(), held.border.end()), held.border.end());
  if (auto done = appendGhosts(communicator, held.ghosts, held.points, task); !done)
    return tl::unexpected(done.error());
  report.points = held.own;
  report.ghosts = held.ghostCount();
  report.bytesSent =
      owners->leaving(communicator.rank()) * (8 * dims + sizeof(std::uint64_t)) +
      held.ghosts.leaving(communicator.rank()) * (8 * dims + 2 * sizeof(std::int32_t)) +
      (owners->arriving() - owners->received[self]) * sizeof(std::int32_t);
  report.divide = watch.lap();

  enter(RankPhase::Join);
  Clustering local;
  if (held.own > 0) {
    auto answer = backend.dbscan(held.points, params, strategy, task);
    if (!answer) return tl::unexpected(answer.error());
    local = std::move(*answer);
  }
  report.cluster = watch.lap();

  task.report("merging clusters", 0);
  enter(RankPhase::Merge);
  // The next messages need all ranks: those that are done wait here, and a record tells their
  // waiting from the time of the messages.
  if (auto all = communicator.barrier(task); !all) return tl::unexpected(all.error());
  std::vector<std::int32_t> coreClusters(held.own);
  for (std::size_t p = 0; p < held.own; ++p)
    coreClusters[p] = isCore(local, p) ? local.labels[p] : kNoise;
  held.ghostClusters.resize(held.ghostCount());
  if (auto done = sendAlong(communicator, held.ghosts, std::span<const std::int32_t>(coreClusters),
                            std::span(held.ghostClusters), task);
      !done)
    return tl::unexpected(done.error());
  const std::vector<std::uint32_t> unseen = unseenCores(held, local);
  auto links = linksOf(held, local, unseen);
  if (!links) return tl::unexpected(links.error());
  const auto numbering = numberClustersOfRanks(
      communicator, clustersOf(held, local, std::move(*links)), *firstPoints, task);
  if (!numbering) return tl::unexpected(numbering.error());

  task.report("border points", 0);
  enter(RankPhase::Number);
  for (std::int32_t& cluster : coreClusters)
    if (cluster >= 0) cluster = numbering->numbers[static_cast<std::size_t>(cluster)];
  std::vector<std::int32_t> ghostNumbers(held.ghostCount());
  if (auto done = sendAlong(communicator, held.ghosts, std::span<const std::int32_t>(coreClusters),
                            std::span(ghostNumbers), task);
      !done)
    return tl::unexpected(done.error());
  std::vector<std::int32_t>& labels = coreClusters;
  std::uint64_t cores = 0;
  for (std::size_t p = 0; p < held.own; ++p) {
    cores += isCore(local, p);
    if (local.labels[p] >= 0)
      labels[p] = numbering->numbers[static_cast<std::size_t>(local.labels[p])];
  }
  if (auto done = lowerBorders(held, local, numbering->numbers, unseen, ghostNumbers, labels);
      !done)
    return tl::unexpected(done.error());

  DistributedClustering answer;
  answer.clusters = numbering->clusters;
  RunStats stats = std::move(local.stats);
  // That a part has fewer points than minPts means nothing for the whole cloud.
  const auto minPts = static_cast<std::uint64_t>(params.minPts);
  if (held.points.size() < minPts && minPts <= firstPoints->back()) stats.note.clear();
  answer.labels.resize(rows);
  if (auto done = sendBack(communicator, *owners, std::span<const std::int32_t>(labels),
                           std::span(answer.labels), task);
      !done)
    return tl::unexpected(done.error());
  if (options.roles) {
    std::vector<PointRole> roles(held.own);
    for (std::size_t p = 0; p < held.own; ++p)
      roles[p] = isCore(local, p)      ? PointRole::Core
                 : labels[p] == kNoise ? PointRole::Noise
                                       : PointRole::Border;
    answer.owners.resize(rows);
    std::size_t row = 0;
    for (std::size_t r = 0; r < owners->sent.size(); ++r)
      for (std::size_t i = 0; i < owners->sent[r]; ++i)
        answer.owners[owners->order[row++]] = static_cast<std::uint16_t>(r);
    answer.roles.resize(rows);
    if (auto done = sendBack(communicator, *owners, std::span<const PointRole>(roles),
                             std::span(answer.roles), task);
        !done)
      return tl::unexpected(done.error());
  }
  std::uint64_t counts[] = {
      held.own, cores,
      static_cast<std::uint64_t>(std::count(labels.begin(), labels.end(), kNoise))};
  if (auto done = communicator.allReduce(std::span<std::uint64_t>(counts), std::plus<>(), task);
      !done)
    return tl::unexpected(done.error());
  answer.points = counts[0];
  answer.coreCount = counts[1];
  answer.noiseCount = counts[2];
  answer.borderCount = counts[0] - counts[1] - counts[2];
  report.merge = watch.lap();
  report.total = total.seconds();
  if (options.record != nullptr) options.record->leave();
  auto reports = communicator.allGather(report, task);
  if (!reports) return tl::unexpected(reports.error());
  answer.ranks = std::move(*reports);
  auto shown = statsOfRanks(communicator, stats, task);
  if (!shown) return tl::unexpected(shown.error());
  answer.stats = std::move(*shown);
  return answer;
}

}  // namespace

Result<std::vector<std::uint64_t>> firstPointsOfRanks(Communicator& communicator,
                                                      std::uint64_t points, const Task& task) {
  const auto counts = communicator.allGather(points, task);
  if (!counts) return tl::unexpected(counts.error());
  std::vector<std::uint64_t> first(counts->size() + 1, 0);
  std::partial_sum(counts->begin(), counts->end(), first.begin() + 1);
  return first;
}

Result<void> checkParts(Communicator& communicator, const PointCloud& part,
                        const DbscanParams& params, const Task& task) {
  if (auto squared = epsSquared(params.eps); !squared) return tl::unexpected(squared.error());
  if (params.minPts < 1)
    return fail(ErrorKind::BadCall,
                "minPts must be at least 1, not " + std::to_string(params.minPts) + ".");
  if (auto alike = checkAlike(communicator, part, params, task); !alike) return alike;
  return validateParts(communicator, part, task);
}

Result<void> validateParts(Communicator& communicator, const PointCloud& part, const Task& task) {
  if (part.dims() == 0) return fail(ErrorKind::BadInput, "The cloud has no dimensions.");
  if (part.dims() > kMaxDims)
    return fail(ErrorKind::BadInput, "The cloud has " + std::to_string(part.dims()) +
                                         " dimensions; at most " + std::to_string(kMaxDims) +
                                         " are possible. Choose fewer coordinate columns.");
  if (part.size() > kMaxPoints)
    return fail(ErrorKind::TooLarge, "The part of this rank has " + std::to_string(part.size()) +
                                         " points; at most " + std::to_string(kMaxPoints) +
                                         " are possible. Use more ranks.");
  const auto first = firstPointsOfRanks(communicator, part.size(), task);
  if (!first) return tl::unexpected(first.error());
  if (first->back() == 0) return fail(ErrorKind::BadInput, "The cloud has no points.");
  std::vector<double> low(part.dims(), std::numeric_limits<double>::infinity());
  std::vector<double> high(part.dims(), -std::numeric_limits<double>::infinity());
  const auto nameOf = [&](std::size_t j) {
    return j < part.names.size() ? part.names[j] : std::to_string(j);
  };
  for (std::size_t j = 0; j < part.dims(); ++j) {
    const auto& column = part.columns[j];
    if (column.size() != part.size())
      return fail(ErrorKind::BadInput,
                  "Dimension " + nameOf(j) + " has " + std::to_string(column.size()) +
                      " coordinates, the first has " + std::to_string(part.size()) + ".");
    bool finite = true;
    for (const double x : column) finite &= std::abs(x) <= std::numeric_limits<double>::max();
    if (!finite) {
      const auto bad =
          std::find_if(column.begin(), column.end(), [](double x) { return !std::isfinite(x); });
      return fail(ErrorKind::BadInput,
                  "Point " +
                      std::to_string((*first)[static_cast<std::size_t>(communicator.rank())] +
                                     static_cast<std::uint64_t>(bad - column.begin())) +
                      " has a coordinate in dimension " + nameOf(j) +
                      " that is not a finite number. Skip such rows when reading.");
    }
  }
  if (part.size() > 0) {
    Bounds bounds = boundsOf(part);
    low = std::move(bounds.low);
    high = std::move(bounds.high);
  }
  const auto least = [](double a, double b) { return std::min(a, b); };
  const auto largest = [](double a, double b) { return std::max(a, b); };
  if (auto done = communicator.allReduce(std::span(low), least, task); !done) return done;
  if (auto done = communicator.allReduce(std::span(high), largest, task); !done) return done;
  for (std::size_t j = 0; j < part.dims(); ++j)
    if (!std::isfinite(high[j] - low[j]))
      return fail(ErrorKind::BadInput, "The range of dimension " + nameOf(j) +
                                           " is too large for a double. Scale the cloud.");
  return {};
}

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
    return run(communicator, std::move(part), params, backend, strategy, joins, options, task);
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
