#include "ui/session/cluster_tree.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/dbscan/sweep.h"
#include "engine/hierarchy/hdbscan.h"
#include "render/paint/ticks.h"
#include "ui/session/cluster_run.h"
#include "ui/session/follow_labels.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"

namespace clusterloom {
namespace {

constexpr std::uint32_t kLeastSize = 2;
constexpr int kMapColumns = 41;
constexpr int kMapDigits = 3;    // of ε: fewer than neighbours need to differ
constexpr double kMapSpan = 10;  // from a tenth to ten times the suggested ε
constexpr std::array<std::int64_t, 14> kMapMinPts{2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 18, 22, 27, 32};

}  // namespace

ClusterTree::ClusterTree(Session& session)
    : QObject(&session),
      session_(session),
      jobs_(session.jobs()),
      tree_(session.jobs(), JobKind::ClusterTree,
            [this] {
              setSelected(-1);
              Q_EMIT changed();
            }),
      reachability_(session.jobs(), JobKind::Reachability, [this] { Q_EMIT changed(); }),
      map_(session.jobs(), JobKind::ParameterMap, [this] { Q_EMIT changed(); }) {
  connect(&session_.everyEps(), &EveryEps::hierarchyChanged, this, &ClusterTree::update);
  connect(&session_.everyEps(), &EveryEps::changed, this, &ClusterTree::changed);
  connect(&session_, &Session::selectionChanged, this, [this] {
    // Another selection replaced that of the cluster.
    if (!session_.selection().points && !jobs_.isActive(JobKind::Select)) setSelected(-1);
  });
}

void ClusterTree::setSelected(std::int32_t cluster) {
  if (std::exchange(selected_, cluster) != cluster) Q_EMIT selectedChanged();
}

void ClusterTree::setWanted(Shown what, bool wanted) {
  if ((shown_ == what) == wanted) return;
  const Shown shown = shown_ = wanted ? what : Shown::Nothing;
  session_.everyEps().setGraphWanted(shown == Shown::Map);
  update();
}

HdbscanOptions ClusterTree::options() const {
  HdbscanOptions options;
  const std::int64_t minPts = session_.parameters().dbscan.minPts;
  options.minClusterSize = minClusterSize_.value_or(static_cast<std::uint32_t>(
      std::clamp<std::int64_t>(minPts, kLeastSize, static_cast<std::int64_t>(kMaxPoints))));
  options.selection = selection_;
  return options;
}

void ClusterTree::setMinClusterSize(std::uint32_t size) {
  minClusterSize_ = std::max(size, kLeastSize);
  update();
}

void ClusterTree::setSelection(ClusterSelection selection) {
  selection_ = selection;
  update();
}

void ClusterTree::update() {
  const auto hierarchy = session_.everyEps().hierarchy();
  if (tree_.asked() && tree_.asked()->hierarchy != hierarchy) tree_.drop();
  if (!reachability_.isAsked(hierarchy)) reachability_.drop();
  const auto graph = session_.everyEps().graph();
  if (!map_.isAsked(graph)) map_.drop();
  if (shown_ == Shown::Map && graph) updateMap();
  if (shown_ == Shown::Tree && hierarchy) updateTree();
  if (shown_ == Shown::Reachability && hierarchy)
    reachability_.update(hierarchy, tr("Reachability plot"), [hierarchy](const Task& task) {
      return reachabilityOf(hierarchy->dendrogram(), task);
    });
  Q_EMIT changed();
}

void ClusterTree::updateTree() {
  const TreeInputs inputs{session_.everyEps().hierarchy(), options()};
  tree_.update(
      inputs, tr("Condensing the tree"), [inputs](const Task& task) -> Result<TreePicture> {
        auto tree = condense(inputs.hierarchy->dendrogram(), inputs.options.minClusterSize, task);
        if (!tree) return tl::unexpected(tree.error());
        TreePicture picture;
        picture.shape = shapeOf(*tree);
        picture.flat = takeClusters(*tree, inputs.options);
        picture.tree = std::move(*tree);
        return picture;
      });
}

void ClusterTree::updateMap() {
  const SessionData& data = session_.data();
  const double suggested = data.suggestedEps();
  if (!(suggested > 0)) return;
  const double low = std::max(data.epsRange().low, suggested / kMapSpan);
  const double high = std::max(low, std::min(data.epsRange().high, suggested * kMapSpan));
  auto eps = geometricEps(low, high, kMapColumns);
  if (!eps) return jobs_.report(JobKind::ParameterMap, eps.error());
  // Short numbers, which a click sets as they are.
  for (double& value : *eps) value = roundedTo(value, kMapDigits);
  eps->erase(std::unique(eps->begin(), eps->end()), eps->end());
  const auto graph = session_.everyEps().graph();
  map_.update(graph, tr("Map of ε and minPts"), [graph, eps = std::move(*eps)](const Task& task) {
    std::vector<std::int64_t> minPts;
    for (const std::int64_t m : kMapMinPts)
      if (m <= graph->mostMinPts()) minPts.push_back(m);
    return parameterMap(*graph, eps, minPts, 0, task);
  });
}

void ClusterTree::select(std::int32_t cluster) {
  selected_ = cluster;
  const auto& shown = tree_.inputs();
  if (cluster < 0 || !shown) {
    session_.setSelectedPoints(nullptr);
    Q_EMIT selectedChanged();
    return;
  }
  const std::uint32_t node = tree()->tree.clusters[static_cast<std::size_t>(cluster)].node;
  using Points = std::vector<std::uint32_t>;
  jobs_.start<Points>(
      JobKind::Select, tr("Selecting a cluster of the tree"),
      [hierarchy = shown->hierarchy, node](const Task&) -> Result<Points> {
        const auto points = hierarchy->order().subspan(hierarchy->begin(node),
                                                       hierarchy->dendrogram().sizeOf(node));
        Points sorted(points.begin(), points.end());
        std::sort(sorted.begin(), sorted.end());
        return sorted;
      },
      [this](Result<Points> points) {
        session_.setSelectedPoints(std::make_shared<const Points>(std::move(*points)));
      });
  Q_EMIT selectedChanged();
}

void ClusterTree::showTaken() {
  const auto cloud = session_.data().cloud();
  if (!tree() || !cloud) return;
  jobs_.start<NewResult>(
      JobKind::OpenLabels, tr("Clusters of HDBSCAN*"),
      [cloud, tree = tree(), parameters = session_.parameters(), options = tree_.inputs()->options,
       previous = session_.clusterRun().result()](const Task&) -> Result<NewResult> {
        NewResult clusters;
        clusters.result = std::make_shared<ClusterResult>();
        clusters.result->hdbscan = options;
        clusters.result->probabilities = tree->flat.probabilities;
        clusters.result->parameters = parameters;
        clusters.result->parameters.refinements.clear();
        clusters.result->cloud = cloud;
        clusters.result->clustering = asClustering(tree->flat, parameters.dbscan);
        clusters.followed = followLabels(previous.get(), clusters.result->clustering);
        return clusters;
      },
      [this, cloud](Result<NewResult> clusters) {
        if (session_.data().cloud() != cloud) return;
        session_.clusterRun().stopQuietly();
        Q_EMIT taken(clusters->result, clusters->followed);
      });
}

}  // namespace clusterloom
