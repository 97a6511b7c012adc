// PLY, the Stanford polygon format: ascii, binary little-endian, binary big-endian. The rows are
// the element "vertex", wherever it is; other elements and list properties are skipped.
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "engine/io/column_plan.h"
#include "engine/io/formats.h"
#include "engine/io/ply_pcd/ascii_rows.h"
#include "engine/io/ply_pcd/header_lines.h"
#include "engine/io/records.h"

namespace clusterloom {
namespace {

std::optional<Scalar> plyScalar(std::string_view name) {
  struct Known {
    std::string_view name;
    Scalar type;
  };
  constexpr std::array<Known, 18> known{{{"char", Scalar::Int8},
                                         {"int8", Scalar::Int8},
                                         {"uchar", Scalar::Uint8},
                                         {"uint8", Scalar::Uint8},
                                         {"short", Scalar::Int16},
                                         {"int16", Scalar::Int16},
                                         {"ushort", Scalar::Uint16},
                                         {"uint16", Scalar::Uint16},
                                         {"int", Scalar::Int32},
                                         {"int32", Scalar::Int32},
                                         {"uint", Scalar::Uint32},
                                         {"uint32", Scalar::Uint32},
                                         {"int64", Scalar::Int64},
                                         {"uint64", Scalar::Uint64},
                                         {"float", Scalar::Float32},
                                         {"float32", Scalar::Float32},
                                         {"double", Scalar::Float64},
                                         {"float64", Scalar::Float64}}};
  for (const Known& k : known)
    if (k.name == name) return k.type;
  return std::nullopt;
}

struct Property {
  std::string name;
  Scalar type = Scalar::Float32;    // of the value, or of a list's items
  std::optional<Scalar> listCount;  // of a list's length
};

struct Element {
  std::string name;
  std::uint64_t count = 0;
  std::vector<Property> properties;

  bool hasLists() const {
    for (const Property& property : properties)
      if (property.listCount) return true;
    return false;
  }
  /// Bytes of an element without lists; the least it takes with empty lists.
  std::size_t leastBytes() const {
    std::size_t bytes = 0;
    for (const Property& property : properties)
      bytes += sizeOf(property.listCount ? *property.listCount : property.type);
    return bytes;
  }
};

enum class PlyEncoding { Ascii, Little, Big };

struct PlyHeader {
  PlyEncoding encoding = PlyEncoding::Ascii;
  std::vector<Element> elements;
  ExportNotes notes;
  std::uint64_t lines = 0;
};

Result<PlyHeader> parsePlyHeader(InputStream& in) {
  HeaderLines lines(in, "PLY");
  PlyHeader header;
  auto words = lines.next();
  if (!words) return tl::unexpected(words.error());
  if (words->size() != 1 || words->front() != "ply")
    return badInput(in.name() +
                    ": line 1: is named like a PLY file but does not begin "
                    "with \"ply\". Correct the extension.");
  bool format = false;
  std::size_t properties = 0;
  for (;;) {
    words = lines.next();
    if (!words) return tl::unexpected(words.error());
    const auto& w = *words;
    if (w.empty() || w[0] == "obj_info") continue;
    if (w[0] == "comment") {
      takeNote(lines.text(), w, header.notes);
    } else if (w[0] == "format") {
      if (w.size() < 2) return lines.wrong("the encoding is missing");
      if (w[1] == "ascii")
        header.encoding = PlyEncoding::Ascii;
      else if (w[1] == "binary_little_endian")
        header.encoding = PlyEncoding::Little;
      else if (w[1] == "binary_big_endian")
        header.encoding = PlyEncoding::Big;
      else
        return lines.wrong("the encoding \"" + w[1] + "\" is not known");
      format = true;
    } else if (w[0] == "element") {
      Element element;
      if (w.size() != 3 || !parseCount(w[2], element.count))
        return lines.wrong("an element needs a name and a number");
      element.name = w[1];
      header.elements.push_back(std::move(element));
    } else if (w[0] == "property") {
      if (header.elements.empty()) return lines.wrong("a property comes before any element");
      Property property;
      const bool list = w.size() > 1 && w[1] == "list";
      if (w.size() != (list ? 5u : 3u)) return lines.wrong("a property needs a type and a name");
      const auto type = plyScalar(w[w.size() - 2]);
      if (!type) return lines.wrong("the type \"" + w[w.size() - 2] + "\" is not known");
      property.type = *type;
      property.name = w.back();
      if (list) {
        property.listCount = plyScalar(w[2]);
        if (!property.listCount || *property.listCount == Scalar::Float32 ||
            *property.listCount == Scalar::Float64)
          return lines.wrong("\"" + w[2] + "\" cannot count a list");
      }
      header.elements.back().properties.push_back(std::move(property));
      if (++properties > kMaxColumns)
        return lines.wrong("there are more than " + std::to_string(kMaxColumns) + " properties");
    } else if (w[0] == "end_header") {
      if (!format) return lines.wrong("the line \"format …\" is missing");
      header.lines = lines.line();
      return header;
    } else {
      return lines.wrong("\"" + w[0] + "\" is not known");
    }
  }
}

class PlyFile final : public TableFile {
 public:
  PlyFile(InputStream& in, PlyHeader header, std::size_t vertex)
      : in_(in), header_(std::move(header)), vertex_(vertex) {
    for (const Property& property : rowElement().properties)
      if (property.listCount)
        unreadColumns_.push_back(property.name + " (lists)");
      else
        columns_.push_back(numberColumn(property.name, property.type));
    rows_ = rowElement().count;
    coordinates_ = notedColumns(columns_, header_.notes.coordinates);
  }

