#pragma once

#include <zlib.h>

#include <string>

namespace clusterloom::testing {

/// A gzip file with these bytes, by zlib itself.
inline std::string gzipped(const std::string& bytes) {
  z_stream stream{};
  std::string out(::compressBound(bytes.size()) + 64, '\0');
  if (::deflateInit2(&stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) != Z_OK) return {};
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  if (::deflate(&stream, Z_FINISH) != Z_STREAM_END) return {};
  out.resize(stream.total_out);
  ::deflateEnd(&stream);
  return out;
}

}  // namespace clusterloom::testing
