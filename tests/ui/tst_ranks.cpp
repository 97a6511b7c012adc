// Runs that ranks in this process divide: chosen in the engine panel, shown in the chart of ranks,
// linked with the selection, kept by sessions, stopped.
#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QtTest>
#include <algorithm>
#include <mutex>

#include "engine/distributed/divided_backend.h"
#include "engine/forwarding_backend.h"
#include "render/charts/chart.h"
#include "shown_window.h"
#include "ui/charts/charts_panel.h"
#include "ui/panels/engine_panel.h"
#include "ui/session/command_line.h"
#include "ui/session/session_data.h"
#include "ui/session/session_state.h"
#include "ui/view/chart_view.h"

using namespace clusterloom;

namespace {

/// What was asked of a machine with two GPUs.
struct Machine {
  std::mutex mutex;
  std::vector<std::string> calls;  ///< "ranks/devices"
};

class OnGpus final : public ForwardingBackend {
 public:
  using ForwardingBackend::ForwardingBackend;
  std::vector<GpuDevice> devices() const override {
    return {{.number = 0, .name = "first"}, {.number = 1, .name = "second"}};
  }
};

BackendMaker machineWithGpus(std::shared_ptr<Machine> machine) {
  return [machine](const std::string&,
                   const BackendOptions& options) -> Result<std::unique_ptr<Backend>> {
    std::string call = std::to_string(options.ranks) + '/';
    for (const int device : options.devices) call += std::to_string(device);
    {
      const std::lock_guard lock(machine->mutex);
      machine->calls.push_back(call);
    }
    BackendOptions onCpu;
    onCpu.threads = 2;
    onCpu.ranks = options.ranks == kRankADevice ? int(options.devices.size()) : options.ranks;
    auto made = makeBackend("cpu", onCpu);
    if (!made) return made;
    return std::make_unique<OnGpus>(std::move(*made));
  };
}

}  // namespace

class TestRanks : public QObject, ShownWindow {
  Q_OBJECT

  bool show(const BackendMaker& backends = makeBackend) {
    const auto theme =
        qEnvironmentVariableIsSet("CLUSTERLOOM_DARK") ? ThemeChoice::Dark : ThemeChoice::Light;
    return showWindow(
        {1400, 900}, [theme](MainWindow& made) { made.setTheme(theme); }, backends);
  }
  void openBlobs(std::size_t points, double eps = 0.6) {
    OpenRequest request;
    request.sample = GeneratorSpec{"blobs", points, 3, 4};
    request.eps = eps;
    request.minPts = 8;
    window_->charts()->showTab(ChartId::Ranks);
    window_->openRequest(request);
  }
  QSpinBox* ranks() const { return window_->findChild<QSpinBox*>("ranks"); }
  ChartView* view() const { return window_->charts()->view(ChartId::Ranks); }
  const Clustering& clustering() const { return session_->clusterRun().result()->clustering; }
  /// Of the chart: rank and points of each row of its table.
  std::size_t rowsOfChart() const { return view()->chart().table()().rows.size(); }

 private Q_SLOTS:
  /// The chart of plans: computed on request, for the cloud and ε on show.
  void aPlanForManyRanks() {
    QVERIFY(show());
    window_->charts()->showTab(ChartId::Plan);
    const auto rows = [&] {
      return window_->charts()->view(ChartId::Plan)->chart().table()().rows.size();
    };
    auto* run = window_->findChild<QPushButton*>("planRun");
    QVERIFY(!run->isEnabled());
    openBlobs(3000);
    window_->charts()->showTab(ChartId::Plan);
    QVERIFY(waitForResult(*session_));
    QVERIFY(run->isEnabled());
    QCOMPARE(rows(), std::size_t{0});
    QTest::mouseClick(run, Qt::LeftButton);
    QCOMPARE(run->text(), QString("Stop"));
    QVERIFY(!window_->charts()->isReady());
    QVERIFY(waitUntil([&] { return window_->charts()->isReady(); }));
    QCOMPARE(rows(), std::size_t{11});
    QCOMPARE(run->text(), QString("Forecast"));
    const QString note = window_->findChild<QLabel*>("planNote")->toolTip();
    QVERIFY2(note.contains("0.6") && note.contains("40 Gbit/s"), qPrintable(note));
    // It stays that of the network it was made for.
    window_->findChild<QDoubleSpinBox*>("planNetwork")->setValue(1);
    QCOMPARE(window_->findChild<QLabel*>("planNote")->toolTip(), note);
    QTest::mouseClick(run, Qt::LeftButton);
    QVERIFY(waitUntil([&] { return window_->charts()->isReady(); }));
    const QString slow = window_->findChild<QLabel*>("planNote")->toolTip();
    QVERIFY2(slow.contains(" 1 Gbit/s"), qPrintable(slow));
    const auto outputs = window_->findChild<ChartPage*>("planPage")->outputs();
    QCOMPARE(outputs.size(), std::size_t{1});
    shot(window_.get(), "plan_chart");
    // Another cloud has no plan yet.
    openBlobs(2000);
    window_->charts()->showTab(ChartId::Plan);
    QVERIFY(waitUntil([&] { return rows() == 0; }));
  }

