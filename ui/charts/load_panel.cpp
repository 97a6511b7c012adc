#include "ui/charts/load_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolTip>
#include <QVBoxLayout>
#include <cmath>

#include "render/charts/plot_area.h"
#include "ui/charts/every_eps_words.h"
#include "ui/session/load_lab.h"
#include "ui/session/paper_strategies.h"
#include "ui/session/session.h"
#include "ui/theme/theme.h"
#include "ui/view/chart_view.h"
#include "ui/widgets/form.h"
#include "ui/widgets/wrapping_row.h"
#include "ui/words/engine_words.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

// More steps than this are not distinguishable.
constexpr std::size_t kStepsAround = 96;
// A page higher than this share of its width has its charts below each other.
constexpr double kHigh = 1.5;

}  // namespace

LoadPanel::LoadPanel(Session& session, QWidget* parent)
    : ChartPage(session, parent), lab_(session.loadLab()) {
  setObjectName(QStringLiteral("loadPanel"));
  warpsView_ =
      named("warpLoadChart", new ChartView(warps_),
            tr("Steps of every warp in order of launch, work and idling; arrow keys pick"));
  multiprocessorsView_ = named("multiprocessorChart", new ChartView(multiprocessors_),
                               tr("Multiprocessors over time"));
  histogramView_ =
      named("stepsHistogram", new ChartView(histogram_), tr("How many warps take how many steps"));
  lanesView_ = named("laneChart", new ChartView(lanes_),
                     tr("The picked warp, lane by lane and step by step; arrow keys step"));
  stack_ = new QStackedWidget;
  stack_->addWidget(warpsView_);
  stack_->addWidget(multiprocessorsView_);
  stack_->addWidget(histogramView_);
  splitter_ = new QSplitter(Qt::Horizontal);
  splitter_->addWidget(stack_);
  splitter_->addWidget(lanesView_);
  splitter_->setStretchFactor(0, 3);
  splitter_->setStretchFactor(1, 2);
  splitter_->setSizes({600, 400});
  splitter_->setChildrenCollapsible(false);

  makeFields();
  auto* row = new WrappingRow;
  row->addField(tr("Show"), look_);
  row->addField(tr("of strategy"), strategy_);
  row->addField(tr("kernel"), kernel_);
  row->addField(tr("GPU"), machine_);
  row->addField(tr("steps"), weighting_);
  row->addWidget(run_);
  row->addWidget(summary_);
  auto* layout = spaced(new QVBoxLayout(this), {0, 0, 0, 0}, 2);
  layout->addWidget(controlsOf(row));
  layout->addWidget(splitter_, 1);

  offer(outputOf(*warpsView_, tr("Warps"), QStringLiteral("warps")));
  offer(outputOf(*multiprocessorsView_, tr("Multiprocessors"), QStringLiteral("multiprocessors")));
  offer(outputOf(*histogramView_, tr("Steps per warp"), QStringLiteral("steps-per-warp")));
  offer(outputOf(*lanesView_, tr("Lanes of the picked warp"), QStringLiteral("lanes")));

  lanes_.setEmptyText(tr("Pick a warp to see its lanes").toStdString());
  const auto onPick = [this](std::int64_t place) { pick(place); };
  warps_.setOnPick(onPick);
  multiprocessors_.setOnPick(onPick);
  // A lane represents its query point, which belongs to the warp that is picked.
  lanes_.setOnCursor([this](std::size_t, std::uint32_t lane) {
    const auto light = lab_.light();
    const std::uint32_t point = light ? light->trace->queryPoint[lane] : WarpTrace::kNothing;
    if (point != WarpTrace::kNothing) session_.setPickedPoint(point);
    Q_EMIT cursorMoved();
  });
  connect(look_, &QComboBox::activated, stack_, &QStackedWidget::setCurrentIndex);
  connect(strategy_, &QComboBox::activated, this, [this](int index) {
    const auto papers = paperStrategies();
    lab_.setStrategy(index == 0 ? std::nullopt
                                : std::optional(papers[std::size_t(index) - 1].strategy));
  });
  connect(kernel_, &QComboBox::activated, this,
          [this] { lab_.setKernel(LoadKernel(kernel_->currentData().toInt())); });
  connect(weighting_, &QComboBox::activated, this,
          [this](int index) { lab_.setUnweighted(index == 1); });
  connect(run_, &QPushButton::clicked, this, [this] {
    if (lab_.isComputing())
      lab_.cancel();
    else
      lab_.compute();
  });
  connect(&lab_, &LoadLab::changed, this, &LoadPanel::showResult);
  connect(&lab_, &LoadLab::lightChanged, this, &LoadPanel::showLight);
  connect(&session_, &Session::selectionChanged, this, [this] {
    showPicked();
    showState();
  });
  connect(&session_, &Session::parametersChanged, this, &LoadPanel::showState);
  showResult();
  showLight();
}

