// LAS 1.0 to 1.4, point formats 0 to 10, with all that a point has; compressed points (LAZ) by
// laz_file.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>

#include "engine/cloud/las_origin.h"
#include "engine/io/column_plan.h"
#include "engine/io/export_rows.h"
#include "engine/io/formats.h"
#include "engine/io/las/copc_tree.h"
#include "engine/io/las/las_layout.h"
#include "engine/io/las/laz_file.h"
#include "engine/io/records.h"

namespace clusterloom {
namespace {

// More bytes between header and points than any coordinate system takes are skipped.
constexpr std::uint64_t kMostRecordBytes = std::uint64_t{16} << 20;
// Bytes of a point that nothing describes become columns up to this number.
constexpr std::size_t kMostUndescribed = 64;
constexpr std::size_t kMostExtras = 3 * kLasMostExtras;
// Records after the points are kept up to this sum.
constexpr std::uint64_t kMostExtended = std::uint64_t{256} << 20;

struct LasHeader {
  LasOrigin origin;
  std::size_t headerBytes = 0;
  std::size_t recordBytes = 0;
  std::uint64_t dataOffset = 0;
  std::uint32_t records = 0;
  std::uint64_t points = 0;
  std::uint64_t extendedOffset = 0;
  std::uint32_t extendedRecords = 0;
  bool compressed = false;
  std::string compression;  ///< the record that says how
  std::string copc;         ///< the record that says where the octree is
  std::string words;        ///< of columns of text, which an export of ours stores as codes
};

/// The file is little-endian, as this machine is.
template <class T>
T read(const char* bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes + at, sizeof(T));
  return value;
}

tl::unexpected<Error> wrongLas(const InputStream& in, const std::string& what) {
  return badInput(in.name() + ": " + what);
}

Result<LasHeader> parseHeader(InputStream& in) {
  static_assert(std::endian::native == std::endian::little);
  const auto filled = in.fill(kLasHeader14);
  if (!filled) return tl::unexpected(filled.error());
  const char* const bytes = in.begin();
  if (!in.view().starts_with("LASF"))
    return wrongLas(
        in, "is named like a LAS file but does not begin with \"LASF\". Correct the extension.");
  if (in.available() < kLasHeader12)
    return wrongLas(in, "ends inside its header. It was cut short; copy or export it again.");
  LasHeader header;
  const int major = read<std::uint8_t>(bytes, 24);
  LasOrigin& origin = header.origin;
  origin.minor = read<std::uint8_t>(bytes, 25);
  if (major != 1 || origin.minor > 4)
    return wrongLas(in, "is LAS " + std::to_string(major) + "." + std::to_string(origin.minor) +
                            "; 1.0 to 1.4 are read. Export it as LAS 1.4.");
  const std::size_t headerBytes = header.headerBytes = read<std::uint16_t>(bytes, 94);
  const std::size_t leastBytes = origin.minor == 4 ? kLasHeader14 : kLasHeader12;
  if (headerBytes < leastBytes || in.available() < leastBytes)
    return wrongLas(in, "the header says it has " + std::to_string(headerBytes) + " bytes, LAS 1." +
                            std::to_string(origin.minor) + " needs " + std::to_string(leastBytes) +
                            ". The file was cut short or is damaged; export it again.");
  header.compressed = (read<std::uint8_t>(bytes, 104) & kLazMarks) != 0;
  const int format = read<std::uint8_t>(bytes, 104) & ~kLazMarks;
  origin.pointFormat = format;
  if (format >= int(kLasRecordBytes.size()))
    return wrongLas(in, "has point format " + std::to_string(format) +
                            "; 0 to 10 are known. Export it with one of these.");
  header.recordBytes = read<std::uint16_t>(bytes, 105);
  if (header.recordBytes < kLasRecordBytes[std::size_t(format)])
    return wrongLas(in, "the header says a point has " + std::to_string(header.recordBytes) +
                            " bytes, but point format " + std::to_string(format) + " needs " +
                            std::to_string(kLasRecordBytes[std::size_t(format)]) +
                            ". It is damaged; export it again.");
  header.dataOffset = read<std::uint32_t>(bytes, 96);
  if (header.dataOffset < headerBytes || header.dataOffset > in.size())
    return wrongLas(in, "the header says the points start at byte " +
                            std::to_string(header.dataOffset) + " of " + std::to_string(in.size()) +
                            ". The file was cut short or is damaged; export it again.");
  header.points = read<std::uint32_t>(bytes, 107);
  if (origin.minor == 4) {
    const auto points = read<std::uint64_t>(bytes, 247);
    if (points != 0) header.points = points;
  }
  for (std::size_t j = 0; j < 3; ++j) {
    origin.scale[j] = read<double>(bytes, 131 + 8 * j);
    origin.offset[j] = read<double>(bytes, 155 + 8 * j);
    if (!std::isfinite(origin.scale[j]) || origin.scale[j] == 0 || !std::isfinite(origin.offset[j]))
      return wrongLas(in, std::string("the header's scale or offset of ") + "xyz"[j] +
                              " is not a usable number. It is damaged; export it again.");
  }
  header.records = read<std::uint32_t>(bytes, 100);
  origin.fileSource = read<std::uint16_t>(bytes, 4);
  origin.encoding = read<std::uint16_t>(bytes, 6);
  constexpr std::uint16_t internalWaves = 1 << 1;
  if (origin.minor == 4) {
    header.extendedOffset = read<std::uint64_t>(bytes, kLasEvlrsAt);
    header.extendedRecords = read<std::uint32_t>(bytes, kLasEvlrsAt + 8);
  } else if (origin.minor == 3 && (origin.encoding & internalWaves) != 0 &&
             headerBytes >= kLasHeader13 && in.available() >= kLasHeader13) {
    // Some have a header of 1.2, which does not say where the packets are.
    header.extendedOffset = read<std::uint64_t>(bytes, kLasWavesAt);
    header.extendedRecords = header.extendedOffset > 0 ? 1 : 0;
  }
  origin.guid.assign(bytes + 8, 16);
  origin.system.assign(bytes + 26, 32);
  origin.day = read<std::uint16_t>(bytes, 90);
  origin.year = read<std::uint16_t>(bytes, 92);
  return header;
}

/// The text of a field of fixed length that ends at its first NUL.
std::string textOf(std::string_view field) {
  return std::string(field.substr(0, field.find('\0')));
}

/// A column of extra bytes, and where it is in the record.
struct ExtraColumn {
  LasOrigin::Extra extra;
  std::size_t offset = 0;
};

/// Columns described by the content of a record "LASF_Spec" 4, from byte `at` of a point on.
/// Columns of 2 or 3 values, which the specification no longer has, become 2 or 3 columns.
void addExtras(std::string_view content, std::size_t recordBytes, std::size_t& at,
               std::vector<ExtraColumn>& columns) {
  constexpr std::uint8_t kScale = 8;
  constexpr std::uint8_t kOffset = 16;
  for (; content.size() >= kLasExtraRecord; content.remove_prefix(kLasExtraRecord)) {
    const char* const bytes = content.data();
    const auto number = read<std::uint8_t>(bytes, 2);
    const auto options = read<std::uint8_t>(bytes, 3);
    if (number > 30) return;
    // Bytes of no known meaning have their number in place of the options.
    const bool known = number > 0;
    const std::size_t values = known ? 1 + (number - 1U) / 10 : options;
    ExtraColumn column;
    column.extra.type = known ? std::uint8_t((number - 1) % 10 + 1) : lasExtraNumber(Scalar::Uint8);
    column.extra.values = values;
    column.extra.record = content.substr(0, kLasExtraRecord);
    column.extra.description = textOf(content.substr(160, 32));
    std::string name = textOf(content.substr(4, 32));
    if (name.empty()) name = "extra";
    for (std::size_t v = 0; v < values; ++v) {
      const std::size_t bytesOfValue = sizeOf(lasExtraType(column.extra.type));
      if (at + bytesOfValue > recordBytes || columns.size() == kMostExtras) return;
      column.offset = at;
      column.extra.name = values == 1 ? name : name + "_" + std::to_string(v);
      column.extra.index = v;
      column.extra.scaled = known && (options & (kScale | kOffset)) != 0;
      const bool hasScale = known && (options & kScale) != 0;
      const bool hasOffset = known && (options & kOffset) != 0;
      column.extra.scale = hasScale ? read<double>(bytes, 112 + 8 * v) : 1;
      column.extra.offset = hasOffset ? read<double>(bytes, 136 + 8 * v) : 0;
      columns.push_back(column);
      at += bytesOfValue;
    }
  }
}

/// Takes the bytes that follow; BadInput where the file ends first.
Result<void> takeBytes(InputStream& in, std::uint64_t count, std::string* into) {
  constexpr std::uint64_t block = std::uint64_t{1} << 20;
  while (count > 0) {
    if (in.task().cancelled()) return cancelledError();
    const auto size = std::size_t(std::min(count, block));
    const auto filled = in.fill(size);
    if (!filled) return tl::unexpected(filled.error());
    if (!*filled)
      return wrongLas(in,
                      "ends inside the records after its points. It was cut short; copy or export "
                      "it again.");
    if (into != nullptr) into->append(in.begin(), size);
    in.consume(size);
    count -= size;
  }
  return {};
}

/// Reads the records after the points; the stream is behind these.
Result<void> readExtendedRecords(InputStream& in, const LasHeader& header, LasOrigin& origin) {
  if (header.extendedRecords == 0) return {};
  if (header.extendedOffset < in.position())
    return wrongLas(in, "the header says that records follow the points at byte " +
                            std::to_string(header.extendedOffset) +
                            ", which is before their end. It is damaged; export it again.");
  if (auto there = takeBytes(in, header.extendedOffset - in.position(), nullptr); !there)
    return there;
  for (std::uint32_t r = 0; r < header.extendedRecords; ++r) {
    std::string record;
    if (auto taken = takeBytes(in, kLasEvlrHeader, &record); !taken) return taken;
    const std::string user = textOf(std::string_view(record).substr(2, 16));
    const auto id = read<std::uint16_t>(record.data(), 18);
    const auto length = read<std::uint64_t>(record.data(), 20);
    const bool waves = user == "LASF_Spec" && id == 65535;
    const std::uint64_t kept = origin.extendedBytes.size() + kLasEvlrHeader;
    const bool fits = kept <= kMostExtended && length <= kMostExtended - kept;
    // An export has no octree.
    const bool octree = user == kCopcUser;
    if (!octree && !fits) origin.largeBytes += length;
    const bool keeps = !octree && fits;
    if (auto taken = takeBytes(in, length, keeps ? &record : nullptr); !taken) return taken;
    if (!keeps) continue;
    if (waves) origin.waves = origin.extendedBytes.size();
    origin.extendedBytes += record;
    ++origin.extendedRecords;
  }
  return {};
}

/// Reads the variable length records: extra bytes are described in `columns`, the others are kept
/// as they are.
Result<void> readVariableRecords(InputStream& in, LasHeader& header,
                                 std::vector<ExtraColumn>& columns) {
  const std::uint64_t bytes = header.dataOffset - header.headerBytes;
  std::size_t at = kLasRecordBytes[std::size_t(header.origin.pointFormat)];
  if (bytes > kMostRecordBytes) {
    header.origin.skippedBytes = bytes;
    header.origin.droppedBytes = header.recordBytes - at;
    return in.skip(bytes);
  }
  const auto filled = in.fill(std::size_t(bytes));
  if (!filled) return tl::unexpected(filled.error());
  std::string_view rest = in.view().substr(0, std::size_t(bytes));
  for (std::uint32_t r = 0; r < header.records && rest.size() >= kLasVlrHeader; ++r) {
    const std::size_t size = kLasVlrHeader + read<std::uint16_t>(rest.data(), 20);
    if (size > rest.size()) break;
    const std::string user = textOf(rest.substr(2, 16));
    const auto id = read<std::uint16_t>(rest.data(), 18);
    if (user == "LASF_Spec" && id == 4) {
      addExtras(rest.substr(kLasVlrHeader, size - kLasVlrHeader), header.recordBytes, at, columns);
    } else if (user == kLazUser && id == kLazRecord) {
      header.compression = rest.substr(kLasVlrHeader, size - kLasVlrHeader);
    } else if (user == kLasOwnUser && id == kLasWordsRecord) {
      header.words += rest.substr(kLasVlrHeader, size - kLasVlrHeader);
    } else if (user == kCopcUser && id == kCopcInfo) {
      header.copc = rest.substr(kLasVlrHeader, size - kLasVlrHeader);
    } else if (user != kLasOwnUser && user != kCopcUser) {
      // An export writes its own, and has no octree.
      header.origin.recordBytes.append(rest.substr(0, size));
      ++header.origin.records;
    }
    rest.remove_prefix(size);
  }
  for (std::size_t i = 0; at < header.recordBytes && i < kMostUndescribed; ++i, ++at) {
    ExtraColumn column;
    column.extra.type = lasExtraNumber(Scalar::Uint8);
    column.extra.name = "extra_byte_" + std::to_string(i);
    column.offset = at;
    columns.push_back(std::move(column));
  }
  header.origin.droppedBytes = header.recordBytes - at;
  in.consume(std::min(std::size_t(bytes), in.available()));
  return {};
}

class LasFile final : public TableFile {
 public:
  LasFile(InputStream& in, const LasHeader& header, const std::vector<ExtraColumn>& extras,
          std::optional<LazFile> compressed)
      : in_(in),
        header_(header),
        compressed_(std::move(compressed)),
        words_(readLasWords(header.words)) {
    auto origin = std::make_shared<LasOrigin>(header.origin);
    for (std::size_t j = 0; j < 3; ++j) {
      add(std::string(1, "xyz"[j]), {"", Scalar::Int32, 4 * j});
      scale(header.origin.scale[j], header.origin.offset[j]);
    }
    for (const LasField& field : lasFields(header.origin.pointFormat)) add(field.name, field);
    std::vector<std::string> taken;
    for (const PreviewColumn& column : columns_) taken.push_back(column.name);
    std::vector<std::string> wanted;
    for (const ExtraColumn& column : extras) wanted.push_back(column.extra.name);
    const auto names = uniqueNames(wanted, taken);
    for (std::size_t e = 0; e < extras.size(); ++e) {
      LasOrigin::Extra extra = extras[e].extra;
      extra.name = names[e];
      add(extra.name, {"", lasExtraType(extra.type), extras[e].offset});
      if (extra.scaled) {
        scale(extra.scale, extra.offset);
      }
      origin->extras.push_back(std::move(extra));
    }
    origin_ = std::move(origin);
    coordinates_ = {0, 1, 2};
    rows_ = header.points;
  }

