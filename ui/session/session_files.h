#pragma once

#include <QByteArray>
#include <QImage>
#include <QObject>
#include <QString>
#include <QStringList>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/hierarchy/hdbscan.h"
#include "engine/io/write.h"
#include "ui/jobs/job_queue.h"
#include "ui/jobs/settle_timer.h"
#include "ui/session/file_row.h"
#include "ui/session/recovery.h"
#include "ui/session/session_load.h"
#include "ui/session/session_parts.h"

namespace clusterloom {

/// Adds the column of weights of the run, if any, to the provenance of labels.
void addWeights(std::vector<std::pair<std::string, std::string>>& lines,
                const ClusterResult& result);

/// The behaviour where the format of an export cannot hold a column (lossesOf of
/// engine/io/write.h).
enum class ExportLoss { Refuse, Ask, Allow };

/// What came of an export.
struct ExportOutcome {
  std::vector<std::string> losses;  ///< what would be lost: nothing is written
  std::vector<RenamedColumn> renamed;
};

/// Writes labelled points. With ExportLoss::Ask, where the format cannot hold all columns, writes
/// nothing and returns what would be lost.
Result<ExportOutcome> writeUnlessLossy(const QString& path, const Dataset& dataset,
                                       const Clustering& clustering, WriteOptions options,
                                       ExportLoss loss, const Task& task);

/// The part of the session that writes files: exports, session files, and the autosave that
/// recovery reads after a crash. It tracks whether there are changes that no session file has.
class SessionFiles : public QObject {
  Q_OBJECT

 public:
  /// Functions of the whole session.
  struct Whole {
    std::function<SessionState()> state;      ///< what a session file keeps
    std::function<QStringList()> inputFiles;  ///< which nothing may overwrite
  };

  /// `recoveryDirectory`: see Recovery.
  SessionFiles(SessionData& data, const ClusterRun& run, const DerivedResults& derived,
               const ClusterChecks& checks, Whole whole, JobQueue& jobs,
               const QString& recoveryDirectory, QObject* parent);

  /// False, with a failure of `job` reported, when the path leads to a file that is open.
  bool mayWrite(JobKind job, const QString& path);
  /// Labelled points, format by extension; only these clusters (−1: noise), or all when empty.
  void exportLabelled(const QString& path, const std::vector<std::int32_t>& onlyClusters = {},
                      bool withProvenance = true, ExportLoss loss = ExportLoss::Refuse);
  /// Some points of the cloud (null: all of it) as a separate file, without the other rows.
  /// `clustering` has one label for each of them; null: they have those of the result.
  void exportPoints(const QString& path, const PointSet& points,
                    std::shared_ptr<const Clustering> clustering, bool withProvenance,
                    ExportLoss loss = ExportLoss::Refuse);
  /// Selected rows of the file of which some rows are open, which are read for it. With `labels` of
  /// all rows they have these, else none.
  void exportRows(const QString& path, const FileRowSelection& rows,
                  std::shared_ptr<const StoredLabels> labels, bool withProvenance,
                  ExportLoss loss = ExportLoss::Refuse);
  void exportClusterTable(const QString& path, bool withProvenance = true);
  /// A table or text, and a picture (PNG), written atomically. `make` is called on a worker; a null
  /// picture is one too large for the memory.
  void exportBytes(const QString& path, std::function<std::string()> make);
  void exportImage(const QString& path, std::function<QImage()> make);
  /// The clusterloom-cli call that gives the same labels; empty without data. Where clusters of
  /// HDBSCAN* are on show the call for them, else for the parameters.
  QString commandLine() const;
  /// The batch script that gives the same labels on a cluster of machines; empty without data.
  QString batchScript() const;

  void saveSession(const QString& path);
  void openSession(const QString& path);
  QString sessionPath() const { return sessionPath_; }
  /// True when something a session file keeps has changed since it was saved or opened.
  bool isModified() const { return modified_; }
  /// Another number after each such change.
  quint64 revision() const { return revision_; }
  /// The window's own state, kept in session files; `viewStateRestored` gives it back.
  void setViewState(const QByteArray& view);
  const QByteArray& viewState() const { return view_; }
  bool hasRecoverableSession() const;
  void restoreRecoverableSession();

  // Called by the session.
  void markModified();
  void announceModified() { Q_EMIT modifiedChanged(); }
  /// New data, perhaps from a session file. Emits nothing; `announceModified` and `announceOpened`
  /// must follow.
  void acceptData(const LoadedData& loaded);
  void announceOpened(const LoadedData& loaded);
  /// Another of the open clouds is on show; `view` is how its window was left, empty for a new one.
  void acceptCloud(const QByteArray& view);
  /// The data was closed: there is nothing to save or to recover. Emits nothing.
  void clear();
  void stopAutosave() { autosaveTimer_.stop(); }
  /// Starts the job of an export: the result of `write`, like that of writeUnlessLossy, is reported
  /// by a signal. `anyway` exports with the loss.
  void startExport(const QString& path, std::function<Result<ExportOutcome>(const Task&)> write,
                   std::function<void()> anyway);

 Q_SIGNALS:
  void modifiedChanged();
  /// `names`: a sentence on columns with other names in the file; may be empty.
  void exported(const QString& path, const QString& names);
  /// An export that asks (ExportLoss) would lose these, one sentence each, and wrote nothing;
  /// `anyway` writes it.
  void lossFound(const QString& path, const QStringList& losses,
                 const std::function<void()>& anyway);
  void sessionSaved(const QString& path);
  void sessionOpened(const QString& path);
  void viewStateRestored(const QByteArray& view);
  void cloudViewRestored(const QByteArray& view);  ///< of another of the open clouds

 private:
  /// Starts the job of an export that loses nothing.
  void startWriting(const QString& path, const QString& title,
                    std::function<Result<void>(const Task&)> write);
  void autosave();
  /// The state for a session file.
  SessionState stateToSave() const;
  /// The state for a copied call.
  SessionState calledState() const;
  std::optional<HdbscanOptions> takenClusters() const;
  /// The result to export; null, with a failure reported, when there is none or `path` is the
  /// input.
  std::shared_ptr<const ClusterResult> resultFor(const QString& path);

  SessionData& data_;
  const ClusterRun& run_;
  const DerivedResults& derived_;
  const ClusterChecks& checks_;
  Whole whole_;
  JobQueue& jobs_;
  Recovery recovery_;
  QByteArray view_;
  QString sessionPath_;
  bool modified_ = false;
  QString restoredFrom_;         ///< an autosave that is kept until its session is saved again
  bool autosaveFailed_ = false;  ///< reported once
  quint64 revision_ = 0;
  quint64 opened_ = 0;  ///< another number for other data
  SettleTimer autosaveTimer_;
};

}  // namespace clusterloom
