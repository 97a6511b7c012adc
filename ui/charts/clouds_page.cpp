#include <QCoreApplication>
#include <QLabel>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/charts/chart_page.h"
#include "ui/session/cloud_comparison.h"
#include "ui/session/cluster_run.h"
#include "ui/session/open_clouds.h"
#include "ui/session/session.h"
#include "ui/widgets/form.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

/// The clouds that are open beside each other: their figures with the same parameters, and how
/// their labels agree. A row shows its cloud.
class CloudsPage final : public ChartPage {
  Q_DECLARE_TR_FUNCTIONS(clusterloom::CloudsPage)

 public:
  explicit CloudsPage(Session& session);
  bool isReady() const override;
  bool applies() const override { return true; }
  void setActive(bool active) override { comparison_.setWanted(active); }

 private:
  enum Column { Name, Points, Clusters, Noise, NoiseShare, Largest, Time, FirstIndex };

  void show();
  void showNote();
  void fillRow(int row);

  CloudComparison& comparison_;
  QTableWidget* table_;
  QLabel* note_;
};

CloudsPage::CloudsPage(Session& session)
    : ChartPage(session), comparison_(session.cloudComparison()) {
  table_ = named("cloudsTable", new QTableWidget(0, FirstIndex), tr("Open clouds"));
  table_->setToolTip(tr("Double-click or press Return to show a cloud"));
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  styleTable(table_);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setFrameShape(QFrame::NoFrame);
  note_ = named("cloudsNote", mutedLabel(this));
  note_->setContentsMargins(8, 4, 8, 4);
  note_->setWordWrap(true);
  auto* layout = spaced(new QVBoxLayout(this), {0, 0, 0, 0}, 0);
  layout->addWidget(note_);
  layout->addWidget(table_, 1);
  offer(outputOfTable(*table_, tr("Open clouds"), QStringLiteral("clouds"),
                      [this] { return [table = comparison_.table()] { return table; }; }));
  connect(table_, &QTableWidget::cellActivated, this, [this](int row) {
    const OpenClouds& clouds = session_.clouds();
    const quint64 number = comparison_.clouds()[static_cast<std::size_t>(row)].number;
    for (int i = 0; i < clouds.count(); ++i)
      if (clouds.number(i) == number) return session_.clouds().show(i);
  });
  connect(&comparison_, &CloudComparison::changed, this, &CloudsPage::show);
  connect(&session_.clouds(), &OpenClouds::changed, this, &CloudsPage::show);
  show();
}

bool CloudsPage::isReady() const {
  return session_.clouds().count() < 2 || comparison_.isCurrent();
}

void CloudsPage::show() {
  const std::vector<ComparedCloud>& clouds = comparison_.clouds();
  QStringList titles{tr("Cloud"),       tr("Points"),  tr("Clusters"), tr("Noise"),
                     tr("Noise share"), tr("Largest"), tr("Time")};
  for (const ComparedCloud& cloud : clouds) titles << tr("ARI: %1").arg(cloud.name);
  const bool otherTitles = table_->columnCount() != titles.size();
  table_->setColumnCount(static_cast<int>(titles.size()));
  table_->setRowCount(static_cast<int>(clouds.size()));
  table_->setHorizontalHeaderLabels(titles);
  for (int c = 0; c < titles.size(); ++c) {
    QTableWidgetItem* const header = table_->horizontalHeaderItem(c);
    header->setTextAlignment((c == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (c >= FirstIndex)
      header->setToolTip(
          tr("Adjusted Rand index with the labels of %1: 1 if both divide the points in the same "
             "way, about 0 if they agree only by chance. Noise counts as a cluster of its own, as "
             "in scikit-learn. Only for clouds with the same rows.")
              .arg(clouds[static_cast<std::size_t>(c - FirstIndex)].name));
  }
  table_->horizontalHeaderItem(Largest)->setToolTip(tr("Points of the largest cluster"));
  table_->horizontalHeaderItem(Time)->setToolTip(
      tr("Time of the run. Labels from a file have none."));
  for (int row = 0; row < table_->rowCount(); ++row) fillRow(row);
  if (otherTitles) table_->resizeColumnsToContents();
  table_->resizeColumnToContents(Name);  // that of the cloud on show is bold
  widenToTitles(table_);
  showNote();
}

void CloudsPage::fillRow(int row) {
  const auto i = static_cast<std::size_t>(row);
  const ComparedCloud& cloud = comparison_.clouds()[i];
  const OpenClouds& open = session_.clouds();
  QFont font = table_->font();
  font.setBold(open.count() > 0 && open.number(open.current()) == cloud.number);
  const auto put = [&](int column, const QString& text, const QString& tip = {}) {
    auto* item = new QTableWidgetItem(text);
    item->setFont(font);
    if (column != Name) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    if (!tip.isEmpty()) item->setToolTip(tip);
    table_->setItem(row, column, item);
  };
  const bool known = cloud.failure.isEmpty();
  const LabelFigures& figures = cloud.figures;
  const auto figure = [&](const QString& text) { return known ? text : QStringLiteral("–"); };
  put(Name, cloud.name, cloud.failure);
  put(Points, figure(count(figures.points)), cloud.failure);
  put(Clusters, figure(count(figures.clusters)), cloud.failure);
  put(Noise, figure(count(figures.noise)), cloud.failure);
  put(NoiseShare, figure(percent(noiseShare(figures))), cloud.failure);
  put(Largest, figure(count(figures.largest)), cloud.failure);
  put(Time, figure(cloud.opened ? tr("from a file") : duration(cloud.seconds)), cloud.failure);
  for (std::size_t j = 0; j < comparison_.clouds().size(); ++j) {
    const auto index = comparison_.adjustedRandIndex(i, j);
    put(FirstIndex + static_cast<int>(j), index ? fixed(*index, 4) : QStringLiteral("–"),
        index ? QString() : tr("The two clouds do not have labels of the same rows."));
  }
}

void CloudsPage::showNote() {
  const std::vector<ComparedCloud>& clouds = comparison_.clouds();
  const auto failed = std::find_if(clouds.begin(), clouds.end(), [](const ComparedCloud& cloud) {
    return !cloud.failure.isEmpty();
  });
  const ClusterRun& run = session_.clusterRun();
  const auto shown = run.result();
  QString text;
  if (session_.clouds().count() < 2)
    text =
        tr("Open other clouds beside this one with File ▸ Open for comparison: they take the "
           "same parameters and are compared here.");
  else if (comparison_.isRunning())
    text = tr("Comparing …");
  else if (!comparison_.isCurrent() && (run.isResultCurrent() || (shown && !shown->isOfRun())))
    text =
        tr("Stopped. The comparison begins again with the next change, or when this chart is "
           "chosen again.");
  else if (!comparison_.isCurrent())
    text = tr("The comparison does not belong to the current parameters. Run them first.");
  else if (failed != clouds.end())
    text = QStringLiteral("%1: %2").arg(failed->name, failed->failure);
  note_->setText(text);
  note_->setVisible(!text.isEmpty());
}

}  // namespace

ChartPage* makeCloudsPage(Session& session) { return new CloudsPage(session); }

}  // namespace clusterloom
