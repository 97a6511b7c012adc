#include "engine/io/output_buffers.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <span>

namespace clusterloom {

bool OutputBuffer::flushBuffer() {
  const bool written = put(pbase(), std::size_t(pptr() - pbase()));
  reset();
  return written;
}

OutputBuffer::int_type OutputBuffer::overflow(int_type c) {
  if (!flushBuffer()) return traits_type::eof();
  if (!traits_type::eq_int_type(c, traits_type::eof())) {
    *pptr() = traits_type::to_char_type(c);
    pbump(1);
  }
  return traits_type::not_eof(c);
}

std::streamsize OutputBuffer::xsputn(const char* bytes, std::streamsize count) {
  if (count <= epptr() - pptr()) {
    std::copy_n(bytes, count, pptr());  // bytes may be null when there are none
    pbump(int(count));
    return count;
  }
  return flushBuffer() && put(bytes, std::size_t(count)) ? count : 0;
}

bool FdBuffer::put(const char* bytes, std::size_t count) {
  while (count > 0 && error_ == 0) {
    const ssize_t written = ::write(fd_, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      error_ = errno;
      break;
    }
    bytes += written;
    count -= std::size_t(written);
  }
  return error_ == 0;
}

FdBuffer::pos_type FdBuffer::seekoff(off_type offset, std::ios_base::seekdir from,
                                     std::ios_base::openmode /*mode*/) {
  if (!flushBuffer()) return pos_type(off_type(-1));
  const int whence = from == std::ios_base::beg   ? SEEK_SET
                     : from == std::ios_base::cur ? SEEK_CUR
                                                  : SEEK_END;
  return pos_type(::lseek(fd_, offset, whence));
}

FdBuffer::pos_type FdBuffer::seekpos(pos_type place, std::ios_base::openmode mode) {
  return seekoff(off_type(place), std::ios_base::beg, mode);
}

PackingBuffer::PackingBuffer(Packing packing, std::streambuf& into)
    : OutputBuffer(std::size_t{64} << 10),
      packer_(makePacker(packing, [&into](std::span<const char> bytes) {
        const auto count = std::streamsize(bytes.size());
        return into.sputn(bytes.data(), count) == count;
      })) {}

}  // namespace clusterloom
