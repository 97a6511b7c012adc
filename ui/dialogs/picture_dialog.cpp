#include "ui/dialogs/picture_dialog.h"

#include <QDialogButtonBox>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/dialogs/picture_fields.h"

namespace clusterloom {

PictureDialog::PictureDialog(const QSize& view, QWidget* parent)
    : QDialog(parent), fields_(new PictureFields(view, this)) {
  setObjectName(QStringLiteral("pictureDialog"));
  setWindowTitle(tr("Picture of the view"));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  QPushButton* save = buttons->addButton(tr("&Save…"), QDialogButtonBox::AcceptRole);
  save->setObjectName(QStringLiteral("viewPictureSave"));
  save->setDefault(true);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(16, 16, 16, 14);
  layout->setSpacing(12);
  layout->addWidget(fields_);
  layout->addStretch(1);
  layout->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  const auto check = [this, save] { save->setEnabled(fields_->fits()); };
  connect(fields_, &PictureFields::changed, this, check);
  check();
}

PictureSize PictureDialog::chosen() const { return fields_->chosen(); }

}  // namespace clusterloom
