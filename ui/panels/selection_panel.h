#pragma once

#include <QList>
#include <QWidget>

#include "engine/dbscan/around_point.h"
#include "ui/session/session_parts.h"
#include "ui/words/qt_classes.h"

namespace clusterloom {

class LatestCall;
class NeighbourList;

/// The selected points in figures (number, clusters, box, and how many rows of a file of which some
/// are open), and the picked point (or row that is not open), cell and warp:
/// coordinates with their real numbers, label, role, the nearest neighbours in a table; linear id,
/// points, candidates, adjacent cells; query points, steps and idling. A point can also be chosen
/// by number.
class SelectionPanel : public QWidget {
  Q_OBJECT

 public:
  explicit SelectionPanel(Session& session, QWidget* parent = nullptr);

  /// Buttons for actions on selected points; shown while there are some.
  void addActions(const QList<std::pair<QAction*, QString>>& actions);

  QString pointText() const;
  QString cellText() const;
  QString warpText() const;
  /// Of the selected points.
  QString pointsText() const;

 private:
  void showPoint();
  void showCell();
  void showWarp();
  void showPoints();
  QString rowsOf(const FileRow& picked) const;
  QString selectedInFile() const;
  void findNeighbours();

  Session& session_;
  QSpinBox* number_;
  QLabel* point_;
  QLabel* cell_;
  QLabel* warp_;
  QLabel* points_;
  QWidget* buttons_;
  NeighbourList* neighbours_;
  LatestCall* finding_;
  std::int64_t neighboursOf_ = -1;
  double neighboursEps_ = 0;
  PointSurroundings around_;  ///< of that point
};

}  // namespace clusterloom