  bool divides() const override { return true; }
  Result<std::optional<PointCloud>> coarse(const ColumnPlan& plan, std::uint64_t most,
                                           const Task& task) override {
    if (!compressed_ || header_.copc.empty()) return std::optional<PointCloud>();
    const std::vector<std::size_t> chunks =
        copcUpperChunks(in_.source(), header_.copc, *compressed_, most, task);
    if (chunks.empty()) return std::optional<PointCloud>();
    std::uint64_t rows = 0;
    for (const std::size_t c : chunks) rows += compressed_->chunks[c].points;
    InputStream in(in_.source(), task, "reading");
    DatasetBuilder builder(in_.name(), columns_, plan, {});
    if (auto reserved = builder.reserve(rows); !reserved) return tl::unexpected(reserved.error());
    if (auto done = readLazChunks(in, *compressed_, layout(), chunks, builder); !done)
      return tl::unexpected(done.error());
    auto dataset = builder.finish();
    if (!dataset) return tl::unexpected(dataset.error());
    return std::optional(std::move(dataset->cloud));
  }
  std::vector<FileTree::Node> tree(const Task& task) override {
    if (!compressed_ || header_.copc.empty()) return {};
    return copcNodes(in_.source(), header_.copc, *compressed_, task);
  }
  Result<PointCloud> readNode(const FileTree::Node& node, const ColumnPlan& plan,
                              const ReadOptions& options, const Task& task) const override {
    InputStream in(in_.source(), task, "reading");
    DatasetBuilder builder(in_.name(), columns_, plan, options);
    builder.beginAt(node.firstRow);
    if (auto reserved = builder.reserve(node.points); !reserved)
      return tl::unexpected(reserved.error());
    if (auto done = readLazRows(in, *compressed_, layout(), node.firstRow, node.points, builder);
        !done)
      return tl::unexpected(done.error());
    auto dataset = builder.finish();
    if (!dataset) return tl::unexpected(dataset.error());
    return std::move(dataset->cloud);
  }
  Result<void> readRows(DatasetBuilder& builder, std::uint64_t rows) override {
    const RecordLayout layout = this->layout();
    if (compressed_) {
      if (auto done = readLazRows(in_, *compressed_, layout, firstRow_, rows, builder); !done)
        return done;
    } else {
      if (auto jumped = in_.jump(firstRow_ * layout.recordBytes); !jumped) return jumped;
      if (auto done = readRecords(in_, layout, rows, builder); !done) return done;
    }
    // Parts of a file and previews need no more than points.
    return firstRow_ + rows == rows_ && firstRow_ == 0 ? readExtendedRecords(in_, header_, *origin_)
                                                       : Result<void>{};
  }
  void complete(Dataset& dataset) const override {
    dataset.las = origin_;
    restoreWords(dataset, words_);
  }

