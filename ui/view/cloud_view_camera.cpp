// The camera of the view: what it shows, and from where.
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "ui/session/cluster_run.h"
#include "ui/session/selected_points.h"
#include "ui/session/session.h"
#include "ui/view/cloud_view.h"
#include "ui/view/latest_call.h"

namespace clusterloom {

void CloudView::fit() {
  scene_.fit();
  noteInteraction();
}

void CloudView::turnAboutPickedPoint() {
  if (scene_.isFlat()) return;
  if (const auto row = markedPlace()) return turnAbout(*row);
  if (!content_.marked) return;
  const float* xyz = content_.drawn()->xyz.data() + 3 * std::size_t{*content_.marked};
  turnAbout({double(xyz[0]), double(xyz[1]), double(xyz[2])});
}

void CloudView::turnAbout(const std::array<double, 3>& place) {
  scene_.setCentreOfRotation(place);
  requestFrame();
}

void CloudView::setViewPreset(ViewPreset preset) {
  scene_.setViewPreset(preset);
  noteInteraction();
}

void CloudView::zoomToSelection() {
  const auto points = content_.points;
  const auto result = session_.clusterRun().result();
  const Selection& selection = session_.selection();
  const auto ofRows = scene_.storedPoints() ? session_.selectedPoints().rowsBox() : nullptr;
  if (!points || (!ofRows && !selection.points && (!result || selection.clusters.empty())))
    return fit();
  std::vector<std::int32_t> wanted(selection.clusters.begin(), selection.clusters.end());
  zooming_->start(
      [points, result, wanted, chosen = selection.points, ofRows] {
        if (ofRows) return *ofRows;
        return chosen ? boxOfPoints(*points, *chosen)
                      : boxOfLabels(*points, result->clustering.labels, wanted);
      },
      [this](const DisplayBox& box) {
        scene_.zoomTo(box);
        noteInteraction();
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

}  // namespace clusterloom
