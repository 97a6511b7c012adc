#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "engine/io/las/laz_values.h"

namespace clusterloom {

/// Points of LAZ, in both directions: `record` is a LAS record that a decoder writes and an encoder
/// reads. Each class starts with the first point of a chunk, which is stored as it is.

/// Point formats 0 to 5, where all values of a point follow each other in one stream.
template <class Coder>
class LazOldPoints {
 public:
  /// Which values follow the 20 bytes that all formats have.
  struct Parts {
    bool time = false;
    bool colour = false;
    bool wave = false;
    std::size_t bytes = 0;  ///< extra bytes
  };

  LazOldPoints(const Parts& parts, const std::uint8_t* first)
      : parts_(parts), last_(first, first + kCore), extra_(parts.bytes) {
    std::size_t at = kCore;
    lastIntensity_.fill(0);
    if (parts.time) {
      times_.start(lazGet<std::int64_t>(first, at));
      at += 8;
    }
    if (parts.colour) {
      std::memcpy(lastColour_.data(), first + at, sizeof lastColour_);
      at += 6;
    }
    if (parts.wave) {
      std::memcpy(lastWave_.data(), first + at, LazWave::kBytes);
      at += LazWave::kBytes;
    }
    lastExtra_.assign(first + at, first + at + parts.bytes);
  }

  void code(Coder& coder, std::uint8_t* record) {
    codeCore(coder, record);
    record += kCore;
    if (parts_.time) {
      const std::int64_t time =
          times_.code(coder, Coder::kWrites ? lazGet<std::int64_t>(record) : 0);
      if constexpr (!Coder::kWrites) lazPut(record, 0, time);
      record += 8;
    }
    if (parts_.colour) {
      colour_.code(coder, lastColour_.data(), record);
      record += 6;
    }
    if (parts_.wave) {
      wave_.code(coder, lastWave_.data(), record);
      record += LazWave::kBytes;
    }
    for (std::size_t b = 0; b < parts_.bytes; ++b) {
      const unsigned change = (record[b] - unsigned{lastExtra_[b]}) & 255;
      lastExtra_[b] = std::uint8_t(lastExtra_[b] + coder.symbol(extra_[b], 256, change));
      if constexpr (!Coder::kWrites) record[b] = lastExtra_[b];
    }
  }

 private:
  static constexpr std::size_t kCore = 20;
  // Where the values are in a record.
  static constexpr std::size_t kIntensity = 12;
  static constexpr std::size_t kFlags = 14;
  static constexpr std::size_t kClass = 15;
  static constexpr std::size_t kAngle = 16;
  static constexpr std::size_t kUser = 17;
  static constexpr std::size_t kSource = 18;

  /// The context of a return by number and count of returns.
  static unsigned returnContext(std::uint8_t flags) {
    static constexpr std::uint8_t contexts[8][8] = {
        {15, 14, 13, 12, 11, 10, 9, 8},  {14, 0, 1, 3, 6, 10, 10, 9},
        {13, 1, 2, 4, 7, 11, 11, 10},    {12, 3, 4, 5, 8, 12, 12, 11},
        {11, 6, 7, 8, 9, 13, 13, 12},    {10, 10, 11, 12, 13, 14, 14, 13},
        {9, 10, 11, 12, 13, 14, 15, 14}, {8, 9, 10, 11, 12, 13, 14, 15}};
    return contexts[flags >> 3 & 7][flags & 7];
  }

