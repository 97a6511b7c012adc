#include "ui/view/cloud_view.h"

#include <vtkInteractorObserver.h>
#include <vtkRenderWindow.h>
#include <vtkRenderWindowInteractor.h>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "ui/session/added_points.h"
#include "ui/session/cluster_run.h"
#include "ui/session/derived_results.h"
#include "ui/session/file_levels.h"
#include "ui/session/load_lab.h"
#include "ui/session/selected_points.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/theme/theme.h"
#include "ui/view/announcer.h"
#include "ui/view/column_player.h"
#include "ui/view/data_words.h"
#include "ui/view/latest_call.h"
#include "ui/view/pattern_highlights.h"
#include "ui/view/selection_outline.h"
#include "ui/view/view_overlays.h"
#include "ui/view/view_pointer.h"

namespace clusterloom {
namespace {

constexpr int kInteractionRest = 250;
/// Strength of eye-dome lighting.
constexpr double kRelief = 0.5;
// Where the text of what is under the pointer begins: beside the rulers of a flat view.
constexpr int kHoverLeft = 12;
constexpr int kHoverLeftFlat = 76;
constexpr std::size_t kMostClustersNamed = 6;

QString keyWords() {
  return clusterloom::CloudView::tr(
      "Arrow keys turn or pan, plus and minus zoom, Home shows everything, Escape clears the "
      "selection.");
}
}  // namespace

CloudView::CloudView(Session& session, QWidget* parent) : VtkView(parent), session_(session) {
  setObjectName(QStringLiteral("cloudView"));
  setAccessibleName(tr("Cloud view"));
  setAccessibleDescription(keyWords());
  setMinimumSize(200, 140);  // with two columns of panels on a low screen
  player_ = new ColumnPlayer(session_, this);
  connect(player_, &ColumnPlayer::windowChanged, this, &CloudView::scheduleUpdate);
  zooming_ = new LatestCall(this);
  walking_ = new LatestCall(this);
  overlays_ = new ViewOverlays(this);
  pointer_ = new ViewPointer(session_, *this, [this] {
    return PointerTarget{
        content_,        shownCloud_, shownCells_, scene_.viewTransform(), scene_.storedPoints(),
        storedColouring_};
  });
  connect(pointer_, &ViewPointer::hovered, overlays_, &ViewOverlays::setHover);
  connect(pointer_, &ViewPointer::placeDoubleClicked, this, &CloudView::turnAbout);
  outline_ = new SelectionOutline(this);
  connect(pointer_, &ViewPointer::outlineChanged, outline_, &SelectionOutline::setOutline);
  connect(pointer_, &ViewPointer::menuRequested, this, &CloudView::menuRequested);
  connect(pointer_, &ViewPointer::dragged, this, [this] {
    overlays_->setHover({});
    noteInteraction();
  });

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
    settleUnseen();
  });
  connect(this, &VtkView::frameDrawn, this, &CloudView::onFrameDrawn);

  connect(&session_.data(), &SessionData::dataAboutToChange, this, &CloudView::forgetPoints);
  connect(&session_, &Session::selectionChanged, this, &CloudView::scheduleUpdate);
  connect(&session_.data(), &SessionData::cloudChanged, this, &CloudView::scheduleUpdate);
  connect(&session_.clusterRun(), &ClusterRun::resultChanged, this, &CloudView::scheduleUpdate);
  for (const auto signal :
       {&DerivedResults::colourValuesChanged, &DerivedResults::gridCellsChanged})
    connect(&session_.derived(), signal, this, &CloudView::scheduleUpdate);
  for (const auto signal : {&AddedPoints::changed, &AddedPoints::labelsChanged})
    connect(&session_.addedPoints(), signal, this, &CloudView::scheduleUpdate);
  connect(&session_.fileLevels(), &FileLevels::changed, this, &CloudView::showStored);
  connect(&session_.loadLab(), &LoadLab::lightChanged, this, &CloudView::scheduleUpdate);
  connect(&session_.loadLab(), &LoadLab::lightStepChanged, this, &CloudView::scheduleUpdate);
  connect(&session_.clusterRun(), &ClusterRun::coloursChanged, this, &CloudView::scheduleUpdate);
  connect(&session_.clusterRun(), &ClusterRun::previewChanged, this, [this] {
    updateBadge();
    scheduleUpdate();
  });
  connect(&session_.clusterRun(), &ClusterRun::resultChanged, this, &CloudView::updateBadge);
  connect(&session_.clusterRun(), &ClusterRun::stateChanged, this, &CloudView::drawMore);
  connect(&session_, &Session::displayChanged, this, [this] {
    applyStyle();
    scheduleUpdate();
  });
  connect(&session_, &Session::selectionChanged, this, &CloudView::applyMarkers);
  connect(&session_, &Session::hoverChanged, this, &CloudView::applyMarkers);
  connect(&session_, &Session::selectionChanged, this, &CloudView::describePicked);
  connect(&session_.clusterRun(), &ClusterRun::resultChanged, this, &CloudView::describePicked);
  connect(&session_.data(), &SessionData::cloudChanged, this, &CloudView::describePicked);
  connect(&session_.selectedPoints(), &SelectedPoints::summaryChanged, this,
          &CloudView::describePicked);
  scheduleUpdate();
}

