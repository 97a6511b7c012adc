#include "engine/io/unpacked_content.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/large_array.h"

namespace clusterloom {
namespace {

// Beyond what malloc takes from its heap, so that the system has the memory back afterwards.
constexpr std::size_t kContentBlock = std::size_t{64} << 20;
constexpr std::size_t kContentPiece = std::size_t{512} << 10;

/// Bytes in blocks: one array would be there twice while it grows.
class ContentInMemory final : public ByteSource {
 public:
  ContentInMemory(std::string name, std::uint64_t most) : name_(std::move(name)), most_(most) {}
  const std::string& name() const override { return name_; }
  std::uint64_t size() const override { return size_; }
  Result<std::size_t> readAt(std::uint64_t offset, std::span<char> into) const override {
    std::size_t done = 0;
    while (done < into.size() && offset + done < size_) {
      const LargeArray<char>& block = blocks_[std::size_t((offset + done) / kContentBlock)];
      const auto at = std::size_t((offset + done) % kContentBlock);
      const std::size_t count = std::min(into.size() - done, block.size() - at);
      std::copy_n(block.data() + at, count, into.data() + done);
      done += count;
    }
    return done;
  }

  /// No more than `most` in all.
  void add(std::span<const char> bytes) {
    while (!bytes.empty()) {
      if (size_ % kContentBlock == 0)
        blocks_.emplace_back().reserve(
            std::size_t(std::min<std::uint64_t>(kContentBlock, most_ - size_)));
      LargeArray<char>& block = blocks_.back();
      const std::size_t count = std::min(bytes.size(), kContentBlock - block.size());
      block.resize(block.size() + count);
      std::copy_n(bytes.data(), count, block.data() + block.size() - count);
      size_ += count;
      bytes = bytes.subspan(count);
    }
  }

 private:
  std::string name_;
  std::uint64_t most_;
  std::vector<LargeArray<char>> blocks_;
  std::uint64_t size_ = 0;
};

}  // namespace

Result<std::unique_ptr<ByteSource>> contentInMemory(InputStream& in, std::uint64_t most) {
  auto content = std::make_unique<ContentInMemory>(in.name(), most);
  for (;;) {
    const auto more = in.fill(kContentPiece);
    if (!more) return tl::unexpected(more.error());
    if (in.estimatedSize() > most) return nullptr;
    content->add(in.view());
    in.consume(in.available());
    if (!*more) return content;
  }
}

}  // namespace clusterloom
