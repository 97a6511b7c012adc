#include "ui/view/cloud_view.h"

#include <vtkInteractorObserver.h>
#include <vtkRenderWindow.h>
#include <vtkRenderWindowInteractor.h>
#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QStyleHints>

#include "render/paint/palette.h"
#include "render/scene/picking.h"
#include "render/scene/point_colours.h"
#include "ui/session/cluster_run.h"
#include "ui/session/derived_results.h"
#include "ui/session/load_lab.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/theme/theme.h"
#include "ui/view/latest_call.h"
#include "ui/view/pattern_highlights.h"
#include "ui/view/words.h"

namespace clusterloom {

namespace {
constexpr double kPickRadius = 7;  // logical pixels around the pointer
constexpr int kHoverDelay = 30;
constexpr int kInteractionRest = 250;
constexpr double kKeyTurn = 7.5;  // degrees
constexpr double kKeyZoom = 1.2;
constexpr int kMostKeyEntries = 12;

QLabel* overlayLabel(QWidget* parent, const char* name) {
  auto* label = new QLabel(parent);
  label->setObjectName(QLatin1String(name));
  label->setAttribute(Qt::WA_TransparentForMouseEvents);
  label->setTextFormat(Qt::PlainText);
  label->hide();
  return label;
}

}  // namespace

CloudView::CloudView(Session& session, QWidget* parent) : VtkView(parent), session_(session) {
  setObjectName(QStringLiteral("cloudView"));
  setAccessibleName(tr("Cloud view"));
  setAccessibleDescription(
      tr("Arrow keys turn or pan, plus and minus zoom, Home shows everything, Escape clears the "
         "selection."));
  setMinimumSize(240, 160);
  picking_ = new LatestCall(this);
  zooming_ = new LatestCall(this);
  walking_ = new LatestCall(this);
  badge_ = overlayLabel(this, "previewBadge");
  hover_ = overlayLabel(this, "hoverText");
  key_ = overlayLabel(this, "colourKey");
  key_->setTextFormat(Qt::RichText);

  scene_.attach(renderWindow());
  interactor()->SetInteractorStyle(scene_.interactorStyle());
  applyStyle();

  updateTimer_.setSingleShot(true);
  connect(&updateTimer_, &QTimer::timeout, this, &CloudView::startUpdate);
  interactionTimer_.setSingleShot(true);
  interactionTimer_.setInterval(kInteractionRest);
  connect(&interactionTimer_, &QTimer::timeout, this, [this] {
    scene_.setInteracting(false);
    requestFrame();
  });
  hoverTimer_.setSingleShot(true);
  hoverTimer_.setInterval(kHoverDelay);
  connect(&hoverTimer_, &QTimer::timeout, this, [this] { hoverAt(hoverPosition_); });
  connect(this, &VtkView::frameDrawn, this, &CloudView::onFrameDrawn);

  connect(&session_.data(), &SessionData::dataAboutToChange, this, &CloudView::forgetPoints);
  connect(&session_, &Session::selectionChanged, this, &CloudView::scheduleUpdate);
  connect(&session_.data(), &SessionData::cloudChanged, this, &CloudView::scheduleUpdate);
  connect(&session_.clusterRun(), &ClusterRun::resultChanged, this, &CloudView::scheduleUpdate);
  for (const auto signal :
       {&DerivedResults::colourValuesChanged, &DerivedResults::gridCellsChanged})
    connect(&session_.derived(), signal, this, &CloudView::scheduleUpdate);
  connect(&session_.loadLab(), &LoadLab::lightChanged, this, &CloudView::scheduleUpdate);
  connect(&session_.loadLab(), &LoadLab::lightStepChanged, this, &CloudView::scheduleUpdate);
  connect(&session_.clusterRun(), &ClusterRun::previewChanged, this, [this] {
    updateBadge();
    scheduleUpdate();
  });
  connect(&session_.clusterRun(), &ClusterRun::resultChanged, this, &CloudView::updateBadge);
  connect(&session_, &Session::displayChanged, this, [this] {
    applyStyle();
    scheduleUpdate();
  });
  connect(&session_, &Session::selectionChanged, this, &CloudView::applyMarkers);
  connect(&session_, &Session::hoverChanged, this, &CloudView::applyMarkers);
  connect(&session_.jobs(), &JobQueue::ended, this,
          [this](quint64, JobKind kind, JobEnd end, double) {
            if (kind == JobKind::Scene && end != JobEnd::Superseded) updating_ = false;
          });
  scheduleUpdate();
}

CloudView::~CloudView() {
  disconnect(&session_, nullptr, this, nullptr);
  disconnect(&session_.jobs(), nullptr, this, nullptr);
  disconnect(&session_.loadLab(), nullptr, this, nullptr);
  session_.jobs().cancel(JobKind::Scene);
  releaseGl();
  interactor()->SetInteractorStyle(nullptr);
  scene_.detach();
}

Background CloudView::background() const {
  const QColor chosen = session_.display().background;
  const bool dark = chosen.isValid() ? chosen.lightnessF() < 0.5 : isDark(palette());
  return dark ? Background::Dark : Background::Light;
}

void CloudView::forgetPoints() {
  picking_->forget();
  zooming_->forget();
  walking_->forget();
  walked_.reset();
  patternCells_.reset();
  session_.jobs().cancel(JobKind::Scene);
  content_ = {};
  shownCloud_.reset();
  shownCells_.reset();
  shownPreview_.reset();
  describeHover({});
  scene_.setCells(nullptr, CellColour::Count);
  scene_.setMarker({});
  scene_.setPoints(nullptr);
  scheduleUpdate();
}

void CloudView::scheduleUpdate() {
  if (!updateTimer_.isActive()) updateTimer_.start(0);
}

void CloudView::startUpdate() {
  const auto cloud = session_.data().cloud();
  if (!cloud || cloud->size() == 0) {
    updating_ = false;
    scene_.setPoints(nullptr);
    updateKey();
    requestFrame();
    return;
  }
  const DisplayState& display = session_.display();
  SceneRequest request;
  request.cloud = cloud;
  request.axes = viewAxesOf(display, cloud->dims());
  const bool samePoints = content_.points && cloud == shownCloud_ && request.axes == shownAxes_;
  if (samePoints) request.points = content_.points;
  request.result = session_.clusterRun().result();
  if (request.result && request.result->cloud != cloud) request.result.reset();
  request.preview = session_.clusterRun().preview();
  if (samePoints && request.preview && shownPreview_ &&
      request.preview->points == shownPreview_->points) {
    request.previewPoints = content_.previewPoints;
  }
  request.values = session_.derived().colourValues();
  if (display.gridShown) request.cells = session_.derived().gridCells();
  if (samePoints && request.cells == shownCells_) request.boxes = content_.boxes;
  request.by = display.colourBy;
  request.background = background();
  request.highlighted.assign(session_.selection().clusters.begin(),
                             session_.selection().clusters.end());
  request.hidden.assign(display.hidden.begin(), display.hidden.end());
  request.marked = session_.selection().point;
  if (const auto load = session_.loadLab().result(); load && load->asked.cloud == cloud)
    request.light = session_.loadLab().light();
  request.lightStep = session_.loadLab().lightStep();

  updating_ = true;
  session_.jobs().start<SceneContent>(
      JobKind::Scene, tr("Preparing the view"),
      [request](const Task& task) { return makeSceneContent(request, task); },
      [this, request](Result<SceneContent> content) {
        updating_ = false;
        if (!content) {
          notice_ = QString::fromStdString(content.error().message);
          Q_EMIT noticeChanged(notice_);
          return;
        }
        shownCloud_ = request.cloud;
        shownAxes_ = request.axes;
        shownCells_ = request.cells;
        shownPreview_ = request.preview;
        showContent(*content);
      });
}

void CloudView::showContent(const SceneContent& content) {
  const bool otherPoints = scene_.points() != content.drawn();
  const bool otherCells = content_.boxes != content.boxes;
  content_ = content;
  if (otherPoints) {
    scene_.setPoints(content_.drawn());
    interactor()->SetInteractorStyle(scene_.interactorStyle());
  }
  scene_.setColours(*content_.colours);
  scene_.setLegend(content_.legend);
  QString notice = QString::fromStdString(content_.cellsMessage);
  if (otherCells || otherPoints || content_.boxes) {
    const CellColour by = session_.display().gridColouring == GridColouring::Workload
                              ? CellColour::Workload
                              : CellColour::Count;
    const std::string said = scene_.setCells(content_.boxes, by);
    if (notice.isEmpty()) notice = QString::fromStdString(said);
    // Two legends would cover one another: that of the points comes first.
    if (!content_.legend && content_.boxes) {
      if (const auto scale = scene_.cellScale()) {
        const QString title =
            by == CellColour::Workload ? tr("candidates per point") : tr("points per cell");
        scene_.setLegend(ScalarLegend{title.toStdString(), *scale});
      }
    }
  }
  applyMarkers();
  updateKey();
  updateBadge();
  if (!cameraToRestore_.empty()) {
    scene_.setCameraState(cameraToRestore_);
    cameraToRestore_.clear();
  }
  if (notice != notice_) {
    notice_ = notice;
    Q_EMIT noticeChanged(notice_);
  }
  requestFrame();
}

bool CloudView::isSettled() const {
  return !updating_ && !updateTimer_.isActive() && !interactionTimer_.isActive() &&
         !scene_.moreToDraw();
}

void CloudView::onFrameDrawn() {
  if (scene_.moreToDraw() && !interactionTimer_.isActive()) {
    QTimer::singleShot(0, this, [this] { requestFrame(); });
  } else if (isSettled()) {
    Q_EMIT settled();
  }
}

void CloudView::applyStyle() {
  const DisplayState& display = session_.display();
  scene_.setBackground(background());
  scene_.setPointSize(display.pointSize);
  scene_.setAxesVisible(display.axesShown);
  // On the canvas, not on the window: readable whatever the theme is.
  const bool dark = background() == Background::Dark;
  const QString pill = QStringLiteral(
                           "QLabel { background: %1; color: %2; border: 1px solid %3; "
                           "border-radius: 6px; padding: 4px 9px; }")
                           .arg(dark ? QStringLiteral("rgba(24,30,38,225)")
                                     : QStringLiteral("rgba(255,255,255,230)"),
                                dark ? QStringLiteral("#dde3ea") : QStringLiteral("#1b2430"),
                                dark ? QStringLiteral("#3a4452") : QStringLiteral("#d3d9e1"));
  hover_->setStyleSheet(pill);
  key_->setStyleSheet(pill);
  badge_->setStyleSheet(QStringLiteral(
      "QLabel { background: #ffc861; color: #2b1d00; border-radius: 6px; padding: 5px 11px; "
      "font-weight: 600; }"));
  placeOverlays();
  requestFrame();
}

void CloudView::applyMarkers() {
  const Selection& selection = session_.selection();
  pointOutPattern();
  scene_.setMarker(content_.marked);
  scene_.setMarkerRadius(content_.marked ? session_.parameters().dbscan.eps : 0);
  const std::int64_t cell = selection.hoveredCell >= 0 ? selection.hoveredCell : selection.cell;
  const bool known = content_.boxes && cell >= 0 && std::size_t(cell) < content_.boxes->size();
  scene_.setCellMarker(known ? std::optional<std::size_t>(std::size_t(cell)) : std::nullopt);
  requestFrame();
}

// Arrows from the cell under the pointer replace the cells of a warp while they are shown.
void CloudView::pointOutPattern() {
  const Selection& selection = session_.selection();
  const PatternArrows arrows = session_.display().patternArrows;
  const std::int64_t cell = selection.hoveredCell >= 0 ? selection.hoveredCell : selection.cell;
  if (arrows == PatternArrows::None || cell < 0 || !content_.boxes || !shownCells_) {
    walking_->forget();
    patternCells_.reset();
    scene_.setHighlights(content_.highlights);
    return;
  }
  scene_.setHighlights(patternCells_ ? patternCells_ : content_.highlights);
  walking_->start([this, arrows, cell, cells = shownCells_, walked = walked_,
                   points = content_.points]() -> std::function<void()> {
    const auto over =
        walked && walked->cells == cells ? walked : std::make_shared<const WalkedCells>(cells);
    const auto highlights =
        patternHighlights(*over, arrows, static_cast<std::uint32_t>(cell), points->space);
    return [this, over, highlights, points] {
      if (points != content_.points || over->cells != shownCells_) return;
      walked_ = over;
      patternCells_ = highlights;
      scene_.setHighlights(patternCells_ ? patternCells_ : content_.highlights);
      requestFrame();
    };
  });
}

QString CloudView::approximateText() const {
  const auto preview = session_.clusterRun().preview();
  return preview ? preview->text : QString();
}

void CloudView::updateBadge() {
  const QString text = approximateText();
  badge_->setText(text);
  badge_->setVisible(!text.isEmpty());
  placeOverlays();
}

// The key says what the colours mean where they are few: roles and categories.
void CloudView::updateKey() {
  QStringList entries;
  const auto entry = [&](const Colour& colour, const QString& word) {
    entries << QStringLiteral("<span style='color:rgb(%1,%2,%3)'>●</span> %4")
                   .arg(colour.r)
                   .arg(colour.g)
                   .arg(colour.b)
                   .arg(word.toHtmlEscaped());
  };
  const DisplayState& display = session_.display();
  const auto values = session_.derived().colourValues();
  if (!session_.clusterRun().preview() && display.colourBy == ColourBy::Role &&
      session_.clusterRun().result()) {
    // From the same function that colours the points, so that the key is right.
    const std::array<PointRole, 3> roles{PointRole::Core, PointRole::Border, PointRole::Noise};
    const std::array<std::int32_t, 3> labels{0, 0, kNoise};
    const std::array<std::uint32_t, 3> order{0, 1, 2};
    ColourRequest request;
    request.by = PointColouring::Role;
    request.background = background();
    request.roles = roles;
    request.labels = labels;
    const std::vector<std::uint8_t> rgb = colourPoints(request, order);
    const QStringList words{tr("core"), tr("border"), tr("noise")};
    for (int i = 0; i < 3; ++i) {
      const auto at = 4 * std::size_t(i);
      entry({rgb[at], rgb[at + 1], rgb[at + 2]}, words[i]);
    }
  } else if (!session_.clusterRun().preview() && values && values->by == display.colourBy &&
             display.colourBy == ColourBy::Attribute && !values->words.empty()) {
    const int shown = std::min(int(values->words.size()), kMostKeyEntries);
    for (int i = 0; i < shown; ++i) {
      entry(clusterColour(i), QString::fromStdString(values->words[std::size_t(i)]));
    }
    if (shown < int(values->words.size())) {
      entries << tr("and %1 more").arg(count(values->words.size() - std::size_t(shown)));
    }
  }
  key_->setText(entries.join(QStringLiteral("<br>")));
  key_->setVisible(!entries.isEmpty());
  placeOverlays();
}

void CloudView::placeOverlays() {
  // In one line where it fits.
  badge_->setWordWrap(false);
  if (badge_->sizeHint().width() > width() - 24) {
    badge_->setWordWrap(true);
    badge_->setFixedWidth(std::max(120, width() - 24));
  } else {
    badge_->setMinimumWidth(0);
    badge_->setMaximumWidth(QWIDGETSIZE_MAX);
  }
  badge_->adjustSize();
  badge_->move((width() - badge_->width()) / 2, 12);
  key_->adjustSize();
  key_->move(width() - key_->width() - 12, 12);
  hover_->adjustSize();
  // Beside the rulers of a flat view, above the box of one in space.
  hover_->move(scene_.isFlat() ? 76 : 12, 12);
}

void CloudView::describeHover(const QString& text) {
  if (text == hover_->text() && hover_->isVisible() == !text.isEmpty()) return;
  hover_->setText(text);
  hover_->setVisible(!text.isEmpty());
  placeOverlays();
}

void CloudView::fit() {
  scene_.fit();
  noteInteraction();
}

void CloudView::setViewPreset(ViewPreset preset) {
  scene_.setViewPreset(preset);
  noteInteraction();
}

void CloudView::zoomTo(const std::set<std::int32_t>& clusters) {
  const auto points = content_.points;
  const auto result = session_.clusterRun().result();
  if (!points || !result || clusters.empty()) return fit();
  std::vector<std::int32_t> wanted(clusters.begin(), clusters.end());
  zooming_->start([this, points, result, wanted]() -> std::function<void()> {
    const DisplayBox box = boxOfLabels(*points, result->clustering.labels, wanted);
    return [this, box] {
      scene_.zoomTo(box);
      noteInteraction();
    };
  });
}

void CloudView::restoreCamera(const std::vector<double>& state) {
  cameraToRestore_ = state;
  if (content_.points && !updating_ && scene_.setCameraState(state)) {
    cameraToRestore_.clear();
    noteInteraction();
  }
}

void CloudView::noteInteraction() {
  scene_.setInteracting(true);
  interactionTimer_.start();
  requestFrame();
}

void CloudView::aboutToDraw() {
  // Only when it is another one: the scene starts its picture anew.
  if (devicePixelRatioF() == pixelRatio_) return;
  pixelRatio_ = devicePixelRatioF();
  scene_.setPixelRatio(pixelRatio_);
}

void CloudView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) {
    applyStyle();
    scheduleUpdate();
  }
  VtkView::changeEvent(event);
}

