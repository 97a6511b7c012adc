#include "engine/io/file_stamp.h"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <vector>

#include "engine/io/hasher.h"

namespace clusterloom {

FileStamp stampOf(const std::string& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) return {};
  return {std::uint64_t(found.st_size), found.st_ino, found.st_mtim.tv_sec, found.st_mtim.tv_nsec};
}

tl::unexpected<Error> hasChangedError(const std::string& path) {
  if (stampOf(path) == FileStamp())
    return badInput(path + ": is not there any more. Put it back and open it again.");
  return badInput(path + ": has changed since it was opened. Open it again.");
}

Result<std::string> identityOf(const std::string& path) {
  constexpr std::uint64_t kParts = 64;
  constexpr std::uint64_t kPartBytes = 4096;
  const FileStamp stamp = stampOf(path);
  std::ifstream file(path, std::ios::binary);
  if (!file) return ioError(path + ": cannot be opened.");
  Hasher hasher;
  const std::string figures = std::to_string(stamp.bytes) + ' ' + std::to_string(stamp.seconds) +
                              ' ' + std::to_string(stamp.nanoseconds);
  hasher.add(figures.data(), figures.size());
  std::vector<char> bytes(kPartBytes);
  for (std::uint64_t part = 0; part < kParts; ++part) {
    const std::uint64_t last = stamp.bytes - std::min(stamp.bytes, kPartBytes);
    file.seekg(std::streamoff(last / (kParts - 1) * part));
    file.read(bytes.data(), std::streamsize(kPartBytes));
    hasher.add(bytes.data(), std::size_t(file.gcount()));
    if (file.bad()) return ioError(path + ": cannot be read.");
    file.clear();
  }
  return hasher.text();
}

}  // namespace clusterloom
