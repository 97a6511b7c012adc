#include "engine/io/las/las_layout.h"

#include <algorithm>
#include <charconv>

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
    add("scan_direction_flag", Scalar::Uint8, 14, 6, 1);
    add("edge_of_flight_line", Scalar::Uint8, 14, 7, 1);
    add("synthetic", Scalar::Uint8, 15, 5, 1);
    add("key_point", Scalar::Uint8, 15, 6, 1);
    add("withheld", Scalar::Uint8, 15, 7, 1);
    add("scan_angle_rank", Scalar::Int8, 16);
    add("user_data", Scalar::Uint8, 17);
    add("point_source_id", Scalar::Uint16, 18);
  } else {
    add("classification", Scalar::Uint8, 16);
    add("return_number", Scalar::Uint8, 14, 0, 4);
    add("number_of_returns", Scalar::Uint8, 14, 4, 4);
    add("scan_direction_flag", Scalar::Uint8, 15, 6, 1);
    add("edge_of_flight_line", Scalar::Uint8, 15, 7, 1);
    add("synthetic", Scalar::Uint8, 15, 0, 1);
    add("key_point", Scalar::Uint8, 15, 1, 1);
    add("withheld", Scalar::Uint8, 15, 2, 1);
    add("overlap", Scalar::Uint8, 15, 3, 1);
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

std::string lasWords(const std::string& column, const std::vector<std::string>& words) {
  std::string text = std::to_string(words.size()) + " " + escapedLine(column) + "\n";
  for (const std::string& word : words) text += escapedLine(word) + "\n";
  return text;
}

KeptWords readLasWords(std::string_view content) {
  KeptWords kept;
  const auto nextLine = [&] {
    const std::size_t end = std::min(content.find('\n'), content.size());
    const std::string_view line = content.substr(0, end);
    content.remove_prefix(std::min(end + 1, content.size()));
    return line;
  };
  while (!content.empty()) {
    const std::string_view head = nextLine();
    std::size_t count = 0;
    const auto [stop, error] = std::from_chars(head.data(), head.data() + head.size(), count);
    if (error != std::errc() || stop == head.data() + head.size() || *stop != ' ') break;
    const std::string column = unescapedLine(head.substr(std::size_t(stop - head.data()) + 1));
    std::vector<std::string> words;
    while (words.size() < count && !content.empty()) words.push_back(unescapedLine(nextLine()));
    if (words.size() == count) kept[column] = std::move(words);
  }
  return kept;
}

Scalar lasExtraType(std::uint8_t number) { return kExtraTypes.at(number - 1U); }

std::uint8_t lasExtraNumber(Scalar type) {
  const auto found = std::find(kExtraTypes.begin(), kExtraTypes.end(), type);
  return std::uint8_t(found - kExtraTypes.begin() + 1);
}

}  // namespace clusterloom
