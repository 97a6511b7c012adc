#include "ui/window/file_queue.h"

#include <QFileInfo>
#include <utility>

#include "ui/session/open_clouds.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"

namespace clusterloom {

FileQueue::FileQueue(Session& session, std::function<QString(const QString&)> open, QObject* parent)
    : QObject(parent), session_(session), open_(std::move(open)) {
  connect(&session_.jobs(), &JobQueue::ended, this, &FileQueue::onJobEnded);
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
  const OpenClouds& clouds = session_.clouds();
  number_ = first_.isEmpty() && clouds.count() > 0 ? clouds.number(clouds.current()) : 0;
  showsFirst_ = !first_.isEmpty();
  suggestCancelled_ = false;
  failures_.clear();
  busy_ = !files_.isEmpty();
  advance();
}

void FileQueue::onJobEnded(quint64, JobKind kind, JobEnd end) {
  if (kind == JobKind::Suggest) suggestCancelled_ = end == JobEnd::Cancelled;
  if (kind != JobKind::Load || end != JobEnd::Cancelled) return;
  files_.clear();
  showsFirst_ = false;
}

void FileQueue::advance() {
  const JobQueue& jobs = session_.jobs();
  if (!busy_ || jobs.isActive(JobKind::Load)) return;
  const SessionData& data = session_.data();
  if (!data.dataset()) {
    failures_.clear();
    return end();
  }
  if (data.awaitsEps()) {
    if (jobs.isActive(JobKind::Suggest) || jobs.isActive(JobKind::Scale)) return;
    if (suggestCancelled_) return end();
  }
  OpenClouds& clouds = session_.clouds();
  if (!first_.isEmpty()) {
    if (data.source().path != first_ && session_.files().sessionPath() != first_) {
      failures_.clear();  // its message is on show
      return end();
    }
    first_.clear();
    number_ = clouds.number(clouds.current());
  }
  int first = 0;
  while (first < clouds.count() && clouds.number(first) != number_) ++first;
  if (first == clouds.count()) return end();
  while (!files_.isEmpty()) {
    const QString refused = open_(files_.takeFirst());
    if (refused.isEmpty()) return;
    failures_ << refused;
  }
  if (std::exchange(showsFirst_, false) && first != clouds.current()) return clouds.show(first);
  end();
}

void FileQueue::end() {
  first_.clear();
  files_.clear();
  busy_ = false;
  if (!failures_.isEmpty()) Q_EMIT failed(failures_.join(QLatin1Char('\n')));
}

}  // namespace clusterloom
