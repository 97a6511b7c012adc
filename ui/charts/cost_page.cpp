#include <QCoreApplication>

#include <algorithm>

#include "render/charts/cost_chart.h"
#include "ui/charts/chart_page.h"
#include "ui/charts/every_eps_words.h"
#include "ui/session/cluster_run.h"
#include "ui/session/derived_results.h"
#include "ui/session/session.h"

namespace clusterloom {

namespace {

/// The predicted cost of each number of indexed dimensions, beside the times of runs.
class CostPage final : public OneChartPage<CostChart> {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::CostPage)

 public:
  explicit CostPage(Session& session)
      : OneChartPage(session, ChartId::Cost, "costChart",
                     tr("Predicted cost of each number of indexed dimensions"),
                     tr("The predicted cost of each k appears here")) {
    connect(&session_.derived(), &DerivedResults::costModelChanged, this, &CostPage::showData);
    connect(&session_, &Session::parametersChanged, this, &CostPage::showData);
    connect(&session_.clusterRun(), &ClusterRun::runsChanged, this, &CostPage::showData);
    // The parameters panel shows the predicted costs whichever chart is in front.
    session_.derived().setCostOfKWanted(true);
    showData();
  }

  bool isReady() const override {
    return session_.derived().costModel() && !session_.jobs().isActive(JobKind::CostOfK);
  }

 private:
  void showData() {
    chart_.setEmptyText(
        emptyText(session_, tr("The predicted cost of each k appears here")).toStdString());
    const auto model = session_.derived().costModel();
    const Parameters& parameters = session_.parameters();
    chart_.setData(model ? std::optional<CostModel>(*model) : std::nullopt,
                   indexedDimsInUse(model ? model->best : 1));
    // Only times of the same ε and cloud can be compared with the predictions.
    const CloudChoice& cloud = parameters;
    std::vector<MeasuredK> measured;
    for (const RunRecord& run : session_.clusterRun().runs()) {
      const CloudChoice& ofRun = run.parameters;
      if (run.parameters.dbscan.eps != parameters.dbscan.eps || !(ofRun == cloud) ||
          run.stats.indexedDims < 1)
        continue;
      auto at = std::find_if(measured.begin(), measured.end(),
                             [&](const MeasuredK& m) { return m.k == run.stats.indexedDims; });
      if (at == measured.end())
        at = measured.insert(at, {run.stats.indexedDims, run.stats.seconds.total});
      at->seconds = std::min(at->seconds, run.stats.seconds.total);
    }
    chart_.setMeasured(std::move(measured));
    view_->requestFrame();
  }

  /// The requested k, or the one that the run of these parameters took, which is not always the
  /// `best` of the model; 0 where that run took no grid. Where there is no run, `best`.
  int indexedDimsInUse(int best) const {
    const int asked = session_.parameters().strategy.indexedDims;
    if (asked > 0) return asked;
    const ClusterRun& run = session_.clusterRun();
    if (!run.isResultCurrent()) return best;
    const RunStats& stats = run.result()->clustering.stats;
    return stats.strategy.empty() ? best : stats.indexedDims;
  }
};

}  // namespace

ChartPage* makeCostPage(Session& session) { return new CostPage(session); }

}  // namespace clusterloom
