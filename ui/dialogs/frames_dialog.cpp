#include "ui/dialogs/frames_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include "ui/dialogs/picture_fields.h"

namespace clusterloom {
namespace {

constexpr int kMostFrames = 9999;  // four digits in the names of the files

}  // namespace

FramesDialog::FramesDialog(const QString& title, const QString& help, int frames, const QSize& view,
                           QWidget* parent)
    : QDialog(parent), frames_(new QSpinBox(this)), fields_(new PictureFields(view, this)) {
  setObjectName(QStringLiteral("framesDialog"));
  setWindowTitle(title);
  frames_->setObjectName(QStringLiteral("frameCount"));
  frames_->setRange(2, kMostFrames);
  frames_->setValue(frames);
  frames_->setAccessibleName(tr("Number of frames"));
  frames_->setToolTip(help);
  auto* form = new QFormLayout;
  form->addRow(tr("&Frames"), frames_);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  QPushButton* save = buttons->addButton(tr("&Choose a folder…"), QDialogButtonBox::AcceptRole);
  save->setObjectName(QStringLiteral("framesSave"));
  save->setDefault(true);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(16, 16, 16, 14);
  layout->setSpacing(12);
  layout->addLayout(form);
  layout->addWidget(fields_);
  layout->addStretch(1);
  layout->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  const auto check = [this, save] { save->setEnabled(fields_->fits()); };
  connect(fields_, &PictureFields::changed, this, check);
  check();
}

int FramesDialog::frames() const { return frames_->value(); }
PictureSize FramesDialog::size() const { return fields_->chosen(); }

}  // namespace clusterloom
