#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>
#include <streambuf>
#include <vector>

#include "engine/io/write.h"

namespace clusterloom {
namespace {

namespace fs = std::filesystem;

/// A stream buffer over a file descriptor that remembers why writing failed.
class FdBuffer final : public std::streambuf {
 public:
  explicit FdBuffer(int fd) : fd_(fd), buffer_(std::size_t{1} << 20) { reset(); }
  int error() const { return error_; }

 protected:
  int_type overflow(int_type c) override {
    if (!flushBuffer()) return traits_type::eof();
    if (!traits_type::eq_int_type(c, traits_type::eof())) {
      *pptr() = traits_type::to_char_type(c);
      pbump(1);
    }
    return traits_type::not_eof(c);
  }
  std::streamsize xsputn(const char* bytes, std::streamsize count) override {
    if (count <= epptr() - pptr()) {
      std::copy_n(bytes, count, pptr());  // bytes may be null when there are none
      pbump(static_cast<int>(count));
      return count;
    }
    if (!flushBuffer() || !writeAll(bytes, static_cast<std::size_t>(count))) return 0;
    return count;
  }
  int sync() override { return flushBuffer() ? 0 : -1; }

 private:
  void reset() { setp(buffer_.data(), buffer_.data() + buffer_.size()); }
  bool flushBuffer() {
    const bool written = writeAll(pbase(), static_cast<std::size_t>(pptr() - pbase()));
    reset();
    return written;
  }
  bool writeAll(const char* bytes, std::size_t count) {
    while (count > 0 && error_ == 0) {
      const ssize_t put = ::write(fd_, bytes, count);
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) {
        error_ = errno;
        break;
      }
      bytes += put;
      count -= static_cast<std::size_t>(put);
    }
    return error_ == 0;
  }

  int fd_;
  int error_ = 0;
  std::vector<char> buffer_;
};

tl::unexpected<Error> writeError(const std::string& path, int error) {
  std::string message = path + ": ";
  if (error == ENOSPC || error == EDQUOT)
    message += "the disk is full. Free some space or choose another place.";
  else if (error == EFBIG)
    message += "the file would be larger than is allowed here. Choose another place.";
  else if (error == ENOENT)
    message += "there is no such folder. Make it first, or choose another.";
  else if (error == EACCES || error == EPERM || error == EROFS)
    message += std::string("this user may not write there (") + std::strerror(error) +
               "). Choose another place.";
  else
    message += std::string("cannot be written (") + std::strerror(error) + ").";
  return fail(ErrorKind::Io, message + " Nothing was changed.");
}

/// Lets `write` fill the open file and pushes it to the disk.
Result<void> fillFile(int fd, const std::string& path,
                      const std::function<Result<void>(std::ostream&)>& write) {
  FdBuffer buffer(fd);
  std::ostream out(&buffer);
  Result<void> written;
  try {
    written = write(out);
  } catch (const std::bad_alloc&) {
    return fail(ErrorKind::TooLarge, path + ": memory ran out while writing. Nothing was changed.");
  } catch (const std::exception& error) {
    return fail(ErrorKind::Io, path + ": cannot be written (" + error.what() + ").");
  }
  if (!written) return written;
  out.flush();
  if (buffer.error() != 0) return writeError(path, buffer.error());
  if (!out) return fail(ErrorKind::Io, path + ": cannot be written. Nothing was changed.");
  // A pipe or a terminal has no disk beneath it.
  if (::fsync(fd) != 0 && errno != EINVAL && errno != EROFS) return writeError(path, errno);
  return {};
}

/// A new file beside the target. open() rather than mkstemp(), so that the umask applies.
int openTemporary(const fs::path& target, std::string& name, int& error) {
  static std::atomic<unsigned> counter{0};
  for (int attempt = 0; attempt < 1000; ++attempt) {
    const fs::path temporary =
        target.parent_path() /
        (".clusterloom-" + std::to_string(::getpid()) + "-" + std::to_string(counter++) + ".part");
    name = temporary.string();
    const int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0) return fd;
    error = errno;
    if (error != EEXIST) break;
  }
  return -1;
}

void syncFolder(const fs::path& folder) {
  const int fd = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  // The file itself is safe on the disk by now; a file system that cannot sync a folder is no
  // error.
  (void)::fsync(fd);
  ::close(fd);
}

}  // namespace

Result<void> writeAtomically(const std::string& path,
                             const std::function<Result<void>(std::ostream&)>& write) {
  if (path.empty()) return fail(ErrorKind::BadCall, "No file name was given to write to.");
  std::error_code ignored;
  fs::path target(path);
  // The file a link points to is replaced, not the link.
  if (fs::is_symlink(target, ignored)) {
    const fs::path resolved = fs::weakly_canonical(target, ignored);
    if (!resolved.empty()) target = resolved;
  }
  struct stat status {};
  const bool exists = ::stat(target.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode))
    return fail(ErrorKind::Io, path + ": is a directory. Give the name of a file in it.");
  if (exists && !S_ISREG(status.st_mode)) {
    // A pipe or device, such as /dev/stdout: there is nothing to replace.
    const int fd = ::open(target.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) return writeError(path, errno);
    Result<void> written = fillFile(fd, path, write);
    if (::close(fd) != 0 && written) written = writeError(path, errno);
    return written;
  }
  // Renaming over it would get round its write protection.
  if (exists && ::access(target.c_str(), W_OK) != 0)
    return fail(ErrorKind::Io,
                path +
                    ": is write-protected. Change its permissions, or choose another "
                    "name.");

  std::string temporary;
  int error = 0;
  const int fd = openTemporary(target, temporary, error);
  if (fd < 0) return writeError(path, error);
  Result<void> written = fillFile(fd, path, write);
  if (written && exists && ::fchmod(fd, status.st_mode & 07777) != 0)
    written = writeError(path, errno);
  if (::close(fd) != 0 && written) written = writeError(path, errno);
  if (written && ::rename(temporary.c_str(), target.c_str()) != 0)
    written = writeError(path, errno);
  if (!written) {
    ::unlink(temporary.c_str());
    return written;
  }
  syncFolder(target.parent_path());
  return {};
}

}  // namespace clusterloom