  void codeCore(Coder& coder, std::uint8_t* record) {
    std::uint8_t* const last = last_.data();
    unsigned changed = 0;
    if constexpr (Coder::kWrites) {
      const auto intensity = lazGet<std::uint16_t>(record, kIntensity);
      changed =
          unsigned{record[kFlags] != last[kFlags]} << 5 |
          unsigned{intensity != lastIntensity_[returnContext(record[kFlags])]} << 4 |
          unsigned{record[kClass] != last[kClass]} << 3 |
          unsigned{record[kAngle] != last[kAngle]} << 2 |
          unsigned{record[kUser] != last[kUser]} << 1 |
          unsigned{lazGet<std::uint16_t>(record, kSource) != lazGet<std::uint16_t>(last, kSource)};
    }
    changed = coder.symbol(changed_, 64, changed);
    const auto byte = [&](auto& models, std::size_t at) {
      last[at] = std::uint8_t(coder.symbol((*models)[last[at]], 256, record[at]));
    };
    if (changed & 32) byte(flags_, kFlags);
    const std::uint8_t flags = last[kFlags];
    const int number = flags & 7;
    const int count = flags >> 3 & 7;
    const unsigned m = returnContext(flags);
    const auto level = std::size_t(std::abs(count - number));
    if (changed & 16)
      lastIntensity_[m] = std::uint16_t(intensities_.code(
          coder, lastIntensity_[m], std::min(m, 3U), lazGet<std::uint16_t>(record, kIntensity)));
    lazPut(last, kIntensity, lastIntensity_[m]);
    if (changed & 8) byte(classes_, kClass);
    if (changed & 4) {
      const unsigned change = (record[kAngle] - unsigned{last[kAngle]}) & 255;
      last[kAngle] =
          std::uint8_t(last[kAngle] + coder.symbol(angles_[flags >> 6 & 1], 256, change));
    }
    if (changed & 2) byte(users_, kUser);
    if (changed & 1)
      lazPut(last, kSource,
             std::uint16_t(sources_.code(coder, lazGet<std::uint16_t>(last, kSource), 0,
                                         lazGet<std::uint16_t>(record, kSource))));

    const unsigned single = count == 1 ? 1 : 0;
    const auto move = [&](auto& coded, LazMedian& median, std::size_t at, unsigned context) {
      const auto before = lazGet<std::int32_t>(last, at);
      const auto step = coded.code(coder, median.value(), context,
                                   lazMinus(lazGet<std::int32_t>(record, at), before));
      lazPut(last, at, lazPlus(before, step));
      median.add(step);
    };
    move(x_, xSteps_[m], 0, single);
    move(y_, ySteps_[m], 4, single + std::min(x_.length() & ~1U, 20U));
    const unsigned lengths = (x_.length() + y_.length()) / 2;
    heights_[level] = z_.code(coder, heights_[level], single + std::min(lengths & ~1U, 18U),
                              lazGet<std::int32_t>(record, 8));
    lazPut(last, 8, heights_[level]);
    if constexpr (!Coder::kWrites) std::memcpy(record, last, kCore);
  }

  using Bytes = std::array<LazSymbols<256>, 256>;

  Parts parts_;
  std::vector<std::uint8_t> last_;
  std::array<std::uint16_t, 16> lastIntensity_{};
  std::array<LazMedian, 16> xSteps_;
  std::array<LazMedian, 16> ySteps_;
  std::array<std::int32_t, 8> heights_{};
  LazSymbols<64> changed_;
  std::unique_ptr<Bytes> flags_ = std::make_unique_for_overwrite<Bytes>();
  std::unique_ptr<Bytes> classes_ = std::make_unique_for_overwrite<Bytes>();
  std::unique_ptr<Bytes> users_ = std::make_unique_for_overwrite<Bytes>();
  std::array<LazSymbols<256>, 2> angles_;
  LazIntegers<16, 4> intensities_;
  LazIntegers<16, 1> sources_;
  LazIntegers<32, 2> x_;
  LazIntegers<32, 22> y_;
  LazIntegers<32, 20> z_;
  LazTimes<false> times_;
  LazColour colour_;
  std::array<std::uint16_t, 3> lastColour_{};
  LazWave wave_;
  std::array<std::uint8_t, LazWave::kBytes> lastWave_{};
  std::vector<LazSymbols<256>> extra_;
  std::vector<std::uint8_t> lastExtra_;
};

/// One of the streams of a chunk of new points. A reader leaves out those that are empty, where a
/// value is the same for all points of the chunk, and those that nobody wants.
template <class Coder>
struct LazLayer {
  Coder coder;
  bool used = Coder::kWrites;  ///< of a reader
  bool changed = false;        ///< of a writer: the values differ
};

/// Point formats 6 to 10, where each value has a stream of its own, and each of the four scanner
/// channels its own models.
template <class Coder>
class LazNewPoints {
 public:
  /// The layers of the 30 bytes that all formats have, in the order in which they are stored.
  enum Layer { kPosition, kHeight, kClass, kFlags, kIntensity, kAngle, kUser, kSource, kTime };
  static constexpr std::size_t kCoreLayers = 9;
  static constexpr std::size_t kCore = 30;

