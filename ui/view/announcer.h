#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QString>
#include <QTimer>
#include <vector>

class QWidget;

namespace clusterloom {

/// Tells assistive technology about events outside the focus: results, progress, messages, errors.
/// There is one for the application, since there is one voice.
///
/// Announcements come at most once a second: a newer one replaces one of the same topic that still
/// waits, so that of a drag only the current state is spoken. Errors are spoken at once and
/// interrupt. Qt has such events from 6.8 on; with an older one only `announced` is emitted.
class Announcer : public QObject {
  Q_OBJECT

 public:
  /// The topics of announcements. Only the newest announcement of each topic waits.
  enum class Topic { Data, Run, Message, Hidden, Picked, Lesson, Form, Error };

  /// That of the application, which must exist.
  static Announcer& ofApplication();

  /// Speaks `text` for a widget, which must have a window. Empty texts are left out.
  void say(QWidget& about, Topic topic, const QString& text);

 Q_SIGNALS:
  /// The text that is spoken now; `urgent` for errors.
  void announced(const QString& text, bool urgent);

 private:
  using QObject::QObject;
  struct Waiting {
    QPointer<QWidget> about;
    Topic topic;
    QString text;
  };
  void speak(QWidget& about, const QString& text, bool urgent);
  void speakNext();

  std::vector<Waiting> waiting_;
  QTimer next_;
  QElapsedTimer last_;  ///< since the last announcement that was not urgent
};

}  // namespace clusterloom
