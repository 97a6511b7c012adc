#pragma once

#include "ui/session/session_parts.h"

namespace clusterloom {

/// References by which parts read the current values of the session.
struct SessionValues {
  const Parameters& parameters;
  const DisplayState& display;
  const Selection& selection;
  const bool& dragging;  ///< ε
};

}  // namespace clusterloom
