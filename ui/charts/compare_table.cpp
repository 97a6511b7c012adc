// The table of a comparison, and its picture.
#include "ui/charts/compare_panel.h"

#include <QHeaderView>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "render/charts/plot_area.h"
#include "render/paint/svg_painter.h"
#include "ui/session/cluster_run.h"
#include "ui/session/comparison.h"
#include "ui/session/session.h"
#include "ui/theme/theme.h"
#include "ui/widgets/form.h"
#include "ui/words/engine_words.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

// The charts in a picture of the comparison, in logical pixels.
constexpr int kChartWidth = 480;
constexpr int kChartHeight = 260;
constexpr int kNameHeight = 30;
constexpr int kNoteHeight = 22;

/// "1.87 ×".
QString times(double ratio) { return ComparePanel::tr("%1 ×").arg(fixed(ratio, 2)); }

/// "balanced lanes 1.93 × · shorter tail 1.20 ×"; empty where nothing is gained or lost.
QString causeWords(const GainCauses& causes) {
  QStringList words;
  for (std::size_t cause = 0; cause < causes.factors().size(); ++cause)
    if (const double factor = causes.factors()[cause]; std::abs(factor - 1) >= 0.005)
      words << QString::fromStdString(causeWord(cause)) + QLatin1Char(' ') + times(factor);
  return words.join(QStringLiteral(" · "));
}

}  // namespace

