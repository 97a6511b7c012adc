#include "ui/dialogs/chart_picture_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <cmath>

#include "ui/widgets/form.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

constexpr int kLeastSide = 120;
constexpr int kMostSide = 8000;
constexpr double kMostPixels = 2e8;  // 800 MB while the picture is drawn

}  // namespace

QSize pixelsOf(const PictureOptions& options) {
  const auto scaled = [&](int side) { return int(std::lround(options.scale * side)); };
  return {scaled(options.size.width()), scaled(options.size.height())};
}

ChartPictureDialog::ChartPictureDialog(const PictureOptions& start, bool sizeIsFree, bool vectors,
                                       QWidget* parent)
    : QDialog(parent), vectors_(vectors) {
  setObjectName(QStringLiteral("chartPictureDialog"));
  setWindowTitle(tr("Picture of the chart"));
  const auto spin = [this](const char* name, const QString& accessible, int low, int high,
                           int value, const QString& suffix) {
    auto* box = named(name, new QSpinBox(this), accessible);
    box->setGroupSeparatorShown(true);
    box->setRange(low, high);
    box->setValue(value);
    box->setSuffix(suffix);
    connect(box, &QSpinBox::valueChanged, this, &ChartPictureDialog::showPixels);
    return box;
  };
  // A table has the size of its text.
  const int least = sizeIsFree ? kLeastSide : 1;
  const int most = sizeIsFree ? kMostSide : 1'000'000;
  width_ = spin("pictureWidth", tr("Width"), least, most, start.size.width(), tr(" px"));
  height_ = spin("pictureHeight", tr("Height"), least, most, start.size.height(), tr(" px"));
  scale_ = spin("pictureScale", tr("Resolution"), 25, 3200, int(std::lround(100 * start.scale)),
                tr(" %"));
  scale_->setSingleStep(50);
  scale_->setToolTip(
      tr("Pixels of the file for 100 pixels of width and height; text and lines grow with it"));
  colours_ = named("pictureColours", panelCombo(this, tr("Colours")));
  colours_->addItem(tr("dark on light"), int(Background::Light));
  colours_->addItem(tr("light on dark"), int(Background::Dark));
  colours_->setCurrentIndex(colours_->findData(int(start.background)));
  pixels_ = named("picturePixels", mutedLabel(this));
  auto* buttons = dialogButtons(this, QDialogButtonBox::Cancel);
  save_ = buttons->addButton(tr("&Save"), QDialogButtonBox::AcceptRole);
  save_->setDefault(true);

  auto* form = spacedForm(new QFormLayout, 12, 9);
  form->addRow(tr("&Width"), width_);
  form->addRow(tr("&Height"), height_);
  form->addRow(tr("&Resolution"), scale_);
  form->addRow(tr("&Colours"), colours_);
  form->addRow(QString(), pixels_);
  const auto hide = [form](QWidget* field) {
    form->labelForField(field)->hide();
    field->hide();
  };
  if (!sizeIsFree) {
    hide(width_);
    hide(height_);
  }
  if (vectors) hide(scale_);
  auto* layout = spaced(new QVBoxLayout(this), {16, 16, 16, 14}, 12);
  layout->addLayout(form);
  layout->addWidget(buttons);
  showPixels();
}

PictureOptions ChartPictureDialog::options() const {
  PictureOptions options;
  options.size = {width_->value(), height_->value()};
  options.scale = vectors_ ? 1 : scale_->value() / 100.0;
  options.background = Background(colours_->currentData().toInt());
  return options;
}

void ChartPictureDialog::showPixels() {
  if (save_ == nullptr) return;  // still under construction
  if (vectors_) return pixels_->setText(tr("Vectors: sharp at any size"));
  const PictureOptions chosen = options();
  const QSize pixels = pixelsOf(chosen);
  const bool fits = double(pixels.width()) * pixels.height() <= kMostPixels;
  const QString size =
      tr("%1 × %2 pixels")
          .arg(count(std::uint64_t(pixels.width())), count(std::uint64_t(pixels.height())));
  pixels_->setText(fits ? size : tr("%1: too large").arg(size));
  save_->setEnabled(fits);
}

}  // namespace clusterloom
