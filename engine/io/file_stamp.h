#pragma once

#include <cstdint>
#include <string>

#include "engine/core/result.h"

namespace clusterloom {

/// The properties by which a file is recognised as unchanged.
struct FileStamp {
  std::uint64_t bytes = 0;
  std::uint64_t node = 0;
  std::int64_t seconds = 0;
  std::int64_t nanoseconds = 0;
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

/// All 0 where there is no such file.
FileStamp stampOf(const std::string& path);

/// BadInput for a file whose stamp is not the one that it had, or that is gone.
tl::unexpected<Error> hasChangedError(const std::string& path);

/// A text by which a file is known again, wherever it has been moved to: of its size, the time of
/// its last change and parts all over it, because reading a large file as a whole takes long. Io.
Result<std::string> identityOf(const std::string& path);

}  // namespace clusterloom
