#include "ui/charts/compare_panel.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QListWidget>
#include <QPixmap>
#include <QPushButton>
#include <QShortcut>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "render/charts/warp_columns.h"
#include "ui/session/cluster_run.h"
#include "ui/session/comparison.h"
#include "ui/session/load_lab.h"
#include "ui/session/session.h"
#include "ui/theme/theme.h"
#include "ui/view/chart_view.h"
#include "ui/widgets/form.h"
#include "ui/words/engine_words.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

void addToList(QListWidget* list, const QString& name, const QString& summary, bool checked) {
  auto* item = new QListWidgetItem(name, list);
  item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
  item->setCheckState(checked ? Qt::Checked : Qt::Unchecked);
  item->setToolTip(name + QLatin1Char('\n') + summary);
  // The box grows with the text of the window, Qt's space for it does not: an empty icon adds it.
  constexpr int kBox = 14;
  if (const int more = fontScaled(kBox) - kBox; more > 0) {
    QPixmap space(more, 1);
    space.fill(Qt::transparent);
    item->setIcon(space);
  }
}

QString sideName(int side) {
  return side == 0 ? ComparePanel::tr("Strategy A") : ComparePanel::tr("Strategy B");
}

double mostSteps(const LoadReport& report) {
  double most = 0;
  for (const WarpLoad& warp : report.warps)
    most = std::max(most, workOf(warp, report.weights).steps);
  return most;
}

}  // namespace

ComparePanel::ComparePanel(Session& session, QWidget* parent)
    : ChartPage(session, parent), comparison_(session.comparison()) {
  setObjectName(QStringLiteral("comparePanel"));
  auto* splitter = new QSplitter(Qt::Horizontal);
  splitter->addWidget(makeChoice());
  splitter->addWidget(makePages());
  splitter->setStretchFactor(1, 1);
  splitter->setSizes({215, 1185});
  splitter->setChildrenCollapsible(false);
  auto* layout = spaced(new QVBoxLayout(this), {0, 0, 0, 0});
  layout->addWidget(splitter);
  connectParts();
  offerOutputs();
  showRuns();
}

QWidget* ComparePanel::makeChoice() {
  list_ = named("compareList", new QListWidget, tr("Strategies to compare"));
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setTextElideMode(Qt::ElideRight);
  list_->setMinimumWidth(fontScaled(170));
  list_->setMinimumHeight(40);
  const std::vector<PaperStrategy> strategies = comparableStrategies();
  for (const PaperStrategy& paper : strategies) {
    // Not at first: what changes the baseline but not its order, and joins whose warps are not
    // modelled.
    const bool inputOrder = paper.strategy.order == QueryOrder::Bins;
    const bool baseline = paper.strategy == strategies.front().strategy;
    addToList(list_, paper.name, paper.summary,
              (baseline || !inputOrder) && paper.strategy.method == Method::Grid &&
                  paper.backend.isEmpty());
  }
  addToList(list_, tr("current settings"), tr("The current strategy of the engine panel."), false);
  keep_ = named("compareKeep", new QPushButton(tr("Add current settings")));
  keep_->setToolTip(
      tr("Add the engine panel's current strategy to the list, so that any two can be compared; "
         "Del removes it"));
  run_ = named("compareRun", new QPushButton(tr("Compare")));
  run_->setToolTip(tr("Model and run each of them at the current ε"));
  sweep_ = named("compareSweep", new QPushButton(tr("Over ε")));
  sweep_->setToolTip(tr("Time of index and join, and selectivity, from a quarter to four times ε"));
  timed_ = named("compareTimed", panelCombo(this, tr("What is timed over ε")));
  timed_->setToolTip(
      tr("What “Over ε” measures: counting the neighbours of every point, or delivering all "
         "pairs"));
  timed_->addItem(tr("counting"), int(LoadKernel::Counts));
  timed_->addItem(tr("pairs"), int(LoadKernel::Pairs));
  showsCauses_ = named("compareCauses", new QPushButton(tr("Causes of the gain")));
  showsCauses_->setCheckable(true);
  showsCauses_->setToolTip(
      tr("Show what each strategy gains over the first, split into causes, in place of the warps"));
  repeats_ = named("compareRepeats", panelCombo(this, tr("Runs per strategy")));
  repeats_->setToolTip(
      tr("How often each strategy is run; the table shows the median of the times and the fastest "
         "and slowest run"));
  repeats_->setMinimumContentsLength(4);
  repeats_->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
  for (const int runs : {1, 3, 5, 9, 25}) repeats_->addItem(tr("%1 ×").arg(runs), runs);
  auto* left = new QWidget;
  auto* leftLayout = spaced(new QVBoxLayout(left), {6, 4, 4, 4}, 4);
  leftLayout->addWidget(list_, 1);
  leftLayout->addWidget(keep_);
  auto* buttons = new QGridLayout;
  buttons->setSpacing(4);
  buttons->addWidget(run_, 0, 0);
  buttons->addWidget(sweep_, 0, 1);
  buttons->addWidget(repeats_, 0, 2);
  buttons->addWidget(showsCauses_, 1, 0, 1, 2);
  buttons->addWidget(timed_, 1, 2);
  leftLayout->addLayout(buttons);
  return left;
}

