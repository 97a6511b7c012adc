#include "ui/charts/chart_table.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QShortcut>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/core/number_text.h"
#include "ui/session/session.h"
#include "ui/theme/theme.h"
#include "ui/view/data_words.h"
#include "ui/widgets/form.h"
#include "ui/words/column_words.h"

namespace clusterloom {

void ChartTableModel::setTable(std::shared_ptr<const DataTable> table,
                               const std::vector<ColumnRange>& ranges) {
  beginResetModel();
  table_ = std::move(table);
  isNumber_.clear();
  for (const std::string& name : table_->names)
    isNumber_.push_back(std::any_of(ranges.begin(), ranges.end(),
                                    [&](const ColumnRange& r) { return r.name == name; }));
  endResetModel();
}

int ChartTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !table_ ? 0 : int(table_->rows.size());
}

int ChartTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() || !table_ ? 0 : int(table_->names.size());
}

QVariant ChartTableModel::alignment(int column) const {
  const bool number = isNumber_[std::size_t(column)];
  return QVariant((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

QVariant ChartTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const auto column = std::size_t(index.column());
  if (role == Qt::TextAlignmentRole) return alignment(index.column());
  const auto& row = table_->rows[std::size_t(index.row())];
  if (role != Qt::DisplayRole || column >= row.size()) return {};
  return QString::fromStdString(isNumber_[column] ? withSigns(row[column], Groups::None)
                                                  : row[column]);
}

QVariant ChartTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || !table_ ||
      (role != Qt::DisplayRole && role != Qt::TextAlignmentRole))
    return QAbstractTableModel::headerData(section, orientation, role);
  if (role == Qt::TextAlignmentRole) return alignment(section);
  return columnWords(table_->names[std::size_t(section)]);
}

ChartTableDialog::ChartTableDialog(Session& session, const ChartOutput& chart, QWidget* parent)
    : QDialog(parent), session_(session) {
  setObjectName(QStringLiteral("chartTableDialog"));
  setWindowTitle(tr("Values: %1").arg(chart.title));
  const QSize size(fontScaled(640), fontScaled(480));
  resize(parent != nullptr ? size.boundedTo(parent->size()) : size);
  model_ = new ChartTableModel(this);
  table_ = named("chartValues", new QTableView(this), windowTitle());
  table_->setModel(model_);
  styleTable(table_);
  table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  summary_ = named("chartValuesSummary", wrappedLabel(this));
  summary_->setText(tr("Making the table…"));
  auto* buttons = dialogButtons(this, QDialogButtonBox::Close);
  copy_ = buttons->addButton(tr("&Copy"), QDialogButtonBox::ActionRole);
  copy_->setObjectName(QStringLiteral("copyChartValues"));
  copy_->setToolTip(tr("Copy the selected rows, or all of them"));
  save_ = buttons->addButton(tr("&Save as CSV…"), QDialogButtonBox::ActionRole);
  save_->setObjectName(QStringLiteral("saveChartValues"));
  for (QPushButton* button : {copy_, save_}) {
    button->setEnabled(false);
    button->setAutoDefault(false);
  }
  connect(copy_, &QPushButton::clicked, this, &ChartTableDialog::copy);
  connect(save_, &QPushButton::clicked, this, [this] { askToSaveTable(session_, output_); });
  auto* keys = new QShortcut(QKeySequence::Copy, table_, this, &ChartTableDialog::copy);
  keys->setContext(Qt::WidgetShortcut);
  auto* layout = spaced(new QVBoxLayout(this), {14, 14, 14, 12});
  layout->addWidget(summary_);
  layout->addWidget(table_, 1);
  layout->addWidget(buttons);
  table_->setFocus();

  output_.widget = this;
  output_.title = chart.title;
  output_.fileName = chart.fileName;
  output_.table = [this] { return [table = model_->table()] { return *table; }; };
  struct Made {
    std::shared_ptr<const DataTable> table;
    std::vector<ColumnRange> ranges;
  };
  const quint64 number = session_.jobs().start<Made>(
      JobKind::Export, tr("Making the table"),
      [make = chart.table()](const Task&) -> Result<Made> {
        Made made{std::make_shared<const DataTable>(make()), {}};
        made.ranges = rangesOf(*made.table);
        return made;
      },
      [dialog = QPointer<ChartTableDialog>(this)](Result<Made> made) {
        if (dialog && made) dialog->fill(std::move(made->table), made->ranges);
      });
  // Out of memory, which the session reports.
  connect(&session_.jobs(), &JobQueue::ended, this,
          [this, number](quint64 ended, JobKind, JobEnd end) {
            if (ended == number && end != JobEnd::Done) reject();
          });
}

void ChartTableDialog::fill(std::shared_ptr<const DataTable> table,
                            const std::vector<ColumnRange>& ranges) {
  const QString words = tableWords(table->rows.size(), ranges);
  summary_->setText(words);
  table_->setAccessibleDescription(words);
  model_->setTable(std::move(table), ranges);
  table_->resizeColumnsToContents();
  widenToTitles(table_);
  if (model_->rowCount() > 0) table_->setCurrentIndex(model_->index(0, 0));
  table_->clearSelection();
  for (QPushButton* button : {copy_, save_}) button->setEnabled(true);
}

void ChartTableDialog::copy() {
  if (!model_->table()) return;
  std::vector<std::pair<int, int>> selected;
  for (const QItemSelectionRange& range : table_->selectionModel()->selection())
    selected.emplace_back(range.top(), range.bottom());
  std::sort(selected.begin(), selected.end());
  ChartOutput chosen = output_;
  if (!selected.empty())
    chosen.table = [table = model_->table(), selected] {
      return [table, selected] {
        DataTable rows{table->names, {}};
        for (const auto& [first, last] : selected)
          rows.rows.insert(rows.rows.end(), table->rows.begin() + first,
                           table->rows.begin() + last + 1);
        return rows;
      };
    };
  copyData(session_, chosen);
}

void showChartTable(Session& session, const ChartOutput& chart) {
  deletedOnClose(new ChartTableDialog(session, chart, chart.widget->window()))->show();
}

}  // namespace clusterloom