void CloudView::resizeEvent(QResizeEvent* event) {
  VtkView::resizeEvent(event);
  scene_.restartFrame();
  placeOverlays();
}

void CloudView::mousePressEvent(QMouseEvent* event) {
  pressPosition_ = event->position().toPoint();
  moved_ = false;
  VtkView::mousePressEvent(event);
}

void CloudView::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons() != Qt::NoButton) {
    if ((event->position().toPoint() - pressPosition_).manhattanLength() >
        QApplication::styleHints()->startDragDistance() / 2) {
      moved_ = true;
    }
    if (moved_) {
      describeHover({});
      noteInteraction();
    }
  } else {
    hoverPosition_ = event->position();
    if (!hoverTimer_.isActive()) hoverTimer_.start();
  }
  VtkView::mouseMoveEvent(event);
}

void CloudView::mouseReleaseEvent(QMouseEvent* event) {
  VtkView::mouseReleaseEvent(event);
  if (moved_) return;
  if (event->button() == Qt::LeftButton) {
    pickAt(event->position(), event->modifiers().testFlag(Qt::ControlModifier));
  } else if (event->button() == Qt::RightButton) {
    Q_EMIT menuRequested(event->globalPosition().toPoint());
  }
}

// The mouse's menu comes on release without a drag (a right drag zooms); only the key asks here.
void CloudView::contextMenuEvent(QContextMenuEvent* event) {
  if (event->reason() == QContextMenuEvent::Keyboard) Q_EMIT menuRequested(event->globalPos());
  event->accept();
}

