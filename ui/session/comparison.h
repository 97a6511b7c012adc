#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <vector>

#include "engine/load/gain_causes.h"
#include "render/charts/response_chart.h"
#include "ui/jobs/derived_result.h"
#include "ui/jobs/receiver.h"
#include "ui/session/load_result.h"
#include "ui/session/paper_strategies.h"
#include "ui/session/session_parts.h"

namespace clusterloom {

/// The times of repeated runs, in seconds.
struct TimeSpread {
  double median = 0;
  double least = 0;
  double most = 0;
};
/// All zero for no runs. Of an even number of runs the median is the mean of the middle two.
TimeSpread spreadOf(std::vector<double> seconds);

/// One strategy of a comparison.
struct ComparedRun {
  QString name;
  Strategy strategy;
  bool shared = false;                       ///< by CPU and GPU together
  std::shared_ptr<const LoadReport> report;  ///< null for a shared join and one without a grid
  std::optional<PredictedWee> predicted;     ///< beside a measured load
  RunStats stats;                            ///< of the first run that counted
  std::vector<double> seconds;               ///< of index and join, one per run
  std::uint64_t pairs = 0;                   ///< ordered pairs that the run found, self included
  std::uint64_t candidates = 0;              ///< ordered pairs; NeighbourCounts::candidates
  bool identical = false;  ///< each run counted for every point what the first one counted
  QString remark;          ///< a remark for the user; may be empty
  QString failure;         ///< why there is no result; empty when there is

  bool succeeded() const { return failure.isEmpty(); }
  /// Of the modelled or measured warps, else of the run.
  std::uint64_t distanceCalculations() const {
    return report ? report->distanceCalculations : stats.distanceCalculations;
  }
};

/// Comparison of strategies: each is modelled, for its warps if it is a join by the grid, and run
/// on the session's backend (shared joins: on the backend hybrid), once or repeatedly, for its time
/// and its answer; the answers are compared point by point. One job makes the runs one by one, each
/// from the cloud on the host: data that one run has uploaded would shorten the times of the
/// others. A number of threads per point that the backend does not support is modelled; the
/// counting run then takes one thread, and a remark says so.
class Comparison : public QObject {
  Q_OBJECT

 public:
  Comparison(const SessionData& data, const ClusterRun& run, const LoadLab& lab,
             const Parameters& parameters, JobQueue& jobs, QObject* parent);

  /// Compares these on the current cloud and ε, each run `repeats` ≥ 1 times; the previous
  /// comparison is dropped.
  void start(const std::vector<PaperStrategy>& strategies, LoadKernel kernel, int repeats = 1);
  /// Runs these over ε from a quarter to four times the current one, for their times: of counting
  /// the neighbours, or of delivering all pairs.
  void startSweep(const std::vector<PaperStrategy>& strategies, LoadKernel kernel, int repeats = 1);
  void cancel();
  bool isRunning() const;
  /// Whether there is something to compare: a run is possible, in a Euclidean space.
  bool isPossible() const;
  /// False when cloud or ε have changed since.
  bool isCurrent() const;

  const std::vector<ComparedRun>& runs() const { return runs_; }
  /// Response times so far of the newest sweep, one curve a strategy; empty when there is none.
  const std::vector<ResponseCurve>& sweep() const { return sweep_; }
  /// The kernel that the newest sweep times.
  LoadKernel sweepKernel() const { return sweepKernel_; }
  /// Why some of its points are missing; empty where none are.
  QString sweepFailure() const { return sweepFailure_; }
  /// Finds out whether CPU and GPU can share joins here; once for each choice of threads and GPU.
  void findHybrid();
  /// Why they cannot, for display; empty while no obstacle is known.
  QString hybridObjection() const { return hybrid_.get() ? *hybrid_.get() : QString(); }
  /// The gain of a run with warps over the first run with warps; all 1 for the first run.
  GainCauses causesOf(const ComparedRun& run) const;
  double eps() const { return eps_; }
  /// What the newest comparison or sweep runs on, for display; empty where there is none.
  const QString& backend() const { return backend_; }
  std::uint64_t points() const { return cloud_ ? cloud_->size() : 0; }
  /// The exact numbers, one row per strategy that could run.
  DataTable table() const;

 Q_SIGNALS:
  void changed();
  void hybridFound();  ///< hybridObjection() is known

 private:
  void clear();
  /// Takes what runs are made on.
  Receiver<QString> namesBackend();
  /// False where there is nothing to compare.
  bool begin(const std::vector<PaperStrategy>& strategies);
  std::vector<std::shared_ptr<BackendSlot>> slotsOf(
      const std::vector<PaperStrategy>& strategies) const;
  std::vector<PaperStrategy> asAsked(const std::vector<PaperStrategy>& strategies) const;

  const SessionData& data_;
  const ClusterRun& run_;
  const LoadLab& lab_;
  const Parameters& parameters_;
  JobQueue& jobs_;
  std::shared_ptr<const PointCloud> cloud_;
  double eps_ = 0;
  QString backend_;
  std::vector<ComparedRun> runs_;
  std::vector<ResponseCurve> sweep_;
  LoadKernel sweepKernel_ = LoadKernel::Counts;
  QString sweepFailure_;
  DerivedResult<QString, std::shared_ptr<BackendSlot>> hybrid_{jobs_, JobKind::FindHybrid,
                                                               [this] { Q_EMIT hybridFound(); }};
};

}  // namespace clusterloom
