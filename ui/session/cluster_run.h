#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/backend.h"
#include "ui/jobs/settle_timer.h"
#include "ui/session/backend_slot.h"
#include "ui/session/engine_choice.h"
#include "ui/session/results.h"
#include "ui/session/session_parts.h"
#include "ui/session/session_values.h"

namespace clusterloom {

class Hierarchy;

/// The description of a backend, known once a run has made it.
struct BackendInUse {
  QString description;
  QString remark;
  std::vector<GpuDevice> devices;
  BackendLimits limits{.name = "cpu"};
  bool operator==(const BackendInUse& other) const {
    return description == other.description && remark == other.remark;
  }
};

/// The relation of the result on show to the parameters.
enum class RunState {
  NoCloud,   ///< there is nothing to cluster yet
  NeedsEps,  ///< no ε is known and none is being sought
  Running,   ///< a run of the parameters, or a job that it waits for, is under way
  Current,   ///< the result is that of the parameters
  Stopped,   ///< a person stopped the run of the parameters
  Failed,    ///< the run of the parameters failed
  NotRun,    ///< the parameters changed while runs do not start by themselves
};

/// True when `ClusterRun::run` would start something.
bool canStart(RunState state);

/// The part of the session that clusters: the backend, the exact result, the preview while ε is
/// dragged, and the list of finished runs. It starts the jobs Cluster and Preview for the session's
/// parameters and keeps a result only while its job is the newest.
class ClusterRun : public QObject {
  Q_OBJECT

 public:
  ClusterRun(SessionData& data, const EveryEps& every, SessionValues values, JobQueue& jobs,
             BackendMaker makeBackends, QObject* parent);

  /// True when there is a cloud and all parameters are known.
  bool canRun() const;
  /// Views, tables, status and exports show `result` in every state but a preview while ε is
  /// dragged; `state` says whether it is that of the parameters.
  RunState state() const;
  /// Runs the parameters as they are now, or seeks an ε where there is none. Does nothing when that
  /// is done or under way.
  void run();
  /// Whether a change of the parameters starts a run by itself; else only `run` does.
  bool autoRun() const { return autoRun_; }
  void setAutoRun(bool automatic);
  /// True when a person stopped what ran last.
  bool wasStopped() const { return ended_ == RunState::Stopped; }
  /// The newest exact result; null while there is none for this cloud.
  std::shared_ptr<const ClusterResult> result() const { return result_; }
  /// True when `result` belongs to the parameters as they are now.
  bool isResultCurrent() const;
  /// The approximation on show while dragging; null when the exact result is shown.
  std::shared_ptr<const PreviewClustering> preview() const { return preview_; }
  /// Palette index of each cluster of `result`; null: their numbers. Once every ε is prepared,
  /// clusters keep their colours from one ε to the next (tree_colours.h), which start from the
  /// first exact result of this cloud and minPts.
  std::shared_ptr<const std::vector<std::int32_t>> colours() const { return colours_; }
  const std::vector<RunRecord>& runs() const { return runs_; }
  /// Of the newest run of this cloud that took no labels from the hierarchy; 0: none yet.
  double lastRunSeconds() const { return lastRunSeconds_; }

  // --- backend (not undoable: the answer is the same)
  const EngineChoice& engine() const { return engine_; }
  void setEngine(const EngineChoice& engine);
  QString backendName() const { return engine_.backend; }
  int threads() const { return engine_.threads; }
  void setBackend(const QString& name, int threads = 0);
  int device() const { return engine_.device; }
  void setDevice(int device);
  int ranks() const { return engine_.ranks; }
  const std::vector<int>& rankDevices() const { return engine_.rankDevices; }
  /// At most one rank and no GPU: it is not divided.
  void setRanks(int ranks, std::vector<int> devices);
  /// Begins to make the backend, which may start a GPU, so that the first run need not wait.
  void prepareBackend();
  /// The backend for jobs, made by the first that needs it.
  std::shared_ptr<BackendSlot> backendSlot() const { return backend_; }
  /// The backend that `auto` chooses, for work that must be fast even when the user compares other
  /// backends.
  std::shared_ptr<BackendSlot> fastestSlot() const { return fastest_; }
  /// The number of its GPU, where it takes one; −1: the first that answers. Nothing where it takes
  /// the GPUs of the ranks.
  std::optional<int> fastestDevice() const;
  /// The backend on which CPU and GPU share each join, whichever is in use.
  std::shared_ptr<BackendSlot> hybridSlot() const { return hybrid_; }
  /// The backend in use, as one line for display.
  QString backendDescription() const;
  /// Why it is this one, where the user should know; else empty.
  QString backendRemark() const { return backendInUse_.remark; }
  /// The GPUs that it could run on, once a run has found them.
  const std::vector<GpuDevice>& devices() const { return backendInUse_.devices; }
  /// Its limits. Until a run has made it, those that all backends share.
  const BackendLimits& backendLimits() const { return backendInUse_.limits; }

