#include <QCoreApplication>
#include <QSplitter>
#include <QVBoxLayout>

#include "render/charts/batch_chart.h"
#include "ui/charts/chart_page.h"
#include "ui/charts/kernel_table.h"
#include "ui/session/cluster_run.h"
#include "ui/session/load_lab.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"

namespace clusterloom {

namespace {

/// Batches over time: of the run on show if it had batches, else of the load of warps. Beside them
/// the kernels of a run on a GPU.
class BatchPage final : public OneChartPage<BatchChart> {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::BatchPage)

 public:
  explicit BatchPage(Session& session)
      : OneChartPage(session, ChartId::Batches, "batchChart",
                     tr("Batches over time: kernels, transfers, neighbour table"),
                     tr("The batches of a run on a GPU or of the modelled warp load appear here")) {
    auto* splitter = new QSplitter(Qt::Horizontal);
    splitter->addWidget(view_.get());  // out of the page's layout
    kernels_ = new KernelTable;
    splitter->addWidget(kernels_);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setSizes({600, 400});
    splitter->setChildrenCollapsible(false);
    layout()->addWidget(splitter);
    offer(outputOfTable(*kernels_, tr("Kernels"), QStringLiteral("kernels"),
                        [this] { return kernels_->makeTable(); }));
    connect(&session_.clusterRun(), &ClusterRun::resultChanged, this, &BatchPage::showData);
    connect(&session_, &Session::selectionChanged, this, &BatchPage::showData);
    connect(&session_.loadLab(), &LoadLab::changed, this, &BatchPage::showData);
    showData();
  }

  bool isReady() const override { return session_.loadLab().isReady(); }
  void setActive(bool active) override { session_.loadLab().setWanted(active); }

 private:
  void showData() {
    const auto result = session_.clusterRun().result();
    const auto load = session_.loadLab().result();
    const bool ofLoad = load && load->asked.cloud == session_.data().cloud();
    static const RunStats kNone;
    const RunStats& run = result ? result->clustering.stats : kNone;
    if (!run.timeline.empty()) {
      chart_.setTimeline(run.timeline, run.predictions);
    } else {
      chart_.setReport(ofLoad ? load->report : nullptr);
      const std::int64_t place = ofLoad ? load->placeOf(session_.selection().warp) : -1;
      chart_.setMarked(place < 0 ? -1
                                 : std::int64_t(load->report->warps[std::size_t(place)].batch));
    }
    view_->requestFrame();
    // Of what the chart shows; where that has no kernels, of the run.
    if (run.timeline.empty() && ofLoad && !load->report->stats.kernels.empty())
      kernels_->setKernels(tr("Kernel of the measured load"), load->report->stats.kernels);
    else
      kernels_->setKernels(tr("Kernel of the run"), run.kernels);
  }

  KernelTable* kernels_ = nullptr;
};

}  // namespace

ChartPage* makeBatchPage(Session& session) { return new BatchPage(session); }

}  // namespace clusterloom