void LoadPanel::makeFields() {
  look_ = named("loadLook", panelCombo(this, tr("View of the load")));
  look_->addItems({tr("warps"), tr("multiprocessors"), tr("histogram")});
  look_->setMinimumContentsLength(13);
  look_->setToolTip(
      tr("Warps in order of launch, when and where they run, or how their steps are distributed"));
  strategy_ = named("loadStrategy", panelCombo(this, tr("Strategy whose load is shown")));
  strategy_->setMinimumContentsLength(15);
  strategy_->setMaximumWidth(fontScaled(240));  // Qt would make it as wide as its placeholder
  strategy_->setToolTip(tr("The strategy of the engine panel, or one of the papers'"));
  strategy_->addItem(tr("current settings"));
  for (const PaperStrategy& paper : paperStrategies()) {
    strategy_->addItem(paper.name);
    strategy_->setItemData(strategy_->count() - 1, paper.summary, Qt::ToolTipRole);
  }
  kernel_ = named("loadKernel", panelCombo(this, tr("Kernel")));
  kernel_->setToolTip(tr("The cost of a hit: the papers' kernels write pairs, ours counts"));
  kernel_->addItem(tr("writes pairs"), int(LoadKernel::Pairs));
  kernel_->addItem(tr("counts"), int(LoadKernel::Counts));
  makeMachine();
  weighting_ = named("loadWeighting", panelCombo(this, tr("Weighting of the steps")));
  weighting_->setMinimumContentsLength(15);  // German "by their cost" is longer than the least
  weighting_->setToolTip(
      tr("WEE: each step counts its cost, fitted to measured warps. Unweighted WEE: each step "
         "counts 1"));
  weighting_->addItems({tr("by their cost"), tr("all equal")});
  run_ = named("computeLoad", new QPushButton(this));
  summary_ = named("loadSummary", cutLine(this, true), tr("Summary of the warp load"));
}

void LoadPanel::resizeEvent(QResizeEvent* event) {
  ChartPage::resizeEvent(event);
  // Beside each other in the dock; below each other where the page is high, as a maximised one is.
  splitter_->setOrientation(kHigh * height() > width() ? Qt::Vertical : Qt::Horizontal);
}

LoadPanel::~LoadPanel() {
  // The views use the charts, which are members and go before the child widgets would.
  for (ChartView* view : {warpsView_, multiprocessorsView_, histogramView_, lanesView_})
    delete view;
}

void LoadPanel::makeMachine() {
  machine_ = named("loadMachine", panelCombo(this, tr("GPU that is modelled")));
  machine_->setToolTip(
      tr("The GPU that is modelled: choose one, or type multiprocessors x warps of each, as in "
         "8x4, or with a clock in GHz, 8x4@1.5. A measured load always belongs to the GPU in this "
         "machine"));
  machine_->setEditable(true);
  machine_->lineEdit()->setAccessibleName(machine_->accessibleName());
  machine_->setInsertPolicy(QComboBox::NoInsert);
  for (const SimtMachine& known : knownMachines()) {
    machine_->addItem(QString::fromStdString(known.name));
    machine_->setItemData(machine_->count() - 1,
                          tr("%1 multiprocessors of %2 warps, %3 GHz")
                              .arg(known.multiprocessors)
                              .arg(known.warpsPerMultiprocessor)
                              .arg(readable(known.clockGHz)),
                          Qt::ToolTipRole);
  }
  const auto take = [this] {
    const auto machine = machineFromText(machine_->currentText().trimmed().toStdString());
    if (!machine) {
      machine_->setEditText(QString::fromStdString(toText(lab_.machine())));
      return QToolTip::showText(machine_->mapToGlobal(QPoint(0, machine_->height())),
                                QString::fromStdString(machine.error().message), machine_);
    }
    // The weights of the lesson or of an earlier choice stay.
    SimtMachine chosen = *machine;
    chosen.weights = lab_.machine().weights;
    machine_->lineEdit()->setModified(false);
    lab_.setMachine(chosen);
  };
  connect(machine_, &QComboBox::activated, this, take);
  connect(machine_->lineEdit(), &QLineEdit::editingFinished, this, take);
}

