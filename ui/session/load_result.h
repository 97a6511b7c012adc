#pragma once

#include <QString>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/backend.h"
#include "engine/cloud/point_cloud.h"
#include "engine/load/load_model.h"
#include "engine/load/simt_machine.h"
#include "render/scene/point_colours.h"
#include "ui/session/grid_cells.h"

namespace clusterloom {

/// The request of a load.
struct LoadQuestion {
  std::shared_ptr<const PointCloud> cloud;
  double eps = 0;
  Strategy strategy;
  LoadKernel kernel = LoadKernel::Pairs;
  SimtMachine machine;      ///< that is modelled
  bool unweighted = false;  ///< every step counts 1, regardless of its cost
  friend bool operator==(const LoadQuestion&, const LoadQuestion&) = default;
};

/// The prediction of the model for a measured load, from a sample of its warps.
struct PredictedWee {
  double wee = 0;
  double error = 0;  ///< standard error by sampling; 0 when all warps were modelled
};

/// The load of every warp, and the model for further requests.
struct LoadResult {
  LoadQuestion asked;
  LoadModel model;
  std::shared_ptr<const LoadReport> report;
  std::optional<PredictedWee> predicted = {};  ///< beside a measured load
  double seconds = 0;                          ///< that it took to make

  /// Place in report->warps of a warp by its number; −1 when it is not in the report.
  std::int64_t placeOf(std::int64_t warp) const;
  /// The warp that serves a point as query; −1 when it is not in the sample and the model does not
  /// know it.
  std::int64_t warpOfPoint(std::uint32_t point) const;
};

/// The load for a question: measured where the backend has a GPU to measure it on, else modelled;
/// single warps are modelled in both cases. Errors as LoadModel's.
Result<LoadResult> loadOf(const LoadQuestion& question, const Backend& backend, const Task& task);

/// A picked warp: its steps, and its highlights in the cloud.
struct WarpLight {
  std::shared_ptr<const WarpTrace> trace;
  std::vector<PointMark> marks;  ///< one a point of the cloud
  std::uint64_t candidates = 0;  ///< points that are marked, the query points included
  GridCells cells;               ///< of the query points, then those they are compared with
  std::size_t ownCells = 0;      ///< how many of them hold query points
};

/// The highlights at one step of the trace: the query points, and what lanes compare them with at
/// that step. For a step that does not exist: all highlights of the warp.
std::vector<PointMark> marksAtStep(const WarpLight& light, std::int64_t step);

/// One warp of the load, by number. Of a measured load, whose batches may begin elsewhere than the
/// model's, the query points are those that were measured and their steps are modelled. Errors as
/// LoadModel's.
Result<WarpLight> warpLightOf(const LoadResult& load, std::uint32_t warp, const Task& task);

}  // namespace clusterloom
