#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

namespace clusterloom {

/// The arithmetic code of LAZ: adaptive models, and a decoder and an encoder with the same
/// interface, so that one function describes how a value is coded in both directions. Where a
/// decoder is passed, the value given is ignored and the one read is returned.
/// [Said 2004, FastAC; Isenburg 2013, §4]

/// How often each of several symbols came so far. Ready when it is used first.
template <unsigned Most>
struct LazSymbols {
  static constexpr unsigned kBits = 15;  ///< of a cumulated probability
  static constexpr std::uint32_t kMostCount = std::uint32_t{1} << kBits;
  /// Of the number of cells of the table that finds a symbol by its probability.
  static constexpr unsigned kTableBits = Most <= 16 ? 3 : Most <= 64 ? 5 : Most <= 256 ? 7 : 8;
  /// Symbols behind the one in the table that are compared at once.
  static constexpr unsigned kAhead = 3;

  std::uint32_t symbols = 0;  ///< 0: not ready
  std::uint32_t untilUpdate = 0;
  std::uint32_t cycle = 0;
  std::uint32_t total = 0;
  std::uint32_t shift = 0;  ///< from a probability to its cell
  /// The symbol with more than three quarters of the probability, and its range; empty where there
  /// is none.
  std::uint32_t likely = 0;
  std::uint32_t likelyFrom = 0;
  std::uint32_t likelyTo = 0;
  std::array<std::uint16_t, Most> counts;
  /// The probability of all symbols before, cumulated; behind the last one more than any value.
  std::array<std::uint16_t, Most + kAhead> from;
  std::array<std::uint16_t, (1U << kTableBits) + 1> first;  ///< the first symbol of each cell

  LazSymbols() {}  // the arrays are filled by the first use

  void start(unsigned number) {
    symbols = cycle = number;
    shift = kBits - std::min(kTableBits, unsigned(std::bit_width(number)));
    std::fill_n(counts.begin(), number, std::uint16_t{1});
    std::fill_n(from.begin() + number, kAhead, UINT16_MAX);
    update();
    untilUpdate = cycle = (number + 6) / 2;
  }

  void count(unsigned symbol) {
    ++counts[symbol];
    if (--untilUpdate == 0) update();
  }

  /// The symbol at a cumulated probability. Compared without jumps, which would be hard to predict.
  unsigned find(std::uint32_t wanted) const {
    unsigned s = first[wanted >> shift];
    s += unsigned{from[s + 1] <= wanted} + unsigned{from[s + 2] <= wanted} +
         unsigned{from[s + kAhead] <= wanted};
    while (from[s + 1] <= wanted) ++s;
    return s;
  }

  void update() {
    total += cycle;
    if (total > kMostCount) {
      total = 0;
      for (unsigned s = 0; s < symbols; ++s) {
        counts[s] = std::uint16_t((counts[s] + 1) / 2);
        total += counts[s];
      }
    }
    const std::uint32_t scale = 0x80000000U / total;
    std::uint32_t sum = 0;
    likely = symbols;
    for (unsigned s = 0; s < symbols; ++s) {
      from[s] = std::uint16_t(scale * sum >> (31 - kBits));
      sum += counts[s];
      if (4U * counts[s] > 3 * total) likely = s;
    }
    // The range of the last symbol ends elsewhere: where the interval does.
    const bool has = likely + 1 < symbols;
    likelyFrom = has ? from[likely] : 0;
    likelyTo = has ? from[likely + 1] : 0;
    unsigned symbol = 0;
    for (unsigned cell = 0; cell <= kMostCount >> shift; ++cell) {
      while (from[symbol + 1] <= cell << shift) ++symbol;
      first[cell] = std::uint16_t(symbol);
    }
    cycle = std::min(5 * cycle / 4, (symbols + 6) * 8);
    untilUpdate = cycle;
  }
};

/// The same for a bit.
struct LazBit {
  static constexpr unsigned kBits = 13;

  std::uint32_t zeros = 1;
  std::uint32_t all = 2;
  std::uint32_t ofZero = 1U << (kBits - 1);
  std::uint32_t cycle = 4;
  std::uint32_t untilUpdate = 4;

