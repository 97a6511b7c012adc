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

struct TakenClusters {
  std::shared_ptr<ClusterResult> result;
  std::vector<std::int32_t> followed;
};

bool same(const HdbscanOptions& a, const HdbscanOptions& b) {
  return a.minClusterSize == b.minClusterSize && a.selection == b.selection;
}

}  // namespace

ClusterTree::ClusterTree(Session& session) : QObject(&session), session_(session) {
  connect(&session_.everyEps(), &EveryEps::hierarchyChanged, this, &ClusterTree::update);
  connect(&session_.everyEps(), &EveryEps::changed, this, &ClusterTree::changed);
  connect(&session_, &Session::selectionChanged, this, [this] {
    // Another selection replaced that of the cluster.
    if (selected_ >= 0 && !session_.selection().points &&
        !session_.jobs().isActive(JobKind::Select)) {
      selected_ = -1;
      Q_EMIT selectedChanged();
    }
  });
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
  const std::shared_ptr<const Hierarchy> hierarchy = session_.everyEps().hierarchy();
  if (hierarchy != of_) drop();
  of_ = hierarchy;
  const std::shared_ptr<const NeighbourGraph> graph = session_.everyEps().graph();
  if (graph != graph_) {
    session_.jobs().cancel(JobKind::ParameterMap);
    session_.jobs().retire(std::exchange(map_, nullptr));
    graph_ = graph;
  }
  if (shown_ == Shown::Map && graph_ && !map_ && !session_.jobs().isActive(JobKind::ParameterMap))
    startMap();
  if (!hierarchy) {
    Q_EMIT changed();
    return;
  }
  if (shown_ == Shown::Tree && !(tree_ && same(treeOptions_, options()))) startTree();
  if (shown_ == Shown::Reachability && !reachability_) startReachability();
  Q_EMIT changed();
}

void ClusterTree::drop() {
  session_.jobs().cancel(JobKind::ClusterTree);
  session_.jobs().cancel(JobKind::Reachability);
  session_.jobs().retire(std::exchange(tree_, nullptr));
  session_.jobs().retire(std::exchange(reachability_, nullptr));
  if (std::exchange(selected_, -1) >= 0) Q_EMIT selectedChanged();
}

void ClusterTree::startTree() {
  session_.jobs().start<TreePicture>(
      JobKind::ClusterTree, tr("Condensing the tree"),
      [hierarchy = of_, options = options()](const Task& task) -> Result<TreePicture> {
        auto tree = condense(hierarchy->dendrogram(), options.minClusterSize, task);
        if (!tree) return tl::unexpected(tree.error());
        TreePicture picture;
        picture.shape = shapeOf(*tree);
        picture.flat = takeClusters(*tree, options);
        picture.tree = std::move(*tree);
        return picture;
      },
      [this, options = options()](Result<TreePicture> picture) {
        if (!picture) return session_.report(JobKind::ClusterTree, picture.error());
        auto old = std::exchange(tree_, std::make_shared<const TreePicture>(std::move(*picture)));
        session_.jobs().retire(std::move(old));
        treeOptions_ = options;
        if (std::exchange(selected_, -1) >= 0) Q_EMIT selectedChanged();
        Q_EMIT changed();
      });
}

void ClusterTree::startReachability() {
  session_.jobs().start<Reachability>(
      JobKind::Reachability, tr("Reachability plot"),
      [hierarchy = of_](const Task& task) { return reachabilityOf(hierarchy->dendrogram(), task); },
      [this](Result<Reachability> plot) {
        if (!plot) return session_.report(JobKind::Reachability, plot.error());
        reachability_ = std::make_shared<const Reachability>(std::move(*plot));
        Q_EMIT changed();
      });
}

void ClusterTree::startMap() {
  const SessionData& data = session_.data();
  const double suggested = data.suggestedEps();
  if (!(suggested > 0)) return;
  const double low = std::max(data.epsRange().low, suggested / kMapSpan);
  const double high = std::max(low, std::min(data.epsRange().high, suggested * kMapSpan));
  auto eps = geometricEps(low, high, kMapColumns);
  if (!eps) return session_.report(JobKind::ParameterMap, eps.error());
  // Short numbers, which a click sets as they are.
  for (double& value : *eps) value = roundedTo(value, kMapDigits);
  eps->erase(std::unique(eps->begin(), eps->end()), eps->end());
  session_.jobs().start<ParameterMap>(
      JobKind::ParameterMap, tr("Map of ε and minPts"),
      [graph = graph_, eps = std::move(*eps)](const Task& task) {
        std::vector<std::int64_t> minPts;
        for (const std::int64_t m : kMapMinPts)
          if (m <= graph->mostMinPts()) minPts.push_back(m);
        return parameterMap(*graph, eps, minPts, 0, task);
      },
      [this](Result<ParameterMap> map) {
        if (!map) return session_.report(JobKind::ParameterMap, map.error());
        map_ = std::make_shared<const ParameterMap>(std::move(*map));
        Q_EMIT changed();
      });
}

void ClusterTree::select(std::int32_t cluster) {
  selected_ = cluster;
  if (cluster < 0 || !tree_ || !of_) {
    session_.setSelectedPoints(nullptr);
    Q_EMIT selectedChanged();
    return;
  }
  const std::uint32_t node = tree_->tree.clusters[static_cast<std::size_t>(cluster)].node;
  session_.jobs().start<std::vector<std::uint32_t>>(
      JobKind::Select, tr("Selecting a cluster of the tree"),
      [hierarchy = of_, node](const Task&) -> Result<std::vector<std::uint32_t>> {
        const auto points = hierarchy->order().subspan(hierarchy->begin(node),
                                                       hierarchy->dendrogram().sizeOf(node));
        std::vector<std::uint32_t> sorted(points.begin(), points.end());
        std::sort(sorted.begin(), sorted.end());
        return sorted;
      },
      [this](Result<std::vector<std::uint32_t>> points) {
        session_.setSelectedPoints(
            std::make_shared<const std::vector<std::uint32_t>>(std::move(*points)));
      });
  Q_EMIT selectedChanged();
}

void ClusterTree::showTaken() {
  const auto cloud = session_.data().cloud();
  if (!tree_ || !cloud || !of_) return;
  session_.jobs().start<TakenClusters>(
      JobKind::OpenLabels, tr("Clusters of HDBSCAN*"),
      [cloud, tree = tree_, parameters = session_.parameters(), options = treeOptions_,
       previous = session_.clusterRun().result()](const Task&) -> Result<TakenClusters> {
        TakenClusters clusters;
        clusters.result = std::make_shared<ClusterResult>();
        clusters.result->hdbscan = options;
        clusters.result->parameters = parameters;
        clusters.result->parameters.refinements.clear();
        clusters.result->cloud = cloud;
        clusters.result->clustering = asClustering(tree->flat, parameters.dbscan);
        if (previous)
          clusters.followed =
              followLabels(previous->clustering.labels, previous->clustering.clusters,
                           clusters.result->clustering.labels);
        return clusters;
      },
      [this, cloud](Result<TakenClusters> clusters) {
        if (session_.data().cloud() != cloud) return;
        session_.clusterRun().stopQuietly();
        Q_EMIT taken(clusters->result, clusters->followed);
      });
}

}  // namespace clusterloom
