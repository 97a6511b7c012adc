#include <algorithm>
#include <bit>
#include <limits>
#include <ostream>
#include <span>
#include <string>

#include "engine/io/export_rows.h"
#include "engine/io/npy/npy_header.h"

namespace clusterloom {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as little-endian");
static_assert(sizeof(Pair) == 8);

void put(std::ostream& out, const std::string& header, const void* bytes, std::size_t count) {
  out.write(header.data(), std::streamsize(header.size()));
  out.write(static_cast<const char*>(bytes), std::streamsize(count));
}

/// Writes an array block by block: compressing one takes its time.
Result<void> putArray(std::ostream& out, const std::string& header, std::span<const char> bytes,
                      const Task& task) {
  put(out, header, "", 0);
  for (std::size_t at = 0; at < bytes.size() && out; at += kExportBytes) {
    if (task.cancelled()) return cancelledError();
    task.report("writing", double(at) / double(bytes.size()));
    put(out, "", bytes.data() + at, std::min(kExportBytes, bytes.size() - at));
  }
  return {};  // the caller reports an error of the stream
}

template <class Values>
std::span<const char> bytesOf(const Values& values) {
  return {reinterpret_cast<const char*>(values.data()), std::span(values).size_bytes()};
}

template <class Values>
Result<void> writeArray(const OutputTarget& target, const std::string& header, const Values& values,
                        const Task& task) {
  return writeAtomically(
      target, [&](std::ostream& out) { return putArray(out, header, bytesOf(values), task); });
}

/// Writes an array of rows of columns block by block; fill(first, end, values) gives the values of
/// the rows from `first` to before `end`.
template <class T, class Fill>
Result<void> putRows(std::ostream& out, const std::string& descr, std::size_t rows,
                     std::size_t columns, const Fill& fill, const Task& task) {
  put(out, npyHeader(descr, std::to_string(rows) + ", " + std::to_string(columns)), "", 0);
  const std::size_t perBlock =
      std::max<std::size_t>(1, kExportBytes / (sizeof(T) * std::max<std::size_t>(1, columns)));
  std::vector<T> block;
  for (std::size_t first = 0; first < rows && out; first += perBlock) {
    if (task.cancelled()) return cancelledError();
    task.report("writing", double(first) / double(rows));
    const std::size_t end = std::min(first + perBlock, rows);
    block.resize((end - first) * columns);
    fill(first, end, block.data());
    put(out, "", block.data(), block.size() * sizeof(T));
  }
  return {};  // the caller reports an error of the stream
}

template <class T>
Result<void> writeRows(const OutputTarget& target, const Dataset& dataset, const std::string& descr,
                       std::size_t columns, T ofSkipped,
                       const std::function<void(std::size_t, T*)>& fill, const Task& task) {
  const std::vector<std::uint64_t>& skippedRows = dataset.skippedRows;
  const std::size_t rows = dataset.cloud.size() + skippedRows.size();
  return writeAtomically(target, [&](std::ostream& out) {
    auto skipped = skippedRows.begin();
    std::size_t point = 0;
    const auto fillRows = [&](std::size_t row, std::size_t end, T* values) {
      for (; row < end; ++row, values += columns) {
        if (skipped != skippedRows.end() && *skipped == row) {
          std::fill_n(values, columns, ofSkipped);
          ++skipped;
        } else {
          fill(point++, values);
        }
      }
    };
    return putRows<T>(out, descr, rows, columns, fillRows, task);
  });
}

}  // namespace

// Magic, version 1.0, and the dictionary padded so that the array starts at a multiple of 64.
std::string npyHeader(const std::string& descr, const std::string& shape) {
  std::string dictionary =
      "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  while ((10 + dictionary.size() + 1) % 64 != 0) dictionary += ' ';
  dictionary += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(dictionary.size() & 0xff);
  header += static_cast<char>(dictionary.size() >> 8);
  return header + dictionary;
}