CloudView::~CloudView() {
  disconnect(&session_, nullptr, this, nullptr);
  disconnect(&session_.jobs(), nullptr, this, nullptr);
  disconnect(&session_.loadLab(), nullptr, this, nullptr);
  disconnect(&session_.addedPoints(), nullptr, this, nullptr);
  disconnect(&session_.fileLevels(), nullptr, this, nullptr);
  disconnect(&session_.selectedPoints(), nullptr, this, nullptr);
  session_.clusterRun().setViewed(false);
  session_.jobs().setDrawing(false);
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
  pointer_->forget();
  zooming_->forget();
  walking_->forget();
  walked_.reset();
  patternCells_.reset();
  session_.jobs().cancel(JobKind::Scene);
  content_ = {};
  request_ = {};
  shownCloud_.reset();
  shownCells_.reset();
  shownAdded_.reset();
  shownPreview_.reset();
  shownResult_.reset();
  updating_ = updateAgain_ = false;
  overlays_->setHover({});
  scene_.setCells(nullptr, CellColour::Count);
  scene_.setMarker({});
  scene_.setPoints(nullptr);
  scene_.setLegend(std::nullopt);
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
    scene_.setLegend(std::nullopt);
    updateKey();
    requestFrame();
    return;
  }
  // Colours are finished first: where results come quickly, none would be shown otherwise.
  if (updating_ && onlyColours_ && cloud == shownCloud_ &&
      session_.jobs().isActive(JobKind::Scene)) {
    updateAgain_ = true;
    return;
  }
  const DisplayState& display = session_.display();
  SceneRequest request;
  request.cloud = cloud;
  request.dataset = session_.data().dataset();
  request.axes = viewAxesOf(display, cloud->dims());
  request.keptRows = session_.data().keptRows();
  request.whole = session_.data().whole();
  request.scaling = session_.data().scaling();
  const bool samePoints = content_.points && cloud == shownCloud_ && request.axes == shownAxes_;
  if (samePoints) request.points = content_.points;
  request.result = session_.clusterRun().result();
  if (request.result && request.result->cloud != cloud) request.result.reset();
  request.clusterColours = session_.clusterRun().colours();
  request.preview = session_.clusterRun().preview();
  if (samePoints && request.preview && shownPreview_ &&
      request.preview->points == shownPreview_->points) {
    request.previewPoints = content_.previewPoints;
  }
  request.values = session_.derived().colourValues();
  if (display.gridShown) request.cells = session_.derived().gridCells();
  if (samePoints && request.cells == shownCells_) request.boxes = content_.boxes;
  request.added = session_.addedPoints().cloud();
  request.addedDataset = session_.addedPoints().dataset();
  if (samePoints && request.added == shownAdded_) request.addedPoints = content_.addedPoints;
  if (session_.addedPoints().isCurrent())
    request.addedLabels = session_.addedPoints().labels().labels;
  request.by = display.colourBy;
  request.map = display.colourMap;
  request.range = display.range;
  request.background = background();
  request.highlighted.assign(session_.selection().clusters.begin(),
                             session_.selection().clusters.end());
  request.hidden.assign(display.hidden.begin(), display.hidden.end());
  request.window = player_->window();
  takeSelected(request);
  request.marked = session_.selection().point;
  if (const auto load = session_.loadLab().result(); load && load->asked.cloud == cloud)
    request.light = session_.loadLab().light();
  request.lightStep = session_.loadLab().lightStep();

  updating_ = true;
  onlyColours_ = samePoints;
  updateAgain_ = false;
  session_.jobs().start<SceneContent>(
      JobKind::Scene, tr("Preparing the view"),
      [request](const Task& task) { return makeSceneContent(request, task); },
      [this, request](Result<SceneContent> content) {
        updating_ = false;
        if (std::exchange(updateAgain_, false)) scheduleUpdate();
        if (!content) {
          notice_ = QString::fromStdString(content.error().message);
          Q_EMIT noticeChanged(notice_);
          return;
        }
        shownCloud_ = request.cloud;
        shownAxes_ = request.axes;
        shownCells_ = request.cells;
        shownAdded_ = request.added;
        shownPreview_ = request.preview;
        shownResult_ = request.preview ? nullptr : request.result;
        request_ = request;
        showContent(*content);
      },
      [this](JobEnd end) {
        if (end == JobEnd::Superseded) return;
        updating_ = false;
        if (end == JobEnd::Threw && std::exchange(updateAgain_, false)) scheduleUpdate();
      });
}

