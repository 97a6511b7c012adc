#pragma once

#include <QComboBox>
#include <QPushButton>
#include <QSet>
#include <QSpinBox>
#include <functional>

#include "render/charts/chart.h"
#include "ui/charts/charts_panel.h"
#include "ui/charts/compare_panel.h"
#include "ui/session/cluster_run.h"
#include "ui/session/derived_results.h"
#include "ui/session/every_eps.h"
#include "ui/session/load_lab.h"
#include "ui/view/chart_view.h"
#include "window_help.h"

/// Fills one chart of the window after another, on the CPU, and visits each while it is visible and
/// has something to show. The window shows data with a result. The names of the charts that have
/// never been; empty when all were visited.
inline QStringList visitFilledCharts(clusterloom::Session& session, clusterloom::MainWindow& window,
                                     const std::function<void(clusterloom::ChartView&)>& visit) {
  using namespace clusterloom;
  ChartsPanel& charts = *window.charts();
  QSet<QString> visited;
  const auto look = [&](ChartId id) {
    waitUntil([&] { return charts.isReady(); });
    waitUntilSettled(window);
    for (auto* view : charts.page(id)->findChildren<ChartView*>()) {
      if (!view->isVisible() || view->chart().isEmpty()) continue;
      if (visited.contains(view->objectName())) continue;
      visited << view->objectName();
      visit(*view);
    }
  };
  // Two ranks, so that their chart has something to show.
  window.findChild<QSpinBox*>("ranks")->setValue(2);
  waitUntil([&] {
    const auto result = session.clusterRun().result();
    return result && result->clustering.stats.owners;
  });
  for (const ChartPageKind& kind : chartPages()) {
    charts.showTab(kind.id);
    if (kind.id == ChartId::Compare) charts.compare()->compare();
    if (kind.id == ChartId::Plan) window.findChild<QPushButton*>("planRun")->click();
    look(kind.id);
    if (kind.id == ChartId::Sweep) {
      session.everyEps().setEnabled(true);
      waitUntil([&] { return bool(session.derived().exactSweep()); });
      look(kind.id);
    }
    if (kind.id == ChartId::WarpLoad) {
      QTest::keyClick(charts.view(kind.id), Qt::Key_Right);  // picks a warp
      waitUntil([&] { return session.loadLab().light() != nullptr; });
      auto* looks = window.findChild<QComboBox*>("loadLook");
      for (int i = 0; i < looks->count(); ++i) {
        looks->setCurrentIndex(i);
        Q_EMIT looks->activated(i);
        look(kind.id);
      }
    }
    if (kind.id == ChartId::Compare) {
      window.findChild<QPushButton*>("compareCauses")->click();
      look(kind.id);
      window.findChild<QPushButton*>("compareSweep")->click();
      look(kind.id);
    }
  }
  QStringList missing;
  for (const auto* view : charts.findChildren<ChartView*>())
    if (!visited.contains(view->objectName())) missing << view->objectName();
  return missing;
}
