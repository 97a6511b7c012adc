#include "render/charts/sweep_chart.h"
#include "ui/panels/chart_page.h"
#include "ui/session/derived_results.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"

namespace clusterloom {

namespace {

/// Clusters and noise over a range of ε.
class SweepPage final : public OneChartPage<SweepChart> {
 public:
  explicit SweepPage(Session& session)
      : OneChartPage("sweepChart", tr("Clusters, noise and largest cluster against ε"),
                     tr("The ε sweep appears here")),
        session_(session) {
    chart_.setOnDrag([this](double eps, bool done) { dragEps(session_, eps, done); });
    connect(&session_.derived(), &DerivedResults::sweepChanged, this, &SweepPage::showData);
    connect(&session_, &Session::parametersChanged, this, &SweepPage::showEps);
    showData();
    showEps();
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
  void showEps() {
    const bool known = !session_.data().awaitsEps();
    chart_.setEps(known ? session_.parameters().dbscan.eps : 0);
    view_->requestFrame();
  }

  Session& session_;
};

}  // namespace

ChartPage* makeSweepPage(Session& session) { return new SweepPage(session); }

}  // namespace clusterloom
