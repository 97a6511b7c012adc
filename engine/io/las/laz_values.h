#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "engine/io/las/laz_coder.h"

namespace clusterloom {

/// The parts of a point that LAZ codes alike in the old point formats (0 to 5) and in the new ones
/// (6 to 10, where a model belongs to a layer and a scanner channel). Records are those of LAS.

template <class T>
T lazGet(const std::uint8_t* bytes, std::size_t at = 0) {
  T value;
  std::memcpy(&value, bytes + at, sizeof(T));
  return value;
}
template <class T>
void lazPut(std::uint8_t* bytes, std::size_t at, T value) {
  std::memcpy(bytes + at, &value, sizeof(T));
}

/// Differences of integers that may wrap.
inline std::int32_t lazMinus(std::int32_t a, std::int32_t b) {
  return std::int32_t(std::uint32_t(a) - std::uint32_t(b));
}
inline std::int32_t lazPlus(std::int32_t a, std::int32_t b) {
  return std::int32_t(std::uint32_t(a) + std::uint32_t(b));
}

/// About the median of the last five values: each new one displaces the highest and the lowest in
/// turn, as long as it is on the other side of the median.
class LazMedian {
 public:
  std::int32_t value() const { return values_[2]; }
  void add(std::int32_t v) {
    const std::int32_t median = values_[2];
    const auto* const kept = values_.data() + (dropsHighest_ ? 0 : 1);  // four, ascending
    dropsHighest_ = dropsHighest_ ? v < median : v <= median;
    values_ = {std::min(kept[0], v), std::max(kept[0], std::min(kept[1], v)),
               std::max(kept[1], std::min(kept[2], v)), std::max(kept[2], std::min(kept[3], v)),
               std::max(kept[3], v)};
  }

 private:
  std::array<std::int32_t, 5> values_{};
  bool dropsHighest_ = true;
};

/// GPS times: multiples of the last difference in one of four sequences. The new formats say
/// elsewhere that a time is the same as the last.
template <bool kNew>
class LazTimes {
 public:
  void start(std::int64_t bits) { times_ = {bits, 0, 0, 0}; }
  std::int64_t last() const { return times_[last_]; }

  /// The bits of the double.
  template <class Coder>
  std::int64_t code(Coder& coder, std::int64_t given = 0) {
    // A writer changes the sequence once; damaged bytes may ask for it again and again.
    for (int changes = 0; changes < 4; ++changes)
      if (differences_[last_] == 0 ? codeFirst(coder, given) : codeMultiple(coder, given)) break;
    return times_[last_];
  }

 private:
  static constexpr unsigned kSame = kNew ? 0 : 1;  ///< codes that say so
  static constexpr int kMost = 500;
  static constexpr int kLeast = -10;
  static constexpr unsigned kWhole = 511 + kSame;  ///< a time without a relation to others

  /// The difference where it has 32 bits.
  static bool differs(std::int64_t a, std::int64_t b, std::int32_t& difference) {
    const auto wide = std::int64_t(std::uint64_t(a) - std::uint64_t(b));
    difference = std::int32_t(wide);
    return difference == wide;
  }
  void advance(std::int32_t difference) {
    times_[last_] =
        std::int64_t(std::uint64_t(times_[last_]) + std::uint64_t(std::int64_t(difference)));
  }
  /// How many sequences further one is near the time; 0: none.
  unsigned nearSequence(std::int64_t given) const {
    std::int32_t ignored = 0;
    for (unsigned i = 1; i < 4; ++i)
      if (differs(given, times_[(last_ + i) & 3], ignored)) return i;
    return 0;
  }

  template <class Coder>
  void codeWhole(Coder& coder, std::int64_t given) {
    const auto high = std::int32_t(times_[last_] >> 32);
    const auto top = std::uint32_t(integers_.code(coder, high, 8, std::int32_t(given >> 32)));
    const std::uint32_t low = coder.bits(32, std::uint32_t(given));
    last_ = next_ = (next_ + 1) & 3;
    times_[last_] = std::int64_t(std::uint64_t(top) << 32 | low);
    differences_[last_] = 0;
    extremes_[last_] = 0;
  }

