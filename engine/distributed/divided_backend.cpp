#include "engine/distributed/divided_backend.h"

#include <tbb/info.h>

#include <algorithm>
#include <new>
#include <utility>

#include "engine/core/stopwatch.h"
#include "engine/core/translatable.h"
#include "engine/distributed/rank_record.h"
#include "engine/distributed/selection.h"
#include "engine/forwarding_backend.h"
#include "engine/join/backend_kinds.h"

namespace clusterloom {
namespace {

Error aboutDevices(const Error& error) {
  return {.kind = error.kind,
          .message = error.message + " Several GPUs (--devices) need the backend cuda."};
}

// The devices that the call names; empty where it leaves them to the ranks.
Result<std::vector<int>> namedDevices(const std::string& name, const BackendOptions& options,
                                      const MakeBackend& make) {
  std::vector<int> numbers = options.devices;
  if (!options.allDevices && numbers.empty()) return numbers;
  if (!backendKind(name).sharesDevices)
    return badCall("Several GPUs (--devices) share the work by the backend cuda, not " + name +
                   "; choose auto or cuda.");
  if (options.device >= 0) return badCall("Name GPUs by --device or by --devices, not by both.");
  if (options.allDevices) {
    BackendOptions first = options;
    first.allDevices = false;
    first.devices.clear();
    first.ranks = 0;
    const auto backend = make(std::string(kDeviceBackend), first);
    if (!backend) return tl::unexpected(aboutDevices(backend.error()));
    numbers.clear();
    for (const GpuDevice& gpu : (*backend)->devices()) numbers.push_back(gpu.number);
    return numbers;
  }
  std::vector<int> sorted = numbers;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end())
    return badCall("--devices names GPU " + std::to_string(*twice) + " twice.");
  return numbers;
}

class DividedBackend final : public ForwardingBackend {
 public:
  DividedBackend(std::shared_ptr<const Backend> whole, LocalRanks ranks, Metric metric)
      : ForwardingBackend(std::move(whole)), ranks_(std::move(ranks)), metric_(metric) {}

  std::string describe() const override {
    const std::size_t ranks = ranks_.backends.size();
    return backend().describe() + " · " +
           withValue(ranks == 1 ? translatable("%1 rank") : translatable("%1 ranks"),
                     std::to_string(ranks));
  }

  Result<std::shared_ptr<const Backend>> withMetric(Metric metric) const override {
    auto whole = backend().withMetric(metric);
    if (!whole) return whole;
    LocalRanks ranks{.backends = {}, .threadsEach = ranks_.threadsEach};
    for (const auto& one : ranks_.backends) {
      auto made = one->withMetric(metric);
      if (!made) return made;
      ranks.backends.push_back(std::make_unique<ForwardingBackend>(std::move(*made)));
    }
    return std::make_shared<const DividedBackend>(std::move(*whole), std::move(ranks), metric);
  }

  Result<Clustering> dbscan(const JoinInput& input, const DbscanParams& params,
                            const Strategy& strategy, const Task& task) const override {
    if (input.twoClouds) return badCall("DBSCAN clusters one cloud, not two.");
    try {
      std::string note;
      if (ranks_.onDevices) {
        auto found = ranks_.onDevices->dbscan(input, params, strategy, task);
        if (!found && found.error().kind != ErrorKind::TooLarge &&
            found.error().kind != ErrorKind::Unavailable)
          return tl::unexpected(found.error());
        if (found && *found) return std::move(**found);
        if (!found) note = found.error().message + " The points were moved through host memory.";
      }
      auto answer = divided(input.points, params, strategy, task);
      if (answer) addNote(answer->stats, note);
      return answer;
    } catch (const std::bad_alloc&) {
      return tooLarge("There is not enough memory for this run.");
    }
  }

 private:
  Result<Clustering> divided(const PointCloud& cloud, const DbscanParams& params,
                             const Strategy& strategy, const Task& task) const {
    const Stopwatch total;
    Clustering answer;
    answer.params = params;
    answer.labels.resize(cloud.size());
    answer.roles.resize(cloud.size());
    std::vector<std::uint16_t> owners(cloud.size());
    auto done = runLocalRanks(int(ranks_.backends.size()), task,
                              [&](Communicator& communicator, const Task& own) {
                                return rankPart(communicator, cloud, strategy, answer, owners, own);
                              });
    if (!done) return tl::unexpected(done.error());
    answer.stats.owners = std::make_shared<const std::vector<std::uint16_t>>(std::move(owners));
    answer.stats.seconds.total = total.seconds();
    return answer;
  }

