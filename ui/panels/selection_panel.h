#pragma once

#include <QList>
#include <QWidget>

class QAction;
class QLabel;
class QSpinBox;

namespace clusterloom {

class LatestCall;
class Session;

/// The selected points in figures (number, clusters, box), and the picked point, cell and warp:
/// coordinates with their real numbers, label, role, neighbours; linear id, points, candidates,
/// adjacent cells; query points, steps and idling. A point can also be chosen by number.
class SelectionPanel : public QWidget {
  Q_OBJECT

 public:
  explicit SelectionPanel(Session& session, QWidget* parent = nullptr);

  /// Buttons for what is done with selected points; shown while there are some.
  void addActions(const QList<QAction*>& actions);

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
  void countNeighbours();

  Session& session_;
  QSpinBox* number_;
  QLabel* point_;
  QLabel* cell_;
  QLabel* warp_;
  QLabel* points_;
  QWidget* buttons_;
  LatestCall* counting_;
  std::int64_t neighboursOf_ = -1;
  double neighboursEps_ = 0;
  std::uint64_t neighbours_ = 0;
  double neighbourWeights_ = 0;  ///< their sum
};

}  // namespace clusterloom
