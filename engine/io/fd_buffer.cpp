#include "engine/io/fd_buffer.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace clusterloom {

FdBuffer::FdBuffer(int fd) : fd_(fd), buffer_(std::size_t{1} << 20) { reset(); }

FdBuffer::int_type FdBuffer::overflow(int_type c) {
  if (!flushBuffer()) return traits_type::eof();
  if (!traits_type::eq_int_type(c, traits_type::eof())) {
    *pptr() = traits_type::to_char_type(c);
    pbump(1);
  }
  return traits_type::not_eof(c);
}

std::streamsize FdBuffer::xsputn(const char* bytes, std::streamsize count) {
  if (count <= epptr() - pptr()) {
    std::copy_n(bytes, count, pptr());  // bytes may be null when there are none
    pbump(static_cast<int>(count));
    return count;
  }
  if (!flushBuffer() || !writeAll(bytes, static_cast<std::size_t>(count))) return 0;
  return count;
}

int FdBuffer::sync() { return flushBuffer() ? 0 : -1; }

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

bool FdBuffer::flushBuffer() {
  const bool written = writeAll(pbase(), static_cast<std::size_t>(pptr() - pbase()));
  reset();
  return written;
}

bool FdBuffer::writeAll(const char* bytes, std::size_t count) {
  while (count > 0 && error_ == 0) {
    const ssize_t put = ::write(fd_, bytes, count);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) {
      error_ = errno;
      break;
    }
    bytes += put;
    count -= static_cast<std::size_t>(put);
  }
  return error_ == 0;
}

}  // namespace clusterloom
