#include "engine/io/fits/fits_names.h"

#include <charconv>

namespace clusterloom {
namespace {

bool isPlain(char c) { return c >= ' ' && c <= '~'; }

}  // namespace

std::string asciiName(std::string_view name) {
  std::string ascii;
  for (const char c : name) {
    // One mark for the bytes of a character.
    const bool follows = (static_cast<unsigned char>(c) & 0xC0) == 0x80;
    if (!follows) ascii += isPlain(c) ? c : '_';
  }
  return ascii;
}

std::string encodedName(std::string_view name) {
  constexpr const char* digits = "0123456789ABCDEF";
  std::string text;
  for (const char c : name) {
    if (isPlain(c) && c != '%') {
      text += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    text += {'%', digits[byte >> 4], digits[byte & 15]};
  }
  return text;
}

std::string decodedName(std::string_view text) {
  std::string name;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned char byte = 0;
    const char* const digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      name += static_cast<char>(byte);
      i += 2;
    } else {
      name += text[i];
    }
  }
  return name;
}

}  // namespace clusterloom
