#pragma once

#include <string>

#include "engine/io/write.h"

namespace clusterloom {

/// A PNG picture with the lines as text (iTXt) behind its header, under their names. `png` is
/// complete.
std::string withText(const std::string& png, const Provenance& lines);

}  // namespace clusterloom
