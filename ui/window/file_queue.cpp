#include "ui/window/file_queue.h"

#include <QFileInfo>
#include <utility>

#include "ui/session/cluster_run.h"
#include "ui/session/open_clouds.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"

namespace clusterloom {

FileQueue::FileQueue(Session& session, std::function<QString(const QString&)> open, QObject* parent)
    : QObject(parent), session_(session), open_(std::move(open)) {
  connect(&session_.jobs(), &JobQueue::ended, this, &FileQueue::onJobEnded);
  // Queued: the session accepts the data while the job ends.
  connect(&session_.jobs(), &JobQueue::ended, this, &FileQueue::advance, Qt::QueuedConnection);
  connect(&session_.jobs(), &JobQueue::failed, this, [this](const Failure& failure) {
    if (!busy_ || failure.job != JobKind::Load) return;
    failures_ << QString::fromStdString(failure.error.message);
    lastIsShown_ = true;
  });
}

void FileQueue::start(const QString& first, const QStringList& files) {
  if (busy_ && first.isEmpty()) {
    files_ += files;
    return;
  }
  first_ = first.isEmpty() ? QString() : QFileInfo(first).absoluteFilePath();
  files_ = files;
  const OpenClouds& clouds = session_.clouds();
  // What is being read may take the place of the cloud on show.
  const bool known =
      first_.isEmpty() && clouds.count() > 0 && !session_.jobs().isActive(JobKind::Load);
  number_ = known ? clouds.number(clouds.current()) : 0;
  showsFirst_ = !first_.isEmpty();
  suggestStopped_ = false;
  reading_.clear();
  failures_.clear();
  lastIsShown_ = false;
  busy_ = !files_.isEmpty();
  advance();
}

void FileQueue::onJobEnded(quint64, JobKind kind, JobEnd end) {
  // A change of the cloud ends the search, too, and begins it anew.
  if (kind == JobKind::Suggest)
    suggestStopped_ = end == JobEnd::Cancelled && session_.clusterRun().wasStopped();
  if (kind != JobKind::Load) return;
  const QString file = std::exchange(reading_, {});
  const bool replaced = end == JobEnd::Superseded && !file.isEmpty();
  // The load of a cloud that is open already ends with a click on another tab: the files still
  // wait.
  const bool isOfQueue = !file.isEmpty() || !first_.isEmpty();
  if (end == JobEnd::Cancelled && isOfQueue) files_.clear();
  if (replaced) files_.prepend(file);  // another cloud is read, since a person changed tabs
  if (replaced || end == JobEnd::Cancelled) showsFirst_ = false;
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
    if (suggestStopped_) return end();
  }
  OpenClouds& clouds = session_.clouds();
  if (!first_.isEmpty()) {
    if (data.source().path != first_ && session_.files().sessionPath() != first_) {
      failures_.clear();  // its message is on show
      return end();
    }
    first_.clear();
  }
  if (number_ == 0 && clouds.count() > 0) number_ = clouds.number(clouds.current());
  int first = 0;
  while (first < clouds.count() && clouds.number(first) != number_) ++first;
  if (first == clouds.count()) return end();
  while (!files_.isEmpty()) {
    const QString file = files_.takeFirst();
    reading_ = file;  // before it is started: its job may be stopped at once
    const QString refused = open_(file);
    lastIsShown_ = false;
    if (refused.isEmpty()) return;
    reading_.clear();
    failures_ << refused;
  }
  if (std::exchange(showsFirst_, false) && first != clouds.current()) return clouds.show(first);
  end();
}

void FileQueue::end() {
  first_.clear();
  files_.clear();
  busy_ = false;
  const bool allShown = lastIsShown_ && failures_.size() == 1;
  if (!failures_.isEmpty() && !allShown) Q_EMIT failed(failures_.join(QLatin1Char('\n')));
}

}  // namespace clusterloom