  /// Ranks share no joins above the dimensions of the grid: the plan is of one process.
  void aPlanOfManyDimensions() {
    QVERIFY(show());
    OpenRequest request;
    request.sample = GeneratorSpec{"blobs", 500, 200, 4};
    request.eps = 40;
    request.minPts = 8;
    window_->openRequest(request);
    window_->charts()->showTab(ChartId::Plan);
    QVERIFY(waitForResult(*session_));
    Chart& chart = window_->charts()->view(ChartId::Plan)->chart();
    QVERIFY2(chart.words().front().find("more than 128 dimensions") != std::string::npos,
             chart.words().front().c_str());
    QTest::mouseClick(window_->findChild<QPushButton*>("planRun"), Qt::LeftButton);
    QVERIFY(waitUntil([&] { return window_->charts()->isReady(); }));
    const auto* note = window_->findChild<QLabel*>("planNote");
    QVERIFY2(note->toolTip().contains("Time of counting: at most about ") &&
                 note->toolTip().contains("Pairs: "),
             qPrintable(note->toolTip()));
    QVERIFY(!note->text().contains('\n'));
    QVERIFY(chart.isEmpty());
    openBlobs(500);
    window_->charts()->showTab(ChartId::Plan);
    QVERIFY(waitUntil([&] { return chart.words().front().starts_with("Press Forecast"); }));
    QVERIFY(note->toolTip().isEmpty());
  }

  void cleanup() { closeWindow(); }

  void dividedRunsGiveTheSameResult() {
    QVERIFY(show());
    window_->findChild<EnginePanel*>("enginePanel")->setExpanded(true);
    openBlobs(20000);
    QVERIFY(waitForResult(*session_));
    QVERIFY(view()->chart().isEmpty());
    const Clustering alone = clustering();
    QCOMPARE(ranks()->text(), QString("1 (not divided)"));
    ranks()->setValue(4);
    QVERIFY(waitUntil([&] { return clustering().stats.owners != nullptr; }));
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(clustering().labels, alone.labels);
    QVERIFY(clustering().roles == alone.roles);
    QCOMPARE(clustering().stats.ranks.size(), std::size_t{4});
    QVERIFY(!view()->chart().isEmpty());
    QVERIFY(rowsOfChart() >= 4 * std::size_t{kRankPhases});
    QVERIFY(session_->clusterRun().backendDescription().contains("4 ranks"));
    QVERIFY(window_->charts()->isReady());
    shot(window_.get(), "ranks");
    shot(window_->findChild<EnginePanel*>("enginePanel"), "ranks-panel-cpu");
    // A run that is not divided leaves the record of the last one that was.
    ranks()->setValue(1);
    QVERIFY(waitUntil([&] { return clustering().stats.owners == nullptr; }));
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(!view()->chart().isEmpty());
    // Another cloud does not.
    openBlobs(500);
    QVERIFY(waitUntil([&] {
      return session_->clusterRun().isResultCurrent() && clustering().labels.size() == 500;
    }));
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(view()->chart().isEmpty());
  }

  void aPickedRankSelectsItsPoints() {
    QVERIFY(show());
    session_->clusterRun().setRanks(3, {});
    openBlobs(5000);
    QVERIFY(waitForResult(*session_));
    QVERIFY(waitUntilSettled(*window_));
    view()->setFocus();
    QTest::keyClick(view(), Qt::Key_Right);
    QTest::keyClick(view(), Qt::Key_Right);
    QVERIFY(waitUntil([&] { return session_->selection().points != nullptr; }));
    const auto selected = session_->selection().points;
    QCOMPARE(selected->size(), std::size_t(clustering().stats.ranks[1].points));
    for (const std::uint32_t point : *selected)
      QCOMPARE(int((*clustering().stats.owners)[point]), 1);
    shot(window_.get(), "ranks-picked");
    // Another selection takes the mark away; a picked point marks its owner.
    const QImage marked = view()->grabFrame();
    session_->setSelectedPoints(nullptr);
    QVERIFY(waitUntilSettled(*window_));
    const QImage plain = view()->grabFrame();
    QVERIFY(plain != marked);
    session_->setPickedPoint(std::int64_t(selected->front()));
    QVERIFY(waitUntilSettled(*window_));
    QCOMPARE(view()->grabFrame(), marked);
  }

