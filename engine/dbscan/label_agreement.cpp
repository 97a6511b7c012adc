#include "engine/dbscan/label_agreement.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "engine/core/number_text.h"

namespace clusterloom {
namespace {

__extension__ typedef __int128 Wide;  // products of two numbers of pairs take up to 124 bits

constexpr std::size_t kLabelsPerLook = 1 << 16;

std::uint64_t pairsOf(std::uint64_t n) { return n < 2 ? 0 : n * (n - 1) / 2; }

/// Labels as numbers 0, 1, … in the order in which they first occur, and how many points each has.
struct NumberedLabels {
  std::vector<std::uint32_t> numbers;  ///< one per point
  std::vector<std::uint64_t> sizes;    ///< one per number
  std::vector<std::int32_t> labels;    ///< one per number
};

Result<NumberedLabels> numbered(std::span<const std::int32_t> labels, const Task& task) {
  NumberedLabels found;
  found.numbers.resize(labels.size());
  std::unordered_map<std::int32_t, std::uint32_t> numberOf;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (i % kLabelsPerLook == 0 && task.cancelled()) return cancelledError();
    // Neighbours in a file often share a label; that saves looking it up.
    if (i > 0 && labels[i] == labels[i - 1]) {
      found.numbers[i] = found.numbers[i - 1];
    } else {
      const auto [at, isNew] = numberOf.try_emplace(labels[i], std::uint32_t(found.sizes.size()));
      if (isNew) {
        found.sizes.push_back(0);
        found.labels.push_back(labels[i]);
      }
      found.numbers[i] = at->second;
    }
    ++found.sizes[found.numbers[i]];
  }
  return found;
}

std::uint64_t pairsWithin(const std::vector<std::uint64_t>& sizes) {
  std::uint64_t pairs = 0;
  for (const std::uint64_t size : sizes) pairs += pairsOf(size);
  return pairs;
}

LabelFigures figuresOf(const NumberedLabels& found) {
  LabelFigures figures;
  figures.points = found.numbers.size();
  for (std::size_t i = 0; i < found.sizes.size(); ++i) {
    if (found.labels[i] < 0) {
      figures.noise += found.sizes[i];
    } else {
      ++figures.clusters;
      figures.largest = std::max(figures.largest, found.sizes[i]);
    }
  }
  return figures;
}

/// Pairs within the cells of the contingency table. It is made row by row, since the whole table
/// may have as many cells as there are points.
Result<std::uint64_t> pairsInCells(const NumberedLabels& a, const NumberedLabels& b,
                                   const Task& task) {
  std::vector<std::uint64_t> next(a.sizes.size() + 1, 0);
  for (std::size_t row = 0; row < a.sizes.size(); ++row) next[row + 1] = next[row] + a.sizes[row];
  std::vector<std::uint32_t> byRow(a.numbers.size());
  for (std::size_t i = 0; i < a.numbers.size(); ++i) {
    if (i % kLabelsPerLook == 0 && task.cancelled()) return cancelledError();
    byRow[next[a.numbers[i]]++] = b.numbers[i];
  }
  std::vector<std::uint64_t> cells(b.sizes.size(), 0);
  std::uint64_t pairs = 0;
  std::size_t at = 0;
  for (const std::uint64_t size : a.sizes) {
    const std::size_t end = at + size;
    for (std::size_t i = at; i < end; ++i) {
      if (i % kLabelsPerLook == 0 && task.cancelled()) return cancelledError();
      pairs += cells[byRow[i]]++;  // the c-th point of a cell forms c − 1 new pairs
    }
    for (; at < end; ++at) cells[byRow[at]] = 0;
  }
  return pairs;
}

}  // namespace

double LabelAgreement::adjustedRandIndex() const {
  // (together − expected) / ((togetherA + togetherB) / 2 − expected), expected = togetherA ·
  // togetherB / pairs, with both sides multiplied by 2 · pairs.
  if (together == togetherA && together == togetherB) return 1;
  const Wide product = Wide(togetherA) * Wide(togetherB);
  const Wide numerator = 2 * (Wide(together) * Wide(pairs) - product);
  const Wide denominator = (Wide(togetherA) + Wide(togetherB)) * Wide(pairs) - 2 * product;
  return double(numerator) / double(denominator);
}

Result<LabelAgreement> compareLabels(std::span<const std::int32_t> a,
                                     std::span<const std::int32_t> b, const Task& task) {
  if (a.size() != b.size())
    return badInput("Labels of " + groupedText(a.size()) + " and of " + groupedText(b.size()) +
                    " points cannot be compared: each point needs a label in both.");
  const auto first = numbered(a, task);
  if (!first) return tl::unexpected(first.error());
  const auto second = numbered(b, task);
  if (!second) return tl::unexpected(second.error());
  const auto together = pairsInCells(*first, *second, task);
  if (!together) return tl::unexpected(together.error());
  return LabelAgreement{.points = a.size(),
                        .pairs = pairsOf(a.size()),
                        .togetherA = pairsWithin(first->sizes),
                        .togetherB = pairsWithin(second->sizes),
                        .together = *together,
                        .a = figuresOf(*first),
                        .b = figuresOf(*second)};
}

Result<LabelFigures> figuresOf(std::span<const std::int32_t> labels, const Task& task) {
  const auto found = numbered(labels, task);
  if (!found) return tl::unexpected(found.error());
  return figuresOf(*found);
}

}  // namespace clusterloom
