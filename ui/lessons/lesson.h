#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "engine/cloud/generators.h"
#include "engine/core/result.h"
#include "engine/hybrid/model_division.h"
#include "engine/join/strategy.h"
#include "engine/load/load_report.h"
#include "engine/load/simt_machine.h"
#include "ui/lessons/formula.h"
#include "ui/lessons/lesson_task.h"
#include "ui/lessons/lesson_text.h"
#include "ui/session/display_state.h"

namespace clusterloom {

/// Which chart a step shows: of the load of warps, of CPU and GPU together (one division or all),
/// of a DBSCAN that is divided between ranks, or of the clusters of every ε.
enum class LessonChart {
  Warps,
  Multiprocessors,
  Histogram,
  Processors,
  Divisions,
  Ranks,
  EveryEps,
  Tree,
  Reachability
};

/// Whether the chart is of CPU and GPU together.
constexpr bool isOfBoth(LessonChart chart) {
  return chart == LessonChart::Processors || chart == LessonChart::Divisions;
}

/// Whether the chart is of the load of warps.
constexpr bool isOfWarps(LessonChart chart) { return chart <= LessonChart::Histogram; }

/// Whether the numbers of the chart are exact; those of others are modelled.
constexpr bool isExact(LessonChart chart) { return chart >= LessonChart::Ranks; }

/// Whether the chart is of the clusters of every ε.
constexpr bool isOfEveryEps(LessonChart chart) { return chart >= LessonChart::EveryEps; }

/// Which warp a step picks, among those of the displayed strategy.
enum class LessonWarp {
  None,
  First,           ///< the first that is launched
  Middle,          ///< of median warp execution efficiency
  Longest,         ///< of most weighted steps
  LeastEfficient,  ///< of least warp execution efficiency
};

/// The settings of a step. The user can change everything afterwards.
struct LessonSetup {
  GeneratorSpec cloud;
  double eps = 0;
  std::int64_t minPts = 5;
  LoadKernel kernel = LoadKernel::Pairs;
  SimtMachine machine;
  std::optional<ModelledSides> sides;  ///< of charts of both processors; nullopt for the others
  int ranks = 1;                       ///< between which DBSCAN is divided; 1: it is not
  QString strategy = QStringLiteral("GPUCALCGLOBAL");  ///< a name of Lesson::strategies
  LessonChart chart = LessonChart::Warps;
  LessonWarp warp = LessonWarp::None;
  std::int64_t cursor = -1;  ///< step of the picked warp for the cursor; −1: none
  ColourBy colourBy = ColourBy::Cluster;
  std::optional<ValueRange> colourRange;  ///< of that colouring; nullopt: chosen from the values
  bool grid = false;
  PatternArrows arrows = PatternArrows::None;  ///< of the cell that is pointed at
};

struct LessonStep {
  QString title;
  LessonText text;
  LessonText live;  ///< follows the text where a GPU answers, with its measurements; may be empty
  LessonText question;  ///< empty: nothing is asked
  LessonText answer;
  std::optional<LessonTask> task;  ///< how the question is answered; nullopt: in thought only
  std::vector<Claim> claims;       ///< what must hold for the text to be true
  LessonSetup setup;
  /// Of a task with a goal: settings with which it is reached.
  std::optional<LessonSetup> solution;

  /// Strategies by name that texts, task and claims compare with, without the displayed one.
  QStringList comparedStrategies() const;
};

/// A lesson, as resources/lessons/README.md describes it, read and checked.
struct Lesson {
  QString path;
  QString title;
  QString summary;
  QString next;  ///< path of the lesson that follows; empty: none
  std::map<QString, Strategy> strategies;
  std::vector<LessonStep> steps;
};

/// Reads the text of a lesson file. BadInput, naming the file, the step with its line, and the
/// member, for an invalid lesson: members that are unknown or of the wrong kind, unknown
/// placeholders, strategies that no join takes.
Result<Lesson> lessonFromJson(const QByteArray& json, const QString& path);
/// The same of a file; Io with the system's message when it cannot be read.
Result<Lesson> readLesson(const QString& path);

/// Copies the file of a lesson, so that it can be edited; one that came with the program, too. A
/// file at `to` is replaced completely or stays unchanged. Io with the system's message.
Result<void> copyLesson(const QString& from, const QString& to);

/// The lessons that come with the program, in their order: paths for `readLesson`.
QStringList shippedLessons();

}  // namespace clusterloom
