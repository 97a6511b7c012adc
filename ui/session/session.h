#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <functional>
#include <set>

#include "engine/core/result.h"
#include "ui/jobs/job_queue.h"
#include "ui/session/backend_slot.h"
#include "ui/session/display_state.h"
#include "ui/session/parameters.h"
#include "ui/session/session_parts.h"
#include "ui/session/session_state.h"
#include "ui/session/undo_stack.h"

namespace clusterloom {

/// Composes the parts that own the state (data, runs, derived results, files, load of warps,
/// comparison) and owns the state outside of them: the parameters with undo, the display, the
/// selection and the job queue. Widgets read the part they need and call its setters. Parts compute
/// nothing themselves but start numbered jobs and keep a result only when its number is the newest
/// (see ui/README.md for the steps of a change of ε). All members are for the owner's thread and
/// return at once. Results are immutable and shared.
///
/// Parameter setters outside a drag make one undo step each; between setDragging(true) and
/// setDragging(false) they make one together.
class Session : public QObject {
  Q_OBJECT

 public:
  /// `recoveryDirectory`: see Recovery. `makeBackends` makes what ClusterRun::setBackend names.
  explicit Session(QObject* parent = nullptr, const QString& recoveryDirectory = {},
                   BackendMaker makeBackends = makeBackend);
  ~Session() override;

  // --- parts
  SessionData& data() { return *data_; }
  const SessionData& data() const { return *data_; }
  ClusterRun& clusterRun() { return *clusterRun_; }
  const ClusterRun& clusterRun() const { return *clusterRun_; }
  DerivedResults& derived() { return *derived_; }
  const DerivedResults& derived() const { return *derived_; }
  /// How far to trust the clusters on show.
  ClusterChecks& checks() { return *checks_; }
  const ClusterChecks& checks() const { return *checks_; }
  /// How stable the clusters of every ε are.
  EpsStability& epsStability() { return *epsStability_; }
  /// The clusters of every ε.
  EveryEps& everyEps() { return *everyEps_; }
  const EveryEps& everyEps() const { return *everyEps_; }
  /// The data of the charts of the hierarchy.
  ClusterTree& clusterTree() { return *clusterTree_; }
  /// How clusters grow with ε.
  Replay& replay() { return *replay_; }
  SessionFiles& files() { return *files_; }
  const SessionFiles& files() const { return *files_; }
  /// The load of warps.
  LoadLab& loadLab() { return *loadLab_; }
  /// How CPU and GPU share the queries of a join.
  DivisionLab& divisionLab() { return *divisionLab_; }
  /// Actions on selected points.
  SelectedPoints& selectedPoints() { return *selectedPoints_; }
  const SelectedPoints& selectedPoints() const { return *selectedPoints_; }
  /// Points of another file, labelled by the clusters.
  AddedPoints& addedPoints() { return *addedPoints_; }
  const AddedPoints& addedPoints() const { return *addedPoints_; }
  /// Labels from a file instead of a run.
  OpenedLabels& openedLabels() { return *openedLabels_; }
  /// All rows of a file of which some were read.
  WholeFile& wholeFile() { return *wholeFile_; }
  /// All points of such a file, for drawing.
  FileLevels& fileLevels() { return *fileLevels_; }
  /// The comparison of strategies.
  Comparison& comparison() { return *comparison_; }
  /// The clouds that are open beside each other, with the same parameters.
  OpenClouds& clouds() { return *clouds_; }
  const OpenClouds& clouds() const { return *clouds_; }
  /// How their clusters agree.
  CloudComparison& cloudComparison() { return *cloudComparison_; }
  /// Its signals also report failures and remarks for the user.
  JobQueue& jobs() { return jobs_; }
  /// The state for a session file, from all parts.
  SessionState state() const;
  /// The files that are open, which nothing may overwrite.
  QStringList inputFiles() const;

