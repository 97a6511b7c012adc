#pragma once

#include <functional>
#include <stop_token>
#include <string_view>

#include "engine/core/result.h"

namespace clusterloom {

/// Called by long work with the name of the current stage (a literal such as "reading") and the
/// fraction of that stage done, in [0, 1]. It may be called from any thread, but never from two at
/// once, and must return quickly.
using ProgressFn = std::function<void(std::string_view stage, double fraction)>;

/// The progress callback and the stop token that every long engine call takes. A
/// default-constructed Task reports nothing and never stops. A stopped call returns
/// ErrorKind::Cancelled within 100 ms.
struct Task {
  std::stop_token stop;
  ProgressFn progress;

  bool cancelled() const { return stop.stop_requested(); }
  void report(std::string_view stage, double fraction) const {
    if (progress) progress(stage, fraction);
  }
};

/// The error a cancelled call returns.
inline tl::unexpected<Error> cancelledError() { return fail(ErrorKind::Cancelled, "stopped"); }

}  // namespace clusterloom
