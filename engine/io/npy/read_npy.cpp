// NumPy's .npy, versions 1 to 3: a magic, a header that is a Python dictionary, the array's bytes.
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "engine/io/formats.h"
#include "engine/io/numbers.h"
#include "engine/io/records.h"

namespace clusterloom {
namespace {

/// A field of a structured array, or the only one, without a name, of a plain one.
struct NpyField {
  std::string name;
  std::string descr;        // as "<f8"
  std::uint64_t count = 1;  // values in one record
};

/// The contents of the dictionary.
struct NpyHeader {
  std::vector<NpyField> fields;
  bool structured = false;
  bool fortran = false;
  std::vector<std::uint64_t> shape;
};

/// Reads the few kinds of Python literals a header is made of.
class Literals {
 public:
  explicit Literals(std::string_view text) : text_(text) {}

  bool take(char c) {
    blanks();
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  std::optional<std::string> string() {
    blanks();
    if (text_.empty() || (text_.front() != '\'' && text_.front() != '"')) return std::nullopt;
    const std::size_t end = text_.find(text_.front(), 1);
    if (end == std::string_view::npos) return std::nullopt;
    std::string value(text_.substr(1, end - 1));
    text_.remove_prefix(end + 1);
    return value;
  }
  std::optional<bool> boolean() {
    blanks();
    for (const std::string_view word : {"True", "False"})
      if (text_.starts_with(word)) {
        text_.remove_prefix(word.size());
        return word == "True";
      }
    return std::nullopt;
  }
  std::optional<std::uint64_t> integer() {
    blanks();
    std::uint64_t value = 0;
    const auto [stop, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (error != std::errc()) return std::nullopt;
    text_.remove_prefix(std::size_t(stop - text_.data()));
    take('L');  // Python 2 wrote long integers so
    return value;
  }
  bool atEnd() {
    blanks();
    return text_.empty();
  }

 private:
  void blanks() {
    while (!text_.empty() &&
           (text_.front() == ' ' || text_.front() == '\n' || text_.front() == '\t'))
      text_.remove_prefix(1);
  }
  std::string_view text_;
};

/// "()", "(3,)", "(3, 2)".
std::optional<std::vector<std::uint64_t>> tupleOf(Literals& text) {
  constexpr std::size_t most = 32;  // NumPy's own bound
  std::vector<std::uint64_t> tuple;
  if (!text.take('(')) return std::nullopt;
  while (!text.take(')')) {
    const auto value = text.integer();
    if (!value || tuple.size() == most) return std::nullopt;
    tuple.push_back(*value);
    if (text.take(',')) continue;
    if (text.take(')')) break;
    return std::nullopt;
  }
  return tuple;
}

/// [('x', '<f8'), ('colour', '|u1', (3,))]; nullopt also for fields of fields.
std::optional<std::vector<NpyField>> fieldsOf(Literals& text) {
  std::vector<NpyField> fields;
  if (!text.take('[')) return std::nullopt;
  while (!text.take(']')) {
    NpyField field;
    if (!text.take('(')) return std::nullopt;
    const bool titled = text.take('(');  // (title, name)
    if (titled && (!text.string() || !text.take(','))) return std::nullopt;
    const auto name = text.string();
    if (!name || (titled && !text.take(')')) || !text.take(',')) return std::nullopt;
    const auto descr = text.string();
    if (!descr) return std::nullopt;
    field.name = *name;
    field.descr = *descr;
    if (!text.take(')')) {
      if (!text.take(',')) return std::nullopt;
      const auto shape = tupleOf(text);
      if (!shape || !text.take(')')) return std::nullopt;
      for (const std::uint64_t length : *shape) {
        if (length == 0 || length > kMaxColumns) return std::nullopt;
        field.count *= length;
        if (field.count > kMaxColumns) return std::nullopt;
      }
    }
    if (fields.size() == kMaxColumns) return std::nullopt;
    fields.push_back(std::move(field));
    text.take(',');
  }
  return fields;
}

/// nullopt when the dictionary is not one that describes an array.
std::optional<NpyHeader> parseHeader(std::string_view text) {
  Literals literals(text);
  NpyHeader header;
  bool order = false;
  bool shape = false;
  if (!literals.take('{')) return std::nullopt;
  while (!literals.take('}')) {
    const auto key = literals.string();
    if (!key || !literals.take(':')) return std::nullopt;
    if (*key == "descr") {
      if (const auto descr = literals.string()) {
        header.fields = {{"", *descr}};
      } else {
        auto fields = fieldsOf(literals);
        if (!fields) return std::nullopt;
        header.fields = std::move(*fields);
        header.structured = true;
      }
    } else if (*key == "fortran_order") {
      const auto value = literals.boolean();
      if (!value) return std::nullopt;
      header.fortran = *value;
      order = true;
    } else if (*key == "shape") {
      const auto value = tupleOf(literals);
      if (!value) return std::nullopt;
      header.shape = *value;
      shape = true;
    } else {
      return std::nullopt;
    }
    if (literals.take(',')) continue;
    if (literals.take('}')) break;
    return std::nullopt;
  }
  if (header.fields.empty() || !order || !shape || !literals.atEnd()) return std::nullopt;
  return header;
}

/// How the values of a field are stored. `bytes` is 0 for a kind of which the size is not known.
struct NpyType {
  std::optional<Scalar> number;  // nothing: no plain number
  bool half = false;
  bool bigEndian = false;
  std::size_t bytes = 0;
};

NpyType typeOf(const std::string& descr) {
  struct Known {
    std::string_view text;
    Scalar type;
  };
  constexpr std::array<Known, 11> known{{{"f4", Scalar::Float32},
                                         {"f8", Scalar::Float64},
                                         {"i1", Scalar::Int8},
                                         {"i2", Scalar::Int16},
                                         {"i4", Scalar::Int32},
                                         {"i8", Scalar::Int64},
                                         {"u1", Scalar::Uint8},
                                         {"u2", Scalar::Uint16},
                                         {"u4", Scalar::Uint32},
                                         {"u8", Scalar::Uint64},
                                         {"b1", Scalar::Uint8}}};
  NpyType type;
  if (descr.size() < 3 || std::string_view("<>|=").find(descr.front()) == std::string_view::npos)
    return type;
  type.bigEndian = descr.front() == '>';
  const std::string_view kind = std::string_view(descr).substr(1);
  for (const Known& k : known)
    if (k.text == kind) {
      type.number = k.type;
      type.bytes = sizeOf(k.type);
      return type;
    }
  if (kind == "f2") {
    type.number = Scalar::Float32;
    type.half = true;
    type.bytes = 2;
    return type;
  }
  // Texts, times, complex and raw bytes; "U" counts characters of four bytes.
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;
  std::uint64_t size = 0;
  const char* const end = kind.data() + kind.size();
  const auto [stop, error] = std::from_chars(kind.data() + 1, end, size);
  const bool sized = error == std::errc() && (stop == end || *stop == '[') && size < kMostBytes;
  if (sized && std::string_view("SUVcfmM").find(kind.front()) != std::string_view::npos)
    type.bytes = std::size_t(size) * (kind.front() == 'U' ? 4 : 1);
  return type;
}

class NpyFile final : public TableFile {
 public:
  /// Of plain numbers, all of one type.
  NpyFile(InputStream& in, std::uint64_t rows, std::size_t columns, const NpyType& type,
          bool fortran)
      : in_(in), columnBytes_(type.bytes), fortran_(fortran) {
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
      const NpyType type = typeOf(field.descr);
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
  bool fortran_;
};

tl::unexpected<Error> badHeader(const InputStream& in) {
  return badInput(in.name() +
                  ": the NPY header is damaged or of a kind not known. "
                  "Save the array again with numpy.save.");
}

tl::unexpected<Error> notNumbers(const InputStream& in, const std::string& descr) {
  return badInput(in.name() + ": holds values of type " + quotedForMessage(descr) +
                  ", not plain numbers. Save it as an array of float64: numpy.save(…, "
                  "a.astype('float64')).");
}

Result<std::unique_ptr<TableFile>> openPlain(InputStream& in, const NpyHeader& header,
                                             std::uint64_t rows, std::uint64_t columns) {
  const std::string& descr = header.fields.front().descr;
  const NpyType type = typeOf(descr);
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
    const NpyType type = typeOf(field.descr);
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
  constexpr std::size_t maxHeader = std::size_t{1} << 20;
  auto filled = in.fill(12);
  if (!filled) return tl::unexpected(filled.error());
  if (!in.view().starts_with("\x93NUMPY"))
    return badInput(in.name() +
                    ": is named like a NPY file but is none. Correct the "
                    "extension, or save the array with numpy.save.");
  if (!*filled) return badHeader(in);
  const auto byte = [&](std::size_t i) {
    return std::size_t(static_cast<unsigned char>(in.begin()[i]));
  };
  const std::size_t version = byte(6);
  if (version < 1 || version > 3)
    return badInput(in.name() + ": is NPY version " + std::to_string(version) +
                    "; 1 to 3 are known. Save the array again with numpy.save.");
  const std::size_t prefix = version == 1 ? 10 : 12;
  const std::size_t length =
      byte(8) | byte(9) << 8 | (version == 1 ? 0 : byte(10) << 16 | byte(11) << 24);
  if (length > maxHeader) return badHeader(in);
  filled = in.fill(prefix + length);
  if (!filled) return tl::unexpected(filled.error());
  if (!*filled)
    return badInput(in.name() +
                    ": ends inside its header. It was cut short; copy or "
                    "save it again.");
  const auto header = parseHeader(in.view().substr(prefix, length));
  if (!header) return badHeader(in);
  const auto& shape = header->shape;
  if (shape.empty() || shape.size() > 2)
    return badInput(
        in.name() + ": is an array of " + std::to_string(shape.size()) +
        " dimensions; one row per point is needed. Reshape it to (points, coordinates).");
  const std::uint64_t rows = shape[0];
  const std::uint64_t columns = shape.size() == 2 ? shape[1] : 1;
  if (rows == 0 || columns == 0) return badInput(in.name() + ": the array is empty.");
  in.consume(prefix + length);
  return header->structured ? openRecords(in, *header) : openPlain(in, *header, rows, columns);
}

}  // namespace clusterloom
