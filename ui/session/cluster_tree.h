#pragma once

#include <QObject>
#include <cstdint>
#include <memory>
#include <optional>

#include "engine/hierarchy/hdbscan.h"
#include "engine/hierarchy/parameter_map.h"
#include "engine/hierarchy/reachability.h"
#include "render/charts/tree_chart.h"
#include "ui/jobs/derived_result.h"
#include "ui/session/every_eps.h"
#include "ui/session/results.h"
#include "ui/session/session_parts.h"
#include "ui/session/session_values.h"

namespace clusterloom {

/// The part of the session that owns the data of the charts of the hierarchy: the condensed tree
/// with the clusters that HDBSCAN* takes from it, the reachability plot, and the map over ε and
/// minPts. Each is computed only while a chart shows it (setWanted).
class ClusterTree : public QObject {
  Q_OBJECT

 public:
  /// The result that a visible chart needs.
  enum class Shown { Nothing, Tree, Reachability, Map };

  ClusterTree(const SessionData& data, ClusterRun& run, EveryEps& everyEps, SessionValues values,
              JobQueue& jobs, QObject* parent);

  /// Starts or stops computing the result; ignored where another result was requested meanwhile.
  void setWanted(Shown what, bool wanted);
  /// The smallest cluster: minPts, but at least 2, unless a person chose another.
  HdbscanOptions options() const;
  void setMinClusterSize(std::uint32_t size);
  void setSelection(ClusterSelection selection);
  /// Null until they are ready.
  std::shared_ptr<const TreePicture> tree() const { return tree_.get(); }
  std::shared_ptr<const Reachability> reachability() const { return reachability_.get(); }
  std::shared_ptr<const ParameterMap> map() const { return map_.get(); }
  /// Selects the points that a cluster of the tree has at its birth; −1: none.
  void select(std::int32_t cluster);
  /// The cluster of the tree that is selected; −1: none.
  std::int32_t selected() const { return selected_; }
  /// Shows the clusters of HDBSCAN* in place of a run's result.
  void showTaken();

  // Called by the session.
  void followSelection();

 Q_SIGNALS:
  void changed();  ///< options, tree, reachability, map or the running jobs
  void selectedChanged();
  /// For the session; see ClusterRun::finished.
  void taken(std::shared_ptr<const clusterloom::ClusterResult> result,
             const std::vector<std::int32_t>& followed);
  /// For the session: the points that are to be selected; null: none.
  void pointsSelected(const clusterloom::PointSet& points);

 private:
  struct TreeInputs {
    std::shared_ptr<const Hierarchy> hierarchy;
    HdbscanOptions options;
    friend bool operator==(const TreeInputs& a, const TreeInputs& b) {
      return a.hierarchy == b.hierarchy && a.options.minClusterSize == b.options.minClusterSize &&
             a.options.selection == b.options.selection;
    }
  };
  void update();
  void updateTree();
  void updateMap();
  void setSelected(std::int32_t cluster);

  const SessionData& data_;
  ClusterRun& run_;
  EveryEps& everyEps_;
  const SessionValues values_;
  JobQueue& jobs_;
  Shown shown_ = Shown::Nothing;
  std::optional<std::uint32_t> minClusterSize_;
  ClusterSelection selection_ = ClusterSelection::ExcessOfMass;
  DerivedResult<TreePicture, TreeInputs> tree_;
  DerivedResult<Reachability, std::shared_ptr<const Hierarchy>> reachability_;
  DerivedResult<ParameterMap, std::shared_ptr<const NeighbourGraph>> map_;
  std::int32_t selected_ = -1;
  PointSet points_;       ///< of the selected cluster
  bool finding_ = false;  ///< its points are being found
};

}  // namespace clusterloom
