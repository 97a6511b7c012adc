#pragma once

#include <cstddef>
#include <cstring>

namespace clusterloom {

/// The most bytes that one instruction of LZF makes.
inline constexpr std::size_t kLongestLzf = 264;

/// The most a packed byte can become: three bytes repeat up to kLongestLzf.
inline constexpr std::size_t kMostLzfRatio = 88;

struct LzfStep {
  std::size_t taken = 0;  ///< packed bytes; 0: the data are damaged or cut short
  std::size_t made = 0;
};

/// Unpacks one instruction of LZF behind the first `made` bytes of `out`, where kLongestLzf more
/// have room.
///
/// Packed data are a sequence of instructions. A control byte c < 32: c + 1 bytes follow as they
/// are. Otherwise c >> 5 (7: plus the next byte) + 2 bytes are repeated from ((c & 31) << 8 | next
/// byte) + 1 bytes back.
inline LzfStep unpackLzf(const char* bytes, std::size_t available, char* out, std::size_t made) {
  const auto* const packed = reinterpret_cast<const unsigned char*>(bytes);
  if (available == 0) return {};
  if (packed[0] < 32) {
    const std::size_t length = packed[0] + std::size_t{1};
    if (length >= available) return {};
    std::memcpy(out + made, packed + 1, length);
    return {length + 1, length};
  }
  std::size_t taken = 1;
  std::size_t length = packed[0] >> 5;
  if (length == 7) {
    if (available < 3) return {};
    length += packed[taken++];
  }
  length += 2;
  if (taken >= available) return {};
  const std::size_t back = (std::size_t{packed[0]} & 31) << 8 | packed[taken++];
  if (back + 1 > made) return {};
  const char* const from = out + made - back - 1;
  // The ranges may overlap: this is how one byte is repeated.
  for (std::size_t i = 0; i < length; ++i) out[made + i] = from[i];
  return {taken, length};
}

}  // namespace clusterloom
