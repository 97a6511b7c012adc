#include "engine/io/las/laz_file.h"

#include <algorithm>
#include <optional>

#include "engine/io/las/las_layout.h"
#include "engine/io/las/laz_points.h"

namespace clusterloom {
namespace {

// What decoders may read behind the end: writers differ in the bytes they end with.
constexpr std::size_t kMostMissing = 4;
// Points between two looks for missing bytes.
constexpr std::size_t kLazPointsPerLook = 256;

std::size_t extraBytes(const LazScheme& scheme) {
  return scheme.recordBytes - kLasRecordBytes[std::size_t(scheme.pointFormat)];
}

bool isOneOf(int format, std::initializer_list<int> formats) {
  return std::find(formats.begin(), formats.end(), format) != formats.end();
}

template <class Coder>
typename LazOldPoints<Coder>::Parts oldParts(const LazScheme& scheme) {
  const int format = scheme.pointFormat;
  return {isOneOf(format, {1, 3, 4, 5}), isOneOf(format, {2, 3, 5}), isOneOf(format, {4, 5}),
          extraBytes(scheme)};
}

template <class Coder>
typename LazNewPoints<Coder>::Parts newParts(const LazScheme& scheme) {
  const int format = scheme.pointFormat;
  return {isOneOf(format, {7, 8, 10}), isOneOf(format, {8, 10}), isOneOf(format, {9, 10}),
          extraBytes(scheme), scheme.version};
}

/// What readers share: the first point, and when to look for missing bytes.
class Reader : public LazChunkReader {
 public:
  Reader(const LazScheme& scheme, std::span<const std::uint8_t> bytes)
      : bytes_(bytes), recordBytes_(scheme.recordBytes) {}

  bool read(std::uint8_t* records, std::size_t points) override {
    if (points > 0 && !started_) {
      std::copy_n(bytes_.data(), recordBytes_, records);
      records += recordBytes_;
      --points;
      started_ = true;
    }
    while (points > 0) {
      const std::size_t count = std::min(points, kLazPointsPerLook);
      decode(records, count);
      if (missing() > kMostMissing) return false;
      records += count * recordBytes_;
      points -= count;
    }
    return missing() <= kMostMissing;
  }

 protected:
  virtual void decode(std::uint8_t* records, std::size_t points) = 0;
  /// Of the stream that lacks most.
  virtual std::size_t missing() const = 0;

  std::span<const std::uint8_t> bytes_;
  std::size_t recordBytes_;

 private:
  bool started_ = false;
};

class OldReader final : public Reader {
 public:
  OldReader(const LazScheme& scheme, std::span<const std::uint8_t> bytes)
      : Reader(scheme, bytes),
        coder_(bytes.subspan(scheme.recordBytes)),
        points_(oldParts<LazDecoder>(scheme), bytes.data()) {}

 private:
  void decode(std::uint8_t* records, std::size_t points) override {
    for (std::size_t i = 0; i < points; ++i) points_.code(coder_, records + i * recordBytes_);
  }
  std::size_t missing() const override { return coder_.missing(); }

  LazDecoder coder_;
  LazOldPoints<LazDecoder> points_;
};

class NewReader final : public Reader {
 public:
  NewReader(const LazScheme& scheme, std::span<const std::uint8_t> bytes)
      : Reader(scheme, bytes), points_(newParts<LazDecoder>(scheme), bytes.data()) {}

  /// The number of points and the sizes of the layers follow the first point, then the layers.
  bool openLayers(std::uint64_t points, const std::vector<bool>& wanted) {
    auto& layers = points_.layers;
    std::size_t at = recordBytes_;
    const std::size_t head = 4 * (1 + layers.size());
    if (bytes_.size() - at < head) return false;
    if (lazGet<std::uint32_t>(bytes_.data(), at) != points) return false;
    std::size_t data = at + head;
    for (std::size_t l = 0; l < layers.size(); ++l) {
      at += 4;
      const std::size_t size = lazGet<std::uint32_t>(bytes_.data(), at);
      if (size > bytes_.size() - data) return false;
      layers[l].used = size > 0 && wanted[l];
      if (l == 0 || layers[l].used) layers[l].coder = LazDecoder(bytes_.subspan(data, size));
      data += size;
    }
    return true;
  }
  std::size_t layers() const { return points_.layers.size(); }

 private:
  void decode(std::uint8_t* records, std::size_t points) override {
    for (std::size_t i = 0; i < points; ++i) points_.code(records + i * recordBytes_);
  }
  std::size_t missing() const override {
    std::size_t most = 0;
    for (const auto& layer : points_.layers) most = std::max(most, layer.coder.missing());
    return most;
  }

