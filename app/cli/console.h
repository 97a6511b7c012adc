#pragma once

#include <string>

#include "engine/core/number_text.h"
#include "engine/core/result.h"
#include "engine/core/task.h"

namespace clusterloom::cli {

/// Lets this process print nothing from now on: neither results nor notes nor errors. For ranks
/// whose results and errors another one prints.
void muteConsole();
/// For an error that no other rank knows of.
void unmuteConsole();

/// Writes "clusterloom-cli: MESSAGE" as the last line on standard error.
void sayError(const std::string& message);

/// The last line of a run that was stopped.
inline constexpr const char* kInterruptedMessage = "interrupted; existing files are unchanged";

/// Says so and ends the program at once, without waiting for threads that cannot be stopped. Only
/// where no output has been begun.
[[noreturn]] void endInterrupted();

/// Writes "clusterloom-cli: note: MESSAGE" on standard error.
void sayNote(const std::string& message);

/// Writes to standard output, as UTF-8, and flushes it; Io when that fails (a full disk, a closed
/// pipe).
Result<void> printText(const std::string& text);
/// The same with a line end.
Result<void> printLine(const std::string& text);

/// A progress report on standard error, only when that is a terminal.
ProgressFn progressOnTerminal();

/// The same in lines, at most one a second, wherever standard error goes.
ProgressFn progressInLines();

/// Removes the progress report from the terminal.
void clearProgress();

/// A number for display: up to six digits.
std::string shortNumber(double number);

/// "0.25 s", "12.5 ms".
std::string duration(double seconds);

/// A line of a summary: the name in the first column, then the text.
std::string summaryLine(const std::string& name, const std::string& text);

/// Exit status of the program, listed on the page batch.md of the guide.
enum ExitStatus : int {
  kDone = 0,
  kWorkFailed = 1,    ///< the data, the disk or the memory did not allow it
  kWrongCall = 2,     ///< the call made no sense, or needs a feature that this build lacks
  kInterrupted = 130  ///< stopped by SIGINT, SIGTERM or SIGHUP
};

inline ExitStatus exitStatusOf(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::BadCall:
    case ErrorKind::Unavailable: return kWrongCall;
    case ErrorKind::Cancelled: return kInterrupted;
    case ErrorKind::BadInput:
    case ErrorKind::Io:
    case ErrorKind::TooLarge: break;
  }
  return kWorkFailed;
}

}  // namespace clusterloom::cli