Result<void> writeNpy(const OutputTarget& target, const std::vector<std::uint32_t>& values,
                      const Task& task) {
  return writeArray(target, npyHeader("<u4", std::to_string(values.size()) + ","), values, task);
}

Result<void> writeNpy(const OutputTarget& target, const std::vector<std::int32_t>& values,
                      const Task& task) {
  return writeArray(target, npyHeader("<i4", std::to_string(values.size()) + ","), values, task);
}

Result<void> writeNpy(const OutputTarget& target, const std::vector<double>& values,
                      const Task& task) {
  return writeArray(target, npyHeader("<f8", std::to_string(values.size()) + ","), values, task);
}

Result<void> writeNpy(const OutputTarget& target, std::span<const Pair> pairs, const Task& task) {
  return writeArray(target, npyHeader("<i4", std::to_string(pairs.size()) + ", 2"), pairs, task);
}

Result<void> writeRowsNpy(const OutputTarget& target, const Dataset& dataset, std::size_t columns,
                          const std::function<void(std::size_t, double*)>& fill, const Task& task) {
  return writeRows<double>(target, dataset, "<f8", columns,
                           std::numeric_limits<double>::quiet_NaN(), fill, task);
}

Result<void> writeLabelRowsNpy(const OutputTarget& target, const Dataset& dataset,
                               std::size_t count,
                               const std::function<Result<Clustering>(std::size_t)>& clusteringOf,
                               const Task& task) {
  const std::size_t rows = dataset.cloud.size() + dataset.skippedRows.size();
  return writeAtomically(target, [&](std::ostream& out) -> Result<void> {
    put(out, npyHeader("<i4", std::to_string(count) + ", " + std::to_string(rows)), "", 0);
    for (std::size_t i = 0; i < count && out; ++i) {
      if (task.cancelled()) return cancelledError();
      task.report("writing", double(i) / double(count));
      const Result<Clustering> clustering = clusteringOf(i);
      if (!clustering) return tl::unexpected(clustering.error());
      const std::vector<std::int32_t> labels = labelsPerInputRow(dataset, *clustering);
      put(out, "", labels.data(), labels.size() * sizeof(std::int32_t));
    }
    return {};  // the caller reports an error of the stream
  });
}

Result<void> writeTableNpy(const OutputTarget& target, std::size_t rows, std::size_t columns,
                           const std::function<void(std::size_t, double*)>& fill,
                           const Task& task) {
  return writeAtomically(target, [&](std::ostream& out) {
    const auto fillRows = [&](std::size_t row, std::size_t end, double* values) {
      for (; row < end; ++row, values += columns) fill(row, values);
    };
    return putRows<double>(out, "<f8", rows, columns, fillRows, task);
  });
}

