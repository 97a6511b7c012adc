#include "engine/io/packing_buffer.h"

#include <algorithm>
#include <span>

namespace clusterloom {

PackingBuffer::PackingBuffer(Packing packing, std::streambuf& into)
    : packer_(makePacker(packing,
                         [&into](std::span<const char> bytes) {
                           const auto count = static_cast<std::streamsize>(bytes.size());
                           return into.sputn(bytes.data(), count) == count;
                         })),
      buffer_(std::size_t{64} << 10) {
  setp(buffer_.data(), buffer_.data() + buffer_.size());
}

bool PackingBuffer::flushBuffer() {
  const bool written = packer_->add({pbase(), static_cast<std::size_t>(pptr() - pbase())});
  setp(buffer_.data(), buffer_.data() + buffer_.size());
  return written;
}

bool PackingBuffer::finish() { return flushBuffer() && packer_->finish(); }

PackingBuffer::int_type PackingBuffer::overflow(int_type c) {
  if (!flushBuffer()) return traits_type::eof();
  if (!traits_type::eq_int_type(c, traits_type::eof())) {
    *pptr() = traits_type::to_char_type(c);
    pbump(1);
  }
  return traits_type::not_eof(c);
}

std::streamsize PackingBuffer::xsputn(const char* bytes, std::streamsize count) {
  if (count <= epptr() - pptr()) {
    std::copy_n(bytes, count, pptr());  // bytes may be null when there are none
    pbump(static_cast<int>(count));
    return count;
  }
  return flushBuffer() && packer_->add({bytes, static_cast<std::size_t>(count)}) ? count : 0;
}

}  // namespace clusterloom
