#pragma once

#include <QByteArray>
#include <QImage>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <QUndoStack>
#include <atomic>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "engine/backend.h"
#include "engine/cloud/dataset.h"
#include "engine/cloud/generators.h"
#include "engine/dbscan/k_distance.h"
#include "engine/dbscan/statistics.h"
#include "engine/dbscan/sweep.h"
#include "engine/grid/cost_of_k.h"
#include "engine/io/read.h"
#include "ui/jobs/job_queue.h"
#include "ui/session/backend_slot.h"
#include "ui/session/display_state.h"
#include "ui/session/grid_cells.h"
#include "ui/session/parameters.h"
#include "ui/session/recovery.h"
#include "ui/session/results.h"
#include "ui/session/session_state.h"

namespace clusterloom {

class Comparison;
class LoadLab;

/// What the session knows of its backend once a run has made it.
struct BackendInUse {
  QString description;
  QString remark;
  BackendLimits limits{.name = "cpu"};
  bool operator==(const BackendInUse& other) const {
    return description == other.description && remark == other.remark;
  }
};
struct PreviewSample;

/// What went wrong, for the window to show.
struct Failure {
  JobKind job = JobKind::Load;
  Error error;
  QString path;  ///< the file concerned; may be empty
};

/// What to open and what is known beforehand. Exactly one of `path` and `sample` is set.
struct OpenRequest {
  QString path;
  ReadOptions read;
  std::optional<GeneratorSpec> sample;
  /// Values given beforehand (command line, session file); those that are not are chosen from the
  /// data: ε from the knee of the k-distance curve, minPts from the dimensions.
  std::optional<double> eps;
  std::optional<std::int64_t> minPts;
  std::optional<Strategy> strategy;
  std::optional<ScalingChoice> scaling;
};

/// What colour values or grid cells were made for, so that they are made again only when it
/// changes.
struct ColourKey {
  const PointCloud* cloud = nullptr;
  ColourBy by = ColourBy::Cluster;
  QString attribute;
  int dimension = 0;
  double eps = 0;
  const void* load = nullptr;  ///< the LoadResult, of colours that show it
  friend bool operator==(const ColourKey&, const ColourKey&) = default;
};
struct GridKey {
  const PointCloud* cloud = nullptr;
  double eps = 0;
  int indexedDims = 0;
  Toggle reorder = Toggle::Auto;
  friend bool operator==(const GridKey&, const GridKey&) = default;
};

/// The one owner of state: the data, the parameters, the results, what is selected and how it is
/// shown. Widgets read it and call its setters; it computes nothing itself but starts numbered jobs
/// and keeps a result only when its number is the newest (the trip of ε, DESIGN "The flow"). All
/// members are for the owner's thread and return at once. Results are immutable and shared.
///
/// Parameter setters outside a drag make one undo step each; between setDragging(true) and
/// setDragging(false) they make one together.
class Session : public QObject {
  Q_OBJECT

 public:
  /// `recoveryDirectory`: see Recovery. `makeBackends` makes what setBackend names.
  explicit Session(QObject* parent = nullptr, const QString& recoveryDirectory = {},
                   BackendMaker makeBackends = makeBackend);
  ~Session() override;

  // --- data ---------------------------------------------------------------------------------
  void openFile(const QString& path, const ReadOptions& options = {});
  void openSample(const GeneratorSpec& spec);
  void open(const OpenRequest& request);
  /// After a failure to load whose error says canSkipRows: opens the same again without those rows.
  void retrySkippingNonFinite();
  void closeData();
  std::shared_ptr<const Dataset> dataset() const { return dataset_; }
  /// The cloud that is clustered and drawn: the data set's, scaled. Null before it is ready.
  std::shared_ptr<const PointCloud> cloud() const { return cloud_; }
  /// The recorded scaling of `cloud`.
  const Scaling& scaling() const { return scaling_; }
  const ReadOptions& readOptions() const { return state_.read; }
  /// File name or sample description, for the title; empty without data.
  QString dataName() const;

  // --- parameters (undoable) ----------------------------------------------------------------
  const Parameters& parameters() const { return state_.parameters; }
  void setEps(double eps);
  void setMinPts(std::int64_t minPts);
  /// 0: automatic.
  void setIndexedDims(int k);
  void setStrategy(const Strategy& strategy);
  void setScaling(const ScalingChoice& scaling);
  void setDragging(bool dragging);
  bool isDragging() const { return dragging_; }
  QUndoStack* undoStack() { return &undo_; }
  /// The slider's range; low < high always.
  EpsRange epsRange() const { return epsRange_; }

