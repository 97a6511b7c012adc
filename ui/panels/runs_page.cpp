#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QUndoStack>
#include <QVBoxLayout>

#include "ui/dialogs/save_dialog.h"
#include "ui/models/runs_model.h"
#include "ui/panels/chart_page.h"
#include "ui/session/cluster_run.h"
#include "ui/session/session.h"
#include "ui/session/session_files.h"

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

/// The table of runs; a run's parameters can be used again.
class RunsPage final : public ChartPage {
 public:
  explicit RunsPage(Session& session);
  bool isReady() const override { return true; }

 private:
  void exportCsv(const QString& path) {
    session_.files().exportBytes(path, runsToCsv(session_.clusterRun().runs()));
  }
  void exportPicture(const QString& path) {
    session_.files().exportImage(path, table_->grab().toImage());
  }

  Session& session_;
  RunsModel* runs_;
  QTableView* table_;
};

RunsPage::RunsPage(Session& session) : session_(session) {
  runs_ = new RunsModel(this);
  auto* proxy = new RunsProxy(this);
  proxy->setSourceModel(runs_);
  proxy->setSortRole(RunsModel::ValueRole);
  table_ = new QTableView;
  table_->setObjectName(QStringLiteral("runsTable"));
  table_->setAccessibleName(tr("Runs of this session"));
  table_->setToolTip(tr("Double-click or press Return to use a run's parameters again"));
  table_->setModel(proxy);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setSortingEnabled(true);
  table_->sortByColumn(RunsModel::Number, Qt::DescendingOrder);
  table_->setShowGrid(false);
  table_->setAlternatingRowColors(true);
  table_->setTabKeyNavigation(false);
  table_->setFrameShape(QFrame::NoFrame);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(table_->fontMetrics().height() + 8);
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table_->horizontalHeader()->setStretchLastSection(true);
  table_->setColumnWidth(RunsModel::StrategyText, 220);

  auto* csv = new QPushButton(tr("CSV…"));
  csv->setObjectName(QStringLiteral("runsCsv"));
  csv->setToolTip(tr("Save the table of runs for a spreadsheet"));
  connect(csv, &QPushButton::clicked, this, [this] {
    askWhereToSave(this, SaveKind::Csv, [this](const QString& path) { exportCsv(path); });
  });
  auto* picture = new QPushButton(tr("Picture…"));
  picture->setObjectName(QStringLiteral("runsPicture"));
  picture->setToolTip(tr("Save the table of runs as a picture"));
  connect(picture, &QPushButton::clicked, this, [this] {
    askWhereToSave(this, SaveKind::Png, [this](const QString& path) { exportPicture(path); });
  });
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 6, 0);
  layout->addWidget(table_, 1);
  auto* buttons = new QVBoxLayout;
  buttons->setContentsMargins(0, 6, 0, 6);
  buttons->addWidget(csv);
  buttons->addWidget(picture);
  buttons->addStretch(1);
  layout->addLayout(buttons);

  connect(table_, &QTableView::activated, this, [this, proxy](const QModelIndex& index) {
    const Parameters& parameters = runs_->run(proxy->mapToSource(index).row()).parameters;
    session_.undoStack()->beginMacro(tr("use run again"));
    session_.setScaling(parameters.scaling);
    session_.setStrategy(parameters.strategy);
    session_.setMinPts(parameters.dbscan.minPts);
    session_.setEps(parameters.dbscan.eps);
    session_.undoStack()->endMacro();
  });
  connect(&session_.clusterRun(), &ClusterRun::runsChanged, this,
          [this] { runs_->setRuns(session_.clusterRun().runs()); });
}

}  // namespace

ChartPage* makeRunsPage(Session& session) { return new RunsPage(session); }

}  // namespace clusterloom
