#include "ui/panels/charts_panel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/dialogs/save_dialog.h"
#include "ui/models/runs_model.h"
#include "ui/panels/compare_panel.h"
#include "ui/panels/load_panel.h"
#include "ui/session/cluster_run.h"
#include "ui/session/derived_results.h"
#include "ui/session/load_lab.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"
#include "ui/view/chart_view.h"

namespace clusterloom {

namespace {

/// Sorts the runs by number and puts each title where its column's cells are.
class RunsProxy : public QSortFilterProxyModel {
 public:
  using QSortFilterProxyModel::QSortFilterProxyModel;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
    if (role == Qt::TextAlignmentRole && orientation == Qt::Horizontal && rowCount() > 0) {
      return data(index(0, section), role);
    }
    return QSortFilterProxyModel::headerData(section, orientation, role);
  }
};

}  // namespace

ChartsPanel::ChartsPanel(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
  setObjectName(QStringLiteral("chartsPanel"));
  tabs_ = new QTabWidget(this);
  tabs_->setDocumentMode(true);
  tabs_->setAccessibleName(tr("Charts"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(tabs_);

  kDistanceView_ = new ChartView(kDistance_);
  kDistanceView_->setObjectName(QStringLiteral("kDistanceChart"));
  kDistanceView_->setAccessibleName(
      tr("k-distances in falling order; the line is ε and can be dragged"));
  sweepView_ = new ChartView(sweep_);
  sweepView_->setObjectName(QStringLiteral("sweepChart"));
  sweepView_->setAccessibleName(tr("Clusters, noise and largest cluster against ε"));
  load_ = new LoadPanel(session_);
  batchesView_ = new ChartView(batches_);
  batchesView_->setObjectName(QStringLiteral("batchChart"));
  batchesView_->setAccessibleName(tr("Batches over time: kernels, transfers, neighbour table"));
  batches_.setEmptyText(
      tr("The batches of a run on a GPU or of the modelled warp load appear here").toStdString());
  compare_ = new ComparePanel(session_);
  costView_ = new ChartView(cost_);
  costView_->setObjectName(QStringLiteral("costChart"));
  costView_->setAccessibleName(tr("Predicted cost of each number of indexed dimensions"));
  kDistance_.setEmptyText(tr("The k-distances appear here").toStdString());
  sweep_.setEmptyText(tr("The ε sweep appears here").toStdString());
  cost_.setEmptyText(tr("The predicted cost of each k appears here").toStdString());

  runs_ = new RunsModel(this);
  auto* proxy = new RunsProxy(this);
  proxy->setSourceModel(runs_);
  proxy->setSortRole(RunsModel::ValueRole);
  runsTable_ = new QTableView;
  runsTable_->setObjectName(QStringLiteral("runsTable"));
  runsTable_->setAccessibleName(tr("Runs of this session"));
  runsTable_->setToolTip(tr("Double-click or press Return to use a run's parameters again"));
  runsTable_->setModel(proxy);
  runsTable_->setSelectionBehavior(QAbstractItemView::SelectRows);
  runsTable_->setSelectionMode(QAbstractItemView::SingleSelection);
  runsTable_->setSortingEnabled(true);
  runsTable_->sortByColumn(RunsModel::Number, Qt::DescendingOrder);
  runsTable_->setShowGrid(false);
  runsTable_->setAlternatingRowColors(true);
  runsTable_->setTabKeyNavigation(false);
  runsTable_->setFrameShape(QFrame::NoFrame);
  runsTable_->verticalHeader()->hide();
  runsTable_->verticalHeader()->setDefaultSectionSize(runsTable_->fontMetrics().height() + 8);
  runsTable_->horizontalHeader()->setHighlightSections(false);
  runsTable_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  runsTable_->horizontalHeader()->setStretchLastSection(true);
  runsTable_->setColumnWidth(RunsModel::StrategyText, 220);

  auto* csv = new QPushButton(tr("CSV…"));
  csv->setObjectName(QStringLiteral("runsCsv"));
  csv->setToolTip(tr("Save the table of runs for a spreadsheet"));
  connect(csv, &QPushButton::clicked, this, [this] {
    askWhereToSave(this, SaveKind::Csv, [this](const QString& path) { exportRunsCsv(path); });
  });
  auto* picture = new QPushButton(tr("Picture…"));
  picture->setObjectName(QStringLiteral("runsPicture"));
  picture->setToolTip(tr("Save the table of runs as a picture"));
  connect(picture, &QPushButton::clicked, this, [this] {
    askWhereToSave(this, SaveKind::Png, [this](const QString& path) { exportRunsPicture(path); });
  });
  auto* runsPage = new QWidget;
  auto* runsLayout = new QHBoxLayout(runsPage);
  runsLayout->setContentsMargins(0, 0, 6, 0);
  runsLayout->addWidget(runsTable_, 1);
  auto* runsButtons = new QVBoxLayout;
  runsButtons->setContentsMargins(0, 6, 0, 6);
  runsButtons->addWidget(csv);
  runsButtons->addWidget(picture);
  runsButtons->addStretch(1);
  runsLayout->addLayout(runsButtons);

  tabs_->addTab(kDistanceView_, tr("k-distance"));
  tabs_->addTab(sweepView_, tr("ε sweep"));
  tabs_->addTab(load_, tr("warp load"));
  tabs_->addTab(batchesView_, tr("batches"));
  tabs_->addTab(compare_, tr("compare"));
  tabs_->addTab(costView_, tr("cost of k"));
  tabs_->addTab(runsPage, tr("runs"));
  tabs_->setTabToolTip(KDistance, tr("How far the k-th nearest point is, k = minPts; drag the line "
                                     "to set ε"));
  tabs_->setTabToolTip(Sweep, tr("Clusters, noise and largest cluster over a range of ε"));
  tabs_->setTabToolTip(WarpLoad, tr("What every warp of a GPU does and how long its lanes idle"));
  tabs_->setTabToolTip(Batches, tr("When the batches of a run compute, transfer and end"));
  tabs_->setTabToolTip(Compare, tr("Comparison of strategies: warps, times, results"));
  tabs_->setTabToolTip(Cost, tr("What indexing k dimensions is predicted to cost"));
  tabs_->setTabToolTip(Runs, tr("Every exact run of this session"));

  kDistance_.setOnDrag([this](double eps, bool done) { onDrag(eps, done); });
  sweep_.setOnDrag([this](double eps, bool done) { onDrag(eps, done); });
  connect(tabs_, &QTabWidget::currentChanged, this, &ChartsPanel::tellWanted);
  connect(runsTable_, &QTableView::activated, this, [this, proxy](const QModelIndex& index) {
    const Parameters& parameters = runs_->run(proxy->mapToSource(index).row()).parameters;
    session_.undoStack()->beginMacro(tr("use run again"));
    session_.setScaling(parameters.scaling);
    session_.setStrategy(parameters.strategy);
    session_.setMinPts(parameters.dbscan.minPts);
    session_.setEps(parameters.dbscan.eps);
    session_.undoStack()->endMacro();
  });
  connect(&session_.derived(), &DerivedResults::kDistancesChanged, this,
          &ChartsPanel::showKDistances);
  connect(&session_.derived(), &DerivedResults::sweepChanged, this, &ChartsPanel::showSweep);
  connect(&session_.derived(), &DerivedResults::costModelChanged, this, &ChartsPanel::showCosts);
  connect(&session_, &Session::parametersChanged, this, &ChartsPanel::showEps);
  connect(&session_, &Session::parametersChanged, this, &ChartsPanel::showCosts);
  connect(&session_.clusterRun(), &ClusterRun::resultChanged, this, &ChartsPanel::showBatches);
  connect(&session_, &Session::selectionChanged, this, &ChartsPanel::showBatches);
  connect(&session_.loadLab(), &LoadLab::changed, this, &ChartsPanel::showBatches);
  connect(&session_.clusterRun(), &ClusterRun::runsChanged, this, [this] {
    runs_->setRuns(session_.clusterRun().runs());
    showCosts();
  });
  // The parameters panel shows the predicted costs and the knee whichever chart is in front.
  session_.derived().setCostOfKWanted(true);
  session_.derived().setKDistanceWanted(true);
  showKDistances();
  showSweep();
  showCosts();
  showBatches();
  showEps();
}

ChartsPanel::~ChartsPanel() {
  // The views use the charts, which are members and go before the child widgets would.
  delete kDistanceView_;
  delete sweepView_;
  delete batchesView_;
  delete costView_;
}

void ChartsPanel::showTab(Tab tab) { tabs_->setCurrentIndex(tab); }

ChartView* ChartsPanel::view(Tab tab) const {
  switch (tab) {
    case KDistance:
      return kDistanceView_;
    case Sweep:
      return sweepView_;
    case WarpLoad:
      return load_->view(LoadPanel::Warps);
    case Batches:
      return batchesView_;
    case Cost:
      return costView_;
    case Compare:
    case Runs:
      break;
  }
  return nullptr;
}

bool ChartsPanel::isReady() const {
  const JobQueue& jobs = session_.jobs();
  switch (tabs_->currentIndex()) {
    case KDistance:
      // With minPts above the number of points there is no k-distance to wait for.
      return (session_.derived().kDistances() ||
              (session_.data().cloud() &&
               session_.parameters().dbscan.minPts >
                   static_cast<std::int64_t>(session_.data().cloud()->size()))) &&
             !jobs.isActive(JobKind::KDistance);
    case Sweep:
      return !session_.derived().sweep().empty() && !jobs.isActive(JobKind::Sweep);
    case WarpLoad:
    case Batches:
      return load_->isReady();
    case Compare:
      return compare_->isReady();
    case Cost:
      return session_.derived().costModel() && !jobs.isActive(JobKind::CostOfK);
    default:
      return true;
  }
}

void ChartsPanel::tellWanted() {
  const int tab = isVisible() ? tabs_->currentIndex() : -1;
  session_.derived().setSweepWanted(tab == Sweep);
  session_.loadLab().setWanted(tab == WarpLoad || tab == Batches);
}

void ChartsPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  tellWanted();
}

void ChartsPanel::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  tellWanted();
}

