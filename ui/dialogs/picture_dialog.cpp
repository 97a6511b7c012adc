#include "ui/dialogs/picture_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include "ui/dialogs/picture_fields.h"
#include "ui/widgets/form.h"

namespace clusterloom {
namespace {

constexpr int kMostFrames = 9999;  // four digits in the names of the files

/// Lays the fields out below `rows`, null for none. The button that accepts the dialog is enabled
/// while a picture of that size can be made.
void layOut(QDialog* dialog, QLayout* rows, PictureFields* fields, const QString& accept,
            const QString& acceptName) {
  auto* buttons = dialogButtons(dialog, QDialogButtonBox::Cancel);
  QPushButton* save = buttons->addButton(accept, QDialogButtonBox::AcceptRole);
  save->setObjectName(acceptName);
  save->setDefault(true);
  auto* layout = spaced(new QVBoxLayout(dialog), {16, 16, 16, 14}, 12);
  if (rows != nullptr) layout->addLayout(rows);
  layout->addWidget(fields);
  layout->addStretch(1);
  layout->addWidget(buttons);
  const auto check = [fields, save] { save->setEnabled(fields->fits()); };
  QObject::connect(fields, &PictureFields::changed, dialog, check);
  check();
}

}  // namespace

PictureDialog::PictureDialog(const QSize& view, QWidget* parent)
    : QDialog(parent), fields_(new PictureFields(view, this)) {
  setObjectName(QStringLiteral("pictureDialog"));
  setWindowTitle(tr("Picture of the view"));
  layOut(this, nullptr, fields_, tr("&Save…"), QStringLiteral("viewPictureSave"));
}

PictureSize PictureDialog::chosen() const { return fields_->chosen(); }

FramesDialog::FramesDialog(const QString& title, const QString& help, int frames, const QSize& view,
                           QWidget* parent)
    : QDialog(parent),
      frames_(named("frameCount", new QSpinBox(this), tr("Number of frames"))),
      fields_(new PictureFields(view, this)) {
  setObjectName(QStringLiteral("framesDialog"));
  setWindowTitle(title);
  frames_->setRange(2, kMostFrames);
  frames_->setValue(frames);
  frames_->setToolTip(help);
  auto* form = new QFormLayout;
  form->addRow(tr("&Frames"), frames_);
  layOut(this, form, fields_, tr("&Choose a folder…"), QStringLiteral("framesSave"));
}

int FramesDialog::frames() const { return frames_->value(); }
PictureSize FramesDialog::size() const { return fields_->chosen(); }

}  // namespace clusterloom
