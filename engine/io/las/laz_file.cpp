#include "engine/io/las/laz_file.h"

#include <algorithm>
#include <limits>

#include "engine/io/las/las_layout.h"
#include "engine/io/las/laz_values.h"

namespace clusterloom {
namespace {

constexpr std::uint32_t kVariable = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kMostChunkBytes = std::uint64_t{1} << 30;
// The adaptive models stop at about 900 points a byte, with points that are all alike.
constexpr std::uint64_t kMostPointsPerByte = 2048;
// Each of them has models of its own.
constexpr std::size_t kMostExtraBytes = 8192;

// Before the items of the record, and each of them.
constexpr std::size_t kRecordBytes = 34;
constexpr std::size_t kItemBytes = 6;
constexpr std::uint16_t kChunked = 2;
constexpr std::uint16_t kLayered = 3;

struct Item {
  std::uint16_t type = 0;
  std::uint16_t bytes = 0;
  std::uint16_t version = 0;
};

/// The parts of a point, by its format.
std::vector<Item> itemsOf(const LazScheme& scheme) {
  const int format = scheme.pointFormat;
  const auto version = std::uint16_t(format < 6 ? 2 : scheme.version);
  const auto is = [&](std::initializer_list<int> formats) {
    return std::find(formats.begin(), formats.end(), format) != formats.end();
  };
  std::vector<Item> items;
  if (format < 6) items.push_back({6, 20, version});
  if (is({1, 3, 4, 5})) items.push_back({7, 8, version});
  if (is({2, 3, 5})) items.push_back({8, 6, version});
  if (is({4, 5})) items.push_back({9, 29, 1});
  if (format >= 6) items.push_back({10, 30, version});
  if (is({7})) items.push_back({11, 6, version});
  if (is({8, 10})) items.push_back({12, 8, version});
  if (is({9, 10})) items.push_back({13, 29, version});
  const std::size_t extra = scheme.recordBytes - kLasRecordBytes[std::size_t(format)];
  if (extra > 0)
    items.push_back({std::uint16_t(format < 6 ? 0 : 14), std::uint16_t(extra), version});
  return items;
}

template <class T>
T get(std::string_view bytes, std::size_t at) {
  return lazGet<T>(reinterpret_cast<const std::uint8_t*>(bytes.data()), at);
}

tl::unexpected<Error> wrongLaz(const InputStream& in, const std::string& what) {
  return badInput(in.name() + ": " + what);
}

tl::unexpected<Error> otherCoding(const InputStream& in, const std::string& what) {
  return wrongLaz(in, "its points are compressed in a way that is not read (" + what +
                          "). Compress it anew, for example: pdal translate FILE.laz NEW.laz");
}

/// The number of points of a chunk, or kVariable.
Result<std::uint32_t> checkRecord(const InputStream& in, std::string_view record,
                                  LazScheme& scheme) {
  if (record.size() < kRecordBytes)
    return wrongLaz(in,
                    "has compressed points, but no record that says how. It was cut short or is "
                    "damaged; copy it again.");
  const auto compressor = get<std::uint16_t>(record, 0);
  if (compressor != (scheme.pointFormat < 6 ? kChunked : kLayered))
    return otherCoding(in, "method " + std::to_string(compressor) + " for point format " +
                               std::to_string(scheme.pointFormat));
  if (const auto coder = get<std::uint16_t>(record, 2); coder != 0)
    return otherCoding(in, "coder " + std::to_string(coder));
  const std::size_t count = get<std::uint16_t>(record, 32);
  std::vector<Item> items;
  for (std::size_t i = 0; i < count && kRecordBytes + (i + 1) * kItemBytes <= record.size(); ++i) {
    const std::size_t at = kRecordBytes + i * kItemBytes;
    items.push_back({get<std::uint16_t>(record, at), get<std::uint16_t>(record, at + 2),
                     get<std::uint16_t>(record, at + 4)});
  }
  if (scheme.pointFormat >= 6 && !items.empty() && items[0].version == 4) scheme.version = 4;
  const auto expected = itemsOf(scheme);
  const auto same = [](const Item& a, const Item& b) {
    return a.type == b.type && a.bytes == b.bytes;
  };
  if (!std::equal(items.begin(), items.end(), expected.begin(), expected.end(), same))
    return wrongLaz(in,
                    "the record of its compression and its point format disagree. It is damaged; "
                    "copy or export it again.");
  // Some writers number the coding of wave packets, of which there is one, as that of the others.
  constexpr std::uint16_t wave = 9;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (items[i].version != expected[i].version &&
        !(items[i].type == wave && items[i].version == 2))
      return otherCoding(in, "version " + std::to_string(items[i].version));
  const auto points = get<std::uint32_t>(record, 12);
  if (points == 0)
    return wrongLaz(in, "the header says a chunk has no points. It is damaged; copy it again.");
  return points;
}

tl::unexpected<Error> noTable(const InputStream& in) {
  return wrongLaz(in,
                  "the table of its chunks of points is missing or damaged. The file was not "
                  "written to its end or was cut short; copy or export it again.");
}

}  // namespace

Result<LazFile> readLazFile(const InputStream& in, const LazScheme& layout, std::string_view record,
                            std::uint64_t dataOffset, std::uint64_t points) {
  LazFile file;
  file.scheme = layout;
  if (layout.recordBytes - kLasRecordBytes[std::size_t(layout.pointFormat)] > kMostExtraBytes)
    return otherCoding(in, "more than " + std::to_string(kMostExtraBytes) + " extra bytes a point");
  const auto chunkPoints = checkRecord(in, record, file.scheme);
  if (!chunkPoints) return tl::unexpected(chunkPoints.error());

  const ByteSource& source = in.source();
  std::string bytes(8, '\0');
  const auto readAt = [&](std::uint64_t at, std::size_t count) -> Result<bool> {
    bytes.assign(count, '\0');
    const auto got = source.readAt(at, bytes);
    if (!got) return tl::unexpected(got.error());
    return *got == count;
  };
  if (dataOffset + 16 > source.size()) return noTable(in);
  const std::uint64_t first = dataOffset + 8;
  if (auto there = readAt(dataOffset, 8); !there) return tl::unexpected(there.error());
  auto table = get<std::uint64_t>(bytes, 0);
  // A writer that could not go back wrote its place last.
  if (table == std::numeric_limits<std::uint64_t>::max()) {
    if (auto there = readAt(source.size() - 8, 8); !there) return tl::unexpected(there.error());
    table = get<std::uint64_t>(bytes, 0);
  }
  if (table < first || table > source.size() - 8) return noTable(in);
  if (auto there = readAt(table, 8); !there) return tl::unexpected(there.error());
  const std::uint64_t count = get<std::uint32_t>(bytes, 4);
  if (get<std::uint32_t>(bytes, 0) != 0 || count > (table - first) / layout.recordBytes)
    return noTable(in);
  const std::uint64_t most = std::min<std::uint64_t>(source.size() - table - 8, 16 * count + 16);
  if (auto there = readAt(table + 8, std::size_t(most)); !there)
    return tl::unexpected(there.error());

  LazDecoder coder({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  const auto numbers = std::make_unique<LazIntegers<32, 2>>();
  std::uint64_t left = points;
  std::uint64_t bytesLeft = table - first;
  std::int32_t lastPoints = 0;
  std::int32_t lastBytes = 0;
  for (std::uint64_t c = 0; c < count; ++c) {
    LazFile::Chunk chunk;
    chunk.firstRow = points - left;
    chunk.start = table - bytesLeft;
    if (*chunkPoints == kVariable) {
      lastPoints = numbers->code(coder, lastPoints, 0);
      chunk.points = std::uint32_t(lastPoints);
    } else {
      chunk.points = std::min<std::uint64_t>(left, *chunkPoints);
    }
    lastBytes = numbers->code(coder, lastBytes, 1);
    chunk.bytes = std::uint32_t(lastBytes);
    if (chunk.points > left || chunk.bytes > bytesLeft || coder.missing() > 8) return noTable(in);
    if (chunk.points > kMostPointsPerByte * chunk.bytes) return noTable(in);
    if (chunk.bytes > kMostChunkBytes) return otherCoding(in, "chunks of more than 1 GiB");
    left -= chunk.points;
    bytesLeft -= chunk.bytes;
    file.chunks.push_back(chunk);
  }
  if (left > 0)
    return wrongLaz(in, "the header promises " + std::to_string(points) + " points, but " +
                            std::to_string(points - left) +
                            " are there. The file was cut short or its header is wrong; copy or "
                            "export it again.");
  return file;
}

std::string lazRecord(const LazScheme& scheme) {
  const auto items = itemsOf(scheme);
  std::vector<std::uint8_t> bytes(kRecordBytes + items.size() * kItemBytes);
  lazPut(bytes.data(), 0, scheme.pointFormat < 6 ? kChunked : kLayered);
  // The version of LASzip that has all of this.
  bytes[4] = 3;
  bytes[5] = 4;
  lazPut<std::uint16_t>(bytes.data(), 6, 3);
  lazPut(bytes.data(), 12, kLazChunkPoints);
  lazPut<std::int64_t>(bytes.data(), 16, -1);  // no records that belong to the points
  lazPut<std::int64_t>(bytes.data(), 24, -1);
  lazPut(bytes.data(), 32, std::uint16_t(items.size()));
  for (std::size_t i = 0; i < items.size(); ++i) {
    std::uint8_t* const item = bytes.data() + kRecordBytes + i * kItemBytes;
    lazPut(item, 0, items[i].type);
    lazPut(item, 2, items[i].bytes);
    lazPut(item, 4, items[i].version);
  }
  return {bytes.begin(), bytes.end()};
}

std::string lazTable(const std::vector<std::uint64_t>& chunkBytes) {
  std::uint8_t head[8] = {};
  lazPut(head, 4, std::uint32_t(chunkBytes.size()));
  LazEncoder coder;
  const auto numbers = std::make_unique<LazIntegers<32, 2>>();
  std::int32_t last = 0;
  for (const std::uint64_t bytes : chunkBytes)
    last = numbers->code(coder, last, 1, std::int32_t(bytes));
  return std::string(head, head + 8) + coder.finish();
}

}  // namespace clusterloom