  bool divides() const override { return !ascii() && !rowElement().hasLists(); }
  Result<void> readRows(DatasetBuilder& builder, std::uint64_t rows) override {
    std::uint64_t line = header_.lines + 1;
    for (std::size_t e = 0; e < vertex_; ++e) {
      const Element& element = header_.elements[e];
      if (auto skipped = ascii() ? skipAsciiRows(in_, element.count, line) : skipBinary(element);
          !skipped)
        return skipped;
    }
    // After the preceding elements: does the rest of the file hold the vertices?
    if (auto fits = checkFit(); !fits) return fits;
    if (ascii()) return readAscii(builder, rows, line);
    return rowElement().hasLists() ? readWithLists(builder, rows) : readBinary(builder, rows);
  }

  void complete(Dataset& dataset) const override { restoreWords(dataset, header_.notes.words); }

  /// BadInput when the vertices alone would not fit into the rest of the file.
  Result<void> checkFit() const {
    if (ascii()) return checkAsciiRowsFit(in_, rows_, rowElement().properties.size());
    return checkRowsFit(in_, rows_, rowElement().leastBytes());
  }

 private:
  const Element& rowElement() const { return header_.elements[vertex_]; }
  bool ascii() const { return header_.encoding == PlyEncoding::Ascii; }
  bool bigEndian() const { return header_.encoding == PlyEncoding::Big; }

  Result<void> readAscii(DatasetBuilder& builder, std::uint64_t rows, std::uint64_t line) {
    AsciiLayout layout;
    layout.firstLine = line;
    std::size_t column = 0;
    for (const Property& property : rowElement().properties)
      layout.fields.push_back(property.listCount ? AsciiField{AsciiField::kNoColumn, true}
                                                 : AsciiField{column++, false});
    return readAsciiRows(in_, layout, rows, builder);
  }

  Result<void> readBinary(DatasetBuilder& builder, std::uint64_t rows) {
    RecordLayout layout;
    layout.bigEndian = bigEndian();
    for (const Property& property : rowElement().properties) {
      layout.fields.push_back({property.type, layout.recordBytes});
      layout.recordBytes += sizeOf(property.type);
    }
    if (auto jumped = in_.jump(firstRow_ * layout.recordBytes); !jumped) return jumped;
    return readRecords(in_, layout, rows, builder);
  }

  Result<void> readWithLists(DatasetBuilder& builder, std::uint64_t rows) {
    constexpr std::size_t blockRows = 4096;
    for (std::uint64_t done = 0; done < rows;) {
      const auto block = std::size_t(std::min<std::uint64_t>(blockRows, rows - done));
      builder.extend(block);
      const std::vector<Property>& properties = rowElement().properties;
      std::vector<NumberSlots> slots;  // one a property; a list has none
      std::size_t column = 0;
      for (const Property& property : properties)
        slots.push_back(property.listCount ? NumberSlots{} : builder.numbers(column++));
      for (std::size_t row = 0; row < block; ++row)
        for (std::size_t p = 0; p < slots.size(); ++p) {
          const NumberSlots out = slots[p] ? slots[p].from(row) : NumberSlots{};
          if (auto read = takeProperty(properties[p], done + row, out); !read) return read;
        }
      if (auto settled = builder.settle(block, {}, in_.task()); !settled) return settled;
      done += block;
    }
    return {};
  }

  /// Reads a value, or skips it where there is no slot, or skips a list.
  Result<void> takeProperty(const Property& property, std::uint64_t row, NumberSlots out) {
    const Scalar type = property.listCount ? *property.listCount : property.type;
    const std::size_t bytes = sizeOf(type);
    const auto filled = in_.fill(bytes);
    if (!filled) return tl::unexpected(filled.error());
    if (!*filled) return truncatedError(in_.name(), row, rows_);
    const double value = property.listCount ? decodeOne(type, bigEndian(), in_.begin()) : 0;
    if (out) decode(type, bigEndian(), in_.begin(), bytes, 1, out);
    in_.consume(bytes);
    if (!property.listCount) return {};
    const std::uint64_t room = in_.remaining() / sizeOf(property.type);
    if (value < 0 || value > double(room))
      return badInput(in_.name() + ": element " + std::to_string(row) +
                      " (counting from 0): the list \"" + property.name +
                      "\" would reach beyond the end of the file. The file was cut "
                      "short or is damaged; copy or export it again.");
    return in_.skip(std::uint64_t(value) * sizeOf(property.type));
  }

  Result<void> skipBinary(const Element& element) {
    if (element.properties.empty()) return {};
    if (auto fits = checkRowsFit(in_, element.count, element.leastBytes()); !fits) return fits;
    if (!element.hasLists()) return in_.skip(element.count * element.leastBytes());
    for (std::uint64_t i = 0; i < element.count; ++i)
      for (const Property& property : element.properties)
        if (auto taken = takeProperty(property, i, {}); !taken) return taken;
    return {};
  }

  InputStream& in_;
  PlyHeader header_;
  std::size_t vertex_;
};

}  // namespace

Result<std::unique_ptr<TableFile>> openPly(InputStream& in, const ReadOptions& /*options*/) {
  auto header = parsePlyHeader(in);
  if (!header) return tl::unexpected(header.error());
  std::size_t vertex = 0;
  while (vertex < header->elements.size() && header->elements[vertex].name != "vertex") ++vertex;
  if (vertex == header->elements.size())
    return badInput(in.name() + ": has no element \"vertex\", so there are no points in it.");
  if (header->elements[vertex].properties.empty())
    return badInput(in.name() + ": its vertices have no properties.");
  auto file = std::make_unique<PlyFile>(in, std::move(*header), vertex);
  if (const auto fits = file->checkFit(); !fits) return tl::unexpected(fits.error());
  return file;
}

}  // namespace clusterloom