  LazNewPoints<LazDecoder> points_;
};

/// Which layers hold a wanted byte.
std::vector<bool> wantedLayers(const LazScheme& scheme, std::size_t layers,
                               const std::vector<bool>& bytes) {
  std::vector<bool> wanted(layers);
  const auto want = [&](std::size_t layer, std::size_t from, std::size_t count) {
    wanted[layer] = std::find(bytes.begin() + std::ptrdiff_t(from),
                              bytes.begin() + std::ptrdiff_t(from + count),
                              true) != bytes.begin() + std::ptrdiff_t(from + count);
  };
  // Position, height, class, flags, intensity, angle, user data, source, time.
  constexpr std::array<std::pair<std::size_t, std::size_t>, 9> core{
      {{0, 8}, {8, 4}, {16, 1}, {15, 1}, {12, 2}, {18, 2}, {17, 1}, {20, 2}, {22, 8}}};
  for (std::size_t l = 0; l < core.size(); ++l) want(l, core[l].first, core[l].second);
  std::size_t layer = core.size();
  std::size_t at = LazNewPoints<LazDecoder>::kCore;
  const auto parts = newParts<LazDecoder>(scheme);
  const auto add = [&](bool has, std::size_t count) {
    if (!has) return;
    want(layer++, at, count);
    at += count;
  };
  add(parts.colour, 6);
  add(parts.infrared, 2);
  add(parts.wave, LazWave::kBytes);
  for (std::size_t b = 0; b < parts.bytes; ++b) add(true, 1);
  return wanted;
}

/// What writers share: the first point.
template <class Points>
class ChunkWriter : public LazChunkWriter {
 public:
  explicit ChunkWriter(const LazScheme& scheme) : scheme_(scheme), record_(scheme.recordBytes) {}

  void add(const std::uint8_t* record) override {
    ++count_;
    std::copy_n(record, record_.size(), record_.begin());
    if (points_) return code(record_.data());
    points_.emplace(parts(), record);
    first_.assign(record, record + record_.size());
  }

 protected:
  virtual typename Points::Parts parts() const = 0;
  virtual void code(std::uint8_t* record) = 0;

  LazScheme scheme_;
  std::string first_;
  std::uint32_t count_ = 0;
  std::optional<Points> points_;

 private:
  std::vector<std::uint8_t> record_;
};

class OldWriter final : public ChunkWriter<LazOldPoints<LazEncoder>> {
 public:
  using ChunkWriter::ChunkWriter;
  std::string finish() override { return first_ + coder_.finish(); }

 private:
  LazOldPoints<LazEncoder>::Parts parts() const override { return oldParts<LazEncoder>(scheme_); }
  void code(std::uint8_t* record) override { points_->code(coder_, record); }

  LazEncoder coder_;
};

class NewWriter final : public ChunkWriter<LazNewPoints<LazEncoder>> {
 public:
  using ChunkWriter::ChunkWriter;
  std::string finish() override {
    std::string sizes(4, '\0');
    std::memcpy(sizes.data(), &count_, sizeof count_);
    std::string data;
    for (std::size_t l = 0; l < points_->layers.size(); ++l) {
      auto& layer = points_->layers[l];
      const std::string bytes = l == 0 || layer.changed ? layer.coder.finish() : "";
      const auto size = std::uint32_t(bytes.size());
      sizes.append(reinterpret_cast<const char*>(&size), sizeof size);
      data += bytes;
    }
    return first_ + sizes + data;
  }

 private:
  LazNewPoints<LazEncoder>::Parts parts() const override { return newParts<LazEncoder>(scheme_); }
  void code(std::uint8_t* record) override { points_->code(record); }
};

}  // namespace

std::unique_ptr<LazChunkReader> openLazChunk(const LazScheme& scheme,
                                             std::span<const std::uint8_t> bytes,
                                             std::uint64_t points,
                                             const std::vector<bool>& wantedBytes) {
  if (bytes.size() < scheme.recordBytes) return nullptr;
  if (scheme.pointFormat < 6) return std::make_unique<OldReader>(scheme, bytes);
  auto reader = std::make_unique<NewReader>(scheme, bytes);
  const auto layers = wantedLayers(scheme, reader->layers(), wantedBytes);
  return reader->openLayers(points, layers) ? std::move(reader) : nullptr;
}

std::unique_ptr<LazChunkWriter> makeLazChunk(const LazScheme& scheme) {
  if (scheme.pointFormat < 6) return std::make_unique<OldWriter>(scheme);
  return std::make_unique<NewWriter>(scheme);
}

}  // namespace clusterloom