 private:
  /// Where the values of a record are, and how they become those of the columns.
  RecordLayout layout() const {
    RecordLayout layout;
    layout.recordBytes = header_.recordBytes;
    for (const LasField& field : fields_) layout.fields.push_back({field.type, field.offset});
    layout.convert = [this](std::size_t column, NumberSlots values, std::size_t count) {
      const LasField& field = fields_[column];
      if (scaling_[column].used()) {
        const auto [scale, offset] = scaling_[column];
        auto* const numbers = values.as<double>();
        for (std::size_t i = 0; i < count; ++i) numbers[i] = numbers[i] * scale + offset;
      } else if (field.bits > 0) {
        withType(values.type, [&]<class T>(T) {
          T* const numbers = values.as<T>();
          for (std::size_t i = 0; i < count; ++i)
            numbers[i] = static_cast<T>(unsigned(numbers[i]) >> field.shift & field.mask());
        });
      }
    };
    return layout;
  }

  struct Scaling {
    double scale = 0;  // 0: the values are what is stored
    double offset = 0;
    bool used() const { return scale != 0; }
  };

  void add(std::string name, const LasField& field) {
    columns_.push_back(numberColumn(std::move(name), field.type));
    fields_.push_back(field);
    scaling_.emplace_back();
  }
  /// What is stored in the newest column is scaled.
  void scale(double scale, double offset) {
    scaling_.back() = {scale, offset};
    columns_.back() = numberColumn(columns_.back().name, Scalar::Float64);
  }

