#include "engine/io/temporary_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string_view>

#include "engine/io/process_mark.h"

namespace clusterloom {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".part";

std::string hexOf(std::uint64_t number) {
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
  return text;
}

constexpr std::string_view kPrefix = ".clusterloom-";
constexpr std::size_t kHash = 16;  // hexadecimal digits

/// The same for every temporary file of a target. A hash, for the target's name may already have
/// the longest length that the file system takes.
std::string prefixOf(const fs::path& target) {
  const std::string name = target.filename().string();
  return std::string(kPrefix) + hexOf(XXH3_64bits(name.data(), name.size())) + '-';
}

/// Whether this is the name of a temporary file whose process has ended.
bool isLeft(std::string_view name) {
  const std::size_t mark = kPrefix.size() + kHash + 1;
  if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix) || name.size() <= mark) return false;
  const std::string_view hash = name.substr(kPrefix.size(), kHash);
  return hash.find_first_not_of("0123456789abcdef") == std::string_view::npos &&
         name[mark - 1] == '-' && beginsWithEndedProcess(name.substr(mark));
}

/// Containers may share the folder and the name of the machine, but not the numbers of processes.
/// The lock shows them; it ends with its process.
void removeUnlessLocked(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return;
  if (::flock(fd, LOCK_EX | LOCK_NB) == 0) ::unlink(path.c_str());
  ::close(fd);
}

/// False where another process removes the file, which it saw before it was locked. Some file
/// systems have no locks.
bool isOursByLock(int fd) {
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0) return errno != EWOULDBLOCK;
  struct stat status {};
  return ::fstat(fd, &status) != 0 || status.st_nlink > 0;
}

}  // namespace

TemporaryFile makeTemporaryFile(const std::string& target, mode_t mode) {
  TemporaryFile file;
  const fs::path folder = fs::path(target).parent_path();
  for (int attempt = 0; attempt < 100; ++attempt) {
    std::uint64_t random = 0;
    if (::getrandom(&random, sizeof random, 0) != static_cast<ssize_t>(sizeof random)) {
      file.error = errno;
      return file;
    }
    file.path = (folder / (prefixOf(target) + processMark() + hexOf(random) + std::string(kSuffix)))
                    .string();
    file.fd = ::open(file.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (file.fd >= 0 && isOursByLock(file.fd)) {
      file.error = 0;
      return file;
    }
    if (file.fd >= 0) {
      ::close(file.fd);
      file.fd = -1;
      errno = EEXIST;
    }
    file.error = errno;
    if (file.error != EEXIST) break;
  }
  return file;
}

void removeLeftTemporaryFiles(const std::string& target) {
  std::error_code error;
  for (fs::directory_iterator entry(fs::path(target).parent_path(), error), end;
       !error && entry != end; entry.increment(error)) {
    if (!isLeft(entry->path().filename().string())) continue;
    removeUnlessLocked(entry->path().string());
  }
}

}  // namespace clusterloom
