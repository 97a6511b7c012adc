#include "engine/join/batch_estimate.h"

namespace clusterloom {
namespace {

// The batches, of which those of more than `most` queries are divided evenly.
std::vector<std::size_t> divided(const std::vector<std::size_t>& begin, std::size_t most) {
  std::vector<std::size_t> result{0};
  for (std::size_t b = 0; b + 1 < begin.size(); ++b) {
    const std::size_t queries = begin[b + 1] - begin[b];
    const std::size_t parts = (queries + most - 1) / most;
    for (std::size_t part = 1; part <= parts; ++part)
      result.push_back(begin[b] + queries * part / parts);
  }
  return result;
}

}  // namespace

std::vector<std::size_t> equalBatches(std::span<const std::uint32_t> found, std::size_t step,
                                      std::size_t n, std::size_t batches, std::size_t mostQueries) {
  const auto queriesOf = [&](std::size_t sample) {
    return double(std::min(n, (sample + 1) * step) - sample * step);
  };
  double all = 0;
  for (std::size_t s = 0; s < found.size(); ++s) all += found[s] * queriesOf(s);
  std::vector<std::size_t> begin{0};
  std::size_t sample = 0;
  double before = 0;  // found by the queries before the sample's
  for (std::size_t b = 1; b < batches; ++b) {
    const double wanted = all * double(b) / double(batches);
    while (sample + 1 < found.size() && before + found[sample] * queriesOf(sample) < wanted) {
      before += found[sample] * queriesOf(sample);
      ++sample;
    }
    const double into = found[sample] > 0 ? (wanted - before) / found[sample] : 0;
    const auto at = sample * step + std::size_t(std::clamp(into, 0.0, queriesOf(sample)));
    begin.push_back(std::clamp(at, begin.back() + 1, n - (batches - b)));
  }
  begin.push_back(n);
  return mostQueries == 0 ? begin : divided(begin, mostQueries);
}

}  // namespace clusterloom
