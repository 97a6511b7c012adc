#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <set>
#include <vector>

#include "ui/session/results.h"
#include "ui/session/session_load.h"
#include "ui/session/session_parts.h"

namespace clusterloom {

/// A cloud that is open but not on show. It keeps its points and its last labels in the memory of
/// the host, and never what runs prepare of a cloud (PreparedCloud): copies on a GPU and the
/// clusters of every ε belong to the cloud on show alone.
struct HeldCloud {
  quint64 number = 0;  ///< of this cloud among those opened so far, from 1
  CloudState state;
  std::shared_ptr<const Dataset> whole;         ///< null: not read yet since its session was opened
  FileStamp stamp;                              ///< of the file of `whole`; all 0: not known
  std::shared_ptr<const ReadyCloud> ready;      ///< as scaled last; null with `whole`
  std::shared_ptr<const ClusterResult> result;  ///< of `ready`; null: none
  std::vector<RunRecord> runs;
};

/// The part of the session that owns the clouds that are open beside each other. One of them is on
/// show: it is the data of the session, and all other parts use only this one. ε, minPts, strategy,
/// scaling, space and the column of weights are the session's and hold for all clouds; which points
/// take part, selections clustered on their own, added points and opened labels belong to each
/// cloud. All have the same number of dimensions.
///
/// Another cloud takes the place on show by a job of kind Load, after which the session accepts it
/// like new data, but keeps parameters, display, backend, session file and undo. Opening data or a
/// session in the ordinary way closes all clouds first.
class OpenClouds : public QObject {
  Q_OBJECT

 public:
  /// `state` gives what a session file would keep now.
  OpenClouds(SessionData& data, const ClusterRun& run, SessionFiles& files,
             const Parameters& parameters, std::function<SessionState()> state, JobQueue& jobs,
             QObject* parent);

  /// 0 without data.
  int count() const { return static_cast<int>(clouds_.size()); }
  /// Which of them is on show; 0 without data.
  int current() const { return current_; }
  /// The one that a person asked for last: that on show, or one that is about to be shown.
  int wanted() const;
  quint64 number(int index) const { return clouds_[static_cast<std::size_t>(index)].number; }
  /// The shortest names that tell them apart, in order: file names, with their folders and numbers
  /// where needed.
  QStringList titles() const;
  /// The whole path of a file; for a sample its description.
  QString description(int index) const;
  /// The states of the clouds that are not on show, for a session file, in order.
  std::vector<CloudState> others() const;
  /// The clouds; for the one on show only its number.
  const std::vector<HeldCloud>& held() const { return clouds_; }
  /// The cloud on show, as it would be held, without its runs.
  HeldCloud shown() const;

  /// Reads a cloud and shows it beside the others, with the parameters in force; without data it
  /// is opened in the ordinary way.
  void add(const OpenRequest& request);
  /// The same for a file; a file of the same kind as that on show is read in the same way (same
  /// columns).
  void addFile(const QString& path);
  void show(int index);
  /// Whether more than a file would be lost with it: points that were kept or removed, selections
  /// clustered on their own, added points.
  bool hasOwnWork(int index) const;
  /// Reads a cloud in place of that on show, with the parameters in force; the others stay. Where
  /// there are no others it is opened in the ordinary way.
  void replace(const OpenRequest& request);
  /// Closes one; where it is on show, the next one that can be read takes its place first, and
  /// where none can, all are closed.
  void close(int index);
  void move(int from, int to);

  // Called by the session.
  /// New data, perhaps with others from a session file.
  void accept(const LoadedData& loaded);
  /// Holds the cloud on show, or forgets it where it is to be closed, and returns the one that
  /// takes its place.
  HeldCloud change(const LoadedData& loaded);
  void clear();
  /// Whether a result is that of `cloud` and the parameters in force, or was opened.
  bool fits(const ClusterResult& result, const std::shared_ptr<const PointCloud>& cloud) const;
  /// Keeps the results of a job for a cloud that is not on show: what was read of it, scaled and
  /// clustered. Does nothing where the cloud is on show by now, or was closed.
  void keep(const HeldCloud& found);

 Q_SIGNALS:
  /// The cloud on show is about to be held: the state of its view can still be read.
  void leaving();
  /// Other clouds, another order, or another one on show; also after one could not be shown.
  void changed();
  /// For the session: the last one is to be closed.
  void closeRequested();

 private:
  void start(const HeldCloud& cloud, quint64 closes);
  void start(const OpenRequest& request, BesideOrder beside);
  void closeFor(int next);
  void closeForAnother();
  int indexOf(quint64 number) const;
  bool isShowing() const;
  void slim(const HeldCloud& cloud);
  void retire(HeldCloud& cloud);

  SessionData& data_;
  const ClusterRun& run_;
  SessionFiles& files_;
  const Parameters& parameters_;
  const std::function<SessionState()> state_;
  JobQueue& jobs_;
  std::vector<HeldCloud> clouds_;
  int current_ = 0;
  quint64 lastNumber_ = 0;
  quint64 load_ = 0;              ///< the newest job that this part has started
  quint64 awaited_ = 0;           ///< the cloud that it will show; 0: a new one
  quint64 closing_ = 0;           ///< the cloud on show, once another one has been read; 0: none
  std::set<quint64> unreadable_;  ///< what could not be read to take its place
};

}  // namespace clusterloom
