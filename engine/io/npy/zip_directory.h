#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/io/byte_source.h"

namespace clusterloom {

/// A file in a ZIP archive.
struct ZipEntry {
  std::string name;
  bool deflated = false;  ///< else it is stored uncompressed
  std::uint64_t bytes = 0;
  std::uint64_t packedBytes = 0;
  std::uint32_t checksum = 0;  ///< CRC-32 of the content
  std::uint64_t header = 0;    ///< offset of its header in the archive
};

/// The files of an archive, with ZIP64, in the order of its directory. BadInput for what is no
/// archive, is damaged, is encrypted, spans several files or uses another compression than Deflate;
/// Io.
Result<std::vector<ZipEntry>> zipDirectory(const ByteSource& archive);

/// The content of a stored file as a source named like the archive, which must outlive it; that of
/// a deflated one is unpacked into memory. BadInput where it is damaged or not as long as the
/// directory says; TooLarge; Cancelled.
Result<std::unique_ptr<ByteSource>> openZipEntry(const ByteSource& archive, const ZipEntry& entry,
                                                 const Task& task);

}  // namespace clusterloom
