#pragma once

#include <QAbstractProxyModel>
#include <QString>
#include <cstdint>
#include <utility>
#include <vector>

namespace clusterloom {

class ClusterTableModel;

/// Sorts a ClusterTableModel by number and filters it. The filter text is a list of conditions, all
/// of which must hold, separated as typedWords separates them:
///   12          the cluster labelled 12
///   3-7         labels 3 to 7, in either order
///   noise       the row of the noise
///   size>100    a column against a number (no blanks inside); columns: label size core border
///               density nearest distance, the dimension names (centroid) and, where they are
///               shown, validity found_percent persistence, in any case;
///               operators < <= > >= = !=
/// Several bare labels mean any of them. A text that cannot be understood shows every row and
/// filterError() says why.
///
/// The noise comes first in every order, so that it is seen among many clusters. Rows without a
/// number (statistics not ready, no nearest cluster) come last in either order; ties stay in label
/// order. Unlike QSortFilterProxyModel it compares plain doubles, so that sorting 100,000 clusters
/// fits between two frames.
class ClusterTableProxy : public QAbstractProxyModel {
  Q_OBJECT

 public:
  explicit ClusterTableProxy(QObject* parent = nullptr);

  /// The source must be a ClusterTableModel.
  void setSourceModel(QAbstractItemModel* model) override;
  void setFilterText(const QString& text);
  /// Empty when the filter was understood (translated otherwise).
  QString filterError() const { return error_; }

  /// Column −1: label order.
  void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

  QModelIndex mapToSource(const QModelIndex& index) const override;
  QModelIndex mapFromSource(const QModelIndex& index) const override;
  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& index) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant headerData(int section, Qt::Orientation orientation,
                      int role = Qt::DisplayRole) const override;

 private:
  enum class Comparison { Less, LessEqual, Greater, GreaterEqual, Equal, NotEqual };
  struct Condition {
    int column;
    Comparison comparison;
    double value;
  };
  const ClusterTableModel* table() const;
  void parse();
  bool accepts(int row) const;
  void arrange();
  bool hasEmptyClusters() const;
  void rearrange();
  void onSourceData(const QModelIndex& topLeft, const QModelIndex& bottomRight,
                    const QList<int>& roles);

  QString text_;
  QString error_;
  std::vector<Condition> conditions_;
  std::vector<std::pair<std::int32_t, std::int32_t>> labels_;  ///< ranges, any of which may match
  int sortColumn_ = -1;
  Qt::SortOrder sortOrder_ = Qt::AscendingOrder;
  std::vector<int> sourceRows_;  ///< one per row shown
  std::vector<int> rows_;        ///< one a source row: where it is shown, −1: nowhere
};

}  // namespace clusterloom
