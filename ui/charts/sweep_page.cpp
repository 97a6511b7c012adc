#include <QCoreApplication>
#include <QHBoxLayout>
#include <QPushButton>
#include <QStackedLayout>
#include <QVBoxLayout>

#include "render/charts/eps_curve_chart.h"
#include "render/charts/sweep_chart.h"
#include "ui/charts/chart_page.h"
#include "ui/charts/replay_row.h"
#include "ui/session/cluster_checks.h"
#include "ui/session/derived_results.h"
#include "ui/session/eps_stability.h"
#include "ui/session/every_eps.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/widgets/form.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

/// Shows and hides the band of stability in the ε sweep; a long computation is started by a second
/// press, and stopped by another one.
class StabilityButton final : public QPushButton {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::StabilityButton)

 public:
  StabilityButton(Session& session, QWidget* parent) : QPushButton(parent), session_(session) {
    setObjectName(QStringLiteral("stabilityButton"));
    connect(this, &QPushButton::clicked, this, &StabilityButton::press);
    connect(&session.epsStability(), &EpsStability::changed, this, &StabilityButton::showState);
    showState();
  }

 private:
  void press() {
    EpsStability& stability = session_.epsStability();
    switch (stability.state()) {
      case CheckState::Off: return stability.setWanted(true);
      case CheckState::Asks:
      case CheckState::Failed: return stability.run();
      case CheckState::Running: return stability.stop();
      default: return stability.setWanted(false);
    }
  }

  void showState() {
    const EpsStability& stability = session_.epsStability();
    QString text = tr("Hide stability");
    QString name = tr("Hide how stable the clusters of each ε are");
    switch (stability.state()) {
      case CheckState::Off:
        text = tr("Stability");
        name =
            tr("Show how stable the clusters of each ε are in 20 random samples of half of the "
               "points");
        break;
      case CheckState::Asks:
      case CheckState::Failed:
        text = tr("Stability: about %1").arg(duration(stability.seconds()));
        name = tr("Compute how stable the clusters of each ε are");
        break;
      case CheckState::Running:
        text = tr("Stop");
        name = tr("Stop computing the stability");
        break;
      default: break;
    }
    setText(text);
    setToolTip(name);
    setAccessibleName(name);
  }

  Session& session_;
};

