#pragma once

#include <functional>
#include <memory>
#include <span>

#include "engine/io/packing/packing.h"

namespace clusterloom {

/// Compresses a stream of bytes. The same bytes always give the same file.
class Packer {
 public:
  /// Takes packed bytes; false: no more are wanted, since writing failed.
  using Sink = std::function<bool(std::span<const char>)>;
  virtual ~Packer() = default;
  virtual bool add(std::span<const char> bytes) = 0;
  /// Writes the rest and the end of the stream.
  virtual bool finish() = 0;
};

/// Null for Packing::None.
std::unique_ptr<Packer> makePacker(Packing packing, Packer::Sink sink);
std::unique_ptr<Packer> makeGzipPacker(Packer::Sink sink);
std::unique_ptr<Packer> makeZstdPacker(Packer::Sink sink);

}  // namespace clusterloom
