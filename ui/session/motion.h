#pragma once

#include <QObject>
#include <QString>

class QTimer;

namespace clusterloom {

/// Whether motion is reduced, as a person chose.
enum class MotionChoice { System, Reduced, Full };

/// "system", "reduced", "full": the words in the settings.
QString toText(MotionChoice choice);
MotionChoice motionFromText(const QString& text);

/// How much animations may move. Where motion is reduced, they show one still picture a second, and
/// the window has no transitions. There is one for the application.
class Motion : public QObject {
  Q_OBJECT

 public:
  /// That of the application, which must exist.
  static Motion& ofApplication();

  MotionChoice choice() const { return choice_; }
  void setChoice(MotionChoice choice);
  /// The setting of the desktop, which counts unless a person chose; false at the beginning.
  void setDesktopReduced(bool reduced);

  bool isReduced() const;
  /// Keeps the interval of a timer that plays something, each time one frame: `smoothMs`, or long
  /// enough for a still picture where motion is reduced.
  void pace(QTimer& timer, int smoothMs = 33);

 Q_SIGNALS:
  void changed();  ///< the choice, or isReduced()

 private:
  using QObject::QObject;
  MotionChoice choice_ = MotionChoice::System;
  bool desktopReduced_ = false;
};

}  // namespace clusterloom
