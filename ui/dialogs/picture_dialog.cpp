#include "ui/dialogs/picture_dialog.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/panels/form.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {
constexpr int kLeastSide = 64;
constexpr int kUsualScale = 2;
}  // namespace

PictureDialog::PictureDialog(const QSize& view, QWidget* parent) : QDialog(parent), view_(view) {
  setObjectName(QStringLiteral("pictureDialog"));
  setWindowTitle(tr("Picture of the view"));
  const auto side = [this](const char* name, const QString& accessible, int value) {
    auto* box = new QSpinBox(this);
    box->setObjectName(QLatin1String(name));
    box->setAccessibleName(accessible);
    box->setLocale(numberLocale());
    box->setGroupSeparatorShown(true);
    box->setRange(kLeastSide, kLongestPictureSide);
    box->setValue(value);
    box->setSuffix(tr(" px"));
    connect(box, &QSpinBox::valueChanged, this, &PictureDialog::check);
    return box;
  };
  width_ = side("viewPictureWidth", tr("Width"), kUsualScale * view.width());
  height_ = side("viewPictureHeight", tr("Height"), kUsualScale * view.height());
  transparent_ = new QCheckBox(tr("&Transparent ground"), this);
  transparent_->setObjectName(QStringLiteral("viewPictureTransparent"));
  transparent_->setToolTip(tr("Points, axes and texts only, to be put on a page or a slide"));
  note_ = mutedLabel(this);
  note_->setObjectName(QStringLiteral("viewPictureNote"));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  save_ = buttons->addButton(tr("&Save…"), QDialogButtonBox::AcceptRole);
  save_->setObjectName(QStringLiteral("viewPictureSave"));
  save_->setDefault(true);
  auto* form = new QFormLayout;
  form->setHorizontalSpacing(12);
  form->setVerticalSpacing(9);
  form->addRow(tr("&Width"), width_);
  form->addRow(tr("&Height"), height_);
  form->addRow(QString(), transparent_);
  form->addRow(QString(), note_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(16, 16, 16, 14);
  layout->setSpacing(12);
  layout->addLayout(form);
  layout->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  check();
}

PictureSize PictureDialog::chosen() const {
  PictureSize size;
  size.pixels = {width_->value(), height_->value()};
  // Texts and points take as much of the picture as of the view.
  size.ratio = std::min(double(width_->value()) / std::max(view_.width(), 1),
                        double(height_->value()) / std::max(view_.height(), 1));
  size.transparent = transparent_->isChecked();
  return size;
}

void PictureDialog::check() {
  if (findChild<QPushButton*>(QStringLiteral("viewPictureSave")) == nullptr) return;
  const double pixels = double(width_->value()) * height_->value();
  const bool fits = pixels <= kMostPicturePixels;
  note_->setText(
      fits ? tr("Points, texts and lines grow with the picture.")
           : tr("At most %1 million pixels.").arg(count(std::uint64_t(kMostPicturePixels / 1e6))));
  save_->setEnabled(fits);
}

}  // namespace clusterloom
