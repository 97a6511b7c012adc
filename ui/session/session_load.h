#pragma once

#include <QString>
#include <memory>
#include <optional>

#include "ui/session/preview.h"
#include "ui/session/session.h"

namespace clusterloom {

/// What to load and what to do with it once it is there. Private to the session.
struct Session::LoadOrder {
  OpenRequest request;
  QString sessionPath;      ///< a session file: read first, it says what to open
  bool recovering = false;  ///< the session file is an autosave
};

/// A scaled cloud and what is derived from it before anything else is done.
struct Session::ReadyCloud {
  std::shared_ptr<const PointCloud> cloud;
  Scaling scaling;
  ScalingChoice choice;
  std::shared_ptr<const PreviewSample> sample;
};

struct Session::Loaded {
  LoadOrder order;  ///< with the request that a session file made
  std::optional<SessionState> restored;
  std::shared_ptr<const Dataset> dataset;
  ReadyCloud ready;
  QString warning;
};

}  // namespace clusterloom