  /// Which values follow them, each with layers of its own: colours, near infrared, waves, bytes.
  struct Parts {
    bool colour = false;
    bool infrared = false;
    bool wave = false;
    std::size_t bytes = 0;
    int version = 3;  ///< of the parts, 3 or 4

    std::size_t layers() const {
      return kCoreLayers + std::size_t{colour} + std::size_t{infrared} + std::size_t{wave} + bytes;
    }
  };

  LazNewPoints(const Parts& parts, const std::uint8_t* first)
      : layers(parts.layers()), parts_(parts) {
    channel_ = partChannel_ = channelOf(first);
    openChannel(channel_, first);
    if (tailBytes() > 0)
      std::memcpy(openPart(partChannel_).last.data(), first + kCore, tailBytes());
  }

  std::vector<LazLayer<Coder>> layers;

  void code(std::uint8_t* record) {
    const bool switched = codeCore(record);
    if (tailBytes() > 0) codeParts(record + kCore, switched);
  }

 private:
  // Where the values are in a record.
  static constexpr std::size_t kAtIntensity = 12;
  static constexpr std::size_t kAtReturns = 14;
  static constexpr std::size_t kAtFlags = 15;
  static constexpr std::size_t kAtClass = 16;
  static constexpr std::size_t kAtUser = 17;
  static constexpr std::size_t kAtAngle = 18;
  static constexpr std::size_t kAtSource = 20;
  static constexpr std::size_t kAtTime = 22;

  using Bytes = std::array<LazSymbols<256>, 64>;
  struct Core {
    std::array<std::uint8_t, kCore> last{};
    bool timeChanged = false;
    std::array<std::uint16_t, 8> intensities{};
    std::array<LazMedian, 12> xSteps;
    std::array<LazMedian, 12> ySteps;
    std::array<std::int32_t, 8> heights{};
    std::array<LazSymbols<128>, 8> changed;
    LazSymbols<3> channel;
    std::array<LazSymbols<16>, 16> counts;
    std::array<LazSymbols<16>, 16> numbers;
    LazSymbols<13> numberOfSameTime;
    LazIntegers<32, 2> x;
    LazIntegers<32, 22> y;
    LazIntegers<32, 20> z;
    Bytes classes;
    std::array<LazSymbols<64>, 64> flags;
    Bytes users;
    LazIntegers<16, 4> intensity;
    LazIntegers<16, 2> angle;
    LazIntegers<16, 1> source;
    LazTimes<true> times;
  };
  /// The models of what follows the core.
  struct Part {
    std::vector<std::uint8_t> last;
    LazColour colour;
    LazSymbols<4> infraredChanged;
    std::array<LazSymbols<256>, 2> infrared;
    LazWave wave;
    std::vector<LazSymbols<256>> bytes;
  };
  struct Channel {
    std::unique_ptr<Core> core;
    std::unique_ptr<Part> part;
  };

  std::size_t tailBytes() const {
    return (parts_.colour ? 6U : 0U) + (parts_.infrared ? 2U : 0U) +
           (parts_.wave ? LazWave::kBytes : 0U) + parts_.bytes;
  }
  static unsigned channelOf(const std::uint8_t* record) { return record[kAtFlags] >> 4 & 3; }

