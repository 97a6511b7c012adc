#pragma once

#include <QAbstractTableModel>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>

#include "engine/dbscan/statistics.h"
#include "ui/models/cluster_table_proxy.h"
#include "ui/session/cluster_checks.h"
#include "ui/session/results.h"

namespace clusterloom {

/// The clusters of a result, one row each in label order; the noise, if there is any, is the last
/// row. Before the statistics are ready only colour and label are known. Qt::DisplayRole is text
/// for display, ValueRole the number itself (sorting, filtering, copying).
class ClusterTableModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column {
    Colour,
    Label,
    Size,
    Validity,
    FoundAgain,
    Persistence,
    Core,
    Border,
    Density,
    Nearest,
    Distance,
    FirstCentroid
  };
  enum Role { ValueRole = Qt::UserRole, PaletteIndexRole };

  explicit ClusterTableModel(QObject* parent = nullptr);

  /// Null: empty. `dimensionNames` title the centroid columns.
  void setResult(std::shared_ptr<const ClusterResult> result,
                 std::shared_ptr<const ClusteringStatistics> statistics,
                 const QStringList& dimensionNames);
  /// The known figures of the clusters of the result, and which of the columns Validity, FoundAgain
  /// and Persistence are shown. The others have no title; a view hides them.
  void setFigures(const ClusterFigures& figures, const std::set<int>& columns);
  bool shows(int column) const {
    return column < Validity || column > Persistence || checked_.count(column) > 0;
  }
  /// Paints the colour column: palette index → colour. Set by the owner of the palette.
  void setPalette(std::function<QColor(int)> palette);
  /// The palette gives other colours now.
  void repaintColours();
  /// Hidden clusters show an unchecked box in the label column; checking it emits hiddenToggled.
  /// Returns the labels of which this changes whether they are hidden.
  std::set<std::int32_t> setHidden(const std::set<std::int32_t>& hidden);

  /// The label that a row is about; kNoise for the row of the noise.
  std::int32_t labelOfRow(int row) const;
  /// The row of a label; −1 where the table has none.
  int rowOfLabel(std::int32_t label) const;
  /// Rows of clusters, the noise not counted.
  int clusterRows() const;
  /// The number in a cell, without conversion to QVariant; NaN where there is none.
  double number(int row, int column) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 Q_SIGNALS:
  void hiddenToggled(std::int32_t label, bool hidden);

 private:
  QString text(int row, int column) const;
  double checkedNumber(std::int32_t label, int column) const;
  /// The details of a number of a check.
  QString checkedWords(std::int32_t label, int column) const;
  std::shared_ptr<const ClusterResult> result_;
  std::shared_ptr<const ClusteringStatistics> statistics_;
  QStringList dimensionNames_;
  std::function<QColor(int)> palette_;
  std::set<std::int32_t> hidden_;
  ClusterFigures figures_;
  std::set<int> checked_;  ///< columns
};

/// The selected rows as tab-separated text with a header line, numbers in full precision.
QString selectionAsTsv(const QAbstractItemModel& model, const QModelIndexList& selected);

}  // namespace clusterloom
