#include "engine/distributed/shared_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <vector>

namespace clusterloom {
namespace {

Result<void> writeAt(const std::string& path, const std::string& shown, std::uint64_t offset,
                     std::span<const std::byte> bytes, const Task& task) {
  constexpr std::size_t kAtOnce = std::size_t{16} << 20;
  const auto problem = [&] {
    const bool unseen = errno == ENOENT || errno == EACCES || errno == ENOTDIR;
    return ioError(shown + ": this rank cannot write its part (" + std::strerror(errno) + ")." +
                   (unseen ? " All ranks must see the folder of the output." : ""));
  };
  const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return problem();
  Result<void> done;
  while (!bytes.empty() && done) {
    if (task.cancelled()) {
      done = cancelledError();
      break;
    }
    const ssize_t written =
        ::pwrite(fd, bytes.data(), std::min(kAtOnce, bytes.size()), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      done = problem();
      break;
    }
    offset += std::uint64_t(written);
    bytes = bytes.subspan(std::size_t(written));
  }
  if (done && ::fsync(fd) != 0 && errno != EINVAL && errno != EROFS) done = problem();
  if (::close(fd) != 0 && done) done = problem();
  return done;
}

}  // namespace

Result<void> writeSharedFile(Communicator& communicator, OutputSet& outputs,
                             const std::string& path, const std::string& header,
                             std::span<const std::byte> bytes, const Task& task) {
  const auto sizes = communicator.allGather(std::uint64_t{bytes.size()}, task);
  if (!sizes) return tl::unexpected(sizes.error());
  std::uint64_t all = header.size();
  std::uint64_t own = 0;  // where this rank's bytes begin
  for (int r = 0; r < communicator.size(); ++r) {
    if (r == communicator.rank()) own = all;
    all += (*sizes)[std::size_t(r)];
  }
  // Each rank writes its part of the temporary file, whose path it gets from rank 0.
  const auto writeOwn = [&](std::vector<char> temporary) -> Result<void> {
    if (auto sent = communicator.broadcast(0, temporary, task); !sent) return sent;
    const std::string file(temporary.begin(), temporary.end());
    if (communicator.rank() == 0)
      if (auto done = writeAt(file, path, 0, std::as_bytes(std::span(header)), task); !done)
        return done;
    if (auto done = writeAt(file, path, own, bytes, task); !done) return done;
    return communicator.barrier(task);
  };
  if (communicator.rank() != 0) return writeOwn({});
  return outputs.prepareShared(path, all, [&](const std::string& temporary) {
    return writeOwn({temporary.begin(), temporary.end()});
  });
}

}  // namespace clusterloom
