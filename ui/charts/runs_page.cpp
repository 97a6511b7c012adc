#include <QCoreApplication>
#include <QHeaderView>
#include <QSortFilterProxyModel>
#include <QTableView>

#include "ui/charts/chart_page.h"
#include "ui/models/runs_model.h"
#include "ui/session/cluster_run.h"
#include "ui/session/session.h"
#include "ui/theme/theme.h"
#include "ui/widgets/form.h"

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
  Q_DECLARE_TR_FUNCTIONS(clusterloom::RunsPage)

 public:
  explicit RunsPage(Session& session);
  bool isReady() const override { return true; }

 private:
  RunsModel* runs_;
  QTableView* table_;
};

RunsPage::RunsPage(Session& session) : ChartPage(session) {
  runs_ = new RunsModel(this);
  auto* proxy = new RunsProxy(this);
  proxy->setSourceModel(runs_);
  proxy->setSortRole(RunsModel::ValueRole);
  table_ = named("runsTable", new QTableView, tr("Runs of this session"));
  table_->setToolTip(tr("Double-click or press Return to use a run's parameters again"));
  table_->setModel(proxy);
  styleTable(table_);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setSortingEnabled(true);
  table_->sortByColumn(RunsModel::Number, Qt::DescendingOrder);
  table_->setFrameShape(QFrame::NoFrame);
  table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table_->horizontalHeader()->setStretchLastSection(true);
  table_->setColumnWidth(RunsModel::StrategyText, fontScaled(220));
  widenToTitles(table_);

  fillPage(*this, *table_);
  offer(outputOfTable(*table_, tr("Runs"), QStringLiteral("runs"), [this] {
    return [runs = session_.clusterRun().runs()] { return runsTable(runs); };
  }));

  connect(table_, &QTableView::activated, this, [this, proxy](const QModelIndex& index) {
    const Parameters& parameters = runs_->run(proxy->mapToSource(index).row()).parameters;
    session_.setParameters(parameters, tr("use a run again"));
  });
  connect(&session_.clusterRun(), &ClusterRun::runsChanged, this,
          [this] { runs_->setRuns(session_.clusterRun().runs()); });
}

}  // namespace

ChartPage* makeRunsPage(Session& session) { return new RunsPage(session); }

}  // namespace clusterloom
