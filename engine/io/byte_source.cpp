#include "engine/io/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace clusterloom {
namespace {

class FileSource final : public ByteSource {
 public:
  FileSource(std::string path, int fd, std::uint64_t size)
      : path_(std::move(path)), fd_(fd), size_(size) {}
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;
  ~FileSource() override { ::close(fd_); }

  const std::string& name() const override { return path_; }
  std::string filePath() const override { return path_; }
  std::uint64_t size() const override { return size_; }

  Result<std::size_t> readAt(std::uint64_t offset, std::span<char> into) const override {
    std::size_t done = 0;
    while (done < into.size()) {
      const ssize_t got =
          ::pread(fd_, into.data() + done, into.size() - done, static_cast<off_t>(offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0)
        return ioError(path_ + ": reading failed at byte " + std::to_string(offset + done) + " (" +
                       std::strerror(errno) + "). Check the disk or the network.");
      if (got == 0) break;
      done += std::size_t(got);
    }
    return done;
  }

 private:
  std::string path_;
  int fd_;
  std::uint64_t size_;
};

class MemorySource final : public ByteSource {
 public:
  MemorySource(std::string name, std::span<const char> bytes)
      : name_(std::move(name)), bytes_(bytes) {}

  const std::string& name() const override { return name_; }
  std::uint64_t size() const override { return bytes_.size(); }

  Result<std::size_t> readAt(std::uint64_t offset, std::span<char> into) const override {
    if (offset >= bytes_.size()) return std::size_t{0};
    const std::size_t count = std::min(into.size(), bytes_.size() - std::size_t(offset));
    std::copy_n(bytes_.begin() + std::ptrdiff_t(offset), count, into.begin());
    return count;
  }

 private:
  std::string name_;
  std::span<const char> bytes_;
};

tl::unexpected<Error> cannotOpen(const std::string& path, int error) {
  std::string message = path + ": ";
  if (error == ENOENT)
    message += "there is no such file. Check the name and the folder.";
  else if (error == EACCES)
    message += "this user may not read the file. Change its permissions or copy it.";
  else
    message += std::string("cannot be opened (") + std::strerror(error) + ").";
  return ioError(message);
}

}  // namespace

Result<std::unique_ptr<ByteSource>> openFile(const std::string& path) {
  // Checked before it is opened: opening a FIFO without a writer would wait forever.
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return cannotOpen(path, errno);
  if (S_ISDIR(status.st_mode)) return ioError(path + ": is a directory. Choose a file in it.");
  if (!S_ISREG(status.st_mode))
    return ioError(path + ": is not a regular file. Save the data to a file first.");
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return cannotOpen(path, errno);
  if (::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
    const int error = errno;
    ::close(fd);
    return cannotOpen(path, error);
  }
  ::posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
  return std::make_unique<FileSource>(path, fd, std::uint64_t(status.st_size));
}

std::unique_ptr<ByteSource> memorySource(std::string name, std::span<const char> bytes) {
  return std::make_unique<MemorySource>(std::move(name), bytes);
}

Result<std::size_t> SourceRange::readAt(std::uint64_t offset, std::span<char> into) const {
  const std::uint64_t left = size() - std::min(offset, size());
  return source_.readAt(begin_ + offset,
                        into.first(std::size_t(std::min<std::uint64_t>(into.size(), left))));
}

}  // namespace clusterloom
