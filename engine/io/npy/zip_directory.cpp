// ZIP archives, by the description of the format (APPNOTE.TXT of PKWARE, version 6.3.10).
#include "engine/io/npy/zip_directory.h"

#include <zlib.h>

#include <algorithm>
#include <memory>
#include <new>
#include <string_view>
#include <utility>

#include "engine/core/memory_budget.h"

namespace clusterloom {
namespace {

constexpr std::uint32_t kEntrySignature = 0x02014b50;
constexpr std::uint32_t kLocalSignature = 0x04034b50;
constexpr std::uint32_t kEndSignature = 0x06054b50;
constexpr std::uint32_t kEnd64Signature = 0x06064b50;
constexpr std::uint32_t kLocator64Signature = 0x07064b50;
constexpr std::size_t kEntryBytes = 46;
constexpr std::size_t kLocalBytes = 30;
constexpr std::size_t kEndBytes = 22;
constexpr std::size_t kLocator64Bytes = 20;
constexpr std::size_t kEnd64Bytes = 56;
constexpr std::uint64_t kMostDirectory = std::uint64_t{64} << 20;

tl::unexpected<Error> damaged(const std::string& file, const std::string& what) {
  return badInput(file + ": the ZIP archive " + what + ". Copy it again, or save it again.");
}

std::uint64_t numberAt(std::string_view bytes, std::size_t offset, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = size; i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(bytes[offset + i]);
  return value;
}

Result<std::string> bytesOf(const ByteSource& archive, std::uint64_t offset, std::uint64_t count) {
  if (offset > archive.size() || count > archive.size() - offset)
    return damaged(archive.name(), "ends too early");
  std::string bytes(std::size_t(count), '\0');
  const auto got = archive.readAt(offset, bytes);
  if (!got) return tl::unexpected(got.error());
  if (*got != bytes.size()) return damaged(archive.name(), "ends too early");
  return bytes;
}

struct DirectoryPlace {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t entries = 0;
};

/// From the record at the end of the archive, or that of ZIP64 before it.
Result<DirectoryPlace> findDirectory(const ByteSource& archive) {
  constexpr std::uint64_t kMostArchiveComment = 65535;
  const std::uint64_t tailBytes =
      std::min<std::uint64_t>(archive.size(), kEndBytes + kMostArchiveComment);
  const auto tail = bytesOf(archive, archive.size() - tailBytes, tailBytes);
  if (!tail) return tl::unexpected(tail.error());
  std::size_t end = tail->size();
  for (std::size_t at = tail->size() + 1 - std::min(tail->size(), kEndBytes); at-- > 0;)
    if (at + kEndBytes <= tail->size() && numberAt(*tail, at, 4) == kEndSignature) {
      end = at;
      break;
    }
  if (end == tail->size()) return damaged(archive.name(), "has no directory at its end");
  if (numberAt(*tail, end + 4, 2) != 0 && numberAt(*tail, end + 4, 2) != 0xffff)
    return badInput(archive.name() +
                    ": is a part of a ZIP archive of several "
                    "files. Join them first.");
  DirectoryPlace place{numberAt(*tail, end + 16, 4), numberAt(*tail, end + 12, 4),
                       numberAt(*tail, end + 10, 2)};
  if (end < kLocator64Bytes || numberAt(*tail, end - kLocator64Bytes, 4) != kLocator64Signature)
    return place;
  const auto wide = bytesOf(archive, numberAt(*tail, end - kLocator64Bytes + 8, 8), kEnd64Bytes);
  if (!wide) return tl::unexpected(wide.error());
  if (numberAt(*wide, 0, 4) != kEnd64Signature) return damaged(archive.name(), "is damaged");
  return DirectoryPlace{numberAt(*wide, 48, 8), numberAt(*wide, 40, 8), numberAt(*wide, 32, 8)};
}

/// Takes sizes and offset from the ZIP64 field where the entry has no room for them.
bool readWideNumbers(std::string_view extra, ZipEntry& entry) {
  constexpr std::uint64_t kElsewhere = 0xffffffff;
  while (extra.size() >= 4) {
    const std::uint64_t kind = numberAt(extra, 0, 2);
    const auto size = std::size_t(numberAt(extra, 2, 2));
    if (size > extra.size() - 4) return false;
    std::string_view field = extra.substr(4, size);
    extra.remove_prefix(4 + size);
    if (kind != 1) continue;
    for (std::uint64_t* number : {&entry.bytes, &entry.packedBytes, &entry.header}) {
      if (*number != kElsewhere) continue;
      if (field.size() < 8) return false;
      *number = numberAt(field, 0, 8);
      field.remove_prefix(8);
    }
  }
  return true;
}

class UnpackedEntry final : public ByteSource {
 public:
  UnpackedEntry(std::string name, std::vector<char> bytes)
      : bytes_(std::move(bytes)), source_(memorySource(std::move(name), bytes_)) {}
  const std::string& name() const override { return source_->name(); }
  std::uint64_t size() const override { return source_->size(); }
  Result<std::size_t> readAt(std::uint64_t offset, std::span<char> into) const override {
    return source_->readAt(offset, into);
  }

