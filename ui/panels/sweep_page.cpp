#include "render/charts/sweep_chart.h"
#include "ui/panels/chart_page.h"
#include "ui/session/derived_results.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"

namespace clusterloom {

namespace {

/// Clusters and noise over a range of ε.
class SweepPage final : public EpsChartPage<SweepChart> {
 public:
  explicit SweepPage(Session& session)
      : EpsChartPage(session, ChartId::Sweep, "sweepChart",
                     tr("Clusters, noise and largest cluster against ε"),
                     tr("The ε sweep appears here")) {
    connect(&session_.derived(), &DerivedResults::sweepChanged, this, &SweepPage::showData);
    addSwitch(
        tr("&Logarithmic number of clusters"), [this] { return chart_.isLogarithmic(); },
        [this](bool on) {
          chart_.setClusterAxis(on ? ClusterAxis::Logarithmic : ClusterAxis::Linear);
        });
    showData();
  }

  bool isReady() const override {
    return !session_.derived().sweep().empty() && !session_.jobs().isActive(JobKind::Sweep);
  }

 private:
  void showData() {
    const auto cloud = session_.data().cloud();
    chart_.setData(session_.derived().sweep(), cloud ? cloud->size() : 0);
    view_->requestFrame();
  }
};

}  // namespace

ChartPage* makeSweepPage(Session& session) { return new SweepPage(session); }

}  // namespace clusterloom
