#include "engine/blocks/scratch_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "engine/io/file_bytes.h"
#include "engine/io/process_mark.h"

namespace clusterloom {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "clusterloom-blocks-";

tl::unexpected<Error> scratchError(const std::string& path, int error) {
  if (error == ENOSPC || error == EDQUOT)
    return ioError(
        path + ": the disk is full. Free some space or choose another folder for scratch files.");
  return ioError(path + ": scratch files cannot be used here (" + std::strerror(error) +
                 "). Choose another folder for them.");
}

int openLocked(const std::string& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0 || ::flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
  const int why = errno;
  ::close(fd);
  errno = why;
  return -1;
}

// Removes the folders of processes that have ended. Their locks have ended too; a folder without a
// lock may be one that a process makes just now, so that the process must be gone as well.
void removeLeftFolders(const std::string& parent) {
  std::error_code error;
  for (fs::directory_iterator entry(parent, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(kPrefix) ||
        !beginsWithEndedProcess(std::string_view(name).substr(kPrefix.size())))
      continue;
    const int lock = openLocked(entry->path().string());
    if (lock < 0) continue;
    std::error_code ignored;
    fs::remove_all(entry->path(), ignored);
    ::close(lock);
  }
}

}  // namespace

ScratchFolder::~ScratchFolder() {
  if (path_.empty()) return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  if (lock_ >= 0) ::close(lock_);
}

Result<void> ScratchFolder::make(const std::string& parent) {
  std::error_code error;
  if (!fs::is_directory(parent, error))
    return ioError(parent + ": there is no such folder for scratch files.");
  removeLeftFolders(parent);
  for (int attempt = 0;; ++attempt) {
    std::string name =
        (fs::path(parent) / (std::string(kPrefix) + processMark() + "XXXXXX")).string();
    if (::mkdtemp(name.data()) == nullptr) return scratchError(parent, errno);
    lock_ = openLocked(name);  // some file systems have no locks
    // A process that saw the folder before it was locked may remove it.
    const bool removed = lock_ < 0 && (errno == EWOULDBLOCK || errno == ENOENT);
    constexpr int kAttempts = 100;
    if (removed && attempt < kAttempts) continue;
    path_ = name;
    return {};
  }
}

namespace {

// Opens a file for `move(fd)`, which returns 0 or errno.
template <class Move>
Result<void> withFile(const std::string& file, int flags, const Move& move) {
  const int fd = ::open(file.c_str(), flags | O_CLOEXEC, 0600);
  if (fd < 0) return scratchError(file, errno);
  int error = move(fd);
  if (::close(fd) != 0 && error == 0) error = errno;
  if (error != 0) return scratchError(file, error);
  return {};
}

int appendBytes(int fd, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written == 0 ? ENOSPC : errno;
    bytes = bytes.subspan(std::size_t(written));
  }
  return 0;
}

}  // namespace

Result<void> ScratchFolder::append(const std::string& file, std::span<const std::byte> bytes) {
  return withFile(file, O_WRONLY | O_CREAT | O_APPEND,
                  [&](int fd) { return appendBytes(fd, bytes); });
}

Result<void> ScratchFolder::write(const std::string& file, std::uint64_t offset,
                                  std::span<const std::byte> bytes) {
  return withFile(file, O_WRONLY | O_CREAT,
                  [&](int fd) { return writeFileBytes(fd, offset, bytes); });
}

Result<void> ScratchFolder::read(const std::string& file, std::uint64_t offset,
                                 std::span<std::byte> into) {
  if (into.empty()) return {};
  return withFile(file, O_RDONLY, [&](int fd) { return readFileBytes(fd, offset, into); });
}

}  // namespace clusterloom