  void count(unsigned bit) {
    zeros += 1 - bit;
    if (--untilUpdate > 0) return;
    all += cycle;
    if (all > 1U << kBits) {
      all = (all + 1) / 2;
      zeros = (zeros + 1) / 2;
      if (zeros == all) ++all;
    }
    const std::uint32_t scale = 0x80000000U / all;
    ofZero = zeros * scale >> (31 - kBits);
    cycle = std::min(5 * cycle / 4, 64U);
    untilUpdate = cycle;
  }
};

inline constexpr std::uint32_t kLazLeast = std::uint32_t{1} << 24;  ///< of an interval's length

/// Reads what an encoder wrote. Any bytes decode to something; where there are too few of them,
/// zeros follow and `missing` counts.
class LazDecoder {
 public:
  static constexpr bool kWrites = false;

  LazDecoder() = default;
  explicit LazDecoder(std::span<const std::uint8_t> bytes)
      : at_(bytes.data()), end_(bytes.data() + bytes.size()) {
    for (int i = 0; i < 4; ++i) value_ = value_ << 8 | next();
    value_ = std::min(value_, length_ - 1);  // other values are not written
  }

  /// Bytes that were wanted behind the end.
  std::size_t missing() const { return missing_; }

  template <unsigned Most>
  unsigned symbol(LazSymbols<Most>& model, unsigned symbols, unsigned /*given*/ = 0) {
    if (model.symbols == 0) model.start(symbols);
    const std::uint32_t step = length_ >> LazSymbols<Most>::kBits;
    unsigned s = model.likely;
    std::uint32_t before = step * model.likelyFrom;
    std::uint32_t after = step * model.likelyTo;
    // A processor predicts this jump and goes on without waiting for the division and the search.
    if (value_ < before || value_ >= after) {
      // At most 63 more than a probability can be, and so in the last cell: step is at least 512.
      s = model.find(value_ / step);
      before = step * model.from[s];
      after = s + 1 == symbols ? length_ : step * model.from[s + 1];
    }
    length_ = after - before;
    value_ -= before;
    fillUp();
    model.count(s);
    return s;
  }

  unsigned bit(LazBit& model, unsigned /*given*/ = 0) {
    const std::uint32_t zero = model.ofZero * (length_ >> LazBit::kBits);
    const unsigned bit = value_ >= zero ? 1 : 0;
    if (bit == 0) {
      length_ = zero;
    } else {
      value_ -= zero;
      length_ -= zero;
    }
    fillUp();
    model.count(bit);
    return bit;
  }

  /// 1 to 32 bits that are as often 0 as 1.
  std::uint32_t bits(unsigned number, std::uint32_t /*given*/ = 0) {
    if (number > 19) {
      const std::uint32_t low = bits(16);
      return bits(number - 16) << 16 | low;
    }
    length_ >>= number;
    const std::uint32_t all = value_ / length_;
    value_ -= all * length_;
    fillUp();
    return all & ((std::uint32_t{1} << number) - 1);
  }

 private:
  std::uint32_t next() {
    if (at_ != end_) return *at_++;
    ++missing_;
    return 0;
  }
  /// Shifts whole bytes in until the length is at least kLazLeast.
  [[gnu::always_inline]] void fillUp() {
    if (end_ - at_ >= 4) {
      const unsigned bits = unsigned(std::countl_zero(length_)) & 24;
      std::uint32_t bytes = 0;
      std::memcpy(&bytes, at_, sizeof bytes);
      const std::uint64_t ahead = std::uint64_t{value_} << 32 | __builtin_bswap32(bytes);
      value_ = std::uint32_t(ahead << bits >> 32);
      length_ <<= bits;
      at_ += bits / 8;
      return;
    }
    while (length_ < kLazLeast) {
      value_ = value_ << 8 | next();
      length_ <<= 8;
    }
  }

  std::uint32_t value_ = 0;
  std::uint32_t length_ = UINT32_MAX;
  const std::uint8_t* at_ = nullptr;
  const std::uint8_t* end_ = nullptr;
  std::size_t missing_ = 0;
};

class LazEncoder {
 public:
  static constexpr bool kWrites = true;

  template <unsigned Most>
  unsigned symbol(LazSymbols<Most>& model, unsigned symbols, unsigned given) {
    if (model.symbols == 0) model.start(symbols);
    const std::uint32_t step = length_ >> LazSymbols<Most>::kBits;
    const std::uint32_t before = step * model.from[given];
    length_ = given + 1 == symbols ? length_ - before : step * model.from[given + 1] - before;
    add(before);
    pushOut();
    model.count(given);
    return given;
  }

