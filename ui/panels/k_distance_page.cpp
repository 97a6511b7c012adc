#include "render/charts/k_distance_chart.h"
#include "ui/panels/chart_page.h"
#include "ui/session/derived_results.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"

namespace clusterloom {

namespace {

/// The k-distances; the cut is ε and can be dragged.
class KDistancePage final : public OneChartPage<KDistanceChart> {
 public:
  explicit KDistancePage(Session& session)
      : OneChartPage("kDistanceChart",
                     tr("k-distances in falling order; the line is ε and can be dragged"),
                     tr("The k-distances appear here")),
        session_(session) {
    chart_.setOnDrag([this](double eps, bool done) { dragEps(session_, eps, done); });
    connect(&session_.derived(), &DerivedResults::kDistancesChanged, this,
            &KDistancePage::showData);
    connect(&session_, &Session::parametersChanged, this, &KDistancePage::showEps);
    // The parameters panel shows the knee whichever chart is in front.
    session_.derived().setKDistanceWanted(true);
    showData();
    showEps();
  }

  bool isReady() const override {
    const auto cloud = session_.data().cloud();
    // With minPts above the number of points there is no k-distance to wait for.
    const bool none =
        cloud && session_.parameters().dbscan.minPts > static_cast<std::int64_t>(cloud->size());
    return (session_.derived().kDistances() || none) &&
           !session_.jobs().isActive(JobKind::KDistance);
  }

 private:
  void showData() {
    chart_.setData(session_.derived().kDistances());
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

ChartPage* makeKDistancePage(Session& session) { return new KDistancePage(session); }

}  // namespace clusterloom
