#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace clusterloom {

/// The number types binary files hold.
enum class Scalar { Int8, Uint8, Int16, Uint16, Int32, Uint32, Int64, Uint64, Float32, Float64 };

std::size_t sizeOf(Scalar type);

/// "int8" … "float64".
std::string toText(Scalar type);

/// Decodes `count` values, `stride` bytes apart, into doubles. Integers beyond 2⁵³ are rounded to
/// the nearest double.
void decode(Scalar type, bool bigEndian, const char* first, std::size_t stride, std::size_t count,
            double* out);
double decodeOne(Scalar type, bool bigEndian, const char* bytes);

/// The value as a preview shows it: the shortest digits that are exact for its type.
std::string scalarText(Scalar type, double value);

}  // namespace clusterloom
