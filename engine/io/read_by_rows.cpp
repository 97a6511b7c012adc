#include "engine/io/read_by_rows.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>

#include "engine/cloud/borrowed_cloud.h"
#include "engine/core/large_array.h"
#include "engine/core/memory_budget.h"
#include "engine/core/parallel_for.h"
#include "engine/io/records.h"

namespace clusterloom {
namespace {

constexpr std::size_t kLeastDimsByRows = 16;                  // as of the products
constexpr std::size_t kBytesCopied = std::size_t{256} << 10;  // by a thread at once

template <class Real>
bool areFinite(const char* bytes, std::size_t count) {
  Real zero = 0;  // not a number from the first value on that is not finite
  for (std::size_t i = 0; i < count; ++i) {
    Real x;
    std::memcpy(&x, bytes + i * sizeof x, sizeof x);
    zero += x - x;
  }
  return zero == 0;
}

/// False where a number is not finite; not all are copied then.
template <class Real>
bool copyFinite(char* to, const char* from, std::size_t bytes) {
  std::atomic<bool> finite{true};
  parallelForBlocks(bytes / sizeof(Real), kBytesCopied / sizeof(Real),
                    [&](std::size_t first, std::size_t end) {
                      const std::size_t begin = first * sizeof(Real);
                      if (areFinite<Real>(from + begin, end - first))
                        std::memcpy(to + begin, from + begin, (end - first) * sizeof(Real));
                      else
                        finite = false;
                    });
  return finite;
}

Dataset datasetOf(const TableFile& file, const ColumnPlan& plan, Scalar type,
                  std::shared_ptr<const LargeArray<char>> bytes) {
  const std::size_t dims = file.columns().size();
  Dataset dataset;
  dataset.cloud = borrowedCloud({.first = bytes->data(),
                                 .points = std::size_t(file.rows()),
                                 .dims = dims,
                                 .pointStride = std::ptrdiff_t(dims * sizeOf(type)),
                                 .dimStride = std::ptrdiff_t(sizeOf(type)),
                                 .single = type == Scalar::Float32,
                                 .owner = bytes});
  for (std::size_t c = 0; c < dims; ++c) {
    const PreviewColumn& column = file.columns()[c];
    dataset.cloud.names[c] = column.name;
    dataset.columnOrder.push_back(c);
    if (!column.unit.empty()) dataset.units[column.name] = column.unit;
    if (plan.guessed && column.leftOut) dataset.leftOut.push_back(column.name);
  }
  dataset.coordinateTypes.assign(dims, type);
  dataset.inputRows = file.rows();
  return dataset;
}

}  // namespace

bool keepsRows(const TableFile& file, const ColumnPlan& plan, const ReadOptions& options) {
  const std::size_t dims = file.columns().size();
  return file.rowsOf().has_value() && options.every <= 1 && dims >= kLeastDimsByRows &&
         plan.coordinates.size() == dims &&
         std::is_sorted(plan.coordinates.begin(), plan.coordinates.end()) && file.rows() > 0 &&
         file.rows() <= kMaxPoints;
}

Result<std::optional<Dataset>> readByRows(InputStream& in, const TableFile& file,
                                          const ColumnPlan& plan, const ReadOptions& options) {
  const Scalar type = *file.rowsOf();
  const std::size_t dims = file.columns().size();
  const std::size_t rowBytes = dims * sizeOf(type);
  const std::uint64_t all = file.rows() * rowBytes;
  if (auto fits = checkMemory(in.name(), file.rows(), dims, all, options.memoryLimit); !fits)
    return tl::unexpected(fits.error());
  const auto bytes = std::make_shared<LargeArray<char>>(std::size_t(all));
  const std::size_t block = std::max<std::size_t>(1, kBytesAtOnce / rowBytes);
  for (std::size_t row = 0; row < file.rows();) {
    const std::size_t rows = std::min<std::size_t>(block, std::size_t(file.rows()) - row);
    const auto filled = in.fill(rows * rowBytes);
    if (!filled) return tl::unexpected(filled.error());
    if (!*filled) return truncatedError(in.name(), row + in.available() / rowBytes, file.rows());
    char* const to = bytes->data() + row * rowBytes;
    const bool finite = type == Scalar::Float32
                            ? copyFinite<float>(to, in.begin(), rows * rowBytes)
                            : copyFinite<double>(to, in.begin(), rows * rowBytes);
    if (!finite) return std::optional<Dataset>();
    in.consume(rows * rowBytes);
    row += rows;
  }
  return datasetOf(file, plan, type, bytes);
}

}  // namespace clusterloom