 private:
  std::vector<char> bytes_;
  std::unique_ptr<ByteSource> source_;
};

/// Unpacks a block at a time, so that what a damaged archive says does not set the memory taken.
Result<std::vector<char>> unpack(const ByteSource& source, const ZipEntry& entry,
                                 const Task& task) {
  constexpr std::size_t kBlock = std::size_t{1} << 18;
  z_stream stream{};
  if (::inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, decltype(&::inflateEnd)> guard(&stream, &::inflateEnd);
  std::vector<char> packed(kBlock);
  std::vector<char> content;
  std::uint64_t at = 0;
  for (int status = Z_OK; status != Z_STREAM_END;) {
    if (task.cancelled()) return cancelledError();
    if (stream.avail_in == 0) {
      const auto got = source.readAt(at, packed);
      if (!got) return tl::unexpected(got.error());
      at += *got;
      stream.next_in = reinterpret_cast<Bytef*>(packed.data());
      stream.avail_in = static_cast<uInt>(*got);
    }
    const std::size_t before = content.size();
    if (before > entry.bytes) return damaged(source.name(), "holds more than its directory says");
    content.resize(before + kBlock);
    stream.next_out = reinterpret_cast<Bytef*>(content.data() + before);
    stream.avail_out = kBlock;
    status = ::inflate(&stream, Z_NO_FLUSH);
    content.resize(before + kBlock - stream.avail_out);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    const bool stuck = content.size() == before && stream.avail_in == 0 && at == source.size();
    if ((status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) ||
        (stuck && status != Z_STREAM_END))
      return damaged(source.name(), "is damaged or cut short");
  }
  if (content.size() != entry.bytes)
    return damaged(source.name(), "holds another number of bytes than its directory says");
  const auto* const bytes = reinterpret_cast<const Bytef*>(content.data());
  if (::crc32_z(::crc32_z(0, nullptr, 0), bytes, content.size()) != entry.checksum)
    return damaged(source.name(), "is damaged: a checksum does not match");
  return content;
}

}  // namespace

Result<std::vector<ZipEntry>> zipDirectory(const ByteSource& archive) {
  const auto place = findDirectory(archive);
  if (!place) return tl::unexpected(place.error());
  if (place->bytes > kMostDirectory) return damaged(archive.name(), "has too large a directory");
  const auto directory = bytesOf(archive, place->offset, place->bytes);
  if (!directory) return tl::unexpected(directory.error());
  std::vector<ZipEntry> entries;
  std::string_view rest = *directory;
  while (rest.size() >= kEntryBytes && numberAt(rest, 0, 4) == kEntrySignature) {
    const std::uint64_t flags = numberAt(rest, 8, 2);
    const std::uint64_t method = numberAt(rest, 10, 2);
    const auto nameBytes = std::size_t(numberAt(rest, 28, 2));
    const auto extraBytes = std::size_t(numberAt(rest, 30, 2));
    const auto commentBytes = std::size_t(numberAt(rest, 32, 2));
    if (rest.size() - kEntryBytes < nameBytes + extraBytes + commentBytes)
      return damaged(archive.name(), "has a damaged directory");
    ZipEntry entry;
    entry.name = rest.substr(kEntryBytes, nameBytes);
    entry.deflated = method == 8;
    entry.checksum = std::uint32_t(numberAt(rest, 16, 4));
    entry.packedBytes = numberAt(rest, 20, 4);
    entry.bytes = numberAt(rest, 24, 4);
    entry.header = numberAt(rest, 42, 4);
    if (!readWideNumbers(rest.substr(kEntryBytes + nameBytes, extraBytes), entry))
      return damaged(archive.name(), "has a damaged directory");
    if ((flags & 1) != 0) return badInput(archive.name() + ": is encrypted. Unpack it first.");
    if (method != 0 && method != 8)
      return badInput(archive.name() +
                      ": is a ZIP archive with a compression other than "
                      "Deflate. Unpack it first.");
    entries.push_back(std::move(entry));
    rest.remove_prefix(kEntryBytes + nameBytes + extraBytes + commentBytes);
  }
  if (entries.size() != place->entries || entries.empty())
    return damaged(archive.name(), "has a damaged directory");
  return entries;
}

Result<std::unique_ptr<ByteSource>> openZipEntry(const ByteSource& archive, const ZipEntry& entry,
                                                 const Task& task) {
  const auto local = bytesOf(archive, entry.header, kLocalBytes);
  if (!local) return tl::unexpected(local.error());
  if (numberAt(*local, 0, 4) != kLocalSignature) return damaged(archive.name(), "is damaged");
  const std::uint64_t begin =
      entry.header + kLocalBytes + numberAt(*local, 26, 2) + numberAt(*local, 28, 2);
  if (begin > archive.size() || entry.packedBytes > archive.size() - begin)
    return damaged(archive.name(), "ends too early");
  auto stored = std::make_unique<SourceRange>(archive, begin, begin + entry.packedBytes);
  if (!entry.deflated) {
    if (entry.bytes != entry.packedBytes) return damaged(archive.name(), "is damaged");
    return stored;
  }
  // Growing, it is there twice for a moment.
  if (entry.bytes > availableMemory() / 3)
    return tooLarge(archive.name() + ": " + entry.name + " unpacks to " + memoryText(entry.bytes) +
                    ", more than a third of the free memory. Unpack the archive.");
  auto content = unpack(*stored, entry, task);
  if (!content) return tl::unexpected(content.error());
  return std::make_unique<UnpackedEntry>(archive.name(), std::move(*content));
}

}  // namespace clusterloom
