#pragma once

#include <memory>

#include "engine/io/partial_read.h"
#include "render/scene/cloud_scene.h"
#include "ui/view/vtk_view.h"

namespace clusterloom {

class LatestCall;
class Session;

/// Draws the sample of a file that is being read (SessionData::partial), and says what it is. It
/// keeps the last one, for the time until the view of the whole cloud has its picture. It shows
/// no labels and no selection: those are of the whole cloud.
class ReadingView : public VtkView {
  Q_OBJECT

 public:
  explicit ReadingView(Session& session, QWidget* parent = nullptr);
  ~ReadingView() override;

  CloudScene& scene() { return scene_; }

 protected:
  void aboutToDraw() override;
  void changeEvent(QEvent* event) override;

 private:
  void showSample();
  void showCaption();
  void applyTheme();

  Session& session_;
  CloudScene scene_;
  LatestCall* preparing_;
  std::shared_ptr<const PartialRead> sample_;  ///< on show
  std::uint64_t rowsOfAxes_ = 0;               ///< when the principal axes were found last
  double pixelRatio_ = 0;
};

}  // namespace clusterloom
