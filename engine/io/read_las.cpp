// LAS 1.0 to 1.4, point formats 0 to 10: position, intensity and classification.
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>

#include "engine/io/formats.h"
#include "engine/io/records.h"

namespace clusterloom {
namespace {

/// Bytes a point takes at least, by point format; extra bytes may follow.
constexpr std::array<std::size_t, 11> kRecordBytes{20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67};

constexpr std::size_t kHeader10 = 227;  // bytes of a header before 1.3
constexpr std::size_t kHeader14 = 375;

struct Header {
  int minor = 0;
  int pointFormat = 0;
  std::size_t recordBytes = 0;
  std::uint64_t dataOffset = 0;
  std::uint64_t points = 0;
  std::array<double, 3> scale{};
  std::array<double, 3> offset{};
};

/// The file is little-endian, as this machine is.
template <class T>
T read(const char* bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes + at, sizeof(T));
  return value;
}

tl::unexpected<Error> wrong(const InputStream& in, const std::string& what) {
  return fail(ErrorKind::BadInput, in.name() + ": " + what);
}

tl::unexpected<Error> compressed(const InputStream& in) {
  return wrong(in,
               "is compressed (LAZ). Unpack it to LAS first, for example with: laszip -i FILE.laz "
               "-o FILE.las, or: pdal translate FILE.laz FILE.las");
}

Result<Header> parseHeader(InputStream& in) {
  static_assert(std::endian::native == std::endian::little);
  const auto filled = in.fill(kHeader14);
  if (!filled) return tl::unexpected(filled.error());
  const char* const bytes = in.begin();
  if (!in.view().starts_with("LASF"))
    return wrong(
        in, "is named like a LAS file but does not begin with \"LASF\". Correct the extension.");
  if (in.available() < kHeader10)
    return wrong(in, "ends inside its header. It was cut short; copy or export it again.");
  Header header;
  const int major = read<std::uint8_t>(bytes, 24);
  header.minor = read<std::uint8_t>(bytes, 25);
  if (major != 1 || header.minor > 4)
    return wrong(in, "is LAS " + std::to_string(major) + "." + std::to_string(header.minor) +
                         "; 1.0 to 1.4 are read. Export it as LAS 1.4.");
  const std::size_t headerBytes = read<std::uint16_t>(bytes, 94);
  const std::size_t leastBytes = header.minor == 4 ? kHeader14 : kHeader10;
  if (headerBytes < leastBytes || in.available() < leastBytes)
    return wrong(in, "the header says it has " + std::to_string(headerBytes) + " bytes, LAS 1." +
                         std::to_string(header.minor) + " needs " + std::to_string(leastBytes) +
                         ". The file was cut short or is damaged; export it again.");
  const int format = read<std::uint8_t>(bytes, 104);
  if (format & 0xC0) return compressed(in);  // LASzip marks its files so
  header.pointFormat = format;
  if (format >= static_cast<int>(kRecordBytes.size()))
    return wrong(in, "has point format " + std::to_string(format) +
                         "; 0 to 10 are known. Export it with one of these.");
  header.recordBytes = read<std::uint16_t>(bytes, 105);
  if (header.recordBytes < kRecordBytes[static_cast<std::size_t>(format)])
    return wrong(in, "the header says a point has " + std::to_string(header.recordBytes) +
                         " bytes, but point format " + std::to_string(format) + " needs " +
                         std::to_string(kRecordBytes[static_cast<std::size_t>(format)]) +
                         ". It is damaged; export it again.");
  header.dataOffset = read<std::uint32_t>(bytes, 96);
  if (header.dataOffset < headerBytes || header.dataOffset > in.size())
    return wrong(in, "the header says the points start at byte " +
                         std::to_string(header.dataOffset) + " of " + std::to_string(in.size()) +
                         ". The file was cut short or is damaged; export it again.");
  header.points = read<std::uint32_t>(bytes, 107);
  if (header.minor == 4) {
    const auto points = read<std::uint64_t>(bytes, 247);
    if (points != 0) header.points = points;
  }
  for (std::size_t j = 0; j < 3; ++j) {
    header.scale[j] = read<double>(bytes, 131 + 8 * j);
    header.offset[j] = read<double>(bytes, 155 + 8 * j);
    if (!std::isfinite(header.scale[j]) || header.scale[j] == 0 || !std::isfinite(header.offset[j]))
      return wrong(in, std::string("the header's scale or offset of ") + "xyz"[j] +
                           " is no usable number. It is damaged; export it again.");
  }
  return header;
}

class LasFile final : public TableFile {
 public:
  LasFile(InputStream& in, const Header& header) : in_(in), header_(header) {
    for (const char* const name : {"x", "y", "z"})
      columns_.push_back({name, true, toText(Scalar::Float64)});
    columns_.push_back({"intensity", true, toText(Scalar::Uint16)});
    columns_.push_back({"classification", true, toText(Scalar::Uint8)});
    coordinates_ = {0, 1, 2};
    rows_ = header.points;
  }

  bool divides() const override { return true; }
  Result<void> readRows(DatasetBuilder& builder, std::uint64_t rows) override {
    // Up to format 5 the classification shares its byte with three flags.
    const bool flags = header_.pointFormat < 6;
    RecordLayout layout;
    layout.recordBytes = header_.recordBytes;
    layout.fields = {{Scalar::Int32, 0},
                     {Scalar::Int32, 4},
                     {Scalar::Int32, 8},
                     {Scalar::Uint16, 12},
                     {Scalar::Uint8, flags ? std::size_t{15} : std::size_t{16}}};
    layout.convert = [&](std::size_t column, double* values, std::size_t count) {
      if (column < 3) {
        const double scale = header_.scale[column];
        const double offset = header_.offset[column];
        for (std::size_t i = 0; i < count; ++i) values[i] = values[i] * scale + offset;
      } else if (column == 4 && flags) {
        for (std::size_t i = 0; i < count; ++i)
          values[i] = static_cast<double>(static_cast<int>(values[i]) & 31);
      }
    };
    if (auto jumped = in_.jump(firstRow_ * layout.recordBytes); !jumped) return jumped;
    return readRecords(in_, layout, rows, builder);
  }

 private:
  InputStream& in_;
  Header header_;
};

}  // namespace

Result<std::unique_ptr<TableFile>> openLas(InputStream& in) {
  const auto header = parseHeader(in);
  if (!header) return tl::unexpected(header.error());
  if (const auto skipped = in.skip(header->dataOffset); !skipped)
    return tl::unexpected(skipped.error());
  if (const auto fits = checkRowsFit(in, header->points, header->recordBytes); !fits)
    return tl::unexpected(fits.error());
  return std::make_unique<LasFile>(in, *header);
}

}  // namespace clusterloom
