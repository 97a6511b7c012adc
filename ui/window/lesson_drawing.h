#pragma once

#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>

#include "engine/core/result.h"
#include "ui/lessons/handout.h"
#include "ui/lessons/lesson.h"

class QImage;

namespace clusterloom {

class LessonWindow;

/// Plays a lesson step by step in a separate window that is not on the screen, and draws the view
/// and the charts of each step. It deletes itself when it is done.
class LessonDrawing : public QObject {
  Q_OBJECT

 public:
  using Done = std::function<void(Result<Handout>)>;

  /// Draws a lesson file, or only the step of this number from 1 (0: all); for slides with larger
  /// text in its pictures, which are small there. `done` gets errors as readLesson's; BadCall for a
  /// step that is not there; BadInput with the reason where the numbers of a step cannot be
  /// computed; Unavailable where nothing can be drawn.
  static void start(QObject* parent, const QString& path, int step, bool slides, Done done);
  ~LessonDrawing() override;

 private:
  LessonDrawing(QObject* parent, const Lesson& lesson, int step, bool slides, Done done);
  void look();
  bool isReady() const;
  void take();
  void addView(QImage image);
  void addCharts();
  void goOn();
  void end(Result<Handout> result);

  Done done_;
  Handout handout_;
  bool onlyOne_;
  bool slides_;
  std::unique_ptr<LessonWindow> lessons_;
  QTimer timer_;
  int calm_ = 0;
  int waited_ = 0;
};

}  // namespace clusterloom
