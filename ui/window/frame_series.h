#pragma once

#include <QObject>
#include <QString>
#include <functional>

#include "ui/view/picture_drawing.h"

namespace clusterloom {

class CloudView;
class Session;

/// Where and how frames are saved: FOLDER/NAME-0001.png and so on.
struct FrameOrder {
  QString folder;
  QString name = QStringLiteral("frame");
  int frames = 120;  ///< at least 2
  PictureSize size;
};

/// The animation whose frames are saved.
struct FrameSource {
  std::function<bool()> isPossible;  ///< false: there is nothing to play
  std::function<bool()> isCurrent;   ///< whether the result on show is the one to draw
  std::function<void(int frame, int frames)> show;  ///< frame is 0 … frames − 1
  std::function<void()> restore;                    ///< restores the state before the series
};

/// A replay: ε from the smallest to the largest of its range, geometrically. Pauses it. Each frame
/// has its run, also where runs do not start by themselves.
FrameSource growthFrames(Session& session);
/// The column that the view plays: ColumnPlayer::showFrame. Pauses it. The clusters are those on
/// show, of a run or opened; only a run that is under way is waited for.
FrameSource columnFrames(Session& session, CloudView& view);

/// Saves a series of pictures: shows frame after frame, waits until the view shows it with the
/// clusters that its source calls current, and writes its picture. It deletes itself when it is
/// done or stopped.
class FrameSeries : public QObject {
  Q_OBJECT

 public:
  /// Starts one; a child of the view.
  static FrameSeries* start(Session& session, CloudView& view, FrameSource source,
                            const FrameOrder& order);
  ~FrameSeries() override;

  /// Frames that were written stay.
  void stop();
  bool isOver() const { return over_; }

 Q_SIGNALS:
  void progressed(int done, int frames);
  /// Fewer frames than requested where it was stopped or failed; errors are reported by the
  /// session.
  void finished(int written, bool stopped);

 private:
  FrameSeries(Session& session, CloudView& view, FrameSource source, const FrameOrder& order);
  void next();
  void drawWhenSettled();
  void end(bool stopped);

  Session& session_;
  CloudView& view_;
  FrameSource source_;
  FrameOrder order_;
  int frame_ = 0;
  int written_ = 0;
  bool waits_ = false;  // a frame is shown to the view and not drawn yet
  bool over_ = false;
};

}  // namespace clusterloom
