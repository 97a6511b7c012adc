#include <QCoreApplication>
#include <QPushButton>
#include <QVBoxLayout>

#include "engine/dbscan/join_forecast.h"
#include "engine/distributed/rank_plan.h"
#include "render/charts/plan_chart.h"
#include "ui/charts/chart_page.h"
#include "ui/jobs/derived_result.h"
#include "ui/session/backend_slot.h"
#include "ui/session/cluster_run.h"
#include "ui/session/result_words.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/widgets/form.h"
#include "ui/widgets/real_spin_box.h"
#include "ui/widgets/wrapping_row.h"
#include "ui/words/engine_words.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

/// What the page shows.
struct ShownPlan {
  std::shared_ptr<const RankPlan> onRanks;  ///< null above kMaxGridDims, where ranks share no joins
  JoinForecast join = {};                   ///< only there
};

/// The expected times of the self-join of the cloud on many ranks. Speeds are measured here, so it
/// is computed on request only.
class PlanPage final : public PageOfChart<PlanChart> {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::PlanPage)

 public:
  explicit PlanPage(Session& session)
      : PageOfChart(session, "planChart", tr("Seconds of a join over the number of ranks")) {
    setObjectName(QStringLiteral("planPage"));
    auto* layout = spaced(new QVBoxLayout(this), {0, 0, 0, 0}, 2);
    layout->addWidget(controlsOf(makeControls()));
    layout->addWidget(view_.get(), 1);
    offer(outputOf(*view_, tr("Plan"), QStringLiteral("plan")));
    connect(&session_.data(), &SessionData::cloudChanged, this, [this] {
      plan_.drop();
      showEmptyText();
      showState();
    });
    connect(&session_, &Session::parametersChanged, this, &PlanPage::showState);
    showEmptyText();
    showState();
  }
  ~PlanPage() override {
    plan_.stop();  // its end would be told to this page
  }

  bool isReady() const override { return !plan_.isRunning(); }

 private:
  static constexpr double kGigabits = 40;
  static constexpr double kLatency = 10e-6;  // seconds a message

  QLayout* makeControls() {
    network_ = named("planNetwork", new RealSpinBox(this), tr("Network of a rank"));
    network_->setRange(0.1, 10000);
    network_->setDecimals(1);
    network_->setValue(kGigabits);
    network_->setSuffix(tr(" Gbit/s"));
    network_->setLocale(numberLocale());
    network_->setToolTip(tr("What a rank sends and receives in a second"));
    ignoreStrayWheel(network_);
    run_ = named("planRun", new QPushButton(this));
    connect(run_, &QPushButton::clicked, this, [this] {
      if (plan_.isRunning())
        plan_.stop();
      else
        start();
    });
    note_ = named("planNote", cutLine(this, false), tr("What the plan describes"));
    auto* row = new WrappingRow;
    row->addField(tr("Network"), network_);
    row->addWidget(run_);
    row->addWidget(note_);
    return row;
  }

  void start() {
    const auto cloud = session_.data().euclideanCloud();
    if (!cloud || session_.data().awaitsEps()) return;
    RankPlanOptions options;
    for (std::uint64_t ranks = 1; ranks <= 1024; ranks *= 2) options.ranks.push_back(ranks);
    options.network = {.bytesPerSecond = network_->value() * 1e9 / 8, .latency = kLatency};
    const double eps = session_.parameters().dbscan.eps;
    plan_.forget();
    plan_.update(
        {eps, network_->value()}, tr("Plan of a join"),
        [slot = session_.clusterRun().fastestSlot(), device = session_.clusterRun().fastestDevice(),
         cloud, eps, options](const Task& task) -> Result<ShownPlan> {
          const auto backend = slot->get();
          if (!backend) return tl::unexpected(backend.error());
          if (cloud->dims() > kMaxGridDims) {
            const auto join = forecastJoin(**backend, *cloud, eps, task);
            if (!join) return tl::unexpected(join.error());
            return ShownPlan{nullptr, *join};
          }
          RankPlanOptions timed = options;
          if (device) timed.dealt = dealtByGpu(**backend, *device);
          auto plan = planRanks(**backend, *cloud, eps, {}, timed, task);
          if (!plan) return tl::unexpected(plan.error());
          return ShownPlan{.onRanks = std::make_shared<const RankPlan>(std::move(*plan))};
        });
    showState();
  }

  void showPlan() {
    chart_.setData(plan_.get() ? plan_.get()->onRanks : nullptr);
    showState();
    view_->requestFrame();
  }

  void showEmptyText() {
    const auto cloud = session_.data().euclideanCloud();
    chart_.setEmptyText(
        (cloud && cloud->dims() > kMaxGridDims
             ? tr("Ranks share no joins in more than %1 dimensions; Forecast tells what one takes "
                  "here")
                   .arg(kMaxGridDims)
             : tr("Press Forecast: what a join takes on up to 1,024 ranks appears here"))
            .toStdString());
    view_->requestFrame();
  }

  void showState() {
    const bool running = plan_.isRunning();
    run_->setText(running ? tr("Stop") : tr("Forecast"));
    run_->setEnabled(running || (session_.data().euclideanCloud() && !session_.data().awaitsEps()));
    QString text;
    if (running)
      text = tr("measuring …");
    else if (const auto plan = plan_.get(); plan && !plan->onRanks)
      text = forecastText(plan->join);
    else if (plan)
      text = tr("self-join at ε %1 with %2 Gbit/s; one rank takes %3 here, by %4")
                 .arg(epsText(plan_.inputs()->first), readable(plan_.inputs()->second),
                      duration(plan->onRanks->oneRank), engineList(plan->onRanks->strategy));
    note_->setToolTip(text);
    note_->setText(text.replace(QLatin1Char('\n'), QLatin1String("; ")));
  }

  QDoubleSpinBox* network_;
  QPushButton* run_;
  QLabel* note_;
  /// For ε and the Gbit/s of the network; only on request.
  DerivedResult<ShownPlan, std::pair<double, double>> plan_{
      session_.jobs(), JobKind::Plan, [this] { showPlan(); },
      [this](const Error& error) {
        session_.jobs().report(JobKind::Plan, error);
        showState();
      },
      [this] { showState(); }};
};

}  // namespace

ChartPage* makePlanPage(Session& session) { return new PlanPage(session); }

}  // namespace clusterloom
