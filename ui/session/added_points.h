#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "engine/cloud/dataset.h"
#include "engine/dbscan/clustering.h"
#include "engine/io/read.h"
#include "ui/jobs/derived_result.h"
#include "ui/session/session_files.h"
#include "ui/session/session_parts.h"

namespace clusterloom {

/// Labels of the added points by a result.
struct AddedLabels {
  std::shared_ptr<const ClusterResult> result;  ///< whose clusters they name
  std::shared_ptr<const Clustering> labels;     ///< one label for each added point; no core points
  std::uint64_t inClusters = 0;
};

/// The part of the session that owns points added to the cloud: a second data set of the same
/// dimensions, drawn over the first and labelled by its clusters (engine/dbscan/label_new_points.h)
/// after each run. It changes no cluster. It starts the jobs AddPoints and LabelAdded. New data
/// drops the points; another scaling of the cloud scales them, too.
class AddedPoints : public QObject {
  Q_OBJECT

 public:
  AddedPoints(const SessionData& data, const ClusterRun& run, SessionFiles& files, JobQueue& jobs,
              QObject* parent);

  /// Reads a file as the open one was read (same columns) and replaces the points added before.
  void open(const QString& path);
  /// The same for the points that a session file names: nothing has changed since it was saved.
  void restore(const QString& path);
  void remove();
  /// Writes them with their labels; the format follows the extension (engine/io/write.h).
  void exportLabelled(const QString& path, bool withProvenance,
                      ExportLoss loss = ExportLoss::Refuse);

  /// Null without added points.
  std::shared_ptr<const Dataset> dataset() const { return dataset_; }
  /// Their coordinates in the units of the cloud that is clustered; null where scaling was stopped.
  std::shared_ptr<const PointCloud> cloud() const { return cloud_; }
  const QString& path() const { return path_; }
  /// The file that is being read to be added, else path(): the name for a session file.
  const QString& wantedPath() const { return wanted_; }
  /// By the result on show; without labels before they are computed.
  AddedLabels labels() const { return labels_.get() ? *labels_.get() : AddedLabels(); }
  /// Whether the labels are those of the result on show.
  bool isCurrent() const;
  /// "1,200 points added: 1,100 in clusters, 100 noise"; empty without added points.
  QString summary() const;

 Q_SIGNALS:
  void changed();        ///< dataset() and cloud() are new or gone
  void labelsChanged();  ///< labels() are new or gone

 private:
  void read(const QString& path, std::function<void()> then);
  void drop();
  void scale();
  void updateLabels();

  const SessionData& data_;
  const ClusterRun& run_;
  SessionFiles& files_;
  JobQueue& jobs_;
  QString path_;
  QString wanted_;
  std::shared_ptr<const Dataset> dataset_;
  std::shared_ptr<const PointCloud> cloud_;
  /// Of the added cloud and a result.
  DerivedResult<AddedLabels,
                std::pair<std::shared_ptr<const PointCloud>, std::shared_ptr<const ClusterResult>>>
      labels_{jobs_, JobKind::LabelAdded, [this] { Q_EMIT labelsChanged(); },
              [this](const Error& error) {
                labels_.drop();
                jobs_.report(JobKind::LabelAdded, error);
              }};
};

}  // namespace clusterloom
