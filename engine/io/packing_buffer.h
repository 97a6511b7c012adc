#pragma once

#include <memory>
#include <streambuf>
#include <vector>

#include "engine/io/packer.h"

namespace clusterloom {

/// A stream buffer that compresses what is written to it into another one.
class PackingBuffer final : public std::streambuf {
 public:
  /// `into` must outlive this.
  PackingBuffer(Packing packing, std::streambuf& into);
  /// Writes the end of the compressed data; nothing may be written after it. False: writing failed.
  bool finish();

 protected:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* bytes, std::streamsize count) override;

 private:
  bool flushBuffer();

  std::unique_ptr<Packer> packer_;
  std::vector<char> buffer_;
};

}  // namespace clusterloom
