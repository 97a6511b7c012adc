#pragma once

#include <QTableWidget>
#include <vector>

#include "engine/core/run_stats.h"
#include "render/charts/data_table.h"

namespace clusterloom {

/// The kernels of a run on a GPU and their costs: a row for each, in the order of their first
/// launches.
class KernelTable : public QTableWidget {
  Q_OBJECT

 public:
  enum Column { Kernel, Launches, Time, Registers, Occupancy, Columns };

  explicit KernelTable(QWidget* parent = nullptr);
  /// `title`: of the first column, whose kernels they are. Without kernels the table hides.
  void setKernels(const QString& title, std::vector<KernelStats> kernels);
  /// The exact numbers.
  MakeTable makeTable() const;

 private:
  std::vector<KernelStats> kernels_;
};

}  // namespace clusterloom
