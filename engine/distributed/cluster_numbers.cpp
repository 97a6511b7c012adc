#include "engine/distributed/cluster_numbers.h"

#include <algorithm>
#include <numeric>

namespace clusterloom {
namespace {

// On rank 0: the shared clusters of all ranks.
class SharedForest {
 public:
  explicit SharedForest(const std::vector<std::vector<SharedCluster>>& ofRanks) {
    for (std::size_t r = 0; r < ofRanks.size(); ++r)
      for (const SharedCluster& shared : ofRanks[r]) {
        keys_.push_back({std::int32_t(r), shared.cluster});  // ascending
        forest_.add(shared.lowest);
      }
  }
  void unite(const RankCluster& a, const RankCluster& b) { forest_.unite(placeOf(a), placeOf(b)); }
  MergedCluster merged(std::uint32_t i) {
    const std::uint32_t root = forest_.root(i);
    return {keys_[root], forest_.lowest(root)};
  }

 private:
  std::uint32_t placeOf(const RankCluster& key) const {
    return std::uint32_t(std::lower_bound(keys_.begin(), keys_.end(), key) - keys_.begin());
  }

  std::vector<RankCluster> keys_;
  ClusterForest forest_;
};

// The lowest core point of each cluster of this rank, parts on other ranks included.
Result<std::vector<std::uint64_t>> mergedLowest(Communicator& communicator,
                                                const RankClusters& clusters, const Task& task) {
  std::vector<SharedCluster> own;
  for (std::size_t c = 0; c < clusters.lowest.size(); ++c)
    if (clusters.shared[c]) own.push_back({std::int32_t(c), clusters.lowest[c]});
  const auto merged = mergeSharedClusters(communicator, own, clusters.links, task);
  if (!merged) return tl::unexpected(merged.error());
  std::vector<std::uint64_t> lowest = clusters.lowest;
  for (std::size_t i = 0; i < own.size(); ++i)
    lowest[std::size_t(own[i].cluster)] = (*merged)[i].lowest;
  return lowest;
}

}  // namespace

Result<std::vector<MergedCluster>> mergeSharedClusters(Communicator& communicator,
                                                       std::span<const SharedCluster> own,
                                                       std::span<const ClusterLink> ownLinks,
                                                       const Task& task) {
  const auto shared = communicator.gather(0, own, task);
  if (!shared) return tl::unexpected(shared.error());
  const auto links = communicator.gather(0, ownLinks, task);
  if (!links) return tl::unexpected(links.error());

  std::vector<std::vector<MergedCluster>> answers(std::size_t(communicator.size()));
  if (communicator.rank() == 0) {
    SharedForest forest(*shared);
    for (std::size_t r = 0; r < links->size(); ++r)
      for (const ClusterLink& link : (*links)[r])
        forest.unite({std::int32_t(r), link.own}, link.other);
    std::uint32_t next = 0;
    for (std::size_t r = 0; r < shared->size(); ++r)
      for (std::size_t i = 0; i < (*shared)[r].size(); ++i)
        answers[r].push_back(forest.merged(next++));
  }
  auto answer = communicator.exchange(answers, task);
  if (!answer) return tl::unexpected(answer.error());
  return std::move(answer->front());
}

Result<ClusterNumbering> numberClustersOfRanks(Communicator& communicator,
                                               const RankClusters& clusters,
                                               std::span<const std::uint64_t> firstPoints,
                                               const Task& task) {
  const auto lowest = mergedLowest(communicator, clusters, task);
  if (!lowest) return tl::unexpected(lowest.error());

  // The rank that has read a point sorts the clusters whose lowest core point it is.
  const auto ranks = std::size_t(communicator.size());
  std::vector<std::vector<std::uint64_t>> asked(ranks);
  std::vector<std::size_t> askedOf(lowest->size());
  for (std::size_t c = 0; c < lowest->size(); ++c) {
    const auto after = std::upper_bound(firstPoints.begin(), firstPoints.end(), (*lowest)[c]);
    askedOf[c] = std::size_t(after - firstPoints.begin()) - 1;
    asked[askedOf[c]].push_back((*lowest)[c]);
  }
  const auto requests = communicator.exchange(asked, task);
  if (!requests) return tl::unexpected(requests.error());
  std::vector<std::uint64_t> here;
  for (const auto& some : *requests) here.insert(here.end(), some.begin(), some.end());
  std::sort(here.begin(), here.end());
  here.erase(std::unique(here.begin(), here.end()), here.end());
  const auto counts = communicator.allGather<std::uint64_t>(here.size(), task);
  if (!counts) return tl::unexpected(counts.error());
  const std::uint64_t total = std::accumulate(counts->begin(), counts->end(), std::uint64_t{0});
  if (auto fits = checkClusterCount(total); !fits) return tl::unexpected(fits.error());
  const std::uint64_t first =
      std::accumulate(counts->begin(), counts->begin() + communicator.rank(), std::uint64_t{0});
  std::vector<std::vector<std::int32_t>> replies(ranks);
  for (std::size_t r = 0; r < ranks; ++r)
    for (const std::uint64_t id : (*requests)[r])
      replies[r].push_back(std::int32_t(
          first + std::uint64_t(std::lower_bound(here.begin(), here.end(), id) - here.begin())));
  const auto numbers = communicator.exchange(replies, task);
  if (!numbers) return tl::unexpected(numbers.error());

  ClusterNumbering numbering;
  numbering.clusters = std::int32_t(total);
  numbering.numbers.resize(lowest->size());
  std::vector<std::size_t> read(ranks, 0);
  for (std::size_t c = 0; c < lowest->size(); ++c)
    numbering.numbers[c] = (*numbers)[askedOf[c]][read[askedOf[c]]++];
  return numbering;
}

}  // namespace clusterloom
