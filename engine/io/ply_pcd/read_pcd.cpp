// PCD, the Point Cloud Library's format: ascii, binary, binary_compressed.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

#include "engine/io/column_plan.h"
#include "engine/io/formats.h"
#include "engine/io/packing/lzf_step.h"
#include "engine/io/ply_pcd/ascii_rows.h"
#include "engine/io/ply_pcd/header_lines.h"
#include "engine/io/ply_pcd/lzf_stream.h"
#include "engine/io/records.h"
#include "engine/io/scalar.h"

namespace clusterloom {
namespace {

enum class PcdEncoding { Ascii, Binary, Compressed };

struct PcdField {
  std::string name;
  Scalar type = Scalar::Float32;
  std::size_t count = 1;
  bool packedColour = false;  // three bytes of colour stored as a float

  bool padding() const { return name == "_"; }
  std::size_t bytes() const { return sizeOf(type) * count; }
};

struct PcdHeader {
  std::vector<PcdField> fields;
  std::uint64_t points = 0;
  PcdEncoding encoding = PcdEncoding::Ascii;
  ExportNotes notes;
  std::uint64_t lines = 0;

  std::size_t recordBytes() const {
    std::size_t bytes = 0;
    for (const PcdField& field : fields) bytes += field.bytes();
    return bytes;
  }
};

Result<PcdHeader> parsePcdHeader(InputStream& in) {
  HeaderLines lines(in, "PCD");
  PcdHeader header;
  std::vector<std::string> sizes;
  std::vector<std::string> types;
  std::vector<std::string> counts;
  std::optional<std::uint64_t> width;
  std::optional<std::uint64_t> height;
  std::optional<std::uint64_t> points;
  const auto number = [&](const std::vector<std::string>& w, std::optional<std::uint64_t>& value) {
    std::uint64_t parsed = 0;
    if (w.size() != 2 || !parseCount(w[1], parsed)) return false;
    value = parsed;
    return true;
  };
  for (;;) {
    const auto words = lines.next();
    if (!words) return tl::unexpected(words.error());
    const auto& w = *words;
    if (!w.empty() && w[0] == "#") takeNote(lines.text(), w, header.notes);
    if (w.empty() || w[0].front() == '#' || w[0] == "VERSION" || w[0] == "VIEWPOINT") continue;
    if (w[0] == "FIELDS" || w[0] == "COLUMNS") {
      header.fields.clear();
      for (std::size_t i = 1; i < w.size(); ++i) header.fields.push_back({w[i]});
      if (header.fields.size() > kMaxColumns)
        return lines.wrong("there are more than " + std::to_string(kMaxColumns) + " fields");
    } else if (w[0] == "SIZE") {
      sizes.assign(w.begin() + 1, w.end());
    } else if (w[0] == "TYPE") {
      types.assign(w.begin() + 1, w.end());
    } else if (w[0] == "COUNT") {
      counts.assign(w.begin() + 1, w.end());
    } else if (w[0] == "WIDTH" || w[0] == "HEIGHT" || w[0] == "POINTS") {
      auto& value = w[0] == "WIDTH" ? width : w[0] == "HEIGHT" ? height : points;
      if (!number(w, value)) return lines.wrong(w[0] + " needs a whole number");
    } else if (w[0] == "DATA") {
      if (w.size() == 2 && w[1] == "ascii")
        header.encoding = PcdEncoding::Ascii;
      else if (w.size() == 2 && w[1] == "binary")
        header.encoding = PcdEncoding::Binary;
      else if (w.size() == 2 && w[1] == "binary_compressed")
        header.encoding = PcdEncoding::Compressed;
      else
        return lines.wrong("DATA must be ascii, binary or binary_compressed");
      break;
    } else {
      return lines.wrong("\"" + w[0].substr(0, 40) + "\" is not known");
    }
  }
  header.lines = lines.line();
  const std::size_t fields = header.fields.size();
  if (fields == 0) return lines.wrong("FIELDS is missing");
  if (sizes.size() != fields || types.size() != fields ||
      (!counts.empty() && counts.size() != fields))
    return lines.wrong("FIELDS, SIZE, TYPE and COUNT must have as many entries each");
  std::uint64_t columns = 0;
  std::uint64_t values = 0;  // padding included
  for (std::size_t f = 0; f < fields; ++f) {
    PcdField& field = header.fields[f];
    std::uint64_t size = 0;
    std::uint64_t count = 1;
    if (!parseCount(sizes[f], size) || (!counts.empty() && !parseCount(counts[f], count)))
      return lines.wrong("SIZE and COUNT need whole numbers");
    const auto type = types[f].size() == 1 ? scalarOf(types[f][0], size) : std::nullopt;
    if (!type)
      return lines.wrong("field \"" + field.name + "\" has no known type (TYPE " + types[f] +
                         ", SIZE " + sizes[f] + ")");
    // Padding is one field of many bytes; it makes no columns but has to be skipped.
    if (count > kMaxColumns || (columns += field.padding() ? 0 : count) > kMaxColumns)
      return lines.wrong("there are more than " + std::to_string(kMaxColumns) + " columns");
    values += count;
    if (header.encoding == PcdEncoding::Ascii && values > kMaxColumns)
      return lines.wrong("there are more than " + std::to_string(kMaxColumns) +
                         " values in a line");
    field.type = *type;
    field.count = std::size_t(count);
    field.packedColour =
        count == 1 && *type == Scalar::Float32 && (field.name == "rgb" || field.name == "rgba");
  }
  if (columns == 0) return lines.wrong("no field holds a value");
  if (!points && !(width && height)) return lines.wrong("POINTS is missing");
  if (points && width && height &&
      (*height == 0 ? *points != 0 : *points / *height != *width || *points % *height != 0))
    return lines.wrong("POINTS is " + std::to_string(*points) + ", but WIDTH × HEIGHT is " +
                       std::to_string(*width) + " × " + std::to_string(*height));
  if (!points && *height != 0 && *width > UINT64_MAX / *height)
    return lines.wrong("WIDTH × HEIGHT is too large");
  header.points = points ? *points : *width * *height;
  return header;
}

class PcdFile final : public TableFile {
 public:
  PcdFile(InputStream& in, PcdHeader header) : in_(in), header_(std::move(header)) {
    for (const PcdField& field : header_.fields) {
      if (field.padding()) continue;
      for (std::size_t k = 0; k < field.count; ++k) {
        const std::string name =
            field.count == 1 ? field.name : field.name + "_" + std::to_string(k);
        const Scalar type = field.packedColour ? Scalar::Uint32 : field.type;
        columns_.push_back(numberColumn(name, type));
      }
    }
    rows_ = header_.points;
    coordinates_ = notedColumns(columns_, header_.notes.coordinates);
  }

