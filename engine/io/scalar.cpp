#include "engine/io/scalar.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

namespace clusterloom {
namespace {

static_assert(std::endian::native == std::endian::little, "decode() swaps for little-endian hosts");

template <class T, bool Swap, class Out>
void decodeAs(const char* first, std::size_t stride, std::size_t count, Out* out) {
  for (std::size_t i = 0; i < count; ++i, first += stride) {
    std::array<char, sizeof(T)> bytes;
    std::memcpy(bytes.data(), first, sizeof(T));
    if constexpr (Swap)
      for (std::size_t b = 0; b < sizeof(T) / 2; ++b) std::swap(bytes[b], bytes[sizeof(T) - 1 - b]);
    out[i] = static_cast<Out>(std::bit_cast<T>(bytes));
  }
}

template <class T, class Out>
void decodeAs(bool bigEndian, const char* first, std::size_t stride, std::size_t count, Out* out) {
  if (sizeof(T) > 1 && bigEndian)
    decodeAs<T, true>(first, stride, count, out);
  else if (stride == sizeof(T))
    decodeAs<T, false>(first, sizeof(T), count, out);  // a constant stride: vectorised
  else
    decodeAs<T, false>(first, stride, count, out);
}

/// Exact: every such number is a float.
float floatOfHalf(std::uint16_t bits) {
  constexpr int kBias = 15;
  constexpr std::uint32_t kMostExponent = 31;
  const std::uint32_t sign = std::uint32_t(bits >> 15) << 31;
  const std::uint32_t exponent = bits >> 10 & kMostExponent;
  const std::uint32_t mantissa = bits & 0x3ffU;
  if (exponent == 0) {  // zero and subnormal numbers
    const float size = std::ldexp(float(mantissa), 1 - kBias - 10);
    return sign == 0 ? size : -size;
  }
  const std::uint32_t wide = exponent == kMostExponent ? 255 : exponent - kBias + 127;
  return std::bit_cast<float>(sign | wide << 23 | mantissa << 13);
}

}  // namespace

std::size_t sizeOf(Scalar type) {
  return withType(type, []<class T>(T) { return sizeof(T); });
}

char kindOf(Scalar type) {
  return withType(type, []<class T>(T) {
    return std::is_floating_point_v<T> ? 'F' : std::is_signed_v<T> ? 'I' : 'U';
  });
}

std::optional<Scalar> scalarOf(char kind, std::uint64_t bytes) {
  for (int i = 0; i <= int(Scalar::Float64); ++i)
    if (const auto type = Scalar(i); kindOf(type) == kind && sizeOf(type) == bytes) return type;
  return std::nullopt;
}

std::string toText(Scalar type) {
  const char kind = kindOf(type);
  return (kind == 'F' ? "float" : kind == 'U' ? "uint" : "int") + std::to_string(8 * sizeOf(type));
}

void decode(Scalar type, bool bigEndian, const char* first, std::size_t stride, std::size_t count,
            NumberSlots out) {
  withType(type, [&]<class T>(T) {
    if (out.type == type)
      decodeAs<T>(bigEndian, first, stride, count, out.as<T>());
    else
      decodeAs<T>(bigEndian, first, stride, count, out.as<double>());
  });
}

void decodeHalves(bool bigEndian, const char* first, std::size_t stride, std::size_t count,
                  NumberSlots out) {
  for (std::size_t i = 0; i < count; ++i, first += stride) {
    const auto low = static_cast<unsigned char>(first[bigEndian ? 1 : 0]);
    const auto high = static_cast<unsigned char>(first[bigEndian ? 0 : 1]);
    const float value = floatOfHalf(std::uint16_t(high << 8 | low));
    if (out.type == Scalar::Float32)
      out.as<float>()[i] = value;
    else
      out.as<double>()[i] = double(value);
  }
}

double decodeOne(Scalar type, bool bigEndian, const char* bytes) {
  double value = 0;
  decode(type, bigEndian, bytes, 0, 1, {Scalar::Float64, &value});
  return value;
}

}  // namespace clusterloom
