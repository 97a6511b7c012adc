#include "ui/guide/ego_picture.h"

#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QSlider>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/cloud/generators.h"
#include "engine/ego/ego_join.h"
#include "render/paint/palette.h"
#include "ui/theme/theme.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

constexpr std::size_t kPoints = 400;
constexpr double kExtent = 100;  // of the generated cloud, in each dimension
constexpr int kLeastEps = 2;
constexpr int kMostEps = 60;
constexpr int kUsualEps = 8;
constexpr double kGap = 24;  // logical pixels

QColor colourOf(int sequence, Background ground) {
  const Colour colour = clusterColour(sequence, ground);
  return {colour.r, colour.g, colour.b};
}

std::uint64_t orderedPairs(const EgoIndex& index, const EgoPair& pair) {
  const std::uint64_t pairs =
      std::uint64_t{index.sequences[pair.a].size()} * index.sequences[pair.b].size();
  return pair.a == pair.b ? pairs : 2 * pairs;
}

}  // namespace

EgoPictureView::EgoPictureView(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("egoPicture"));
  setAccessibleName(tr("Pairs of sequences of the EGO-join"));
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  if (auto made = generate({.kind = "unif", .points = kPoints, .dims = 2, .seed = 5}))
    cloud_ = std::move(made->cloud);
  setEps(kUsualEps);
}

void EgoPictureView::setEps(double eps) {
  if (eps == eps_) return;
  auto index = buildEgoIndex(cloud_, eps, {});
  if (!index) return;
  eps_ = eps;
  index_ = std::move(*index);
  pairs_.clear();
  egoSelfJoin(
      index_, 0, 0,
      [&](std::uint32_t a, std::uint32_t b, int) {
        pairs_.push_back({a, b, true});
      },
      [&](std::uint32_t a, std::uint32_t b) {
        pairs_.push_back({a, b, false});
      });
  compared_ = 0;
  for (const EgoPair& pair : pairs_)
    if (pair.compared) compared_ += orderedPairs(index_, pair);
  sequenceOf_.assign(index_.size(), 0);
  int sequence = 0;
  for (const EgoSequence& part : index_.sequences) {
    if (part.halved()) continue;
    std::fill(sequenceOf_.begin() + part.begin, sequenceOf_.begin() + part.end, sequence++);
  }
  setPicked(std::nullopt);
  update();
}

std::uint64_t EgoPictureView::allPairs() const {
  return std::uint64_t{index_.size()} * index_.size();
}

void EgoPictureView::setPicked(const std::optional<EgoPair>& picked) {
  const auto same = [](const std::optional<EgoPair>& x, const std::optional<EgoPair>& y) {
    return x.has_value() == y.has_value() && (!x || (x->a == y->a && x->b == y->b));
  };
  if (same(picked, picked_)) return;
  picked_ = picked;
  update();
  Q_EMIT pickedChanged();
}

void EgoPictureView::pick(int row, int column) {
  const auto holds = [&](std::uint32_t sequence, int position) {
    const EgoSequence& part = index_.sequences[sequence];
    return position >= int(part.begin) && position < int(part.end);
  };
  const auto found = std::ranges::find_if(pairs_, [&](const EgoPair& pair) {
    return (holds(pair.a, row) && holds(pair.b, column)) ||
           (holds(pair.b, row) && holds(pair.a, column));
  });
  setPicked(found == pairs_.end() ? std::nullopt : std::optional(*found));
}

QSize EgoPictureView::sizeHint() const { return {fontScaled(840), fontScaled(410)}; }

QSize EgoPictureView::minimumSizeHint() const { return {420, 200}; }

QRectF EgoPictureView::cloudArea() const {
  const double side = std::min((width() - kGap) / 2, double(height()) - 4);
  const double left = (width() - 2 * side - kGap) / 2;
  return {left, (height() - side) / 2, side, side};
}

QRectF EgoPictureView::matrixArea() const {
  const QRectF cloud = cloudArea();
  return cloud.translated(cloud.width() + kGap, 0);
}

std::vector<QRectF> EgoPictureView::rectanglesOf(const EgoPair& pair) const {
  const QRectF area = matrixArea();
  const double unit = area.width() / double(index_.size());
  const EgoSequence& a = index_.sequences[pair.a];
  const EgoSequence& b = index_.sequences[pair.b];
  const auto rectangle = [&](const EgoSequence& row, const EgoSequence& column) {
    return QRectF(area.left() + unit * column.begin, area.top() + unit * row.begin,
                  unit * column.size(), unit * row.size());
  };
  if (pair.a == pair.b) return {rectangle(a, a)};
  return {rectangle(a, b), rectangle(b, a)};
}

