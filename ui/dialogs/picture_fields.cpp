#include "ui/dialogs/picture_fields.h"

#include <QCheckBox>
#include <QFormLayout>
#include <QLabel>
#include <QSpinBox>
#include <algorithm>

#include "engine/io/image_size.h"
#include "ui/widgets/form.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {
constexpr int kUsualScale = 2;
}  // namespace

PictureFields::PictureFields(const QSize& view, QWidget* parent) : QWidget(parent), view_(view) {
  const auto side = [this](const char* name, const QString& accessible, int value) {
    auto* box = named(name, new QSpinBox(this), accessible);
    box->setLocale(numberLocale());
    box->setGroupSeparatorShown(true);
    box->setRange(kShortestPictureSide, kLongestPictureSide);
    box->setValue(value);
    box->setSuffix(tr(" px"));
    connect(box, &QSpinBox::valueChanged, this, &PictureFields::check);
    return box;
  };
  note_ = named("viewPictureNote", mutedLabel(this));
  width_ = side("viewPictureWidth", tr("Width"), kUsualScale * view.width());
  height_ = side("viewPictureHeight", tr("Height"), kUsualScale * view.height());
  transparent_ =
      named("viewPictureTransparent", new QCheckBox(tr("&Transparent background"), this));
  transparent_->setToolTip(tr("Only points, axes and text, for a page or a slide"));
  auto* form = spacedForm(new QFormLayout(this), 12, 9);
  form->setContentsMargins(0, 0, 0, 0);
  form->addRow(tr("Wi&dth"), width_);
  form->addRow(tr("&Height"), height_);
  form->addRow(QString(), transparent_);
  form->addRow(QString(), note_);
  check();
}

PictureSize PictureFields::chosen() const {
  PictureSize size;
  size.pixels = {width_->value(), height_->value()};
  // Texts and points take as much of the picture as of the view.
  size.ratio = std::min(double(width_->value()) / std::max(view_.width(), 1),
                        double(height_->value()) / std::max(view_.height(), 1));
  size.transparent = transparent_->isChecked();
  return size;
}

bool PictureFields::fits() const {
  return double(width_->value()) * height_->value() <= kMostPicturePixels;
}

void PictureFields::check() {
  note_->setText(
      fits()
          ? tr("Points, text and lines grow with the picture.")
          : tr("At most %1 million pixels.").arg(count(std::uint64_t(kMostPicturePixels / 1e6))));
  Q_EMIT changed();
}

}  // namespace clusterloom
