#include "ui/panels/column_player_row.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QResizeEvent>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>

#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/theme/icons.h"
#include "ui/view/cloud_view.h"
#include "ui/view/column_player.h"
#include "ui/widgets/form.h"
#include "ui/widgets/wrapping_row.h"
#include "ui/words/numbers.h"

namespace clusterloom {
namespace {

constexpr int kSliderSteps = 1000;
constexpr int kLettersOfColumn = 5;
constexpr int kLettersOfSpeed = 4;
constexpr int kLettersOfWidth = 9;

}  // namespace

ColumnPlayerRow::ColumnPlayerRow(const Session& session, CloudView& view, QWidget* parent)
    : QWidget(parent), session_(session), view_(view), player_(view.player()) {
  setObjectName(QStringLiteral("columnPlayer"));
  column_ = named("playedColumn", panelCombo(this, tr("Column to play")));
  column_->setMinimumContentsLength(kLettersOfColumn);
  column_->setToolTip(
      tr("Only points whose value in this column lies in the window are drawn. The clusters remain "
         "those of all points."));
  width_ = named("playedWidth", new QLineEdit(this), tr("Width of the window"));
  width_->setToolTip(
      tr("Values from the position to the position plus this width are in the window, both ends "
         "included. 0: one value at a time."));
  width_->setMaximumWidth(width_->fontMetrics().averageCharWidth() * kLettersOfWidth);
  passShortcuts(width_, [this] { return width_->isModified(); });

  const auto button = [this](const char* name, const char* icon, const QString& text) {
    QToolButton* made = named(name, iconButton(this, QLatin1String(icon), text));
    return made;
  };
  valueBack_ = button("playValueBack", "back", tr("To the previous value"));
  back_ = button("playBack", "step-back", tr("Back by one window"));
  play_ = button("playPlay", "play", tr("Play"));
  forward_ = button("playForward", "step-forward", tr("Forward by one window"));
  valueForward_ = button("playValueForward", "forward", tr("To the next value"));
  speed_ = named("playSpeed", panelCombo(this, tr("How long playing takes")));
  speed_->setToolTip(tr("How long playing over the whole column takes"));
  speed_->setMinimumContentsLength(kLettersOfSpeed);
  for (const int seconds : {5, 10, 20, 40, 80}) speed_->addItem(tr("%1 s").arg(seconds), seconds);
  place_ = named("playedPlace", cutLine(this, false), tr("The window and its points"));
  slider_ =
      named("playedPosition", new QSlider(Qt::Horizontal, this), tr("Position of the window"));
  slider_->setRange(0, kSliderSteps);
  slider_->setSingleStep(kSliderSteps / 100);
  slider_->setPageStep(kSliderSteps / 10);
  ignoreStrayWheel(slider_);
  frames_ = named("savePlayedFrames", new QPushButton(tr("Save frames…"), this), tr("Save frames"));
  frames_->setToolTip(tr("Saves what the view shows at each step as a series of pictures"));
  QToolButton* close = button("playClose", "cancel", tr("Show all points again"));

  auto* buttons = new QWidget(this);
  auto* inButtons = spaced(new QHBoxLayout(buttons), {0, 0, 0, 0}, 2);
  for (QToolButton* one : {valueBack_, back_, play_, forward_, valueForward_})
    inButtons->addWidget(one);
  auto* controls = new WrappingRow;
  controls->addWidget(column_);
  controls->addField(tr("width"), width_);
  controls->addWidget(buttons);
  controls->addWidget(place_);
  auto* line = new QHBoxLayout;
  line->setSpacing(4);
  line->addWidget(slider_, 1);
  line->addWidget(speed_);
  line->addWidget(frames_);
  line->addWidget(close);
  auto* rows = spaced(new QVBoxLayout(this), {8, 4, 8, 4}, 2);
  rows->addLayout(controls);
  rows->addLayout(line);

  connect(column_, &QComboBox::activated, &player_, &ColumnPlayer::setColumn);
  connect(width_, &QLineEdit::editingFinished, this, &ColumnPlayerRow::takeWidth);
  connect(valueBack_, &QToolButton::clicked, this, [this] { player_.stepToValue(-1); });
  connect(back_, &QToolButton::clicked, this, [this] { player_.stepByWindow(-1); });
  connect(forward_, &QToolButton::clicked, this, [this] { player_.stepByWindow(1); });
  connect(valueForward_, &QToolButton::clicked, this, [this] { player_.stepToValue(1); });
  connect(play_, &QToolButton::clicked, this, [this] {
    if (player_.isPlaying())
      player_.pause();
    else
      player_.play();
  });
  connect(speed_, &QComboBox::activated, this,
          [this] { player_.setDuration(speed_->currentData().toInt()); });
  connect(slider_, &QSlider::valueChanged, this,
          [this](int value) { player_.setShare(double(value) / kSliderSteps); });
  connect(frames_, &QPushButton::clicked, this, &ColumnPlayerRow::framesRequested);
  connect(close, &QToolButton::clicked, this, [this] { player_.setOn(false); });
  connect(&player_, &ColumnPlayer::changed, this, &ColumnPlayerRow::showState);
  connect(&player_, &ColumnPlayer::windowChanged, this, &ColumnPlayerRow::showPlace);
  connect(&view_, &CloudView::contentShown, this, &ColumnPlayerRow::showPlace);
  showState();
}

void ColumnPlayerRow::takeFocus() { play_->setFocus(Qt::ShortcutFocusReason); }

void ColumnPlayerRow::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Escape) return QWidget::keyPressEvent(event);
  if (width_->isModified()) return showWidth();
  player_.setOn(false);
}