void EgoPictureView::paintCloud(QPainter& painter) const {
  const QRectF area = cloudArea();
  const ThemeColours& colours = themeColours(palette());
  painter.fillRect(area, colours.canvas);
  const auto place = [&](double x, double y) {
    return QPointF(area.left() + area.width() * x / kExtent,
                   area.bottom() - area.height() * y / kExtent);
  };
  painter.setPen(QPen(colours.line, 1));
  const bool vertical = index_.dims.front() == 0;  // borders of the first dimension
  const std::vector<double>& first = cloud_.columns[std::size_t(index_.dims.front())];
  const double low = *std::ranges::min_element(first);
  for (double at = low; at <= kExtent; at += eps_)
    painter.drawLine(vertical ? place(at, 0) : place(0, at),
                     vertical ? place(at, kExtent) : place(kExtent, at));
  painter.setPen(Qt::NoPen);
  const double radius = std::max(2.0, area.width() / 130);
  const auto in = [&](std::uint32_t sequence, std::size_t position) {
    return position >= index_.sequences[sequence].begin &&
           position < index_.sequences[sequence].end;
  };
  const Background ground = isDark(palette()) ? Background::Dark : Background::Light;
  for (std::size_t p = 0; p < index_.size(); ++p) {
    QColor colour = colourOf(sequenceOf_[p], ground);
    if (picked_) {
      colour = colours.muted;
      colour.setAlphaF(0.35F);
      if (in(picked_->b, p)) colour = colours.warning;
      if (in(picked_->a, p)) colour = colours.accent;
    }
    painter.setBrush(colour);
    painter.drawEllipse(place(index_.ordered.columns[0][p], index_.ordered.columns[1][p]), radius,
                        radius);
  }
  painter.setPen(QPen(colours.line, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(area);
}

void EgoPictureView::paintMatrix(QPainter& painter) const {
  const ThemeColours& colours = themeColours(palette());
  QColor pruned = colours.muted;
  pruned.setAlphaF(0.18F);
  for (const EgoPair& pair : pairs_)
    for (const QRectF& rectangle : rectanglesOf(pair)) {
      painter.setPen(QPen(colours.canvas, 1));
      painter.setBrush(pair.compared ? colours.accent : pruned);
      painter.drawRect(rectangle);
    }
  if (!picked_) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(colours.warning, 3));
  for (const QRectF& rectangle : rectanglesOf(*picked_)) painter.drawRect(rectangle);
}

void EgoPictureView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  if (index_.size() == 0) return;
  paintCloud(painter);
  paintMatrix(painter);
  if (!hasFocus()) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(themeColours(palette()).accent, 1, Qt::DotLine));
  painter.drawRect(matrixArea().adjusted(-3, -3, 3, 3));
}

void EgoPictureView::mouseMoveEvent(QMouseEvent* event) {
  const QRectF area = matrixArea();
  if (!area.contains(event->position())) return setPicked(std::nullopt);
  const double unit = area.width() / double(index_.size());
  row_ = int((event->position().y() - area.top()) / unit);
  column_ = int((event->position().x() - area.left()) / unit);
  pick(row_, column_);
}

void EgoPictureView::leaveEvent(QEvent*) {
  if (!hasFocus()) setPicked(std::nullopt);
}

void EgoPictureView::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  setPicked(std::nullopt);
}

void EgoPictureView::keyPressEvent(QKeyEvent* event) {
  const int key = event->key();
  const int down = key == Qt::Key_Down ? 1 : key == Qt::Key_Up ? -1 : 0;
  const int right = key == Qt::Key_Right ? 1 : key == Qt::Key_Left ? -1 : 0;
  if (down == 0 && right == 0) return QWidget::keyPressEvent(event);
  const int last = int(index_.size()) - 1;
  if (row_ < 0 || column_ < 0) {
    row_ = column_ = 0;
  } else {
    const int step = int(EgoIndex::kShortest) / 2;  // at most one short sequence
    row_ = std::clamp(row_ + step * down, 0, last);
    column_ = std::clamp(column_ + step * right, 0, last);
  }
  pick(row_, column_);
}

