#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "engine/cloud/scaling.h"
#include "engine/io/file_cache.h"
#include "render/scene/row_values.h"
#include "render/scene/stored_labels.h"
#include "render/scene/stored_points.h"
#include "ui/jobs/derived_result.h"
#include "ui/session/point_set.h"
#include "ui/session/session_parts.h"

namespace clusterloom {

/// The part of the session that has all points of the open file for drawing where only some rows
/// were read, because all do not fit into the memory: in levels of detail on the disk
/// (render/scene/store_points.h). They are kept in a folder under a key of the file, so that it is
/// stored once. The rows that were read stay the cloud of everything else.
class FileLevels : public QObject {
  Q_OBJECT

 public:
  FileLevels(const SessionData& data, const ClusterRun& run, const Parameters& parameters,
             JobQueue& jobs, QObject* parent);

  /// Where files are kept, and how many bytes all of them may take; more are removed. Without a
  /// folder, as at first, nothing is stored. Storing that has begun goes on where the limit allows.
  void setPlace(const QString& folder, std::uint64_t limit);
  const QString& folder() const { return folder_; }
  std::uint64_t limit() const { return limit_; }
  /// Whether all points are wanted; yes at first.
  void setEnabled(bool enabled);
  bool isEnabled() const { return enabled_; }
  /// The bytes of the kept files.
  std::uint64_t bytesKept() const;
  /// Removes them by the job ClearLevels; `cleared` follows. Levels on show stay until they are
  /// closed.
  void clear();

  /// The rows that were read, as the view draws them: all points are laid out in the same way.
  void follow(std::shared_ptr<const DisplayPoints> sample);
  /// All points in the same space; null before they are stored.
  std::shared_ptr<const StoredPoints> stored() const { return stored_; }
  /// Their space, and the scaling of their coordinates; only where there are some.
  const DisplaySpace& space() const { return asked_->space; }
  const Scaling& scaling() const { return askedScaling_; }
  /// To be called when some of them could not be read while they were drawn; reported once.
  void noteUnread(const Error& error);
  /// Their labels, where the result on show has those of all rows in a file; else null.
  std::shared_ptr<const StoredLabels> labels() const {
    return labels_.get() ? *labels_.get() : nullptr;
  }
  /// Whether they are still being brought into the order of the points.
  bool areLabelsAwaited() const { return labels_.isRunning(); }

  /// The open rows are coloured by these, or by none where null: those of all rows are brought into
  /// their order where the file has them.
  void followValues(std::shared_ptr<const ColourValues> values);
  /// The values of all rows as floats, coded as these of the open ones; null before they are there.
  std::shared_ptr<const RowValues> values(const std::shared_ptr<const ColourValues>& open) const {
    return open == coloured_ && values_.get() ? *values_.get() : nullptr;
  }

 Q_SIGNALS:
  void changed();  ///< stored(), labels() or values(); also where no labels came
  void cleared();  ///< less is kept

 private:
  FileCache cache() const;
  bool canBeStored() const;
  void drop();
  void update();
  void warnOfPart();
  std::uint64_t likelyRows() const;
  void start();
  void reportStoring(Error error, const QString& path);
  void updateLabels();
  void updateValues();
  void trim();
  void remove(std::function<Result<void>(const FileCache&)> what);

  const SessionData& data_;
  const ClusterRun& run_;
  const Parameters& parameters_;
  JobQueue& jobs_;
  QString folder_;
  std::uint64_t limit_ = 0;
  bool enabled_ = true;
  std::shared_ptr<const DisplayPoints> sample_;
  std::shared_ptr<const DisplayPoints> asked_;  ///< for whose space it was started
  Scaling askedScaling_;                        ///< of these
  PointSet warnedOf_;                           ///< points that take part, of which it was warned
  bool isRefused_ = false;                      ///< the file is too large on any axes
  std::shared_ptr<const StoredPoints> stored_;
  std::shared_ptr<const StoredPoints> unread_;    ///< of which some could not be read
  std::shared_ptr<const ColourValues> coloured_;  ///< by which the open rows are
  DerivedResult<
      std::shared_ptr<const StoredLabels>,
      std::pair<std::shared_ptr<const StoredPoints>, std::shared_ptr<const ClusterResult>>>
      labels_;
  DerivedResult<std::shared_ptr<const RowValues>,
                std::pair<std::shared_ptr<const StoredPoints>, std::shared_ptr<const ColourValues>>>
      values_;
};

}  // namespace clusterloom
