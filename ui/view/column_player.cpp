#include "ui/view/column_player.h"

#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "engine/cloud/dataset.h"
#include "render/paint/ticks.h"
#include "ui/session/motion.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/view/latest_call.h"
#include "ui/words/numbers.h"

namespace clusterloom {
namespace {

constexpr double kUsualWindows = 20;  // in the range of a column at first
constexpr std::size_t kMostShownSingly =
    100;  // different values that are shown one by one at first
constexpr std::size_t kFew = 1000;
constexpr int kUsualFrames = 120;
constexpr int kDigits = 15;  // that every decimal number keeps in a double

bool isTimeName(const QString& name) {
  static const QRegularExpression time(
      QStringLiteral("^(t|.*time.*|.*date.*|frame.*|epoch|step|day|hour|minute|second|seconds|year|"
                     "month|zeit.*|datum)$"),
      QRegularExpression::CaseInsensitiveOption);
  return time.match(name).hasMatch();
}

/// Low, high and the different values, as long as they are few.
void lookThrough(PlayedValues& column) {
  std::vector<double> few;
  for (const double value : *column.values) {
    if (!std::isfinite(value)) continue;
    column.low = column.any ? std::min(column.low, value) : value;
    column.high = column.any ? std::max(column.high, value) : value;
    column.any = true;
    if (few.size() > kFew) continue;
    const auto at = std::lower_bound(few.begin(), few.end(), value);
    if (at == few.end() || *at != value) few.insert(at, value);
  }
  if (few.size() <= kFew) column.few = std::move(few);
}

/// The values of words: their places in the order of all words.
std::vector<double> rankedWords(const Categories& categories, std::vector<QString>& words) {
  std::vector<std::size_t> order(categories.words.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return categories.words[a] < categories.words[b];
  });
  std::vector<double> rank(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    rank[order[i]] = static_cast<double>(i);
    words.push_back(QString::fromStdString(categories.words[order[i]]));
  }
  std::vector<double> values;
  values.reserve(categories.codes.size());
  for (const std::int32_t code : categories.codes) {
    const bool known = code >= 0 && static_cast<std::size_t>(code) < rank.size();
    values.push_back(known ? rank[static_cast<std::size_t>(code)]
                           : std::numeric_limits<double>::quiet_NaN());
  }
  return values;
}

}  // namespace

std::vector<PlayableColumn> playableColumns(const Dataset& dataset) {
  std::vector<PlayableColumn> columns;
  for (std::size_t j = 0; j < dataset.cloud.dims(); ++j)
    columns.push_back({j < dataset.cloud.names.size()
                           ? QString::fromStdString(dataset.cloud.names[j])
                           : QString::number(j),
                       true, j});
  for (std::size_t j = 0; j < dataset.attributes.size(); ++j)
    columns.push_back({QString::fromStdString(dataset.attributes[j].name), false, j});
  std::stable_partition(columns.begin(), columns.end(),
                        [](const PlayableColumn& column) { return isTimeName(column.name); });
  return columns;
}

PlayedValues playedValuesOf(const std::shared_ptr<const Dataset>& dataset,
                            const PlayableColumn& column) {
  PlayedValues played;
  if (column.isDimension) {
    played.values = {dataset, &dataset->cloud.columns[column.index].doubles()};
  } else {
    const Attribute& attribute = dataset->attributes[column.index];
    played.values = doublesOf(dataset, attribute.values);
    if (!played.values)
      played.values = std::make_shared<const std::vector<double>>(
          rankedWords(std::get<Categories>(attribute.values), played.words));
  }
  lookThrough(played);
  return played;
}

std::optional<double> nextValue(const std::vector<double>& values, double at, int direction) {
  std::optional<double> next;
  for (const double value : values) {
    if (!std::isfinite(value) || !(direction > 0 ? value > at : value < at)) continue;
    if (!next || (direction > 0 ? value < *next : value > *next)) next = value;
  }
  return next;
}

