#include "ui/panels/data_panel.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engine/cloud/coordinate_order.h"
#include "engine/cloud/projection_names.h"
#include "engine/core/number_text.h"
#include "render/paint/ticks.h"
#include "render/scene/principal_axes.h"
#include "ui/session/added_points.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/widgets/form.h"
#include "ui/widgets/panel_scroll.h"
#include "ui/words/numbers.h"

namespace clusterloom {
namespace {

constexpr int kMostNames = 6;
constexpr int kMostEpsShown = 8;  // dimensions whose ε are shown
// Of the box for the space.
constexpr int kEuclidean = 0;
constexpr int kPeriodic = 1;
constexpr int kSphere = 2;
constexpr int kMetric = 10;  // and the number of the metric

int kindOf(const Space& space) {
  if (space.sphere) return kSphere;
  if (!space.periods.empty()) return kPeriodic;
  return space.metric == Metric::Euclidean ? kEuclidean : kMetric + int(space.metric);
}

// Of the box for the kind of axes.
constexpr int kPrincipal = 0;
constexpr int kDimensions = 1;
constexpr int kColumns = 2;

int axesKindOf(const DisplayState& display) {
  if (!display.projection.empty()) return kColumns;
  return display.pca ? kPrincipal : kDimensions;
}

QString someOf(const QStringList& names) {
  if (names.size() <= kMostNames) return names.join(QStringLiteral(", "));
  return DataPanel::tr("%1 and %2 more")
      .arg(names.mid(0, kMostNames).join(QStringLiteral(", ")))
      .arg(names.size() - kMostNames);
}

}  // namespace

DataPanel::DataPanel(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
  setObjectName(QStringLiteral("dataPanel"));
  QFormLayout* form = panelForm(this);
  addDataRows(form);
  addSpaceRows(form);
  addDimensionRows(form);
  followFields();
  connect(&session_.data(), &SessionData::dataChanged, this, [this] {
    entersFactors_ = entersPeriods_ = false;  // they were of the data before
    showData();
  });
  connect(&session_.data(), &SessionData::cloudChanged, this, &DataPanel::showData);
  for (const auto signal : {&AddedPoints::changed, &AddedPoints::labelsChanged})
    connect(&session_.addedPoints(), signal, this, &DataPanel::showAdded);
  connect(&session_, &Session::parametersChanged, this, &DataPanel::showScaling);
  connect(&session_, &Session::parametersChanged, this, &DataPanel::showSpace);
  connect(&session_, &Session::parametersChanged, this, &DataPanel::showEpsOfDimensions);
  connect(&session_, &Session::displayChanged, this, &DataPanel::showAxes);
  showData();
}

void DataPanel::addDataRows(QFormLayout* form) {
  name_ = new QLabel(this);
  name_->setProperty("role", "value");
  name_->setTextFormat(Qt::PlainText);
  name_->setWordWrap(true);
  size_ = new QLabel(this);
  size_->setWordWrap(true);
  columns_ = mutedLabel(this);
  columns_->setTextFormat(Qt::PlainText);
  importAgain_ = named("importAgain", new QPushButton(tr("&Columns…"), this));
  importAgain_->setToolTip(tr("Choose which columns are coordinates and read the file again"));
  form->addRow(name_);
  form->addRow(size_);
  auto* columnsRow = new QHBoxLayout;
  columnsRow->addWidget(columns_, 1);
  columnsRow->addWidget(importAgain_, 0, Qt::AlignTop);
  form->addRow(columnsRow);
  added_ = named("addedPoints", new QLabel(this));
  added_->setTextFormat(Qt::PlainText);
  added_->setWordWrap(true);
  form->addRow(added_);
}

/// A row of a form whose field has several parts, of which some may be hidden; the label is that of
/// the first one. As rows of their own, a QFormLayout that wraps long rows gives some of them no
/// height when others come and go.
static QWidget* addParts(QFormLayout* form, const QString& label, const QList<QWidget*>& parts) {
  auto* field = new QWidget(form->parentWidget());
  auto* layout = spaced(new QVBoxLayout(field), {0, 0, 0, 0}, 5);
  for (QWidget* part : parts) layout->addWidget(part);
  form->addRow(label, field);
  static_cast<QLabel*>(form->labelForField(field))->setBuddy(parts.front());
  return field;
}

void DataPanel::addSpaceRows(QFormLayout* form) {
  scaling_ = named("scaling", panelCombo(this, tr("Scaling")));
  scaling_->setToolTip(
      tr("A change of units before clustering; exports keep the original coordinates"));
  scaling_->addItem(tr("none"), int(Scaling::Kind::None));
  scaling_->addItem(tr("unit range"), int(Scaling::Kind::Unit));
  scaling_->addItem(tr("z-score"), int(Scaling::Kind::ZScore));
  scaling_->addItem(tr("factors"), int(Scaling::Kind::Factors));
  factors_ = named("factors", new QLineEdit(this), tr("Factors, one per dimension"));
  factors_->setPlaceholderText(tr("per dimension: 1, 1, 0.5"));
  factorsError_ = errorLabel(this);
  addParts(form, tr("Sca&ling"), {scaling_, factors_, factorsError_});

  space_ = named("space", panelCombo(this, tr("Distances")));
  space_->setToolTip(
      tr("How distances are measured: as they are, across the faces of a periodic box,\n"
         "along great circles between longitudes and latitudes in degrees, by the angle between\n"
         "two points (cosine), or as the sum (Manhattan) or the largest (Chebyshev) of the\n"
         "differences of their coordinates"));
  space_->addItem(tr("Euclidean"), kEuclidean);
  space_->addItem(tr("periodic box"), kPeriodic);
  space_->addItem(tr("longitude, latitude"), kSphere);
  space_->addItem(tr("cosine"), kMetric + int(Metric::Cosine));
  space_->addItem(tr("Manhattan"), kMetric + int(Metric::Manhattan));
  space_->addItem(tr("Chebyshev"), kMetric + int(Metric::Chebyshev));
  periods_ = named("periods", new QLineEdit(this), tr("Periods, one per dimension"));
  periods_->setPlaceholderText(tr("per dimension: 10, 10, 0"));
  periods_->setToolTip(
      tr("The length of the box in each dimension, in the units of the data; 0 where it is not\n"
         "periodic. ε must be less than half of each period"));
  spaceNote_ = named("spaceNote", wrappedLabel(this));
  spaceNote_->setProperty("role", "muted");
  spaceError_ = named("spaceError", errorLabel(this));
  addParts(form, tr("&Distances"), {space_, periods_, spaceNote_, spaceError_});
}

void DataPanel::addDimensionRows(QFormLayout* form) {
  epsOfDimensions_ = named("epsOfDimensions", new QLineEdit(this), tr("ε of each dimension"));
  epsOfDimensions_->setToolTip(
      tr("The ε of each dimension, in the units of the data: how far a neighbour may be along it.\n"
         "Scales the dimensions by factors; the slider of ε then changes all in proportion"));
  epsError_ =
      named("epsError",
            errorLabel(this, tr("Give one positive number per dimension, separated by commas.")));
  epsRow_ = addParts(form, tr("ε &by dim."), {epsOfDimensions_, epsError_});

  axesRow_ = new QWidget(this);
  auto* axesLayout = spaced(new QVBoxLayout(axesRow_), {0, 0, 0, 0}, 5);
  axesKind_ = named("axesKind", panelCombo(axesRow_, tr("Axes shown")));
  axesLayout->addWidget(axesKind_);
  auto* threeAxes = new QHBoxLayout;
  for (int axis = 0; axis < 3; ++axis) {
    QComboBox* combo = panelCombo(axesRow_, tr("Dimension on axis %1").arg(axis + 1));
    combo->setMinimumContentsLength(3);
    combo->setObjectName(QStringLiteral("axis%1").arg(axis));
    axes_[std::size_t(axis)] = combo;
    threeAxes->addWidget(combo, 1);
    connect(combo, &QComboBox::activated, this, &DataPanel::takeAxes);
  }
  axesLayout->addLayout(threeAxes);
  form->addRow(tr("A&xes"), axesRow_);
  static_cast<QLabel*>(form->labelForField(axesRow_))->setBuddy(axesKind_);
}

void DataPanel::followFields() {
  connect(importAgain_, &QPushButton::clicked, this, &DataPanel::importAgainRequested);
  connect(scaling_, &QComboBox::activated, this, [this] {
    const auto kind = Scaling::Kind(scaling_->currentData().toInt());
    entersFactors_ = kind == Scaling::Kind::Factors;
    factors_->setVisible(kind == Scaling::Kind::Factors);
    if (kind == Scaling::Kind::Factors) PanelScroll::reveal(factors_);
    if (kind == Scaling::Kind::Factors && factors_->text().isEmpty()) {
      factors_->setFocus();
      return;
    }
    takeScaling();
  });
  connect(factors_, &QLineEdit::textEdited, this, [this] { entersFactors_ = true; });
  connect(factors_, &QLineEdit::editingFinished, this, &DataPanel::takeScaling);
  connect(space_, &QComboBox::activated, this, [this] {
    const bool periodic = space_->currentData().toInt() == kPeriodic;
    entersPeriods_ = periodic;
    periods_->setVisible(periodic);
    spaceError_->hide();
    if (periodic) PanelScroll::reveal(periods_);
    if (periodic && periods_->text().isEmpty()) {
      spaceNote_->hide();
      periods_->setFocus();
      return;
    }
    takeSpace();
  });
  connect(periods_, &QLineEdit::textEdited, this, [this] { entersPeriods_ = true; });
  connect(periods_, &QLineEdit::editingFinished, this, &DataPanel::takeSpace);
  connect(epsOfDimensions_, &QLineEdit::editingFinished, this, &DataPanel::takeEpsOfDimensions);
  for (QLineEdit* field : {factors_, periods_, epsOfDimensions_})
    passShortcuts(field, [field] { return field->isModified(); });
  connect(axesKind_, &QComboBox::activated, this, &DataPanel::takeAxes);
}

void DataPanel::showData() {
  const auto dataset = session_.data().dataset();
  setEnabled(bool(dataset));
  name_->setText(dataset ? session_.data().dataName() : tr("no data"));
  QString size;
  QString columns;
  if (dataset) {
    size = tr("%1 × %2").arg(countedPoints(dataset->cloud.size()),
                             countedDimensions(dataset->cloud.dims()));
    const auto whole = session_.data().whole();
    if (whole->every > 1) size += tr("\none row of %1 was read").arg(count(whole->every));
    if (!whole->skippedRows.empty()) {
      size += tr("\n%1 of %2 rows skipped")
                  .arg(count(whole->skippedRows.size()), count(whole->inputRows));
    }
    if (session_.data().kept()) size += tr("\nkept of %1").arg(countedPoints(whole->cloud.size()));
    QStringList names;
    for (const std::string& name : dataset->cloud.names) names << QString::fromStdString(name);
    columns = someOf(names);
    QStringList kept;
    for (const Attribute& attribute : dataset->attributes) {
      kept << QString::fromStdString(attribute.name);
    }
    if (!kept.isEmpty()) columns += tr("\nkept: %1").arg(someOf(kept));
    name_->setToolTip(QString::fromStdString(dataset->source.path));
  }
  size_->setText(size);
  columns_->setText(columns);
  importAgain_->setVisible(dataset && dataset->source.format == "csv");
  showAdded();
  showScaling();
  showSpace();
  showEpsOfDimensions();
  showAxes();
}

void DataPanel::showAdded() {
  const AddedPoints& added = session_.addedPoints();
  added_->setVisible(bool(added.dataset()));
  added_->setText(QStringLiteral("◆ ") + added.summary());
  added_->setToolTip(added.path());
}

void DataPanel::showScaling() {
  if (entersFactors_ && factors_->hasFocus()) return;
  const ScalingChoice& choice = session_.parameters().scaling;
  scaling_->setCurrentIndex(std::max(0, scaling_->findData(int(choice.kind))));
  const bool factors = choice.kind == Scaling::Kind::Factors;
  factors_->setVisible(factors);
  factorsError_->hide();
  if (!factors) return;
  factors_->setText(listText(choice.factors));
}

void DataPanel::takeScaling() {
  const auto dataset = session_.data().dataset();
  if (!dataset) return;
  ScalingChoice choice;
  choice.kind = Scaling::Kind(scaling_->currentData().toInt());
  if (choice.kind == Scaling::Kind::Factors) {
    const auto scaling = parseScaling(plainList(factors_->text()).toStdString(), dataset->cloud);
    const bool good = scaling && scaling->kind == Scaling::Kind::Factors;
    factorsError_->setVisible(!good);
    if (!good) {
      factorsError_->setText(scaling ? tr("Give one number per dimension, separated by commas.")
                                     : QString::fromStdString(scaling.error().message));
      return PanelScroll::reveal(factorsError_);
    }
    choice.factors = scaling->factor;
    factors_->setModified(false);  // taken
  }
  entersFactors_ = false;
  session_.setScaling(choice);
}

/// A hint where names of coordinates look like longitude and latitude; empty: they do not.
QString DataPanel::degreesHint(const PointCloud& cloud, const QString& sphere) {
  const auto pair = geographicPair(cloud.names);
  if (!pair) return {};
  if (cloud.dims() == 2)
    return tr("Are these degrees? Choose %1 under Distances for an ε in metres.").arg(sphere);
  return tr("Are %1 and %2 degrees? For an ε in metres, choose only these two coordinates "
            "(Columns…).")
      .arg(QString::fromStdString(cloud.names[pair->longitude]),
           QString::fromStdString(cloud.names[pair->latitude]));
}

void DataPanel::showSpace() {
  const Space& space = session_.parameters().space;
  if (entersPeriods_ && periods_->hasFocus() && space.isEuclidean()) return;
  const bool periodic = !space.periods.empty();
  space_->setCurrentIndex(space_->findData(kindOf(space)));
  periods_->setVisible(periodic);
  if (periodic) periods_->setText(listText(space.periods));
  spaceError_->hide();
  const auto dataset = session_.data().dataset();
  const GeographicNames names = dataset ? geographicNames(dataset->cloud) : GeographicNames::None;
  const bool latitudeFirst =
      space.sphere ? space.sphere->latitudeFirst : names == GeographicNames::LatitudeFirst;
  space_->setItemText(space_->findData(kSphere),
                      latitudeFirst ? tr("latitude, longitude") : tr("longitude, latitude"));
  const QString hint =
      dataset && space.isEuclidean()
          ? degreesHint(dataset->cloud, space_->itemText(space_->findData(kSphere)))
          : QString();
  spaceNote_->setVisible(!space.isEuclidean() || !hint.isEmpty());
  spaceNote_->setText(
      space.sphere ? tr("ε is the length of a great circle in metres. Every ε, k-distances, "
                        "grid and warp load are not shown.")
      : space.metric == Metric::Cosine
          ? tr("ε is 1 − cos of the angle between two points, from 0 to 2. The map of ε and "
               "minPts, grid and warp load are not shown.")
      : !hint.isEmpty() ? hint
      : space.periods.empty()
          ? tr("The map of ε and minPts, grid and warp load are not shown.")
          : tr("K-distances, the map of ε and minPts, grid and warp load are not shown."));
  scaling_->setEnabled(!space.sphere);
}

void DataPanel::takeSpace() {
  const auto dataset = session_.data().dataset();
  if (!dataset) return;
  // Nothing was given: what is in force is shown again.
  if (space_->currentData().toInt() == kPeriodic && periods_->text().trimmed().isEmpty()) {
    entersPeriods_ = false;
    return showSpace();
  }
  Space space;
  const int kind = space_->currentData().toInt();
  if (kind == kSphere) space.sphere.emplace();
  if (kind >= kMetric) space.metric = Metric(kind - kMetric);
  if (kind == kPeriodic) {
    const auto refuse = [this](const QString& why) {
      spaceError_->setText(why);
      spaceError_->show();
      PanelScroll::reveal(spaceError_);
    };
    const auto periods = parsePeriods(plainList(periods_->text()).toStdString());
    if (!periods) return refuse(QString::fromStdString(periods.error().message));
    if (periods->size() != dataset->cloud.dims())
      return refuse(tr("Give one period per dimension, separated by commas; 0 stands for none."));
    space.periods = *periods;
    periods_->setModified(false);  // taken
  }
  spaceError_->hide();
  entersPeriods_ = false;
  session_.setSpace(space);
}

void DataPanel::showEpsOfDimensions() {
  const auto cloud = session_.data().cloud();
  const bool shown = cloud && int(cloud->dims()) <= kMostEpsShown &&
                     !session_.parameters().space.sphere &&
                     session_.parameters().space.metric != Metric::Cosine;
  epsRow_->setVisible(shown);
  if (auto* form = qobject_cast<QFormLayout*>(layout()))
    form->labelForField(epsRow_)->setVisible(shown);
  epsError_->hide();
  if (!shown) return;
  const bool known =
      !session_.data().awaitsEps() && session_.data().isApplied(session_.parameters());
  epsOfDimensions_->setReadOnly(!known);  // disabled, it would lose the focus
  std::vector<double> all;
  for (std::size_t j = 0; known && j < cloud->dims(); ++j) {
    const auto& factor = session_.data().scaling().factor;
    const double eps =
        session_.parameters().dbscan.eps / (factor.empty() ? 1 : std::abs(factor[j]));
    // Without the last digits, which come and go as ε is divided by factors and back.
    all.push_back(roundedTo(eps, 12));
  }
  shownEps_ = listText(all);
  epsOfDimensions_->setText(shownEps_);
}

void DataPanel::takeEpsOfDimensions() {
  const auto cloud = session_.data().cloud();
  if (!cloud || epsOfDimensions_->text() == shownEps_) {
    epsError_->hide();
    return epsOfDimensions_->setModified(false);
  }
  std::vector<double> eps;
  const QStringList words = plainList(epsOfDimensions_->text()).split(QLatin1Char(','));
  for (const QString& word : words) {
    const auto number = readNumber("ε", word.toStdString());
    if (number && *number > 0) eps.push_back(*number);
  }
  const bool good = eps.size() == cloud->dims() && words.size() == qsizetype(eps.size());
  epsError_->setVisible(!good);
  if (!good) return PanelScroll::reveal(epsError_);
  epsOfDimensions_->setModified(false);
  session_.setEpsOfDimensions(eps);
}

/// Lists the columns that the axes may show; `kind` is one of the box for the kind of axes.
void DataPanel::fillAxes(int kind) {
  const auto dataset = session_.data().dataset();
  if (filledFrom_.lock() == dataset && filledKind_ == kind) return;
  filledFrom_ = dataset;
  filledKind_ = kind;
  const std::vector<std::string> columns = numberColumns(*dataset);
  axesKind_->clear();
  axesKind_->addItem(tr("principal axes"), kPrincipal);
  axesKind_->addItem(tr("chosen dimensions"), kDimensions);
  if (columns.size() > 1) axesKind_->addItem(tr("other columns"), kColumns);
  const std::size_t points = dataset->cloud.size();
  const std::size_t sampled = principalSample(points, dataset->cloud.dims());
  QString tip =
      tr("What the axes of the view show. Clusters are computed in all dimensions.\n"
         "Principal axes are the directions in which the points vary most, with their\n"
         "share of the variance");
  if (sampled < points) tip += tr("; computed from %1 of the points").arg(count(sampled));
  axesKind_->setToolTip(tip);
  QStringList names;
  for (const std::string& name : kind == kColumns ? columns : dataset->cloud.names)
    names << QString::fromStdString(name);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    axes_[axis]->clear();
    axes_[axis]->addItems(names);
    if (axis > (kind == kColumns ? 1 : 0)) axes_[axis]->addItem(tr("none"));
  }
}

