#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <functional>

#include "ui/jobs/job_queue.h"

namespace clusterloom {

class Session;

/// Files that are opened in tabs, one after the other, once another one is open: those that a call
/// of the program names after the first. Each waits until the one before it is read and ε is known,
/// which the first one suggests; that one is on show in the end. Nothing more is opened where it
/// could not be read, other data took its place or it was closed, or a person stopped the reading
/// of one of them or the search for ε. A file that is being read while a person changes tabs is
/// read again when the chosen cloud is on show.
class FileQueue : public QObject {
  Q_OBJECT

 public:
  /// `open` starts to open one beside what is open (a job of kind Load), or says why it does not.
  FileQueue(Session& session, std::function<QString(const QString&)> open, QObject* parent);

  /// `first` is being read, and what still waited is forgotten; empty: the data that are open are
  /// meant, and the files come after those that still wait.
  void start(const QString& first, const QStringList& files);
  /// Whether files still wait, or the first one is about to be shown again.
  bool isBusy() const { return busy_; }

 Q_SIGNALS:
  /// Messages of what could not be read, one a line, when nothing waits any more: those that were
  /// shown meanwhile went as the next file was opened.
  void failed(const QString& text);

 private:
  void onJobEnded(quint64 job, JobKind kind, JobEnd end);
  void advance();
  void end();

  Session& session_;
  std::function<QString(const QString&)> open_;
  QString first_;  ///< absolute; empty once it is known to be open
  QStringList files_;
  QString reading_;  ///< was in `files_` until it was started
  QStringList failures_;
  quint64 number_ = 0;       ///< of the first among the open clouds, once it is known to be open
  bool showsFirst_ = false;  ///< it is to be shown again
  bool suggestStopped_ = false;  ///< the last job that sought ε, by a person
  bool lastIsShown_ = false;     ///< of the failures: nothing was opened since
  bool busy_ = false;
};

}  // namespace clusterloom