void ChartsPanel::showKDistances() {
  kDistance_.setData(session_.derived().kDistances());
  kDistanceView_->requestFrame();
}

void ChartsPanel::showSweep() {
  const auto cloud = session_.data().cloud();
  sweep_.setData(session_.derived().sweep(), cloud ? cloud->size() : 0);
  sweepView_->requestFrame();
}

void ChartsPanel::showCosts() {
  const auto model = session_.derived().costModel();
  const int asked = session_.parameters().strategy.indexedDims;
  cost_.setData(model ? std::optional<CostModel>(*model) : std::nullopt,
                asked > 0 ? asked : (model ? model->best : 1));
  // Times of other clouds, ε or scalings do not belong to these predictions.
  std::vector<MeasuredK> measured;
  for (const RunRecord& run : session_.clusterRun().runs()) {
    const Parameters& parameters = session_.parameters();
    if (run.parameters.dbscan.eps != parameters.dbscan.eps ||
        !(run.parameters.scaling == parameters.scaling) || run.stats.indexedDims < 1)
      continue;
    auto at = std::find_if(measured.begin(), measured.end(),
                           [&](const MeasuredK& m) { return m.k == run.stats.indexedDims; });
    if (at == measured.end())
      at = measured.insert(at, {run.stats.indexedDims, run.stats.seconds.total});
    at->seconds = std::min(at->seconds, run.stats.seconds.total);
  }
  cost_.setMeasured(std::move(measured));
  costView_->requestFrame();
}

