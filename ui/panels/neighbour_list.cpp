#include "ui/panels/neighbour_list.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "render/paint/ticks.h"
#include "ui/models/cluster_table_model.h"
#include "ui/session/cluster_run.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/view/data_words.h"
#include "ui/widgets/form.h"
#include "ui/words/numbers.h"

namespace clusterloom {
namespace {

constexpr std::size_t kMostKeptListed = 12;  // beside the coordinates
constexpr int kRowsInSight = 8;
constexpr int kMostWidth = 220;  // of a column
constexpr int kDistanceDigits = 5;

}  // namespace

NeighbourList::NeighbourList(Session& session, QWidget* parent)
    : QWidget(parent), session_(session) {
  table_ = named("neighbours", new QTableWidget(this), tr("Nearest neighbours"));
  table_->setToolTip(tr("Click a neighbour to pick it; Ctrl+C copies the rows"));
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  styleTable(table_);
  table_->setFixedHeight(table_->horizontalHeader()->sizeHint().height() +
                         kRowsInSight * table_->verticalHeader()->defaultSectionSize());
  QToolButton* copyButton =
      iconButton(this, QStringLiteral("copy"), tr("Copy the nearest neighbours"));
  copyButton->setObjectName(QStringLiteral("copyNeighbours"));
  auto* title = new QLabel(tr("Nearest neighbours"), this);
  auto* top = new QHBoxLayout;
  top->addWidget(title, 1);
  top->addWidget(copyButton);
  auto* layout = spaced(new QVBoxLayout(this), {0, 4, 0, 4}, 2);
  layout->addLayout(top);
  layout->addWidget(table_);
  const auto choose = [this](int row, int /*column*/) {
    const QTableWidgetItem* item = table_->item(row, 0);
    if (item != nullptr) Q_EMIT chosen(item->data(ClusterTableModel::ValueRole).toInt());
  };
  connect(table_, &QTableWidget::cellClicked, this, choose);
  connect(table_, &QTableWidget::cellActivated, this, choose);
  connect(copyButton, &QToolButton::clicked, this, &NeighbourList::copy);
  table_->installEventFilter(this);
}

// Not a shortcut: the window has one of the same keys, and then neither is taken.
bool NeighbourList::eventFilter(QObject* watched, QEvent* event) {
  const bool isKey = event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress;
  if (!isKey || !static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy))
    return QWidget::eventFilter(watched, event);
  event->accept();
  if (event->type() == QEvent::KeyPress) copy();
  return true;
}

void NeighbourList::list(const std::vector<NearPoint>& neighbours) {
  const auto dataset = session_.data().dataset();
  const auto result = session_.clusterRun().result();
  if (!dataset) return table_->setRowCount(0);
  const std::size_t kept = std::min(dataset->attributes.size(), kMostKeptListed);
  QStringList titles{tr("Point"), tr("Distance"), tr("Cluster")};
  for (std::size_t a = 0; a < kept; ++a)
    titles << QString::fromStdString(dataset->attributes[a].name);
  table_->setColumnCount(int(titles.size()));
  table_->setHorizontalHeaderLabels(titles);
  table_->setRowCount(int(neighbours.size()));
  int row = 0;
  for (const NearPoint& near : neighbours) {
    int column = 0;
    const auto add = [&](const QString& text, bool number) {
      auto* item = new QTableWidgetItem(text);
      item->setTextAlignment((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
      table_->setItem(row, column++, item);
      return item;
    };
    // Copied as plain numbers.
    add(count(near.point), true)->setData(ClusterTableModel::ValueRole, double(near.point));
    add(readable(roundedTo(near.distance, kDistanceDigits)), true)
        ->setData(ClusterTableModel::ValueRole, near.distance);
    const bool known = result && near.point < result->clustering.labels.size();
    const std::int32_t label = known ? result->clustering.labels[near.point] : kNoise;
    add(!known ? QString() : label == kNoise ? tr("noise") : count(std::uint64_t(label)), true);
    for (std::size_t a = 0; a < kept; ++a)
      add(attributeText(*dataset, dataset->attributes[a], near.point),
          !isText(dataset->attributes[a].values));
    ++row;
  }
  table_->resizeColumnsToContents();
  widenToTitles(table_);
  for (int c = 0; c < table_->columnCount(); ++c)
    table_->setColumnWidth(c, std::min(table_->columnWidth(c), kMostWidth));
}

void NeighbourList::copy() const {
  QModelIndexList rows;
  for (int row = 0; row < table_->rowCount(); ++row) rows << table_->model()->index(row, 0);
  QApplication::clipboard()->setText(selectionAsTsv(*table_->model(), rows));
}

}  // namespace clusterloom
