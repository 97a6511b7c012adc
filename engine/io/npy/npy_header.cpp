// The header of NumPy's .npy, versions 1 to 3: a magic, and a Python dictionary.
#include "engine/io/npy/npy_header.h"

#include <array>
#include <charconv>
#include <string_view>
#include <utility>

#include "engine/core/utf8_text.h"
#include "engine/io/column_plan.h"

namespace clusterloom {
namespace {

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

tl::unexpected<Error> badHeader(const InputStream& in) {
  return badInput(in.name() +
                  ": the NPY header is damaged or of a kind not known. "
                  "Save the array again with numpy.save.");
}

}  // namespace

Result<NpyHeader> readNpyHeader(InputStream& in) {
  constexpr std::size_t maxHeader = std::size_t{1} << 20;
  auto filled = in.fill(12);
  if (!filled) return tl::unexpected(filled.error());
  if (!in.view().starts_with("\x93NUMPY"))
    return badInput(in.name() +
                    ": is named like an NPY file but is not one. Correct the extension, or save "
                    "the array with numpy.save.");
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
  // Versions 1 and 2 are in ISO 8859-1; some programs write UTF-8 there, too.
  const std::string_view text = in.view().substr(prefix, length);
  auto header = parseHeader(isUtf8(text) ? std::string(text) : utf8OfLatin1(text));
  if (!header) return badHeader(in);
  in.consume(prefix + length);
  return std::move(*header);
}

NpyType npyTypeOf(const std::string& descr) {
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

}  // namespace clusterloom