  Core& openChannel(unsigned channel, const std::uint8_t* last) {
    auto& core = channels_[channel].core;
    core = std::make_unique_for_overwrite<Core>();
    std::memcpy(core->last.data(), last, kCore);
    core->heights.fill(lazGet<std::int32_t>(last, 8));
    core->intensities.fill(lazGet<std::uint16_t>(last, kAtIntensity));
    core->times.start(lazGet<std::int64_t>(last, kAtTime));
    return *core;
  }
  Part& openPart(unsigned channel) {
    auto& part = channels_[channel].part;
    part = std::make_unique_for_overwrite<Part>();
    part->last.resize(tailBytes());
    part->bytes = std::vector<LazSymbols<256>>(parts_.bytes);
    return *part;
  }

  static unsigned returnContext(unsigned count, unsigned number) {
    static constexpr std::uint8_t contexts[16][16] = {
        {0, 1, 2, 3, 4, 5, 3, 4, 4, 5, 5, 5, 5, 5, 5, 5},
        {1, 0, 1, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3},
        {2, 1, 2, 4, 4, 4, 4, 4, 4, 4, 4, 3, 3, 3, 3, 3},
        {3, 3, 4, 5, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4},
        {4, 3, 4, 4, 5, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4},
        {5, 3, 4, 4, 4, 5, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4},
        {3, 3, 4, 4, 4, 4, 5, 4, 4, 4, 4, 4, 4, 4, 4, 4},
        {4, 3, 4, 4, 4, 4, 4, 5, 4, 4, 4, 4, 4, 4, 4, 4},
        {4, 3, 4, 4, 4, 4, 4, 4, 5, 4, 4, 4, 4, 4, 4, 4},
        {5, 3, 4, 4, 4, 4, 4, 4, 4, 5, 4, 4, 4, 4, 4, 4},
        {5, 3, 4, 4, 4, 4, 4, 4, 4, 4, 5, 4, 4, 4, 4, 4},
        {5, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 4, 4, 4},
        {5, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 4, 4},
        {5, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 4},
        {5, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5},
        {5, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5}};
    return contexts[count][number];
  }

  bool codeCore(std::uint8_t* record) {
    Coder& position = layers[kPosition].coder;
    Core* core = channels_[channel_].core.get();
    std::uint8_t* last = core->last.data();

    // What changed, against the last point of its own channel.
    unsigned lastNumber = last[kAtReturns] & 15;
    unsigned lastCount = last[kAtReturns] >> 4;
    unsigned changed = 0;
    unsigned channel = channel_;
    const unsigned lastReturn = unsigned{lastNumber == 1} + 2 * unsigned{lastNumber >= lastCount} +
                                4 * unsigned{core->timeChanged};
    unsigned number = 0;
    unsigned count = 0;
    if constexpr (Coder::kWrites) {
      channel = channelOf(record);
      const std::uint8_t* const before =
          channels_[channel].core ? channels_[channel].core->last.data() : last;
      number = record[kAtReturns] & 15;
      count = record[kAtReturns] >> 4;
      const unsigned beforeNumber = before[kAtReturns] & 15;
      const unsigned beforeCount = before[kAtReturns] >> 4;
      const auto differs = [&](std::size_t at, std::size_t bytes) {
        return unsigned{std::memcmp(record + at, before + at, bytes) != 0};
      };
      const unsigned step = (number - beforeNumber) & 15;
      changed = unsigned{channel != channel_} << 6 | differs(kAtSource, 2) << 5 |
                differs(kAtTime, 8) << 4 | differs(kAtAngle, 2) << 3 |
                unsigned{count != beforeCount} << 2 |
                (step == 0    ? 0
                 : step == 1  ? 1
                 : step == 15 ? 2
                              : 3);
    }
    changed = position.symbol(core->changed[lastReturn], 128, changed);
    const bool switched = (changed & 64) != 0;
    if (switched) {
      const unsigned step = position.symbol(core->channel, 3, (channel - channel_ - 1) & 3);
      channel_ = (channel_ + step + 1) & 3;
      core =
          channels_[channel_].core ? channels_[channel_].core.get() : &openChannel(channel_, last);
      last = core->last.data();
      last[kAtFlags] = std::uint8_t((last[kAtFlags] & ~0x30U) | channel_ << 4);
      lastNumber = last[kAtReturns] & 15;
      lastCount = last[kAtReturns] >> 4;
    }
    const bool timeChanged = (changed & 16) != 0;
    count = changed & 4 ? position.symbol(core->counts[lastCount], 16, count) : lastCount;
    if ((changed & 3) < 3) {
      number = (lastNumber + (changed & 1) - (changed >> 1 & 1)) & 15;
    } else if (timeChanged) {
      number = position.symbol(core->numbers[lastNumber], 16, number);
    } else {
      const unsigned step =
          position.symbol(core->numberOfSameTime, 13, (number - lastNumber - 2) & 15);
      number = (lastNumber + step + 2) & 15;
    }
    last[kAtReturns] = std::uint8_t(count << 4 | number);

    const unsigned context = 2 * returnContext(count, number) + unsigned{timeChanged};
    const unsigned single = unsigned{count == 1};
    const auto move = [&](auto& coded, LazMedian& median, std::size_t at, unsigned its) {
      const auto before = lazGet<std::int32_t>(last, at);
      const auto step = coded.code(position, median.value(), its,
                                   lazMinus(lazGet<std::int32_t>(record, at), before));
      lazPut(last, at, lazPlus(before, step));
      median.add(step);
    };
    move(core->x, core->xSteps[context], 0, single);
    move(core->y, core->ySteps[context], 4, single + std::min(core->x.length() & ~1U, 20U));

    codeLayers(record, *core, changed);
    core->timeChanged = timeChanged;
    if constexpr (!Coder::kWrites) std::memcpy(record, last, kCore);
    return switched;
  }

