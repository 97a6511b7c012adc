// gzip, by zlib.
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>
#include <utility>
#include <vector>

#include "engine/io/packing/packer.h"
#include "engine/io/packing/unpacker.h"

namespace clusterloom {
namespace {

constexpr int kWindowOfGzip = MAX_WBITS + 16;  // the gzip format only, as zlib's manual says
constexpr std::size_t kGzipPackedBytes = std::size_t{64} << 10;

uInt sizeFor(std::size_t bytes) {
  return static_cast<uInt>(std::min<std::size_t>(bytes, std::numeric_limits<uInt>::max()));
}

class GzipUnpacker final : public Unpacker {
 public:
  explicit GzipUnpacker(PackedBytes& packed) : packed_(packed) {
    if (::inflateInit2(&stream_, kWindowOfGzip) != Z_OK) throw std::bad_alloc();
  }
  GzipUnpacker(const GzipUnpacker&) = delete;
  GzipUnpacker& operator=(const GzipUnpacker&) = delete;
  ~GzipUnpacker() override { ::inflateEnd(&stream_); }

  Result<std::size_t> read(std::span<char> into) override {
    std::size_t done = 0;
    while (done < into.size()) {
      const auto bytes = packed_.more();
      if (!bytes) return tl::unexpected(bytes.error());
      if (betweenMembers_) {
        const auto more = startMember(*bytes);
        if (!more) return tl::unexpected(more.error());
        if (!*more) break;
        continue;
      }
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes->data()));
      stream_.avail_in = sizeFor(bytes->size());
      stream_.next_out = reinterpret_cast<Bytef*>(into.data() + done);
      stream_.avail_out = sizeFor(into.size() - done);
      const uInt in = stream_.avail_in;
      const uInt out = stream_.avail_out;
      const int status = ::inflate(&stream_, Z_NO_FLUSH);
      packed_.consume(in - stream_.avail_in);
      done += out - stream_.avail_out;
      if (status == Z_STREAM_END) {
        betweenMembers_ = true;
      } else if (status == Z_MEM_ERROR) {
        throw std::bad_alloc();
      } else if (status != Z_OK && status != Z_BUF_ERROR) {
        return packedDamaged(packed_, Packing::Gzip,
                             stream_.msg != nullptr ? stream_.msg : "not readable");
      } else if (bytes->empty() && out == stream_.avail_out) {
        return packedTooShort(packed_, Packing::Gzip);
      }
    }
    return done;
  }

 private:
  /// After a member: another one, zeros up to the end of the file, or its end. False while nothing
  /// more is there to unpack, at the end only.
  Result<bool> startMember(std::span<const char> bytes) {
    if (bytes.empty()) return false;
    if (bytes.front() == '\0') {
      const auto zeros = std::find_if(bytes.begin(), bytes.end(), [](char c) { return c != '\0'; });
      packed_.consume(std::size_t(zeros - bytes.begin()));
      padded_ = true;
      return true;
    }
    if (padded_ || bytes.front() != '\x1f')
      return packedDamaged(packed_, Packing::Gzip,
                           "other bytes follow the end of the compressed data");
    betweenMembers_ = false;
    ::inflateReset(&stream_);
    return true;
  }

  PackedBytes& packed_;
  z_stream stream_{};
  bool betweenMembers_ = false;
  bool padded_ = false;
};

class GzipPacker final : public Packer {
 public:
  explicit GzipPacker(Sink sink) : sink_(std::move(sink)), packed_(kGzipPackedBytes) {
    constexpr int memory = 8;
    // zlib's header holds no time and no name, so the same input gives the same file.
    if (::deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kWindowOfGzip, memory,
                       Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
  }
  GzipPacker(const GzipPacker&) = delete;
  GzipPacker& operator=(const GzipPacker&) = delete;
  ~GzipPacker() override { ::deflateEnd(&stream_); }

  bool add(std::span<const char> bytes) override {
    while (!bytes.empty()) {
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
      stream_.avail_in = sizeFor(bytes.size());
      bytes = bytes.subspan(stream_.avail_in);
      while (stream_.avail_in > 0) {
        if (!step(Z_NO_FLUSH)) return false;
      }
    }
    return true;
  }

  bool finish() override {
    while (!ended_) {
      if (!step(Z_FINISH)) return false;
    }
    return true;
  }

 private:
  bool step(int flush) {
    stream_.next_out = reinterpret_cast<Bytef*>(packed_.data());
    stream_.avail_out = sizeFor(packed_.size());
    ended_ = ::deflate(&stream_, flush) == Z_STREAM_END;
    const std::size_t count = packed_.size() - stream_.avail_out;
    return count == 0 || sink_({packed_.data(), count});
  }

  Sink sink_;
  std::vector<char> packed_;
  z_stream stream_{};
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<Unpacker> makeGzipUnpacker(PackedBytes& packed) {
  return std::make_unique<GzipUnpacker>(packed);
}

std::unique_ptr<Packer> makeGzipPacker(Packer::Sink sink) {
  return std::make_unique<GzipPacker>(std::move(sink));
}

}  // namespace clusterloom
