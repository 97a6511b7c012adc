#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <functional>
#include <memory>

#include "engine/hierarchy/hierarchy.h"
#include "engine/hierarchy/neighbour_graph.h"
#include "ui/jobs/settle_timer.h"
#include "ui/session/engine_choice.h"
#include "ui/session/parameters.h"
#include "ui/session/session_parts.h"

namespace clusterloom {

/// Whether every ε is prepared in a space: in all spaces but a sphere.
bool hasEveryEps(const Space& space);

/// The expected cost of building a hierarchy.
struct EveryEpsForecast {
  double seconds = 0;
  std::uint64_t bytes = 0;  ///< of memory while it is built
  std::uint64_t free = 0;   ///< bytes of memory that are free
  bool fits() const { return bytes <= free; }
};

/// The part of the session that owns the hierarchy of the cloud (engine/hierarchy/hierarchy.h): the
/// clusters of every ε for the minPts in use. Once it is ready, runs at any ε take their labels
/// from it. It is built in the background when the parameters have rested for a moment. Once minPts
/// changes, it is derived from a graph of neighbours that serves every minPts up to a K.
class EveryEps : public QObject {
  Q_OBJECT

 public:
  enum class State {
    Off,         ///< not wanted
    NoCloud,     ///< there is no cloud to build it from
    OtherSpace,  ///< none is built for these distances (hasEveryEps)
    Weighted,    ///< points have weights: none is built
    BeyondK,     ///< minPts is larger than any hierarchy is built for
    Waiting,     ///< about to be built
    Large,       ///< not built until `build`: see forecast()
    TooLarge,    ///< refused, because by the forecast it does not fit into memory
    Building,
    Ready,
    Stopped,  ///< a person stopped it
    Failed,
  };

  /// `engine` gives the engine that runs use.
  EveryEps(const SessionData& data, std::function<EngineChoice()> engine,
           const Parameters& parameters, JobQueue& jobs, QObject* parent);

  /// Whether runs use it, so that it is built whenever it can be.
  bool isEnabled() const { return enabled_; }
  void setEnabled(bool enabled);
  /// Whether a chart on show needs it, even if runs do not. Each chart calls it once with true, and
  /// later with false.
  void setWanted(bool wanted);
  State state() const;
  /// The expected cost in State::Large and TooLarge; else zeros.
  EveryEpsForecast forecast() const { return forecast_; }
  /// Builds it now, also where it is large or was stopped; forecasts it again where it was too
  /// large.
  void build();
  /// Stops building it.
  void stop();
  /// The hierarchy of this cloud and minPts; null while there is none.
  std::shared_ptr<const Hierarchy> hierarchy() const;
  /// How hierarchies of the session's cloud are built for its minPts: in its space.
  HierarchyOptions options() const;
  /// The hierarchy for a run of these parameters; null where runs do not use it: it is switched
  /// off, the strategy was chosen by a person, selections are clustered on their own, or ε is one
  /// that runs in this space refuse.
  std::shared_ptr<const Hierarchy> hierarchyFor(const Parameters& parameters) const;

  /// The graph from which the hierarchies of this cloud for every minPts up to K are made, by
  /// Euclidean distances; null until it is needed.
  std::shared_ptr<const NeighbourGraph> graph() const;
  /// Whether a chart on show needs the graph.
  void setGraphWanted(bool wanted);

  // Called by the session.
  /// Makes the hierarchy follow the cloud and minPts of the session.
  void follow();
  /// Stops and drops everything.
  void drop();

 Q_SIGNALS:
  void changed();           ///< state() or forecast()
  void hierarchyChanged();  ///< there is another hierarchy, or none

 private:
  /// The inputs of a hierarchy.
  struct Key {
    const PointCloud* cloud = nullptr;
    std::int64_t minPts = 0;
    Space space;  ///< the same cloud can be in several
    friend bool operator==(const Key&, const Key&) = default;
  };
  Key wantedKey() const;
  bool isWanted() const { return enabled_ || wanted_ > 0 || needsGraph(); }
  bool needsGraph() const;
  bool isComplete() const;
  /// Stops the build.
  void dropBuild();
  void start(bool evenLarge);
  void forget();

  const SessionData& data_;
  std::function<EngineChoice()> engine_;
  const Parameters& parameters_;
  JobQueue& jobs_;
  bool enabled_ = false;
  int wanted_ = 0;  ///< by this number of charts
  bool graphWanted_ = false;
  SettleTimer settle_;
  Key key_;                       ///< of hierarchy_
  Key last_;                      ///< what was built or tried last
  State ended_ = State::Waiting;  ///< how that ended, where there is no hierarchy
  EveryEpsForecast forecast_;
  std::shared_ptr<const PointCloud> cloud_;  ///< of hierarchy_: keeps key_.cloud from being reused
  std::shared_ptr<const Hierarchy> hierarchy_;
  std::shared_ptr<const NeighbourGraph> graph_;  ///< of cloud_, in a Euclidean space
};

}  // namespace clusterloom