QWidget* ComparePanel::makeSides() {
  auto* sides = new QSplitter(Qt::Horizontal);
  for (int side = 0; side < 2; ++side) {
    views_[side] = new ChartView(charts_[side]);
    views_[side]->setObjectName(QStringLiteral("compareChart%1").arg(side));
    views_[side]->setAccessibleName(tr("Warps of %1").arg(sideName(side)));
    charts_[side].setEmptyText(tr("Warps appear here").toStdString());
    sides_[side] = panelCombo(this, sideName(side));
    sides_[side]->setObjectName(QStringLiteral("compareSide%1").arg(side));
    connect(sides_[side], &QComboBox::activated, this, [this, side] {
      chosen_[side] = sides_[side]->currentText();
      showCharts();
    });
    auto* column = new QWidget;
    auto* columnLayout = spaced(new QVBoxLayout(column), {0, 4, 0, 0}, 2);
    columnLayout->addWidget(sides_[side]);
    columnLayout->addWidget(views_[side], 1);
    sides->addWidget(column);
  }
  sides->setChildrenCollapsible(false);
  for (ChartView* view : views_) view->setMinimumWidth(160);
  return sides;
}

QWidget* ComparePanel::makePages() {
  auto* content = new QSplitter(Qt::Horizontal);
  content->addWidget(makeTable());
  gainsView_ = named("gainChart", new ChartView(gains_), tr("Causes of the gain of each strategy"));
  gains_.setEmptyText(tr("What the strategies gain appears here").toStdString());
  besideTable_ = new QStackedWidget;
  besideTable_->addWidget(makeSides());
  besideTable_->addWidget(gainsView_);
  content->addWidget(besideTable_);
  content->setChildrenCollapsible(false);
  content->setSizes({680, 500});
  responseView_ =
      named("responseChart", new ChartView(response_), tr("Times of the strategies against ε"));
  response_.setEmptyText(tr("The times of the strategies appear here").toStdString());
  pages_ = new QStackedWidget;
  pages_->addWidget(content);
  pages_->addWidget(responseView_);
  return pages_;
}

void ComparePanel::connectParts() {
  connect(run_, &QPushButton::clicked, this, [this] {
    if (comparison_.isRunning())
      comparison_.cancel();
    else
      start(false);
  });
  connect(sweep_, &QPushButton::clicked, this, [this] { start(true); });
  connect(showsCauses_, &QPushButton::toggled, this, [this](bool on) {
    besideTable_->setCurrentIndex(on ? 1 : 0);
    pages_->setCurrentIndex(0);
  });
  connect(list_, &QListWidget::itemChanged, this, &ComparePanel::showRuns);
  connect(keep_, &QPushButton::clicked, this, &ComparePanel::keepEngineStrategy);
  auto* drop = new QShortcut(QKeySequence::Delete, list_, this, &ComparePanel::dropKept);
  drop->setContext(Qt::WidgetShortcut);
  connect(&comparison_, &Comparison::changed, this, &ComparePanel::showRuns);
  connect(&comparison_, &Comparison::hybridFound, this, &ComparePanel::showHybrid);
  connect(&session_.clusterRun(), &ClusterRun::backendChanged, this, [this] {
    if (isVisible()) comparison_.findHybrid();
  });
}

void ComparePanel::offerOutputs() {
  ChartOutput table =
      outputOfTable(*table_, tr("Table and charts"), QStringLiteral("compare"),
                    [this] { return [made = comparison_.table()] { return made; }; });
  table.size = [this] { return pictureSize(); };
  table.svg = [this](QSize size, Background background) { return picture(size, background); };
  offer(std::move(table));
  for (int side = 0; side < 2; ++side)
    offer(outputOf(*views_[side], tr("Warps of %1").arg(sideName(side)),
                   side == 0 ? QStringLiteral("warps-a") : QStringLiteral("warps-b")));
  offer(outputOf(*gainsView_, tr("Causes of the gain"), QStringLiteral("causes-of-the-gain")));
  offer(outputOf(*responseView_, tr("Times over ε"), QStringLiteral("times-over-eps")));
}

