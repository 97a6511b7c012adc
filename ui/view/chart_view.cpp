#include "ui/view/chart_view.h"

#include <vtkInteractorObserver.h>
#include <vtkRenderWindow.h>
#include <vtkRenderWindowInteractor.h>
#include <QAccessibleWidget>
#include <QEvent>
#include <QKeyEvent>
#include <algorithm>

#include "render/charts/chart.h"
#include "ui/theme/theme.h"
#include "ui/view/announcer.h"
#include "ui/view/data_words.h"
#include "ui/view/latest_call.h"

namespace clusterloom {

namespace {

constexpr int kDescribeRest = 200;  // milliseconds without a frame before the chart is described
// Longer tables are not made for a description: a cell takes 32 bytes and more.
constexpr std::uint64_t kMostRowsInRanges = 100'000;

/// A chart for assistive technology: pressing it shows its values as a table.
class AccessibleChart : public QAccessibleWidget {
 public:
  explicit AccessibleChart(ChartView* view)
      : QAccessibleWidget(view, QAccessible::Chart), view_(view) {}

  QStringList actionNames() const override {
    return QStringList{pressAction()} + QAccessibleWidget::actionNames();
  }
  QString localizedActionDescription(const QString& name) const override {
    return name == pressAction() ? ChartView::tr("Shows the values as a table")
                                 : QAccessibleWidget::localizedActionDescription(name);
  }
  void doAction(const QString& name) override {
    if (name != pressAction()) return QAccessibleWidget::doAction(name);
    if (!view_->chart().isEmpty()) Q_EMIT view_->tableRequested();
  }

 private:
  ChartView* view_;
};

QAccessibleInterface* makeAccessibleChart(const QString&, QObject* object) {
  auto* view = qobject_cast<ChartView*>(object);
  return view != nullptr ? new AccessibleChart(view) : nullptr;
}

}  // namespace

ChartView::ChartView(Chart& chart, QWidget* parent) : VtkView(parent), chart_(chart) {
  static const bool installed = [] {
    QAccessible::installFactory(makeAccessibleChart);
    return true;
  }();
  static_cast<void>(installed);
  QAccessible::installActivationObserver(this);
  describing_ = new LatestCall(this);
  describeTimer_.setSingleShot(true);
  describeTimer_.setInterval(kDescribeRest);
  connect(&describeTimer_, &QTimer::timeout, this, &ChartView::describe);
  connect(this, &VtkView::frameDrawn, this, &ChartView::describeSoon);
  chart_.attach(renderWindow());
  interactor()->SetInteractorStyle(chart_.interactorStyle());
  setMinimumHeight(110);
  followTheme();
}

ChartView::~ChartView() {
  QAccessible::removeActivationObserver(this);
  releaseGl();
  interactor()->SetInteractorStyle(nullptr);
  chart_.detach();
}

void ChartView::followTheme() {
  chart_.setBackground(isDark(palette()) ? Background::Dark : Background::Light);
  requestFrame();
}

void ChartView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) followTheme();
  if (event->type() == QEvent::FontChange) requestFrame();
  VtkView::changeEvent(event);
}

void ChartView::accessibilityActiveChanged(bool active) {
  described_ = active;
  describeSoon();
}

void ChartView::describeSoon() {
  if (described_) describeTimer_.start();
}

void ChartView::describe() {
  QStringList words;
  for (const std::string& text : chart_.words()) words << QString::fromStdString(text);
  if (words.isEmpty()) return;  // not drawn yet: the first frame brings it back
  words_ = words.join(QStringLiteral("; "));
  const quint64 revision = chart_.revision();
  if (chart_.isEmpty()) {
    describing_->forget();
    ranges_.clear();
    describedRevision_ = revision;
  } else if (const std::uint64_t rows = chart_.longTableRows(); rows > kMostRowsInRanges) {
    describing_->forget();
    ranges_ = tableWords(rows, {});
    describedRevision_ = revision;
  } else if (describedRevision_ != revision) {
    describedRevision_ = revision;
    ranges_.clear();  // they are those of other data
    struct Summary {
      std::size_t rows = 0;
      std::vector<ColumnRange> ranges;
      std::vector<std::string> words;  ///< in place of the ranges
    };
    describing_->start(
        [make = chart_.table(), makeWords = chart_.valueWords(), rows = chart_.longTableRows()] {
          if (makeWords) return Summary{static_cast<std::size_t>(rows), {}, makeWords()};
          const DataTable table = make();
          return Summary{table.rows.size(), rangesOf(table), {}};
        },
        [this](const Summary& summary) {
          ranges_ = tableWords(summary.rows, summary.ranges);
          for (const std::string& sentence : summary.words)
            ranges_ += QStringLiteral(", ") + QString::fromStdString(sentence);
          sayDescription();
        });
    return;
  }
  sayDescription();
}

void ChartView::sayDescription() {
  if (ranges_.isEmpty()) return setAccessibleDescription(words_);
  setAccessibleDescription(
      tr("%1. Values: %2. Return shows them as a table.").arg(words_, ranges_));
}

void ChartView::keyPressEvent(QKeyEvent* event) {
  const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (isReturn && !chart_.isEmpty()) {
    // Uses the choice of the arrow keys; without a choice opens the table.
    if (!chart_.pressKey(ChartKey::Take)) Q_EMIT tableRequested();
    requestFrame();
    return;
  }
  const auto key = [event] {
    switch (event->key()) {
      case Qt::Key_Left: return ChartKey::Left;
      case Qt::Key_Right: return ChartKey::Right;
      case Qt::Key_Up: return ChartKey::Up;
      case Qt::Key_Down: return ChartKey::Down;
      case Qt::Key_Plus:
      case Qt::Key_Equal: return ChartKey::ZoomIn;
      case Qt::Key_Minus: return ChartKey::ZoomOut;
      case Qt::Key_Home: return ChartKey::All;
      default: return ChartKey::None;
    }
  }();
  if (!chart_.pressKey(key)) return VtkView::keyPressEvent(event);
  requestFrame();
  Announcer::ofApplication().say(*this, Announcer::Topic::Picked,
                                 QString::fromStdString(chart_.chosenWords()));
}

double ChartView::magnification() const {
  constexpr double kMargins = 74;  // above and below the plot, at the usual size of text
  constexpr double kMostOfHeight = 0.55;
  constexpr double kUsual = 1.25;  // up to this, text is of the usual size
  const double scaled = textScale(font());
  const double text = scaled < kUsual ? 1 : scaled;
  return std::clamp(kMostOfHeight * height() / kMargins, 1.0, text);
}

void ChartView::aboutToDraw() {
  const double ratio = magnification() * devicePixelRatioF();
  if (ratio == pixelRatio_) return;
  pixelRatio_ = ratio;
  chart_.setPixelRatio(ratio);
}

}  // namespace clusterloom
