#include "engine/io/lzf_stream.h"

#include <algorithm>
#include <cstring>

namespace clusterloom {
namespace {

constexpr std::size_t kHistory = 8192;
constexpr std::size_t kLongest = 264;     // bytes one instruction can make
constexpr std::size_t kInstruction = 33;  // bytes one can take

}  // namespace

Result<const char*> LzfStream::next(std::size_t count) {
  if (last_ - first_ < count) {
    const std::size_t keepFrom = first_ > kHistory ? first_ - kHistory : 0;
    if (keepFrom > 0) std::memmove(out_.data(), out_.data() + keepFrom, last_ - keepFrom);
    first_ -= keepFrom;
    last_ -= keepFrom;
    if (out_.size() < first_ + count + kLongest) out_.resize(kHistory + count + kLongest);
    while (last_ - first_ < count)
      if (const auto done = step(); !done) return tl::unexpected(done.error());
  }
  const char* const bytes = out_.data() + first_;
  first_ += count;
  return bytes;
}

Result<void> LzfStream::step() {
  const auto most = std::size_t(std::min<std::uint64_t>(packedLeft_, kInstruction));
  if (in_.available() < most) {
    const auto filled = in_.fill(most);
    if (!filled) return tl::unexpected(filled.error());
    if (!*filled) return damaged();
  }
  if (most == 0) return damaged();
  const auto* const packed = reinterpret_cast<const unsigned char*>(in_.begin());
  std::size_t taken = 1;
  if (packed[0] < 32) {
    const std::size_t length = packed[0] + std::size_t{1};
    taken += length;
    if (taken > most) return damaged();
    std::memcpy(out_.data() + last_, packed + 1, length);
    last_ += length;
  } else {
    std::size_t length = packed[0] >> 5;
    if (length == 7) {
      if (most < 3) return damaged();
      length += packed[taken++];
    }
    length += 2;
    if (taken >= most) return damaged();
    const std::size_t back = (std::size_t{packed[0]} & 31) << 8 | packed[taken++];
    if (back + 1 > last_) return damaged();
    char* out = out_.data() + last_;
    const char* from = out - back - 1;
    // The ranges may overlap: this is how one byte is repeated.
    for (std::size_t i = 0; i < length; ++i) out[i] = from[i];
    last_ += length;
  }
  in_.consume(taken);
  packedLeft_ -= taken;
  return {};
}

tl::unexpected<Error> LzfStream::damaged() const {
  return badInput(in_.name() + ": the compressed data are damaged or cut short near byte " +
                  std::to_string(in_.position()) + ". Copy or export the file again.");
}

}  // namespace clusterloom
