#include "ui/window/announcements.h"

#include <QApplication>
#include <QWidget>
#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "ui/jobs/job_queue.h"
#include "ui/panels/message_bar.h"
#include "ui/session/cluster_run.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

constexpr int kFirstProgress = 1500;  // milliseconds; jobs that are shorter only tell their result
constexpr int kNextProgress = 10'000;

/// The jobs that a person waits for.
bool isAwaited(JobKind kind) {
  return kind == JobKind::Load || kind == JobKind::Cluster || kind == JobKind::Export;
}

using Labels = std::set<std::int32_t>;

std::vector<std::int32_t> without(const Labels& labels, const Labels& others) {
  std::vector<std::int32_t> rest;
  std::set_difference(labels.begin(), labels.end(), others.begin(), others.end(),
                      std::back_inserter(rest));
  return rest;
}

}  // namespace

Announcements::Announcements(Session& session, MessageBar& messages, QWidget& window)
    : QObject(&window), session_(session), window_(window), hidden_(session.display().hidden) {
  connect(&messages, &MessageBar::messageShown, this,
          [this](MessageBar::Kind kind, const QString& text) {
            const bool error = kind == MessageBar::Kind::Error;
            say(error ? Announcer::Topic::Error : Announcer::Topic::Message, text);
          });
  connect(&session.data(), &SessionData::dataChanged, this, &Announcements::sayData);
  connect(&session.clusterRun(), &ClusterRun::resultChanged, this, &Announcements::sayResult);
  connect(&session, &Session::displayChanged, this, &Announcements::sayHidden);
  progress_.setSingleShot(true);
  connect(&progress_, &QTimer::timeout, this, &Announcements::sayProgress);
  connect(&session.jobs(), &JobQueue::started, this, [this](quint64, JobKind kind) {
    if (isAwaited(kind) && !progress_.isActive()) progress_.start(kFirstProgress);
  });
}

void Announcements::say(Announcer::Topic topic, const QString& text) {
  const QWidget* front = QApplication::activeWindow();
  const bool isOther = front != nullptr && topic != Announcer::Topic::Error;
  while (front != nullptr && front != &window_) front = front->parentWidget();
  if (isOther && front == nullptr) return;
  Announcer::ofApplication().say(window_, topic, text);
}

void Announcements::sayData() {
  hidden_ = session_.display().hidden;
  const auto dataset = session_.data().dataset();
  if (!dataset) return;
  say(Announcer::Topic::Data,
      tr("%1: %2, %3")
          .arg(session_.data().dataName(), countedPoints(dataset->cloud.size()),
               countedDimensions(dataset->cloud.dims())));
}

void Announcements::sayResult() {
  // Hidden clusters that a result carries over are not hidden by anyone.
  hidden_ = session_.display().hidden;
  const auto result = session_.clusterRun().result();
  if (!result || result == said_.lock()) return;
  said_ = result;
  const Clustering& found = result->clustering;
  const double points = double(std::max<std::size_t>(1, found.labels.size()));
  say(Announcer::Topic::Run, tr("%1, %2 noise")
                                 .arg(countedClusters(std::uint64_t(found.clusters)),
                                      percent(double(found.noiseCount) / points)));
}

void Announcements::sayProgress() {
  for (const JobInfo& job : session_.jobs().active()) {
    if (!isAwaited(job.kind) || job.title.isEmpty()) continue;
    say(Announcer::Topic::Run,
        job.stage.isEmpty() ? job.title
                            : tr("%1, %2: %3").arg(job.title, job.stage, percent(job.fraction)));
    progress_.start(kNextProgress);
    return;
  }
}

void Announcements::sayHidden() {
  const Labels before = std::exchange(hidden_, session_.display().hidden);
  if (before == hidden_) return;
  const auto hidden = without(hidden_, before);
  const auto shown = without(before, hidden_);
  QString text;
  if (hidden_.empty()) {
    text = tr("All clusters shown");
  } else if (hidden.size() == 1 && shown.empty()) {
    text = hidden.front() == kNoise
               ? tr("Noise hidden")
               : tr("Cluster %1 hidden").arg(count(std::uint64_t(hidden.front())));
  } else if (shown.size() == 1 && hidden.empty()) {
    text = shown.front() == kNoise
               ? tr("Noise shown")
               : tr("Cluster %1 shown").arg(count(std::uint64_t(shown.front())));
  } else {
    const bool noise = hidden_.count(kNoise) > 0;
    const QString clusters = countedClusters(hidden_.size() - (noise ? 1 : 0));
    text = (noise ? tr("%1 and noise hidden") : tr("%1 hidden")).arg(clusters);
  }
  say(Announcer::Topic::Hidden, text);
}

}  // namespace clusterloom