void DataPanel::showAxes() {
  const auto dataset = session_.data().dataset();
  const bool many = dataset && dataset->cloud.dims() > 3;
  axesRow_->setVisible(many);
  if (auto* form = qobject_cast<QFormLayout*>(layout())) {
    form->labelForField(axesRow_)->setVisible(many);
  }
  if (!many) return;
  const DisplayState& display = session_.display();
  const int kind = axesKindOf(display);
  fillAxes(kind);
  axesKind_->setCurrentIndex(std::max(0, axesKind_->findData(kind)));
  for (std::size_t axis = 0; axis < 3; ++axis) {
    QComboBox* combo = axes_[axis];
    int chosen = display.axes[axis];
    if (kind == kColumns)
      chosen = axis < display.projection.size()
                   ? combo->findText(QString::fromStdString(display.projection[axis]))
                   : -1;
    combo->setCurrentIndex(chosen >= 0 ? chosen : combo->count() - 1);
    combo->setVisible(kind != kPrincipal);
  }
}

void DataPanel::takeAxes() {
  const auto dataset = session_.data().dataset();
  if (!dataset) return;
  DisplayState display = session_.display();
  const int kind = axesKind_->currentData().toInt();
  const bool wereShown = kind == axesKindOf(display);
  if (kind != kColumns) {
    display.projection.clear();
    display.pca = kind == kPrincipal;
    for (std::size_t axis = 0; wereShown && kind == kDimensions && axis < 3; ++axis) {
      const int chosen = axes_[axis]->currentIndex();
      display.axes[axis] = std::size_t(chosen) < dataset->cloud.dims() ? chosen : -1;
    }
  } else {
    const std::vector<std::string> columns = numberColumns(*dataset);
    std::vector<std::string> chosen;
    for (const QComboBox* combo : axes_) {
      const auto at = std::size_t(combo->currentIndex());
      if (at < columns.size() &&
          std::find(chosen.begin(), chosen.end(), columns[at]) == chosen.end())
        chosen.push_back(columns[at]);
    }
    if (!wereShown)
      display.projection = proposedProjection(columns);
    else if (chosen.size() > 1)
      display.projection = chosen;
  }
  session_.setDisplay(display);
  showAxes();  // also where a choice was not taken
  if (!wereShown && axes_[2]->isVisible()) PanelScroll::reveal(axes_[2]);
}

}  // namespace clusterloom
