#include "ui/charts/charts_panel.h"

#include <QButtonGroup>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QResizeEvent>
#include <QTabBar>
#include <QTabWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/charts/compare_panel.h"
#include "ui/charts/load_panel.h"
#include "ui/session/session.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/form.h"
#include "ui/widgets/panel_scroll.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

/// The place of a page in the table, and that of its tab.
int placeOf(ChartId id) {
  const auto& pages = chartPages();
  const auto at =
      std::find_if(pages.begin(), pages.end(), [id](const auto& p) { return p.id == id; });
  return int(at - pages.begin());
}

QToolButton* cornerButton(QWidget* corner, const char* name) {
  auto* button = named(name, new QToolButton(corner));
  button->setProperty("role", "corner");
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::TabFocus);
  button->setIconSize({fontScaled(16), fontScaled(16)});
  corner->layout()->addWidget(button);
  return button;
}

QWidget* makeCornerOf(QTabWidget* tabs) {
  auto* corner = new QWidget(tabs);
  spaced(new QHBoxLayout(corner), {4, 0, 4, 0}, 2);
  return corner;
}

}  // namespace

ChartsPanel::ChartsPanel(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
  setObjectName(QStringLiteral("chartsPanel"));
  tabs_ = new QTabWidget(this);
  tabs_->setAccessibleName(tr("Charts"));
  tabs_->tabBar()->setAccessibleName(tr("Charts"));
  auto* layout = spaced(new QVBoxLayout(this), {0, 0, 0, 0});
  layout->addWidget(tabs_);
  note_ = named("chartsNote", mutedLabel(this));
  note_->setContentsMargins(8, 2, 8, 4);
  layout->addWidget(note_);
  for (const ChartPageKind& kind : chartPages()) {
    ChartPage* page = kind.make(session_);
    // A wide page must not widen the window.
    auto* scroll = new PanelScroll(page, Qt::Horizontal);
    tabs_->setTabToolTip(tabs_->addTab(scroll, kind.title()), kind.toolTip());
    if (pages_.empty() || kind.group != chartPages()[pages_.size() - 1].group)
      front_[std::size_t(kind.group)] = kind.id;
    pages_.push_back(page);
  }
  makeGroups();
  makeCorner();
  connect(tabs_, &QTabWidget::currentChanged, this, &ChartsPanel::onTab);
  connect(&session_, &Session::parametersChanged, this, &ChartsPanel::showNote);
  onTab();
}

// No tab comes to the front while they go.
ChartsPanel::~ChartsPanel() { disconnect(tabs_, nullptr, this, nullptr); }

void ChartsPanel::makeGroups() {
  QWidget* corner = makeCornerOf(tabs_);
  auto* exclusive = new QButtonGroup(corner);
  const auto add = [&](ChartGroup group, const char* name, const QString& text,
                       const QString& toolTip) {
    QToolButton* button = cornerButton(corner, name);
    button->setText(text);
    button->setToolTip(toolTip);
    button->setAccessibleName(tr("Charts: %1").arg(text));
    button->setCheckable(true);
    exclusive->addButton(button);
    connect(button, &QToolButton::clicked, this, [this, group] { showGroup(group); });
    groups_[std::size_t(group)] = button;
  };
  add(ChartGroup::Clusters, "clusterChartsButton", tr("Clusters"),
      tr("Charts of the clusters: which ε and minPts are right, and what they give"));
  add(ChartGroup::Engine, "engineChartsButton", tr("Engine"),
      tr("Charts of the engine: how the work is done, by warps, batches, processors and ranks"));
  tabs_->setCornerWidget(corner, Qt::TopLeftCorner);
}

void ChartsPanel::makeCorner() {
  QWidget* corner = makeCornerOf(tabs_);
  maximise_ = cornerButton(corner, "maximiseChartButton");
  save_ = cornerButton(corner, "saveChartButton");
  save_->setIcon(themedIcon(QStringLiteral("export")));
  save_->setToolTip(tr("Save or copy the chart: picture, vectors, numbers"));
  save_->setAccessibleName(tr("Save or copy the chart"));
  save_->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(save_);
  connect(menu, &QMenu::aboutToShow, this, [this, menu] { fillSaveMenu(*menu); });
  save_->setMenu(menu);
  tabs_->setCornerWidget(corner);
}

LoadPanel* ChartsPanel::load() const { return qobject_cast<LoadPanel*>(page(ChartId::WarpLoad)); }

ComparePanel* ChartsPanel::compare() const {
  return qobject_cast<ComparePanel*>(page(ChartId::Compare));
}

void ChartsPanel::showTab(ChartId id) {
  const int place = placeOf(id);
  tabs_->setTabEnabled(place, true);  // the current tab is never hidden
  tabs_->setTabVisible(place, true);
  tabs_->setCurrentIndex(place);
}

void ChartsPanel::showGroup(ChartGroup group) { showTab(front_[std::size_t(group)]); }

ChartId ChartsPanel::current() const { return chartPages()[std::size_t(tabs_->currentIndex())].id; }

ChartPage* ChartsPanel::page(ChartId id) const { return pages_[std::size_t(placeOf(id))]; }

bool ChartsPanel::isReady() const {
  const ChartPage* shown = page(current());
  return !shown->applies() || shown->isReady();
}

void ChartsPanel::setControlsShown(bool shown) {
  for (ChartPage* page : pages_) page->setControlsShown(shown);
}

// Qt's bar scrolls to its current tab when that changes, which is before other tabs are shown, and
// when it gets another size; too far, where its last tab is hidden (Qt 6.4).
void ChartsPanel::scrollToTab() {
  QTabBar* bar = tabs_->tabBar();
  if (!bar->isTabVisible(bar->count() - 1)) return;
  QResizeEvent sameSize(bar->size(), bar->size());
  QCoreApplication::sendEvent(bar, &sameSize);
}

void ChartsPanel::onTab() {
  const auto& kinds = chartPages();
  const ChartGroup group = chartPage(current()).group;
  front_[std::size_t(group)] = current();
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    tabs_->setTabEnabled(int(i), kinds[i].group == group);  // else keys would go to hidden tabs
    tabs_->setTabVisible(int(i), kinds[i].group == group);
  }
  groups_[std::size_t(group)]->setChecked(true);
  scrollToTab();
  activate(isVisible() ? page(current()) : nullptr);
  showNote();
  Q_EMIT groupShown(group);
}

void ChartsPanel::activate(ChartPage* page) {
  if (page == active_) return;
  ChartPage* last = std::exchange(active_, page);
  if (page != nullptr) page->setActive(true);
  if (last != nullptr) last->setActive(false);
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
  activate(page(current()));
}

void ChartsPanel::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  // Not where it is only moved to another place of the window.
  QTimer::singleShot(0, this, [this] {
    if (!isVisible()) activate(nullptr);
  });
}

}  // namespace clusterloom
