#include "engine/validity/sample_overlap.h"

#include <algorithm>
#include <utility>

#include "engine/cloud/random_stream.h"

namespace clusterloom {

std::vector<std::uint32_t> drawSample(std::size_t n, std::size_t wanted, std::uint64_t seed,
                                      std::uint64_t stream) {
  RandomStream random(seed, stream);
  std::vector<std::uint32_t> ids;
  ids.reserve(wanted);
  for (std::size_t p = 0; ids.size() < wanted; ++p)
    if (random.uniform() * double(n - p) < double(wanted - ids.size()))
      ids.push_back(std::uint32_t(p));
  return ids;
}

std::vector<Overlap> overlapsOf(std::span<const std::int32_t> given, std::size_t clusters,
                                std::span<const std::int32_t> found) {
  std::vector<Overlap> overlaps(clusters);
  std::vector<std::uint32_t> sizes;  // of the clusters found
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i] >= 0) ++overlaps[std::size_t(given[i])].points;
    if (found[i] < 0) continue;
    if (std::size_t(found[i]) >= sizes.size()) sizes.resize(std::size_t(found[i]) + 1);
    ++sizes[std::size_t(found[i])];
  }
  // The labels found for the points of each given cluster, one cluster after another.
  std::vector<std::size_t> ends(clusters);
  std::size_t all = 0;
  for (std::size_t c = 0; c < clusters; ++c) {
    ends[c] = all;
    all += overlaps[c].points;
  }
  std::vector<std::int32_t> labels(all);
  for (std::size_t i = 0; i < given.size(); ++i)
    if (given[i] >= 0) labels[ends[std::size_t(given[i])]++] = found[i];
  std::vector<std::uint32_t> shared(sizes.size());
  for (std::size_t c = 0, begin = 0; c < clusters; begin = ends[c++]) {
    const std::span<const std::int32_t> own(labels.data() + begin, ends[c] - begin);
    for (const std::int32_t label : own)
      if (label >= 0) ++shared[std::size_t(label)];
    for (const std::int32_t label : own) {
      if (label < 0 || shared[std::size_t(label)] == 0) continue;
      const double both = std::exchange(shared[std::size_t(label)], 0);
      const double either = double(own.size()) + sizes[std::size_t(label)] - both;
      overlaps[c].jaccard = std::max(overlaps[c].jaccard, both / either);
    }
  }
  return overlaps;
}

}  // namespace clusterloom
