#include "engine/io/hdf5/hdf5_faults.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace clusterloom::hdf5 {
namespace {

// After the last free block of a heap; blocks begin at multiples of 8.
constexpr std::uint64_t kNoBlock = 1;

bool begins(std::span<const char> bytes, std::string_view signature) {
  return std::string_view(bytes.data(), bytes.size()).starts_with(signature);
}

bool isSize(std::size_t bytes) { return bytes == 2 || bytes == 4 || bytes == 8; }

/// Takes a number of `size` bytes, the lowest first, from the beginning.
std::uint64_t take(std::span<const char>& bytes, std::size_t size) {
  std::uint64_t number = 0;
  for (std::size_t b = size; b-- > 0;) number = number << 8 | static_cast<unsigned char>(bytes[b]);
  bytes = bytes.subspan(size);
  return number;
}

constexpr std::size_t kPrefixBytes = 16;        // of a header, before its messages
constexpr std::size_t kMessagePrefixBytes = 8;  // type, size, flags and reserved bytes
constexpr std::uint64_t kLayoutMessage = 0x0008;
constexpr std::uint64_t kContinuationMessage = 0x0010;

std::uint64_t numberAt(std::span<const char> bytes, std::size_t at, std::size_t size) {
  std::uint64_t number = 0;
  for (std::size_t b = size; b-- > 0;)
    number = number << 8 | static_cast<unsigned char>(bytes[at + b]);
  return number;
}

/// Whether a data layout message (the specification's IV.A.2.i) is of chunks that have no
/// dimensions beside that of the size of a value, or one of length 0.
bool hasEmptyChunks(std::span<const char> layout, NumberSizes sizes) {
  constexpr std::uint64_t chunked = 2;
  // Where the class, the number of dimensions and their lengths are, and the bytes of a length.
  struct Places {
    std::size_t storage, dimensions, lengths, bytes;
  };
  if (layout.size() < 5) return false;
  const std::uint64_t version = numberAt(layout, 0, 1);
  const Places at = version < 3    ? Places{2, 1, 8 + sizes.offsets, 4}
                    : version == 3 ? Places{1, 2, 3 + sizes.offsets, 4}
                                   : Places{1, 3, 5, std::size_t(layout[4] & 15)};
  if (numberAt(layout, at.storage, 1) != chunked) return false;
  const std::uint64_t dimensions = numberAt(layout, at.dimensions, 1);
  if (dimensions < 2) return true;
  for (std::size_t d = 0; d < dimensions; ++d) {
    const std::size_t place = at.lengths + d * at.bytes;
    if (place + at.bytes > layout.size()) break;
    if (numberAt(layout, place, at.bytes) == 0) return true;
  }
  return false;
}

}  // namespace

NumberSizes numberSizesIn(std::span<const char> superblock, NumberSizes otherwise) {
  constexpr std::string_view signature = "\211HDF\r\n\032\n";
  if (superblock.size() < 16 || !begins(superblock, signature)) return otherwise;
  const std::size_t place = superblock[signature.size()] < 2 ? 13 : 9;
  const NumberSizes sizes{static_cast<unsigned char>(superblock[place]),
                          static_cast<unsigned char>(superblock[place + 1])};
  return isSize(sizes.offsets) && isSize(sizes.lengths) ? sizes : otherwise;
}

Result<const char*> faultOfHeap(std::span<const char> header, NumberSizes sizes,
                                const ByteSource& source, std::uint64_t base) {
  constexpr std::size_t before = 8;  // signature, version and reserved bytes
  if (!begins(header, "HEAP") || header.size() < before + 2 * sizes.lengths + sizes.offsets)
    return nullptr;
  header = header.subspan(before);
  const std::uint64_t size = take(header, sizes.lengths);
  std::uint64_t block = take(header, sizes.lengths);
  const std::uint64_t address = take(header, sizes.offsets);
  const std::uint64_t end = source.size();
  if (base > end || address > end - base || size > end - base - address)
    return "a heap is behind the end of the file";
  // Each free block has its own offset in it: more than these are a circle.
  const std::size_t blockBytes = 2 * sizes.lengths;
  for (std::uint64_t blocks = size / blockBytes; block != kNoBlock; --blocks) {
    if (blocks == 0) return "the free blocks of a heap lead in a circle";
    if (block > size || blockBytes > size - block) return "a free block is outside of its heap";
    std::array<char, 8> next{};
    const auto got = source.readAt(base + address + block, std::span(next).first(sizes.lengths));
    if (!got) return tl::unexpected(got.error());
    std::span<const char> bytes(next);
    block = take(bytes, sizes.lengths);
  }
  return nullptr;
}

Result<const char*> faultOfCollection(std::span<const char> begin, NumberSizes sizes,
                                      const ByteSource& source, std::uint64_t address) {
  constexpr std::size_t before = 8;  // also of an object: index, references and reserved bytes
  const std::size_t header = before + sizes.lengths;
  constexpr std::string_view signature("GCOL\1");  // with the version; reserved bytes are not read
  if (!begins(begin, signature) || begin.size() < header) return nullptr;
  std::span<const char> rest = begin.subspan(before);
  const std::uint64_t size = take(rest, sizes.lengths);
  if (size < header || address > source.size() || size > source.size() - address)
    return "a global heap is behind the end of the file";
  std::vector<char> whole;
  if (size > begin.size()) {
    whole.resize(size);
    const auto got = source.readAt(address, whole);
    if (!got) return tl::unexpected(got.error());
    begin = whole;
  }
  rest = begin.subspan(header, size - header);
  // Space that is too short for the header of an object is not used.
  while (rest.size() >= header) {
    std::span<const char> object = rest;
    const std::uint64_t index = take(object, 2);
    object = object.subspan(before - 2);
    std::uint64_t bytes = take(object, sizes.lengths);
    // Object 0 is the free space, whose size has its header.
    constexpr std::uint64_t aligned = 8;
    if (index != 0) {
      if (bytes > rest.size()) return "an object is outside of its global heap";
      bytes = header + (bytes + aligned - 1) / aligned * aligned;
    }
    if (bytes < header || bytes > rest.size()) return "an object is outside of its global heap";
    rest = rest.subspan(bytes);
  }
  return nullptr;
}

const char* ObjectHeaders::faultIn(std::span<const char> block, std::uint64_t address,
                                   NumberSizes sizes) {
  if (!continuations_.contains(address)) {
    constexpr char version = 1;
    if (block.size() < kPrefixBytes || block[0] != version) return nullptr;
    const auto size = std::size_t(numberAt(block, 8, 4));
    block = block.subspan(kPrefixBytes);
    block = block.first(std::min(size, block.size()));
  }
  while (block.size() >= kMessagePrefixBytes) {
    const std::uint64_t type = numberAt(block, 0, 2);
    const auto size = std::size_t(numberAt(block, 2, 2));
    block = block.subspan(kMessagePrefixBytes);
    if (size > block.size()) break;  // the library has not read the whole header yet
    if (type == kLayoutMessage && hasEmptyChunks(block.first(size), sizes))
      return "a dataset has chunks without values";
    if (type == kContinuationMessage && size >= sizes.offsets)
      continuations_.insert(numberAt(block, 0, sizes.offsets));
    block = block.subspan(size);
  }
  return nullptr;
}

}  // namespace clusterloom::hdf5
