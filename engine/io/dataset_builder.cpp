#include "engine/io/dataset_builder.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "engine/core/large_pages.h"
#include "engine/core/memory_budget.h"
#include "engine/core/parallel_for.h"

namespace clusterloom {
namespace {

// Rows between two checks of the stop token.
constexpr std::size_t kRowsPerLook = 65536;
// Of the golden ratio: multiples are spread evenly.
constexpr std::uint64_t kWeyl = 0x9E3779B97F4A7C15;

std::string nonFiniteText(double value) {
  if (std::isnan(value)) return "is missing or not a number (NaN)";
  return value < 0 ? "is minus infinity" : "is infinite";
}

/// Takes the memory of the next rows of one of `columns` columns from the system where they reach
/// beyond what was taken before, a part at a time: a header may promise more rows than the file
/// has.
template <class Column>
void takeMemory(Column& column, std::size_t rows, std::size_t columns) {
  constexpr std::size_t kTakenBytes = std::size_t{64} << 20;  // of up to 16 columns
  constexpr std::size_t kLeastRows = (std::size_t{4} << 20) / sizeof(column[0]);
  const std::size_t part = std::max(kLeastRows, kTakenBytes / sizeof(column[0]) / columns);
  const std::size_t first = (column.size() + part - 1) / part * part;
  const std::size_t last = std::min(column.capacity(), (rows + part - 1) / part * part);
  if (first < last)
    takeLargePages(column.data() + first, (last - first) * sizeof(column[0]), Task{});
}

/// Frees unused memory of a column where that is worth a copy.
template <class Column>
void trim(Column& column) {
  if (column.capacity() - column.size() > column.capacity() / 8) column.shrink_to_fit();
}

}  // namespace

DatasetBuilder::DatasetBuilder(std::string file, std::vector<PreviewColumn> columns,
                               ColumnPlan plan, const ReadOptions& options)
    : file_(std::move(file)),
      columns_(std::move(columns)),
      plan_(std::move(plan)),
      skip_(options.skipNonFinite),
      every_(std::max<std::uint64_t>(options.every, 1)),
      memoryLimit_(options.memoryLimit),
      values_(columns_.size()),
      words_(columns_.size()),
      marked_(columns_.size()) {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (!columns_[c].numeric)
      values_[c] = Categories{};
    else if (plan_.uses[c].kind == ColumnUse::Kind::Attribute)
      values_[c] = emptyNumbers(columns_[c].scalar);
  }
  skippedValues_ = values_;
}

Result<void> DatasetBuilder::reserve(std::uint64_t rows) {
  if (rows == 0)
    return badInput(file_ +
                    ": there are no data rows. Check that it is the right "
                    "file and was written to the end.");
  std::uint64_t kept = 0;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (plan_.uses[c].kind == ColumnUse::Kind::Ignored) continue;
    rowBytes_ += sizeOf(typeOf(values_[c]));
    ++kept;
  }
  if (taken(rows) > kMaxPoints)
    return tooLarge(file_ + ": has " + std::to_string(rows) + " rows; at most " +
                    std::to_string(kMaxPoints) + " points are possible. Take a part of the file.");
  rowsReserved_ = rows;
  lastSample_ = std::chrono::steady_clock::now();
  const std::uint64_t held = wholeColumns_ ? rows : taken(rows);
  numberBytes_ = held * rowBytes_;
  if (auto fits = checkMemory(file_, held, kept, numberBytes_, memoryLimit_); !fits) return fits;
  if (memoryLimit_ == 0) memoryLimit_ = availableMemory();
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (plan_.uses[c].kind == ColumnUse::Kind::Ignored) continue;
    // The rows between those that are taken lie behind them until they are settled.
    const std::uint64_t space = std::min(rows, held + (every_ > 1 ? kRowsPerExtend : 0));
    withVector(values_[c], [&](auto& column) { column.reserve(std::size_t(space)); });
  }
  return {};
}

void DatasetBuilder::extend(std::size_t rows) {
  for (const auto* part : {&plan_.coordinates, &plan_.attributes})
    for (const std::size_t c : *part)
      withVector(values_[c], [&](auto& column) { takeMemory(column, settled_ + rows, kept()); });
  resizeAll(settled_ + rows);
}

void DatasetBuilder::resizeAll(std::size_t rows) {
  for (const auto* part : {&plan_.coordinates, &plan_.attributes})
    for (const std::size_t c : *part)
      withVector(values_[c], [&](auto& column) { column.resize(rows); });
}

void DatasetBuilder::extendColumn(std::size_t column, std::size_t rows) {
  if (plan_.uses[column].kind == ColumnUse::Kind::Ignored) return;
  withVector(values_[column], [&](auto& values) {
    takeMemory(values, values.size() + rows, kept());
    values.resize(values.size() + rows);
  });
}

NumberSlots DatasetBuilder::numbers(std::size_t column) {
  if (plan_.uses[column].kind == ColumnUse::Kind::Ignored || !columns_[column].numeric) return {};
  void* const first =
      withVector(values_[column], [&](auto& values) -> void* { return values.data() + settled_; });
  return {typeOf(values_[column]), first};
}