  // Each rank writes its rows of the labels, roles and owners, rank 0 the rest.
  Result<void> rankPart(Communicator& communicator, const PointCloud& cloud,
                        const Strategy& strategy, Clustering& answer,
                        std::vector<std::uint16_t>& owners, const Task& task) const {
    RankRecord record;
    if (auto begun = record.begin(communicator, task); !begun) return begun;
    RecordingCommunicator recording(communicator, record);
    record.enter(RankPhase::Read);
    const auto self = std::size_t(communicator.rank());
    const auto begin = blockBegin(cloud.size(), ranks_.backends.size(), self);
    const auto end = blockBegin(cloud.size(), ranks_.backends.size(), self + 1);
    PointCloud part;
    part.names = cloud.names;
    for (const auto& column : cloud.columns) {
      // Columns of different lengths are refused by the ranks' checks.
      const std::size_t last = std::min<std::size_t>(end, column.size());
      part.columns.push_back(column.part(std::min<std::size_t>(begin, last), last));
      if (task.cancelled()) return cancelledError();
    }
    record.leave();
    auto found = distributedDbscan(
        recording, std::move(part), answer.params, *ranks_.backends[self], strategy,
        {.threads = ranks_.threadsEach, .roles = true, .record = &record, .metric = metric_}, task);
    if (!found) return tl::unexpected(found.error());
    record.enter(RankPhase::Write);
    std::copy(found->labels.begin(), found->labels.end(),
              answer.labels.begin() + std::ptrdiff_t(begin));
    std::copy(found->roles.begin(), found->roles.end(),
              answer.roles.begin() + std::ptrdiff_t(begin));
    std::copy(found->owners.begin(), found->owners.end(), owners.begin() + std::ptrdiff_t(begin));
    record.leave();
    auto spans = gatherSpans(communicator, record, task);
    if (!spans) return tl::unexpected(spans.error());
    if (self != 0) return {};
    static_cast<ClusterCounts&>(answer) = *found;
    answer.stats = found->stats;
    answer.stats.ranks = rankStatsOf(found->ranks, std::move(*spans));
    answer.stats.seconds = stageSecondsOf(answer.stats.ranks);
    return {};
  }

  LocalRanks ranks_;
  Metric metric_;
};

}  // namespace

Result<DistributedClustering> dbscanOfPart(
    const RanksOnDevices* onDevices, Communicator& communicator, const PointCloud& part,
    const DbscanParams& params, const Strategy& strategy, const DistributedOptions& options,
    const Task& task, const std::function<Result<DistributedClustering>()>& onHost) {
  if (onDevices == nullptr) return onHost();
  auto there = onDevices->dbscanOfPart(communicator, part, params, strategy, options, task);
  if (!there) return tl::unexpected(there.error());
  if (there->answer) return std::move(*there->answer);
  auto found = onHost();
  if (found) addNote(found->stats, there->why);
  return found;
}

Result<LocalRanks> makeLocalRanks(const std::string& name, const BackendOptions& options,
                                  const MakeBackend& make) {
  auto named = namedDevices(name, options, make);
  if (!named) return tl::unexpected(named.error());
  const int ranks = options.ranks > 0 ? options.ranks : std::max(1, int(named->size()));
  const int threads = options.threads > 0 ? options.threads : tbb::info::default_concurrency();
  BackendOptions each = options;
  each.allDevices = false;
  each.devices.clear();
  each.ranks = 0;
  each.threads = std::max(1, threads / std::max(1, ranks));
  LocalRanks made;
  made.threadsEach = each.threads;
  std::vector<int> devices = *named;
  for (int r = 0; r < ranks; ++r) {
    if (!devices.empty()) each.device = devices[std::size_t(r) % devices.size()];
    auto backend = make(name, each);
    if (!backend)
      return tl::unexpected(named->empty() ? backend.error() : aboutDevices(backend.error()));
    // Without a choice of the call, the others of several devices are for the ranks after.
    if (r == 0 && named->empty() && options.device < 0)
      if (const auto found = (*backend)->devices(); found.size() > 1)
        for (const GpuDevice& gpu : found) devices.push_back(gpu.number);
    if (const auto found = (*backend)->devices(); !found.empty())
      made.devices.push_back(each.device >= 0 ? each.device : found.front().number);
    made.backends.push_back(std::move(*backend));
  }
  if (made.devices.size() < made.backends.size()) made.devices.clear();
  return made;
}

std::unique_ptr<Backend> makeDividedBackend(std::unique_ptr<Backend> whole, LocalRanks ranks) {
  return std::make_unique<DividedBackend>(std::move(whole), std::move(ranks), Metric::Euclidean);
}

}  // namespace clusterloom
