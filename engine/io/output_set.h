#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"

namespace clusterloom {

/// Writes the content of a file to the stream, which compresses it where the name of the file ends
/// in .gz or .zst (packing.h). Write errors need no check; the caller knows them.
using FillFile = std::function<Result<void>(std::ostream&)>;

/// Files that are replaced together. `prepare` writes a temporary file in the folder of the target
/// and flushes it to the disk; `commit` renames all of them. Before `commit` no target has changed;
/// files that were prepared and not committed are removed.
///
/// - The temporary file is created exclusively under a random name, with the permissions of the
///   file it replaces.
/// - A target that is a symbolic link keeps the link; the file it leads to is replaced. A
///   dangling link is refused.
/// - A file without any write permission is refused, for the superuser too.
/// - A pipe or device, such as /dev/stdout, is written to by `prepare`.
/// - Temporary files that ended processes left for the same target are removed.
/// - `commit` removes the provenance that an earlier export left beside a file (sidecar.h), unless
///   the set has another one: it would describe other content.
class OutputSet {
 public:
  OutputSet();
  ~OutputSet();
  OutputSet(const OutputSet&) = delete;
  OutputSet& operator=(const OutputSet&) = delete;

  /// Io, with what to do; BadCall where the set already has a file for this target; what `fill`
  /// returns.
  Result<void> prepare(const std::string& path, const FillFile& fill);
  /// The same for a file of about `bytes` bytes that several processes or a library write: the
  /// temporary file gets its space on the disk at once, and `fill`, given its path, returns when
  /// all have written to it. BadCall for a pipe or device, and for a name that calls for
  /// compression.
  Result<void> prepareShared(const std::string& path, std::uint64_t bytes,
                             const std::function<Result<void>(const std::string& temporary)>& fill);
  /// Io. Where a later file fails, the message names the files that were already replaced.
  Result<void> commit();

 private:
  using FillOpen = std::function<Result<void>(int fd, const std::string& path)>;
  struct File;
  Result<void> prepareFile(const std::string& path, bool regularOnly, const FillOpen& fillFd);

  std::vector<std::unique_ptr<File>> files_;
  std::vector<std::string> removals_;  ///< of files of earlier exports
  std::vector<std::string> written_;   ///< pipes and devices
};

/// Where a writer writes: to a separate file, or to one of a set that the caller commits.
struct OutputTarget {
  OutputTarget(std::string file) : path(std::move(file)) {}
  OutputTarget(const char* file) : path(file) {}
  OutputTarget(OutputSet& outputs, std::string file) : path(std::move(file)), set(&outputs) {}

  std::string path;
  OutputSet* set = nullptr;
};

/// Prepares the file, and commits it where it is not one of a set.
Result<void> writeAtomically(const OutputTarget& target, const FillFile& fill);
/// The same for bytes that are there already.
Result<void> writeAtomically(const OutputTarget& target, std::string_view bytes);

/// As `resolvedOutput`, refused where this user may not replace it: a write-protected file, or a
/// folder in which no file can be made. Io.
Result<std::string> replaceableOutput(const std::string& path);

/// The file that writing to `path` would replace: absolute, every symbolic link resolved. Io for a
/// dangling link and for a folder that does not exist.
Result<std::string> resolvedOutput(const std::string& path);

/// Whether both paths lead to one file, links and hard links included, also where it does not exist
/// yet.
bool isSameFile(const std::string& a, const std::string& b);

}  // namespace clusterloom
