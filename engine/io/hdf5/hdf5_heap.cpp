#include "engine/io/hdf5/hdf5_heap.h"

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

}  // namespace clusterloom::hdf5
