#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "engine/core/result.h"
#include "ui/session/session_load.h"
#include "ui/session/session_state.h"

namespace clusterloom {

/// One option of the command line that says what is read and how it is clustered. The window reads
/// it, and copied calls (command_line.h) write it.
struct CallOption {
  enum class Part {
    Run,      ///< what has an influence on the labels, and how they are found
    Reading,  ///< of a file
    Machine,  ///< threads, devices and ranks: left out of batch scripts
  };

  std::string name;         ///< without dashes
  std::string placeholder;  ///< of its value in help text; empty: it takes none
  std::string help;
  Part part = Part::Run;
  /// Takes the text of its value, empty where it takes none. BadCall.
  std::function<Result<void>(const std::string& text, OpenRequest& open, EngineChoice& engine)>
      read;
  /// The text that `read` turns back into the same value; nullopt: the value is the default.
  std::function<std::optional<std::string>(const SessionState& state)> text;
};

/// All options, in the order in which they are written.
std::span<const CallOption> callOptions();

}  // namespace clusterloom