/// Clusters and noise over ε: a number of runs until every ε is prepared, then the exact curve.
class SweepPage final : public ChartPage {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::SweepPage)

 public:
  explicit SweepPage(Session& session) : ChartPage(session) {
    auto* layout = spaced(new QVBoxLayout(this), {0, 0, 0, 0}, 2);
    replay_ = new ReplayRow(session, this);
    stability_ = new StabilityButton(session, this);
    auto* row = spaced(new QHBoxLayout, {0, 0, 8, 0});
    row->addWidget(replay_, 1);
    row->addWidget(stability_, 0, Qt::AlignBottom);
    layout->addLayout(row);
    stack_ = new QStackedLayout;
    layout->addLayout(stack_, 1);
    steps_ = addView(stepsChart_, "sweepChart", tr("Clusters, noise and largest cluster against ε"),
                     tr("ε sweep"), QStringLiteral("sweep"));
    exact_ = addView(exactChart_, "epsCurveChart",
                     tr("Exact numbers of clusters, noise and largest cluster at every ε"),
                     tr("Every ε"), QStringLiteral("every-eps"));
    exactChart_.setEmptyText(tr("At no ε any point is a core point").toStdString());
    const auto follow = [this](quint64, JobKind kind) {
      if (kind == JobKind::Sweep || kind == JobKind::Suggest) showEmptyText();
    };
    connect(&session_.jobs(), &JobQueue::started, this, follow);
    connect(&session_.jobs(), &JobQueue::ended, this, follow);
    connect(&session_.derived(), &DerivedResults::sweepChanged, this, &SweepPage::showData);
    connect(&session_, &Session::parametersChanged, this, &SweepPage::showEps);
    connect(&session_.checks(), &ClusterChecks::changed, this, &SweepPage::showChecks);
    connect(&session_.epsStability(), &EpsStability::changed, this, &SweepPage::showStability);
    showData();
    showEps();
    showChecks();
    showStability();
  }
  // The views use the charts, members, which would go before the child widgets.
  ~SweepPage() override {
    delete steps_;
    delete exact_;
  }

  // The exact curve takes the place of the sweep when the hierarchy is built.
  bool isReady() const override {
    const DerivedResults& derived = session_.derived();
    const EveryEps::State every = session_.everyEps().state();
    return (!derived.sweep().empty() || derived.exactSweep()) &&
           every != EveryEps::State::Waiting && every != EveryEps::State::Building &&
           !session_.jobs().isActive(JobKind::Sweep);
  }
  bool applies() const override { return true; }
  void setActive(bool active) override { session_.derived().setSweepWanted(active); }
  ChartView* view() const override { return static_cast<ChartView*>(stack_->currentWidget()); }

 private:
  template <typename C>
  ChartView* addView(C& chart, const char* object, const QString& accessibleName,
                     const QString& title, const QString& file) {
    auto* view = named(object, new ChartView(chart, this), accessibleName);
    chart.setOnDrag([this](double eps, bool done) { dragEps(session_, eps, done); });
    stack_->addWidget(view);
    offer(outputOf(*view, title, file))
        .switches.push_back(
            {tr("&Logarithmic number of clusters"), [&chart] { return chart.isLogarithmic(); },
             [&chart, view](bool on) {
               chart.setClusterAxis(on ? ClusterAxis::Logarithmic : ClusterAxis::Linear);
               view->requestFrame();
             }});
    return view;
  }

  /// A sweep that was stopped does not go on by itself.
  void showEmptyText() {
    const JobQueue& jobs = session_.jobs();
    const bool comes = !session_.data().cloud() || jobs.isActive(JobKind::Sweep) ||
                       jobs.isActive(JobKind::Suggest) || jobs.isActive(JobKind::Scale) ||
                       jobs.isActive(JobKind::Load);
    const QString text =
        comes ? tr("The ε sweep appears here")
        : session_.data().suggestedEps() > 0
            ? tr("The ε sweep was stopped: choose another chart and this one again to start it")
            : tr("There is no ε sweep, since no ε was suggested");
    stepsChart_.setEmptyText(text.toStdString());
    view()->requestFrame();
  }

  void showData() {
    showEmptyText();
    const auto cloud = session_.data().cloud();
    const std::uint64_t points = cloud ? cloud->size() : 0;
    const auto exact = session_.derived().exactSweep();
    stepsChart_.setData(session_.derived().sweep(), points);
    if (exact != shown_) {
      shown_ = exact;
      exactChart_.setData(exact ? std::shared_ptr<const EpsCurve>(exact, &exact->curve) : nullptr,
                          exact ? exact->plateaus : std::vector<Plateau>(), points);
    }
    stack_->setCurrentWidget(exact ? exact_ : steps_);
    replay_->setVisible(bool(exact));
    stability_->setVisible(exact && exact->curve.rows() > 0);
    view()->requestFrame();
  }

  void showEps() {
    stepsChart_.setEps(shownEps(session_));
    exactChart_.setEps(shownEps(session_));
    view()->requestFrame();
  }

  void showChecks() {
    std::vector<FoundAgainAt> found;
    for (const CheckedEps& checked : session_.checks().checkedEps())
      found.push_back({checked.eps, checked.share});
    if (found == foundAgain_) return;
    foundAgain_ = found;
    stepsChart_.setFoundAgain(found);
    exactChart_.setFoundAgain(std::move(found));
    view()->requestFrame();
  }

  void showStability() {
    const auto band = session_.epsStability().band();
    if (band == band_) return;
    band_ = band;
    exactChart_.setStability(band ? *band : std::vector<StabilityAt>());
    view()->requestFrame();
  }

  SweepChart stepsChart_;
  EpsCurveChart exactChart_;
  ReplayRow* replay_;
  StabilityButton* stability_;
  QStackedLayout* stack_;
  ChartView* steps_;
  ChartView* exact_;
  std::shared_ptr<const ExactSweep> shown_;
  std::vector<FoundAgainAt> foundAgain_;
  std::shared_ptr<const std::vector<StabilityAt>> band_;
};

}  // namespace

ChartPage* makeSweepPage(Session& session) { return new SweepPage(session); }

}  // namespace clusterloom
