#pragma once

#include <streambuf>
#include <vector>

namespace clusterloom {

/// A stream buffer over a file descriptor that remembers why writing failed.
class FdBuffer final : public std::streambuf {
 public:
  explicit FdBuffer(int fd);
  /// The errno of the first write that failed; 0: none.
  int error() const { return error_; }

 protected:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* bytes, std::streamsize count) override;
  int sync() override;
  /// Where the next byte goes; −1 for what has no places, such as a pipe.
  pos_type seekoff(off_type offset, std::ios_base::seekdir from,
                   std::ios_base::openmode mode) override;
  pos_type seekpos(pos_type place, std::ios_base::openmode mode) override;

 private:
  void reset() { setp(buffer_.data(), buffer_.data() + buffer_.size()); }
  bool flushBuffer();
  bool writeAll(const char* bytes, std::size_t count);

  int fd_;
  int error_ = 0;
  std::vector<char> buffer_;
};

}  // namespace clusterloom
