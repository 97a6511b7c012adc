#include "engine/io/file_bytes.h"

#include <unistd.h>

#include <cerrno>

namespace clusterloom {
namespace {

template <class Move, class Byte>
int moveFileBytes(const Move& move, int file, std::uint64_t offset, std::span<Byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t moved = move(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (moved < 0 && errno == EINTR) continue;
    if (moved <= 0) return moved == 0 ? EIO : errno;
    bytes = bytes.subspan(std::size_t(moved));
    offset += std::uint64_t(moved);
  }
  return 0;
}

}  // namespace

int readFileBytes(int file, std::uint64_t offset, std::span<std::byte> bytes) {
  return moveFileBytes(::pread, file, offset, bytes);
}

int writeFileBytes(int file, std::uint64_t offset, std::span<const std::byte> bytes) {
  return moveFileBytes(::pwrite, file, offset, bytes);
}

}  // namespace clusterloom
