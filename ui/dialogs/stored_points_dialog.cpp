#include "ui/dialogs/stored_points_dialog.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "engine/core/memory_budget.h"
#include "ui/session/file_levels.h"
#include "ui/theme/theme.h"
#include "ui/widgets/form.h"
#include "ui/widgets/real_spin_box.h"

namespace clusterloom {
namespace {

constexpr double kBytesPerGiB = 1 << 30;
constexpr double kMostKeptGiB = 1 << 20;

}  // namespace

StoredPointsDialog::StoredPointsDialog(FileLevels& levels, QWidget* parent)
    : QDialog(parent), levels_(levels) {
  setObjectName(QStringLiteral("storedPointsDialog"));
  setWindowTitle(tr("All rows of large files"));
  setMinimumWidth(fontScaled(440));
  drawn_ = named("storedPointsDrawn",
                 new QCheckBox(tr("&Draw all rows of a file where only some are open"), this));
  drawn_->setChecked(levels_.isEnabled());
  drawn_->setToolTip(
      tr("All rows are stored in levels of detail on the disk, once for each file, and those in "
         "the view are drawn when it rests"));
  limit_ = named("storedPointsLimit", new RealSpinBox(this), tr("Space for stored rows"));
  limit_->setRange(0, kMostKeptGiB);
  limit_->setDecimals(1);
  limit_->setSuffix(tr(" GiB"));
  limit_->setValue(double(levels_.limit()) / kBytesPerGiB);
  limit_->setToolTip(
      tr("A row takes 16 bytes, or 12 in 2-D. The files that have not been used for the longest "
         "time are removed first. While labels of the whole file or the values of a column are "
         "displayed, each row takes 4 more bytes."));
  kept_ = named("storedPointsKept", wrappedLabel(this));
  clear_ = named("storedPointsClear", new QPushButton(tr("&Clear"), this));
  clear_->setToolTip(tr("Remove the stored rows of all files"));
  clear_->setAutoDefault(false);
  auto* row = new QHBoxLayout;
  row->addWidget(limit_, 1);
  row->addWidget(clear_);
  auto* form = new QFormLayout;
  form->addRow(drawn_);
  addRow(form, tr("Keep at &most"), row, limit_);
  form->addRow(kept_);
  auto* buttons = dialogButtons(this, QDialogButtonBox::Close);
  // Return in the number takes it; it must not close the dialog.
  for (QAbstractButton* button : buttons->buttons())
    static_cast<QPushButton*>(button)->setAutoDefault(false);
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(form);
  layout->addStretch(1);
  layout->addWidget(buttons);
  connect(drawn_, &QCheckBox::toggled, this, [this](bool on) { levels_.setEnabled(on); });
  connect(limit_, &QDoubleSpinBox::editingFinished, this, &StoredPointsDialog::takeLimit);
  connect(clear_, &QPushButton::clicked, this, [this] {
    clear_->setEnabled(false);
    levels_.clear();
  });
  for (const auto signal : {&FileLevels::cleared, &FileLevels::changed})
    connect(&levels_, signal, this, &StoredPointsDialog::showKept);
  showKept();
}

void StoredPointsDialog::takeLimit() {
  const auto limit = std::uint64_t(limit_->value() * kBytesPerGiB);
  if (limit != levels_.limit()) levels_.setPlace(levels_.folder(), limit);
}

void StoredPointsDialog::showKept() {
  const std::uint64_t bytes = levels_.bytesKept();
  kept_->setText(tr("Used now: %1, in %2")
                     .arg(QString::fromStdString(memoryText(bytes)),
                          QDir::toNativeSeparators(levels_.folder())));
  clear_->setEnabled(bytes > 0);
}

}  // namespace clusterloom
