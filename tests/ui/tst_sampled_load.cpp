// The load lab with a cloud so large that only a sample of its warps is modelled.
#include <QtTest>

#include "render/paint/palette.h"
#include "shown_window.h"
#include "ui/charts/charts_panel.h"
#include "ui/charts/load_panel.h"
#include "ui/session/load_lab.h"
#include "ui/session/session_data.h"
#include "ui/theme/theme.h"
#include "ui/view/chart_view.h"

using namespace clusterloom;

class TestSampledLoad : public QObject, private ShownWindow {
  Q_OBJECT

  LoadPanel* load() const { return window_->charts()->load(); }
  std::shared_ptr<const LoadResult> result() const { return session_->loadLab().result(); }

 private Q_SLOTS:
  void init() { QVERIFY(showWindow({1400, 900})); }
  void cleanup() { closeWindow(); }

  // 320,000 points with thousands of candidates each: only some warps are looked at.
  void aPointOutsideTheSampleHasItsWarpComputed() {
    OpenRequest request;
    request.sample = GeneratorSpec{"expo", 320000, 2, 3};
    request.eps = 0.0015;
    request.minPts = 5;
    Strategy plain;
    plain.pattern = AccessPattern::Full;
    plain.order = QueryOrder::Input;
    session_->loadLab().setStrategy(plain);  // the engine itself takes a faster one
    window_->charts()->showTab(ChartId::WarpLoad);
    window_->openRequest(request);
    QVERIFY(waitUntil([&] { return session_->loadLab().isCurrent(); }));
    QVERIFY(waitUntilSettled(*window_));
    const LoadReport& report = *result()->report;
    QVERIFY2(report.warps.size() < report.allWarps, qPrintable(load()->summary()));
    const auto inSample = [&](std::uint32_t point) {
      return result()->placeOf(result()->model.warpOfPoint(point)) >= 0;
    };
    std::uint32_t outside = 0;
    while (inSample(outside)) ++outside;
    std::uint32_t inside = 0;
    while (!inSample(inside)) ++inside;

    session_->setPickedPoint(outside);
    const std::uint32_t warp = result()->model.warpOfPoint(outside);
    QCOMPARE(session_->selection().warp, std::int64_t(warp));
    QVERIFY(load()->summary().contains("outside the sample, computing it"));
    QVERIFY(waitUntil([&] { return session_->loadLab().light() != nullptr; }));
    QVERIFY(waitUntilSettled(*window_));
    const auto light = session_->loadLab().light();
    QCOMPARE(light->trace->load.number, warp);
    QVERIFY(std::count(light->trace->queryPoint.begin(), light->trace->queryPoint.end(), outside) >
            0);
    QVERIFY2(load()->summary().contains(QLocale().toString(warp) +
                                        " is outside the sample, computed separately"),
             qPrintable(load()->summary()));
    const Colour accent = themeOf(Background::Light).accent;
    const auto marks = [&](LoadPanel::Look look) {
      load()->setLook(look);
      return pixelsLike(load()->view(look)->grabFrame(), qRgb(accent.r, accent.g, accent.b), 12);
    };
    QVERIFY(marks(LoadPanel::Warps) > 100);
    shot(window_.get(), "outside_the_sample");
    QVERIFY(marks(LoadPanel::Histogram) > 100);
    shot(window_.get(), "outside_the_sample_histogram");

    // A point of the sample is marked as ever, and nothing more is said.
    session_->setPickedPoint(inside);
    QVERIFY(waitUntil([&] { return session_->loadLab().light() != nullptr; }));
    QVERIFY(!load()->summary().contains("outside"));
    QVERIFY(marks(LoadPanel::Warps) > 100);
    session_->setPickedWarp(-1);
    session_->setPickedPoint(-1);
    QCOMPARE(marks(LoadPanel::Warps), 0);
  }
};

WINDOW_TEST(TestSampledLoad);
#include "tst_sampled_load.moc"
