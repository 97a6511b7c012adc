#include "engine/io/output_set.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>
#include <optional>
#include <utility>

#include "engine/io/output_buffers.h"
#include "engine/io/sidecar.h"
#include "engine/io/temporary_file.h"

namespace clusterloom {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> writeError(const std::string& path, int error) {
  std::string message = path + ": ";
  if (error == ENOSPC || error == EDQUOT)
    message += "the disk is full. Free some space or choose another folder.";
  else if (error == EFBIG)
    message += "the file would exceed the size limit of this process or file system.";
  else if (error == ENOENT)
    message += "there is no such folder. Create it first, or choose another.";
  else if (error == EACCES || error == EPERM || error == EROFS)
    message += std::string("this user may not write there (") + std::strerror(error) +
               "). Choose another folder.";
  else
    message += std::string("cannot be written (") + std::strerror(error) + ").";
  return ioError(message);
}

/// The file at the end of all links; nothing, with errno, where there is none.
std::optional<std::string> realPath(const std::string& path) {
  char* const found = ::realpath(path.c_str(), nullptr);
  if (found == nullptr) return std::nullopt;
  std::string text(found);
  std::free(found);
  return text;
}

/// Lets `fill` write to the open file and flushes it to the disk.
Result<void> fillFile(int fd, const std::string& path, const FillFile& fill) {
  FdBuffer buffer(fd);
  Result<void> written;
  bool finished = false;
  try {
    std::optional<PackingBuffer> packing;
    if (const Packing kind = packingOfName(path); kind != Packing::None)
      packing.emplace(kind, buffer);
    std::ostream out(packing ? static_cast<std::streambuf*>(&*packing) : &buffer);
    written = fill(out);
    finished = written && out.good() && (!packing || packing->finish()) && buffer.pubsync() == 0;
  } catch (const std::bad_alloc&) {
    return tooLarge(path + ": memory ran out while writing.");
  } catch (const std::exception& error) {
    return ioError(path + ": cannot be written (" + error.what() + ").");
  }
  if (!written) return written;
  if (buffer.error() != 0) return writeError(path, buffer.error());
  if (!finished) return ioError(path + ": cannot be written.");
  // Pipes and terminals cannot be flushed to a disk.
  if (::fsync(fd) != 0 && errno != EINVAL && errno != EROFS) return writeError(path, errno);
  return {};
}

/// While it lives, no other set of this or another process whose first file is in the folder
/// replaces files: of two sets with the same names one comes whole after the other. Some file
/// systems have no locks, and one that is held for long by others is not waited for.
class FolderLock {
 public:
  explicit FolderLock(const fs::path& folder)
      : fd_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    constexpr int kTries = 5000;
    for (int i = 0; fd_ >= 0 && i < kTries; ++i) {
      if (::flock(fd_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
      ::usleep(1000);
    }
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock() {
    if (fd_ >= 0) ::close(fd_);
  }

 private:
  int fd_;
};

/// Flushes the renames in a folder. The files themselves are on the disk already, and some file
/// systems cannot do this, so errors are ignored.
void syncFolder(const fs::path& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  (void)::fsync(fd);
  ::close(fd);
}

}  // namespace

/// A temporary file that is complete. Closing it ends its lock.
struct OutputSet::File {
  std::string path;    ///< as the caller named it, for messages
  std::string target;  ///< the file that is replaced
  TemporaryFile temporary;

  File() = default;
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (temporary.fd >= 0) ::close(temporary.fd);
    if (!temporary.path.empty()) ::unlink(temporary.path.c_str());
  }
};

OutputSet::OutputSet() = default;
OutputSet::~OutputSet() = default;

Result<void> OutputSet::prepare(const std::string& path, const FillFile& fill) {
  return prepareFile(path, false,
                     [&](int fd, const std::string&) { return fillFile(fd, path, fill); });
}

Result<void> OutputSet::prepareShared(
    const std::string& path, std::uint64_t bytes,
    const std::function<Result<void>(const std::string& temporary)>& fill) {
  if (packingOfName(path) != Packing::None)
    return badCall(path +
                   ": several ranks write their rows at their places, so the file cannot be "
                   "compressed. Give a name without " +
                   std::string(packingKindOf(packingOfName(path)).extension) + ".");
  return prepareFile(path, true, [&](int fd, const std::string& temporary) -> Result<void> {
    const auto reserve = [&] { return ::posix_fallocate(fd, 0, static_cast<off_t>(bytes)); };
    const auto cannotReserve = [](int error) { return error == EOPNOTSUPP || error == EINVAL; };
    const int error = reserve();
    // Some file systems cannot reserve space.
    if (cannotReserve(error)) {
      if (::ftruncate(fd, static_cast<off_t>(bytes)) != 0) return writeError(path, errno);
    } else if (error != 0) {
      return writeError(path, error);
    }
    if (auto filled = fill(temporary); !filled) {
      // A library that truncates the file releases the space, and does not report that the disk is
      // full.
      const int why = filled.error().kind == ErrorKind::Io ? reserve() : 0;
      if (why != 0 && !cannotReserve(why)) return writeError(path, why);
      return filled;
    }
    if (::fsync(fd) != 0 && errno != EINVAL && errno != EROFS) return writeError(path, errno);
    return {};
  });
}

Result<void> OutputSet::prepareFile(const std::string& path, bool regularOnly,
                                    const FillOpen& fillFd) {
  if (path.empty()) return badCall("No file name was given to write to.");
  auto target = replaceableOutput(path);
  if (!target) return tl::unexpected(target.error());
  for (const auto& other : files_)
    if (isSameFile(other->target, *target))
      return badCall(other->path + " and " + path + " are one file.");

  struct stat status {};
  const bool exists = ::stat(target->c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode))
    return ioError(path + ": is a folder. Give the name of a file in it.");
  if (exists && !S_ISREG(status.st_mode) && regularOnly)
    return badCall(path + ": is a pipe or device. This can only be written to a file.");
  if (exists && !S_ISREG(status.st_mode)) {
    const int fd = ::open(target->c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) return writeError(path, errno);
    Result<void> written = fillFd(fd, path);
    if (::close(fd) != 0 && written) written = writeError(path, errno);
    if (written) written_.push_back(path);
    return written;
  }
  removeLeftTemporaryFiles(*target);
  auto file = std::make_unique<File>();
  file->path = path;
  file->target = std::move(*target);
  // The replacement of a private file must be private from the beginning.
  file->temporary = makeTemporaryFile(file->target, exists ? 0600 : 0666);
  const int fd = file->temporary.fd;
  if (fd < 0) {
    file->temporary.path.clear();
    return writeError(path, file->temporary.error);
  }
  if (Result<void> filled = fillFd(fd, file->temporary.path); !filled) return filled;
  if (exists) {
    // Only the superuser may change the owner. That clears some permissions, so these are set after
    // it.
    if (status.st_uid != ::geteuid() || status.st_gid != ::getegid())
      (void)!::fchown(fd, status.st_uid, status.st_gid);
    if (::fchmod(fd, status.st_mode & 07777) != 0) return writeError(path, errno);
  }
  files_.push_back(std::move(file));
  if (std::string sidecar = sidecarOf(path); isOwnSidecar(sidecar))
    removals_.push_back(std::move(sidecar));
  return {};
}

