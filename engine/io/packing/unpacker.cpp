#include "engine/io/packing/unpacker.h"

#include <algorithm>
#include <string>
#include <utility>

#include "engine/core/task.h"

namespace clusterloom {
namespace {

constexpr std::size_t kPackedBytes = std::size_t{256} << 10;

}  // namespace

PackedBytes::PackedBytes(const ByteSource& source, Hasher* hasher, std::stop_token stop)
    : source_(source),
      hasher_(hasher),
      stop_(std::move(stop)),
      buffer_(std::size_t(std::min<std::uint64_t>(source.size(), kPackedBytes))) {}

Result<std::span<const char>> PackedBytes::more() {
  if (first_ == last_ && read_ < source_.size()) {
    if (stop_.stop_requested()) return cancelledError();
    const auto got = source_.readAt(read_, buffer_);
    if (!got) return tl::unexpected(got.error());
    if (*got == 0)
      return ioError(
          source_.name() +
          ": became shorter while it was read. Wait until it is written, then open it again.");
    if (hasher_ != nullptr) hasher_->add(buffer_.data(), *got);
    first_ = 0;
    last_ = *got;
    read_ += *got;
  }
  return std::span<const char>(buffer_.data() + first_, last_ - first_);
}

std::unique_ptr<Unpacker> makeUnpacker(Packing packing, PackedBytes& packed) {
  return packing == Packing::Gzip ? makeGzipUnpacker(packed) : makeZstdUnpacker(packed);
}

tl::unexpected<Error> packedTooShort(const PackedBytes& packed, Packing packing) {
  return badInput(packed.source().name() + ": its " + std::string(packingKindOf(packing).name) +
                  " data ends after " + std::to_string(packed.position()) +
                  " bytes, before it is complete. The file was cut short; copy it again.");
}

tl::unexpected<Error> packedDamaged(const PackedBytes& packed, Packing packing, const char* why) {
  return badInput(packed.source().name() + ": its " + std::string(packingKindOf(packing).name) +
                  " data is damaged near byte " + std::to_string(packed.position()) + " (" + why +
                  "). Copy the file again, or pack it again.");
}

}  // namespace clusterloom
