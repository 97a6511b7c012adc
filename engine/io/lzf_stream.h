#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/core/result.h"
#include "engine/io/input_stream.h"

namespace clusterloom {

/// Unpacks LZF (as PCD's binary_compressed uses it) block by block: a reference reaches back 8 KiB
/// at most, so neither the packed nor the unpacked data are ever in memory as a whole.
///
/// The packed data are a sequence of instructions. A control byte c < 32:
/// c + 1 bytes follow as they are. Otherwise c >> 5 (7: plus the next
/// byte) + 2 bytes are repeated from ((c & 31) << 8 | next byte) + 1 bytes
/// back.
class LzfStream {
 public:
  /// The most a packed byte can become: three bytes repeat up to 264.
  static constexpr std::uint64_t kMaxRatio = 88;

  LzfStream(InputStream& in, std::uint64_t packedBytes) : in_(in), packedLeft_(packedBytes) {}

  /// The next `count` unpacked bytes, valid until the next call. BadInput where the packed data end
  /// first or are damaged.
  Result<const char*> next(std::size_t count);

 private:
  Result<void> step();
  tl::unexpected<Error> damaged() const;

  InputStream& in_;
  std::uint64_t packedLeft_;
  std::vector<char> out_;  // history, then bytes not yet given
  std::size_t first_ = 0;  // the first byte not yet given
  std::size_t last_ = 0;
};

}  // namespace clusterloom
