#include "ui/dialogs/appearance_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPixmap>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "ui/session/session.h"
#include "ui/theme/theme.h"
#include "ui/view/cloud_view.h"
#include "ui/widgets/form.h"
#include "ui/widgets/real_spin_box.h"
#include "ui/widgets/spoken_slider.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

constexpr double kMostSize = 12;
constexpr int kLeastOpacity = 5;  // percent

QPixmap pictureOf(ColourMap map) {
  constexpr QSize size(72, 14);
  QPixmap picture(size);
  QPainter painter(&picture);
  for (int x = 0; x < size.width(); ++x) {
    const Colour colour = mapColour(map, double(x) / (size.width() - 1));
    painter.fillRect(x, 0, 1, size.height(), QColor(colour.r, colour.g, colour.b));
  }
  return picture;
}

}  // namespace

QLayout* AppearanceDialog::withPercentage(QSlider* slider) {
  auto* text = new QLabel(this);
  text->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("100 %")));
  const auto show = [text](int percent) { text->setText(tr("%1 %").arg(percent)); };
  connect(slider, &QSlider::valueChanged, text, show);
  show(slider->value());
  auto* row = new QHBoxLayout;
  row->addWidget(slider, 1);
  row->addWidget(text);
  return row;
}

AppearanceDialog::AppearanceDialog(Session& session, CloudView& view, QWidget* parent)
    : QDialog(parent), session_(session), view_(view) {
  setObjectName(QStringLiteral("appearanceDialog"));
  setWindowTitle(tr("Appearance"));
  setMinimumWidth(fontScaled(380));
  size_ = named("appearanceSize", new RealSpinBox(this), tr("Point size"));
  size_->setRange(0, kMostSize);
  size_->setSingleStep(0.5);
  size_->setDecimals(1);
  size_->setSuffix(tr(" px"));
  size_->setSpecialValueText(tr("automatic"));
  auto* opacity = named("appearanceOpacity",
                        new ShareSlider(session, &DisplayState::opacity, kLeastOpacity, this),
                        tr("Opacity of points"));
  opacity->setToolTip(tr("Translucent points show where many overlap"));
  auto* noise = named("appearanceNoise", new ShareSlider(session, &DisplayState::noise, 0, this),
                      tr("Strength of noise"));
  noise->setToolTip(
      tr("Below 100 %, noise is smaller, fainter and behind all clusters; 0 % hides it"));

  map_ = named("appearanceMap", panelCombo(this, tr("Colour map")));
  map_->setIconSize({72, 14});
  map_->setToolTip(tr("All of them can be read with red-green colour blindness"));
  const QStringList names{tr("viridis"), tr("cividis"), tr("plasma"),
                          tr("magma"),   tr("grey"),    tr("blue to red")};
  for (int map = 0; map < kColourMaps; ++map)
    map_->addItem(QIcon(pictureOf(ColourMap(map))), names[map], map);
  const auto number = [this](const char* name, const QString& accessible) {
    auto* box = named(name, new QLineEdit(this), accessible);
    connect(box, &QLineEdit::editingFinished, this, &AppearanceDialog::takeRange);
    return box;
  };
  low_ = number("appearanceLow", tr("Lowest value of the colour map"));
  high_ = number("appearanceHigh", tr("Highest value of the colour map"));
  reset_ = named("appearanceReset", new QPushButton(tr("&Reset"), this));
  reset_->setToolTip(tr("Choose the range from the values"));
  auto* rangeRow = new QHBoxLayout;
  rangeRow->addWidget(low_, 1);
  rangeRow->addWidget(new QLabel(tr("to"), this));
  rangeRow->addWidget(high_, 1);
  rangeRow->addWidget(reset_);
  note_ = mutedLabel(this);

  auto* form = spacedForm(new QFormLayout, 12, 9);
  form->addRow(tr("Point &size"), size_);
  const auto addSlider = [this, form](const QString& text, QSlider* slider) {
    QLayout* row = withPercentage(slider);
    addRow(form, text, row, slider);
  };
  addSlider(tr("&Opacity"), opacity);
  addSlider(tr("&Noise"), noise);
  form->addRow(tr("Colour &map"), map_);
  addRow(form, tr("&Values"), rangeRow, low_);
  form->addRow(QString(), note_);
  auto* buttons = dialogButtons(this, QDialogButtonBox::Close);
  // Return in a number takes it; it must not close the dialog.
  for (QAbstractButton* button : buttons->buttons())
    static_cast<QPushButton*>(button)->setAutoDefault(false);
  reset_->setAutoDefault(false);
  auto* layout = spaced(new QVBoxLayout(this), {16, 16, 16, 14}, 12);
  layout->addLayout(form);
  layout->addStretch(1);
  layout->addWidget(buttons);

  const auto change = [this](auto&& set) {
    DisplayState display = session_.display();
    set(display);
    session_.setDisplay(display);
  };
  connect(size_, &QDoubleSpinBox::valueChanged, this,
          [change](double size) { change([size](DisplayState& d) { d.pointSize = size; }); });
  connect(map_, &QComboBox::activated, this, [this, change] {
    const auto map = ColourMap(map_->currentData().toInt());
    change([map](DisplayState& d) { d.colourMap = map; });
  });
  connect(reset_, &QPushButton::clicked, this,
          [change] { change([](DisplayState& d) { d.range.reset(); }); });
  connect(&session_, &Session::displayChanged, this, &AppearanceDialog::showState);
  connect(&view_, &CloudView::settled, this, &AppearanceDialog::showState);
  showState();
}

void AppearanceDialog::takeRange() {
  const auto low = typedNumber(low_->text());
  const auto high = typedNumber(high_->text());
  const bool ascending = low && high && *low < *high;
  restyle(low_, "wrong", !low);
  restyle(high_, "wrong", !high || (low && !ascending));
  if (!ascending) return;
  DisplayState display = session_.display();
  // Unchanged text is rounded: it is not a choice.
  if (!low_->isModified() && !high_->isModified()) return;
  display.range = ValueRange{*low, *high};
  session_.setDisplay(display);
}

void AppearanceDialog::showState() {
  const DisplayState& display = session_.display();
  const QSignalBlocker blockSize(size_);
  // What is typed is not written anew: "2." on the way to "2.5" is 2.
  if (size_->value() != display.pointSize) size_->setValue(display.pointSize);
  map_->setCurrentIndex(map_->findData(int(display.colourMap)));
  const auto scale = view_.valueScale();
  for (QWidget* widget : {static_cast<QWidget*>(low_), static_cast<QWidget*>(high_)})
    widget->setEnabled(scale.has_value());
  reset_->setEnabled(display.range.has_value());
  note_->setText(scale ? QString()
                       : tr("Colour map and values apply when points are coloured by numbers: "
                            "density, a column or a dimension."));
  note_->setVisible(!scale);
  const std::optional<ValueRange> range =
      scale ? std::optional(ValueRange{scale->low, scale->high}) : std::nullopt;
  // Text that is being typed stays until the range changes.
  const bool typing = low_->isModified() || high_->isModified();
  if (range == shown_ && typing) return;
  shown_ = range;
  low_->setText(range ? shortestText(range->low) : QString());
  high_->setText(range ? shortestText(range->high) : QString());
  restyle(low_, "wrong", false);
  restyle(high_, "wrong", false);
}

}  // namespace clusterloom
