#include "app/one_window.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <QLocalSocket>
#include <QStandardPaths>

namespace clusterloom {
namespace {

// A call is the paths in the encoding of file names, each ended by a zero byte, and one zero byte
// more; the answer is one of two.
constexpr qint64 kLongestCall = 65536;
constexpr char kTaken[] = "taken\n";
constexpr char kBusy[] = "busy\n";
constexpr int kTimeoutMs = 10000;

}  // namespace

QString windowSocket() {
  const QString folder = QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation);
  if (folder.isEmpty()) return {};
  // Windows on another display, as through ssh, are not in sight.
  const QByteArray display = qgetenv("WAYLAND_DISPLAY") + ' ' + qgetenv("DISPLAY");
  const QByteArray hash = QCryptographicHash::hash(display, QCryptographicHash::Sha1).toHex();
  return folder + QStringLiteral("/clusterloom-") + QString::fromLatin1(hash.first(8));
}

bool handOver(const QStringList& paths) {
  const QString name = windowSocket();
  if (name.isEmpty()) return false;
  QLocalSocket socket;
  socket.connectToServer(name);
  if (!socket.waitForConnected(kTimeoutMs)) return false;
  QByteArray call;
  for (const QString& path : paths)
    call += QFile::encodeName(QFileInfo(path).absoluteFilePath()) + '\0';
  socket.write(call + '\0');
  QByteArray answer;
  while (!answer.endsWith('\n') && socket.waitForReadyRead(kTimeoutMs)) answer += socket.readAll();
  return answer == kTaken;
}

FileReceiver::FileReceiver() : lock_(windowSocket() + QStringLiteral(".lock")) {
  // Old locks of processes that live are valid.
  lock_.setStaleLockTime(0);
  server_.setSocketOptions(QLocalServer::UserAccessOption);
}

bool FileReceiver::listen() {
  const QString name = windowSocket();
  // The process that has the lock may remove the socket.
  if (name.isEmpty() || !lock_.tryLock(0)) return false;
  QLocalServer::removeServer(name);
  return server_.listen(name);
}

void FileReceiver::onFiles(std::function<bool(const QStringList&)> take) {
  take_ = std::move(take);
  connect(&server_, &QLocalServer::newConnection, this, &FileReceiver::answerAll);
  answerAll();
}

void FileReceiver::answerAll() {
  while (QLocalSocket* socket = server_.nextPendingConnection()) {
    connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
    connect(socket, &QLocalSocket::readyRead, this, [this, socket] { read(*socket); });
    read(*socket);
  }
}

void FileReceiver::read(QLocalSocket& socket) {
  if (socket.state() != QLocalSocket::ConnectedState) return;
  const QByteArray call = socket.peek(kLongestCall);
  const qsizetype end = call.indexOf(QByteArray(2, '\0'));
  if (end < 0) {
    if (call.size() == kLongestCall) socket.abort();
    return;
  }
  socket.readAll();
  QStringList paths;
  for (const QByteArray& path : call.first(end).split('\0')) paths << QFile::decodeName(path);
  socket.write(take_(paths) ? kTaken : kBusy);
  socket.disconnectFromServer();
}

}  // namespace clusterloom
