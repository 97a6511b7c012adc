#include "ui/panels/selection_panel.h"

#include <QAction>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>
#include <QVariant>
#include <algorithm>
#include <numeric>
#include <utility>

#include "render/charts/warp_columns.h"
#include "render/paint/ticks.h"
#include "ui/panels/neighbour_list.h"
#include "ui/session/cluster_run.h"
#include "ui/session/derived_results.h"
#include "ui/session/file_levels.h"
#include "ui/session/load_lab.h"
#include "ui/session/selected_points.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/view/data_words.h"
#include "ui/view/latest_call.h"
#include "ui/widgets/form.h"

namespace clusterloom {
namespace {

QString row(const QString& name, const QString& value) {
  return QStringLiteral("<tr><td style='padding-right:12px'>%1</td><td><b>%2</b></td></tr>")
      .arg(name.toHtmlEscaped(), value.toHtmlEscaped());
}

constexpr std::size_t kMostClusters = 6;
constexpr std::size_t kMostBoxRows = 6;
// Of points with more than these coordinates a few are listed.
constexpr std::size_t kMostCoordinates = 16;
constexpr std::size_t kFewCoordinates = 6;

/// The clusters that selected points belong to and how many do: "3 (12), 7 (1) and 2 more".
QString clustersOf(const SelectionSummary& summary) {
  QStringList words;
  for (std::size_t i = 0; i < std::min(summary.clusters.size(), kMostClusters); ++i) {
    const auto& [label, points] = summary.clusters[i];
    words << clusterloom::SelectionPanel::tr("%1 (%2)").arg(count(std::uint64_t(label)),
                                                            count(points));
  }
  const QString list = words.join(clusterloom::SelectionPanel::tr(", "));
  if (summary.clusters.size() <= kMostClusters)
    return list.isEmpty() ? clusterloom::SelectionPanel::tr("none") : list;
  return clusterloom::SelectionPanel::tr("%1 and %2 more")
      .arg(list, count(summary.clusters.size() - kMostClusters));
}

QString tableOf(const QString& rows) {
  return QStringLiteral("<table cellspacing='0' cellpadding='1'>%1</table>").arg(rows);
}

QLabel* describing(QWidget* parent, const char* object, const QString& name) {
  auto* label = named(object, new QLabel(parent), name);
  label->setTextFormat(Qt::RichText);
  label->setWordWrap(true);
  label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  // Long numbers wrap or scroll; they must not push the view aside.
  label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  return label;
}

}  // namespace

SelectionPanel::SelectionPanel(Session& session, QWidget* parent)
    : QWidget(parent), session_(session) {
  setObjectName(QStringLiteral("selectionPanel"));
  finding_ = new LatestCall(this);
  number_ = named("pointNumber", panelNumber(new QSpinBox(this), -1, -1),
                  tr("Number of the picked point"));
  number_->setSpecialValueText(tr("none", "point"));
  number_->setLocale(numberLocale());
  number_->setGroupSeparatorShown(true);
  number_->setToolTip(tr("Pick a point in the view, or type its number (its row, from 0)"));
  auto* label = new QLabel(tr("&Point"), this);
  label->setBuddy(number_);
  auto* top = new QHBoxLayout;
  top->addWidget(label);
  top->addWidget(number_, 1);

  points_ = describing(this, "pointsText", tr("The selected points"));
  buttons_ = new QWidget(this);
  spaced(new QHBoxLayout(buttons_), {0, 0, 0, 0}, 4);
  point_ = describing(this, "pointText", tr("The picked point"));
  neighbours_ = new NeighbourList(session_, this);
  neighbours_->hide();
  connect(neighbours_, &NeighbourList::chosen, number_, &QSpinBox::setValue);
  cell_ = describing(this, "cellText", tr("The picked cell"));
  warp_ = describing(this, "warpText", tr("The picked warp"));
  auto* inner = new QWidget;
  auto* innerLayout = spaced(new QVBoxLayout(inner), {0, 0, 0, 0});
  innerLayout->addWidget(points_);
  innerLayout->addWidget(point_);
  innerLayout->addWidget(neighbours_);
  innerLayout->addWidget(warp_);
  innerLayout->addWidget(cell_);
  innerLayout->addStretch(1);
  auto* scroll = new QScrollArea(this);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidget(inner);
  scroll->setMinimumHeight(30);

  auto* layout = spaced(new QVBoxLayout(this), {10, 2, 10, 8}, 6);
  layout->addLayout(top);
  layout->addWidget(buttons_);
  layout->addWidget(scroll, 1);

  connect(number_, &QSpinBox::valueChanged, this, [this](int point) {
    session_.setPickedPoint(point);
    const auto cells = session_.derived().gridCells();
    const bool known = cells && point >= 0 && std::size_t(point) < cells->cellOfPoint.size();
    session_.setPickedCell(known ? cells->cellOfPoint[std::size_t(point)] : -1);
  });
  connect(&session_.data(), &SessionData::cloudChanged, this, [this] {
    const auto cloud = session_.data().cloud();
    const QSignalBlocker block(number_);
    number_->setRange(-1, cloud ? int(cloud->size()) - 1 : -1);
    number_->setEnabled(bool(cloud));
    neighboursOf_ = -1;
    showPoint();
    showCell();
  });
  connect(&session_, &Session::selectionChanged, this, [this] {
    showPoints();
    showCell();
    showWarp();
  });
  connect(&session_.loadLab(), &LoadLab::changed, this, &SelectionPanel::showWarp);
  connect(&session_.loadLab(), &LoadLab::lightChanged, this, &SelectionPanel::showWarp);
  connect(&session_.clusterRun(), &ClusterRun::resultChanged, this, &SelectionPanel::showPoints);
  connect(&session_, &Session::parametersChanged, this, &SelectionPanel::showPoint);
  connect(&session_.derived(), &DerivedResults::gridCellsChanged, this, &SelectionPanel::showCell);
  connect(&session_.fileLevels(), &FileLevels::changed, this, &SelectionPanel::showPoints);
  connect(&session_.selectedPoints(), &SelectedPoints::summaryChanged, this,
          &SelectionPanel::showPoints);
  number_->setEnabled(false);
  showPoints();
  showPoint();
  showCell();
}

void SelectionPanel::addActions(const QList<std::pair<QAction*, QString>>& actions) {
  for (const auto& [action, text] : actions) {
    auto* button = new QPushButton(text, buttons_);
    button->setAccessibleName(action->iconText());
    button->setToolTip(action->toolTip());
    connect(button, &QPushButton::clicked, action, &QAction::trigger);
    button->setEnabled(action->isEnabled());
    connect(action, &QAction::enabledChanged, button, &QPushButton::setEnabled);
    buttons_->layout()->addWidget(button);
  }
  static_cast<QHBoxLayout*>(buttons_->layout())->addStretch(1);
}

QString SelectionPanel::pointText() const { return point_->text(); }

QString SelectionPanel::cellText() const { return cell_->text(); }

QString SelectionPanel::pointsText() const { return points_->text(); }

QString SelectionPanel::warpText() const { return warp_->text(); }

void SelectionPanel::showPoint() {
  const std::int64_t point = session_.selection().point;
  const auto dataset = session_.data().dataset();
  const auto cloud = session_.data().cloud();
  {
    const QSignalBlocker block(number_);
    number_->setValue(int(point));
  }
  if (const auto& picked = session_.selection().row; picked && dataset) {
    point_->setText(tableOf(rowsOf(*picked)));
    restyle(point_, "role", {});
    neighbours_->hide();
    return;
  }
  if (point < 0 || !dataset || !cloud || std::size_t(point) >= cloud->size()) {
    const bool empty =
        session_.selection().warp < 0 && !session_.selection().points && !session_.selection().rows;
    point_->setText(cloud && empty ? tr("Click a point in the view, or Shift+drag a rectangle.")
                                   : QString());
    restyle(point_, "role", "muted");
    neighbours_->hide();
    return;
  }
  restyle(point_, "role", {});
  const auto p = std::size_t(point);
  const bool scaled = session_.data().scaling().kind != Scaling::Kind::None;
  const std::size_t dims = dataset->cloud.dims();
  const std::size_t shown = dims <= kMostCoordinates ? dims : kFewCoordinates;
  QString rows;
  for (std::size_t j = 0; j < shown; ++j) {
    QString value = coordinateText(*dataset, j, p);
    if (scaled && j < cloud->dims())
      value += tr("  (scaled %1)").arg(readable(cloud->columns[j][p]));
    rows += row(QString::fromStdString(dataset->cloud.names[j]), value);
  }
  if (shown < dims) rows += row(tr("…"), tr("%1 more dimensions").arg(count(dims - shown)));
  for (const Attribute& attribute : dataset->attributes) {
    rows += row(QString::fromStdString(attribute.name), attributeText(*dataset, attribute, p));
  }
  const auto result = session_.clusterRun().result();
  if (result && p < result->clustering.labels.size()) {
    const std::int32_t label = result->clustering.labels[p];
    rows += row(tr("cluster"), label == kNoise ? tr("noise") : count(std::uint64_t(label)));
    if (!result->clustering.roles.empty())
      rows += row(tr("role"), roleWord(int(result->clustering.roles[p])));
  }
  const double eps = session_.parameters().dbscan.eps;
  const bool counted = neighboursOf_ == point && neighboursEps_ == eps;
  rows += row(tr("neighbours"),
              counted ? tr("%1 within ε, itself included").arg(count(around_.within)) : tr("…"));
  if (session_.data().weights())
    rows += row(tr("their weights"), counted ? readable(around_.weight) : tr("…"));
  point_->setText(tableOf(rows));
  neighbours_->setVisible(neighboursOf_ == point);
  if (counted) neighbours_->list(around_.nearest);
  if (!counted) findNeighbours();
}

/// How many rows of the file are selected; empty where no rows but those of the points can be.
QString SelectionPanel::selectedInFile() const {
  if (const FileRowSelection rows = session_.selectedPoints().rows())
    return rows->isComplete ? tr("%1 of %2 with finite coordinates")
                                  .arg(count(rows->count), countedRows(rows->of))
                            : tr("…");
  const FileLevels& levels = session_.fileLevels();
  if (!levels.stored() || !session_.selectedPoints().isAny()) return {};
  if (session_.selection().points || levels.labels()) return tr("only open rows are selected");
  return levels.areLabelsAwaited()
             ? tr("…")
             : tr("only open rows: the others have no clusters yet (File ▸ Cluster the whole "
                  "file…)");
}

/// Of neighbours nothing is known: they are those of the open rows.
QString SelectionPanel::rowsOf(const FileRow& picked) const {
  QString rows = row(tr("row of the file"), count(picked.row));
  for (const auto& [name, value] : picked.coordinates)
    rows += row(QString::fromStdString(name), shortestText(value));
  // Labels of another run are no longer on show.
  if (picked.labels && picked.labels == session_.fileLevels().labels())
    rows += row(tr("cluster"), picked.label < 0 ? tr("noise") : count(std::uint64_t(picked.label)));
  return rows;
}

void SelectionPanel::findNeighbours() {
  const std::int64_t point = session_.selection().point;
  const auto cloud = session_.data().cloud();
  const double eps = session_.parameters().dbscan.eps;
  const auto find = [cloud, point, eps, space = session_.data().space(),
                     scaling = session_.data().scaling(), weights = session_.data().weights()] {
    auto found = aroundPoint(*cloud, std::size_t(point), NeighbourList::kNeighbours, eps, space,
                             scaling, spanOf(weights));
    return found ? std::move(*found) : PointSurroundings();
  };
  finding_->start(find, [this, point, eps, cloud](const PointSurroundings& found) {
    if (cloud != session_.data().cloud()) return;
    neighboursOf_ = point;
    neighboursEps_ = eps;
    around_ = found;
    if (session_.selection().point == point) showPoint();
  });
}

void SelectionPanel::showPoints() {
  const PointSet& points = session_.selection().points;
  const bool areAny = points || session_.selection().rows;
  const QString inFile = selectedInFile();
  points_->setVisible(areAny || !inFile.isEmpty());
  buttons_->setVisible(areAny);
  const auto cloud = session_.data().cloud();
  QString rows;
  if (areAny)
    rows = row(tr("selected"), tr("%1 of %2")
                                   .arg(count(points ? points->size() : 0),
                                        countedPoints(cloud ? cloud->size() : 0)));
  if (!inFile.isEmpty()) rows += row(tr("in the file"), inFile);
  if (const auto summary = session_.selectedPoints().summary()) {
    if (session_.clusterRun().result()) {
      rows += row(tr("clusters"), clustersOf(*summary));
      rows += row(tr("noise"), countedPoints(summary->noise));
    }
  }
  if (areAny) {
    const SelectionBox box = session_.selectedPoints().box();
    for (std::size_t j = 0; j < std::min(box.low.size(), kMostBoxRows); ++j)
      rows += row(QString::fromStdString(cloud->names[j]),
                  tr("%1 to %2").arg(readable(box.low[j]), readable(box.high[j])));
    if (box.low.size() > kMostBoxRows)
      rows += row(tr("…"), tr("%1 more dimensions").arg(count(box.low.size() - kMostBoxRows)));
  }
  points_->setText(rows.isEmpty() ? QString() : tableOf(rows));
  showPoint();
}

void SelectionPanel::showCell() {
  const std::int64_t cell = session_.selection().cell;
  const auto cells = session_.derived().gridCells();
  if (!cells || cell < 0 || std::size_t(cell) >= cells->size() || !session_.display().gridShown) {
    cell_->clear();
    return;
  }
  const CellDescription words = describeCell(*cells, cell);
  QString rows = row(tr("cell"), count(words.linearId));
  rows += row(tr("points"), count(words.points));
  rows += row(tr("candidates"), tr("%1 per point").arg(count(words.candidates)));
  rows +=
      row(tr("adjacent cells"), tr("%1, itself included").arg(count(words.adjacent.size() + 1)));
  const auto cloud = session_.data().cloud();
  for (std::size_t j = 0; j < cells->dims.size() && j < words.low.size(); ++j) {
    const auto dim = std::size_t(cells->dims[j]);
    const QString name = cloud && dim < cloud->names.size()
                             ? QString::fromStdString(cloud->names[dim])
                             : QString::number(dim);
    rows += row(name, tr("%1 to %2").arg(readable(words.low[j]), readable(words.high[j])));
  }
  cell_->setText(tableOf(rows));
}

void SelectionPanel::showWarp() {
  const std::int64_t warp = session_.selection().warp;
  const auto result = session_.loadLab().result();
  const auto light = session_.loadLab().light();
  if (warp < 0 || !result || result->asked.cloud != session_.data().cloud()) {
    warp_->clear();
    return;
  }
  QString rows = row(tr("warp"), count(std::uint64_t(warp)));
  if (!light || light->trace->load.number != warp) {
    warp_->setText(tableOf(rows));
    return;
  }
  // The figures of the report, which may be measured; else those computed separately.
  const LoadReport& report = *result->report;
  const std::int64_t place = result->placeOf(warp);
  const WarpLoad& load = place < 0 ? light->trace->load : report.warps[std::size_t(place)];
  const WarpWork work = workOf(load, report.weights);
  if (report.measured && place >= 0)
    rows += row(tr("measured"), tr("%1 on multiprocessor %2, %3 cycles")
                                    .arg(duration(load.end - load.start),
                                         count(load.multiprocessor), count(load.cycles)));
  if (place < 0) rows += row(tr("sample"), tr("not in it"));
  rows += row(tr("batch"), count(load.batch));
  rows += row(tr("query points"), count(load.tickets));
  rows += row(tr("steps"),
              count(std::accumulate(load.steps.begin(), load.steps.end(), std::uint64_t{0})));
  rows += row(tr("busy"), percent(work.steps > 0 ? work.busy / work.steps : 0));
  const QStringList loops{tr("cell"), tr("search"), tr("candidate"), tr("hit")};
  for (std::size_t loop = 0; loop < load.steps.size(); ++loop) {
    if (load.steps[loop] == 0) continue;
    rows += row(
        tr("%1 steps").arg(loops[int(loop)]),
        tr("%1, %2 busy")
            .arg(count(load.steps[loop]), percent(static_cast<double>(load.laneSteps[loop]) /
                                                  (32.0 * static_cast<double>(load.steps[loop])))));
  }
  rows += row(tr("candidates of a lane"),
              tr("%1 to %2").arg(count(load.shortestLane), count(load.longestLane)));
  rows += row(tr("cells"),
              tr("%1 of its query points, %2 compared with")
                  .arg(count(light->ownCells), count(light->cells.size() - light->ownCells)));
  warp_->setText(tableOf(rows));
}

}  // namespace clusterloom
