#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "engine/io/input_stream.h"
#include "engine/io/records.h"

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

/// The variable length record that says how points are compressed.
inline constexpr const char* kLazUser = "laszip encoded";
inline constexpr std::uint16_t kLazRecord = 22204;
/// Points of a chunk that is written; as all writers do.
inline constexpr std::uint32_t kLazChunkPoints = 50'000;

/// The compressed points of a LAZ file.
struct LazFile {
  struct Chunk {
    std::uint64_t points = 0;
    std::uint64_t bytes = 0;
    std::uint64_t firstRow = 0;  ///< number of the points before it
    std::uint64_t start = 0;     ///< its place in the file
  };
  LazScheme scheme;
  std::vector<Chunk> chunks;
};

/// Reads the table of chunks, which is behind the points. `record` is the content of the record
/// that says how they are compressed, `points` the number that the header promises. BadInput where
/// any of them disagree, or with the size of the file, so that nothing is allocated for points that
/// are not there.
Result<LazFile> readLazFile(const InputStream& in, const LazScheme& layout, std::string_view record,
                            std::uint64_t dataOffset, std::uint64_t points);

/// Reads `rows` points from `firstRow` on, as readRecords does; the stream is not behind them.
/// Chunks are decoded in parallel, and straight into the columns.
Result<void> readLazRows(InputStream& in, const LazFile& file, const RecordLayout& layout,
                         std::uint64_t firstRow, std::uint64_t rows, DatasetBuilder& builder);

/// The same for all points of some chunks, which are given in ascending order.
Result<void> readLazChunks(InputStream& in, const LazFile& file, const RecordLayout& layout,
                           std::span<const std::size_t> chunks, DatasetBuilder& builder);

/// The content of the record for points that are written, and the table of their chunks.
std::string lazRecord(const LazScheme& scheme);
std::string lazTable(const std::vector<std::uint64_t>& chunkBytes);

}  // namespace clusterloom
