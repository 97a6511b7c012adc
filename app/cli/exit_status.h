#pragma once

#include "engine/core/result.h"

namespace clusterloom::cli {

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