QWidget* ComparePanel::makeTable() {
  table_ = named("compareTable", new QTableWidget(0, Columns), tr("Results of the strategies"));
  header_ = new GroupedHeader(table_);
  table_->setHorizontalHeader(header_);
  table_->setHorizontalHeaderLabels(
      {tr("Strategy"), tr("Same answer"), tr("Index + join"), tr("Fastest to slowest"),
       tr("Speed-up"), tr("Imbalance"), tr("WEE"), tr("Steps"), tr("Warps end"), tr("Gain"),
       tr("Causes of the gain"), tr("Distances"), tr("of the first"), tr("Pairs")});
  table_->horizontalHeaderItem(Imbalance)->setToolTip(
      tr("For joins on CPU and GPU together: the difference between their end times, divided by "
         "the later one"));
  table_->horizontalHeaderItem(Identical)->setToolTip(
      tr("Whether it counted as many neighbours as the first strategy, for every point"));
  table_->horizontalHeaderItem(Time)->setToolTip(
      tr("Time to build the index and to count the neighbours of every point: the median of the "
         "runs. Reading the file and labelling are not part of it."));
  table_->horizontalHeaderItem(Spread)->setToolTip(tr("The times of the fastest and slowest run"));
  table_->horizontalHeaderItem(Speedup)->setToolTip(
      tr("The time of the first strategy divided by that of this one"));
  table_->horizontalHeaderItem(WarpTime)->setToolTip(
      tr("When the last warp has ended: measured, or modelled as one instruction for each weighted "
         "step at the clock of that GPU, without memory and transfers"));
  table_->horizontalHeaderItem(Gain)->setToolTip(
      tr("The time of the warps of the first strategy divided by that of this one, on that GPU"));
  table_->horizontalHeaderItem(Causes)->setToolTip(
      tr("The gain is the product of these factors; a factor below 1 is a loss. They are: fewer "
         "searches of cells; fewer candidates and hits; lanes that idle less; slots that end at "
         "the same time. If the warps were measured on a GPU, a further factor is memory and "
         "everything else that a model of steps does not include."));
  for (int c = 0; c < Columns; ++c)  // over their text and numbers
    table_->horizontalHeaderItem(c)->setTextAlignment(
        (c < Time || c == Causes ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  styleTable(table_);
  table_->setFrameShape(QFrame::NoFrame);
  table_->horizontalHeader()->setStretchLastSection(true);
  widenToTitles(table_);
  note_ = named("compareNote", cutLine(this, false));
  note_->setProperty("role", "muted");
  auto* middle = new QWidget;
  auto* middleLayout = spaced(new QVBoxLayout(middle), {0, 4, 0, 4}, 2);
  middleLayout->addWidget(table_, 1);
  middleLayout->addWidget(note_);
  return middle;
}

void ComparePanel::showRun(int row, const ComparedRun& run, const ComparedRun& first) {
  const auto set = [&](Column column, const QString& text) {
    auto* item = new QTableWidgetItem(text);
    if (column != Name && column != Identical && column != Causes)
      item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    QString tip = engineList(describe(run.strategy));
    if (!run.remark.isEmpty()) tip += QLatin1Char('\n') + run.remark;
    item->setToolTip(tip);
    table_->setItem(row, column, item);
  };
  set(Name, run.name);
  if (!run.succeeded()) {
    for (int column = Identical; column < Columns; ++column) set(Column(column), {});
    set(Identical, tr("not possible"));
    table_->item(row, Identical)->setToolTip(run.failure);
    return;
  }
  for (int column = Wee; column <= Causes; ++column) set(Column(column), QStringLiteral("—"));
  showWarps(row, run);
  set(Distances, count(run.distanceCalculations()));
  set(Ratio, times(static_cast<double>(run.distanceCalculations()) /
                   std::max(1.0, static_cast<double>(first.distanceCalculations()))));
  const TimeSpread spread = spreadOf(run.seconds);
  set(Time, duration(spread.median) + (run.remark.isEmpty() ? QString() : QStringLiteral(" *")));
  set(Spread, run.seconds.size() > 1
                  ? tr("%1 to %2").arg(duration(spread.least), duration(spread.most))
                  : QString());
  set(Speedup,
      spread.median > 0 ? times(spreadOf(first.seconds).median / spread.median) : QString());
  set(Pairs, count(run.pairs));
  set(Imbalance,
      run.stats.passes.empty() ? QString() : percent(run.stats.passes.front().imbalance));
  set(Identical, run.identical ? tr("yes") : tr("NO"));
}

void ComparePanel::showWarps(int row, const ComparedRun& run) {
  if (!run.report) {
    for (int column = Wee; column <= Causes; ++column)
      table_->item(row, column)
          ->setToolTip(run.shared
                           ? tr("CPU and GPU share this join: warps are not modelled for it")
                           : tr("A join without a grid: it runs on the CPU and has no warps"));
    return;
  }
  const auto set = [&](Column column, const QString& text) {
    table_->item(row, column)->setText(text);
  };
  set(Wee, percentWithError(run.report->wee, run.report->weeError));
  set(Steps, QString::fromStdString(withUnit(stepsOfAllWarps(*run.report))));
  set(WarpTime, duration(secondsOf(*run.report, run.report->makespan)));
  const GainCauses causes = comparison_.causesOf(run);
  set(Gain, times(causes.all()));
  set(Causes, causeWords(causes));
  if (run.predicted)
    table_->item(row, Wee)->setToolTip(
        tr("Steps measured, weights fitted; modelled %1")
            .arg(percentWithError(run.predicted->wee, run.predicted->error)));
}

void ComparePanel::showTable() {
  const std::vector<ComparedRun>& runs = comparison_.runs();
  const ComparedRun* first = firstDone();
  table_->setRowCount(int(runs.size()));
  for (int row = 0; row < int(runs.size()); ++row) {
    const ComparedRun& run = runs[std::size_t(row)];
    showRun(row, run, first != nullptr ? *first : run);
  }
  table_->setColumnHidden(Spread, std::none_of(runs.begin(), runs.end(), [](const ComparedRun& r) {
                            return r.seconds.size() > 1;
                          }));
  table_->setColumnHidden(Imbalance, !hasSharedRuns());
  table_->resizeColumnsToContents();
  widenToTitles(table_);
}

void ComparePanel::showGroups() {
  const QString ofWarps = this->ofWarps();
  const QString ofRuns =
      comparison_.runs().empty() ? tr("Runs") : tr("Runs: %1").arg(comparison_.backend());
  header_->setGroups({{ofRuns, Time, Imbalance}, {ofWarps, Wee, Causes}});
  for (const Column column : {Wee, Steps})
    table_->horizontalHeaderItem(column)->setToolTip(ofWarps);
  for (const HeaderGroup& group : header_->groups())
    for (int column = group.first; column <= group.last; ++column)
      table_->horizontalHeaderItem(column)->setData(
          Qt::AccessibleTextRole,
          tr("%1 (%2)").arg(table_->horizontalHeaderItem(column)->text(), group.title));
}

ShownTable ComparePanel::shown() const {
  ShownTable shown = shownTable(*table_);
  // Hidden columns are not in it.
  std::size_t place[Columns + 1] = {};
  for (int c = 0; c < Columns; ++c) place[c + 1] = place[c] + (table_->isColumnHidden(c) ? 0 : 1);
  for (const HeaderGroup& group : header_->groups())
    if (place[group.last + 1] > place[group.first])
      shown.groups.push_back(
          {group.title.toStdString(), place[group.first], place[group.last + 1] - 1});
  return shown;
}

QSize ComparePanel::pictureSize() const {
  const TableSize size = sizeOf(shown());
  return {std::max(size.width, 2 * kChartWidth),
          size.height + kNoteHeight + kNameHeight + kChartHeight};
}

std::string ComparePanel::picture(QSize size, Background background) {
  const Theme& theme = themeOf(background);
  const ShownTable table = shown();
  SvgPainter painter(size.width(), size.height(), theme.ground, tr("Strategies").toStdString());
  painter.setOrigin(0, size.height() - sizeOf(table).height);
  paintTable(painter, table, theme);
  painter.setOrigin(0, 0);
  constexpr double kLeft = 20;  // of the table's cells
  painter.text(fitted(painter, note_->text().toStdString(), size.width() - 2 * kLeft, 11), kLeft,
               kChartHeight + kNameHeight + kNoteHeight / 2.0, Across::Left, Along::Centre,
               theme.faintText, 11);
  const int width = size.width() / 2;
  for (int side = 0; side < 2; ++side) {
    painter.setOrigin(side * width, 0);
    painter.text(sides_[side]->currentText().toStdString(), width / 2.0,
                 kChartHeight + kNameHeight / 2.0, Across::Centre, Along::Centre, theme.text, 12,
                 true);
    charts_[side].paintInto(painter, width, kChartHeight, background);
  }
  return painter.document();
}

}  // namespace clusterloom
