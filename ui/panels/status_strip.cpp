#include "ui/panels/status_strip.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QStatusBar>
#include <QTimer>
#include <QToolButton>
#include <algorithm>

#include "ui/session/cluster_run.h"
#include "ui/session/motion.h"
#include "ui/session/result_words.h"
#include "ui/session/session.h"
#include "ui/session/session_data.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/form.h"
#include "ui/words/engine_words.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {
// Jobs shorter than this do not flicker in the status line.
constexpr int kShowAfter = 120;

/// The jobs worth showing: not short ones, which start and end all the time and have no title.
bool isWorthShowing(const JobInfo& job) {
  return !job.title.isEmpty() && job.kind != JobKind::Autosave && job.kind != JobKind::Retire;
}
}  // namespace

StatusStrip::StatusStrip(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
  setObjectName(QStringLiteral("statusStrip"));
  summary_ = named("summary", new ElidedLabel(this));
  summary_->setTextFormat(Qt::PlainText);
  job_ = named("jobText", new ElidedLabel(this));
  job_->setProperty("role", "muted");
  job_->setTextFormat(Qt::PlainText);
  progress_ = new QProgressBar(this);
  progress_->setRange(0, 1000);
  progress_->setTextVisible(false);
  progress_->setFixedSize(120, 8);
  progress_->setAccessibleName(tr("Progress"));
  cancel_ = named("flat", iconButton(this, QStringLiteral("cancel"), tr("Stop (Ctrl+.)")));
  cancel_->setIconSize({fontScaled(14), fontScaled(14)});
  auto* layout = spaced(new QHBoxLayout(this), {10, 0, 6, 0}, 8);
  layout->addWidget(summary_, 1);
  layout->addWidget(job_);
  layout->addWidget(progress_);
  layout->addWidget(cancel_);
  // As high without a job as with one: the view above must not jump when jobs come and go.
  setFixedHeight(
      std::max({summary_->sizeHint().height(), cancel_->sizeHint().height(), progress_->height()}));

  later_ = new QTimer(this);
  later_->setSingleShot(true);
  connect(later_, &QTimer::timeout, this, &StatusStrip::showJobs);
  connect(cancel_, &QToolButton::clicked, this, [this] { session_.cancel(); });
  JobQueue& jobs = session_.jobs();
  connect(&jobs, &JobQueue::started, this, [this] {
    if (!later_->isActive()) later_->start(kShowAfter);
  });
  connect(&jobs, &JobQueue::progressed, this, [this] {
    if (!later_->isActive()) showJobs();
  });
  connect(&jobs, &JobQueue::ended, this, [this] {
    if (!later_->isActive()) later_->start(0);
  });
  connect(&session_, &Session::parametersChanged, this, &StatusStrip::showSummary);
  connect(&session_.data(), &SessionData::cloudChanged, this, &StatusStrip::showSummary);
  connect(&session_.data(), &SessionData::partialChanged, this, &StatusStrip::showSummary);
  const ClusterRun& run = session_.clusterRun();
  for (const auto signal : {&ClusterRun::resultChanged, &ClusterRun::previewChanged,
                            &ClusterRun::backendChanged, &ClusterRun::stateChanged})
    connect(&run, signal, this, &StatusStrip::showSummary);
  showSummary();
  showJobs();
}

QString StatusStrip::summary() const { return summary_->text(); }

QString StatusStrip::jobText() const { return job_->text(); }

void StatusStrip::showSummary() {
  const auto cloud = session_.data().cloud();
  QStringList words;
  QString tip;
  if (const auto partial = session_.data().partial()) {
    words << partialText(*partial);
  } else if (!cloud) {
    words << tr("Ready");
  } else {
    const std::size_t n = cloud->size();
    const auto whole = session_.data().whole();
    words << (session_.data().kept()
                  ? tr("%1 of %2 kept").arg(count(n), countedPoints(whole->cloud.size()))
                  : countedPoints(n));
    const auto preview = session_.clusterRun().preview();
    const auto result = session_.clusterRun().result();
    const bool ofRun = !result || result->isOfRun();
    if (preview) {
      words << tr("preview: %1 among %2")
                   .arg(countedClusters(std::uint64_t(preview->clusters)),
                        countedPoints(preview->points.size()));
    } else if (result) {
      const Clustering& clustering = result->clustering;
      words << countedClusters(std::uint64_t(clustering.clusters))
            << tr("%1 noise").arg(percent(double(clustering.noiseCount) / double(n)));
      if (ofRun) words << duration(clustering.stats.seconds.total);
      const std::size_t apart = result->parameters.refinements.size();
      if (apart > 0)
        words << counted(apart, "1 selection clustered on its own",
                         tr("%1 selections clustered on their own", nullptr, pluralNumber(apart)));
      if (result->hierarchy)
        tip = tr("labels from the clusters of every ε, which were prepared for this minPts");
      else if (ofRun) {
        const RunStats& stats = clustering.stats;
        tip = tr("index %1, join %2, labels %3")
                  .arg(duration(stats.seconds.index), duration(stats.seconds.join),
                       duration(stats.seconds.label));
        if (stats.indexedDims > 0)
          tip += QLatin1Char('\n') +
                 tr("%1 cells, k = %2").arg(count(stats.cells)).arg(stats.indexedDims);
        tip += QLatin1Char('\n') + engineList(stats.strategy);
      }
      if (!clustering.stats.note.empty()) {
        tip += QLatin1Char('\n') + QString::fromStdString(clustering.stats.note);
      }
    }
    if (!preview) {
      const QString standing = resultText(session_.clusterRun(), session_.parameters());
      if (!standing.isEmpty()) words << standing;
    }
    if (result && result->hierarchy)
      words << tr("every ε prepared");
    else if (ofRun)
      words << session_.clusterRun().backendDescription();
  }
  summary_->setText(words.join(QStringLiteral("  ·  ")));
  // A screen reader reads the bar by its name.
  if (auto* bar = qobject_cast<QStatusBar*>(parentWidget()))
    bar->setAccessibleName(summary_->text());
  summary_->setToolTip(tip.isEmpty() ? summary_->text()
                                     : summary_->text() + QLatin1Char('\n') + tip);
}

void StatusStrip::showJobs() {
  const JobInfo* shown = nullptr;
  std::vector<JobInfo> active = session_.jobs().active();
  std::erase_if(active, [](const JobInfo& job) { return !isWorthShowing(job); });
  for (const JobInfo& job : active) {
    if (shown == nullptr || job.kind == JobKind::Load || job.kind == JobKind::Cluster) {
      shown = &job;
    }
  }
  job_->setVisible(shown != nullptr);
  progress_->setVisible(shown != nullptr);
  cancel_->setVisible(
      std::ranges::any_of(active, [](const JobInfo& job) { return endsByStop(job.kind); }));
  if (shown == nullptr) {
    job_->clear();
    return;
  }
  QString text = tr("job %1  ·  %2").arg(count(shown->number), shown->title);
  if (!shown->stage.isEmpty()) text += QStringLiteral("  ·  ") + shown->stage;
  if (active.size() > 1) text += tr("  (+%1)").arg(active.size() - 1);
  job_->setText(text);
  job_->setToolTip(text);
  const bool known = !shown->stage.isEmpty();
  if (!known && !Motion::ofApplication().isReduced()) {
    progress_->setRange(0, 0);  // the bar runs to and fro
  } else {
    progress_->setRange(0, 1000);
    progress_->setValue(known ? int(1000 * shown->fraction) : 0);
  }
}

}  // namespace clusterloom
