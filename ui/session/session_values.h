#pragma once

namespace clusterloom {

struct DisplayState;
struct Parameters;
struct Selection;

/// References by which parts read the current values of the session.
struct SessionValues {
  const Parameters& parameters;
  const DisplayState& display;
  const Selection& selection;
  const bool& dragging;  ///< ε
};

}  // namespace clusterloom
