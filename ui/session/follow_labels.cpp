#include "ui/session/follow_labels.h"

#include <algorithm>

#include "ui/session/results.h"

namespace clusterloom {

std::vector<std::int32_t> followLabels(std::span<const std::int32_t> before,
                                       std::int32_t clustersBefore,
                                       std::span<const std::int32_t> now) {
  std::vector<std::int32_t> followed(static_cast<std::size_t>(clustersBefore), -1);
  if (before.size() != now.size()) return followed;

  // The current labels, grouped by previous cluster; then the most frequent of each.
  std::vector<std::size_t> start(followed.size() + 1, 0);
  for (const std::int32_t label : before)
    if (label >= 0) ++start[static_cast<std::size_t>(label) + 1];
  for (std::size_t c = 1; c < start.size(); ++c) start[c] += start[c - 1];
  std::vector<std::int32_t> gathered(start.back());
  std::vector<std::size_t> fill(start.begin(), start.end() - 1);
  for (std::size_t i = 0; i < before.size(); ++i)
    if (before[i] >= 0) gathered[fill[static_cast<std::size_t>(before[i])]++] = now[i];

  const std::int32_t highest = now.empty() ? -1 : *std::max_element(now.begin(), now.end());
  std::vector<std::size_t> count(static_cast<std::size_t>(highest) + 2, 0);  // by label + 1
  for (std::size_t c = 0; c < followed.size(); ++c) {
    const std::span<const std::int32_t> group(gathered.data() + start[c], start[c + 1] - start[c]);
    std::size_t most = 0;
    for (const std::int32_t label : group) {
      const std::size_t points = ++count[static_cast<std::size_t>(label) + 1];
      if (points > most || (points == most && label < followed[c])) followed[c] = label;
      most = std::max(most, points);
    }
    for (const std::int32_t label : group) count[static_cast<std::size_t>(label) + 1] = 0;
  }
  return followed;
}

std::vector<std::int32_t> followLabels(const ClusterResult* before, const Clustering& now) {
  if (before == nullptr) return {};
  return followLabels(before->clustering.labels, before->clustering.clusters, now.labels);
}

std::set<std::int32_t> carriedOver(const std::set<std::int32_t>& labels,
                                   const std::vector<std::int32_t>& followed) {
  std::set<std::int32_t> carried;
  for (const std::int32_t label : labels) {
    if (label < 0) carried.insert(label);
    if (label < 0 || static_cast<std::size_t>(label) >= followed.size()) continue;
    const std::int32_t now = followed[static_cast<std::size_t>(label)];
    if (now >= 0) carried.insert(now);
  }
  return carried;
}

std::set<std::int32_t> madeOf(const std::set<std::int32_t>& labels,
                              std::span<const std::int32_t> before,
                              std::span<const std::int32_t> now, std::int32_t clusters) {
  std::set<std::int32_t> made;
  if (labels.contains(-1)) made.insert(-1);
  if (labels.empty() || *labels.rbegin() < 0 || before.size() != now.size()) return made;
  std::vector<char> among(static_cast<std::size_t>(*labels.rbegin()) + 1, 0);
  for (const std::int32_t label : labels)
    if (label >= 0) among[static_cast<std::size_t>(label)] = 1;
  // Points of each cluster: those from the labels less all others.
  std::vector<std::int64_t> more(static_cast<std::size_t>(clusters), 0);
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (now[i] < 0) continue;
    const auto from = static_cast<std::size_t>(before[i]);  // of noise: beyond all labels
    more[static_cast<std::size_t>(now[i])] += from < among.size() && among[from] != 0 ? 1 : -1;
  }
  for (std::int32_t c = 0; c < clusters; ++c)
    if (more[static_cast<std::size_t>(c)] > 0) made.insert(c);
  return made;
}

}  // namespace clusterloom
