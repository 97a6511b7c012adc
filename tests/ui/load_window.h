#pragma once

#include <QtTest>

#include "shown_window.h"
#include "ui/charts/charts_panel.h"
#include "ui/charts/load_panel.h"
#include "ui/session/load_lab.h"

/// Fixture of tests of the load of warps.
class LoadWindow : protected ShownWindow {
 protected:
  /// 6,000 exponential points in the papers' manner, with the load on show.
  void openExpo(std::size_t points = 6000, double eps = 0.004) {
    clusterloom::OpenRequest request;
    request.sample = clusterloom::GeneratorSpec{"expo", points, 2, 3};
    request.eps = eps;
    request.minPts = 5;
    clusterloom::Strategy plain;
    plain.pattern = clusterloom::AccessPattern::Full;
    plain.order = clusterloom::QueryOrder::Input;
    request.run = clusterloom::RunOptions{plain};
    window_->charts()->showTab(clusterloom::ChartId::WarpLoad);
    window_->openRequest(request);
    QVERIFY(waitUntil([&] { return session_->loadLab().isCurrent(); }));
    QVERIFY(waitUntilSettled(*window_));
  }

  clusterloom::LoadPanel* load() const { return window_->charts()->load(); }
  std::shared_ptr<const clusterloom::LoadResult> result() const {
    return session_->loadLab().result();
  }
};
