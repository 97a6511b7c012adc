#pragma once

#include <QWidget>
#include <vector>

#include "engine/dbscan/around_point.h"

class QTableWidget;

namespace clusterloom {

class Session;

/// The nearest neighbours of the picked point: number, distance, cluster, and the columns beside
/// the coordinates. A click or Enter chooses one; Ctrl+C and a button copy the rows as text.
class NeighbourList : public QWidget {
  Q_OBJECT

 public:
  /// How many are listed.
  static constexpr std::size_t kNeighbours = 20;

  NeighbourList(Session& session, QWidget* parent);

  /// Of the cloud on show.
  void list(const std::vector<NearPoint>& neighbours);

 Q_SIGNALS:
  void chosen(int point);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void copy() const;

  Session& session_;
  QTableWidget* table_;
};

}  // namespace clusterloom
