// NumPy's .npy, versions 1 to 3: a magic, a header that is a Python dictionary, the array's bytes.
#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "engine/io/formats.h"
#include "engine/io/numbers.h"
#include "engine/io/records.h"

namespace clusterloom {
namespace {

/// The contents of the dictionary.
struct NpyHeader {
  std::string descr;
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
    text_.remove_prefix(static_cast<std::size_t>(stop - text_.data()));
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

/// nullopt when the dictionary is not one that describes an array of plain numbers.
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
      const auto descr = literals.string();
      header.descr = descr ? *descr : "[…]";  // a list: a structured array
      if (!descr) return header;
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
  if (header.descr.empty() || !order || !shape || !literals.atEnd()) return std::nullopt;
  return header;
}

std::optional<Scalar> npyScalar(std::string_view kindAndSize) {
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
  for (const Known& k : known)
    if (k.text == kindAndSize) return k.type;
  return std::nullopt;
}

class NpyFile final : public TableFile {
 public:
  NpyFile(InputStream& in, std::uint64_t rows, std::size_t columns, Scalar type, bool bigEndian,
          bool fortran)
      : in_(in), type_(type), bigEndian_(bigEndian), fortran_(fortran) {
    rows_ = rows;
    for (std::size_t c = 0; c < columns; ++c) {
      columns_.push_back(numberColumn(defaultColumnName(c, columns), type));
      coordinates_.push_back(c);
    }
  }

  bool divides() const override { return true; }
  bool storesColumns() const override { return fortran_ && columns_.size() > 1; }

  Result<void> readRows(DatasetBuilder& builder, std::uint64_t rows) override {
    return storesColumns() ? readColumns(builder, rows) : readRowMajor(builder, rows);
  }

 private:
  Result<void> readRowMajor(DatasetBuilder& builder, std::uint64_t rows) {
    RecordLayout layout;
    layout.bigEndian = bigEndian_;
    layout.recordBytes = sizeOf(type_) * columns_.size();
    for (std::size_t c = 0; c < columns_.size(); ++c)
      layout.fields.push_back({type_, c * sizeOf(type_)});
    if (auto jumped = in_.jump(firstRow_ * layout.recordBytes); !jumped) return jumped;
    return readRecords(in_, layout, rows, builder);
  }

  Result<void> readColumns(DatasetBuilder& builder, std::uint64_t rows) {
    constexpr std::uint64_t perBlock = 32768;
    const std::size_t bytes = sizeOf(type_);
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (auto jumped = in_.jump(firstRow_ * bytes); !jumped) return jumped;
      std::uint64_t row = 0;
      while (row < rows) {
        const auto block = static_cast<std::size_t>(std::min(perBlock, rows - row));
        const auto filled = in_.fill(block * bytes);
        if (!filled) return tl::unexpected(filled.error());
        if (!*filled) return truncatedError(in_.name(), row + in_.available() / bytes, rows_);
        builder.extendColumn(c, block);
        if (const NumberSlots out = builder.numbers(c))
          decode(type_, bigEndian_, in_.begin(), bytes, block, out.from(row));
        in_.consume(block * bytes);
        row += block;
      }
      if (auto jumped = in_.jump((rows_ - firstRow_ - rows) * bytes); !jumped) return jumped;
    }
    return builder.settle(static_cast<std::size_t>(rows), {}, in_.task());
  }

  InputStream& in_;
  Scalar type_;
  bool bigEndian_;
  bool fortran_;
};

tl::unexpected<Error> badHeader(const InputStream& in) {
  return fail(ErrorKind::BadInput, in.name() +
                                       ": the NPY header is damaged or of a kind not known. "
                                       "Save the array again with numpy.save.");
}

}  // namespace

Result<std::unique_ptr<TableFile>> openNpy(InputStream& in, const ReadOptions& /*options*/) {
  constexpr std::size_t maxHeader = std::size_t{1} << 20;
  auto filled = in.fill(12);
  if (!filled) return tl::unexpected(filled.error());
  if (!in.view().starts_with("\x93NUMPY"))
    return fail(ErrorKind::BadInput, in.name() +
                                         ": is named like a NPY file but is none. Correct the "
                                         "extension, or save the array with numpy.save.");
  if (!*filled) return badHeader(in);
  const auto byte = [&](std::size_t i) {
    return static_cast<std::size_t>(static_cast<unsigned char>(in.begin()[i]));
  };
  const std::size_t version = byte(6);
  if (version < 1 || version > 3)
    return fail(ErrorKind::BadInput,
                in.name() + ": is NPY version " + std::to_string(version) +
                    "; 1 to 3 are known. Save the array again with numpy.save.");
  const std::size_t prefix = version == 1 ? 10 : 12;
  const std::size_t length =
      byte(8) | byte(9) << 8 | (version == 1 ? 0 : byte(10) << 16 | byte(11) << 24);
  if (length > maxHeader) return badHeader(in);
  filled = in.fill(prefix + length);
  if (!filled) return tl::unexpected(filled.error());
  if (!*filled)
    return fail(ErrorKind::BadInput, in.name() +
                                         ": ends inside its header. It was cut short; copy or "
                                         "save it again.");
  const auto header = parseHeader(in.view().substr(prefix, length));
  if (!header) return badHeader(in);
  const char order = header->descr.empty() ? ' ' : header->descr.front();
  const auto type = npyScalar(std::string_view(header->descr).substr(order == ' ' ? 0 : 1));
  if (!type || (order != '<' && order != '>' && order != '|' && order != '='))
    return fail(ErrorKind::BadInput,
                in.name() + ": holds values of type " + quotedForMessage(header->descr) +
                    ", not plain numbers. Save it as an array of float64: numpy.save(…, "
                    "a.astype('float64')).");
  const auto& shape = header->shape;
  if (shape.empty() || shape.size() > 2)
    return fail(
        ErrorKind::BadInput,
        in.name() + ": is an array of " + std::to_string(shape.size()) +
            " dimensions; one row per point is needed. Reshape it to (points, coordinates).");
  const std::uint64_t rows = shape[0];
  const std::uint64_t columns = shape.size() == 2 ? shape[1] : 1;
  if (rows == 0 || columns == 0)
    return fail(ErrorKind::BadInput, in.name() + ": the array is empty.");
  if (columns > kMaxColumns)
    return fail(ErrorKind::BadInput, in.name() + ": the array has " + std::to_string(columns) +
                                         " columns; at most " + std::to_string(kMaxColumns) +
                                         " are possible. Transpose it if its rows are dimensions.");
  in.consume(prefix + length);
  if (const auto fits = checkRowsFit(in, rows, columns * sizeOf(*type)); !fits)
    return tl::unexpected(fits.error());
  return std::make_unique<NpyFile>(in, rows, static_cast<std::size_t>(columns), *type, order == '>',
                                   header->fortran);
}

}  // namespace clusterloom