void LoadPanel::setLook(Look look) {
  look_->setCurrentIndex(look);
  stack_->setCurrentIndex(look);
}

ChartView* LoadPanel::view(Look look) const {
  return static_cast<ChartView*>(stack_->widget(look));
}

QString LoadPanel::summary() const { return summary_->text(); }

bool LoadPanel::isReady() const { return lab_.isReady(); }

void LoadPanel::setActive(bool active) { lab_.setWanted(active); }

void LoadPanel::showResult() {
  const auto result = lab_.result();
  if (shown_ != result) {
    shown_ = result;
    const auto report = result ? result->report : nullptr;
    warps_.setData(report);
    multiprocessors_.setData(report);
    histogram_.setData(report);
  }
  showPicked();
  showState();
}

void LoadPanel::showState() {
  const bool computing = lab_.isComputing();
  const bool current = lab_.isCurrent();
  run_->setText(computing ? tr("Cancel") : tr("Compute"));
  run_->setToolTip(computing ? tr("Stop computing the load")
                             : tr("Compute the load for the current parameters"));
  run_->setEnabled(computing || (!current && lab_.question().has_value()));
  const auto result = lab_.result();
  QString text;
  if (!lab_.failure().isEmpty() && !current) {
    text = lab_.failure();
  } else if (result) {
    const LoadReport& report = *result->report;
    QStringList parts;
    if (const std::int64_t warp = pickedOutside(); warp >= 0)
      parts << (markedOutside() ? tr("warp %1 is outside the sample, computed separately")
                                      .arg(count(std::uint64_t(warp)))
                                : tr("warp %1 is outside the sample, computing it…")
                                      .arg(count(std::uint64_t(warp))));
    if (!current) parts << tr("for other parameters");
    parts << (report.measured ? tr("steps measured, weights fitted") : tr("modelled"));
    parts << (report.weights == LoopWeights{} ? tr("unweighted WEE %1") : tr("WEE %1"))
                 .arg(percentWithError(report.wee, report.weeError));
    if (const auto& predicted = result->predicted)
      parts << tr("modelled %1").arg(percentWithError(predicted->wee, predicted->error));
    parts << counted(report.allWarps, "1 warp",
                     tr("%1 warps", nullptr, pluralNumber(report.allWarps)));
    if (report.threadsPerPoint > 1)
      parts << tr("%1 threads per query point").arg(report.threadsPerPoint);
    const std::size_t batches = report.batchBegin.empty() ? 0 : report.batchBegin.size() - 1;
    parts << counted(batches, "1 batch", tr("%1 batches", nullptr, pluralNumber(batches)));
    constexpr std::uint64_t kReadable = 100'000'000;
    const auto readable = [](std::uint64_t number) {
      return number < kReadable ? count(number)
                                : QString::fromStdString(withUnit(static_cast<double>(number)));
    };
    QString distances = readable(report.distanceCalculations);
    if (report.distancesError > 0 && std::isfinite(report.distancesError))
      distances += QStringLiteral(" ± ") +
                   readable(static_cast<std::uint64_t>(std::llround(report.distancesError)));
    parts << tr("%1 distance calculations").arg(distances);
    if (report.idealMakespan > 0)
      parts << tr("makespan %1 × the ideal, %2")
                   .arg(fixed(report.makespan / report.idealMakespan, 2),
                        duration(secondsOf(report, report.makespan)));
    text = parts.join(tr(" · "));
  }
  summary_->setText(text);
  // What the two efficiencies were where both are known: on an H200, with 2,000,000 points of the
  // kind expo and the strategy WORKQUEUE (engine/load/README.md).
  if (result && result->report->measured)
    text += QLatin1Char('\n') +
            tr("A profiler counts instructions and shows a lower WEE: %1 for a run with %2 here. "
               "The guide's page “The load lab” has both for six strategies.")
                .arg(percent(0.680), percent(0.842));
  summary_->setToolTip(text);
  restyle(summary_, "role", !lab_.failure().isEmpty() && !current ? QVariant("error") : QVariant());
  const std::string empty =
      (computing ? tr("Computing the load of every warp…")
                 : emptyText(session_, tr("The load of every warp appears here")))
          .toStdString();
  for (Chart* chart : {static_cast<Chart*>(&warps_), static_cast<Chart*>(&multiprocessors_),
                       static_cast<Chart*>(&histogram_)})
    chart->setEmptyText(empty);
  for (ChartView* view : {warpsView_, multiprocessorsView_, histogramView_}) view->requestFrame();
  {
    const QSignalBlocker block(kernel_);
    kernel_->setCurrentIndex(kernel_->findData(int(lab_.kernel())));
  }
  // What is being typed stays.
  if (!machine_->lineEdit()->isModified())
    machine_->setEditText(QString::fromStdString(toText(lab_.machine())));
  weighting_->setCurrentIndex(lab_.isUnweighted() ? 1 : 0);
  const auto papers = paperStrategies();
  // A strategy of a lesson, in neither the engine panel nor the papers, is shown by its options.
  if (lab_.strategy()) strategy_->setPlaceholderText(engineList(describe(*lab_.strategy())));
  int which = lab_.strategy() ? -1 : 0;
  for (std::size_t i = 0; i < papers.size() && lab_.strategy(); ++i)
    if (papers[i].strategy == *lab_.strategy()) which = int(i) + 1;
  strategy_->setCurrentIndex(which);
}

