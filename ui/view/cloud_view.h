#pragma once

#include <QTimer>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "render/scene/cloud_scene.h"
#include "ui/view/picture_drawing.h"
#include "ui/view/scene_content.h"
#include "ui/view/stored_colours.h"
#include "ui/view/vtk_view.h"

namespace clusterloom {

class ColumnPlayer;
class LatestCall;
class Session;
class SelectionOutline;
class ViewOverlays;
class ViewPointer;
enum class PointerTool;
struct WalkedCells;

/// The cloud on screen, bound to a session: it shows the session's points, clusters, grid cells and
/// selection, and tells the session what is pointed at and picked. Pictures are prepared by jobs of
/// kind Scene; only the newest counts.
///
/// Mouse: drag turns (pans when flat), Ctrl+drag pans, wheel zooms; a click picks a point and its
/// cluster, Ctrl+click adds or removes one, a click beside the points clears the selection; a
/// double click on a point in 3-D makes it the centre of rotation. Shift+drag selects the points in
/// a rectangle, with Ctrl in addition; so does a drag while a tool for selecting is in use.
/// Keyboard: arrows turn or pan, + and − zoom, Home shows everything, Escape gives up an outline,
/// clears the selection, or shows all points again where a column is played and nothing is
/// selected.
///
/// The accessible description says what is picked, and how the keys work while nothing is; what is
/// picked while the view has the focus is announced as well (Qt 6.8 and later).
class CloudView : public VtkView {
  Q_OBJECT

 public:
  explicit CloudView(Session& session, QWidget* parent = nullptr);
  ~CloudView() override;

  CloudScene& scene() { return scene_; }
  void fit();
  /// Shows the box of the selected points or clusters, of all of their rows in the file as soon as
  /// it is known; everything when there are none.
  void zoomToSelection();
  void setViewPreset(ViewPreset preset);
  /// Draws points, lines and text larger by this factor.
  void setMagnification(double factor);
  /// Turns a 3-D view about the picked point or row from now on, until `fit` or a view from a side;
  /// does nothing without one or when the view is flat.
  void turnAboutPickedPoint();
  /// How many points a frame draws while the view moves; 0 (at first): as many as it has time for.
  void setPointBudget(std::size_t points);
  std::size_t pointBudget() const { return pointBudget_; }
  /// The action of a drag with the left button.
  PointerTool tool() const;
  void setTool(PointerTool tool);

  /// True when the picture shows the newest state of the session with all of its points; of a
  /// hidden view, when only drawing is left.
  bool isSettled() const;
  /// Why a requested part is not visible (cells along principal axes, too many cells); empty when
  /// all parts are.
  QString notice() const { return notice_; }
  /// The words on the view that say that an approximation is shown; empty while it is exact.
  QString approximateText() const;
  /// Which points a picture shows while a column is played; empty: all.
  QString playedText() const;

  /// The result whose labels colour the points in the picture; null while there is none, and of a
  /// preview.
  std::shared_ptr<const ClusterResult> shownResult() const { return shownResult_; }

  /// The scale of the values that points are coloured by; nullopt when they are coloured otherwise.
  std::optional<ScalarScale> valueScale() const;

  /// Steps through the values of a column: only the points in its window are drawn.
  ColumnPlayer& player() { return *player_; }
  /// How many points are in that window; nullopt while all are drawn.
  std::optional<std::size_t> pointsInWindow() const { return content_.inWindow; }

  /// Draws the current scene into a picture of another size (picture_drawing.h).
  void drawPicture(const PictureSize& size, std::function<void(Result<PictureDrawing::Make>)> done);

  /// Where something of this size covers fewest points, as its top left corner: beside rulers,
  /// legend and the key of colours.
  QPoint freePlace(const QSize& size) const;

  /// The picked and selected objects, in words; empty for none.
  QString pickedWords() const;

  std::vector<double> cameraState() const { return scene_.cameraState(); }
  /// Takes the camera of a session file once its points are there.
  void restoreCamera(const std::vector<double>& state);

 Q_SIGNALS:
  void settled();
  void noticeChanged(const QString& notice);
  /// Another picture is there to be drawn.
  void contentShown();
  /// A right click without a drag, or the menu key.
  void menuRequested(const QPoint& globalPosition);

 protected:
  void aboutToDraw() override;
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  void forgetPoints();
  void scheduleUpdate();
  void startUpdate();
  void takeSelected(SceneRequest& request) const;
  void showContent(const SceneContent& content);
  void showStored();
  bool awaitsLabels() const;
  void drawMore();
  void onFrameDrawn();
  void settleUnseen();
  void noteDrawing();
  /// Background, points and axes as the display has them.
  void style(CloudScene& scene) const;
  void applyStyle();
  std::string unitShown() const;
  /// ε around the marked point, where its neighbourhood is a ball of the view; else 0.
  double markedRadius() const;
  /// Of the picked row, where it is in this picture.
  std::optional<std::array<double, 3>> markedPlace() const;
  /// No row is picked that was picked in another picture, where nothing would mark it.
  void dropOldRow();
  void applyMarkers();
  void describePicked();
  void pointOutPattern();
  void updateBadge();
  void updateKey();
  void placeOverlays();
  void placeKey();
  QPoint freeCorner(const QSize& size) const;
  Background background() const;
  void noteInteraction();
  void turnAbout(const std::array<double, 3>& place);
  void setUpPicture(CloudScene& scene) const;

  Session& session_;
  CloudScene scene_;
  SceneContent content_;
  SceneRequest request_;             ///< that `content_` was made from
  StoredColouring storedColouring_;  ///< of all points of the file, where they are shown
  std::shared_ptr<const PointCloud> shownCloud_;  ///< the source of content_.points
  ViewAxes shownAxes_;
  std::shared_ptr<const GridCells> shownCells_;
  std::shared_ptr<const PointCloud> shownAdded_;
  std::shared_ptr<const PreviewClustering> shownPreview_;
  std::shared_ptr<const ClusterResult> shownResult_;
  std::vector<double> cameraToRestore_;
  QString notice_;
  QString picked_;  ///< as it was described last
  QTimer updateTimer_;
  QTimer interactionTimer_;
  ColumnPlayer* player_;
  LatestCall* zooming_;
  LatestCall* walking_;
  std::shared_ptr<const WalkedCells> walked_;           ///< of shownCells_, once needed
  std::shared_ptr<const CellHighlights> patternCells_;  ///< around the cell pointed at
  ViewOverlays* overlays_;
  ViewPointer* pointer_;
  SelectionOutline* outline_;
  double pixelRatio_ = 0;
  double magnification_ = 1;
  std::size_t pointBudget_ = 0;
  bool isDrawn_ = false;  ///< neither hidden nor in a minimised window
  bool updating_ = false;
  bool onlyColours_ = false;  ///< of what is being prepared
  bool updateAgain_ = false;  ///< something changed while it is being prepared
};

}  // namespace clusterloom