std::int32_t* DatasetBuilder::codes(std::size_t column) {
  if (plan_.uses[column].kind == ColumnUse::Kind::Ignored || columns_[column].numeric)
    return nullptr;
  return std::get<Categories>(values_[column]).codes.data() + settled_;
}

std::int32_t DatasetBuilder::codeOf(std::size_t column, std::string_view word) {
  return words_[column].codeOf(word);
}

bool DatasetBuilder::blockIsFinite(std::size_t first, std::size_t last) const {
  for (const std::size_t c : plan_.coordinates) {
    const double* const values = coordinate(c).data();
    bool finite = true;
    for (std::size_t i = first; i < last; ++i)
      finite &= std::abs(values[i]) <= std::numeric_limits<double>::max();
    if (!finite) return false;
  }
  return true;
}

std::optional<std::size_t> DatasetBuilder::firstBadColumn(std::size_t row) const {
  for (const std::size_t c : plan_.coordinates)
    if (!std::isfinite(coordinate(c)[row])) return c;
  return std::nullopt;
}

void DatasetBuilder::moveRow(std::size_t from, std::size_t to) {
  for (const auto* part : {&plan_.coordinates, &plan_.attributes})
    for (const std::size_t c : *part)
      withVector(values_[c], [&](auto& column) { column[to] = column[from]; });
}

void DatasetBuilder::keepSkipped(std::size_t row) {
  for (const auto* part : {&plan_.coordinates, &plan_.attributes})
    for (const std::size_t c : *part)
      withVector(values_[c], [&]<class Values>(const Values& column) {
        withVector(skippedValues_[c], [&]<class Kept>(Kept& kept) {
          if constexpr (std::is_same_v<Kept, Values>) kept.push_back(column[row]);
        });
      });
}

void DatasetBuilder::settleRow(std::size_t at, std::uint64_t row, std::uint64_t line) {
  const auto bad = firstBadColumn(at);
  if (!bad) return moveRow(at, settled_++);
  if (!firstBad_) firstBad_ = FirstBad{row, line, *bad, coordinate(*bad)[at]};
  ++refused_;
  if (!skip_) return;
  skipped_.push_back(row / every_);
  keepSkipped(at);
}

Result<void> DatasetBuilder::settle(std::size_t rows, std::span<const std::uint64_t> lines,
                                    const Task& task) {
  const std::size_t start = settled_;
  std::vector<std::uint8_t> finite(every_ == 1 ? (rows + kRowsPerLook - 1) / kRowsPerLook : 0);
  parallelFor(finite.size(), 1, [&](std::size_t block) {
    const std::size_t first = block * kRowsPerLook;
    if (task.cancelled()) return;
    finite[block] =
        blockIsFinite(start + first, start + std::min(rows, first + kRowsPerLook)) ? 1 : 0;
  });
  for (std::size_t first = 0; first < rows; first += kRowsPerLook) {
    if (task.cancelled()) return cancelledError();
    const std::size_t last = std::min(rows, first + kRowsPerLook);
    if (every_ == 1 && settled_ == start + first && finite[first / kRowsPerLook] != 0) {
      settled_ += last - first;
      continue;
    }
    const std::uint64_t before = (rowsSeen_ + first) % every_;
    for (std::uint64_t i = first + (before == 0 ? 0 : every_ - before); i < last; i += every_)
      settleRow(start + i, rowsSeen_ + i, lines.empty() ? 0 : lines[i]);
  }
  rowsSeen_ += rows;
  // Once a row is refused the data set is lost; the rest is only counted.
  if (!skip_ && refused_ > 0) settled_ = 0;
  resizeAll(settled_);
  std::uint64_t wordBytes = 0;
  for (const std::size_t c : plan_.attributes) wordBytes += words_[c].bytes();
  if (wordBytes > 0 && numberBytes_ + wordBytes > memoryLimit_)
    return tooLarge(file_ + ": the text columns alone pass the " + memoryText(memoryLimit_) +
                    " of memory there are, after " + std::to_string(rowsSeen_) +
                    " rows. Keep fewer columns.");
  // Their columns, which grow, may have as much space again.
  const std::uint64_t skippedBytes = skipped_.size() * (rowBytes_ + sizeof(skipped_[0]));
  if (skippedBytes > 0 && numberBytes_ + wordBytes + skippedBytes > memoryLimit_)
    return tooLarge(file_ + ": " + std::to_string(skipped_.size()) +
                    " rows that are skipped, and kept for exports, pass the " +
                    memoryText(memoryLimit_) + " of memory there are, after " +
                    std::to_string(rowsSeen_) + " rows. Keep fewer columns.");
  if (partial_.deliver) deliverSample();
  return {};
}