  InputStream& in_;
  LasHeader header_;
  std::optional<LazFile> compressed_;
  KeptWords words_;
  std::vector<LasField> fields_;
  std::vector<Scaling> scaling_;
  std::shared_ptr<LasOrigin> origin_;
};

}  // namespace

Result<std::unique_ptr<TableFile>> openLas(InputStream& in, const ReadOptions& /*options*/) {
  auto header = parseHeader(in);
  if (!header) return tl::unexpected(header.error());
  std::vector<ExtraColumn> extras;
  if (const auto skipped = in.skip(header->headerBytes); !skipped)
    return tl::unexpected(skipped.error());
  if (const auto done = readVariableRecords(in, *header, extras); !done)
    return tl::unexpected(done.error());
  std::optional<LazFile> compressed;
  if (header->compressed) {
    // The table of its chunks is behind them.
    if (in.packing() != Packing::None) return unpackFirst(in, "LAZ");
    auto file = readLazFile(in, {header->origin.pointFormat, header->recordBytes},
                            header->compression, header->dataOffset, header->points);
    if (!file) return tl::unexpected(file.error());
    compressed = std::move(*file);
  } else if (const auto fits = checkRowsFit(in, header->points, header->recordBytes); !fits) {
    return tl::unexpected(fits.error());
  }
  return std::make_unique<LasFile>(in, *header, extras, std::move(compressed));
}

}  // namespace clusterloom