  bool divides() const override { return header_.encoding == PcdEncoding::Binary; }
  Result<void> readRows(DatasetBuilder& builder, std::uint64_t rows) override {
    switch (header_.encoding) {
      case PcdEncoding::Ascii: return readAscii(builder, rows);
      case PcdEncoding::Binary: return readBinary(builder, rows);
      case PcdEncoding::Compressed: return readCompressed(builder, rows);
    }
    return {};
  }

  void complete(Dataset& dataset) const override { restoreWords(dataset, header_.notes.words); }

  Result<void> checkFit() const {
    if (header_.encoding == PcdEncoding::Binary)
      return checkRowsFit(in_, rows_, header_.recordBytes());
    if (header_.encoding == PcdEncoding::Compressed)
      return {};  // its own sizes are checked with it
    std::uint64_t values = 0;
    for (const PcdField& field : header_.fields) values += field.count;
    return checkAsciiRowsFit(in_, rows_, values);
  }

  bool storesColumns() const override { return header_.encoding == PcdEncoding::Compressed; }

  /// Reads the two sizes before compressed data and checks them against the header and the file.
  Result<void> readCompressedSizes() {
    if (header_.encoding != PcdEncoding::Compressed) return {};
    const auto filled = in_.fill(8);
    if (!filled) return tl::unexpected(filled.error());
    if (!*filled)
      return badInput(in_.name() +
                      ": ends before its compressed data. It was cut short; "
                      "copy or export it again.");
    std::uint32_t sizes[2];
    std::memcpy(sizes, in_.begin(), sizeof sizes);
    in_.consume(8);
    packed_ = sizes[0];
    const std::uint64_t unpacked = sizes[1];
    if (packed_ > in_.remaining())
      return badInput(in_.name() + ": promises " + std::to_string(packed_) +
                      " bytes of compressed data, but only " + std::to_string(in_.remaining()) +
                      " follow. It was cut short; copy or export it again.");
    const std::uint64_t record = header_.recordBytes();
    if (rows_ > unpacked / record || rows_ * record != unpacked ||
        unpacked / kMostLzfRatio > packed_)
      return badInput(in_.name() + ": the header promises " + std::to_string(rows_) +
                      " points of " + std::to_string(record) + " bytes, which does not match " +
                      std::to_string(packed_) + " bytes of compressed data that unpack to " +
                      std::to_string(unpacked) + ". Export the file again.");
    return {};
  }

