#pragma once

#include <QLocalServer>
#include <QLockFile>
#include <QObject>
#include <QString>
#include <QStringList>
#include <functional>

namespace clusterloom {

/// Where the window of this user on this display listens: a socket in the user's folder for running
/// programs, $XDG_RUNTIME_DIR. Empty where there is no such folder.
QString windowSocket();

/// Offers files to the window that listens. True when it has taken them; false where there is none,
/// where it is busy with a dialog, and where it does not answer within ten seconds.
bool handOver(const QStringList& paths);

/// Listens for files that other processes hand over. One process at a time does; the others run
/// without. What a process that crashed has left behind is replaced.
class FileReceiver : public QObject {
  Q_OBJECT

 public:
  FileReceiver();

  /// Whether this process listens now. Files are taken once `onFiles` is called.
  bool listen();
  /// `take` gets the absolute paths of the files of a call and says whether it has taken them.
  void onFiles(std::function<bool(const QStringList&)> take);

 private:
  void answerAll();
  void read(QLocalSocket& socket);

  QLockFile lock_;
  QLocalServer server_;
  std::function<bool(const QStringList&)> take_;
};

}  // namespace clusterloom
