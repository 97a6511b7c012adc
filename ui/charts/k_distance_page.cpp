#include <QCoreApplication>

#include "render/charts/k_distance_chart.h"
#include "ui/charts/chart_page.h"
#include "ui/charts/every_eps_words.h"
#include "ui/session/derived_results.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"

namespace clusterloom {

namespace {

/// The k-distances; the cut is ε and can be dragged.
class KDistancePage final : public EpsChartPage<KDistanceChart> {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::KDistancePage)

 public:
  explicit KDistancePage(Session& session)
      : EpsChartPage(session, ChartId::KDistance, "kDistanceChart",
                     tr("k-distances in falling order; the line is ε and can be dragged"),
                     tr("The k-distances appear here")) {
    connect(&session_.derived(), &DerivedResults::kDistancesChanged, this,
            &KDistancePage::showData);
    connect(&session_.data(), &SessionData::cloudChanged, this, &KDistancePage::showData);
    const auto follow = [this](quint64, JobKind kind) {
      if (kind == JobKind::KDistance) showData();
    };
    connect(&session_.jobs(), &JobQueue::started, this, follow);
    connect(&session_.jobs(), &JobQueue::ended, this, follow);
    // The parameters panel shows the knee whichever chart is in front.
    session_.derived().setKDistanceWanted(true);
    addSwitch(
        tr("&Logarithmic distances"), [this] { return chart_.isLogarithmic(); },
        [this](bool on) { chart_.setLogarithmic(on); });
    showData();
  }

  bool isReady() const override {
    const auto cloud = session_.data().cloud();
    // With minPts above the number of points there is no k-distance to wait for.
    const bool none =
        cloud && session_.parameters().dbscan.minPts > static_cast<std::int64_t>(cloud->size());
    return (session_.derived().kDistances() || none || wereStopped()) &&
           !session_.jobs().isActive(JobKind::KDistance);
  }
  bool applies() const override {
    return session_.data().hasKDistances() && !session_.data().weights();
  }
  void setActive(bool active) override {
    if (active && wereStopped()) session_.derived().retryKDistances();
  }

 private:
  /// They do not go on by themselves.
  bool wereStopped() const {
    const JobQueue& jobs = session_.jobs();
    const auto cloud = session_.data().countedCloud();
    return cloud && session_.parameters().dbscan.minPts <= std::int64_t(cloud->size()) &&
           !session_.derived().kDistances() && !jobs.isActive(JobKind::KDistance) &&
           !jobs.isActive(JobKind::Scale) && !jobs.isActive(JobKind::Load);
  }

  void showData() {
    const auto cloud = session_.data().countedCloud();
    const QString text = cloud && session_.parameters().dbscan.minPts > std::int64_t(cloud->size())
                             ? tr("minPts is larger than the number of points")
                         : wereStopped() ? tr("The k-distances were stopped: choose another chart "
                                              "and this one again to start them")
                                         : tr("The k-distances appear here");
    chart_.setEmptyText(emptyCountsText(session_, text).toStdString());
    chart_.setData(session_.derived().kDistances());
    view_->requestFrame();
  }
};

}  // namespace

ChartPage* makeKDistancePage(Session& session) { return new KDistancePage(session); }

}  // namespace clusterloom
