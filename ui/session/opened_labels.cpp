#include "ui/session/opened_labels.h"

#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <utility>

#include "engine/io/read_labels.h"
#include "ui/jobs/job_queue.h"
#include "ui/session/cluster_run.h"
#include "ui/session/files.h"
#include "ui/session/follow_labels.h"
#include "ui/session/session_data.h"
#include "ui/session/session_files.h"
#include "ui/session/subset.h"

namespace clusterloom {

namespace {

/// ε and minPts of the provenance beside the file; those of `otherwise` where there is none.
DbscanParams paramsBeside(const QString& path, DbscanParams otherwise) {
  const auto text = readSmallFile(path + QStringLiteral(".provenance.json"));
  if (!text) return otherwise;
  const QJsonObject lines = QJsonDocument::fromJson(*text).object();
  bool hasEps = false;
  bool hasMinPts = false;
  const double eps = lines.value(QStringLiteral("eps")).toString().toDouble(&hasEps);
  const qint64 minPts = lines.value(QStringLiteral("min_pts")).toString().toLongLong(&hasMinPts);
  if (hasEps && eps > 0) otherwise.eps = eps;
  if (hasMinPts && minPts > 0) otherwise.minPts = minPts;
  return otherwise;
}

}  // namespace

OpenedLabels::OpenedLabels(const SessionData& data, ClusterRun& run, SessionFiles& files,
                           const Parameters& parameters, JobQueue& jobs, QObject* parent)
    : QObject(parent), data_(data), run_(run), files_(files), parameters_(parameters), jobs_(jobs) {
  connect(&data_, &SessionData::dataAboutToChange, this,
          [this] { jobs_.cancel(JobKind::OpenLabels); });
}

void OpenedLabels::open(const QString& path) {
  read(
      path, [this] { files_.markModified(); }, [] {});
}

void OpenedLabels::restore(const QString& path) {
  // A session that was opened has waited for them.
  read(
      path, [] {},
      [this] {
        if (!run_.result() && !run_.isUnderWay()) run_.request();
      });
}

void OpenedLabels::read(const QString& path, std::function<void()> then,
                        std::function<void()> otherwise) {
  const auto whole = data_.whole();
  if (!whole || !data_.cloud()) return;
  const QString absolute = QFileInfo(path).absoluteFilePath();
  wanted_ = absolute;
  jobs_.start<NewResult>(
      JobKind::OpenLabels, tr("Opening %1").arg(QFileInfo(path).fileName()),
      [absolute, whole, kept = data_.kept(), keptRows = data_.keptRows(), parameters = parameters_,
       previous = run_.result()](const Task& task) -> Result<NewResult> {
        auto clustering = readLabels(absolute.toStdString(), *whole, task);
        if (!clustering) return tl::unexpected(clustering.error());
        NewResult labels;
        labels.result = std::make_shared<ClusterResult>();
        labels.result->labelsFile = absolute;
        labels.result->parameters = parameters;
        labels.result->parameters.dbscan = paramsBeside(absolute, parameters.dbscan);
        labels.result->parameters.kept = kept;
        labels.result->parameters.keptRows = keptRows;
        labels.result->parameters.refinements.clear();
        labels.result->clustering = kept ? partOf(*clustering, *kept) : std::move(*clustering);
        labels.result->clustering.params = labels.result->parameters.dbscan;
        labels.followed = followLabels(previous.get(), labels.result->clustering);
        return labels;
      },
      [this, absolute, whole, previous = run_.result(), then = std::move(then),
       otherwise](Result<NewResult> labels) {
        wanted_.clear();
        if (!labels) {
          jobs_.report(JobKind::OpenLabels, labels.error(), absolute);
          return otherwise();
        }
        if (data_.whole() != whole || !data_.cloud()) return;
        // Other points take part by now.
        if (!samePoints(labels->result->parameters.kept, data_.kept()))
          return read(absolute, then, otherwise);
        run_.stopQuietly();
        labels->result->cloud = data_.cloud();
        if (run_.result() != previous)  // a run has ended meanwhile
          labels->followed = followLabels(run_.result().get(), labels->result->clustering);
        Q_EMIT opened(labels->result, labels->followed);
        then();
      },
      [this, otherwise](JobEnd end) {
        if (end == JobEnd::Cancelled || end == JobEnd::Threw) wanted_.clear();
        if (end == JobEnd::Threw) otherwise();
      });
}

}  // namespace clusterloom
