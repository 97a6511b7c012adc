#pragma once

#include <QDialog>
#include <QWidget>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/ego/ego_index.h"
#include "ui/words/qt_classes.h"

namespace clusterloom {

/// A pair of sequences of the EGO-join as it ended: compared point by point, or pruned.
struct EgoPair {
  std::uint32_t a;
  std::uint32_t b;
  bool compared;
};

/// Draws the EGO-join of a small cloud with itself [Gallet 2020, §3.2.3]: at the left the points,
/// coloured by their sequence, with the borders of the cells of the first dimension; at the right a
/// matrix of all pairs of points in EGO order, in which each pair of sequences is a rectangle. The
/// rectangle under the pointer, or the one reached by the arrow keys, is picked: its two sequences
/// stand out among the points.
class EgoPictureView : public QWidget {
  Q_OBJECT

 public:
  explicit EgoPictureView(QWidget* parent = nullptr);

  void setEps(double eps);
  double eps() const { return eps_; }
  const EgoIndex& index() const { return index_; }
  const std::vector<EgoPair>& pairs() const { return pairs_; }
  /// Ordered pairs of points that are compared, and of all.
  std::uint64_t comparedPairs() const { return compared_; }
  std::uint64_t allPairs() const;
  /// The picked pair of sequences; nullopt: none.
  const std::optional<EgoPair>& picked() const { return picked_; }
  /// Picks by positions in EGO order; nothing outside of the matrix.
  void pick(int row, int column);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void pickedChanged();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  QRectF cloudArea() const;
  QRectF matrixArea() const;
  /// Of the pair, one or two rectangles of the matrix.
  std::vector<QRectF> rectanglesOf(const EgoPair& pair) const;
  void paintCloud(QPainter& painter) const;
  void paintMatrix(QPainter& painter) const;
  void setPicked(const std::optional<EgoPair>& picked);

  PointCloud cloud_;
  double eps_ = 0;
  EgoIndex index_;
  std::vector<EgoPair> pairs_;
  std::vector<int> sequenceOf_;  ///< number of the short sequence of each position
  std::uint64_t compared_ = 0;
  std::optional<EgoPair> picked_;
  int row_ = -1;  ///< where the keys are, in positions
  int column_ = -1;
};

/// The picture with a slider for ε and its numbers in words.
class EgoPictureWindow : public QDialog {
  Q_OBJECT

 public:
  explicit EgoPictureWindow(QWidget* parent = nullptr);

  EgoPictureView* view() const { return view_; }
  QSlider* slider() const { return slider_; }
  /// The numbers of compared pairs, and a description of the picked pair.
  QString summary() const;

 private:
  void showWords();
  /// Describes the picked pair below the picture.
  void sayPicked();

  EgoPictureView* view_;
  QSlider* slider_;
  QLabel* eps_;
  QLabel* summary_;
  QLabel* pickedText_;
};

}  // namespace clusterloom
