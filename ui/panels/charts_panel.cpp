#include "ui/panels/charts_panel.h"

#include <QLabel>
#include <QMenu>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/panels/compare_panel.h"
#include "ui/panels/load_panel.h"
#include "ui/session/cloud_comparison.h"
#include "ui/session/cluster_tree.h"
#include "ui/session/derived_results.h"
#include "ui/session/division_lab.h"
#include "ui/session/every_eps.h"
#include "ui/session/load_lab.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/form.h"
#include "ui/widgets/panel_scroll.h"
#include "ui/words/numbers.h"

namespace clusterloom {

ChartsPanel::ChartsPanel(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
  setObjectName(QStringLiteral("chartsPanel"));
  tabs_ = new QTabWidget(this);
  tabs_->setDocumentMode(true);
  tabs_->setAccessibleName(tr("Charts"));
  tabs_->tabBar()->setAccessibleName(tr("Charts"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(tabs_);
  note_ = mutedLabel(this);
  note_->setObjectName(QStringLiteral("chartsNote"));
  note_->setContentsMargins(8, 2, 8, 4);
  layout->addWidget(note_);
  for (const ChartPageKind& kind : chartPages()) {
    ChartPage* page = kind.make(session_);
    // A wide page must not widen the window.
    auto* scroll = new PanelScroll(page, Qt::Horizontal);
    tabs_->setTabToolTip(tabs_->addTab(scroll, kind.title()), kind.toolTip());
    pages_.push_back(page);
  }
  save_ = new QToolButton(tabs_);
  save_->setObjectName(QStringLiteral("saveChartButton"));
  save_->setAutoRaise(true);
  save_->setIcon(themedIcon(QStringLiteral("export")));
  save_->setIconSize({fontScaled(16), fontScaled(16)});
  save_->setToolTip(tr("Save or copy the chart: picture, vectors, numbers"));
  save_->setAccessibleName(tr("Save or copy the chart"));
  save_->setPopupMode(QToolButton::InstantPopup);
  save_->setFocusPolicy(Qt::TabFocus);
  auto* menu = new QMenu(save_);
  connect(menu, &QMenu::aboutToShow, this, [this, menu] { fillSaveMenu(*menu); });
  save_->setMenu(menu);
  tabs_->setCornerWidget(save_);
  connect(tabs_, &QTabWidget::currentChanged, this, &ChartsPanel::updateWanted);
  connect(tabs_, &QTabWidget::currentChanged, this, &ChartsPanel::showNote);
  connect(&session_, &Session::parametersChanged, this, &ChartsPanel::showNote);
  showNote();
}

LoadPanel* ChartsPanel::load() const { return qobject_cast<LoadPanel*>(page(ChartId::WarpLoad)); }

ComparePanel* ChartsPanel::compare() const {
  return qobject_cast<ComparePanel*>(page(ChartId::Compare));
}

void ChartsPanel::showTab(ChartId id) { tabs_->setCurrentIndex(int(id)); }

ChartId ChartsPanel::current() const { return chartPages()[std::size_t(tabs_->currentIndex())].id; }

ChartPage* ChartsPanel::page(ChartId id) const { return pages_[std::size_t(id)]; }

bool ChartsPanel::isReady() const {
  // In other spaces the other pages have nothing to wait for.
  const bool inAnySpace = current() == ChartId::Sweep || current() == ChartId::Clouds;
  if (!session_.data().space().isEuclidean() && !inAnySpace) return true;
  // Nor have those of counted neighbours where points have weights.
  const bool ofCounts = current() == ChartId::KDistance || current() == ChartId::Tree ||
                        current() == ChartId::Reachability || current() == ChartId::Map;
  if (session_.data().weights() && ofCounts) return true;
  return page(current())->isReady();
}

void ChartsPanel::updateWanted() {
  const ChartData needs =
      isVisible() ? chartPages()[std::size_t(tabs_->currentIndex())].needs : ChartData::Nothing;
  session_.derived().setSweepWanted(needs == ChartData::Sweep);
  session_.loadLab().setWanted(needs == ChartData::WarpLoad);
  session_.divisionLab().setWanted(needs == ChartData::Divisions);
  session_.cloudComparison().setWanted(needs == ChartData::Clouds);
  const bool tree = needs == ChartData::Tree;
  const bool reachability = needs == ChartData::Reachability;
  session_.everyEps().setWanted(tree || reachability);
  session_.clusterTree().setWanted(tree                      ? ClusterTree::Shown::Tree
                                   : reachability            ? ClusterTree::Shown::Reachability
                                   : needs == ChartData::Map ? ClusterTree::Shown::Map
                                                             : ClusterTree::Shown::Nothing);
}

void ChartsPanel::showNote() {
  const std::size_t apart = session_.parameters().refinements.size();
  // Of the runs, the numbers of clusters include those of the selections.
  note_->setVisible(apart > 0 && current() != ChartId::Runs);
  note_->setText(counted(
      apart, "Computed for all points alike; the selection clustered on its own is not considered.",
      tr("Computed for all points alike; the %1 selections clustered on their own are not "
         "considered.",
         nullptr, pluralNumber(apart))));
}

void ChartsPanel::fillSaveMenu(QMenu& menu) const {
  menu.clear();
  qDeleteAll(menu.findChildren<QMenu*>(Qt::FindDirectChildrenOnly));
  const std::vector<const ChartOutput*> outputs = page(current())->outputs();
  if (outputs.size() == 1) return fillMenu(menu, session_, *outputs.front());
  for (const ChartOutput* output : outputs)
    fillMenu(*menu.addMenu(output->title), session_, *output);
}

void ChartsPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  updateWanted();
}

void ChartsPanel::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  updateWanted();
}

}  // namespace clusterloom
