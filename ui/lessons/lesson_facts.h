#pragma once

#include <QStringList>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/backend.h"
#include "engine/core/result.h"
#include "engine/core/task.h"
#include "engine/load/load_report.h"
#include "ui/lessons/formula.h"
#include "ui/lessons/lesson.h"
#include "ui/session/load_result.h"

namespace clusterloom {

/// The inputs of the numbers of a step about both processors.
struct SharedQuestion {
  Strategy strategy;  ///< on show, with its division
  ModelledSides sides;
  friend bool operator==(const SharedQuestion&, const SharedQuestion&) = default;
};

/// The inputs of the numbers of a step.
struct FactQuestion {
  LoadQuestion shown;  ///< the strategy on show, with cloud, ε, kernel and machine
  std::int64_t minPts = 0;
  std::map<QString, Strategy> compared;  ///< by the names that text and claims use
  LessonWarp warp = LessonWarp::None;
  std::optional<SharedQuestion> shared = {};  ///< of charts of both processors
  int ranks = 0;                              ///< of the chart of ranks; 0: of another one
  bool everyEps = false;                      ///< of charts of the clusters of every ε
  QStringList measured = {};  ///< strategies that a GPU measures, too; the empty name: that on show
  friend bool operator==(const FactQuestion&, const FactQuestion&) = default;
};

/// The numbers of a step about one load.
struct LoadFacts {
  LoadQuestion asked;
  FactValues values;
  std::shared_ptr<const LoadReport> report;
};

/// The numbers of a step.
struct LessonFacts {
  FactTable table;                           ///< without those of the picked warp
  std::vector<LoadFacts> loads;              ///< of the strategy on show and of the compared ones
  std::shared_ptr<const LoadReport> report;  ///< of the strategy on show
  std::int64_t warp = -1;                    ///< number of the warp that the step picks; −1: none
};

/// Models every strategy of the question, one after the other, but those whose load is among
/// `known`: neighbouring steps often ask for the same. Measured numbers come from `gpu`; without
/// one, and where it fails, they are missing. Errors as LoadModel's and timeQueries'.
Result<LessonFacts> factsOf(const FactQuestion& question, const Task& task,
                            std::span<const LoadFacts> known = {}, const Backend* gpu = nullptr);

/// Whether a GPU has measured some of the numbers.
bool isMeasured(const FactTable& facts);

/// From a load that the session has. nullopt where it was measured: lessons are about the model.
std::optional<LoadFacts> factsOf(const LoadResult& load);

/// The table with the numbers of this warp; without them when the report does not hold it.
FactTable withPickedWarp(const LessonFacts& facts, std::int64_t warp);

/// The claims of each step that do not hold with the numbers of the step as it is set up. Makes the
/// clouds and the numbers of all steps with claims. Errors as factsOf's and generate's.
Result<std::vector<QStringList>> falseClaims(const Lesson& lesson, const Task& task);

/// The question of a step for a loaded cloud, as the step sets it up, all of it modelled.
FactQuestion questionOf(const Lesson& lesson, const LessonStep& step,
                        const std::shared_ptr<const PointCloud>& cloud);

}  // namespace clusterloom
