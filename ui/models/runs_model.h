#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "render/charts/data_table.h"
#include "ui/session/results.h"

namespace clusterloom {

/// The runs of this session, newest first. ValueRole gives numbers for sorting.
class RunsModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column {
    Number,
    Eps,
    MinPts,
    IndexedDims,
    StrategyText,
    Clusters,
    Noise,
    Distances,
    Seconds,
    Backend
  };
  enum Role { ValueRole = Qt::UserRole };

  explicit RunsModel(QObject* parent = nullptr);
  void setRuns(const std::vector<RunRecord>& runs);
  /// The run of a row, for "use these parameters again".
  const RunRecord& run(int row) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::vector<RunRecord> runs_;
};

/// All runs, oldest first, with the exact numbers.
DataTable runsTable(const std::vector<RunRecord>& runs);

}  // namespace clusterloom