  /// The values of the layers after the first, once `changed` and the returns of the point are
  /// known.
  void codeLayers(const std::uint8_t* record, Core& core, unsigned changed) {
    std::uint8_t* last = core.last.data();
    const bool timeChanged = (changed & 16) != 0;
    const unsigned number = last[kAtReturns] & 15;
    const unsigned count = last[kAtReturns] >> 4;
    const unsigned single = unsigned{count == 1};
    const unsigned thisReturn = 2 * unsigned{number == 1} + unsigned{number >= count};
    // A value of two bytes or one, and whether it is another one than before.
    const auto noteChange = [&](Layer layer, bool differs) {
      if constexpr (Coder::kWrites) layers[layer].changed |= differs;
    };
    if (layers[kHeight].used) {
      const int between = std::abs(int(count) - int(number));
      std::int32_t& height = core.heights[std::size_t(std::min(between, 7))];
      const unsigned lengths = (core.x.length() + core.y.length()) / 2;
      height = core.z.code(layers[kHeight].coder, height, single + std::min(lengths & ~1U, 18U),
                           lazGet<std::int32_t>(record, 8));
      noteChange(kHeight, height != lazGet<std::int32_t>(last, 8));
      lazPut(last, 8, height);
    }
    const auto byte = [&](Layer layer, auto& model, unsigned symbols, unsigned before,
                          unsigned given) {
      if (!layers[layer].used) return before;
      const unsigned value = layers[layer].coder.symbol(model, symbols, given);
      noteChange(layer, value != before);
      return value;
    };
    last[kAtClass] = std::uint8_t(
        byte(kClass, core.classes[(last[kAtClass] & 31U) * 2 + unsigned{thisReturn == 3}], 256,
             last[kAtClass], record[kAtClass]));
    // In the record the channel is between the flags; in the stream it is not among them.
    const auto flagsOf = [](std::uint8_t b) { return (b & 15U) | (b >> 2 & 48U); };
    const unsigned lastFlags = flagsOf(last[kAtFlags]);
    const unsigned flags =
        byte(kFlags, core.flags[lastFlags], 64, lastFlags, flagsOf(record[kAtFlags]));
    last[kAtFlags] = std::uint8_t((flags & 15) | channel_ << 4 | (flags & 48) << 2);
    if (layers[kIntensity].used) {
      std::uint16_t& intensity = core.intensities[2 * thisReturn + unsigned{timeChanged}];
      intensity = std::uint16_t(core.intensity.code(layers[kIntensity].coder, intensity, thisReturn,
                                                    lazGet<std::uint16_t>(record, kAtIntensity)));
      noteChange(kIntensity, intensity != lazGet<std::uint16_t>(last, kAtIntensity));
      lazPut(last, kAtIntensity, intensity);
    }
    const auto word = [&](Layer layer, auto& coded, std::size_t at, unsigned its, bool does) {
      if (!does || !layers[layer].used) return;
      noteChange(layer, true);
      const std::int32_t value = coded.code(layers[layer].coder, lazGet<std::uint16_t>(last, at),
                                            its, lazGet<std::uint16_t>(record, at));
      lazPut(last, at, std::uint16_t(value));
    };
    word(kAngle, core.angle, kAtAngle, unsigned{timeChanged}, (changed & 8) != 0);
    last[kAtUser] = std::uint8_t(
        byte(kUser, core.users[last[kAtUser] / 4], 256, last[kAtUser], record[kAtUser]));
    word(kSource, core.source, kAtSource, 0, (changed & 32) != 0);
    if (timeChanged && layers[kTime].used) {
      noteChange(kTime, true);
      lazPut(last, kAtTime,
             core.times.code(layers[kTime].coder,
                             Coder::kWrites ? lazGet<std::int64_t>(record, kAtTime) : 0));
    }
  }

