// NumPy's .npy: a header (npy_header.h) and the array's bytes.
#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <string_view>

#include "engine/io/formats.h"
#include "engine/io/npy/npy_header.h"
#include "engine/io/numbers.h"
#include "engine/io/records.h"

namespace clusterloom {
namespace {

class NpyFile final : public TableFile {
 public:
  /// Of plain numbers, all of one type.
  NpyFile(InputStream& in, std::uint64_t rows, std::size_t columns, const NpyType& type,
          bool fortran)
      : in_(in), columnBytes_(type.bytes), plain_(true), fortran_(fortran) {
    rows_ = rows;
    layout_.bigEndian = type.bigEndian;
    layout_.recordBytes = type.bytes * columns;
    for (std::size_t c = 0; c < columns; ++c) {
      columns_.push_back(numberColumn(defaultColumnName(c, columns), *type.number));
      layout_.fields.push_back({*type.number, c * type.bytes, type.half});
      coordinates_.push_back(c);
    }
  }
  /// Of records. Fields that are no plain numbers are left out, and named.
  NpyFile(InputStream& in, std::uint64_t rows, const std::vector<NpyField>& fields)
      : in_(in), fortran_(false) {
    rows_ = rows;
    for (const NpyField& field : fields) {
      const NpyType type = npyTypeOf(field.descr);
      if (!type.number) {
        if (!field.name.empty())  // gaps have no names
          unreadColumns_.push_back(field.name + " (" + field.descr + ")");
      } else {
        layout_.bigEndian = layout_.bigEndian || type.bigEndian;
        for (std::uint64_t i = 0; i < field.count; ++i) {
          const std::string name =
              field.count == 1 ? field.name : field.name + "_" + std::to_string(i);
          columns_.push_back(numberColumn(name, *type.number));
          layout_.fields.push_back(
              {*type.number, layout_.recordBytes + std::size_t(i) * type.bytes, type.half});
        }
      }
      layout_.recordBytes += std::size_t(field.count) * type.bytes;
    }
    coordinates_ = coordinatesByName(columns_);
  }

  bool divides() const override { return true; }
  std::optional<Scalar> rowsOf() const override {
    constexpr bool nativeIsBig = std::endian::native == std::endian::big;
    const RecordField& field = layout_.fields.front();
    const bool real = field.type == Scalar::Float32 || field.type == Scalar::Float64;
    if (!plain_ || storesColumns() || layout_.bigEndian != nativeIsBig || field.half || !real)
      return {};
    return field.type;
  }
  bool storesColumns() const override { return fortran_ && columns_.size() > 1; }
  std::size_t recordBytes() const { return layout_.recordBytes; }

  Result<void> readRows(DatasetBuilder& builder, std::uint64_t rows) override {
    if (storesColumns()) return readColumns(builder, rows);
    if (auto jumped = in_.jump(firstRow_ * layout_.recordBytes); !jumped) return jumped;
    return readRecords(in_, layout_, rows, builder);
  }

 private:
  Result<void> readColumns(DatasetBuilder& builder, std::uint64_t rows) {
    constexpr std::uint64_t perBlock = 32768;
    const std::size_t bytes = columnBytes_;
    const RecordField& field = layout_.fields.front();
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (auto jumped = in_.jump(firstRow_ * bytes); !jumped) return jumped;
      std::uint64_t row = 0;
      while (row < rows) {
        const auto block = std::size_t(std::min(perBlock, rows - row));
        const auto filled = in_.fill(block * bytes);
        if (!filled) return tl::unexpected(filled.error());
        if (!*filled) return truncatedError(in_.name(), row + in_.available() / bytes, rows_);
        builder.extendColumn(c, block);
        if (const NumberSlots out = builder.numbers(c)) {
          if (field.half)
            decodeHalves(layout_.bigEndian, in_.begin(), bytes, block, out.from(row));
          else
            decode(field.type, layout_.bigEndian, in_.begin(), bytes, block, out.from(row));
        }
        in_.consume(block * bytes);
        row += block;
      }
      if (auto jumped = in_.jump((rows_ - firstRow_ - rows) * bytes); !jumped) return jumped;
    }
    return builder.settle(std::size_t(rows), {}, in_.task());
  }

