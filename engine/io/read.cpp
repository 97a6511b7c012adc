#include "engine/io/read.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "engine/cloud/borrowed_cloud.h"
#include "engine/core/large_array.h"
#include "engine/core/memory_budget.h"
#include "engine/core/parallel_for.h"
#include "engine/core/profiler_range.h"
#include "engine/io/format_table.h"
#include "engine/io/formats.h"
#include "engine/io/numbers.h"
#include "engine/io/read_words.h"
#include "engine/io/records.h"
#include "engine/io/scalar.h"

namespace clusterloom {
namespace {

/// As many times the points of a sample has a file of which one is worth being read on its own.
constexpr std::uint64_t kWorthCoarse = 8;
constexpr std::size_t kLeastDimsByRows = 16;                  // as of the products
constexpr std::size_t kBytesCopied = std::size_t{256} << 10;  // by a thread at once

Result<Format> detectedFormat(const ByteSource& source) {
  const Task task;
  InputStream in(source, task, "reading");
  return detectFormat(in);
}

ColumnPlan onlyCoordinates(ColumnPlan plan) {
  for (const std::size_t c : plan.attributes) plan.uses[c] = {};
  plan.attributes.clear();
  return plan;
}

/// Delivers a sample of the whole file where it holds one, which then stays: samples of the rows
/// read so far show only some parts of the cloud. What is damaged is noticed when it is read.
bool deliverCoarse(TableFile& file, const ColumnPlan& coordinates, const Task& task,
                   const PartialReads& partial) {
  const std::uint64_t most =
      std::min(partial.points, partial.values / coordinates.coordinates.size());
  if (file.rows() / kWorthCoarse < most) return false;
  auto sample = file.coarse(coordinates, most, {task.stop, {}});
  if (!sample || !*sample) return false;
  partial.deliver({std::make_shared<const PointCloud>(std::move(**sample)), 0, file.rows()});
  return true;
}

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

/// Whether a file is of many columns, all of them coordinates, whose rows can be kept as they are.
bool keepsRows(const TableFile& file, const ColumnPlan& plan, const ReadOptions& options) {
  const std::size_t dims = file.columns().size();
  return file.rowsOf().has_value() && options.every <= 1 && dims >= kLeastDimsByRows &&
         plan.coordinates.size() == dims &&
         std::is_sorted(plan.coordinates.begin(), plan.coordinates.end()) && file.rows() > 0 &&
         file.rows() <= kMaxPoints;
}

/// Reads the rows of such a file, which is at its first row, into one piece of memory, from which
/// the cloud borrows. Products (engine/product) read them where they are, and floats take half of
/// the memory of doubles.
///
/// Nothing where a number is not finite: a builder then reads the file from its begin. TooLarge;
/// Io; BadInput for a file that ends early; Cancelled.
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

/// Nothing where rows, which `byRows` allows to keep as they are, turn out to need a builder.
Result<std::optional<Dataset>> readTableBy(bool byRows, Format format, const ByteSource& source,
                                           const ReadOptions& options, const Task& task,
                                           const PartialReads& partial) {
  Hasher hasher;
  InputStream in(source, task, "reading", &hasher);
  const auto table = formatOf(format).open(in, options);
  if (!table) return tl::unexpected(table.error());
  TableFile& file = **table;
  if (const auto chosen = file.checkChoice(); !chosen) return tl::unexpected(chosen.error());
  auto plan = planColumns(source.name(), file.columns(), file.coordinates(), options);
  if (!plan) return tl::unexpected(plan.error());
  Result<std::optional<Dataset>> read;
  if (byRows && keepsRows(file, *plan, options)) {
    read = readByRows(in, file, *plan, options);
    if (!read || !*read) return read;
    if (const auto drained = in.drain(); !drained) return tl::unexpected(drained.error());
  } else {
    const ColumnPlan coordinates = onlyCoordinates(*plan);
    DatasetBuilder builder(source.name(), file.columns(), std::move(*plan), options);
    if (file.storesColumns()) builder.expectColumns();
    if (const auto reserved = builder.reserve(file.rows()); !reserved)
      return tl::unexpected(reserved.error());
    if (!partial.deliver || !deliverCoarse(file, coordinates, task, partial))
      builder.deliverTo(partial);
    if (task.cancelled()) return cancelledError();  // whom that sample is enough
    if (const auto done = file.readRows(builder, file.rows()); !done)
      return tl::unexpected(done.error());
    if (const auto drained = in.drain(); !drained) return tl::unexpected(drained.error());
    auto built = builder.finish();
    if (!built) return tl::unexpected(built.error());
    read = std::move(*built);
  }
  Dataset& dataset = **read;
  dataset.source = {source.name(), toText(format), hasher.text(), ""};
  file.complete(dataset);
  dataset.unreadColumns = file.unreadColumns();
  return read;
}

Result<Dataset> readTable(Format format, const ByteSource& source, const ReadOptions& options,
                          const Task& task, const PartialReads& partial) {
  // The view of a cloud that is being read shows its columns.
  auto read = readTableBy(!partial.deliver, format, source, options, task, partial);
  if (read && !*read) read = readTableBy(false, format, source, options, task, partial);
  if (!read) return tl::unexpected(read.error());
  return std::move(**read);
}

/// The caller's choices, which reading would not make again by default.
std::vector<std::pair<std::string, std::string>> choicesOf(const ReadOptions& options,
                                                           Format format) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const ReadingOption& option : readingOptions()) {
    const auto text = option.text(options);
    if (!text || !(option.ofText ? format == Format::Text : option.name == "dataset")) continue;
    std::string name = option.name;
    std::replace(name.begin(), name.end(), '-', ' ');
    if (option.placeholder.empty())
      lines.emplace_back("decimal sign", name.substr(name.find(' ') + 1));
    else
      lines.emplace_back(name, *text);
  }
  return lines;
}

