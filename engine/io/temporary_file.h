#pragma once

#include <sys/types.h>

#include <string>

namespace clusterloom {

/// A new file in the folder of `target`, open for writing and locked until it is closed.
struct TemporaryFile {
  int fd = -1;
  std::string path;
  int error = 0;  ///< errno where fd is −1
};

/// Creates it exclusively under a random name that holds the mark of the process and a hash of the
/// target's name. `mode` as for open(): the umask applies.
TemporaryFile makeTemporaryFile(const std::string& target, mode_t mode);

/// Removes the temporary files in the folder of `target` whose processes ended before they could
/// rename them, regardless of their targets.
void removeLeftTemporaryFiles(const std::string& target);

}  // namespace clusterloom