 private:
  Result<void> readAscii(DatasetBuilder& builder, std::uint64_t rows) {
    AsciiLayout layout;
    layout.firstLine = header_.lines + 1;
    std::size_t column = 0;
    for (const PcdField& field : header_.fields)
      for (std::size_t k = 0; k < field.count; ++k)
        layout.fields.push_back(
            {field.padding() ? AsciiField::kNoColumn : column++, false, field.packedColour});
    return readAsciiRows(in_, layout, rows, builder);
  }

  Result<void> readBinary(DatasetBuilder& builder, std::uint64_t rows) {
    RecordLayout layout;
    for (const PcdField& field : header_.fields)
      for (std::size_t k = 0; k < field.count; ++k) {
        const Scalar type = field.packedColour ? Scalar::Uint32 : field.type;
        if (!field.padding()) layout.fields.push_back({type, layout.recordBytes});
        layout.recordBytes += sizeOf(type);
      }
    if (auto jumped = in_.jump(firstRow_ * layout.recordBytes); !jumped) return jumped;
    return readRecords(in_, layout, rows, builder);
  }

  /// Compressed data hold one field after the other, each for all points.
  Result<void> readCompressed(DatasetBuilder& builder, std::uint64_t rows) {
    constexpr std::size_t blockBytes = std::size_t{128} << 10;
    LzfStream unpacked(in_, packed_);
    std::size_t column = 0;
    for (const PcdField& field : header_.fields) {
      const Scalar type = field.packedColour ? Scalar::Uint32 : field.type;
      const std::size_t perBlock =
          std::max<std::size_t>(1, blockBytes / std::max<std::size_t>(1, field.bytes()));
      for (std::uint64_t row = 0; row < rows_ && field.count > 0;) {
        const auto block = std::size_t(std::min<std::uint64_t>(perBlock, rows_ - row));
        const auto bytes = unpacked.next(block * field.bytes());
        if (!bytes) return tl::unexpected(bytes.error());
        const std::size_t wanted =
            row < rows ? std::size_t(std::min<std::uint64_t>(block, rows - row)) : 0;
        for (std::size_t k = 0; k < field.count && !field.padding() && wanted > 0; ++k) {
          builder.extendColumn(column + k, wanted);
          if (const NumberSlots out = builder.numbers(column + k))
            decode(type, false, *bytes + k * sizeOf(type), field.bytes(), wanted, out.from(row));
        }
        row += block;
        if (in_.task().cancelled()) return cancelledError();
      }
      if (!field.padding()) column += field.count;
    }
    return builder.settle(std::size_t(rows), {}, in_.task());
  }

  InputStream& in_;
  PcdHeader header_;
  std::uint64_t packed_ = 0;
};

}  // namespace

Result<std::unique_ptr<TableFile>> openPcd(InputStream& in, const ReadOptions& /*options*/) {
  auto header = parsePcdHeader(in);
  if (!header) return tl::unexpected(header.error());
  auto file = std::make_unique<PcdFile>(in, std::move(*header));
  if (const auto fits = file->checkFit(); !fits) return tl::unexpected(fits.error());
  if (const auto sizes = file->readCompressedSizes(); !sizes) return tl::unexpected(sizes.error());
  return file;
}

}  // namespace clusterloom
