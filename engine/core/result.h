#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace clusterloom {

/// What kind of thing went wrong; front ends map it to exit codes and icons.
enum class ErrorKind {
  BadInput,     ///< the data (a file, a cloud) cannot be used as it is
  BadCall,      ///< the parameters or the combination of options make no sense or are not supported
  Io,           ///< the operating system refused: unreadable, disk full, …
  TooLarge,     ///< would not fit into memory or into the index types; said before trying
  Cancelled,    ///< the caller asked to stop
  Unavailable,  ///< this build or machine lacks what was asked for (a backend, a GPU)
};

/// An error as a value: a kind and a message a person can act on (it names file, row and column
/// where there are any, and says what to do).
struct Error {
  ErrorKind kind = ErrorKind::BadInput;
  std::string message;
  /// The complaint is of rows of a file that can be left out: reading it again with
  /// ReadOptions::skipNonFinite would help.
  bool canSkipRows = false;
};

/// Every engine call that can fail returns a Result; the engine throws nothing across its borders.
template <class T>
using Result = tl::expected<T, Error>;

/// Shorthand: `return fail(ErrorKind::BadCall, "ε must be positive")`.
inline tl::unexpected<Error> fail(ErrorKind kind, std::string message) {
  return tl::unexpected<Error>(Error{.kind = kind, .message = std::move(message)});
}

}  // namespace clusterloom
