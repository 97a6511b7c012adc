#include "engine/io/hdf5/hdf5_lzf.h"

#include <array>
#include <cstddef>

#include "engine/io/packing/lzf_step.h"

namespace clusterloom::hdf5 {
namespace {

constexpr H5Z_filter_t kLzf = 32000;  // its number in the list of The HDF Group
// Larger chunks are those of damaged files.
constexpr std::size_t kMostChunk = std::size_t{1} << 30;

/// Unpacks a chunk. Its third parameter is the size, if there is one. 0: it is damaged.
std::size_t unpackChunk(unsigned flags, std::size_t parameters, const unsigned values[],
                        std::size_t bytes, std::size_t* bufferBytes, void** buffer) {
  if ((flags & H5Z_FLAG_REVERSE) == 0) return 0;
  const bool isSizeKnown = parameters >= 3;
  const std::size_t most = isSizeKnown ? values[2] : bytes * kMostLzfRatio;
  if (most == 0 || most > kMostChunk) return 0;
  auto* const out = static_cast<char*>(H5allocate_memory(most + kLongestLzf, false));
  if (out == nullptr) return 0;
  const auto* packed = static_cast<const char*>(*buffer);
  std::size_t made = 0;
  while (made < most && bytes > 0) {
    const LzfStep step = unpackLzf(packed, bytes, out, made);
    if (step.taken == 0) break;
    packed += step.taken;
    bytes -= step.taken;
    made += step.made;
  }
  if (isSizeKnown ? made != most : bytes > 0) {
    H5free_memory(out);
    return 0;
  }
  H5free_memory(*buffer);
  *buffer = out;
  *bufferBytes = most + kLongestLzf;
  return made;
}

}  // namespace

void registerLzf() {
  const H5Z_class2_t filter{H5Z_CLASS_T_VERS, kLzf, 0, 1, "lzf", nullptr, nullptr, &unpackChunk};
  H5Zregister(&filter);
}

std::optional<std::uint64_t> unpackedByLzf(hid_t creation) {
  unsigned flags = 0;
  std::array<unsigned, 3> values{};
  std::size_t count = values.size();
  if (H5Pget_filter_by_id2(creation, kLzf, &flags, &count, values.data(), 0, nullptr, nullptr) <
          0 ||
      count < 3)
    return std::nullopt;
  return values[2];
}

}  // namespace clusterloom::hdf5
