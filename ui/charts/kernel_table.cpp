#include "ui/charts/kernel_table.h"

#include <QHeaderView>
#include <utility>

#include "ui/widgets/form.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

/// Of a copy, say, there are no registers.
QString knownText(bool known, const QString& text) { return known ? text : QStringLiteral("—"); }

}  // namespace

KernelTable::KernelTable(QWidget* parent) : QTableWidget(0, Columns, parent) {
  setObjectName(QStringLiteral("kernelTable"));
  setAccessibleName(tr("Kernels of a run on a GPU"));
  setHorizontalHeaderLabels({{}, tr("Launches"), tr("Time"), tr("Registers"), tr("Occupancy")});
  horizontalHeaderItem(Time)->setToolTip(tr("On the GPU, all launches together"));
  horizontalHeaderItem(Registers)->setToolTip(tr("Per thread"));
  horizontalHeaderItem(Occupancy)->setToolTip(
      tr("Warps that fit on a multiprocessor at the same time, as a share of its maximum"));
  for (int c = 0; c < Columns; ++c)
    horizontalHeaderItem(c)->setTextAlignment((c == Kernel ? Qt::AlignLeft : Qt::AlignRight) |
                                              Qt::AlignVCenter);
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  styleTable(this);
  setFrameShape(QFrame::NoFrame);
  hide();
}

void KernelTable::setKernels(const QString& title, std::vector<KernelStats> kernels) {
  kernels_ = std::move(kernels);
  horizontalHeaderItem(Kernel)->setText(title);
  setRowCount(int(kernels_.size()));
  for (int row = 0; row < rowCount(); ++row) {
    const KernelStats& kernel = kernels_[std::size_t(row)];
    const auto set = [&](Column column, const QString& text) {
      auto* item = new QTableWidgetItem(text);
      if (column != Kernel) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
      setItem(row, column, item);
    };
    set(Kernel, QString::fromStdString(kernel.name));
    set(Launches, count(std::uint64_t(kernel.launches)));
    set(Time, duration(kernel.seconds));
    set(Registers, knownText(kernel.registers > 0, count(std::uint64_t(kernel.registers))));
    set(Occupancy, knownText(kernel.occupancy > 0, percent(kernel.occupancy)));
  }
  resizeColumnsToContents();
  widenToTitles(this);
  setVisible(!kernels_.empty());
}

MakeTable KernelTable::makeTable() const {
  return [kernels = kernels_] {
    DataTable table{{"kernel", "launches", "ms", "registers", "occupancy_percent"}, {}};
    for (const KernelStats& kernel : kernels)
      table.rows.push_back({kernel.name, std::to_string(kernel.launches),
                            exactMilliseconds(kernel.seconds), std::to_string(kernel.registers),
                            exactNumber(100 * kernel.occupancy)});
    return table;
  };
}

}  // namespace clusterloom
