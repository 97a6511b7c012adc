#include "engine/io/input_stream.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "engine/core/parallel_for.h"

namespace clusterloom {
namespace {

// Half of a usual L2 cache: a block that is read alone is hashed, parsed and stored while it is
// still cached.
constexpr std::size_t kInputBlockBytes = std::size_t{512} << 10;
// By how much the window grows at first for compressed content, whose size is not known: most small
// files stay small, and memory is zeroed before it is used.
constexpr std::size_t kFirstGrowth = std::size_t{16} << 10;

/// ByteSource::readAt of several blocks at once. Cancelled.
Result<std::size_t> readBlocks(const ByteSource& source, std::uint64_t offset, std::span<char> into,
                               const Task& task) {
  const std::size_t blocks = (into.size() + kInputBlockBytes - 1) / kInputBlockBytes;
  if (blocks <= 1) return source.readAt(offset, into);
  const auto block = [&](std::size_t i) {
    const std::size_t begin = i * kInputBlockBytes;
    return into.subspan(begin, std::min(kInputBlockBytes, into.size() - begin));
  };
  std::vector<Result<std::size_t>> got(blocks);
  parallelFor(blocks, 1, [&](std::size_t i) {
    got[i] = task.cancelled() ? cancelledError()
                              : source.readAt(offset + i * kInputBlockBytes, block(i));
  });
  std::size_t all = 0;
  for (std::size_t i = 0; i < blocks; ++i) {
    if (!got[i]) return got[i];
    all += *got[i];
    if (*got[i] < block(i).size()) break;
  }
  return all;
}

}  // namespace

InputStream::InputStream(const ByteSource& source, const Task& task, std::string_view stage,
                         Hasher* hasher, Content content)
    : source_(source),
      task_(task),
      stage_(stage),
      hasher_(hasher),
      packingKnown_(content == Content::AsStored) {
  const auto whole = std::min<std::uint64_t>(source.size(), kInputBlockBytes);
  buffer_.resize(std::size_t(whole) + 1);
}

std::uint64_t InputStream::size() const {
  if (!blocks_) return source_.size();
  return sawEnd() ? read_ : kUnknownSize;
}

std::uint64_t InputStream::estimatedSize() const {
  if (!blocks_ || sawEnd()) return size();
  const double packed = std::max<double>(1, double(blocks_->packedRead()));
  return std::uint64_t(double(source_.size()) / packed * double(read_));
}

Result<void> InputStream::findPacking() {
  packingKnown_ = true;
  std::array<char, 4> beginning{};
  const auto got = source_.readAt(0, beginning);
  if (!got) return tl::unexpected(got.error());
  packing_ = packingOfBytes({beginning.data(), *got});
  if (packing_ != Packing::None)
    blocks_ = std::make_unique<UnpackedBlocks>(source_, packing_, hasher_);
  return {};
}

Result<std::size_t> InputStream::readMore(std::span<char> into) {
  if (blocks_) {
    const auto got = blocks_->read(into, task_);
    if (got) task_.report(stage_, double(blocks_->packedRead()) / double(source_.size()));
    return got;
  }
  const auto got = readBlocks(source_, read_, into, task_);
  if (!got) return got;
  if (*got == 0)
    return ioError(name() +
                   ": became shorter while it was read. Wait until it is "
                   "written, then open it again.");
  if (hasher_ != nullptr) hasher_->add(into.data(), *got);
  task_.report(stage_, double(read_ + *got) / double(source_.size()));
  return got;
}

Result<bool> InputStream::fill(std::size_t wanted) {
  if (!packingKnown_)
    if (const auto found = findPacking(); !found) return tl::unexpected(found.error());
  while (available() < wanted && !sawEnd()) {
    if (task_.cancelled()) return cancelledError();
    if (first_ > 0) {
      std::memmove(buffer_.data(), begin(), available());
      last_ = available();
      first_ = 0;
    }
    // What compressed content has is known once it is there only: a header may promise anything.
    if ((!blocks_ && buffer_.size() < wanted + 1) || last_ + 1 == buffer_.size()) {
      const std::uint64_t most = last_ + (size() - read_);
      const std::size_t more =
          blocks_ ? std::min(last_ + kFirstGrowth, kInputBlockBytes) : kInputBlockBytes;
      const std::uint64_t grown = std::max<std::uint64_t>(blocks_ ? 0 : wanted, 2 * last_ + more);
      buffer_.resize(std::size_t(std::min(grown, most)) + 1);
    }
    // What is compressed is unpacked by one thread.
    const std::size_t most = blocks_
                                 ? kInputBlockBytes
                                 : std::clamp(wanted - available(), kInputBlockBytes, kBytesAtOnce);
    const std::size_t space = std::min(buffer_.size() - 1 - last_, most);
    const auto got = readMore({buffer_.data() + last_, space});
    if (!got) return tl::unexpected(got.error());
    last_ += *got;
    read_ += *got;
  }
  return available() >= wanted;
}

Result<void> InputStream::skip(std::uint64_t count) {
  while (count > 0) {
    if (available() == 0) {
      if (const auto more = fill(1); !more) return tl::unexpected(more.error());
      if (available() == 0) break;
    }
    const auto step = std::size_t(std::min<std::uint64_t>(count, available()));
    consume(step);
    count -= step;
  }
  return {};
}

Result<void> InputStream::jump(std::uint64_t count) {
  if (blocks_) return skip(count);
  if (count <= available()) {
    consume(std::size_t(count));
    return {};
  }
  read_ += count - available();
  first_ = last_ = 0;
  return {};
}

}  // namespace clusterloom