  unsigned bit(LazBit& model, unsigned given) {
    const std::uint32_t zero = model.ofZero * (length_ >> LazBit::kBits);
    if (given == 0) {
      length_ = zero;
    } else {
      add(zero);
      length_ -= zero;
    }
    pushOut();
    model.count(given);
    return given;
  }

  std::uint32_t bits(unsigned number, std::uint32_t given) {
    if (number > 19) {
      bits(16, given & 0xFFFF);
      bits(number - 16, given >> 16);
      return given;
    }
    length_ >>= number;
    add(given * length_);
    pushOut();
    return given;
  }

  /// All bytes; nothing may be coded after it.
  std::string finish() {
    const bool wide = length_ > 2 * kLazLeast;
    add(wide ? kLazLeast : kLazLeast / 2);
    length_ = wide ? kLazLeast / 2 : kLazLeast / 512;
    pushOut();
    bytes_.append(wide ? 3 : 2, '\0');  // what a decoder reads ahead
    return std::move(bytes_);
  }

 private:
  void add(std::uint32_t offset) {
    base_ += offset;
    if (base_ >= offset) return;
    std::size_t i = bytes_.size();
    while (bytes_[--i] == '\xFF') bytes_[i] = '\0';
    ++bytes_[i];
  }
  void pushOut() {
    while (length_ < kLazLeast) {
      bytes_ += static_cast<char>(base_ >> 24);
      base_ <<= 8;
      length_ <<= 8;
    }
  }

  std::uint32_t base_ = 0;
  std::uint32_t length_ = UINT32_MAX;
  std::string bytes_;
};

/// Integers of `Bits` bits as differences from what is expected: the number of bits of the
/// difference, in a context, its leading bits, and the rest as they are. [Isenburg 2013, §4.2]
template <unsigned Bits, unsigned Contexts>
class LazIntegers {
 public:
  template <class Coder>
  std::int32_t code(Coder& coder, std::int32_t expected, unsigned context, std::int32_t given = 0) {
    std::uint32_t difference = 0;
    if constexpr (Coder::kWrites) {
      difference = std::uint32_t(given) - std::uint32_t(expected);
      if constexpr (Bits < 32) {
        const auto signedOne = std::int32_t(difference);
        if (signedOne < -kHalf) difference += kRange;
        if (signedOne >= kHalf) difference -= kRange;
      }
    }
    difference = codeDifference(coder, context, difference);
    const auto value = std::int32_t(std::uint32_t(expected) + difference);
    if constexpr (Bits < 32) return value & std::int32_t(kRange - 1);
    return value;
  }

  /// The bits that the last difference had.
  unsigned length() const { return length_; }

 private:
  static constexpr std::uint32_t kRange = Bits < 32 ? std::uint32_t{1} << (Bits % 32) : 0;
  static constexpr std::int32_t kHalf = std::int32_t(kRange / 2);
  static constexpr unsigned kLeading = 8;

  template <class Coder>
  std::uint32_t codeDifference(Coder& coder, unsigned context, std::uint32_t given) {
    if constexpr (Coder::kWrites) {
      const auto signedOne = std::int32_t(given);
      std::uint32_t size = signedOne <= 0 ? 0U - given : given - 1;
      for (length_ = 0; size != 0; size >>= 1) ++length_;
    }
    length_ = coder.symbol(lengths_[context], Bits + 1, length_);
    if (length_ == 0) return coder.bit(small_, given);
    if (length_ == 32) return 0x80000000U;
    const std::uint32_t lowest = (std::uint32_t{1} << length_) - 1;
    std::uint32_t code = 0;
    if constexpr (Coder::kWrites) code = std::int32_t(given) < 0 ? given + lowest : given - 1;
    if (length_ <= kLeading) {
      code = coder.symbol(leading_[length_], 1U << length_, code);
    } else {
      const unsigned rest = length_ - kLeading;
      const std::uint32_t mask = (std::uint32_t{1} << rest) - 1;
      const std::uint32_t top = coder.symbol(leading_[length_], 1U << kLeading, code >> rest);
      code = top << rest | coder.bits(rest, code & mask);
    }
    return code >= std::uint32_t{1} << (length_ - 1) ? code + 1 : code - lowest;
  }

  unsigned length_ = 0;
  std::array<LazSymbols<Bits + 1>, Contexts> lengths_;
  LazBit small_;
  std::array<LazSymbols<256>, Bits + 1> leading_;  ///< by length
};

}  // namespace clusterloom
