#include "ui/panels/chart_page.h"

#include <QAbstractScrollArea>
#include <QCoreApplication>
#include <QMenu>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/panels/compare_panel.h"
#include "ui/panels/load_panel.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"

namespace clusterloom {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("ChartPage", text); }

template <class Page>
ChartPage* make(Session& session) {
  return new Page(session);
}

}  // namespace

const std::vector<ChartPageKind>& chartPages() {
  static const std::vector<ChartPageKind> pages = {
      {ChartId::KDistance, "k-distance", tr("k-distance"),
       tr("How far the k-th nearest point is, k = minPts; drag the line to set ε"),
       ChartData::Nothing, makeKDistancePage},
      {ChartId::Sweep, "sweep", tr("ε sweep"),
       tr("Clusters, noise and largest cluster over a range of ε"), ChartData::Sweep,
       makeSweepPage},
      {ChartId::WarpLoad, "warp-load", tr("warp load"),
       tr("What every warp of a GPU does and how long its lanes idle"), ChartData::WarpLoad,
       make<LoadPanel>},
      {ChartId::Batches, "batches", tr("batches"),
       tr("When the batches of a run compute, transfer and end"), ChartData::WarpLoad,
       makeBatchPage},
      {ChartId::Compare, "compare", tr("compare"),
       tr("Comparison of strategies: warps, times, results"), ChartData::Nothing,
       make<ComparePanel>},
      {ChartId::Cost, "cost", tr("cost of k"),
       tr("What indexing k dimensions is predicted to cost"), ChartData::Nothing, makeCostPage},
      {ChartId::Runs, "runs", tr("runs"), tr("Every exact run of this session"), ChartData::Nothing,
       makeRunsPage},
      {ChartId::Processors, "processors", tr("processors"),
       tr("How CPU and GPU share the queries of a join, measured or modelled"),
       ChartData::Divisions, makeProcessorsPage},
      {ChartId::Tree, "tree", tr("tree"),
       tr("The clusters of every ε as a tree, and those that HDBSCAN* takes of it"),
       ChartData::Tree, makeTreePage},
      {ChartId::Reachability, "reachability", tr("reachability"),
       tr("The reachability plot of OPTICS: clusters are valleys; drag the line to set ε"),
       ChartData::Reachability, makeReachabilityPage},
      {ChartId::Ranks, "ranks", tr("ranks"),
       tr("What each rank of a divided run does over time, and how well they share the work"),
       ChartData::Nothing, makeRanksPage},
      {ChartId::Map, "map", tr("ε × minPts"),
       tr("Clusters and noise over ε and minPts, exactly; a click goes there"), ChartData::Map,
       makeMapPage},
      {ChartId::Plan, "plan", tr("plan"),
       tr("What a join is expected to take on more and more ranks"), ChartData::Nothing,
       makePlanPage},
  };
  return pages;
}

std::optional<ChartId> chartFromName(const QString& name) {
  const auto& pages = chartPages();
  const auto page = std::find_if(pages.begin(), pages.end(),
                                 [&](const auto& p) { return name == QLatin1String(p.name); });
  return page == pages.end() ? std::nullopt : std::optional(page->id);
}

QStringList chartNames() {
  QStringList names;
  for (const ChartPageKind& page : chartPages()) names << QLatin1String(page.name);
  return names;
}

std::vector<const ChartOutput*> ChartPage::outputs() const {
  std::vector<const ChartOutput*> visible;
  for (const ChartOutput& output : outputs_)
    if (output.widget->isVisibleTo(this)) visible.push_back(&output);
  return visible;
}

ChartOutput& ChartPage::offer(ChartOutput output) {
  ChartOutput& kept = outputs_.emplace_back(std::move(output));
  QWidget* widget = kept.widget;
  widget->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(widget, &QWidget::customContextMenuRequested, this, [this, &kept](const QPoint& at) {
    auto* menu = new QMenu(kept.widget);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fillMenu(*menu, session_, kept);
    // Scroll areas tell positions of what they scroll.
    auto* area = qobject_cast<QAbstractScrollArea*>(kept.widget);
    menu->popup((area ? area->viewport() : kept.widget)->mapToGlobal(at));
  });
  return kept;
}

void fillPage(QWidget& page, QWidget& widget) {
  auto* layout = new QVBoxLayout(&page);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(&widget);
}

void dragEps(Session& session, double eps, bool done) {
  if (!session.isDragging() && !done) session.setDragging(true);
  session.setEps(eps);
  if (done && session.isDragging()) session.setDragging(false);
}

double shownEps(const Session& session) {
  return session.data().awaitsEps() ? 0 : session.parameters().dbscan.eps;
}

}  // namespace clusterloom