namespace {

/// The rows of the file of all points (FileRows), in one pass.
template <class Id>
std::vector<Id> rowsOfPoints(const Dataset& dataset) {
  std::vector<Id> rows;
  rows.reserve(dataset.cloud.size());
  auto skipped = dataset.skippedRows.begin();
  for (std::uint64_t row = 0; rows.size() < dataset.cloud.size(); ++row) {
    if (skipped != dataset.skippedRows.end() && *skipped == row)
      ++skipped;
    else
      rows.push_back(static_cast<Id>(row * dataset.every));
  }
  return rows;
}

bool needsLongRows(const Dataset& dataset) {
  return (dataset.cloud.size() + dataset.skippedRows.size()) * dataset.every >
         std::uint64_t{std::numeric_limits<std::int32_t>::max()};
}

template <class Id>
Result<void> writeRowIds(
    const OutputTarget& target, const Dataset& dataset, const Dataset& named,
    const std::string& descr, std::size_t columns,
    const std::function<std::span<const std::uint32_t>(std::size_t point)>& idsOf,
    const Task& task) {
  const std::vector<Id> rowOf = rowsOfPoints<Id>(named);
  const std::function<void(std::size_t, Id*)> fill = [&](std::size_t point, Id* row) {
    for (const std::uint32_t id : idsOf(point)) *row++ = rowOf[id];
  };
  return writeRows<Id>(target, dataset, descr, columns, Id{kSkippedRow}, fill, task);
}

template <class Id>
Result<void> writePairs(const OutputTarget& target, std::span<const Pair> pairs,
                        const std::string& descr, const Dataset& ofP, const Dataset& ofQ,
                        const Task& task) {
  const std::vector<Id> rowOfP = rowsOfPoints<Id>(ofP);
  const std::vector<Id> rowOfQ = rowsOfPoints<Id>(ofQ);
  return writeAtomically(target, [&](std::ostream& out) {
    const auto fillRows = [&](std::size_t first, std::size_t end, Id* rows) {
      for (const Pair& pair : pairs.subspan(first, end - first)) {
        *rows++ = rowOfP[std::size_t(pair.p)];
        *rows++ = rowOfQ[std::size_t(pair.q)];
      }
    };
    return putRows<Id>(out, descr, pairs.size(), 2, fillRows, task);
  });
}

}  // namespace

Result<void> writeRowIdsNpy(
    const OutputTarget& target, const Dataset& dataset, const Dataset& named, std::size_t columns,
    const std::function<std::span<const std::uint32_t>(std::size_t point)>& idsOf,
    const Task& task) {
  if (needsLongRows(named))
    return writeRowIds<std::int64_t>(target, dataset, named, "<i8", columns, idsOf, task);
  return writeRowIds<std::int32_t>(target, dataset, named, "<i4", columns, idsOf, task);
}

Result<void> writeCountsNpy(const OutputTarget& target, const Dataset& dataset,
                            const std::vector<std::uint32_t>& counts, const Task& task) {
  if (dataset.skippedRows.empty()) return writeNpy(target, counts, task);
  return writeNpy(target, perInputRow(dataset, counts, std::uint32_t{0}), task);
}

Result<void> writePairsNpy(const OutputTarget& target, std::span<const Pair> pairs,
                           const Dataset& ofP, const Dataset& ofQ, const Task& task) {
  if (FileRows(ofP).areThePoints() && FileRows(ofQ).areThePoints())
    return writeNpy(target, pairs, task);
  if (needsLongRows(ofP) || needsLongRows(ofQ))
    return writePairs<std::int64_t>(target, pairs, "<i8", ofP, ofQ, task);
  return writePairs<std::int32_t>(target, pairs, "<i4", ofP, ofQ, task);
}

Result<void> writeLabelsNpy(std::ostream& out, const Dataset& dataset, const Clustering& clustering,
                            const RowFilter& filter, const Task& task) {
  const auto putLabels = [&](const std::vector<std::int32_t>& labels) {
    return putArray(out, npyHeader("<i4", std::to_string(labels.size()) + ","), bytesOf(labels),
                    task);
  };
  if (dataset.skippedRows.empty() && filter.everything()) return putLabels(clustering.labels);
  std::vector<std::int32_t> labels = labelsPerInputRow(dataset, clustering);
  std::erase_if(labels, [&](std::int32_t label) { return !filter.takes(label); });
  return putLabels(labels);
}

Result<void> writeCoordinatesNpy(std::ostream& out, const Dataset& dataset, const Task& task) {
  const PointCloud& cloud = dataset.cloud;
  const std::size_t dims = cloud.dims();
  const auto fillRows = [&](std::size_t first, std::size_t end, double* values) {
    for (std::size_t j = 0; j < dims; ++j)
      for (std::size_t r = first; r < end; ++r)
        values[(r - first) * dims + j] = cloud.columns[j][r];
  };
  return putRows<double>(out, "<f8", cloud.size(), dims, fillRows, task);
}

}  // namespace clusterloom
