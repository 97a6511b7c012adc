#include <QCoreApplication>

#include "render/charts/reachability_chart.h"
#include "ui/charts/chart_page.h"
#include "ui/charts/every_eps_words.h"
#include "ui/session/cluster_run.h"
#include "ui/session/cluster_tree.h"
#include "ui/session/every_eps.h"
#include "ui/session/session.h"

namespace clusterloom {

namespace {

/// The reachability plot, coloured by the clusters on show.
class ReachabilityPage final : public EpsChartPage<ReachabilityChart> {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::ReachabilityPage)

 public:
  explicit ReachabilityPage(Session& session)
      : EpsChartPage(session, ChartId::Reachability, "reachabilityChart",
                     tr("Mutual reachability of the points in the order of the tree of clusters; "
                        "the line is ε and can be dragged"),
                     everyEpsText(session, tr("The reachability plot"))) {
    connect(&session_.clusterTree(), &ClusterTree::changed, this, &ReachabilityPage::showData);
    for (const auto signal : {&ClusterRun::resultChanged, &ClusterRun::coloursChanged})
      connect(&session_.clusterRun(), signal, this, &ReachabilityPage::showClusters);
    connect(&session_, &Session::selectionChanged, this, &ReachabilityPage::showPoint);
    chart_.setOnPick([this](std::uint32_t point) { session_.setPickedPoint(point); });
    showData();
    showClusters();
  }

  bool isReady() const override { return bool(session_.clusterTree().reachability()); }
  bool applies() const override { return appliesToEveryEps(); }
  void setActive(bool active) override {
    session_.everyEps().setWanted(active);
    session_.clusterTree().setWanted(ClusterTree::Shown::Reachability, active);
  }

 private:
  void showData() {
    chart_.setEmptyText(everyEpsText(session_, tr("The reachability plot")).toStdString());
    const auto plot = session_.clusterTree().reachability();
    if (plot != shown_) {
      shown_ = plot;
      chart_.setData(plot);
      showPoint();
    }
    view_->requestFrame();
  }

  void showClusters() {
    const auto result = session_.clusterRun().result();
    chart_.setClustering(
        result ? std::shared_ptr<const Clustering>(result, &result->clustering) : nullptr,
        session_.clusterRun().colours());
    view_->requestFrame();
  }

  void showPoint() {
    chart_.setMarked(session_.selection().point);
    view_->requestFrame();
  }

  std::shared_ptr<const Reachability> shown_;
};

}  // namespace

ChartPage* makeReachabilityPage(Session& session) { return new ReachabilityPage(session); }

}  // namespace clusterloom
