#pragma once

#include <QString>
#include <cstdint>
#include <memory>
#include <optional>

#include "engine/cloud/dataset.h"
#include "engine/cloud/generators.h"
#include "engine/cloud/scaling.h"
#include "engine/cloud/space.h"
#include "engine/io/file_stamp.h"
#include "engine/io/read.h"
#include "ui/session/parameters.h"
#include "ui/session/preview.h"
#include "ui/session/session_state.h"
#include "ui/session/weights.h"

namespace clusterloom {

/// The data to open and the parameters given beforehand. Exactly one of `path` and `sample` is set.
struct OpenRequest : CloudChoice {
  QString path;
  ReadOptions read;
  std::optional<GeneratorSpec> sample;
  /// Values given beforehand (command line, session file); those that are not are chosen from the
  /// data: ε as suggestEps (suggestion.h) says, minPts from the numbers of points and
  /// dimensions (defaultMinPts).
  std::optional<double> eps;
  std::optional<std::int64_t> minPts;
  std::optional<RunOptions> run;
};

struct ReadyCloud;

/// A cloud that takes the place on show beside those that are open (OpenClouds).
struct BesideOrder {
  quint64 number = 0;                       ///< of one that is open already; 0: it is new
  quint64 closes = 0;                       ///< the one that is closed for it; 0: none
  CloudState state;                         ///< how it was left
  std::shared_ptr<const Dataset> whole;     ///< null: it is read
  FileStamp stamp;                          ///< of the file of `whole`; all 0: not known
  std::shared_ptr<const ReadyCloud> ready;  ///< as it was scaled last, without `prepared`
  std::size_t dims = 0;                     ///< of the clouds that are open
};

/// The order of a load job: a request, or a session file that contains one.
struct LoadOrder {
  OpenRequest request;
  QString sessionPath;      ///< a session file; it is read first and names the data
  bool recovering = false;  ///< the session file is an autosave
  std::optional<BesideOrder> beside;
};

/// The points that take part, their scaled cloud, and the sample that previews use.
struct ReadyCloud {
  CloudChoice choice;                             ///< what it was made with
  std::shared_ptr<const Dataset> dataset;         ///< of these points
  std::shared_ptr<const PointCloud> cloud;        ///< that is clustered and drawn
  std::shared_ptr<const PreparedCloud> prepared;  ///< of `cloud`
  Scaling scaling;                                ///< of `cloud`
  Weights weights;                                ///< null: every point counts 1
  double meanWeight = 1;
  std::shared_ptr<const PreviewSample> sample;
};

/// The result of a load job.
struct LoadedData {
  LoadOrder order;  ///< with the request from the session file, if there is one
  std::optional<SessionState> restored;
  std::shared_ptr<const Dataset> dataset;
  FileStamp stamp;  ///< of the file before it was read; all 0: not known
  ReadyCloud ready;
  QString warning;
};

}  // namespace clusterloom
