// The window with a real GPU: a load measured on its warps, from the opened cloud to the picked
// warp. Without a device the program skips, and CTest shows it skipped, with the reason.
#include <QtTest>

#include "engine/backend.h"
#include "render/paint/palette.h"
#include "shown_window.h"
#include "ui/charts/charts_panel.h"
#include "ui/charts/load_panel.h"
#include "ui/session/cluster_run.h"
#include "ui/session/load_lab.h"
#include "ui/session/session_data.h"
#include "ui/theme/theme.h"
#include "ui/view/chart_view.h"

using namespace clusterloom;

class TestGpuWindow : public QObject, private ShownWindow {
  Q_OBJECT

 private Q_SLOTS:
  void warpsAreMeasuredAndPicked_data() {
    QTest::addColumn<int>("order");
    QTest::addColumn<int>("points");
    QTest::newRow("input order") << int(QueryOrder::Input) << 20'000;
    QTest::newRow("work queue, all of half a million") << int(QueryOrder::WorkQueue) << 500'000;
  }
  void warpsAreMeasuredAndPicked() {
    QFETCH(int, order);
    QFETCH(int, points);
    if (const auto gpu = makeBackend("cuda", {}); !gpu)
      QSKIP(("no device: " + gpu.error().message).c_str());
    QVERIFY(showWindow({1400, 900}));
    OpenRequest request;
    request.sample = GeneratorSpec{"expo", std::size_t(points), 2, 3};
    request.eps = 0.002;
    request.minPts = 5;
    request.run = RunOptions{{.pattern = AccessPattern::Full, .order = QueryOrder(order)}};
    window_->charts()->showTab(ChartId::WarpLoad);
    session_->clusterRun().setBackend("cuda");
    window_->openRequest(request);
    QVERIFY(waitForResult(*session_));
    QVERIFY(waitUntil([&] { return session_->loadLab().isCurrent(); }));
    QVERIFY(waitUntilSettled(*window_));

    const auto result = session_->loadLab().result();
    const LoadReport& report = *result->report;
    QVERIFY(report.measured);
    QVERIFY(report.makespan > 0 && report.makespan < 10);
    QVERIFY(result->predicted.has_value());
    LoadPanel* load = window_->charts()->load();
    QVERIFY2(load->summary().startsWith("measured · WEE"), qPrintable(load->summary()));
    shot(window_.get(), points > 300'000 ? "gpu_large" : "gpu_all");

    const std::uint32_t point =
        report.pointOfTicket[report.warps[report.warps.size() / 2].firstTicket];
    session_->setPickedPoint(point);
    const std::int64_t place = result->placeOf(session_->selection().warp);
    QVERIFY(place >= 0);
    const WarpLoad& warp = report.warps[std::size_t(place)];
    bool serves = false;
    for (std::uint32_t t = 0; t < warp.tickets; ++t)
      serves = serves || report.pointOfTicket[warp.firstTicket + t] == point;
    QVERIFY(serves);
    QVERIFY(waitUntil([&] { return session_->loadLab().light() != nullptr; }));
    load->setLook(LoadPanel::Multiprocessors);
    QVERIFY(waitUntilSettled(*window_));
    const Colour ideal = themeOf(Background::Light).series[1];
    QVERIFY(pixelsLike(load->view(LoadPanel::Multiprocessors)->grabFrame(),
                       qRgb(ideal.r, ideal.g, ideal.b), 12) > 20);
    shot(window_.get(), "gpu_multiprocessors");
  }
};

WINDOW_TEST(TestGpuWindow);
#include "tst_gpu_window.moc"
