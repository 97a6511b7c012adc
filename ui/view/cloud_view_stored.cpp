// All points of a file of which the cloud has some rows.
#include <utility>

#include "ui/session/cluster_run.h"
#include "ui/session/file_levels.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/view/cloud_view.h"

namespace clusterloom {

void CloudView::showStored() {
  // Only the open rows are known to be in the window of a column that is played.
  const bool all = content_.points && !content_.inWindow;
  const auto stored = all ? session_.fileLevels().stored() : nullptr;
  if (!stored) {
    scene_.setStoredPoints(nullptr, {});
    return requestFrame();
  }
  const auto labels =
      request_.result == session_.clusterRun().result() ? session_.fileLevels().labels() : nullptr;
  StoredColouring colouring =
      storedColouring(request_, content_, session_.display().dimension, session_.data().scaling(),
                      labels, session_.fileLevels().values(request_.values));
  if (scene_.storedPoints() == stored && colouring == storedColouring_) return;
  storedColouring_ = std::move(colouring);
  scene_.setStoredPoints(stored, storedColourer(storedColouring_), storedColouring_.shown());
  requestFrame();
}

void CloudView::dropOldRow() {
  if (!session_.selection().row || markedPlace()) return;
  Selection selection = session_.selection();
  selection.row.reset();
  session_.setSelection(selection);
}

std::optional<std::array<double, 3>> CloudView::markedPlace() const {
  const auto& row = session_.selection().row;
  if (!row || !content_.points || row->in.lock() != content_.points) return std::nullopt;
  return std::array{double(row->xyz[0]), double(row->xyz[1]), double(row->xyz[2])};
}

}  // namespace clusterloom