void LoadPanel::showPicked() {
  const auto result = lab_.result();
  const std::int64_t place = result ? result->placeOf(session_.selection().warp) : -1;
  warps_.setMarked(place);
  multiprocessors_.setMarked(place);
  histogram_.setMarked(place);
  const std::optional<WarpLoad> outside = markedOutside();
  warps_.setMarkedOutside(outside);
  histogram_.setMarkedOutside(outside);
  lanes_.setMarkedPoint(session_.selection().point);
  for (ChartView* view : {warpsView_, multiprocessorsView_, histogramView_, lanesView_})
    view->requestFrame();
}

std::int64_t LoadPanel::pickedOutside() const {
  const auto result = lab_.result();
  const std::int64_t warp = session_.selection().warp;
  return result && warp >= 0 && result->placeOf(warp) < 0 ? warp : -1;
}

std::optional<WarpLoad> LoadPanel::markedOutside() const {
  const std::int64_t warp = pickedOutside();
  const auto light = lab_.light();
  if (warp < 0 || !light || light->trace->load.number != warp) return std::nullopt;
  return light->trace->load;
}

void LoadPanel::showLight() {
  const auto light = lab_.light();
  lanes_.setData(light ? light->trace : nullptr);
  showPicked();
  showState();
}

void LoadPanel::setCursor(std::int64_t step) {
  lanes_.setCursor(step);
  lanes_.showAroundCursor(kStepsAround);
  lanesView_->requestFrame();
  Q_EMIT cursorMoved();
}

void LoadPanel::pick(std::int64_t place) {
  const auto result = lab_.result();
  if (!result) return;
  Selection selection = session_.selection();
  selection.warp = place < 0 ? -1 : std::int64_t(result->report->warps[std::size_t(place)].number);
  selection.point = selection.cell = -1;
  selection.row.reset();
  session_.setSelection(selection);
}

}  // namespace clusterloom