/// Points and rows that stand out. Where points are selected and rows are not known to be, none of
/// them is; those that are still sought look as before.
void CloudView::takeSelected(SceneRequest& request) const {
  static const auto kNoPoints = std::make_shared<const std::vector<std::uint32_t>>();
  static const auto kNoRows = std::make_shared<const FileRowSet>();
  const Selection& selection = session_.selection();
  request.selected = selection.points;
  request.selectedRows = selection.points ? kNoRows : nullptr;
  if (!selection.rows) return;
  request.selectedRows = selection.rows->isComplete ? selection.rows : nullptr;
  if (request.selectedRows && !selection.points) request.selected = kNoPoints;
}

void CloudView::showContent(const SceneContent& content) {
  const bool otherPoints = scene_.points() != content.drawn();
  const bool otherCells = content_.boxes != content.boxes;
  content_ = content;
  if (otherPoints) {
    scene_.setPoints(content_.drawn());
    style(scene_);  // the unit is that of the columns in the view
    interactor()->SetInteractorStyle(scene_.interactorStyle());
  }
  scene_.setColours(content_.colours);
  scene_.setAddedPoints(content_.addedPoints, content_.addedColours ? *content_.addedColours
                                                                    : std::vector<std::uint8_t>());
  scene_.setLegend(content_.legend);
  // Another cloud has another scaling.
  if (shownCloud_ == session_.data().cloud()) session_.fileLevels().follow(content_.points);
  showStored();
  QString notice = QString::fromStdString(content_.message);
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
  dropOldRow();
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
  noteDrawing();
  Q_EMIT contentShown();
  settleUnseen();
}

bool CloudView::awaitsLabels() const {
  return session_.isDragging() && (updating_ || updateTimer_.isActive() ||
                                   session_.clusterRun().state() == RunState::Running);
}

void CloudView::drawMore() {
  if (scene_.moreToDraw() && !awaitsLabels() && !interactionTimer_.isActive()) requestFrame();
}

bool CloudView::isSettled() const {
  return !updating_ && !updateTimer_.isActive() && !interactionTimer_.isActive() &&
         !(isDrawn_ && scene_.moreToDraw());
}

void CloudView::onFrameDrawn() {
  if (shownResult_ == session_.clusterRun().result()) session_.clusterRun().noteShown();
  if (const auto error = scene_.storedError()) session_.fileLevels().noteUnread(*error);
  noteDrawing();
  if (scene_.moreToDraw() && !interactionTimer_.isActive()) {
    // More points with labels of another ε would delay the labels of this one.
    QTimer::singleShot(0, this, &CloudView::drawMore);
  } else if (isSettled()) {
    placeKey();
    Q_EMIT settled();
  }
}

QPoint CloudView::freeCorner(const QSize& size) const {
  const double ratio = devicePixelRatioF();
  const auto place = scene_.freeCorner(size.width() * ratio, size.height() * ratio);
  return {int(std::lround(place[0] / ratio)),
          int(std::lround(height() - place[1] / ratio)) - size.height()};
}

void CloudView::placeKey() {
  const QSize size = overlays_->keyGeometry().size();
  if (!size.isEmpty()) overlays_->placeKey(freeCorner(size));
}

