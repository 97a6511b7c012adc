#pragma once

#include <QLocalServer>
#include <QLockFile>
#include <QObject>
#include <QString>
#include <functional>

namespace clusterloom {

/// Where the window of this user on this display listens: a socket in the user's folder for running
/// programs, $XDG_RUNTIME_DIR. Empty where there is no such folder.
QString windowSocket();

/// Offers a file to the window that listens. True when it has taken the file; false where there is
/// none, where it is busy with a dialog, and where it does not answer within ten seconds.
bool handOver(const QString& path);

/// Listens for files that other processes hand over. One process at a time does; the others run
/// without. What a process that crashed has left behind is replaced.
class FileReceiver : public QObject {
  Q_OBJECT

 public:
  FileReceiver();

  /// Whether this process listens now. Files are taken once `onFile` is called.
  bool listen();
  /// `take` gets the absolute path of each file and says whether it has taken the file.
  void onFile(std::function<bool(const QString&)> take);

 private:
  void answerAll();
  void read(QLocalSocket& socket);

  QLockFile lock_;
  QLocalServer server_;
  std::function<bool(const QString&)> take_;
};

}  // namespace clusterloom
