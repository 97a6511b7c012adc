#include "engine/io/input_stream.h"

#include <algorithm>
#include <cstring>

namespace clusterloom {
namespace {

// Half of a usual L2 cache: a block is hashed, parsed and stored while it is still cached.
constexpr std::size_t kBlock = std::size_t{512} << 10;

}  // namespace

InputStream::InputStream(const ByteSource& source, const Task& task, std::string_view stage,
                         Hasher* hasher)
    : source_(source), task_(task), stage_(stage), hasher_(hasher) {
  const auto whole = std::min<std::uint64_t>(source.size(), kBlock);
  buffer_.resize(static_cast<std::size_t>(whole) + 1);
}

Result<bool> InputStream::fill(std::size_t wanted) {
  while (available() < wanted && !sawEnd()) {
    if (task_.cancelled()) return cancelledError();
    if (first_ > 0) {
      std::memmove(buffer_.data(), begin(), available());
      last_ = available();
      first_ = 0;
    }
    if (buffer_.size() < wanted + 1 || last_ + 1 == buffer_.size()) {
      const std::uint64_t most = last_ + (source_.size() - read_);
      const std::uint64_t size = std::max<std::uint64_t>(wanted, 2 * last_ + kBlock);
      buffer_.resize(static_cast<std::size_t>(std::min(size, most)) + 1);
    }
    const std::size_t room = std::min(buffer_.size() - 1 - last_, kBlock);
    const auto got = source_.readAt(read_, {buffer_.data() + last_, room});
    if (!got) return tl::unexpected(got.error());
    if (*got == 0)
      return fail(ErrorKind::Io, name() +
                                     ": became shorter while it was read. Wait until it is "
                                     "written, then open it again.");
    if (hasher_ != nullptr) hasher_->add(buffer_.data() + last_, *got);
    last_ += *got;
    read_ += *got;
    task_.report(stage_, static_cast<double>(read_) / static_cast<double>(source_.size()));
  }
  return available() >= wanted;
}

Result<void> InputStream::skip(std::uint64_t count) {
  while (count > 0) {
    if (available() == 0) {
      if (const auto more = fill(1); !more) return tl::unexpected(more.error());
      if (available() == 0) break;
    }
    const auto step = static_cast<std::size_t>(std::min<std::uint64_t>(count, available()));
    consume(step);
    count -= step;
  }
  return {};
}

void InputStream::jump(std::uint64_t count) {
  if (count <= available()) {
    consume(static_cast<std::size_t>(count));
    return;
  }
  read_ += count - available();
  first_ = last_ = 0;
}

}  // namespace clusterloom
