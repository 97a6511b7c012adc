#include "engine/io/hdf5/hdf5_headers.h"

#include <algorithm>
#include <cstddef>

namespace clusterloom::hdf5 {
namespace {

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
