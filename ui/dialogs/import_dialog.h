#pragma once

#include <QDialog>
#include <QString>
#include <optional>
#include <vector>

#include "engine/io/read.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/words/qt_classes.h"

namespace clusterloom {

class WrappingRow;

/// How to read a text file, or a file of several tables (HDF5, FITS), with a preview of its first
/// rows: delimiter, header, decimal comma; which table, in a tree of names; the role of each
/// column, scaling. Rows are read by a job; the dialog is window modal and never blocks.
class ImportDialog : public QDialog {
  Q_OBJECT

 public:
  /// The use of a column.
  enum class ColumnRole { Coordinate, Weight, Attribute, Ignore };

  /// `options` are the initial ones (from an earlier reading); `preview` may hold an earlier
  /// preview of the file.
  ImportDialog(JobQueue& jobs, const QString& path, const ReadOptions& options,
               const std::optional<Preview>& preview, QWidget* parent = nullptr);
  ~ImportDialog() override;

  /// The column that is the weight of the points, by its name, where the file has it.
  void setWeights(const QString& column);
  /// Leaves scaling and weights out: those of the open clouds apply to all clouds.
  void shareParameters();
  /// The request that follows from the choices.
  OpenRequest request() const;
  bool alwaysAsk() const;
  void setAlwaysAsk(bool ask);

  /// Of any column of the file, also of those that are not shown.
  void setColumnRole(int column, ColumnRole role);
  ColumnRole columnRole(int column) const { return uses_.at(std::size_t(column)); }
  /// Columns that cannot have the role (words are no coordinates) keep theirs.
  void setAllRoles(ColumnRole role);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void makeTextFields();
  void makeTables();
  WrappingRow* makeRolesRow();
  WrappingRow* makeScalingRow();
  void startPreview();
  void showPreview(const Preview& preview);
  /// The rows of the preview; `numbers` gets their titles.
  void fillRows(int columns, QStringList& numbers);
  void showDetected(const TextOptions& text);
  void showTables(const Preview& preview);
  void chooseTable(const QString& name);
  /// Whether the weight has the name of another column that is kept.
  bool weightIsAmbiguous() const;
  void check();
  void orderTabs();
  ReadOptions textOptions() const;
  std::optional<std::vector<double>> factors() const;
  int coordinates() const { return columnsOf(ColumnRole::Coordinate); }
  int columnsOf(ColumnRole role) const;
  /// Whether a column can have a role: words are no coordinates.
  bool offers(int column, ColumnRole role) const;
  /// The roles of all columns at first, by the file, by earlier choices and by what the dialog had.
  std::vector<ColumnRole> firstRoles(const std::vector<ColumnRole>& before,
                                     const std::vector<bool>& wasNumeric) const;
  QComboBox* makeRoleBox(int column);
  /// Gives a column a role that it can have, and shows it if the column is shown.
  void takeRole(int column, ColumnRole role);
  /// A message about the first row whose number of cells differs from that of the columns; empty
  /// without such a row.
  QString raggedRow() const;
  QString raggedText(int row) const;

  JobQueue& jobs_;
  QString path_;
  ReadOptions initial_;
  QString weights_;      ///< the column that is the weight at first
  bool shared_ = false;  ///< see shareParameters
  std::string dataset_;  ///< the table on show; empty: the file has one only
  Preview preview_;
  bool known_ = false;
  quint64 job_ = 0;  ///< its newest job; 0: none
  QLabel* file_;
  QComboBox* delimiter_;
  QSpinBox* skipLines_;
  QComboBox* header_;
  QComboBox* decimalSign_;
  QComboBox* thousands_;
  QLineEdit* comment_;
  QWidget* textFields_;
  QTreeWidget* tree_;
  QTableWidget* table_;
  QLabel* rows_;
  QComboBox* scaling_;
  QLineEdit* factors_;
  QCheckBox* skipNonFinite_;
  QSpinBox* every_;
  QLabel* error_;
  QCheckBox* ask_;
  QPushButton* open_;
  std::vector<ColumnRole> uses_;   ///< of each column of the file
  std::vector<QComboBox*> roles_;  ///< of the columns that are shown
};

}  // namespace clusterloom
