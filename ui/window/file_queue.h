#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <functional>

#include "ui/jobs/job_queue.h"

namespace clusterloom {

class Session;

/// Files that are opened in tabs, one after the other, once a first file is open: those that a call
/// of the program names after the first. Each waits until the one before it is read and ε is known,
/// which the first file suggests; the first file is on show in the end. No more files are opened
/// where the first file could not be read, was replaced or closed, or a person stopped the reading
/// of a file or the search for ε. A file that is being read while a person changes tabs is read
/// again when the chosen cloud is on show.
class FileQueue : public QObject {
  Q_OBJECT

 public:
  /// `open` starts to open a file beside the open ones (a job of kind Load), or returns why it does
  /// not.
  FileQueue(Session& session, std::function<QString(const QString&)> open, QObject* parent);

  /// `first` is being read, and files that still waited are dropped; empty: the open data are the
  /// first file, and the files come after those that still wait.
  void start(const QString& first, const QStringList& files);
  /// Whether files still wait, or the first one is about to be shown again.
  bool isBusy() const { return busy_; }

 Q_SIGNALS:
  /// Messages about files that could not be read, one a line, when no file waits: messages shown
  /// earlier disappeared when the next file was opened.
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