EgoPictureWindow::EgoPictureWindow(QWidget* parent)
    : QDialog(parent),
      view_(new EgoPictureView(this)),
      slider_(new QSlider(Qt::Horizontal, this)),
      eps_(new QLabel(this)),
      summary_(new QLabel(this)),
      pickedText_(new QLabel(this)) {
  setObjectName(QStringLiteral("egoPictureWindow"));
  setWindowTitle(tr("How the EGO-join prunes"));
  setModal(false);
  slider_->setObjectName(QStringLiteral("egoPictureEps"));
  slider_->setAccessibleName(tr("ε of the picture"));
  slider_->setRange(kLeastEps, kMostEps);
  slider_->setValue(kUsualEps);
  auto* row = new QHBoxLayout;
  row->addWidget(eps_);
  row->addWidget(slider_, 1);
  auto* layout = new QVBoxLayout(this);
  auto* intro = new QLabel(
      tr("%1 points in EGO order, halved into sequences. Left: the points, one colour per "
         "sequence; lines are ε apart. Right: all pairs of points in EGO order; filled pairs of "
         "sequences are compared, pale ones are pruned. Point at a pair, or use the arrow keys.")
          .arg(count(kPoints)),
      this);
  intro->setWordWrap(true);
  for (QLabel* label : {summary_, pickedText_}) label->setWordWrap(true);
  pickedText_->setMinimumHeight(2 * pickedText_->fontMetrics().lineSpacing());
  pickedText_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  summary_->setObjectName(QStringLiteral("egoPictureSummary"));
  layout->addWidget(intro);
  layout->addWidget(view_, 1);
  layout->addLayout(row);
  layout->addWidget(summary_);
  layout->addWidget(pickedText_);
  connect(slider_, &QSlider::valueChanged, this, [this](int eps) {
    view_->setEps(eps);
    showWords();
  });
  connect(view_, &EgoPictureView::pickedChanged, this, &EgoPictureWindow::showWords);
  showWords();
}

QString EgoPictureWindow::summary() const {
  return summary_->text() + QLatin1Char('\n') + pickedText_->text();
}

void EgoPictureWindow::showWords() {
  eps_->setText(tr("ε %1").arg(view_->eps()));
  const auto pruned =
      std::ranges::count_if(view_->pairs(), [](const EgoPair& pair) { return !pair.compared; });
  summary_->setText(
      tr("%1 of %2 pairs of points are compared (%3); %4.")
          .arg(count(view_->comparedPairs()), count(view_->allPairs()),
               percent(double(view_->comparedPairs()) / double(view_->allPairs())),
               counted(std::uint64_t(pruned), "one pair of sequences is pruned",
                       tr("%1 pairs of sequences are pruned", nullptr, int(pruned)))));
  view_->setAccessibleDescription(summary_->text() + QLatin1Char(' ') +
                                  tr("Arrow keys go through the pairs of sequences."));
  if (!view_->picked()) return pickedText_->clear();
  sayPicked();
  view_->setAccessibleDescription(pickedText_->text());
}

void EgoPictureWindow::sayPicked() {
  const EgoPair& pair = *view_->picked();
  const EgoIndex& index = view_->index();
  const auto points = [&](std::uint32_t sequence) {
    return countedPoints(index.sequences[sequence].size());
  };
  if (pair.a == pair.b) {
    pickedText_->setText(tr("A sequence of %1 with itself: compared.").arg(points(pair.a)));
    return;
  }
  if (pair.compared) {
    pickedText_->setText(tr("Sequences of %1 and %2: the cells of their first and last points do "
                            "not rule out a pair, so they are compared.")
                             .arg(points(pair.a), points(pair.b)));
    return;
  }
  const CellSpan* a = index.cellsOf(pair.a);
  const CellSpan* b = index.cellsOf(pair.b);
  int start = 0;
  mayJoin(a, b, int(index.dimensions()), start);
  const auto cells = [](const CellSpan& span) {
    return span.low == span.high ? QString::number(span.low)
                                 : tr("%1 to %2").arg(span.low).arg(span.high);
  };
  pickedText_->setText(tr("Sequences of %1 and %2: in dimension %3 their cells are %4 and %5, more "
                          "than one apart, so that no pair can be within ε.")
                           .arg(points(pair.a), points(pair.b))
                           .arg(index.dims[std::size_t(start)] + 1)
                           .arg(cells(a[start]), cells(b[start])));
}

}  // namespace clusterloom
