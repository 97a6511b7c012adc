#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <memory>

#include "ui/session/results.h"
#include "ui/session/session_parts.h"

namespace clusterloom {

/// The part of the session that reads labels from a file and shows them in place of a run's, so
/// that labels computed on another machine are explored like any result. The next run replaces
/// them.
class OpenedLabels : public QObject {
  Q_OBJECT

 public:
  OpenedLabels(const SessionData& data, ClusterRun& run, SessionFiles& files,
               const Parameters& parameters, JobQueue& jobs, QObject* parent);

  /// Reads labels of the open cloud (engine/io/read_labels.h) by the job OpenLabels and stops a run
  /// that is under way when they are there. ε and minPts come from the provenance beside the file,
  /// where there is one.
  void open(const QString& path);
  /// The same for the labels that a session file names: nothing has changed since it was saved.
  void restore(const QString& path);
  /// The file that is being read; empty: none.
  const QString& wantedPath() const { return wanted_; }

 Q_SIGNALS:
  /// For the session; see ClusterRun::finished.
  void opened(std::shared_ptr<const clusterloom::ClusterResult> result,
              const std::vector<std::int32_t>& followed);

 private:
  void read(const QString& path, std::function<void()> then, std::function<void()> otherwise);

  const SessionData& data_;
  ClusterRun& run_;
  SessionFiles& files_;
  const Parameters& parameters_;
  JobQueue& jobs_;
  QString wanted_;
};

}  // namespace clusterloom
