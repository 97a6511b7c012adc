#pragma once

#include <string>
#include <string_view>

namespace clusterloom {

/// Names of columns in FITS are of printable ASCII. A name with other characters is kept in a
/// keyword of our own, with the number of the column, beside one for other readers.
inline constexpr const char* kFitsNameKey = "CLNAM";

/// The name with "_" for each character that FITS does not hold.
std::string asciiName(std::string_view name);
/// The bytes of a name that FITS does not hold as "%C3" and so on, and back.
std::string encodedName(std::string_view name);
std::string decodedName(std::string_view text);

}  // namespace clusterloom
