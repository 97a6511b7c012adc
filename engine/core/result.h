#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace clusterloom {

/// The kind of an error; front ends map it to exit codes and icons.
enum class ErrorKind {
  BadInput,     ///< the data (a file, a cloud) cannot be used as it is
  BadCall,      ///< the parameters or the combination of options make no sense or are not supported
  Io,           ///< the operating system refused: unreadable, disk full, …
  TooLarge,     ///< would not fit into memory or into the index types; reported before trying
  Cancelled,    ///< the caller asked to stop
  Unavailable,  ///< this build or machine lacks what was requested (a backend, a GPU)
};

/// An error as a value: a kind and a message that names file, row and column where there are any,
/// and says what to do.
struct Error {
  ErrorKind kind = ErrorKind::BadInput;
  std::string message;
  /// The error concerns rows of a file that can be skipped: reading it again with
  /// ReadOptions::skipNonFinite would succeed.
  bool canSkipRows = false;
};

/// Every engine call that can fail returns a Result; no exception leaves the engine.
template <class T>
using Result = tl::expected<T, Error>;

/// An error of a kind that is known at run time only; else one of the functions below is shorter.
inline tl::unexpected<Error> fail(ErrorKind kind, std::string message) {
  return tl::unexpected<Error>(Error{.kind = kind, .message = std::move(message)});
}

// `return badCall("ε must be positive");`
inline auto badInput(std::string message) { return fail(ErrorKind::BadInput, std::move(message)); }
inline auto badCall(std::string message) { return fail(ErrorKind::BadCall, std::move(message)); }
inline auto ioError(std::string message) { return fail(ErrorKind::Io, std::move(message)); }
inline auto tooLarge(std::string message) { return fail(ErrorKind::TooLarge, std::move(message)); }
inline auto unavailable(std::string message) {
  return fail(ErrorKind::Unavailable, std::move(message));
}

}  // namespace clusterloom
