#include "engine/io/las_layout.h"

#include <algorithm>

namespace clusterloom {
namespace {

constexpr std::array<Scalar, 10> kExtraTypes{
    Scalar::Uint8, Scalar::Int8,   Scalar::Uint16, Scalar::Int16,   Scalar::Uint32,
    Scalar::Int32, Scalar::Uint64, Scalar::Int64,  Scalar::Float32, Scalar::Float64};

}  // namespace

std::vector<LasField> lasFields(int pointFormat) {
  std::vector<LasField> fields{{"intensity", Scalar::Uint16, 12}};
  const auto add = [&](const char* name, Scalar type, std::size_t offset, unsigned shift = 0,
                       unsigned bits = 0) {
    fields.push_back({name, type, offset, shift, bits});
  };
  const bool old = pointFormat < 6;
  if (old) {
    add("classification", Scalar::Uint8, 15, 0, 5);
    add("return_number", Scalar::Uint8, 14, 0, 3);
    add("number_of_returns", Scalar::Uint8, 14, 3, 3);
    add("scan_flags", Scalar::Uint8, 14, 6, 2);
    add("class_flags", Scalar::Uint8, 15, 5, 3);
    add("scan_angle_rank", Scalar::Int8, 16);
    add("user_data", Scalar::Uint8, 17);
    add("point_source_id", Scalar::Uint16, 18);
  } else {
    add("classification", Scalar::Uint8, 16);
    add("return_number", Scalar::Uint8, 14, 0, 4);
    add("number_of_returns", Scalar::Uint8, 14, 4, 4);
    add("scan_flags", Scalar::Uint8, 15, 6, 2);
    add("class_flags", Scalar::Uint8, 15, 0, 4);
    add("scanner_channel", Scalar::Uint8, 15, 4, 2);
    add("scan_angle", Scalar::Int16, 18);
    add("user_data", Scalar::Uint8, 17);
    add("point_source_id", Scalar::Uint16, 20);
  }
  const auto isOneOf = [&](std::initializer_list<int> formats) {
    return std::find(formats.begin(), formats.end(), pointFormat) != formats.end();
  };
  std::size_t at = old ? 20 : 22;
  if (isOneOf({1, 3, 4, 5}) || !old) {
    add("gps_time", Scalar::Float64, at);
    at += 8;
  }
  if (isOneOf({2, 3, 5, 7, 8, 10}))
    for (const char* const name : {"red", "green", "blue"}) {
      add(name, Scalar::Uint16, at);
      at += 2;
    }
  if (isOneOf({8, 10})) {
    add("nir", Scalar::Uint16, at);
    at += 2;
  }
  if (isOneOf({4, 5, 9, 10})) {
    add("wavepacket_index", Scalar::Uint8, at);
    add("wavepacket_offset", Scalar::Uint64, at + 1);
    add("wavepacket_size", Scalar::Uint32, at + 9);
    at += 13;
    for (const char* const name : {"return_point_wave_location", "x_t", "y_t", "z_t"}) {
      add(name, Scalar::Float32, at);
      at += 4;
    }
  }
  return fields;
}

Scalar lasExtraType(std::uint8_t number) { return kExtraTypes.at(number - 1U); }

std::uint8_t lasExtraNumber(Scalar type) {
  const auto found = std::find(kExtraTypes.begin(), kExtraTypes.end(), type);
  return static_cast<std::uint8_t>(found - kExtraTypes.begin() + 1);
}

}  // namespace clusterloom
