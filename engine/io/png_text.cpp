#include "engine/io/png_text.h"

#include <zlib.h>

#include <cstdint>

namespace clusterloom {
namespace {

// The signature, and the header chunk: length, type, 13 bytes, checksum.
constexpr std::size_t kBehindHeader = 8 + 4 + 4 + 13 + 4;

void appendBigEndian(std::string& bytes, std::uint32_t number) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift & 0xff);
}

}  // namespace

std::string withText(const std::string& png, const Provenance& lines) {
  std::string chunks;
  for (const auto& [name, text] : lines) {
    // Keyword, no compression (two bytes), no language, no translated keyword.
    const std::string chunk = "iTXt" + name + std::string(5, '\0') + text;
    appendBigEndian(chunks, std::uint32_t(chunk.size() - 4));
    chunks += chunk;
    appendBigEndian(chunks, std::uint32_t(::crc32(0, reinterpret_cast<const Bytef*>(chunk.data()),
                                                  static_cast<uInt>(chunk.size()))));
  }
  std::string with = png;
  return with.insert(kBehindHeader, chunks);
}

}  // namespace clusterloom
