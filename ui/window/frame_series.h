#pragma once

#include <QObject>
#include <QString>
#include <functional>

#include "ui/view/picture_drawing.h"

namespace clusterloom {

class CloudView;
class Session;

/// Where and how the frames of a replay are saved: FOLDER/NAME-0001.png and so on.
struct FrameOrder {
  QString folder;
  QString name = QStringLiteral("frame");
  int frames = 120;  ///< at least 2, evenly over the range, geometrically in ε
  PictureSize size;
};

/// Saves a replay as a series of pictures: moves ε step by step through the session, waits until
/// the view shows the exact clusters, and writes its picture. ε is what it was before in the end.
/// It deletes itself when it is done or stopped.
class FrameSeries : public QObject {
  Q_OBJECT

 public:
  /// Starts one; a child of the view.
  static FrameSeries* start(Session& session, CloudView& view, const FrameOrder& order);
  ~FrameSeries() override;

  /// Frames that were written stay.
  void stop();

 Q_SIGNALS:
  void progressed(int done, int frames);
  /// Fewer were written than asked for where it was stopped or failed; errors are reported by the
  /// session.
  void finished(int written, bool stopped);

 private:
  FrameSeries(Session& session, CloudView& view, const FrameOrder& order);
  void next();
  void drawWhenSettled();
  void end(bool stopped);

  Session& session_;
  CloudView& view_;
  FrameOrder order_;
  double epsBefore_ = 0;
  int frame_ = 0;
  int written_ = 0;
  bool drawing_ = false;
  bool over_ = false;
};

}  // namespace clusterloom
