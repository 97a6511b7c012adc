#include "ui/session/added_points.h"

#include <QFileInfo>

#include "engine/cloud/coordinate_order.h"
#include "engine/dbscan/label_new_points.h"
#include "ui/session/backend_slot.h"
#include "ui/session/cluster_run.h"
#include "ui/session/session_data.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

/// BadInput unless the points have the dimensions of the cloud.
Result<void> checkDimensions(const PointCloud& added, const PointCloud& cloud,
                             const QString& name) {
  if (added.dims() == cloud.dims()) return {};
  return fail(
      ErrorKind::BadInput,
      AddedPoints::tr("%1 has %2, but the cloud has %3. Only points with the same number of "
                      "dimensions can be added.")
          .arg(name, countedDimensions(added.dims()), countedDimensions(cloud.dims()))
          .toStdString());
}

/// With the coordinates in the order of the cloud that the points are added to.
std::shared_ptr<const PointCloud> scaledCloud(const std::shared_ptr<const Dataset>& dataset,
                                              const Scaling& scaling, const Space& space) {
  if (space.sphere)  // nothing is scaled
    return std::make_shared<const PointCloud>(inOrderOf(space, dataset->cloud));
  if (scaling.kind == Scaling::Kind::None)
    return std::shared_ptr<const PointCloud>(dataset, &dataset->cloud);
  return std::make_shared<const PointCloud>(applyScaling(dataset->cloud, scaling));
}

struct ReadPoints {
  std::shared_ptr<const Dataset> dataset;
  std::shared_ptr<const PointCloud> cloud;
  bool reordered = false;  ///< its coordinates were matched by name
};

}  // namespace

AddedPoints::AddedPoints(const SessionData& data, const ClusterRun& run, SessionFiles& files,
                         JobQueue& jobs, QObject* parent)
    : QObject(parent), data_(data), run_(run), files_(files), jobs_(jobs) {
  connect(&data_, &SessionData::dataAboutToChange, this, &AddedPoints::drop);
  connect(&data_, &SessionData::cloudChanged, this, &AddedPoints::scale);
  connect(&run_, &ClusterRun::resultChanged, this, &AddedPoints::updateLabels);
}

void AddedPoints::open(const QString& path) {
  read(path, [this] { files_.markModified(); });
}

void AddedPoints::restore(const QString& path) {
  read(path, [] {});
}

void AddedPoints::read(const QString& path, std::function<void()> then) {
  const auto base = data_.dataset();
  if (!base) return;
  const auto scaledAs = data_.cloud();
  const QString absolute = QFileInfo(path).absoluteFilePath();
  ReadOptions options = data_.readOptions();
  options.skipNonFinite = true;  // rows without coordinates are points of neither cloud
  // A scaling whose place this takes does not end; the points that stay need it.
  if (dataset_ && wanted_ == path_ && jobs_.isActive(JobKind::AddPoints)) {
    jobs_.retire(std::exchange(cloud_, nullptr));
    Q_EMIT changed();
  }
  wanted_ = absolute;
  jobs_.start<ReadPoints>(
      JobKind::AddPoints, tr("Adding %1").arg(QFileInfo(path).fileName()),
      [absolute, options, base, scaling = data_.scaling(),
       space = data_.space()](const Task& task) -> Result<ReadPoints> {
        auto dataset = readDataset(absolute.toStdString(), options, task);
        if (!dataset) return tl::unexpected(dataset.error());
        ReadPoints points;
        points.reordered = orderCoordinates(base->cloud.names, dataset->cloud);
        if (auto same =
                checkDimensions(dataset->cloud, base->cloud, QFileInfo(absolute).fileName());
            !same)
          return tl::unexpected(same.error());
        points.dataset = std::make_shared<const Dataset>(std::move(*dataset));
        points.cloud = scaledCloud(points.dataset, scaling, space);
        if (task.cancelled()) return cancelledError();
        if (auto valid = validate(*points.cloud); !valid) return tl::unexpected(valid.error());
        return points;
      },
      [this, absolute, scaledAs, then = std::move(then)](Result<ReadPoints> points) {
        const bool scaledAnew = scaledAs != data_.cloud() || (dataset_ && !cloud_);
        if (!points) {
          wanted_ = path_;
          if (scaledAnew) scale();  // the points that stay
          return jobs_.report(JobKind::AddPoints, points.error(), absolute);
        }
        if (points->reordered)
          jobs_.warn(tr("%1 has the coordinates in another order; they are matched by name.")
                         .arg(QFileInfo(absolute).fileName()));
        path_ = absolute;
        jobs_.retire(std::exchange(cloud_, points->cloud));
        jobs_.retire(std::exchange(dataset_, points->dataset));
        labels_.drop();
        Q_EMIT changed();
        then();
        // The cloud may have been scaled differently while the file was read.
        if (scaledAnew) return scale();
        updateLabels();
      },
      [this, scaledAs](JobEnd end) {
        const bool stopped = end == JobEnd::Cancelled || end == JobEnd::Threw;
        if (!stopped || wanted_.isEmpty()) return;
        wanted_ = path_;
        if (scaledAs != data_.cloud() || !cloud_) scale();  // the points that stay
      });
}

