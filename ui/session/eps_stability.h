#pragma once

#include <QObject>
#include <memory>
#include <utility>
#include <vector>

#include "engine/validity/stability_over_eps.h"
#include "ui/jobs/derived_result.h"
#include "ui/session/cluster_checks.h"
#include "ui/session/session_parts.h"

namespace clusterloom {

/// The part of the session that says how stable the clusters of every ε are in samples of the
/// points, once every ε is prepared. Nothing is computed unless it is wanted. For another cloud or
/// minPts it is computed again if that takes no longer than a moment, else on request.
class EpsStability : public QObject {
  Q_OBJECT

 public:
  EpsStability(const SessionData& data, const ClusterRun& run, const DerivedResults& derived,
               const EveryEps& everyEps, JobQueue& jobs, QObject* parent);

  bool isWanted() const { return wanted_; }
  /// True: starts it if it does not take long, else waits in CheckState::Asks. False: stops and
  /// drops it.
  void setWanted(bool wanted);
  /// Waiting: until every ε is prepared. NoClusters and Refused do not occur.
  CheckState state() const;
  /// About how long it takes.
  double seconds() const;
  /// Computes it, even where that takes long.
  void run();
  /// Stops the computation.
  void stop() { band_.stop(); }
  /// By ascending ε, from the first to the last change of the exact curve; null while there is
  /// none.
  std::shared_ptr<const std::vector<StabilityAt>> band() const { return band_.get(); }

 Q_SIGNALS:
  void changed();

 private:
  using Of = std::pair<std::shared_ptr<const Hierarchy>, std::shared_ptr<const ExactSweep>>;

  Of inputs() const;
  void follow();
  void startWithin(double seconds);

  const SessionData& data_;
  const ClusterRun& run_;
  const DerivedResults& derived_;
  const EveryEps& everyEps_;
  bool wanted_ = false;
  DerivedResult<std::vector<StabilityAt>, Of> band_;
};

}  // namespace clusterloom