  InputStream& in_;
  RecordLayout layout_;
  std::size_t columnBytes_ = 0;  // of a value, where all are of one type
  bool plain_ = false;           // all are of one type
  bool fortran_;
};

/// What values of a type are that no conversion makes numbers of without a loss, and what to do.
std::string_view noNumbers(const std::string& descr) {
  switch (descr.size() > 1 ? descr[1] : '\0') {
    case 'U':
    case 'S':
    case 'a': return "text. Save the columns that are numbers.";
    case 'c': return "complex numbers. Save real and imaginary parts as two columns.";
    case 'M':
    case 'm': return "dates or durations. Save them as numbers of a unit that you choose.";
    default: return {};
  }
}

tl::unexpected<Error> notNumbers(const InputStream& in, const std::string& descr) {
  if (const std::string_view what = noNumbers(descr); !what.empty())
    return badInput(in.name() + ": holds values of type " + quotedForMessage(descr) +
                    ", which are not plain numbers but " + std::string(what));
  return badInput(in.name() + ": holds values of type " + quotedForMessage(descr) +
                  ", not plain numbers. Save it as an array of float64: numpy.save(…, "
                  "a.astype('float64')).");
}

Result<std::unique_ptr<TableFile>> openPlain(InputStream& in, const NpyHeader& header,
                                             std::uint64_t rows, std::uint64_t columns) {
  const std::string& descr = header.fields.front().descr;
  const NpyType type = npyTypeOf(descr);
  if (!type.number) return notNumbers(in, descr);
  if (columns > kMaxColumns)
    return badInput(in.name() + ": the array has " + std::to_string(columns) +
                    " columns; at most " + std::to_string(kMaxColumns) +
                    " are possible. Transpose it if its rows are dimensions.");
  if (const auto fits = checkRowsFit(in, rows, columns * type.bytes); !fits)
    return tl::unexpected(fits.error());
  return std::make_unique<NpyFile>(in, rows, std::size_t(columns), type, header.fortran);
}

Result<std::unique_ptr<TableFile>> openRecords(InputStream& in, const NpyHeader& header) {
  if (header.shape.size() > 1)
    return badInput(in.name() +
                    ": is an array of records in several dimensions; one "
                    "record per point is needed. Reshape it: a.ravel().");
  std::uint64_t columns = 0;
  std::optional<bool> bigEndian;
  for (const NpyField& field : header.fields) {
    const NpyType type = npyTypeOf(field.descr);
    if (type.bytes == 0) return notNumbers(in, field.descr);
    if (!type.number) continue;
    columns += field.count;
    if (type.bytes == 1) continue;
    if (bigEndian && *bigEndian != type.bigEndian)
      return badInput(in.name() +
                      ": the fields have two byte orders. Save the array "
                      "again in one of them.");
    bigEndian = type.bigEndian;
  }
  if (columns == 0 || columns > kMaxColumns)
    return badInput(in.name() + ": the records have " + std::to_string(columns) +
                    " numbers; 1 to " + std::to_string(kMaxColumns) + " are possible.");
  auto file = std::make_unique<NpyFile>(in, header.shape[0], header.fields);
  if (const auto fits = checkRowsFit(in, header.shape[0], file->recordBytes()); !fits)
    return tl::unexpected(fits.error());
  return file;
}

}  // namespace

Result<std::unique_ptr<TableFile>> openNpy(InputStream& in, const ReadOptions& /*options*/) {
  const auto header = readNpyHeader(in);
  if (!header) return tl::unexpected(header.error());
  const auto& shape = header->shape;
  if (shape.empty() || shape.size() > 2)
    return badInput(
        in.name() + ": is an array of " + std::to_string(shape.size()) +
        " dimensions; one row per point is needed. Reshape it to (points, coordinates).");
  const std::uint64_t rows = shape[0];
  const std::uint64_t columns = shape.size() == 2 ? shape[1] : 1;
  if (rows == 0 || columns == 0) return badInput(in.name() + ": the array is empty.");
  return header->structured ? openRecords(in, *header) : openPlain(in, *header, rows, columns);
}

}  // namespace clusterloom
