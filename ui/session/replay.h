#pragma once

#include <QObject>
#include <QTimer>

#include "ui/session/play_clock.h"
#include "ui/session/session_parts.h"
#include "ui/session/session_values.h"

namespace clusterloom {

/// The part of the session that plays how clusters grow: it moves ε from small to large over the
/// exact curve, by setting ε in the session, so that everything linked to ε follows and each frame
/// is exact. Playing is one undo step. It pauses by itself at the end, when ε is changed otherwise
/// and when runs are stopped.
class Replay : public QObject {
  Q_OBJECT

 public:
  Replay(ClusterRun& run, const DerivedResults& derived, const EveryEps& everyEps,
         SessionValues values, QObject* parent);

  /// True when there is a curve to play.
  bool isPossible() const;
  bool isPlaying() const { return timer_.isActive(); }
  /// Plays on from the ε on show; from the smallest where that is at the end.
  void play();
  void pause();
  /// Goes to the next (+1) or previous (−1) ε at which the number of clusters changes: a cluster is
  /// born, dies or merges.
  void step(int direction);
  /// Seconds that the whole range takes, > 0.
  double duration() const { return clock_.seconds(); }
  void setDuration(double seconds);
  /// ε at a share of the range, 0 … 1, geometrically.
  double epsAt(double share) const;
  /// Where the ε on show is in the range, 0 … 1.
  double share() const;

 Q_SIGNALS:
  void changed();  ///< isPossible, isPlaying or duration
  /// For the session: the ε that is to be, and whether it is dragged from now on.
  void epsChosen(double eps);
  void dragged(bool dragging);

 private:
  void tick();

  ClusterRun& run_;
  const DerivedResults& derived_;
  const EveryEps& everyEps_;
  const SessionValues values_;
  QTimer timer_;
  PlayClock clock_;
  double lastEps_ = 0;  ///< the last ε that this class set
};

}  // namespace clusterloom
