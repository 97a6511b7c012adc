#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/core/result.h"
#include "engine/io/input_stream.h"

namespace clusterloom {

/// Unpacks LZF (as PCD's binary_compressed uses it) block by block: a reference reaches back 8 KiB
/// at most, so neither the packed nor the unpacked data are ever in memory as a whole.
class LzfStream {
 public:
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