ComparePanel::~ComparePanel() {
  // The views use the charts, which are members and go before the child widgets would.
  for (ChartView* view : views_) delete view;
  delete gainsView_;
  delete responseView_;
}

bool ComparePanel::isReady() const { return !comparison_.isRunning(); }

void ComparePanel::start(bool overEps) {
  std::vector<PaperStrategy> chosen;
  const std::vector<PaperStrategy> papers = comparableStrategies();
  for (int i = 0; i < list_->count(); ++i) {
    if (list_->item(i)->checkState() != Qt::Checked) continue;
    const auto row = std::size_t(i);
    if (row < papers.size())
      chosen.push_back(papers[row]);
    else if (row == papers.size())
      chosen.push_back(engineStrategy());
    else
      chosen.push_back(kept_[row - papers.size() - 1]);
  }
  pages_->setCurrentIndex(overEps ? 1 : 0);
  const int repeats = repeats_->currentData().toInt();
  if (overEps)
    comparison_.startSweep(chosen, LoadKernel(timed_->currentData().toInt()), repeats);
  else
    comparison_.start(chosen, session_.loadLab().kernel(), repeats);
}

void ComparePanel::showEvent(QShowEvent* event) {
  comparison_.findHybrid();
  ChartPage::showEvent(event);
}

void ComparePanel::showHybrid() {
  const QString objection = comparison_.hybridObjection();
  const std::vector<PaperStrategy> papers = comparableStrategies();
  const QSignalBlocker block(list_);
  for (std::size_t i = 0; i < papers.size(); ++i) {
    if (papers[i].backend.isEmpty()) continue;
    QListWidgetItem* item = list_->item(int(i));
    const bool possible = objection.isEmpty();
    item->setFlags(possible ? item->flags() | Qt::ItemIsEnabled
                            : item->flags() & ~Qt::ItemIsEnabled);
    if (!possible) item->setCheckState(Qt::Unchecked);
    item->setToolTip(papers[i].name + QLatin1Char('\n') + papers[i].summary +
                     (possible ? QString() : QLatin1Char('\n') + objection));
  }
  showRuns();
}

// By its options: the settings may be others when the rows are read.
PaperStrategy ComparePanel::engineStrategy() const {
  const Strategy& strategy = session_.parameters().strategy;
  return {engineList(describe(asJoin(strategy))), {}, strategy};
}

void ComparePanel::keepEngineStrategy() {
  const Strategy strategy = session_.parameters().strategy;
  const int firstKept = list_->count() - int(kept_.size());
  for (std::size_t i = 0; i < kept_.size(); ++i)
    if (kept_[i].strategy == strategy) {
      list_->item(firstKept + int(i))->setCheckState(Qt::Checked);
      return;
    }
  kept_.push_back(engineStrategy());
  addToList(list_, kept_.back().name, tr("Added from the engine panel."), true);
  list_->setCurrentRow(list_->count() - 1);
}

void ComparePanel::dropKept() {
  const int at = list_->currentRow() - (list_->count() - int(kept_.size()));
  if (at < 0) return;
  delete list_->takeItem(list_->currentRow());
  kept_.erase(kept_.begin() + at);
  showRuns();
}

const ComparedRun* ComparePanel::firstDone() const {
  for (const ComparedRun& run : comparison_.runs())
    if (run.succeeded()) return &run;
  return nullptr;
}

bool ComparePanel::hasSharedRuns() const {
  const std::vector<ComparedRun>& runs = comparison_.runs();
  return std::any_of(runs.begin(), runs.end(),
                     [](const ComparedRun& run) { return !run.stats.passes.empty(); });
}