void DatasetBuilder::deliverSample() {
  // The whole data set follows at once, or was refused.
  if (rowsSeen_ >= rowsReserved_ || settled_ == 0) return;
  const auto now = Clock::now();
  if (now - lastSample_ < std::max<Clock::duration>(partial_.interval, 9 * sampleTook_)) return;
  const std::size_t most =
      std::min(partial_.points, partial_.values / plan_.coordinates.size()) | 1;
  const auto stride = std::size_t((taken(rowsReserved_) + most - 1) / most);
  auto sample = std::make_shared<PointCloud>();
  for (const std::size_t c : plan_.coordinates) {
    std::vector<double>& values = sample->columns.emplace_back();
    values.reserve(settled_ / stride + 1);
    for (std::size_t block = 0;; ++block) {
      // Anywhere in its block: rows of a lattice would repeat in step with the blocks.
      const std::size_t row = block * stride + std::size_t((block * kWeyl) >> 33) % stride;
      if (row >= settled_) break;
      values.push_back(coordinate(c)[row]);
    }
    sample->names.push_back(columns_[c].name);
  }
  partial_.deliver({std::move(sample), rowsSeen_, rowsReserved_});
  lastSample_ = Clock::now();
  sampleTook_ = lastSample_ - now;
}

Result<Dataset> DatasetBuilder::finish() {
  if (firstBad_ && !skip_) {
    // A part knows its own rows only.
    const bool someAreFine = isPart_ || refused_ < taken(rowsSeen_);
    const std::string place = firstBad_->line > 0
                                  ? "line " + std::to_string(firstBad_->line)
                                  : "row " + std::to_string(firstBad_->row) + " (counted from 0)";
    return tl::unexpected(Error{
        .kind = ErrorKind::BadInput,
        .message =
            file_ + ": " + place + ", " +
            columnText(firstBad_->column, columns_[firstBad_->column].name) + ": the coordinate " +
            nonFiniteText(firstBad_->value) + ". " +
            (isPart_ ? ""
                     : std::to_string(refused_) + (refused_ == 1 ? " row has" : " rows have") +
                           " such coordinates. ") +
            (someAreFine ? "Choose to skip such rows, choose other columns, or repair the file."
                         : "Choose other columns, or repair the file."),
        .canSkipRows = someAreFine});
  }
  if (settled_ == 0 && !isPart_)
    return badInput(file_ + ": no row is left: each of the " + std::to_string(taken(rowsSeen_)) +
                    " rows has a coordinate that is missing or not finite.");
  Dataset dataset;
  describeCoordinates(dataset);
  for (const std::size_t c : plan_.coordinates) {
    auto& values = std::get<std::vector<double>>(values_[c]);
    trim(values);
    dataset.cloud.columns.push_back(std::move(values));
    dataset.cloud.names.push_back(columns_[c].name);
  }
  for (const std::size_t c : plan_.attributes) {
    withVector(values_[c], [](auto& values) { trim(values); });
    if (auto* const text = std::get_if<Categories>(&values_[c])) text->words = words_[c].take();
    dataset.attributes.push_back({columns_[c].name, std::move(values_[c])});
  }
  if (!skipped_.empty())
    for (const auto* kept : {&plan_.coordinates, &plan_.attributes})
      for (const std::size_t c : *kept)
        dataset.skippedValues.push_back(std::move(skippedValues_[c]));
  for (const auto* kept : {&plan_.coordinates, &plan_.attributes})
    for (const std::size_t c : *kept)
      if (!columns_[c].unit.empty()) dataset.units[columns_[c].name] = columns_[c].unit;
  for (const ColumnUse& use : plan_.uses) {
    if (use.kind == ColumnUse::Kind::Coordinate) dataset.columnOrder.push_back(use.index);
    if (use.kind == ColumnUse::Kind::Attribute)
      dataset.columnOrder.push_back(plan_.coordinates.size() + use.index);
  }
  if (plan_.guessed)
    for (const PreviewColumn& column : columns_)
      if (column.leftOut) dataset.leftOut.push_back(column.name);
  dataset.every = every_;
  dataset.inputRows = taken(rowsSeen_);
  dataset.skippedRows = std::move(skipped_);
  return dataset;
}

/// The types of the coordinates. One that its type does not hold as it was read stays a double.
void DatasetBuilder::describeCoordinates(Dataset& dataset) const {
  constexpr double exact = 9007199254740992.0;  // 2⁵³
  for (const std::size_t c : plan_.coordinates) {
    const Scalar type = columns_[c].scalar;
    const std::vector<double>& values = coordinate(c);
    const auto any = [&](auto isOne) {
      return tbb::parallel_reduce(
          tbb::blocked_range<const double*>(values.data(), values.data() + values.size(), 65536),
          false,
          [&](const auto& range, bool found) {
            return found || std::any_of(range.begin(), range.end(), isOne);
          },
          std::logical_or<>());
    };
    const bool wide = type == Scalar::Int64 || type == Scalar::Uint64;
    // Marked values may be in rows that are left out.
    const bool rounded = (wide || marked_[c]) && any([](double x) { return std::abs(x) >= exact; });
    const bool finer =
        type == Scalar::Float32 && any([](double x) { return !storesExactly<float>(x); });
    dataset.coordinateTypes.push_back(rounded || finer ? Scalar::Float64 : type);
    if (rounded) dataset.roundedCoordinates.push_back(columns_[c].name);
  }
}

}  // namespace clusterloom