void ChartsPanel::showBatches() {
  const auto result = session_.clusterRun().result();
  const auto load = session_.loadLab().result();
  const bool ofLoad = load && load->asked.cloud == session_.data().cloud();
  if (result && !result->clustering.stats.timeline.empty()) {
    batches_.setTimeline(result->clustering.stats.timeline);
  } else {
    batches_.setReport(ofLoad ? load->report : nullptr);
    const std::int64_t place = ofLoad ? load->placeOf(session_.selection().warp) : -1;
    batches_.setMarked(place < 0 ? -1
                                 : std::int64_t(load->report->warps[std::size_t(place)].batch));
  }
  batchesView_->requestFrame();
}

void ChartsPanel::showEps() {
  const bool known = !session_.data().awaitsEps();
  const double eps = known ? session_.parameters().dbscan.eps : 0;
  kDistance_.setEps(eps);
  sweep_.setEps(eps);
  kDistanceView_->requestFrame();
  sweepView_->requestFrame();
}

void ChartsPanel::exportRunsCsv(const QString& path) {
  session_.files().exportBytes(path, runsToCsv(session_.clusterRun().runs()));
}

void ChartsPanel::exportRunsPicture(const QString& path) {
  session_.files().exportImage(path, runsTable_->grab().toImage());
}

void ChartsPanel::onDrag(double eps, bool done) {
  if (!session_.isDragging() && !done) session_.setDragging(true);
  session_.setEps(eps);
  if (done && session_.isDragging()) session_.setDragging(false);
}

}  // namespace clusterloom
