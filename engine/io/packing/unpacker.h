#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/core/result.h"
#include "engine/io/byte_source.h"
#include "engine/io/hasher.h"
#include "engine/io/packing/packing.h"

namespace clusterloom {

/// The compressed bytes of a source, from front to back, hashed on the way where a hasher is given.
class PackedBytes {
 public:
  PackedBytes(const ByteSource& source, Hasher* hasher, std::stop_token stop);

  const ByteSource& source() const { return source_; }
  /// The bytes in memory that are not yet unpacked. Reads more where no bytes are left; empty at
  /// the end of the source. Io; Cancelled after a stop.
  Result<std::span<const char>> more();
  void consume(std::size_t count) { first_ += count; }
  /// Offset in the source of the next byte.
  std::uint64_t position() const { return read_ - (last_ - first_); }

 private:
  const ByteSource& source_;
  Hasher* hasher_;
  std::stop_token stop_;
  std::vector<char> buffer_;
  std::size_t first_ = 0;
  std::size_t last_ = 0;
  std::uint64_t read_ = 0;
};

/// Unpacks a source piece by piece. Memory is bounded for any content of the file.
class Unpacker {
 public:
  virtual ~Unpacker() = default;
  /// Fills `into`; fewer bytes only at the end. BadInput for bytes that are damaged or cut short,
  /// with the place in the compressed file; Io.
  virtual Result<std::size_t> read(std::span<char> into) = 0;
};

/// Members or frames that follow each other are unpacked as one. `packed` must outlive the result.
std::unique_ptr<Unpacker> makeUnpacker(Packing packing, PackedBytes& packed);
std::unique_ptr<Unpacker> makeGzipUnpacker(PackedBytes& packed);
std::unique_ptr<Unpacker> makeZstdUnpacker(PackedBytes& packed);

/// The errors of all unpackers.
tl::unexpected<Error> packedTooShort(const PackedBytes& packed, Packing packing);
tl::unexpected<Error> packedDamaged(const PackedBytes& packed, Packing packing, const char* why);

}  // namespace clusterloom
