#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace clusterloom {

/// How the points of a LAZ file are coded: by what follows from their format and length.
struct LazScheme {
  int pointFormat = 0;          ///< 0 to 10
  std::size_t recordBytes = 0;  ///< of a point of LAS, extra bytes included
  int version = 3;              ///< of the coding of point formats 6 to 10: 3 or 4
};

/// A part of the points that can be decoded without the others. The first one is stored as it is.
class LazChunkReader {
 public:
  virtual ~LazChunkReader() = default;
  /// Decodes the next points into LAS records. False where the bytes end before: they are damaged.
  virtual bool read(std::uint8_t* records, std::size_t points) = 0;
};

/// Of point formats 6 to 10 only the wanted bytes of a record are decoded, and those that belong to
/// them. `bytes` must outlive the reader. Null where they cannot be those of `points` points.
std::unique_ptr<LazChunkReader> openLazChunk(const LazScheme& scheme,
                                             std::span<const std::uint8_t> bytes,
                                             std::uint64_t points,
                                             const std::vector<bool>& wantedBytes);

/// Encodes records, one after the other.
class LazChunkWriter {
 public:
  virtual ~LazChunkWriter() = default;
  virtual void add(const std::uint8_t* record) = 0;
  /// The bytes of the chunk; nothing may be added after it.
  virtual std::string finish() = 0;
};
std::unique_ptr<LazChunkWriter> makeLazChunk(const LazScheme& scheme);

}  // namespace clusterloom
