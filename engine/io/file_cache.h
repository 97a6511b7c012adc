#pragma once

#include <cstdint>
#include <string>

#include "engine/core/result.h"

namespace clusterloom {

/// Files of one kind that are kept in a folder to be used again. Where they take more than a limit,
/// those that were not used for longest are removed. The maker of a file writes it beside and
/// renames it, so that there is never a part of one. Other files in the folder are left alone.
class FileCache {
 public:
  /// `ending` tells the files, such as ".points"; `limit` is the number of bytes of all of them.
  FileCache(std::string folder, std::string ending, std::uint64_t limit);

  const std::string& folder() const { return folder_; }
  std::string fileOf(const std::string& name) const;
  /// Whether there is this file, which counts as used now.
  bool use(const std::string& name) const;
  /// Bytes of all files; 0 where there is no folder.
  std::uint64_t bytes() const;
  /// Makes the folder, and removes files until `bytes` more are within the limit. Io, also where
  /// the disk has too little space even then (checkDiskSpace), and TooLarge where they alone are
  /// beyond the limit; nothing is removed then.
  Result<void> makeRoom(std::uint64_t bytes) const;
  /// Removes a file, which need not be there. Io.
  Result<void> remove(const std::string& name) const;
  /// Removes all files. Io.
  Result<void> clear() const;

 private:
  std::string folder_;
  std::string ending_;
  std::uint64_t limit_;
};

}  // namespace clusterloom