Result<void> OutputSet::commit() {
  std::vector<std::string> done = std::exchange(written_, {});
  std::vector<fs::path> folders;
  Result<void> result;
  std::optional<FolderLock> lock;
  if (!files_.empty()) lock.emplace(fs::path(files_.front()->target).parent_path());
  for (const auto& file : files_) {
    if (::rename(file->temporary.path.c_str(), file->target.c_str()) != 0) {
      Error error = writeError(file->path, errno).value();
      for (std::size_t i = 0; i < done.size(); ++i)
        error.message += (i == 0 ? " Already written: " : ", ") + done[i];
      if (!done.empty()) error.message += '.';
      result = tl::unexpected(error);
      break;
    }
    file->temporary.path.clear();
    done.push_back(file->path);
    const fs::path folder = fs::path(file->target).parent_path();
    if (std::find(folders.begin(), folders.end(), folder) == folders.end())
      folders.push_back(folder);
  }
  if (result)
    for (const std::string& path : removals_) {
      const bool written = std::any_of(done.begin(), done.end(), [&](const std::string& file) {
        return isSameFile(file, path);
      });
      if (!written) ::unlink(path.c_str());
    }
  lock.reset();
  for (const fs::path& folder : folders) syncFolder(folder);
  files_.clear();
  removals_.clear();
  return result;
}

Result<void> writeAtomically(const OutputTarget& target, const FillFile& fill) {
  if (target.set != nullptr) return target.set->prepare(target.path, fill);
  OutputSet one;
  if (Result<void> prepared = one.prepare(target.path, fill); !prepared) return prepared;
  return one.commit();
}

Result<void> writeAtomically(const OutputTarget& target, std::string_view bytes) {
  return writeAtomically(target, [bytes](std::ostream& out) -> Result<void> {
    out.write(bytes.data(), std::streamsize(bytes.size()));
    return {};
  });
}

Result<std::string> resolvedOutput(const std::string& path) {
  if (auto found = realPath(path)) return *found;
  if (errno != ENOENT) return writeError(path, errno);
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) return path;  // a link to a pipe, which has no path
  if (::lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode))
    return ioError(
        path +
        ": is a link to a file that does not exist. Remove the link, or choose another name.");
  const fs::path file(path);
  if (file.filename().empty()) return writeError(path, ENOENT);
  const fs::path parent = file.parent_path();
  const auto folder = realPath(parent.empty() ? "." : parent.string());
  if (!folder) return writeError(path, errno);
  return (fs::path(*folder) / file.filename()).string();
}

Result<std::string> replaceableOutput(const std::string& path) {
  auto target = resolvedOutput(path);
  if (!target) return target;
  struct stat status {};
  const bool exists = ::stat(target->c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) return target;  // it is written to, not replaced
  // A rename does not need this permission, and the superuser always has it.
  constexpr mode_t kAnyWrite = S_IWUSR | S_IWGRP | S_IWOTH;
  if (exists && ((status.st_mode & kAnyWrite) == 0 || ::access(target->c_str(), W_OK) != 0))
    return ioError(path + ": is write-protected. Change its permissions, or choose another name.");
  if (::access(fs::path(*target).parent_path().c_str(), W_OK | X_OK) != 0)
    return writeError(path, errno);
  return target;
}

bool isSameFile(const std::string& a, const std::string& b) {
  std::error_code error;
  if (fs::equivalent(a, b, error)) return true;
  const auto one = resolvedOutput(a);
  const auto other = resolvedOutput(b);
  if (!one || !other) return false;
  if (*one == *other) return true;
  // A folder that is mounted twice has two paths.
  return fs::path(*one).filename() == fs::path(*other).filename() &&
         fs::equivalent(fs::path(*one).parent_path(), fs::path(*other).parent_path(), error);
}

}  // namespace clusterloom