  /// Codes where no difference is known; false: in another sequence.
  template <class Coder>
  bool codeFirst(Coder& coder, std::int64_t given) {
    unsigned symbol = 0;
    std::int32_t difference = 0;
    if constexpr (Coder::kWrites) {
      if (kNew || given != times_[last_]) {
        symbol = kSame;
        if (!differs(given, times_[last_], difference)) {
          const unsigned other = nearSequence(given);
          symbol = kSame + 1 + other;
        }
      }
    }
    symbol = coder.symbol(first_, 5 + kSame, symbol);
    if (symbol < kSame) return true;
    if (symbol == kSame) {
      differences_[last_] = integers_.code(coder, 0, 0, difference);
      advance(differences_[last_]);
      extremes_[last_] = 0;
    } else if (symbol == kSame + 1) {
      codeWhole(coder, given);
    } else {
      last_ = (last_ + symbol - kSame - 1) & 3;
      return false;
    }
    return true;
  }

  template <class Coder>
  bool codeMultiple(Coder& coder, std::int64_t given) {
    unsigned symbol = 0;
    std::int32_t difference = 0;
    if constexpr (Coder::kWrites) {
      if (!kNew && given == times_[last_]) {
        symbol = kWhole - 1;
      } else if (differs(given, times_[last_], difference)) {
        const double ratio = double(difference) / double(differences_[last_]);
        const int multiple = int(std::clamp(ratio + (ratio < 0 ? -0.5 : 0.5), -11.0, 501.0));
        symbol = unsigned(multiple >= 0 ? std::min(multiple, kMost)
                                        : kMost - std::max(multiple, kLeast));
      } else {
        symbol = kWhole + nearSequence(given);
      }
    }
    symbol = coder.symbol(multiples_, 515 + kSame, symbol);
    if (symbol > kWhole) {
      last_ = (last_ + symbol - kWhole) & 3;
      return false;
    }
    if (symbol == kWhole) {
      codeWhole(coder, given);
    } else if (kNew || symbol != kWhole - 1) {
      const int code = int(symbol);
      const int multiple = code <= kMost ? code : kMost - code;
      const unsigned context = multiple == 0       ? 7
                               : multiple == 1     ? 1
                               : multiple == kMost ? 4
                               : multiple >= 10    ? 3
                               : multiple > 0      ? 2
                               : multiple > kLeast ? 5
                                                   : 6;
      const auto expected =
          std::int32_t(std::uint32_t(multiple) * std::uint32_t(differences_[last_]));
      difference = integers_.code(coder, expected, context, difference);
      advance(difference);
      if (multiple == 1) {
        extremes_[last_] = 0;
      } else if (multiple == 0 || multiple == kMost || multiple == kLeast) {
        if (++extremes_[last_] > 3) {
          differences_[last_] = difference;
          extremes_[last_] = 0;
        }
      }
    }
    return true;
  }

  unsigned last_ = 0;
  unsigned next_ = 0;
  std::array<std::int64_t, 4> times_{};
  std::array<std::int32_t, 4> differences_{};
  std::array<int, 4> extremes_{};
  LazSymbols<6> first_;
  LazSymbols<516> multiples_;
  LazIntegers<32, 9> integers_;
};

/// Red, green and blue: which of their bytes changed, and differences that follow those of red.
class LazColour {
 public:
  template <class Coder>
  void code(Coder& coder, std::uint16_t* last, std::uint8_t* record) {
    std::array<std::uint16_t, 3> colour{};
    unsigned changed = 0;
    if constexpr (Coder::kWrites) {
      std::memcpy(colour.data(), record, sizeof colour);
      for (unsigned c = 0; c < 3; ++c) {
        changed |= unsigned{low(colour[c]) != low(last[c])} << 2 * c;
        changed |= unsigned{high(colour[c]) != high(last[c])} << (2 * c + 1);
      }
      const bool grey = colour[1] == colour[0] && colour[2] == colour[0];
      changed |= unsigned{!grey} << 6;
    }
    changed = coder.symbol(changed_, 128, changed);
    const auto has = [&](unsigned bit) { return (changed >> bit & 1) != 0; };
    // One byte, given what is expected.
    const auto byte = [&](unsigned model, unsigned bit, unsigned expected, unsigned before,
                          unsigned given) {
      if (!has(bit)) return before;
      return (expected + coder.symbol(differences_[model], 256, (given - expected) & 255)) & 255;
    };
    unsigned redLow = byte(0, 0, low(last[0]), low(last[0]), low(colour[0]));
    unsigned redHigh = byte(1, 1, high(last[0]), high(last[0]), high(colour[0]));
    std::array<unsigned, 3> lows{redLow, redLow, redLow};
    std::array<unsigned, 3> highs{redHigh, redHigh, redHigh};
    if (has(6)) {
      // Models 2 and 4 are of the low bytes of green and blue, 3 and 5 of the high ones.
      const auto others = [&](std::array<unsigned, 3>& bytes, auto part, unsigned firstModel) {
        const int red = int(bytes[0]) - int(part(last[0]));
        bytes[1] = byte(firstModel, firstModel, limited(red + int(part(last[1]))), part(last[1]),
                        part(colour[1]));
        const int green = int(bytes[1]) - int(part(last[1]));
        bytes[2] =
            byte(firstModel + 2, firstModel + 2, limited((red + green) / 2 + int(part(last[2]))),
                 part(last[2]), part(colour[2]));
      };
      others(lows, &low, 2);
      others(highs, &high, 3);
    }
    for (unsigned c = 0; c < 3; ++c) {
      last[c] = std::uint16_t(highs[c] << 8 | lows[c]);
      if constexpr (!Coder::kWrites) lazPut(record, 2 * c, last[c]);
    }
  }

