#include "ui/charts/chart_page.h"

#include <QAbstractScrollArea>
#include <QCoreApplication>
#include <QEvent>
#include <QMenu>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/charts/chart_table.h"
#include "ui/charts/compare_panel.h"
#include "ui/charts/load_panel.h"
#include "ui/session/every_eps.h"
#include "ui/session/session_data.h"
#include "ui/widgets/form.h"

namespace clusterloom {

// Each is defined in the file of its page.
ChartPage* makeBatchPage(Session& session);
ChartPage* makeCloudsPage(Session& session);
ChartPage* makeCostPage(Session& session);
ChartPage* makeKDistancePage(Session& session);
ChartPage* makeMapPage(Session& session);
ChartPage* makePlanPage(Session& session);
ChartPage* makeProcessorsPage(Session& session);
ChartPage* makeRanksPage(Session& session);
ChartPage* makeReachabilityPage(Session& session);
ChartPage* makeRunsPage(Session& session);
ChartPage* makeSweepPage(Session& session);
ChartPage* makeTreePage(Session& session);

namespace {

/// Fields and buttons that wrap, as high as they need to be in their width.
class Controls final : public QWidget {
 public:
  Controls(QLayout* row, QWidget* parent) : QWidget(parent) {
    setLayout(spaced(row, {8, 4, 8, 0}, 6));
  }

 protected:
  bool event(QEvent* event) override {
    const bool taken = QWidget::event(event);
    if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest)
      setMinimumHeight(layout()->heightForWidth(width()));
    return taken;
  }
};

template <class Page>
ChartPage* make(Session& session) {
  return new Page(session);
}

}  // namespace

const std::vector<ChartPageKind>& chartPages() {
  // Not translated here: the command line is read before there is a translator.
  static const std::vector<ChartPageKind> pages = {
      {ChartId::KDistance, ChartGroup::Clusters, "k-distance",
       QT_TRANSLATE_NOOP("Charts", "k-distance"),
       QT_TRANSLATE_NOOP("Charts",
                         "Distance to the k-th nearest point, k = minPts; drag the line to set ε"),
       makeKDistancePage},
      {ChartId::Sweep, ChartGroup::Clusters, "sweep", QT_TRANSLATE_NOOP("Charts", "ε sweep"),
       QT_TRANSLATE_NOOP("Charts", "Clusters, noise and largest cluster over a range of ε"),
       makeSweepPage},
      {ChartId::Tree, ChartGroup::Clusters, "tree", QT_TRANSLATE_NOOP("Charts", "tree"),
       QT_TRANSLATE_NOOP(
           "Charts", "The clusters of every ε as a tree, and the clusters that HDBSCAN* selects"),
       makeTreePage},
      {ChartId::Reachability, ChartGroup::Clusters, "reachability",
       QT_TRANSLATE_NOOP("Charts", "reachability"),
       QT_TRANSLATE_NOOP("Charts",
                         "The reachability plot: clusters are valleys; drag the line to set ε"),
       makeReachabilityPage},
      {ChartId::Map, ChartGroup::Clusters, "map", QT_TRANSLATE_NOOP("Charts", "ε × minPts"),
       QT_TRANSLATE_NOOP(
           "Charts", "Exact numbers of clusters and noise over ε and minPts; a click sets both"),
       makeMapPage},
      {ChartId::Runs, ChartGroup::Clusters, "runs", QT_TRANSLATE_NOOP("Charts", "runs"),
       QT_TRANSLATE_NOOP("Charts", "Every exact run of this session"), makeRunsPage},
      {ChartId::Clouds, ChartGroup::Clusters, "clouds", QT_TRANSLATE_NOOP("Charts", "clouds"),
       QT_TRANSLATE_NOOP("Charts",
                         "The open clouds beside each other: clusters, noise, adjusted Rand index"),
       makeCloudsPage},
      {ChartId::WarpLoad, ChartGroup::Engine, "warp-load", QT_TRANSLATE_NOOP("Charts", "warp load"),
       QT_TRANSLATE_NOOP("Charts", "What every warp of a GPU does and how long its lanes idle"),
       make<LoadPanel>},
      {ChartId::Batches, ChartGroup::Engine, "batches", QT_TRANSLATE_NOOP("Charts", "batches"),
       QT_TRANSLATE_NOOP("Charts", "When the batches of a run compute, transfer and end"),
       makeBatchPage},
      {ChartId::Cost, ChartGroup::Engine, "cost", QT_TRANSLATE_NOOP("Charts", "cost of k"),
       QT_TRANSLATE_NOOP("Charts", "The predicted cost of indexing k dimensions"), makeCostPage},
      {ChartId::Processors, ChartGroup::Engine, "processors",
       QT_TRANSLATE_NOOP("Charts", "processors"),
       QT_TRANSLATE_NOOP("Charts",
                         "How CPU and GPU share the queries of a join, measured or modelled"),
       makeProcessorsPage},
      {ChartId::Ranks, ChartGroup::Engine, "ranks", QT_TRANSLATE_NOOP("Charts", "ranks"),
       QT_TRANSLATE_NOOP(
           "Charts",
           "What each rank of a divided run does over time, and how well they share the work"),
       makeRanksPage},
      {ChartId::Plan, ChartGroup::Engine, "plan", QT_TRANSLATE_NOOP("Charts", "plan"),
       QT_TRANSLATE_NOOP("Charts", "The expected time of a join for increasing numbers of ranks"),
       makePlanPage},
      {ChartId::Compare, ChartGroup::Engine, "compare", QT_TRANSLATE_NOOP("Charts", "compare"),
       QT_TRANSLATE_NOOP("Charts", "Comparison of strategies: warps, times, results"),
       make<ComparePanel>},
  };
  return pages;
}

