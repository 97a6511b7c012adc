#include "engine/cloud/sparse_distances.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "engine/core/number_text.h"

namespace clusterloom {
namespace {

constexpr std::size_t kRowsOfDistances = 4096;  // between two looks at the stop token

std::string placeText(std::size_t row, std::int64_t id) {
  return "row " + std::to_string(row) + " (counted from 0), column " + std::to_string(id);
}

Result<void> checkRow(const SparseDistances& distances, std::size_t row,
                      LargeArray<std::uint32_t>& lastRow) {
  const std::size_t n = distances.points();
  for (auto i = std::size_t(distances.starts[row]); i < std::size_t(distances.starts[row + 1]);
       ++i) {
    const std::int64_t id = distances.ids[i];
    if (id < 0 || std::size_t(id) >= n)
      return badInput("The matrix has a value in " + placeText(row, id) + ", outside of " +
                      std::to_string(n) + " columns.");
    const double value = distances.values[i];
    if (!std::isfinite(value) || value < 0)
      return badInput("The distance in " + placeText(row, id) + " is " + roundTripText(value) +
                      ". Distances must be finite and not negative; leave out those that are "
                      "not known.");
    if (lastRow[std::size_t(id)] == row)
      return badInput("The matrix has two values in " + placeText(row, id) +
                      ". Store one distance of each pair.");
    lastRow[std::size_t(id)] = std::uint32_t(row);
  }
  return {};
}

/// The matrix turned, with the ids of each row in their order.
Result<SparseDistances> transposed(const SparseDistances& distances, const Task& task) {
  const std::size_t n = distances.points();
  SparseDistances turned;
  turned.starts.assign(n + 1, 0);
  turned.ids.resize(distances.ids.size());
  turned.values.resize(distances.values.size());
  for (const std::int64_t id : distances.ids) ++turned.starts[std::size_t(id) + 1];
  for (std::size_t p = 0; p < n; ++p) turned.starts[p + 1] += turned.starts[p];
  LargeArray<std::int64_t> next(turned.starts.begin(), turned.starts.end() - 1);
  for (std::size_t p = 0; p < n; ++p) {
    if (p % kRowsOfDistances == 0 && task.cancelled()) return cancelledError();
    for (auto i = std::size_t(distances.starts[p]); i < std::size_t(distances.starts[p + 1]); ++i) {
      const auto at = std::size_t(next[std::size_t(distances.ids[i])]++);
      turned.ids[at] = std::int64_t(p);
      turned.values[at] = distances.values[i];
    }
  }
  return turned;
}

}  // namespace

Result<void> checkDistances(const SparseDistances& distances) {
  const auto& starts = distances.starts;
  const std::size_t n = distances.points();
  if (n == 0) return badInput("The matrix has no rows.");
  if (starts.front() != 0 || starts.back() != std::int64_t(distances.ids.size()) ||
      distances.ids.size() != distances.values.size() ||
      !std::is_sorted(starts.begin(), starts.end()))
    return badInput("The rows of the matrix do not fit its " +
                    std::to_string(distances.values.size()) + " values.");
  LargeArray<std::uint32_t> lastRow(n, std::numeric_limits<std::uint32_t>::max());
  for (std::size_t row = 0; row < n; ++row)
    if (auto fine = checkRow(distances, row, lastRow); !fine) return fine;
  return {};
}

Result<void> checkSymmetric(const SparseDistances& distances, const Task& task) {
  const auto turned = transposed(distances, task);
  if (!turned) return tl::unexpected(turned.error());
  const auto sorted = transposed(*turned, task);
  if (!sorted) return tl::unexpected(sorted.error());
  for (std::size_t p = 0; p < distances.points(); ++p) {
    if (p % kRowsOfDistances == 0 && task.cancelled()) return cancelledError();
    auto i = std::size_t(sorted->starts[p]);
    auto j = std::size_t(turned->starts[p]);
    const auto end = std::size_t(sorted->starts[p + 1]);
    const auto turnedEnd = std::size_t(turned->starts[p + 1]);
    for (; i < end || j < turnedEnd; ++i, ++j) {
      const bool there = i < end && (j == turnedEnd || sorted->ids[i] <= turned->ids[j]);
      const bool back = j < turnedEnd && (i == end || turned->ids[j] <= sorted->ids[i]);
      const std::int64_t id = there ? sorted->ids[i] : turned->ids[j];
      if (there && back &&
          std::abs(sorted->values[i] - turned->values[j]) <= 1e-9 + 1e-7 * turned->values[j])
        continue;
      const auto said = [](bool stored, double value) {
        return stored ? roundTripText(value) : std::string("not stored");
      };
      return badInput("The matrix is not symmetric: the distance in " + placeText(p, id) + " is " +
                      said(there, there ? sorted->values[i] : 0) +
                      ", and that of the same points in the other direction " +
                      said(back, back ? turned->values[j] : 0) + ".");
    }
  }
  return {};
}

}  // namespace clusterloom
