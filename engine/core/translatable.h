#pragma once

#include <string>

namespace clusterloom {

/// Marks an English text that the window translates: resources/translations/update collects it for
/// translators. Stages given as literals to functions that report progress need no mark.
constexpr const char* translatable(const char* english) { return english; }

/// `phrase` with its %1 replaced by `value`.
inline std::string withValue(std::string phrase, const std::string& value) {
  return phrase.replace(phrase.find("%1"), 2, value);
}

}  // namespace clusterloom
