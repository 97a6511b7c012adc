#include "ui/session/cluster_tree.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/dbscan/sweep.h"
#include "render/paint/ticks.h"
#include "ui/session/cluster_run.h"
#include "ui/session/follow_labels.h"
#include "ui/session/session_data.h"

namespace clusterloom {
namespace {

constexpr std::uint32_t kLeastSize = 2;
constexpr int kMapColumns = 41;
constexpr int kMapDigits = 3;    // of ε: fewer than neighbours need to differ
constexpr double kMapSpan = 10;  // from a tenth to ten times the suggested ε
constexpr std::array<std::int64_t, 14> kMapMinPts{2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 18, 22, 27, 32};

}  // namespace

ClusterTree::ClusterTree(const SessionData& data, ClusterRun& run, EveryEps& everyEps,
                         SessionValues values, JobQueue& jobs, QObject* parent)
    : QObject(parent),
      data_(data),
      run_(run),
      everyEps_(everyEps),
      values_(values),
      jobs_(jobs),
      tree_(jobs_, JobKind::ClusterTree,
            [this] {
              setSelected(-1);
              Q_EMIT changed();
            }),
      reachability_(jobs_, JobKind::Reachability, [this] { Q_EMIT changed(); }),
      map_(jobs_, JobKind::ParameterMap, [this] { Q_EMIT changed(); }) {
  connect(&everyEps_, &EveryEps::hierarchyChanged, this, &ClusterTree::update);
  connect(&everyEps_, &EveryEps::changed, this, &ClusterTree::changed);
}

void ClusterTree::followSelection() {
  // Another selection replaced that of the cluster.
  if (!finding_ && values_.selection.points != points_) setSelected(-1);
}

void ClusterTree::setSelected(std::int32_t cluster) {
  if (std::exchange(selected_, cluster) != cluster) Q_EMIT selectedChanged();
}

void ClusterTree::setWanted(Shown what, bool wanted) {
  if ((shown_ == what) == wanted) return;
  const Shown shown = shown_ = wanted ? what : Shown::Nothing;
  everyEps_.setGraphWanted(shown == Shown::Map);
  update();
}

HdbscanOptions ClusterTree::options() const {
  HdbscanOptions options;
  const std::int64_t minPts = values_.parameters.dbscan.minPts;
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
  const auto hierarchy = everyEps_.hierarchy();
  if (tree_.asked() && tree_.asked()->hierarchy != hierarchy) tree_.drop();
  if (!reachability_.isAsked(hierarchy)) reachability_.drop();
  const auto graph = everyEps_.graph();
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
  const TreeInputs inputs{everyEps_.hierarchy(), options()};
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
  const double suggested = data_.suggestedEps();
  if (!(suggested > 0)) return;
  const double low = std::max(data_.epsRange().low, suggested / kMapSpan);
  const double high = std::max(low, std::min(data_.epsRange().high, suggested * kMapSpan));
  auto eps = geometricEps(low, high, kMapColumns);
  if (!eps) return jobs_.report(JobKind::ParameterMap, eps.error());
  // Short numbers, which a click sets as they are.
  for (double& value : *eps) value = roundedTo(value, kMapDigits);
  eps->erase(std::unique(eps->begin(), eps->end()), eps->end());
  const auto graph = everyEps_.graph();
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
    points_ = nullptr;
    Q_EMIT pointsSelected(nullptr);
    Q_EMIT selectedChanged();
    return;
  }
  const std::uint32_t node = tree()->tree.clusters[static_cast<std::size_t>(cluster)].node;
  using Points = std::vector<std::uint32_t>;
  finding_ = true;
  jobs_.start<Points>(
      JobKind::Select, tr("Selecting a cluster of the tree"),
      [hierarchy = shown->hierarchy, node](const Task&) -> Result<Points> {
        const auto points = hierarchy->order().subspan(hierarchy->begin(node),
                                                       hierarchy->dendrogram().sizeOf(node));
        Points sorted(points.begin(), points.end());
        std::sort(sorted.begin(), sorted.end());
        return sorted;
      },
      [this, cloud = data_.cloud()](Result<Points> points) {
        finding_ = false;
        if (cloud != data_.cloud()) return;
        points_ = std::make_shared<const Points>(std::move(*points));
        Q_EMIT pointsSelected(points_);
      },
      [this](JobEnd) {
        finding_ = false;
        followSelection();
      });
  Q_EMIT selectedChanged();
}

void ClusterTree::showTaken() {
  const auto cloud = data_.cloud();
  if (!tree() || !cloud) return;
  jobs_.cancel(JobKind::OpenLabels);  // a file that is being read is not wanted any more
  jobs_.start<NewResult>(
      JobKind::OpenLabels, tr("Clusters of HDBSCAN*"),
      [cloud, tree = tree(), parameters = values_.parameters, options = tree_.inputs()->options,
       previous = run_.result()](const Task&) -> Result<NewResult> {
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
      [this, cloud, previous = run_.result()](Result<NewResult> clusters) {
        if (data_.cloud() != cloud) return;
        run_.stopQuietly();
        if (run_.result() != previous)  // a run has ended meanwhile
          clusters->followed = followLabels(run_.result().get(), clusters->result->clustering);
        Q_EMIT taken(clusters->result, clusters->followed);
      });
}

}  // namespace clusterloom