  void codeParts(std::uint8_t* record, bool switched) {
    // In version 3 these values take another channel only from a point where it changes, and 0 from
    // all others; and where that has come before, its first values follow those of the channel
    // before it. Version 4 does neither.
    Part* part = channels_[partChannel_].part.get();
    std::uint8_t* last = part->last.data();
    const unsigned channel = parts_.version >= 4 || switched ? channel_ : 0;
    if (channel != partChannel_) {
      partChannel_ = channel;
      const bool isNew = channels_[channel].part == nullptr;
      if (isNew) std::memcpy(openPart(channel).last.data(), last, tailBytes());
      part = channels_[channel].part.get();
      if (isNew || parts_.version >= 4) last = part->last.data();
    }
    std::size_t at = 0;
    std::size_t layer = kCoreLayers;
    const auto coded = [&](std::size_t bytes, auto code) {
      if constexpr (Coder::kWrites)
        layers[layer].changed |= std::memcmp(record + at, last + at, bytes) != 0;
      if (layers[layer].used) code(layers[layer].coder);
      if constexpr (!Coder::kWrites) std::memcpy(record + at, last + at, bytes);
      at += bytes;
      ++layer;
    };
    if (parts_.colour)
      coded(6, [&](Coder& coder) {
        std::array<std::uint16_t, 3> colour;
        std::memcpy(colour.data(), last, 6);
        part->colour.code(coder, colour.data(), record);
        std::memcpy(last, colour.data(), 6);
      });
    if (parts_.infrared)
      coded(2, [&](Coder& coder) {
        unsigned changed = 0;
        for (unsigned b = 0; b < 2; ++b) changed |= unsigned{record[at + b] != last[at + b]} << b;
        changed = coder.symbol(part->infraredChanged, 4, changed);
        for (unsigned b = 0; b < 2; ++b)
          if (changed >> b & 1) codeByte(coder, part->infrared[b], last[at + b], record[at + b]);
      });
    if (parts_.wave)
      coded(LazWave::kBytes, [&](Coder& coder) { part->wave.code(coder, last + at, record + at); });
    for (std::size_t b = 0; b < parts_.bytes; ++b)
      coded(1, [&](Coder& coder) { codeByte(coder, part->bytes[b], last[at], record[at]); });
  }

  static void codeByte(Coder& coder, LazSymbols<256>& model, std::uint8_t& last,
                       std::uint8_t given) {
    last = std::uint8_t(last + coder.symbol(model, 256, (given - unsigned{last}) & 255));
  }

  Parts parts_;
  std::array<Channel, 4> channels_;
  unsigned channel_ = 0;
  unsigned partChannel_ = 0;
};

}  // namespace clusterloom