  // --- backend (not undoable: the answer is the same) -----------------------------------------
  QString backendName() const { return state_.backend; }
  int threads() const { return state_.threads; }
  void setBackend(const QString& name, int threads = 0);
  /// The backend for jobs, made by the first that needs it.
  std::shared_ptr<BackendSlot> backendSlot() const { return backend_; }
  /// The backend in use, in a line for a person.
  QString backendDescription() const;
  /// Why it is this one, if there is something to say; else empty.
  QString backendRemark() const { return backendInUse_.remark; }
  /// What it can do. Until a run has made it: what every backend can.
  const BackendLimits& backendLimits() const { return backendInUse_.limits; }

  // --- display and selection --------------------------------------------------------------------
  const DisplayState& display() const { return state_.display; }
  void setDisplay(const DisplayState& display);
  const Selection& selection() const { return state_.selection; }
  void setSelection(const Selection& selection);
  void setSelectedClusters(const std::set<std::int32_t>& clusters);
  void setPickedPoint(std::int64_t point);
  void setHoveredPoint(std::int64_t point);
  void setPickedCell(std::int64_t cell);
  void setHoveredCell(std::int64_t cell);
  /// A warp by its number in order of launch, with the point that is picked if it serves that one.
  void setPickedWarp(std::int64_t warp);

  // --- results
  // ------------------------------------------------------------------------------------
  /// The newest exact result; null while there is none for this cloud.
  std::shared_ptr<const ClusterResult> result() const { return result_; }
  /// True when `result` belongs to the parameters as they are now (else one is on its way or
  /// failed).
  bool isResultCurrent() const;
  /// The approximation on show while dragging; null when the exact result stands.
  std::shared_ptr<const PreviewClustering> preview() const { return preview_; }
  /// Statistics of `result`, in original units; null until they are ready.
  std::shared_ptr<const ClusteringStatistics> statistics() const { return statistics_; }
  std::shared_ptr<const ColourValues> colourValues() const { return colourValues_; }
  std::shared_ptr<const GridCells> gridCells() const { return gridCells_; }
  std::shared_ptr<const CostModel> costModel() const { return costModel_; }
  std::shared_ptr<const KDistances> kDistances() const { return kDistances_; }
  const std::vector<SweepPoint>& sweep() const { return sweep_; }
  const std::vector<RunRecord>& runs() const { return runs_; }

  /// True when there is a cloud with parameters that are all known.
  bool canRun() const;
  /// The load of warps.
  LoadLab& loadLab() { return *loadLab_; }
  /// Strategies beside each other.
  Comparison& comparison() { return *comparison_; }

  // --- what is looked at (computed only while it is)
  // ------------------------------------------------
  void setKDistanceWanted(bool wanted);
  void setSweepWanted(bool wanted);
  void setCostOfKWanted(bool wanted);

  // --- jobs
  // ---------------------------------------------------------------------------------------
  JobQueue& jobs() { return jobs_; }
  /// Stops loading, clustering and exporting; what was there stays.
  void cancel();

  // --- out
  // ----------------------------------------------------------------------------------------
  /// Labelled points, format by extension; only these clusters (−1: noise), or all when empty.
  void exportLabelled(const QString& path, const std::vector<std::int32_t>& onlyClusters = {},
                      bool withProvenance = true);
  void exportClusterTable(const QString& path, bool withProvenance = true);
  /// A finished table or text, and a picture (PNG), written atomically.
  void exportBytes(const QString& path, const QByteArray& bytes);
  void exportImage(const QString& path, const QImage& image);
  /// The clusterloom-cli call that gives the same labels; empty without data.
  QString commandLine() const;

  // --- session files
  // ----------------------------------------------------------------------------------
  void saveSession(const QString& path);
  void openSession(const QString& path);
  QString sessionPath() const { return sessionPath_; }
  /// True when something a session file keeps has changed since it was saved or opened.
  bool isModified() const { return modified_; }
  /// The window's own state, kept in session files; `viewStateRestored` gives it back.
  void setViewState(const QByteArray& view);
  bool hasRecoverableSession() const;
  void restoreRecoverableSession();
  void discardRecoverableSession();

 Q_SIGNALS:
  void dataAboutToChange();
  void dataChanged();   ///< dataset() is new or gone
  void cloudChanged();  ///< cloud() is new or gone (after dataChanged; after rescaling)
  void parametersChanged();
  void epsRangeChanged();
  void backendChanged();
  void displayChanged();
  void selectionChanged();
  void hoverChanged();   ///< hoveredPoint or hoveredCell only
  void resultChanged();  ///< result() is new or gone; a preview is over by then
  void previewChanged();
  void statisticsChanged();
  void colourValuesChanged();
  void gridCellsChanged();
  void costModelChanged();
  void kDistancesChanged();
  void sweepChanged();  ///< points come one by one
  void runsChanged();
  void modifiedChanged();
  void failed(const clusterloom::Failure& failure);
  void warned(const QString& message);  ///< something a person should know; nothing was lost
  void exported(const QString& path);
  void sessionSaved(const QString& path);
  void sessionOpened(const QString& path);
  void viewStateRestored(const QByteArray& view);