void CloudView::leaveEvent(QEvent* event) {
  hoverTimer_.stop();
  picking_->forget();
  describeHover({});
  session_.setHoveredPoint(-1);
  session_.setHoveredCell(-1);
  VtkView::leaveEvent(event);
}

void CloudView::wheelEvent(QWheelEvent* event) {
  noteInteraction();
  VtkView::wheelEvent(event);
}

namespace {

/// The object at a place of the picture.
struct Found {
  std::optional<PickedPoint> point;
  std::optional<std::size_t> cell;
};

Found findUnder(const SceneContent& content, const GridCells* cells, const ViewTransform& view,
                const QPoint& pixel, double radius) {
  Found found;
  found.point = pickPoint(*content.drawn(), *content.colours, view, pixel.x(), pixel.y(), radius);
  if (!content.boxes || cells == nullptr) return found;
  if (found.point && found.point->point < cells->cellOfPoint.size()) {
    const std::int32_t cell = cells->cellOfPoint[found.point->point];
    if (cell >= 0) found.cell = std::size_t(cell);
  } else if (view.flat) {
    if (const auto place = placeUnder(content.points->space, view, pixel.x(), pixel.y())) {
      found.cell = cellAt(*content.boxes, *place);
    }
  }
  return found;
}

}  // namespace