QString ChartPageKind::title() const { return QCoreApplication::translate("Charts", englishTitle); }

QString ChartPageKind::toolTip() const {
  return QCoreApplication::translate("Charts", englishToolTip);
}

const ChartPageKind& chartPage(ChartId id) {
  const auto& pages = chartPages();
  return *std::find_if(pages.begin(), pages.end(), [id](const auto& p) { return p.id == id; });
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

bool ChartPage::applies() const { return session_.data().space().isEuclidean(); }

bool ChartPage::appliesToCounts() const {
  return session_.data().space().isEuclidean() && !session_.data().weights();
}

bool ChartPage::appliesToEveryEps() const {
  return hasEveryEps(session_.data().space()) && !session_.data().weights();
}

std::vector<const ChartOutput*> ChartPage::outputs() const {
  std::vector<const ChartOutput*> visible;
  for (const ChartOutput& output : outputs_)
    if (output.widget->isVisibleTo(this)) visible.push_back(&output);
  return visible;
}

QWidget* ChartPage::controlsOf(QLayout* row) {
  return controls_.emplace_back(new Controls(row, this));
}

void ChartPage::setControlsShown(bool shown) {
  for (QWidget* controls : controls_) controls->setVisible(shown);
}

ChartOutput& ChartPage::offer(ChartOutput output) {
  ChartOutput& kept = outputs_.emplace_back(std::move(output));
  QWidget* widget = kept.widget;
  widget->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(widget, &QWidget::customContextMenuRequested, this, [this, &kept](const QPoint& at) {
    auto* menu = deletedOnClose(new QMenu(kept.widget));
    fillMenu(*menu, session_, kept);
    // Scroll areas tell positions of what they scroll.
    auto* area = qobject_cast<QAbstractScrollArea*>(kept.widget);
    menu->popup((area ? area->viewport() : kept.widget)->mapToGlobal(at));
  });
  if (auto* view = qobject_cast<ChartView*>(widget))
    connect(view, &ChartView::tableRequested, this,
            [this, &kept] { showChartTable(session_, kept); });
  return kept;
}

void fillPage(QWidget& page, QWidget& widget) {
  auto* layout = new QVBoxLayout(&page);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(&widget);
}

void dragEps(Session& session, double eps, bool done) {
  if (!session.isDragging() && !done) session.setDragging(true);
  // Charts of every ε show larger ε than runs accept.
  session.setEps(std::min(eps, mostEps(session.data().space(), session.data().scaling())));
  if (done && session.isDragging()) session.setDragging(false);
}

double shownEps(const Session& session) {
  return session.data().awaitsEps() ? 0 : session.parameters().dbscan.eps;
}

}  // namespace clusterloom
