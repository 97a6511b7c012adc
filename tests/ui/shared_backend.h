#pragma once

#include <memory>
#include <utility>

#include "engine/backend.h"
#include "engine/hybrid/hybrid_backend.h"
#include "tests/stand_in_device.h"
#include "ui/session/backend_slot.h"

/// The backend hybrid with a stand-in for a GPU where it is asked for by name or automatically, as
/// on a machine with a GPU; see Session.
inline clusterloom::BackendMaker sharedBackends(clusterloom::StandInSpec spec = {}) {
  return [spec](const std::string& name, const clusterloom::BackendOptions& options)
             -> clusterloom::Result<std::unique_ptr<clusterloom::Backend>> {
    if (name != "hybrid" && name != "auto") return clusterloom::makeBackend(name, options);
    return clusterloom::makeHybridBackend(clusterloom::makeStandInDevice(spec),
                                          options.threads > 0 ? options.threads : 2);
  };
}
