#pragma once

#include <QString>
#include <cstdint>

#include "engine/hierarchy/eps_advice.h"

namespace clusterloom {

/// What an exact curve says of an ε, as "8 clusters from ε 1.21 to 1.74; then 7. Stable."
QString adviceText(const EpsAdvice& advice, std::uint64_t points);

/// Why an ε is worth trying, as "8 clusters over ε × 1.44, 6.3 % noise".
QString choiceText(const EpsChoice& choice, std::uint64_t points);

}  // namespace clusterloom