void AddedPoints::remove() {
  const bool had = dataset_ != nullptr;
  drop();
  if (had) files_.markModified();
}

void AddedPoints::drop() {
  wanted_.clear();  // the end of the job starts nothing then
  jobs_.cancel(JobKind::AddPoints);
  if (!dataset_) return;
  path_.clear();
  jobs_.retire(std::exchange(cloud_, nullptr));
  jobs_.retire(std::exchange(dataset_, nullptr));
  labels_.drop();
  Q_EMIT changed();
}

void AddedPoints::scale() {
  if (!dataset_ || !data_.cloud()) return;
  if (wanted_ != path_) return;  // the job that reads another file scales when it ends
  jobs_.start<std::shared_ptr<const PointCloud>>(
      JobKind::AddPoints, tr("Scaling"),
      [dataset = dataset_, scaling = data_.scaling(),
       space = data_.space()](const Task&) -> Result<std::shared_ptr<const PointCloud>> {
        return scaledCloud(dataset, scaling, space);
      },
      [this](Result<std::shared_ptr<const PointCloud>> cloud) {
        if (!cloud) return jobs_.report(JobKind::AddPoints, cloud.error(), path_);
        jobs_.retire(std::exchange(cloud_, *cloud));
        labels_.drop();
        Q_EMIT changed();
        updateLabels();
      },
      [this](JobEnd end) {
        const bool stopped = end == JobEnd::Cancelled || end == JobEnd::Threw;
        if (!stopped || wanted_.isEmpty()) return;
        // They have the units of the cloud before; the next result scales them.
        jobs_.retire(std::exchange(cloud_, nullptr));
        labels_.drop();
        Q_EMIT changed();
      });
}

void AddedPoints::updateLabels() {
  if (dataset_ && !cloud_ && !jobs_.isActive(JobKind::AddPoints)) return scale();
  const auto result = run_.result();
  // Core points give the labels; a file of labels may not tell which points are core.
  if (!cloud_ || !result || result->cloud != data_.cloud() || result->clustering.roles.empty())
    return labels_.drop();
  labels_.update({cloud_, result}, tr("Labelling %1").arg(countedPoints(cloud_->size())),
                 [cloud = cloud_, result, space = data_.space(), scaling = data_.scaling(),
                  slot = run_.fastestSlot()](const Task& task) -> Result<AddedLabels> {
                   auto backend = slot->get(space, scaling);
                   if (!backend) return tl::unexpected(backend.error());
                   auto found = labelNewPoints(**backend, *result->cloud, result->clustering,
                                               *cloud, {}, task);
                   if (!found) return tl::unexpected(found.error());
                   auto labels = std::make_shared<const Clustering>(
                       asClustering(std::move(found->labels), result->clustering));
                   return AddedLabels{result, labels, labels->borderCount};
                 });
}

bool AddedPoints::isCurrent() const {
  return dataset_ && labels_.get() && labels().result == run_.result();
}

QString AddedPoints::summary() const {
  if (!dataset_) return {};
  const QString points = countedPoints(dataset_->cloud.size());
  if (!labels_.get()) return tr("%1 added").arg(points);
  return tr("%1 added: %2 in clusters, %3 noise")
      .arg(points, count(labels().inClusters), count(dataset_->cloud.size() - labels().inClusters));
}

void AddedPoints::exportLabelled(const QString& path, bool withProvenance, ExportLoss loss) {
  if (!files_.mayWrite(JobKind::Export, path)) return;
  if (!isCurrent())
    return jobs_.refuse(JobKind::Export, tr("The added points have no labels yet."), path);
  files_.startExport(
      path,
      [path, withProvenance, loss, dataset = dataset_, labels = labels().labels,
       from = data_.whole(), scaling = toText(data_.scaling()), space = data_.space(),
       result = labels().result](const Task& task) {
        WriteOptions options;
        if (withProvenance) {
          options.provenance = provenanceOfNewPoints(*dataset, *labels, *from, scaling, space);
          addWeights(options.provenance, *result);
        }
        return writeUnlessLossy(path, *dataset, *labels, std::move(options), loss, task);
      },
      [this, path, withProvenance] { exportLabelled(path, withProvenance, ExportLoss::Allow); });
}

}  // namespace clusterloom