QPoint CloudView::freePlace(const QSize& size) const {
  constexpr int kGap = 6;
  QRect place(freeCorner(size), size);
  const QRect key = overlays_->keyGeometry();
  if (place.intersects(key))
    place.moveTop(key.center().y() < height() / 2 ? key.bottom() + 1 + kGap
                                                  : key.top() - kGap - size.height());
  return place.topLeft();
}

void CloudView::style(CloudScene& scene) const {
  const DisplayState& display = session_.display();
  scene.setBackground(background());
  scene.setPointSize(display.pointSize);
  scene.setPointOpacity(display.opacity);
  scene.setNoiseStrength(display.noise);
  scene.setAxesVisible(display.axesShown);
  scene.setOrthographic(display.orthographic);
  scene.setDensityBlended(display.densityBlended && isOfLabels(display.colourBy));
  scene.setRelief(display.lighting ? kRelief : 0);
  scene.setScaleBar(display.scaleBar ? std::optional(unitShown()) : std::nullopt);
}

/// The unit that the file gives for all columns in the view; empty where there is none.
std::string CloudView::unitShown() const {
  const auto dataset = session_.data().dataset();
  if (!dataset || session_.data().ready().choice.scaling.kind != Scaling::Kind::None) return {};
  const ViewAxes axes = viewAxesOf(session_.display(), dataset->cloud.dims());
  std::set<std::string> units;
  const auto add = [&](const std::string& column) {
    const auto unit = dataset->units.find(column);
    units.insert(unit != dataset->units.end() ? unit->second : std::string());
  };
  if (axes.kind == ViewAxes::Kind::Columns)
    std::for_each(axes.columns.begin(), axes.columns.end(), add);
  else if (axes.kind == ViewAxes::Kind::Pca)
    std::for_each(dataset->cloud.names.begin(), dataset->cloud.names.end(), add);
  else
    for (const int j : axes.dims) add(dataset->cloud.names[std::size_t(j)]);
  return units.size() == 1 ? *units.begin() : std::string();
}

void CloudView::applyStyle() {
  style(scene_);
  overlays_->setDark(background() == Background::Dark);
  placeOverlays();
  requestFrame();
}

double CloudView::markedRadius() const {
  // On a sphere ε has another unit than the coordinates, and other metrics have no balls.
  const Space& space = session_.data().space();
  const bool drawn = content_.marked && !space.sphere && space.metric == Metric::Euclidean &&
                     content_.points->space.kind != ViewAxes::Kind::Columns;
  return drawn ? session_.parameters().dbscan.eps : 0;
}

void CloudView::applyMarkers() {
  const Selection& selection = session_.selection();
  pointOutPattern();
  scene_.setMarker(content_.marked);
  scene_.setMarkedPlace(markedPlace());
  scene_.setMarkerRadius(markedRadius());
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
  const auto points = content_.points;
  const auto walk = [arrows, cell, points, cells = shownCells_, walked = walked_] {
    auto over =
        walked && walked->cells == cells ? walked : std::make_shared<const WalkedCells>(cells);
    auto highlights =
        patternHighlights(*over, arrows, static_cast<std::uint32_t>(cell), points->space);
    return std::pair(std::move(over), std::move(highlights));
  };
  walking_->start(walk, [this, points](auto found) {
    const auto& [over, highlights] = found;
    if (points != content_.points || over->cells != shownCells_) return;
    walked_ = over;
    patternCells_ = highlights;
    scene_.setHighlights(patternCells_ ? patternCells_ : content_.highlights);
    requestFrame();
  });
}

std::optional<ScalarScale> CloudView::valueScale() const {
  return content_.legend ? std::optional(content_.legend->scale) : std::nullopt;
}

QString CloudView::approximateText() const {
  const auto preview = session_.clusterRun().preview();
  return preview ? preview->text : QString();
}

QString CloudView::playedText() const {
  if (!player_->isOn() || !player_->isReady()) return {};
  const QString column = player_->columns()[std::size_t(player_->column())].name;
  return QStringLiteral("%1: %2").arg(column, player_->windowText());
}

void CloudView::updateBadge() { overlays_->setBadge(approximateText()); }

void CloudView::updateKey() { overlays_->setKey(colourKeyText(session_, background())); }

void CloudView::placeOverlays() { overlays_->place(scene_.isFlat() ? kHoverLeftFlat : kHoverLeft); }

PointerTool CloudView::tool() const { return pointer_->tool(); }

void CloudView::setTool(PointerTool tool) { pointer_->setTool(tool); }

