#include "engine/io/scalar.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "engine/io/numbers.h"

namespace clusterloom {
namespace {

static_assert(std::endian::native == std::endian::little, "decode() swaps for little-endian hosts");

template <class T, bool Swap>
void decodeAs(const char* first, std::size_t stride, std::size_t count, double* out) {
  for (std::size_t i = 0; i < count; ++i, first += stride) {
    std::array<char, sizeof(T)> bytes;
    std::memcpy(bytes.data(), first, sizeof(T));
    if constexpr (Swap)
      for (std::size_t b = 0; b < sizeof(T) / 2; ++b) std::swap(bytes[b], bytes[sizeof(T) - 1 - b]);
    out[i] = static_cast<double>(std::bit_cast<T>(bytes));
  }
}

template <class T>
void decodeAs(bool bigEndian, const char* first, std::size_t stride, std::size_t count,
              double* out) {
  if (sizeof(T) > 1 && bigEndian)
    decodeAs<T, true>(first, stride, count, out);
  else if (stride == sizeof(T))
    decodeAs<T, false>(first, sizeof(T), count, out);  // a constant stride: vectorised
  else
    decodeAs<T, false>(first, stride, count, out);
}

}  // namespace

std::size_t sizeOf(Scalar type) {
  switch (type) {
    case Scalar::Int8:
    case Scalar::Uint8:
      return 1;
    case Scalar::Int16:
    case Scalar::Uint16:
      return 2;
    case Scalar::Int32:
    case Scalar::Uint32:
    case Scalar::Float32:
      return 4;
    case Scalar::Int64:
    case Scalar::Uint64:
    case Scalar::Float64:
      return 8;
  }
  return 0;
}

std::string toText(Scalar type) {
  switch (type) {
    case Scalar::Int8:
      return "int8";
    case Scalar::Uint8:
      return "uint8";
    case Scalar::Int16:
      return "int16";
    case Scalar::Uint16:
      return "uint16";
    case Scalar::Int32:
      return "int32";
    case Scalar::Uint32:
      return "uint32";
    case Scalar::Int64:
      return "int64";
    case Scalar::Uint64:
      return "uint64";
    case Scalar::Float32:
      return "float32";
    case Scalar::Float64:
      return "float64";
  }
  return "";
}

void decode(Scalar type, bool bigEndian, const char* first, std::size_t stride, std::size_t count,
            double* out) {
  switch (type) {
    case Scalar::Int8:
      return decodeAs<std::int8_t>(bigEndian, first, stride, count, out);
    case Scalar::Uint8:
      return decodeAs<std::uint8_t>(bigEndian, first, stride, count, out);
    case Scalar::Int16:
      return decodeAs<std::int16_t>(bigEndian, first, stride, count, out);
    case Scalar::Uint16:
      return decodeAs<std::uint16_t>(bigEndian, first, stride, count, out);
    case Scalar::Int32:
      return decodeAs<std::int32_t>(bigEndian, first, stride, count, out);
    case Scalar::Uint32:
      return decodeAs<std::uint32_t>(bigEndian, first, stride, count, out);
    case Scalar::Int64:
      return decodeAs<std::int64_t>(bigEndian, first, stride, count, out);
    case Scalar::Uint64:
      return decodeAs<std::uint64_t>(bigEndian, first, stride, count, out);
    case Scalar::Float32:
      return decodeAs<float>(bigEndian, first, stride, count, out);
    case Scalar::Float64:
      return decodeAs<double>(bigEndian, first, stride, count, out);
  }
}

double decodeOne(Scalar type, bool bigEndian, const char* bytes) {
  double value = 0;
  decode(type, bigEndian, bytes, 0, 1, &value);
  return value;
}

std::string scalarText(Scalar type, double value) {
  return type == Scalar::Float32 ? floatText(static_cast<float>(value)) : numberText(value);
}

}  // namespace clusterloom
