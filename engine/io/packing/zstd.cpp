// Zstandard, by libzstd.
#include <zstd.h>
#include <zstd_errors.h>

#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "engine/io/packing/packer.h"
#include "engine/io/packing/unpacker.h"

namespace clusterloom {
namespace {

class ZstdUnpacker final : public Unpacker {
 public:
  // The context refuses windows above 128 MiB, so memory stays bounded.
  explicit ZstdUnpacker(PackedBytes& packed)
      : packed_(packed), stream_(::ZSTD_createDCtx(), &::ZSTD_freeDCtx) {
    if (stream_ == nullptr) throw std::bad_alloc();
  }

  Result<std::size_t> read(std::span<char> into) override {
    ZSTD_outBuffer out{into.data(), into.size(), 0};
    while (out.pos < out.size) {
      const auto bytes = packed_.more();
      if (!bytes) return tl::unexpected(bytes.error());
      if (bytes->empty() && betweenFrames_) break;
      ZSTD_inBuffer in{bytes->data(), bytes->size(), 0};
      const std::size_t before = out.pos;
      const std::size_t status = ::ZSTD_decompressStream(stream_.get(), &out, &in);
      packed_.consume(in.pos);
      if (::ZSTD_isError(status) != 0) return errorOf(status);
      betweenFrames_ = status == 0;
      if (bytes->empty() && !betweenFrames_ && out.pos == before)
        return packedTooShort(packed_, Packing::Zstd);
    }
    return out.pos;
  }

 private:
  tl::unexpected<Error> errorOf(std::size_t status) const {
    const ZSTD_ErrorCode code = ::ZSTD_getErrorCode(status);
    if (code == ZSTD_error_memory_allocation) throw std::bad_alloc();
    if (code == ZSTD_error_frameParameter_windowTooLarge)
      return badInput(packed_.source().name() +
                      ": was compressed by zstd with a window of more than 128 MiB. Pack it again "
                      "without --long, or unpack it first: unzstd --long=31 FILE");
    if (code == ZSTD_error_prefix_unknown)
      return packedDamaged(packed_, Packing::Zstd,
                           "other bytes follow the end of the compressed data");
    return packedDamaged(packed_, Packing::Zstd, ::ZSTD_getErrorName(status));
  }

  PackedBytes& packed_;
  std::unique_ptr<ZSTD_DCtx, decltype(&::ZSTD_freeDCtx)> stream_;
  bool betweenFrames_ = false;
};

class ZstdPacker final : public Packer {
 public:
  explicit ZstdPacker(Sink sink)
      : sink_(std::move(sink)),
        stream_(::ZSTD_createCCtx(), &::ZSTD_freeCCtx),
        packed_(::ZSTD_CStreamOutSize()) {
    if (stream_ == nullptr) throw std::bad_alloc();
    ::ZSTD_CCtx_setParameter(stream_.get(), ZSTD_c_checksumFlag, 1);
  }

  bool add(std::span<const char> bytes) override {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    while (in.pos < in.size)
      if (step(in, ZSTD_e_continue) == kFailed) return false;
    return true;
  }

  bool finish() override {
    ZSTD_inBuffer none{nullptr, 0, 0};
    for (;;) {
      const std::size_t left = step(none, ZSTD_e_end);
      if (left == kFailed) return false;
      if (left == 0) return true;
    }
  }

 private:
  static constexpr std::size_t kFailed = ~std::size_t{0};

  /// Bytes that are still to be written.
  std::size_t step(ZSTD_inBuffer& in, ZSTD_EndDirective end) {
    ZSTD_outBuffer out{packed_.data(), packed_.size(), 0};
    const std::size_t left = ::ZSTD_compressStream2(stream_.get(), &out, &in, end);
    // Only memory can be missing.
    if (::ZSTD_isError(left) != 0) throw std::bad_alloc();
    if (out.pos > 0 && !sink_({packed_.data(), out.pos})) return kFailed;
    return left;
  }

  Sink sink_;
  std::unique_ptr<ZSTD_CCtx, decltype(&::ZSTD_freeCCtx)> stream_;
  std::vector<char> packed_;
};

}  // namespace

std::unique_ptr<Unpacker> makeZstdUnpacker(PackedBytes& packed) {
  return std::make_unique<ZstdUnpacker>(packed);
}

std::unique_ptr<Packer> makeZstdPacker(Packer::Sink sink) {
  return std::make_unique<ZstdPacker>(std::move(sink));
}

std::unique_ptr<Packer> makePacker(Packing packing, Packer::Sink sink) {
  switch (packing) {
    case Packing::Gzip: return makeGzipPacker(std::move(sink));
    case Packing::Zstd: return makeZstdPacker(std::move(sink));
    case Packing::None: break;
  }
  return nullptr;
}

}  // namespace clusterloom