 private:
  static unsigned low(std::uint16_t value) { return value & 255U; }
  static unsigned high(std::uint16_t value) { return value >> 8U; }
  static unsigned limited(int value) { return unsigned(std::clamp(value, 0, 255)); }

  LazSymbols<128> changed_;
  std::array<LazSymbols<256>, 6> differences_;
};

/// The 29 bytes that refer to a wave packet.
class LazWave {
 public:
  static constexpr std::size_t kBytes = 29;

  template <class Coder>
  void code(Coder& coder, std::uint8_t* last, std::uint8_t* record) {
    const auto lastOffset = lazGet<std::uint64_t>(last, 1);
    const auto lastSize = lazGet<std::uint32_t>(last, 9);
    last[0] = std::uint8_t(coder.symbol(index_, 256, record[0]));
    auto offset = Coder::kWrites ? lazGet<std::uint64_t>(record, 1) : lastOffset;
    std::int32_t step = 0;
    unsigned kind = 0;
    if constexpr (Coder::kWrites) {
      step = std::int32_t(offset - lastOffset);
      const bool near = std::uint64_t(std::int64_t{step}) == offset - lastOffset;
      kind = offset == lastOffset ? 0 : offset == lastOffset + lastSize ? 1 : near ? 2 : 3;
    }
    kind = kind_ = coder.symbol(kinds_[kind_], 4, kind);
    if (kind == 1) offset = lastOffset + lastSize;
    if (kind == 2) {
      step_ = steps_.code(coder, step_, 0, step);
      offset = lastOffset + std::uint64_t(std::int64_t{step_});
    }
    if (kind == 3) {
      const std::uint64_t low = coder.bits(32, std::uint32_t(offset));
      const std::uint64_t top = coder.bits(32, std::uint32_t(offset >> 32));
      offset = top << 32 | low;
    }
    lazPut(last, 1, offset);
    const auto integer = [&](auto& coded, std::size_t at, unsigned context) {
      const auto given = Coder::kWrites ? lazGet<std::int32_t>(record, at) : 0;
      lazPut(last, at, coded.code(coder, lazGet<std::int32_t>(last, at), context, given));
    };
    integer(sizes_, 9, 0);
    integer(places_, 13, 0);
    for (unsigned j = 0; j < 3; ++j) integer(directions_, 17 + 4 * j, j);
    if constexpr (!Coder::kWrites) std::memcpy(record, last, kBytes);
  }

 private:
  LazSymbols<256> index_;
  std::array<LazSymbols<4>, 4> kinds_;
  unsigned kind_ = 0;
  std::int32_t step_ = 0;
  LazIntegers<32, 1> steps_;
  LazIntegers<32, 1> sizes_;
  LazIntegers<32, 1> places_;
  LazIntegers<32, 3> directions_;
};

}  // namespace clusterloom
