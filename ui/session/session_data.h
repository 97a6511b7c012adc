#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>

#include "engine/cloud/dataset.h"
#include "engine/cloud/scaling.h"
#include "engine/grid/prepared_cloud.h"
#include "engine/hierarchy/k_distance.h"
#include "engine/io/file_stamp.h"
#include "engine/io/partial_read.h"
#include "ui/session/session_load.h"
#include "ui/session/suggestion.h"

namespace clusterloom {

class JobQueue;

/// Where a data set comes from. Exactly one of `path` and `sample` is set; neither without data.
struct DataSource {
  QString path;                         ///< absolute
  QString hash;                         ///< "xxh3:…" of the file when it was read
  FileStamp stamp;                      ///< of it then; all 0: not known
  ReadOptions read;                     ///< how it was read
  std::optional<GeneratorSpec> sample;  ///< set for a generated cloud
};

/// The part of the session that owns the data: the data set as read, the scaled cloud, and the ε
/// suggested for it. It starts the jobs Load, Scale and Suggest; the session accepts their results,
/// because new data replaces everything else too.
class SessionData : public QObject {
  Q_OBJECT

 public:
  SessionData(JobQueue& jobs, QObject* parent);

  /// The cloud and its data; its members are null before it is ready.
  const ReadyCloud& ready() const { return ready_; }
  /// The points that take part: the data set as it was read, or the points that were kept.
  std::shared_ptr<const Dataset> dataset() const { return ready_.dataset; }
  /// The data set as it was read.
  std::shared_ptr<const Dataset> whole() const { return whole_; }
  /// Which points of `whole` take part; null: all.
  const PointSet& kept() const { return ready_.choice.kept; }
  /// Which rows of the file take part where some are open, as CloudChoice::keptRows.
  const FileRowSelection& keptRows() const { return ready_.choice.keptRows; }
  /// The cloud that is clustered and drawn: the data set's, scaled. Null before it is ready.
  std::shared_ptr<const PointCloud> cloud() const { return ready_.cloud; }
  /// The data that runs on `cloud` share. Null when there is no cloud.
  std::shared_ptr<const PreparedCloud> prepared() const { return ready_.prepared; }
  /// The recorded scaling of `cloud`.
  const Scaling& scaling() const { return ready_.scaling; }
  /// The space of its distances.
  const Space& space() const { return ready_.choice.space; }
  /// The weights of its points; null: every point counts 1.
  const Weights& weights() const { return ready_.weights; }
  /// `cloud` where its space is Euclidean, else null: for code that supports no other distances.
  std::shared_ptr<const PointCloud> euclideanCloud() const {
    return space().isEuclidean() ? cloud() : nullptr;
  }
  /// Whether there are k-distances in its space: by every metric, but not in a box or on a sphere.
  bool hasKDistances() const { return space().periods.empty() && !space().sphere; }
  /// `cloud` where it has k-distances and they count neighbours, without weights; else null.
  std::shared_ptr<const PointCloud> countedCloud() const {
    return weights() || !hasKDistances() ? nullptr : cloud();
  }
  /// Whether `cloud` was made with these parameters.
  bool isApplied(const CloudChoice& choice) const { return choice == ready_.choice; }
  /// A sample of the file that is being read, for display; null when no file is read or it is read
  /// soon. Nothing is computed from it: dataset() and cloud() are unchanged.
  std::shared_ptr<const PartialRead> partial() const { return partial_; }
  const DataSource& source() const { return source_; }
  const ReadOptions& readOptions() const { return source_.read; }
  /// File name or sample description, for the title; empty without data.
  QString dataName() const;

  /// The slider's range; low < high always.
  EpsRange epsRange() const { return epsRange_; }
  /// The suggestion for `cloud`, with the range at that time; nullopt until it is known.
  const std::optional<Suggestion>& suggestion() const { return suggestion_; }
  /// The ε suggested for `cloud`; 0 until it is known.
  double suggestedEps() const { return suggestion_ ? suggestion_->eps : 0; }
  /// True while runs wait for the suggested ε.
  bool awaitsEps() const { return awaitsEps_; }
  void setAwaitsEps(bool awaits) { awaitsEps_ = awaits; }

  void openFile(const QString& path, const ReadOptions& options = {});
  void openSample(const GeneratorSpec& spec);
  void open(const OpenRequest& request);
  void openSession(const QString& path, bool recovering = false);
  /// Reads or shows a cloud beside those that are open (OpenClouds).
  void openBeside(LoadOrder order);
  /// After a failure to load whose error says canSkipRows: opens the same again without those rows.
  void retrySkippingNonFinite();
  /// After a failure to load a file that is too large: reads one row of `every`.
  void retryReadingEvery(std::uint64_t every);

  // Called by the session.
  /// Before anything else changes with the data.
  void announceChange() { Q_EMIT dataAboutToChange(); }
  /// Replaces the data set; there is no cloud until `acceptCloud`. Emits nothing; `announceDataset`
  /// must follow.
  void acceptDataset(const LoadedData& loaded);
  /// Emits cloudChanged.
  void acceptCloud(const ReadyCloud& ready);
  void announceDataset();
  /// Forgets everything. Emits nothing; `announceDataset` must follow.
  void clear();
  /// The read options of the last failed load.
  ReadOptions failedRead() const { return failedLoad_ ? failedLoad_->request.read : ReadOptions(); }
  /// Whether the last failed load was of a cloud beside those that are open.
  bool failedBeside() const { return failedLoad_ && failedLoad_->beside; }
  /// Whether it was to replace the cloud on show, beside the others.
  bool failedInstead() const {
    return failedBeside() && failedLoad_->beside->number == 0 && failedLoad_->beside->closes != 0;
  }
  void forgetFailedLoad() { failedLoad_.reset(); }
  /// Makes another cloud of the data set.
  void startScale(const CloudChoice& choice);
  /// Suggests an ε for `cloud` at this minPts.
  void startSuggest(std::int64_t minPts);

 Q_SIGNALS:
  void dataAboutToChange();
  void dataChanged();   ///< dataset() is new or gone
  void cloudChanged();  ///< cloud() is new or gone (after dataChanged; after rescaling)
  void epsRangeChanged();
  void partialChanged();  ///< partial() is new or gone
  // For the session:
  void loaded(const clusterloom::LoadedData& loaded);
  void scaled(const clusterloom::ReadyCloud& ready);
  void scalingFailed();
  void epsSuggested(double eps, bool awaited);

 private:
  void startLoad(LoadOrder order);
  void setPartial(std::shared_ptr<const PartialRead> partial);
  void replace(ReadyCloud ready);

  JobQueue& jobs_;
  DataSource source_;
  std::shared_ptr<const Dataset> whole_;
  ReadyCloud ready_;
  EpsRange epsRange_{0.001, 10};
  std::optional<Suggestion> suggestion_;
  bool awaitsEps_ = false;
  std::optional<LoadOrder> failedLoad_;
  std::shared_ptr<const PartialRead> partial_;
};

}  // namespace clusterloom
