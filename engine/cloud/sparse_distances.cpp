#include "engine/cloud/sparse_distances.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/core/number_text.h"
#include "engine/core/parallel_for.h"

namespace clusterloom {
namespace {

constexpr std::size_t kRowsOfDistances = 4096;  // between two looks at the stop token

std::string placeText(std::size_t row, std::int64_t id) {
  return "row " + std::to_string(row) + " (counted from 0), column " + std::to_string(id);
}

/// The first place from `begin` to `end` with an id that stands before it, too; `end` without one.
std::size_t firstRepeated(const SparseDistances& distances, std::size_t begin, std::size_t end) {
  const auto ids = distances.ids.begin();
  if (std::adjacent_find(ids + std::ptrdiff_t(begin), ids + std::ptrdiff_t(end),
                         std::greater_equal<>()) == ids + std::ptrdiff_t(end))
    return end;
  std::vector<std::pair<std::int64_t, std::size_t>> row;
  for (std::size_t i = begin; i < end; ++i) row.emplace_back(ids[i], i);
  std::sort(row.begin(), row.end());
  std::size_t first = end;
  for (std::size_t i = 1; i < row.size(); ++i)
    if (row[i].first == row[i - 1].first) first = std::min(first, row[i].second);
  return first;
}

Result<void> checkRow(const SparseDistances& distances, std::size_t row) {
  const std::size_t n = distances.points();
  const auto begin = std::size_t(distances.starts[row]);
  const auto end = std::size_t(distances.starts[row + 1]);
  const auto outside = [&](std::int64_t id) { return id < 0 || std::size_t(id) >= n; };
  const auto wrong = [](double value) { return !std::isfinite(value) || value < 0; };
  std::size_t bad = begin;
  while (bad < end && !outside(distances.ids[bad]) && !wrong(distances.values[bad])) ++bad;
  if (const std::size_t again = firstRepeated(distances, begin, bad); again < bad)
    return badInput("The matrix has two values in " + placeText(row, distances.ids[again]) +
                    ". Store one distance of each pair.");
  if (bad == end) return {};
  const std::int64_t id = distances.ids[bad];
  if (outside(id))
    return badInput("The matrix has a value in " + placeText(row, id) + ", outside of " +
                    std::to_string(n) + " columns.");
  return badInput("The distance in " + placeText(row, id) + " is " +
                  roundTripText(distances.values[bad]) +
                  ". Distances must be finite and not negative; leave out those that are "
                  "not known.");
}

using Rows = tbb::blocked_range<std::size_t>;

/// Whether the ids of each row are in their order.
bool isInOrder(const SparseDistances& distances) {
  const auto ids = distances.ids.begin();
  return tbb::parallel_reduce(
      Rows(0, distances.points(), kRowsOfDistances), true,
      [&](const Rows& rows, bool sorted) {
        for (std::size_t p = rows.begin(); p < rows.end(); ++p)
          sorted =
              sorted && std::is_sorted(ids + distances.starts[p], ids + distances.starts[p + 1]);
        return sorted;
      },
      std::logical_and<>());
}

/// The matrix with the ids of each row in their order.
SparseDistances inOrder(const SparseDistances& distances, const Task& task) {
  SparseDistances sorted = distances;
  parallelForBlocks(distances.points(), kRowsOfDistances, task,
                    [&](std::size_t begin, std::size_t end) {
                      std::vector<std::pair<std::int64_t, double>> row;
                      for (std::size_t p = begin; p < end; ++p) {
                        const auto first = std::size_t(distances.starts[p]);
                        row.clear();
                        for (std::size_t i = first; i < std::size_t(distances.starts[p + 1]); ++i)
                          row.emplace_back(distances.ids[i], distances.values[i]);
                        std::sort(row.begin(), row.end());
                        for (std::size_t i = 0; i < row.size(); ++i)
                          std::tie(sorted.ids[first + i], sorted.values[first + i]) = row[i];
                      }
                    });
  return sorted;
}

/// The distance that a matrix in order stores; null where it stores none.
const double* storedDistance(const SparseDistances& sorted, std::size_t row, std::size_t id) {
  const auto end = sorted.ids.begin() + sorted.starts[row + 1];
  const auto found =
      std::lower_bound(sorted.ids.begin() + sorted.starts[row], end, std::int64_t(id));
  if (found == end || *found != std::int64_t(id)) return nullptr;
  return sorted.values.data() + (found - sorted.ids.begin());
}

/// A row and a column.
using Place = std::pair<std::size_t, std::size_t>;

/// Above the diagonal, the first place of a distance that is not stored in both directions or not
/// equal in both. `none` without one.
Place firstAsymmetric(const SparseDistances& sorted, const Place& none, const Task& task) {
  return tbb::parallel_reduce(
      Rows(0, sorted.points(), kRowsOfDistances), none,
      [&](const Rows& rows, Place first) {
        if (task.cancelled()) return first;
        for (std::size_t p = rows.begin(); p < rows.end(); ++p)
          for (auto i = std::size_t(sorted.starts[p]); i < std::size_t(sorted.starts[p + 1]); ++i) {
            const auto q = std::size_t(sorted.ids[i]);
            const double* const back = storedDistance(sorted, q, p);
            if (back == nullptr || std::abs(sorted.values[i] - *back) > 1e-9 + 1e-7 * *back)
              first = std::min(first, Place(std::min(p, q), std::max(p, q)));
          }
        return first;
      },
      [](const Place& a, const Place& b) { return std::min(a, b); });
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
  const std::size_t bad = tbb::parallel_reduce(
      Rows(0, n, kRowsOfDistances), n,
      [&](const Rows& rows, std::size_t first) {
        for (std::size_t row = rows.begin(); row < std::min(first, rows.end()); ++row)
          if (!checkRow(distances, row)) first = row;
        return first;
      },
      [](std::size_t a, std::size_t b) { return std::min(a, b); });
  return bad < n ? checkRow(distances, bad) : Result<void>();
}

Result<void> checkSymmetric(const SparseDistances& distances, const Task& task) {
  SparseDistances copy;
  const bool ordered = isInOrder(distances);
  if (!ordered) copy = inOrder(distances, task);
  const SparseDistances& sorted = ordered ? distances : copy;
  const Place none(distances.points(), 0);
  const Place at = firstAsymmetric(sorted, none, task);
  if (task.cancelled()) return cancelledError();
  if (at == none) return {};
  const auto said = [&](std::size_t row, std::size_t id) {
    const double* const value = storedDistance(sorted, row, id);
    return value != nullptr ? roundTripText(*value) : std::string("not stored");
  };
  return badInput(
      "The matrix is not symmetric: the distance in " +
      placeText(at.first, std::int64_t(at.second)) + " is " + said(at.first, at.second) +
      ", and that of the same points in the other direction " + said(at.second, at.first) + ".");
}

}  // namespace clusterloom