std::string cellOf(const ColumnValues& values, std::size_t row) {
  if (const auto* const text = std::get_if<Categories>(&values))
    return text->words[std::size_t(text->codes[row])];
  return withVector(values, [&](const auto& numbers) { return numberText(numbers[row]); });
}

Result<Preview> previewTable(Format format, const ByteSource& source, const ReadOptions& options,
                             std::size_t rows) {
  const Task task;
  InputStream in(source, task, "reading");
  const auto table = formatOf(format).open(in, options);
  if (!table) return tl::unexpected(table.error());
  TableFile& file = **table;
  Preview preview;
  preview.format = format;
  preview.columns = file.columns();
  preview.coordinates = file.coordinates();
  preview.fileBytes = source.size();
  preview.rowEstimate = file.rows();
  preview.rowsExact = true;
  preview.storesColumns = file.storesColumns();
  preview.tables = file.tables();
  preview.dataset = file.table();
  const std::uint64_t shown = std::min<std::uint64_t>(rows, file.rows());
  if (shown == 0) return preview;
  // Every column as an attribute: coordinates that are not finite are shown, not refused.
  ColumnPlan plan;
  for (std::size_t c = 0; c < file.columns().size(); ++c) {
    plan.uses.push_back({ColumnUse::Kind::Attribute, c});
    plan.attributes.push_back(c);
  }
  DatasetBuilder builder(source.name(), file.columns(), std::move(plan), {});
  if (const auto reserved = builder.reserve(shown); !reserved)
    return tl::unexpected(reserved.error());
  if (const auto done = file.readRows(builder, shown); !done) return tl::unexpected(done.error());
  auto dataset = builder.finish();
  if (!dataset) return tl::unexpected(dataset.error());
  file.complete(*dataset);
  for (std::size_t c = 0; c < preview.columns.size(); ++c) {
    PreviewColumn& column = preview.columns[c];
    if (!column.numeric || !isText(dataset->attributes[c].values)) continue;
    // Numbers that stand for words.
    column.numeric = false;
    column.type = "text";
    std::erase(preview.coordinates, c);
  }
  for (std::size_t r = 0; r < shown; ++r) {
    auto& cells = preview.rows.emplace_back();
    for (const Attribute& column : dataset->attributes) cells.push_back(cellOf(column.values, r));
  }
  return preview;
}

}  // namespace

std::string toText(Format format) { return formatOf(format).name; }

Result<Dataset> readDatasetFrom(const ByteSource& source, const ReadOptions& options,
                                const Task& task, const PartialReads& partial) {
  const ProfilerRange profiled("reading");
  return guardedReading(source.name(), [&]() -> Result<Dataset> {
    const auto format = detectedFormat(source);
    if (!format) return tl::unexpected(format.error());
    auto dataset = *format == Format::Text ? readText(source, options, task, partial)
                                           : readTable(*format, source, options, task, partial);
    if (dataset) dataset->source.choices = choicesOf(options, *format);
    return dataset;
  });
}

Result<Preview> previewFrom(const ByteSource& source, const ReadOptions& options,
                            std::size_t rows) {
  return guardedReading(source.name(), [&]() -> Result<Preview> {
    const auto format = detectedFormat(source);
    if (!format) return tl::unexpected(format.error());
    return *format == Format::Text ? previewText(source, options, rows)
                                   : previewTable(*format, source, options, rows);
  });
}

Result<Dataset> readDataset(const std::string& path, const ReadOptions& options, const Task& task,
                            const PartialReads& partial) {
  const auto source = openFile(path);
  if (!source) return tl::unexpected(source.error());
  return readDatasetFrom(**source, options, task, partial);
}

Result<Preview> previewFile(const std::string& path, const ReadOptions& options, std::size_t rows) {
  const auto source = openFile(path);
  if (!source) return tl::unexpected(source.error());
  return previewFrom(**source, options, rows);
}

Result<std::string> hashFile(const std::string& path, const Task& task) {
  const auto source = openFile(path);
  if (!source) return tl::unexpected(source.error());
  return guardedReading(path, [&]() -> Result<std::string> {
    Hasher hasher;
    InputStream in(**source, task, "hashing", &hasher, InputStream::Content::AsStored);
    if (const auto drained = in.drain(); !drained) return tl::unexpected(drained.error());
    return hasher.text();
  });
}

Result<std::uint64_t> everyThatFits(const std::string& path, const ReadOptions& options) {
  const auto preview = previewFile(path, options, 1);
  if (!preview) return tl::unexpected(preview.error());
  // Whole columns are kept while they are read.
  if (preview->storesColumns) return 0;
  const std::uint64_t columns = options.keepOthers || options.coordinates.empty()
                                    ? preview->columns.size()
                                    : options.coordinates.size() + options.keep.size();
  const std::uint64_t most = std::min(preview->rowEstimate, kMostEvery / 10);
  const auto fits = [&](std::uint64_t every) {
    const std::uint64_t rows = (preview->rowEstimate + every - 1) / every;
    return rows <= kMaxPoints &&
           checkMemory(path, rows, columns, rows * columns * sizeof(double), options.memoryLimit);
  };
  if (fits(1)) return 0;
  for (std::uint64_t decade = 1; decade <= most; decade *= 10)
    for (const std::uint64_t every : {2 * decade, 5 * decade, 10 * decade})
      if (fits(every)) return every;
  return 0;
}

}  // namespace clusterloom