  // --- parameters (undoable)
  const Parameters& parameters() const { return parameters_; }
  void setEps(double eps);
  void setMinPts(std::int64_t minPts);
  /// 0: automatic.
  void setIndexedDims(int k);
  void setStrategy(const Strategy& strategy);
  void setScaling(const ScalingChoice& scaling);
  /// The space in which distances are measured. On a sphere nothing is scaled, and the names of
  /// each cloud give the order of its coordinates (inOrderOfNames).
  void setSpace(const Space& space);
  /// The column whose values are the weights of the points, by its name; empty: none.
  void setWeights(const QString& column);
  /// An ε for each dimension, in the units of the data: scales dimension i by ε / ε_i and keeps ε.
  void setEpsOfDimensions(const std::vector<double>& eps);
  /// Applies `made` as one step of undo, unless ε is dragged. Without a `text` the changed
  /// parameters name the step.
  void change(const std::function<void(Parameters&)>& made, const QString& text = {});
  /// Which points take part, numbers in the data set as it was read, at least one; null: all; with
  /// them the rows of a file of which some are open (CloudChoice::keptRows). `text` names the step.
  void setKept(const PointSet& kept, const QString& text, const FileRowSelection& rows = {});
  /// Clusters some points separately, too; numbers in the data set as it was read.
  void addRefinement(const Refinement& refinement);
  /// Clusters all points alike again.
  void clearRefinements();
  /// All parameters at once, as they were for an earlier run of this cloud. `text` names the step;
  /// without one the changed parameters do.
  void setParameters(const Parameters& parameters, const QString& text = {});
  void setDragging(bool dragging);
  bool isDragging() const { return dragging_; }
  UndoStack* undoStack() { return undo_; }

  // --- display and selection
  const DisplayState& display() const { return display_; }
  void setDisplay(const DisplayState& display);
  const Selection& selection() const { return selection_; }
  void setSelection(const Selection& selection);
  /// Clusters instead of points. Does nothing when they are selected already.
  void setSelectedClusters(const std::set<std::int32_t>& clusters);
  /// Points (null or at least one) instead of clusters.
  void setSelectedPoints(const PointSet& points);
  void setPickedPoint(std::int64_t point) { select(&Selection::point, point); }
  void setHoveredPoint(std::int64_t point) { select(&Selection::hoveredPoint, point); }
  void setPickedCell(std::int64_t cell) { select(&Selection::cell, cell); }
  void setHoveredCell(std::int64_t cell) { select(&Selection::hoveredCell, cell); }
  /// A warp by its number in order of launch, with the picked point if the warp serves it.
  void setPickedWarp(std::int64_t warp) { select(&Selection::warp, warp); }

  // --- everything
  void closeData();
  /// Stops loading, clustering and exporting, or, where none of these is under way, the work on a
  /// whole file; existing results stay.
  void cancel();

 Q_SIGNALS:
  void parametersChanged();
  void displayChanged();
  void selectionChanged();
  void hoverChanged();  ///< hoveredPoint or hoveredCell only

 private:
  void select(std::int64_t Selection::*member, std::int64_t number);
  void connectParts();
  void followParts();
  void tellParts();
  /// The same with the new parameters.
  void changeParameters(const Parameters& to, const QString& text = {});
  void changeState(const UndoState& to, const QString& text = {});
  void restoreState(const UndoState& to);
  UndoState undoState() const;
  void applyParameters(const Parameters& to);
  void acceptLoaded(const LoadedData& loaded);
  void acceptBeside(const LoadedData& loaded);
  void warnOf(const LoadedData& loaded);
  void restoreLabels(const QString& path);
  void carryHistory();
  void acceptCloud(const ReadyCloud& ready);
  void acceptResult(std::shared_ptr<const ClusterResult> result,
                    const std::vector<std::int32_t>& followed);
  void startScale();
  void revertScaling();
  void adoptEps(double eps);
  void dropResults();

  UndoStack* undo_ = new UndoStack(this);
  Parameters parameters_;
  DisplayState display_;
  Selection selection_;
  bool dragging_ = false;
  UndoState dragStart_;

  // Children of this object.
  SessionData* data_ = nullptr;
  ClusterRun* clusterRun_ = nullptr;
  DerivedResults* derived_ = nullptr;
  EveryEps* everyEps_ = nullptr;
  ClusterChecks* checks_ = nullptr;
  EpsStability* epsStability_ = nullptr;
  ClusterTree* clusterTree_ = nullptr;
  Replay* replay_ = nullptr;
  SessionFiles* files_ = nullptr;
  LoadLab* loadLab_ = nullptr;
  DivisionLab* divisionLab_ = nullptr;
  Comparison* comparison_ = nullptr;
  SelectedPoints* selectedPoints_ = nullptr;
  AddedPoints* addedPoints_ = nullptr;
  OpenedLabels* openedLabels_ = nullptr;
  WholeFile* wholeFile_ = nullptr;
  FileLevels* fileLevels_ = nullptr;
  OpenClouds* clouds_ = nullptr;
  CloudComparison* cloudComparison_ = nullptr;

  JobQueue jobs_;  ///< last, so that it is destroyed first: no work outlives its receivers
};

}  // namespace clusterloom