  // Called by the view of the cloud.
  /// With a view, while ε is dragged, the next run starts when a frame shows the result before it
  /// (`noteShown`): so labels are never older than one frame.
  void setViewed(bool viewed);
  void noteShown();

  // Called by the session.
  /// Brings the result up to date with the parameters: at once, or, while ε is dragged on a large
  /// cloud, by a preview now and an exact run when ε rests.
  void request();
  /// True when an exact run of the parameters as they are is under way.
  bool isUnderWay() const;
  /// Stops the run and its preview: the last exact result is on show again.
  void stop();
  /// Stops the run and its preview because another result takes its place.
  void stopQuietly();
  /// Gives the result on show its colours once its hierarchy is there, in the background.
  void updateColours();
  /// Cancels runs that have not started; jobs are not stopped.
  void stopWaiting();
  /// Stops all jobs of this part and drops preview and result.
  void drop();
  /// The runs of a cloud that is on show again, or none. Emits nothing; `announceRuns` must follow.
  void restoreRuns(std::vector<RunRecord> runs) { runs_ = std::move(runs); }
  void announceRuns() { Q_EMIT runsChanged(); }
  /// Replaces the result. Emits nothing but previewChanged; `announceResult` must follow.
  void accept(std::shared_ptr<const ClusterResult> result);
  void announceResult();
  /// Chooses without running anything. Emits nothing; `announceEngine` must follow.
  void restoreEngine(const EngineChoice& engine);
  void announceEngine() { Q_EMIT backendChanged(); }

 Q_SIGNALS:
  void backendChanged();
  void engineChosen();   ///< by a person: engine() is another one
  void resultChanged();  ///< result() is new or gone; there is no preview then
  void previewChanged();
  void coloursChanged();  ///< colours(), of the same result
  void runsChanged();
  void stateChanged();  ///< also when the text about the result on show changes (result_words.h)
  /// For the session: a run has ended. `followed` maps clusters of the previous result to this
  /// one's (follow_labels.h); empty without a previous result, and where no cluster is selected.
  void finished(std::shared_ptr<const clusterloom::ClusterResult> result,
                const std::vector<std::int32_t>& followed);

 private:
  void watchJobs();
  void stopJobs();
  void startCluster();
  void startPreview();
  void dropPreview();
  /// The ε whose labels give a result of these parameters its colours; nothing before the first.
  std::optional<double> startOfColours(const Parameters& parameters) const;
  /// The hierarchy through which colours follow the clusters; null: their colours are their
  /// numbers.
  std::shared_ptr<const Hierarchy> hierarchyOfColours(Parameters parameters) const;
  void keepTree(const std::shared_ptr<const TreeColours>& tree);

  SessionData& data_;
  const EveryEps& every_;
  SessionValues values_;
  JobQueue& jobs_;
  BackendMaker makeBackends_;
  EngineChoice engine_;
  std::shared_ptr<BackendSlot> backend_;
  std::shared_ptr<BackendSlot> fastest_;  ///< is backend_ where that is "auto"
  std::shared_ptr<BackendSlot> hybrid_;   ///< is backend_ where that shares joins
  BackendInUse backendInUse_;

  std::shared_ptr<const ClusterResult> result_;
  std::shared_ptr<const ClusterResult> replaced_;  ///< by `accept`, until `announceResult`
  std::shared_ptr<const PreviewClustering> preview_;
  std::shared_ptr<const std::vector<std::int32_t>> colours_;
  std::shared_ptr<const std::vector<std::int32_t>> nextColours_;  ///< of the result to accept
  std::shared_ptr<const TreeColours> tree_;                       ///< where colours_ came from last
  std::vector<RunRecord> runs_;

  bool autoRun_ = true;
  RunState ended_ = RunState::NotRun;  ///< why there is no result for the parameters
  Parameters running_;                 ///< of the newest run
  bool runAgain_ = false;              ///< ε moved on while a short run was under way
  bool previewAgain_ = false;          ///< the same of the preview
  double lastRunSeconds_ = 0;          ///< lastRunSeconds()
  SettleTimer exactTimer_;
  bool viewed_ = false;
  SettleTimer unshownTimer_;  ///< active until a frame shows the result, while ε is dragged
};

}  // namespace clusterloom
