#pragma once

#include <QAbstractTableModel>
#include <QDialog>
#include <memory>

#include "render/charts/data_table.h"
#include "ui/charts/chart_output.h"
#include "ui/words/qt_classes.h"

namespace clusterloom {

class Session;

/// The plotted numbers of a chart as a table model; the names of columns are those of CSV files in
/// words (columnWords).
class ChartTableModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  using QAbstractTableModel::QAbstractTableModel;

  /// `ranges`: of the columns with numbers, which are aligned to the right.
  void setTable(std::shared_ptr<const DataTable> table, const std::vector<ColumnRange>& ranges);
  const std::shared_ptr<const DataTable>& table() const { return table_; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  QVariant alignment(int column) const;

  std::shared_ptr<const DataTable> table_;
  std::vector<bool> isNumber_;  ///< by column
};

/// The values of a chart as they were when it was opened, for reading, copying and saving as CSV.
/// A job makes the table.
class ChartTableDialog : public QDialog {
  Q_OBJECT

 public:
  ChartTableDialog(Session& session, const ChartOutput& chart, QWidget* parent);

  QTableView* table() const { return table_; }

 private:
  void fill(std::shared_ptr<const DataTable> table, const std::vector<ColumnRange>& ranges);
  void copy();

  Session& session_;
  ChartTableModel* model_;
  QTableView* table_;
  QLabel* summary_;
  QPushButton* copy_;
  QPushButton* save_;
  ChartOutput output_;  ///< the table, for saving and copying
};

/// Opens the table of a chart in a separate window.
void showChartTable(Session& session, const ChartOutput& chart);

}  // namespace clusterloom