void CloudView::hoverAt(const QPointF& position) {
  if (!content_.points || !content_.colours) return;
  const ViewTransform view = scene_.viewTransform();
  const double radius = kPickRadius * devicePixelRatioF();
  picking_->start([this, content = content_, cells = shownCells_, view, pixel = toDisplay(position),
                   radius]() -> std::function<void()> {
    const Found found = findUnder(content, cells.get(), view, pixel, radius);
    return [this, found, content] {
      if (content.points != content_.points) return;
      session_.setHoveredPoint(found.point ? std::int64_t(found.point->point) : -1);
      session_.setHoveredCell(found.cell ? std::int64_t(*found.cell) : -1);
      QStringList words;
      if (found.point) {
        words << pointWords(
            std::int64_t(found.point->point),
            session_.clusterRun().preview() ? nullptr : session_.clusterRun().result().get());
      }
      if (found.cell && shownCells_) words << cellWords(*shownCells_, std::int64_t(*found.cell));
      describeHover(words.join(QStringLiteral("\n")));
    };
  });
}

void CloudView::pickAt(const QPointF& position, bool add) {
  if (!content_.points || !content_.colours) return;
  const ViewTransform view = scene_.viewTransform();
  const double radius = kPickRadius * devicePixelRatioF();
  picking_->start([this, content = content_, cells = shownCells_, view, pixel = toDisplay(position),
                   radius, add]() -> std::function<void()> {
    const Found found = findUnder(content, cells.get(), view, pixel, radius);
    return [this, found, add, content] {
      if (content.points != content_.points) return;
      Selection selection = session_.selection();
      selection.point = found.point ? std::int64_t(found.point->point) : -1;
      selection.cell = found.cell ? std::int64_t(*found.cell) : -1;
      const auto result = session_.clusterRun().result();
      if (!found.point) {
        if (!add) selection.clusters.clear();
      } else if (result && found.point->point < result->clustering.labels.size()) {
        const std::int32_t label = result->clustering.labels[found.point->point];
        if (!add) selection.clusters.clear();
        const bool was = selection.clusters.count(label) > 0;
        if (was) {
          selection.clusters.erase(label);
        } else if (label != kNoise || add) {
          selection.clusters.insert(label);
        }
      }
      session_.setSelection(selection);
    };
  });
}

void CloudView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
      scene_.turnBy(-kKeyTurn, 0);
      break;
    case Qt::Key_Right:
      scene_.turnBy(kKeyTurn, 0);
      break;
    case Qt::Key_Up:
      scene_.turnBy(0, kKeyTurn);
      break;
    case Qt::Key_Down:
      scene_.turnBy(0, -kKeyTurn);
      break;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      scene_.zoomBy(kKeyZoom);
      break;
    case Qt::Key_Minus:
      scene_.zoomBy(1 / kKeyZoom);
      break;
    case Qt::Key_Home:
      scene_.fit();
      break;
    case Qt::Key_Escape: {
      Selection none;
      session_.setSelection(none);
      return;
    }
    default:
      return VtkView::keyPressEvent(event);
  }
  noteInteraction();
}

}  // namespace clusterloom
