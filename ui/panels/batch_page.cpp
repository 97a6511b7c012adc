#include <QCoreApplication>

#include "render/charts/batch_chart.h"
#include "ui/panels/chart_page.h"
#include "ui/session/cluster_run.h"
#include "ui/session/load_lab.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"

namespace clusterloom {

namespace {

/// Batches over time: of the run on show if it had batches, else of the load of warps.
class BatchPage final : public OneChartPage<BatchChart> {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::BatchPage)

 public:
  explicit BatchPage(Session& session)
      : OneChartPage(session, ChartId::Batches, "batchChart",
                     tr("Batches over time: kernels, transfers, neighbour table"),
                     tr("The batches of a run on a GPU or of the modelled warp load appear here")) {
    connect(&session_.clusterRun(), &ClusterRun::resultChanged, this, &BatchPage::showData);
    connect(&session_, &Session::selectionChanged, this, &BatchPage::showData);
    connect(&session_.loadLab(), &LoadLab::changed, this, &BatchPage::showData);
    showData();
  }

  bool isReady() const override { return session_.loadLab().isReady(); }

 private:
  void showData() {
    const auto result = session_.clusterRun().result();
    const auto load = session_.loadLab().result();
    const bool ofLoad = load && load->asked.cloud == session_.data().cloud();
    if (result && !result->clustering.stats.timeline.empty()) {
      const RunStats& stats = result->clustering.stats;
      chart_.setTimeline(stats.timeline, stats.predictedJoin);
    } else {
      chart_.setReport(ofLoad ? load->report : nullptr);
      const std::int64_t place = ofLoad ? load->placeOf(session_.selection().warp) : -1;
      chart_.setMarked(place < 0 ? -1
                                 : std::int64_t(load->report->warps[std::size_t(place)].batch));
    }
    view_->requestFrame();
  }
};

}  // namespace

ChartPage* makeBatchPage(Session& session) { return new BatchPage(session); }

}  // namespace clusterloom