ColumnPlayer::ColumnPlayer(Session& session, QObject* parent)
    : QObject(parent),
      session_(session),
      reading_(new LatestCall(this)),
      finding_(new LatestCall(this)) {
  Motion::ofApplication().pace(timer_);
  connect(&timer_, &QTimer::timeout, this, [this] {
    const double share = clock_.share();
    moveTo(positionAt(share));
    if (share >= 1) pause();
  });
  // The values belong to data that are about to go.
  connect(&session_.data(), &SessionData::dataAboutToChange, this, [this] {
    pause();
    forgetValues();
    dataset_.reset();
    whole_.reset();
  });
  connect(&session_.data(), &SessionData::dataChanged, this, &ColumnPlayer::followData);
  connect(&session_.data(), &SessionData::cloudChanged, this, &ColumnPlayer::followData);
  followData();
}

void ColumnPlayer::followData() {
  const auto dataset = session_.data().dataset();
  if (dataset && dataset == dataset_.lock()) return;
  pause();
  const QString before = column_ >= 0 ? columns_[std::size_t(column_)].name : QString();
  // Other points of the same file: the window stays where it is.
  const bool keepPlace = dataset && session_.data().whole() == whole_.lock() && values_;
  dataset_ = dataset;
  whole_ = session_.data().whole();
  columns_ = dataset ? playableColumns(*dataset) : std::vector<PlayableColumn>();
  const auto found =
      std::find_if(columns_.begin(), columns_.end(),
                   [&](const PlayableColumn& column) { return column.name == before; });
  column_ = columns_.empty() ? -1 : found == columns_.end() ? 0 : int(found - columns_.begin());
  forgetValues();
  if (column_ < 0) on_ = false;
  if (on_) readColumn(keepPlace);
  Q_EMIT changed();
  Q_EMIT windowChanged();
}

void ColumnPlayer::forgetValues() {
  reading_->forget();
  finding_->forget();
  if (values_) session_.jobs().retire(std::exchange(values_->values, nullptr));
  values_.reset();
}

void ColumnPlayer::readColumn(bool keepPlace) {
  forgetValues();
  reading_->start(
      [dataset = session_.data().dataset(), column = columns_[std::size_t(column_)]] {
        return playedValuesOf(dataset, column);
      },
      [this, keepPlace](PlayedValues values) { acceptValues(std::move(values), keepPlace); });
}

void ColumnPlayer::acceptValues(PlayedValues values, bool keepPlace) {
  values_ = std::move(values);
  if (!keepPlace) {
    const bool singly = !values_->few.empty() && values_->few.size() <= kMostShownSingly;
    width_ = singly ? 0 : roundedTo((high() - low()) / kUsualWindows, 2);
    position_ = low();
  }
  position_ = std::clamp(position_, low(), lastPosition());
  Q_EMIT changed();
  Q_EMIT windowChanged();
}

void ColumnPlayer::setOn(bool on) {
  if (on == on_ || (on && column_ < 0)) return;
  if (!on) pause();
  on_ = on;
  if (on && !values_) readColumn(false);
  Q_EMIT changed();
  Q_EMIT windowChanged();
}

void ColumnPlayer::setColumn(int column) {
  if (column == column_ || column < 0 || std::size_t(column) >= columns_.size()) return;
  pause();
  column_ = column;
  forgetValues();
  if (on_) readColumn(false);
  Q_EMIT changed();
  Q_EMIT windowChanged();
}

double ColumnPlayer::lastPosition() const { return std::max(low(), high() - width_); }

double ColumnPlayer::end() const {
  if (position_ >= lastPosition()) return std::max(position_, high());
  if (width_ == 0) return position_;
  // 0.7 + 0.1 is below 0.8 in binary, where a point may be.
  return std::max(position_ + width_, roundedTo(position_ + width_, kDigits));
}

