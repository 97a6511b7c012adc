#pragma once

#include <QString>
#include <cstdint>

#include "engine/hierarchy/eps_advice.h"
#include "ui/session/suggestion.h"

namespace clusterloom {

/// The advice of an exact curve on an ε, as "8 clusters from ε 1.21 to 1.74; then 7. Stable."
QString adviceText(const EpsAdvice& advice, std::uint64_t points);

/// Why an ε is worth trying, as "8 clusters over ε × 1.44, 6.3 % noise".
QString choiceText(const EpsChoice& choice, std::uint64_t points);

/// Why an ε was suggested, as "most stable: 8 larger clusters, ε 0.66 to 2.04"; empty where it is
/// that of the knee.
QString reasonText(const Suggestion& suggestion);

/// The same in a sentence or two, for a cloud of `points` points; empty with reasonText.
QString reasonTip(const Suggestion& suggestion, std::uint64_t points);

}  // namespace clusterloom