void ComparePanel::showNote() {
  const std::vector<ComparedRun>& runs = comparison_.runs();
  const ComparedRun* first = firstDone();
  QString note;
  if (!runs.empty() && !comparison_.isCurrent()) {
    note = tr("For ε %1.").arg(readable(comparison_.eps()));
  } else if (!runs.empty() && first != nullptr) {
    const auto warps = std::find_if(runs.begin(), runs.end(),
                                    [](const ComparedRun& r) { return r.report != nullptr; });
    if (warps != runs.end())
      note = warps->report->measured ? tr("Warps measured; ") : tr("Warps modelled; ");
    note += first->seconds.size() > 1
                ? tr("times of index and join on %1, median of %2 runs.")
                      .arg(comparison_.backend())
                      .arg(first->seconds.size())
                : tr("times of index and join on %1, one run.").arg(comparison_.backend());
  }
  const bool remarks = std::any_of(runs.begin(), runs.end(),
                                   [](const ComparedRun& r) { return !r.remark.isEmpty(); });
  if (hasSharedRuns()) note += tr(" HEGJoin and adaptive on CPU and GPU together.");
  if (remarks) note += tr(" * with one thread per point, the most that this backend supports.");
  note_->setText(note);
  note_->setToolTip(note);
  note_->setVisible(!note.isEmpty());
}

QString ComparePanel::ofWarps() const {
  const std::vector<ComparedRun>& runs = comparison_.runs();
  const auto warps = std::find_if(runs.begin(), runs.end(),
                                  [](const ComparedRun& r) { return r.report != nullptr; });
  QString ofWarps = tr("Warps of a GPU");
  if (warps != runs.end() && warps->report->measured) {
    ofWarps = tr("GPU, measured");
  } else if (warps != runs.end()) {
    const LoadReport& report = *warps->report;
    ofWarps = tr("GPU model: %1, %2 multiprocessors × %3 warps, %4 GHz")
                  .arg(QString::fromStdString(report.machine))
                  .arg(report.multiprocessors)
                  .arg(report.warpsPerMultiprocessor)
                  .arg(readable(report.clockGHz));
  }
  if (warps != runs.end() && warps->report->weights == LoopWeights{})
    ofWarps += tr(", every step counts 1");
  return ofWarps;
}

void ComparePanel::showRuns() {
  const std::vector<ComparedRun>& runs = comparison_.runs();
  const bool running = comparison_.isRunning();
  int checked = 0;
  for (int i = 0; i < list_->count(); ++i)
    checked += list_->item(i)->checkState() == Qt::Checked ? 1 : 0;
  run_->setText(running ? tr("Cancel") : tr("Compare"));
  run_->setEnabled(running || (comparison_.isPossible() && checked >= 1));
  repeats_->setEnabled(!running);
  sweep_->setEnabled(!running && comparison_.isPossible() && checked >= 1);
  QString times =
      (comparison_.sweepKernel() == LoadKernel::Pairs ? tr("measured · delivering pairs, %1")
                                                      : tr("measured · counting neighbours, %1"))
          .arg(comparison_.backend());
  if (!comparison_.sweepFailure().isEmpty()) times += tr(" · points are missing");
  response_.setData(comparison_.sweep(), times.toStdString());
  responseView_->setToolTip(comparison_.sweepFailure());
  responseView_->requestFrame();

  showTable();
  showNote();
  showGroups();

  for (int side = 0; side < 2; ++side) {
    const QSignalBlocker block(sides_[side]);
    sides_[side]->clear();
    for (const ComparedRun& run : runs) sides_[side]->addItem(run.name);
    const int kept = sides_[side]->findText(chosen_[side]);
    sides_[side]->setCurrentIndex(kept >= 0 ? kept : std::min(side, int(runs.size()) - 1));
    sides_[side]->setEnabled(!runs.empty());
  }
  showCharts();
  showGains();
}

void ComparePanel::showGains() {
  std::vector<StrategyGain> gains;
  for (const ComparedRun& run : comparison_.runs())
    if (run.succeeded() && run.report)
      gains.push_back({run.name.toStdString(), comparison_.causesOf(run)});
  gains_.setData(std::move(gains), ofWarps().toStdString());
  gainsView_->requestFrame();
}

void ComparePanel::showCharts() {
  const std::vector<ComparedRun>& runs = comparison_.runs();
  double most = 0;
  std::shared_ptr<const LoadReport> reports[2];
  for (int side = 0; side < 2; ++side) {
    const int index = sides_[side]->currentIndex();
    if (index >= 0 && index < int(runs.size())) reports[side] = runs[std::size_t(index)].report;
    if (reports[side]) most = std::max(most, mostSteps(*reports[side]));
  }
  for (int side = 0; side < 2; ++side) {
    charts_[side].setData(reports[side]);
    charts_[side].setFullHeight(most);  // one axis for both
    views_[side]->requestFrame();
  }
}

}  // namespace clusterloom