double ColumnPlayer::share() const {
  const double range = lastPosition() - low();
  return range > 0 ? std::clamp((position_ - low()) / range, 0.0, 1.0) : 0;
}

double ColumnPlayer::positionAt(double share) const {
  if (share >= 1) return lastPosition();
  const double position = std::lerp(low(), lastPosition(), std::max(share, 0.0));
  if (width_ > 0 || !values_ || values_->few.empty()) return position;
  const std::vector<double>& few = values_->few;
  const auto after = std::upper_bound(few.begin(), few.end(), position);
  return after == few.begin() ? few.front() : *(after - 1);
}

void ColumnPlayer::moveTo(double position) {
  if (!values_ || !std::isfinite(position)) return;
  position = std::clamp(position, low(), lastPosition());
  if (position == std::exchange(position_, position)) return;
  Q_EMIT windowChanged();
}

void ColumnPlayer::setPosition(double position) {
  moveTo(position);
  clock_.start(share());
}

void ColumnPlayer::setShare(double share) {
  moveTo(positionAt(share));
  clock_.start(share);
}

void ColumnPlayer::setWidth(double width) {
  if (!values_ || !(width >= 0) || !std::isfinite(width) || width == width_) return;
  width_ = width;
  position_ = std::clamp(position_, low(), lastPosition());
  clock_.start(share());
  if (!isPossible()) pause();
  Q_EMIT changed();
  Q_EMIT windowChanged();
}

std::optional<ValueWindow> ColumnPlayer::window() const {
  if (!on_ || !values_) return std::nullopt;
  return ValueWindow{values_->values, position_, end()};
}

void ColumnPlayer::play() {
  if (isPlaying() || !isPossible()) return;
  const double from = share() >= 1 ? 0 : share();
  moveTo(positionAt(from));
  clock_.start(from);
  timer_.start();
  Q_EMIT changed();
}

void ColumnPlayer::pause() {
  if (!isPlaying()) return;
  timer_.stop();
  Q_EMIT changed();
}

void ColumnPlayer::setDuration(double seconds) {
  clock_.setSeconds(seconds, share());
  Q_EMIT changed();
}

int ColumnPlayer::usualFrames() const {
  const bool singly = values_ && width_ == 0 && values_->few.size() > 1;
  return singly ? static_cast<int>(values_->few.size()) : kUsualFrames;
}

void ColumnPlayer::showFrame(int frame, int frames) {
  if (width_ == 0 && values_ && values_->few.size() == std::size_t(frames))
    setPosition(values_->few[std::size_t(frame)]);
  else
    setShare(double(frame) / (frames - 1));
}

void ColumnPlayer::stepByWindow(int direction) {
  if (width_ == 0) return stepToValue(direction);
  pause();
  if (isPossible()) moveTo(direction > 0 ? end() : roundedTo(position_ - width_, kDigits));
}

void ColumnPlayer::stepToValue(int direction) {
  pause();
  if (!isPossible() || direction == 0) return;
  finding_->start([values = values_->values, at = position_,
                   direction] { return nextValue(*values, at, direction); },
                  [this](std::optional<double> value) {
                    if (value) moveTo(*value);
                  });
}

QString ColumnPlayer::textOf(double value) const {
  if (!values_ || !values_->any) return {};
  if (!values_->words.empty()) {
    const auto at = static_cast<std::size_t>(std::max(0.0, std::floor(value)));
    return values_->words[std::min(at, values_->words.size() - 1)];
  }
  const double range = high() - low();
  const double largest = std::max(std::abs(low()), std::abs(high()));
  const int beyond = range > 0 ? int(std::ceil(std::log10(largest / range))) : kDigits;
  return significant(value, std::clamp(beyond + 4, 4, kDigits));
}

QString ColumnPlayer::windowText() const {
  const QString from = textOf(position_);
  const QString to = textOf(end());
  return to == from ? from : tr("%1 to %2").arg(from, to);
}

}  // namespace clusterloom