void CloudView::drawPicture(const PictureSize& size,
                            std::function<void(Result<PictureDrawing::Make>)> done) {
  PictureDrawing::start(
      this, size, [this](CloudScene& scene) { setUpPicture(scene); }, std::move(done));
}

void CloudView::setUpPicture(CloudScene& scene) const {
  const DisplayState& display = session_.display();
  style(scene);
  scene.setPoints(content_.drawn());
  if (content_.colours) scene.setColours(content_.colours);
  if (scene_.storedPoints())
    scene.setStoredPoints(scene_.storedPoints(), storedColourer(storedColouring_),
                          storedColouring_.shown());
  if (content_.addedColours) scene.setAddedPoints(content_.addedPoints, *content_.addedColours);
  if (content_.boxes)
    scene.setCells(content_.boxes, display.gridColouring == GridColouring::Workload
                                       ? CellColour::Workload
                                       : CellColour::Count);
  scene.setLegend(scene_.legend());
  scene.setCaption((approximateText().isEmpty() ? playedText() : approximateText()).toStdString());
  scene.setMarker(content_.marked);
  scene.setMarkedPlace(markedPlace());
  scene.setMarkerRadius(markedRadius());
  scene.setHighlights(patternCells_ ? patternCells_ : content_.highlights);
  scene.setCameraState(scene_.cameraState());
  scene.setCentreOfRotation(std::nullopt);
  if (scene_.isFitted()) scene.fit();  // to the proportions of the picture
}

void CloudView::setMagnification(double factor) {
  magnification_ = factor;
  requestFrame();
}

void CloudView::setPointBudget(std::size_t points) {
  pointBudget_ = points;
  scene_.setPointBudget(points);
  requestFrame();
}

void CloudView::aboutToDraw() {
  // Only when it is another one: the scene restarts its picture.
  const double ratio = devicePixelRatioF() * magnification_;
  if (ratio == pixelRatio_) return;
  pixelRatio_ = ratio;
  scene_.setPixelRatio(pixelRatio_);
}

QString CloudView::pickedWords() const {
  const Selection& selection = session_.selection();
  const auto cloud = session_.data().cloud();
  QStringList words;
  if (selection.point >= 0 && cloud && std::size_t(selection.point) < cloud->size())
    words << pointWords(selection.point, session_.clusterRun().result().get());
  if (const auto& row = selection.row) {
    // Labels of another run are no longer on show.
    const bool isLabelled = row->labels && row->labels == session_.fileLevels().labels();
    words << rowWords(row->row, isLabelled ? std::optional(row->label) : std::nullopt);
  }
  if (selection.points) {
    const std::size_t points = selection.points->size();
    words << counted(points, "1 point selected",
                     tr("%1 points selected", nullptr, pluralNumber(points)));
  }
  if (const auto inFile = session_.selectedPoints().rows(); inFile && inFile->isComplete) {
    const std::uint64_t rows = inFile->count;
    words << counted(rows, "1 row of the file selected",
                     tr("%1 rows of the file selected", nullptr, pluralNumber(rows)));
  }
  QStringList names;
  for (const std::int32_t label : selection.clusters) {
    if (std::size_t(names.size()) == kMostClustersNamed) break;
    names << (label == kNoise ? tr("noise") : count(std::uint64_t(label)));
  }
  if (!names.isEmpty()) {
    const std::size_t more = selection.clusters.size() - std::size_t(names.size());
    const QString list = names.join(tr(", "));
    words << tr("clusters selected: %1")
                 .arg(more == 0 ? list : tr("%1 and %2 more").arg(list, count(more)));
  }
  const auto cells = session_.derived().gridCells();
  if (cells && session_.display().gridShown && selection.cell >= 0 &&
      std::size_t(selection.cell) < cells->size())
    words << cellWords(*cells, selection.cell);
  if (selection.warp >= 0) words << tr("warp %1").arg(count(std::uint64_t(selection.warp)));
  return words.join(QStringLiteral("; "));
}

void CloudView::describePicked() {
  const QString words = pickedWords();
  if (words == std::exchange(picked_, words)) return;
  setAccessibleDescription(words.isEmpty() ? keyWords() : words);
  if (!hasFocus()) return;
  Announcer::ofApplication().say(*this, Announcer::Topic::Picked,
                                 words.isEmpty() ? tr("Nothing is picked") : words);
}

}  // namespace clusterloom
