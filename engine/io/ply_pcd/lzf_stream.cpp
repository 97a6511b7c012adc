#include "engine/io/ply_pcd/lzf_stream.h"

#include <algorithm>
#include <cstring>

#include "engine/io/packing/lzf_step.h"

namespace clusterloom {
namespace {

constexpr std::size_t kHistory = 8192;
constexpr std::size_t kLongest = kLongestLzf;
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
  const LzfStep step = unpackLzf(in_.begin(), most, out_.data(), last_);
  if (step.taken == 0) return damaged();
  last_ += step.made;
  in_.consume(step.taken);
  packedLeft_ -= step.taken;
  return {};
}

tl::unexpected<Error> LzfStream::damaged() const {
  return badInput(in_.name() + ": the compressed data are damaged or cut short near byte " +
                  std::to_string(in_.position()) + ". Copy or export the file again.");
}

}  // namespace clusterloom
