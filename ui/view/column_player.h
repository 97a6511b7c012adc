#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "ui/session/play_clock.h"
#include "ui/view/scene_content.h"

namespace clusterloom {

class LatestCall;
class Session;
struct Dataset;

/// A dimension or an attribute of a data set.
struct PlayableColumn {
  QString name;
  bool isDimension = false;
  std::size_t index = 0;  ///< among the dimensions or the attributes
};

/// All columns of a data set; those that are named like a time come first.
std::vector<PlayableColumn> playableColumns(const Dataset& dataset);

/// The values of a column, prepared for playing. The value of a word is its place in the order of
/// all words of the column, so that dates of the form 2024-12-31 are in the order of time.
struct PlayedValues {
  std::shared_ptr<const std::vector<double>> values;  ///< one per point, not null
  double low = 0;                                     ///< of the finite values
  double high = 0;
  bool any = false;            ///< whether one is finite
  std::vector<double> few;     ///< all finite values, ascending; empty where there are many
  std::vector<QString> words;  ///< by value; empty for numbers
};
/// O(n). Copies no doubles.
PlayedValues playedValuesOf(const std::shared_ptr<const Dataset>& dataset,
                            const PlayableColumn& column);

/// The largest value below `at` (direction < 0) or the smallest above it; nullopt for none.
std::optional<double> nextValue(const std::vector<double>& values, double at, int direction);

/// Steps through the values of a column of a session's data: while it is on, only the points whose
/// value is in [position, position + width] are to be drawn. The session is unchanged: the clusters
/// remain those of all points. It pauses at the end, and where other data are opened.
class ColumnPlayer : public QObject {
  Q_OBJECT

 public:
  explicit ColumnPlayer(Session& session, QObject* parent);

  bool isOn() const { return on_; }
  /// Can be on only while there are data.
  void setOn(bool on);

  const std::vector<PlayableColumn>& columns() const { return columns_; }
  /// Index into `columns`; −1 for none.
  int column() const { return column_; }
  void setColumn(int column);
  /// False until the values of the column have been read.
  bool isReady() const { return values_.has_value(); }

  /// The range of the finite values.
  double low() const { return values_ ? values_->low : 0; }
  double high() const { return values_ ? values_->high : 0; }
  /// The window, both ends included: [position, end].
  double position() const { return position_; }
  double end() const;
  void setPosition(double position);
  /// ≥ 0. With 0 and at most 1,000 different values, one value after the other is shown.
  double width() const { return width_; }
  void setWidth(double width);
  /// Where the position is between the first and the last window, 0 … 1.
  double share() const;
  void setShare(double share);
  /// The window of the points to draw; nullopt: all points.
  std::optional<ValueWindow> window() const;

  /// True where there is more than one window.
  bool isPossible() const { return on_ && lastPosition() > low(); }
  bool isPlaying() const { return timer_.isActive(); }
  /// Plays on; from the beginning where the last window is on show.
  void play();
  void pause();
  /// Seconds that the whole range takes, > 0.
  double duration() const { return clock_.seconds(); }
  void setDuration(double seconds);
  /// The proposed number of frames of a series of pictures: one for each value where they are shown
  /// one by one.
  int usualFrames() const;
  /// Shows one of `frames` windows, evenly over the column, or value after value where there are
  /// as many. 0 ≤ frame < frames, frames ≥ 2.
  void showFrame(int frame, int frames);
  /// To the next (+1) or previous (−1) window; with width 0 the same as stepToValue.
  void stepByWindow(int direction);
  /// To the next (+1) or previous (−1) value that a point has.
  void stepToValue(int direction);

  /// A value of the column with the digits that the range needs, or the word that it stands for.
  QString textOf(double value) const;
  /// The window in words: "3 to 4", or a value.
  QString windowText() const;

 Q_SIGNALS:
  void changed();        ///< anything but the position
  void windowChanged();  ///< window()

 private:
  void followData();
  void forgetValues();
  void readColumn(bool keepPlace);
  void acceptValues(PlayedValues values, bool keepPlace);
  void moveTo(double position);
  double lastPosition() const;
  double positionAt(double share) const;

  Session& session_;
  LatestCall* reading_;
  LatestCall* finding_;
  QTimer timer_;
  PlayClock clock_;
  // Weak: large data are not to be destroyed here.
  std::weak_ptr<const Dataset> dataset_;
  std::weak_ptr<const Dataset> whole_;  ///< that `dataset_` is, or is a part of
  std::vector<PlayableColumn> columns_;
  int column_ = -1;
  std::optional<PlayedValues> values_;
  double position_ = 0;
  double width_ = 0;
  bool on_ = false;
};

}  // namespace clusterloom