// A window takes no account of heights that depend on the width.
void ColumnPlayerRow::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  setMinimumHeight(layout()->totalHeightForWidth(event->size().width()));
}

void ColumnPlayerRow::takeWidth() {
  if (!width_->isModified()) return;
  if (const auto width = typedNumber(width_->text())) player_.setWidth(*width);
  showWidth();  // restores the old width after an invalid one
}

void ColumnPlayerRow::showWidth() {
  width_->setText(player_.isReady() ? shortestText(player_.width()) : QString());
  width_->setModified(false);
}

void ColumnPlayerRow::showState() {
  const bool inside = isAncestorOf(focusWidget()) && focusWidget()->hasFocus();
  setVisible(player_.isOn());
  if (inside && !player_.isOn()) view_.setFocus(Qt::OtherFocusReason);

  QStringList names;
  for (const PlayableColumn& column : player_.columns()) names << column.name;
  QStringList shown;
  for (int i = 0; i < column_->count(); ++i) shown << column_->itemText(i);
  if (names != shown) {
    column_->clear();
    column_->addItems(names);
  }
  column_->setCurrentIndex(player_.column());
  if (!width_->isModified()) showWidth();
  width_->setEnabled(player_.isReady());
  const bool playing = player_.isPlaying();
  play_->setIcon(themedIcon(playing ? QStringLiteral("pause") : QStringLiteral("play")));
  const QString name = playing ? tr("Pause") : tr("Play");
  play_->setToolTip(name);
  play_->setAccessibleName(name);
  for (QWidget* widget : {static_cast<QWidget*>(valueBack_), static_cast<QWidget*>(back_),
                          static_cast<QWidget*>(forward_), static_cast<QWidget*>(valueForward_),
                          static_cast<QWidget*>(slider_), static_cast<QWidget*>(frames_)})
    widget->setEnabled(player_.isPossible());
  // It keeps the keyboard where there is nothing to play.
  play_->setEnabled(player_.isPossible() || !player_.isReady());
  speed_->setCurrentIndex(speed_->findData(int(player_.duration())));
  showPlace();
}

void ColumnPlayerRow::showPlace() {
  if (!slider_->isSliderDown()) {
    const QSignalBlocker block(slider_);
    slider_->setValue(int(std::lround(player_.share() * kSliderSteps)));
  }
  const auto cloud = session_.data().cloud();
  if (!player_.isOn() || !player_.isReady() || !cloud) return place_->clear();
  QString text = player_.windowText();
  if (text.isEmpty()) text = tr("no values");
  if (const auto points = view_.pointsInWindow())
    text += tr(" · %1 of %2 points").arg(count(*points), count(cloud->size()));
  place_->setText(text);
  place_->setToolTip(text);
}

}  // namespace clusterloom
