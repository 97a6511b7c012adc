#include "ui/window/file_queue.h"

#include <QFileInfo>
#include <utility>

#include "ui/session/open_clouds.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"

namespace clusterloom {

FileQueue::FileQueue(Session& session, std::function<void(const QString&)> open, QObject* parent)
    : QObject(parent), session_(session), open_(std::move(open)) {
  // Queued: the session accepts what was read while the job ends.
  connect(&session_.jobs(), &JobQueue::ended, this, &FileQueue::advance, Qt::QueuedConnection);
  connect(&session_, &Session::failed, this, [this](const Failure& failure) {
    if (busy_ && failure.job == JobKind::Load)
      failures_ << QString::fromStdString(failure.error.message);
  });
}

void FileQueue::start(const QString& first, const QStringList& files) {
  first_ = first.isEmpty() ? QString() : QFileInfo(first).absoluteFilePath();
  files_ = files;
  number_ = 0;
  failures_.clear();
  busy_ = !files_.isEmpty();
  advance();
}

void FileQueue::advance() {
  if (!busy_ || session_.jobs().isActive(JobKind::Load)) return;
  const SessionData& data = session_.data();
  if (!data.dataset()) {
    failures_.clear();
    return end();
  }
  if (data.awaitsEps() && session_.jobs().isActive(JobKind::Suggest)) return;
  OpenClouds& clouds = session_.clouds();
  if (!first_.isEmpty()) {
    if (data.source().path != first_ && session_.files().sessionPath() != first_) {
      failures_.clear();  // its message is on show
      return end();
    }
    first_.clear();
    number_ = clouds.number(clouds.current());
  }
  if (!files_.isEmpty()) return open_(files_.takeFirst());
  const quint64 number = std::exchange(number_, 0);
  for (int i = 0; i < clouds.count(); ++i)
    if (clouds.number(i) == number && i != clouds.current()) return clouds.show(i);
  end();
}

void FileQueue::end() {
  files_.clear();
  busy_ = false;
  if (!failures_.isEmpty()) Q_EMIT failed(failures_.join(QLatin1Char('\n')));
}

}  // namespace clusterloom