 private:
  friend class ParametersCommand;
  struct LoadOrder;
  struct Loaded;
  struct ReadyCloud;

  // session_data.cpp
  void startLoad(LoadOrder order);
  void acceptLoaded(const Loaded& loaded);
  static Result<ReadyCloud> readyCloud(const std::shared_ptr<const Dataset>& dataset,
                                       const ScalingChoice& choice, const Task& task);
  void startScale();
  void acceptCloud(const ReadyCloud& ready);
  void revertScaling();
  void startSuggest();
  void adoptEps(double eps);
  void dropResults();

  // session.cpp
  void changeParameters(const Parameters& to, const QString& text, bool awaitsEps = false);
  void applyParameters(const Parameters& to);
  void watchJobs();
  void dropBackend();  ///< the next run makes the one that is chosen now
  void markModified();
  void report(JobKind job, const Error& error, const QString& path = {});

  // session_results.cpp
  void requestRun();
  void startCluster();
  void acceptResult(std::shared_ptr<const ClusterResult> result,
                    const std::vector<std::int32_t>& followed);
  void startPreview();
  void dropPreview();
  void startStatistics();
  void updateColourValues();
  void updateGrid();
  void startCostOfK();
  void startKDistance();
  void startSweep();
  void dropKDistances();
  void dropSweep();

  // session_files.cpp
  void autosave();

  /// Lets go of a large value on a worker thread, since freeing takes time too.
  template <class T>
  void retire(std::shared_ptr<const T> value) {
    if (value) jobs_.start(JobKind::Retire, {}, [value = std::move(value)](const Job&) {});
  }

  QUndoStack undo_;
  SessionState state_;
  Recovery recovery_;

  std::shared_ptr<const Dataset> dataset_;
  std::shared_ptr<const PointCloud> cloud_;
  Scaling scaling_;
  ScalingChoice appliedScaling_;  ///< the choice that made `cloud_`
  std::shared_ptr<const PreviewSample> sample_;
  EpsRange epsRange_{0.001, 10};
  BackendMaker makeBackends_;
  std::shared_ptr<BackendSlot> backend_;
  BackendInUse backendInUse_;

  std::shared_ptr<const ClusterResult> result_;
  std::shared_ptr<const PreviewClustering> preview_;
  std::shared_ptr<const ClusteringStatistics> statistics_;
  std::shared_ptr<const ColourValues> colourValues_;
  std::shared_ptr<const GridCells> gridCells_;
  std::shared_ptr<const CostModel> costModel_;
  std::shared_ptr<const KDistances> kDistances_;
  std::vector<SweepPoint> sweep_;
  std::vector<RunRecord> runs_;

  bool dragging_ = false;
  Parameters dragStart_;
  bool awaitingSuggestion_ = false;  ///< runs wait for an ε taken from the data
  bool runAgain_ = false;            ///< ε moved on while a short run was under way
  bool previewAgain_ = false;        ///< the same of the preview
  double lastRunSeconds_ = 0;        ///< of the newest exact run of this cloud; 0: none yet
  double suggestedEps_ = 0;
  std::optional<ColourKey> coloursFor_;
  std::optional<GridKey> gridFor_;
  bool kDistanceWanted_ = true;
  bool sweepWanted_ = false;
  bool costOfKWanted_ = true;

  bool modified_ = false;
  bool discardAfterAutosave_ = false;  ///< what was restored is kept until it is saved anew
  bool autosaveFailed_ = false;        ///< said once
  quint64 revision_ = 0;
  QString sessionPath_;
  std::shared_ptr<LoadOrder> lastFailedLoad_;
  QTimer exactTimer_;
  QTimer costTimer_;
  QTimer autosaveTimer_;
  /// True while an exact run is under way; long background work pauses between its steps.
  std::shared_ptr<std::atomic<bool>> exactRuns_ = std::make_shared<std::atomic<bool>>(false);

  LoadLab* loadLab_ = nullptr;        ///< a child
  Comparison* comparison_ = nullptr;  ///< a child

  JobQueue jobs_;  ///< last, so that it goes first: no work outlives what it might be delivered to
};

}  // namespace clusterloom
