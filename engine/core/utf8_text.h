#pragma once

#include <string>
#include <string_view>

namespace clusterloom {

/// The text with U+FFFD in place of each byte that is not part of UTF-8: names of files and cells
/// may hold any bytes, terminals and Python take text only.
std::string asUtf8(std::string_view text);

/// Whether `asUtf8` leaves the text unchanged.
bool isUtf8(std::string_view text);

/// A text of ISO 8859-1 as UTF-8.
std::string utf8OfLatin1(std::string_view text);

}  // namespace clusterloom