  void tickedGpusTakeTheRun() {
    const auto machine = std::make_shared<Machine>();
    QVERIFY(show(machineWithGpus(machine)));
    window_->findChild<EnginePanel*>("enginePanel")->setExpanded(true);
    openBlobs(3000);
    QVERIFY(waitForResult(*session_));
    QVERIFY(waitUntilSettled(*window_));
    const auto box = [&](int device) {
      return window_->findChild<QCheckBox*>(QStringLiteral("rankDevice%1").arg(device));
    };
    QVERIFY(box(0) && box(1) && box(0)->isVisible());
    QCOMPARE(box(1)->text(), QString("1 · second"));
    QVERIFY(!box(0)->isChecked() && !box(1)->isChecked());
    const auto lastCall = [&] {
      const std::lock_guard lock(machine->mutex);
      return machine->calls.back();
    };
    box(0)->click();
    QVERIFY(waitUntil([&] { return lastCall() == "-1/0"; }));
    box(1)->click();
    QVERIFY(waitUntil([&] { return clustering().stats.ranks.size() == 2; }));
    QCOMPARE(lastCall(), std::string("-1/01"));
    QCOMPARE(ranks()->text(), QString("one per GPU (2)"));
    QVERIFY(!window_->findChild<QComboBox*>("device")->isEnabled());
    QVERIFY(waitUntilSettled(*window_));
    shot(window_->findChild<EnginePanel*>("enginePanel"), "ranks-panel");
    ranks()->setValue(4);
    QVERIFY(waitUntil([&] { return clustering().stats.ranks.size() == 4; }));
    QCOMPARE(lastCall(), std::string("4/01"));
    // On the CPU the ticks do not count and are kept.
    session_->clusterRun().setBackend("cpu");
    QVERIFY(waitUntil([&] { return lastCall() == "4/"; }));
    QVERIFY(waitForResult(*session_));
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(!window_->findChild<QWidget*>("rankDevices")->isVisible());
    session_->clusterRun().setBackend("auto");
    QVERIFY(waitUntil([&] { return lastCall() == "4/01"; }));
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(box(0)->isVisible() && box(0)->isChecked() && box(1)->isChecked());
  }

  void noBoxesWithoutGpus() {
    QVERIFY(show());
    window_->findChild<EnginePanel*>("enginePanel")->setExpanded(true);
    session_->clusterRun().setBackend("cpu");
    openBlobs(1000);
    QVERIFY(waitForResult(*session_));
    QVERIFY(waitUntilSettled(*window_));
    QVERIFY(!window_->findChild<QWidget*>("rankDevices")->isVisible());
    QVERIFY(ranks()->isVisible());
  }

  void sessionsAndCopiedCallsKeepThem() {
    QVERIFY(show());
    openBlobs(1000);
    QVERIFY(waitForResult(*session_));
    session_->clusterRun().setRanks(3, {1, 2});
    const SessionState state = session_->state();
    QCOMPARE(state.ranks, 3);
    QVERIFY2(commandLineOf(state).contains(" --ranks 3 --devices 1,2"),
             qPrintable(commandLineOf(state)));
    const auto again = sessionFromJson(toJson(state, directory_->path()), directory_->path());
    QVERIFY(again.has_value());
    QCOMPARE(again->ranks, 3);
    QCOMPARE(again->rankDevices, (std::vector<int>{1, 2}));
    SessionState onCpu = state;
    onCpu.backend = "cpu";
    QVERIFY(!commandLineOf(onCpu).contains("--devices"));
    // mpirun starts the ranks of a batch script.
    QVERIFY(!batchScriptOf(state).contains("--ranks"));
    for (const Metric metric : {Metric::Manhattan, Metric::Cosine}) {
      SessionState other = state;
      other.parameters.space.metric = metric;
      QCOMPARE(batchScriptOf(other).contains("mpirun"), metric == Metric::Manhattan);
    }
  }

  // The plan times the GPU that the fastest backend takes.
  void theFastestBackendHasOneGpuOrThoseOfTheRanks() {
    QVERIFY(show());
    ClusterRun& run = session_->clusterRun();
    run.setBackend("auto");
    QCOMPARE(run.fastestDevice(), std::optional<int>(-1));
    run.setDevice(1);
    QCOMPARE(run.fastestDevice(), std::optional<int>(1));
    run.setRanks(2, {0, 1});
    QCOMPARE(run.fastestDevice(), std::optional<int>());
    run.setBackend("cuda");  // now the backend `auto` is another one, of one GPU
    QCOMPARE(run.fastestDevice(), std::optional<int>(1));
  }

  void aDividedRunStops() {
    QVERIFY(show());
    session_->clusterRun().setRanks(3, {});
    openBlobs(400000, 3);
    QVERIFY(waitUntil([&] { return session_->jobs().isActive(JobKind::Cluster); }));
    session_->clusterRun().stop();
    QVERIFY(waitUntil([&] { return !session_->jobs().isActive(JobKind::Cluster); }));
    QVERIFY(session_->clusterRun().wasStopped());
    QVERIFY(!session_->clusterRun().result());
  }
};

WINDOW_TEST(TestRanks);
#include "tst_ranks.moc"
