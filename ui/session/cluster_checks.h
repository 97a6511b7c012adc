#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "engine/validity/cluster_persistence.h"
#include "engine/validity/cluster_validity.h"
#include "engine/validity/resampling.h"
#include "ui/jobs/derived_result.h"
#include "ui/jobs/settle_timer.h"
#include "ui/session/results.h"
#include "ui/session/session_parts.h"

namespace clusterloom {

/// How often the clusters of a result are found again in samples of its points.
struct FoundAgain {
  ResamplingOptions options;
  std::int64_t minPts = 0;                 ///< in the samples
  std::vector<ClusterStability> clusters;  ///< by label, those that have points

  /// The mean over the clusters, weighted by points, of the share of samples in which each is
  /// found; NaN where no cluster is in a sample.
  double share() const;
};

/// An ε at which the clusters were looked for in samples.
struct CheckedEps {
  double eps = 0;
  double share = 0;  ///< FoundAgain::share
};

/// The known figures of the clusters on show; null where unknown.
struct ClusterFigures {
  std::shared_ptr<const Validity> validity;
  std::shared_ptr<const FoundAgain> foundAgain;
  std::shared_ptr<const std::vector<EpsRangeOfCluster>> persistence;  ///< by label

  friend bool operator==(const ClusterFigures&, const ClusterFigures&) = default;
};

/// The checks that take a while. Each is started separately.
enum class Check { Validity, FoundAgain };

enum class CheckState {
  Off,         ///< not wanted
  NoClusters,  ///< there is nothing to check
  Refused,     ///< impossible for these clusters: `refusal` says why
  Waiting,     ///< about to start or to be decided
  Asks,        ///< not computed until `run`: it takes long or was stopped; `seconds` says how long
  Running,
  Ready,
  Failed,
};

/// The part of the session that says how far to trust the clusters on show: density-based validity,
/// how often each is found again in samples, and, once every ε is prepared, the range of ε over
/// which it persists. Nothing is computed unless it is wanted. Each value is of the result on show:
/// a new result drops all of them at once. They are computed again when ε rests, if that takes no
/// longer than a moment, else on request.
class ClusterChecks : public QObject {
  Q_OBJECT

 public:
  /// `dragging`: whether ε is being dragged.
  ClusterChecks(const SessionData& data, const ClusterRun& run, const DerivedResults& derived,
                const EveryEps& everyEps, const bool& dragging, JobQueue& jobs, QObject* parent);

  bool isWanted() const { return wanted_; }
  /// True: starts short checks; long ones wait in CheckState::Asks. False: stops and drops all.
  void setWanted(bool wanted);
  CheckState state(Check check) const;
  /// Why a check is impossible (translated), in CheckState::Refused; else empty.
  QString refusal(Check check) const;
  /// About how long a check of the result on show takes; for known statistics.
  double seconds(Check check) const;
  /// Computes all missing figures, even where that takes long.
  void run();
  /// Stops running checks.
  void stop();

  /// Of the result on show.
  ClusterFigures figures() const;
  /// The shares found again at this ε and others, for the cloud and minPts of the result on show,
  /// by ascending ε.
  const std::vector<CheckedEps>& checkedEps() const { return checkedEps_; }
  /// Whether the figures have persistence or are about to: every ε is prepared.
  bool hasPersistence() const;

 Q_SIGNALS:
  void changed();

 private:
  using Clusters = std::shared_ptr<const ClusterResult>;

  /// Called when the result on show is another one, or none.
  void follow();
  bool isNeeded(Check check) const;
  void start(Check check);
  void startValidity(const Clusters& result);
  void startFoundAgain(const Clusters& result);
  void updatePersistence();
  void keepFoundAgain();
  /// Starts the checks that take no longer than this.
  void startWithin(double seconds);
  void drop();

  const SessionData& data_;
  const ClusterRun& run_;
  const DerivedResults& derived_;
  const EveryEps& everyEps_;
  const bool& dragging_;
  JobQueue& jobs_;
  bool wanted_ = false;
  double limit_ = 0;  ///< for startWithin, once the statistics are there
  SettleTimer settle_;
  std::vector<CheckedEps> checkedEps_;
  Parameters checkedWith_;  ///< of `checkedEps_`, apart from ε
  std::shared_ptr<const PointCloud> checkedCloud_;
  DerivedResult<Validity, Clusters> validity_;
  DerivedResult<FoundAgain, Clusters> foundAgain_;
  DerivedResult<std::vector<EpsRangeOfCluster>,
                std::pair<Clusters, std::shared_ptr<const Hierarchy>>>
      persistence_;
};

}  // namespace clusterloom
