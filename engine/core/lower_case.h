#pragma once

#include <string>
#include <string_view>

namespace clusterloom {

/// ASCII letters in lower case, in every locale; other bytes unchanged.
inline std::string lowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

}  // namespace clusterloom
