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

}  // namespace

std::size_t sizeOf(Scalar type) {
  return withType(type, []<class T>(T) { return sizeof(T); });
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
            NumberSlots out) {
  withType(type, [&]<class T>(T) {
    if (out.type == type)
      decodeAs<T>(bigEndian, first, stride, count, out.as<T>());
    else
      decodeAs<T>(bigEndian, first, stride, count, out.as<double>());
  });
}

double decodeOne(Scalar type, bool bigEndian, const char* bytes) {
  double value = 0;
  decode(type, bigEndian, bytes, 0, 1, {Scalar::Float64, &value});
  return value;
}

}  // namespace clusterloom
