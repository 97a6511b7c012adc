#pragma once

#include <memory>
#include <streambuf>
#include <vector>

#include "engine/io/packing/packer.h"

namespace clusterloom {

/// A stream buffer that passes its data to put() in large pieces.
class OutputBuffer : public std::streambuf {
 protected:
  explicit OutputBuffer(std::size_t bytes) : buffer_(bytes) { reset(); }

  /// False: writing failed.
  virtual bool put(const char* bytes, std::size_t count) = 0;
  bool flushBuffer();
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* bytes, std::streamsize count) override;

 private:
  void reset() { setp(buffer_.data(), buffer_.data() + buffer_.size()); }

  std::vector<char> buffer_;
};

/// Writes to a file descriptor and remembers why writing failed.
class FdBuffer final : public OutputBuffer {
 public:
  explicit FdBuffer(int fd) : OutputBuffer(std::size_t{1} << 20), fd_(fd) {}
  /// The errno of the first write that failed; 0: none.
  int error() const { return error_; }

 protected:
  bool put(const char* bytes, std::size_t count) override;
  int sync() override { return flushBuffer() ? 0 : -1; }
  /// Where the next byte goes; −1 for outputs without positions, such as a pipe.
  pos_type seekoff(off_type offset, std::ios_base::seekdir from,
                   std::ios_base::openmode mode) override;
  pos_type seekpos(pos_type place, std::ios_base::openmode mode) override;

 private:
  int fd_;
  int error_ = 0;
};

/// Compresses into another buffer.
class PackingBuffer final : public OutputBuffer {
 public:
  /// `into` must outlive this.
  PackingBuffer(Packing packing, std::streambuf& into);
  /// Writes the end of the compressed data; nothing may be written after it. False: writing failed.
  bool finish() { return flushBuffer() && packer_->finish(); }

 protected:
  bool put(const char* bytes, std::size_t count) override { return packer_->add({bytes, count}); }

 private:
  std::unique_ptr<Packer> packer_;
};

}  // namespace clusterloom
