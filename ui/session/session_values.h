#pragma once

namespace clusterloom {

struct DisplayState;
struct Parameters;
struct Selection;

/// What parts read of the session itself: always the values of now.
struct SessionValues {
  const Parameters& parameters;
  const DisplayState& display;
  const Selection& selection;
  const bool& dragging;  ///< ε
};

}  // namespace clusterloom
