#include "ui/session/session_files.h"

#include <QFile>
#include <QFileInfo>
#include <algorithm>
#include <array>
#include <string_view>

#include "engine/io/export_rows.h"
#include "engine/io/format_table.h"
#include "engine/io/hdbscan_provenance.h"
#include "engine/io/sidecar.h"
#include "engine/validity/cluster_statistics.h"
#include "render/gl/offscreen.h"
#include "ui/session/check_columns.h"
#include "ui/session/cluster_checks.h"
#include "ui/session/cluster_run.h"
#include "ui/session/command_line.h"
#include "ui/session/derived_results.h"
#include "ui/session/files.h"
#include "ui/session/result_words.h"
#include "ui/session/session_data.h"
#include "ui/session/subset.h"

namespace clusterloom {

namespace {

constexpr int kAutosaveMs = 1500;  // one autosave for a burst of changes

QString exportTitle(const QString& path) {
  return SessionFiles::tr("Exporting %1").arg(QFileInfo(path).fileName());
}

/// The provenance of the data besides the data set itself.
struct Origin {
  std::string scaling;
  Space space;
  std::size_t wholePoints = 0;  ///< of the data set as it was read
};

Origin originOf(const SessionData& data) {
  const auto whole = data.whole();
  return {toText(data.scaling()), data.space(), whole ? whole->cloud.size() : 0};
}

Provenance provenanceOf(const Dataset& dataset, const Clustering& clustering,
                        const ClusterResult& result, const Origin& origin) {
  Provenance lines = provenanceOf(dataset, clustering, origin.scaling, origin.space);
  // Labels of a file say nothing of them.
  if (clustering.roles.empty())
    std::erase_if(lines,
                  [](const auto& line) { return line.first == "core" || line.first == "border"; });
  addWeights(lines, result);
  const QString subset = subsetText(result.parameters, origin.wholePoints);
  if (!subset.isEmpty()) lines.emplace_back("subset", subset.toStdString());
  if (!result.labelsFile.isEmpty()) {
    // How they were made is said by the provenance of their file, if at all.
    std::erase_if(lines, [](const auto& line) {
      return line.first == "eps" || line.first == "min_pts" || line.first == "index dims";
    });
    lines.emplace_back("labels", result.labelsFile.toStdString());
  }
  if (result.hdbscan)
    describeHdbscan(lines, result.hdbscan->minClusterSize, toText(result.hdbscan->selection));
  return lines;
}

/// The probabilities that a file of this name gets: of the points of a result that has them.
std::span<const double> exportedProbabilities(const QString& path, const ClusterResult& result,
                                              std::size_t points) {
  const FileFormat* format = formatOfExtension(extensionOf(path.toStdString()));
  if ((format != nullptr && format->labelsOnly) || result.probabilities.size() != points) return {};
  return result.probabilities;
}

/// The chosen points, with their probabilities where there are any.
Result<Dataset> chosenWithProbabilities(const Dataset& dataset,
                                        std::span<const std::uint32_t> chosen,
                                        std::span<const double> probabilities, const Task& task) {
  auto part = subsetOf(dataset, chosen, OtherRows::None, task);
  if (!part || probabilities.empty()) return part;
  std::vector<double> taken;
  taken.reserve(chosen.size());
  for (const std::uint32_t point : chosen) taken.push_back(probabilities[point]);
  return withProbabilities(std::move(*part), std::move(taken));
}

/// Writes the clusters of a result with its probabilities. Only exported data are copied.
Result<ExportOutcome> writeWithProbabilities(const QString& path, const Dataset& dataset,
                                             const ClusterResult& result, WriteOptions options,
                                             ExportLoss loss, const Task& task) {
  const Clustering& clustering = result.clustering;
  std::vector<std::int32_t>& only = options.onlyClusters;
  if (only.empty() || std::find(only.begin(), only.end(), kSkippedRow) != only.end())
    return writeUnlessLossy(path, withProbabilities(dataset, result.probabilities), clustering,
                            std::move(options), loss, task);
  const ExportPoints points(dataset, &clustering, RowFilter(std::exchange(only, {})));
  std::vector<std::uint32_t> chosen(points.size());
  for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = std::uint32_t(points[i]);
  const auto part = chosenWithProbabilities(dataset, chosen, result.probabilities, task);
  if (!part) return tl::unexpected(part.error());
  return writeUnlessLossy(path, *part, partOf(clustering, chosen), std::move(options), loss, task);
}

/// The provenance of rows without labels: that of labels but for what it says of these.
Provenance provenanceOfRows(const Dataset& rows, const Origin& origin) {
  Provenance lines = provenanceOf(rows, Clustering(), origin.scaling, origin.space);
  static constexpr std::array<std::string_view, 7> kOfLabels{
      "eps", "min_pts", "index dims", "clusters", "core", "border", "noise"};
  std::erase_if(lines, [](const auto& line) {
    return std::ranges::find(kOfLabels, line.first) != kOfLabels.end();
  });
  return lines;
}

/// The clustering of rows that have only labels. No row of the file has a higher one than
/// `highest`; the result knows those of the open rows.
Clustering clusteringOf(const ClusterResult& result, std::vector<std::int32_t> labels,
                        std::int32_t highest) {
  Clustering clustering;
  clustering.params = result.clustering.params;
  clustering.clusters = std::max(result.clustering.clusters, highest + 1);
  clustering.noiseCount = std::uint64_t(std::ranges::count(labels, kNoise));
  clustering.labels = std::move(labels);
  return clustering;
}

/// Writes rows without labels as writeUnlessLossy writes others.
Result<ExportOutcome> writeUnlabelled(const QString& path, const Dataset& rows,
                                      const Provenance& provenance, ExportLoss loss,
                                      const Task& task) {
  const std::string file = path.toStdString();
  if (loss != ExportLoss::Allow) {
    auto losses = lossesOf(file, rows);
    if (loss == ExportLoss::Ask && !losses.empty()) return ExportOutcome{std::move(losses), {}};
    if (auto kept = checkLosses(file, losses); !kept) return tl::unexpected(kept.error());
  }
  if (auto done = writeDataset(file, rows, task, provenance); !done)
    return tl::unexpected(done.error());
  return ExportOutcome{{}, renamedIn(file, rows)};
}

QString renamedText(const std::vector<RenamedColumn>& renamed) {
  constexpr std::size_t kShown = 8;
  QStringList columns;
  for (std::size_t i = 0; i < std::min(renamed.size(), kShown); ++i)
    columns << SessionFiles::tr("column “%1” is written as “%2”")
                   .arg(QString::fromStdString(renamed[i].column),
                        QString::fromStdString(renamed[i].written));
  if (renamed.size() > kShown) columns << "…";
  return columns.join("; ");
}

}  // namespace

void addWeights(std::vector<std::pair<std::string, std::string>>& lines,
                const ClusterResult& result) {
  if (result.isOfRun() && !result.parameters.weights.isEmpty())
    lines.emplace_back("weights", result.parameters.weights.toStdString());
}

Result<ExportOutcome> writeUnlessLossy(const QString& path, const Dataset& dataset,
                                       const Clustering& clustering, WriteOptions options,
                                       ExportLoss loss, const Task& task) {
  const std::string file = path.toStdString();
  options.allowLoss = loss != ExportLoss::Refuse;  // those of Ask are looked for here
  if (loss == ExportLoss::Ask)
    if (auto losses = lossesOf(file, dataset, &clustering, options.onlyClusters); !losses.empty())
      return ExportOutcome{std::move(losses), {}};
  if (auto written = writeLabelled(file, dataset, clustering, options, task); !written)
    return tl::unexpected(written.error());
  return ExportOutcome{{}, renamedIn(file, dataset, &clustering, options.onlyClusters)};
}

SessionFiles::SessionFiles(SessionData& data, const ClusterRun& run, const DerivedResults& derived,
                           const ClusterChecks& checks, Whole whole, JobQueue& jobs,
                           const QString& recoveryDirectory, QObject* parent)
    : QObject(parent),
      data_(data),
      run_(run),
      derived_(derived),
      checks_(checks),
      whole_(std::move(whole)),
      jobs_(jobs),
      recovery_(recoveryDirectory),
      autosaveTimer_(kAutosaveMs, [this] { autosave(); }) {}

bool SessionFiles::mayWrite(JobKind job, const QString& path) {
  QStringList written{path};
  if (const std::string file = path.toStdString(); hasSidecar(file))
    written.append(QString::fromStdString(sidecarOf(file)));
  for (const QString& file : written) {
    if (!isOneOf(file, whole_.inputFiles())) continue;
    jobs_.refuse(
        job, tr("%1 is open; an input is never overwritten. Choose another name.").arg(file), path);
    return false;
  }
  return true;
}

std::shared_ptr<const ClusterResult> SessionFiles::resultFor(const QString& path) {
  if (!mayWrite(JobKind::Export, path)) return nullptr;
  auto result = run_.result();
  if (!result) jobs_.refuse(JobKind::Export, tr("There are no clusters to export yet."), path);
  return result;
}

void SessionFiles::startExport(const QString& path,
                               std::function<Result<ExportOutcome>(const Task&)> write,
                               std::function<void()> anyway) {
  // Numbers of clusters and points are those of the result and the points of now.
  anyway = [this, path, dataset = data_.dataset(), result = run_.result(),
            write = std::move(anyway)] {
    if (dataset != data_.dataset() || result != run_.result())
      return jobs_.refuse(JobKind::Export, tr("The clusters have changed. Export again."), path);
    write();
  };
  jobs_.start<ExportOutcome>(
      JobKind::Export, exportTitle(path), std::move(write),
      [this, path, anyway = std::move(anyway)](const Result<ExportOutcome>& outcome) {
        if (!outcome) return jobs_.report(JobKind::Export, outcome.error(), path);
        if (outcome->losses.empty()) {
          Q_EMIT exported(path, renamedText(outcome->renamed));
          return;
        }
        QStringList sentences;
        for (const std::string& loss : outcome->losses) sentences << QString::fromStdString(loss);
        Q_EMIT lossFound(path, sentences, anyway);
      });
}

void SessionFiles::exportLabelled(const QString& path,
                                  const std::vector<std::int32_t>& onlyClusters,
                                  bool withProvenance, ExportLoss loss) {
  const auto result = resultFor(path);
  if (!result) return;
  startExport(
      path,
      [path, onlyClusters, withProvenance, loss, dataset = data_.dataset(), result,
       origin = originOf(data_)](const Task& task) {
        WriteOptions options;
        options.onlyClusters = onlyClusters;
        if (withProvenance)
          options.provenance = provenanceOf(*dataset, result->clustering, *result, origin);
        const bool columns = !exportedProbabilities(path, *result, dataset->cloud.size()).empty();
        return columns
                   ? writeWithProbabilities(path, *dataset, *result, std::move(options), loss, task)
                   : writeUnlessLossy(path, *dataset, result->clustering, std::move(options), loss,
                                      task);
      },
      [this, path, onlyClusters, withProvenance] {
        exportLabelled(path, onlyClusters, withProvenance, ExportLoss::Allow);
      });
}

void SessionFiles::exportPoints(const QString& path, const PointSet& points,
                                std::shared_ptr<const Clustering> clustering, bool withProvenance,
                                ExportLoss loss) {
  const auto result = resultFor(path);
  if (!result) return;
  startExport(
      path,
      [path, points, clustering, withProvenance, loss, dataset = data_.dataset(), result,
       origin = originOf(data_)](const Task& task) -> Result<ExportOutcome> {
        std::vector<std::uint32_t> all;
        if (!points) all = complementOf({}, dataset->cloud.size());
        const std::span<const std::uint32_t> chosen = points ? *points : all;
        // Points that were clustered on their own have no probabilities.
        const auto probabilities =
            clustering ? std::span<const double>()
                       : exportedProbabilities(path, *result, dataset->cloud.size());
        const auto part = chosenWithProbabilities(*dataset, chosen, probabilities, task);
        if (!part) return tl::unexpected(part.error());
        Clustering labels = clustering ? *clustering : partOf(result->clustering, chosen);
        WriteOptions options;
        if (withProvenance) {
          options.provenance = provenanceOf(*part, labels, *result, origin);
          options.provenance.emplace_back("exported", std::to_string(chosen.size()) + " of " +
                                                          std::to_string(dataset->cloud.size()) +
                                                          " points");
        }
        return writeUnlessLossy(path, *part, labels, std::move(options), loss, task);
      },
      [this, path, points, clustering, withProvenance] {
        exportPoints(path, points, clustering, withProvenance, ExportLoss::Allow);
      });
}

void SessionFiles::exportRows(const QString& path, const FileRowSelection& rows,
                              std::shared_ptr<const StoredLabels> labels, bool withProvenance,
                              ExportLoss loss) {
  const auto result = resultFor(path);
  if (!result) return;
  OpenFile file{data_.source().path.toStdString(), data_.source().stamp, data_.readOptions(),
                data_.whole()};
  startExport(
      path,
      [path, rows, labels, withProvenance, loss, result, file = std::move(file),
       origin = originOf(data_)](const Task& task) -> Result<ExportOutcome> {
        auto found = readFileRows(file, *rows, labels.get(), task);
        if (!found) return tl::unexpected(found.error());
        const Clustering clustering =
            clusteringOf(*result, std::move(found->labels), labels ? labels->highest() : kNoise);
        WriteOptions options;
        if (withProvenance) {
          options.provenance = labels ? provenanceOf(found->data, clustering, *result, origin)
                                      : provenanceOfRows(found->data, origin);
          options.provenance.emplace_back("exported", std::to_string(rows->count) + " of " +
                                                          std::to_string(rows->of) +
                                                          " rows with finite coordinates");
        }
        return labels
                   ? writeUnlessLossy(path, found->data, clustering, std::move(options), loss, task)
                   : writeUnlabelled(path, found->data, options.provenance, loss, task);
      },
      [this, path, rows, labels, withProvenance] {
        exportRows(path, rows, labels, withProvenance, ExportLoss::Allow);
      });
}

void SessionFiles::startWriting(const QString& path, const QString& title,
                                std::function<Result<void>(const Task&)> write) {
  jobs_.start<void>(JobKind::Export, title, std::move(write), [this, path](Result<void> written) {
    if (!written) return jobs_.report(JobKind::Export, written.error(), path);
    Q_EMIT exported(path, QString());
  });
}

void SessionFiles::exportClusterTable(const QString& path, bool withProvenance) {
  const auto result = resultFor(path);
  if (!result) return;
  startWriting(
      path, exportTitle(path),
      [path, withProvenance, dataset = data_.dataset(), result, statistics = derived_.statistics(),
       figures = checks_.figures(), origin = originOf(data_)](const Task& task) -> Result<void> {
        Provenance provenance;
        if (withProvenance) {
          provenance = provenanceOf(*dataset, result->clustering, *result, origin);
          describe(figures, provenance);
        }
        const auto more = columnsOf(figures, result->clustering.clusters);
        if (statistics)
          return writeClusterTable(path.toStdString(), *dataset, *statistics, provenance, more);
        auto made = statisticsOf(dataset->cloud, result->clustering, task);
        if (!made) return tl::unexpected(made.error());
        return writeClusterTable(path.toStdString(), *dataset, *made, provenance, more);
      });
}

void SessionFiles::exportBytes(const QString& path, std::function<std::string()> make) {
  if (!mayWrite(JobKind::Export, path)) return;
  startWriting(path, exportTitle(path), [path, make = std::move(make)](const Task&) {
    return writeAtomically(path.toStdString(), make());
  });
}

void SessionFiles::exportImage(const QString& path, std::function<QImage()> make) {
  if (!mayWrite(JobKind::Export, path)) return;
  startWriting(path, tr("Writing the picture"),
               [path, make = std::move(make)](const Task&) { return writePicture(path, make); });
}

SessionState SessionFiles::calledState() const {
  SessionState state = whole_.state();
  // Clusters of HDBSCAN* stay on show while parameters change without a run.
  const auto result = run_.result();
  if (result && result->hdbscan) state.parameters = result->parameters;
  return state;
}

std::optional<HdbscanOptions> SessionFiles::takenClusters() const {
  const auto result = run_.result();
  return result ? result->hdbscan : std::nullopt;
}

QString SessionFiles::commandLine() const {
  const bool known = data_.dataset() && !data_.awaitsEps();
  return known ? commandLineOf(calledState(), takenClusters()) : QString();
}

QString SessionFiles::batchScript() const {
  const bool known = data_.dataset() && !data_.awaitsEps();
  return known ? batchScriptOf(calledState(), takenClusters()) : QString();
}

SessionState SessionFiles::stateToSave() const {
  SessionState state = whole_.state();
  const auto shown = run_.result();
  if (!shown || run_.isResultCurrent() || !shown->labelsFile.isEmpty()) return state;
  // Once opened it has the clusters of its parameters, which have other numbers.
  const auto isCluster = [](std::int32_t label) { return label != kNoise; };
  std::erase_if(state.selection.clusters, isCluster);
  std::erase_if(state.display.hidden, isCluster);
  return state;
}

void SessionFiles::saveSession(const QString& path) {
  const QString absolute = QFileInfo(path).absoluteFilePath();
  if (!mayWrite(JobKind::SaveSession, absolute)) return;
  jobs_.start<void>(
      JobKind::SaveSession, tr("Saving %1").arg(QFileInfo(path).fileName()),
      [absolute, state = stateToSave()](const Task&) { return saveSessionFile(absolute, state); },
      [this, absolute, saved = revision_, opened = opened_](Result<void> result) {
        if (!result) return jobs_.report(JobKind::SaveSession, result.error(), absolute);
        // Other data may be open by now, which this file has nothing of.
        if (opened == opened_) sessionPath_ = absolute;
        if (saved == revision_ && std::exchange(modified_, false)) Q_EMIT modifiedChanged();
        Q_EMIT sessionSaved(absolute);
      });
}

void SessionFiles::openSession(const QString& path) { data_.openSession(path); }

void SessionFiles::setViewState(const QByteArray& view) {
  if (view == view_) return;
  view_ = view;
  if (data_.dataset()) autosaveTimer_.start();
}

bool SessionFiles::hasRecoverableSession() const { return recovery_.recoverable().has_value(); }

void SessionFiles::restoreRecoverableSession() {
  if (const auto path = recovery_.recoverable()) data_.openSession(*path, true);
}

void SessionFiles::markModified() {
  ++revision_;
  if (!data_.dataset()) return;
  autosaveTimer_.start();
  if (modified_) return;
  modified_ = true;
  Q_EMIT modifiedChanged();
}

void SessionFiles::acceptData(const LoadedData& loaded) {
  ++opened_;
  view_ = loaded.restored ? loaded.restored->view : QByteArray();
  sessionPath_ = loaded.order.recovering ? loaded.restored->savedAs : loaded.order.sessionPath;
  modified_ = loaded.order.recovering;
  ++revision_;
  autosaveTimer_.start();
}

void SessionFiles::announceOpened(const LoadedData& loaded) {
  if (!loaded.restored) return;
  Q_EMIT viewStateRestored(view_);
  Q_EMIT sessionOpened(loaded.order.sessionPath);
  if (loaded.order.recovering) {
    restoredFrom_ = loaded.order.sessionPath;
    autosave();
  }
}

void SessionFiles::acceptCloud(const QByteArray& view) {
  view_ = view;
  autosaveTimer_.start();
  if (!view.isEmpty()) Q_EMIT cloudViewRestored(view);
}

void SessionFiles::clear() {
  ++opened_;
  modified_ = false;
  sessionPath_.clear();
  if (!recovery_.path().isEmpty()) QFile::remove(recovery_.path());
}

void SessionFiles::autosave() {
  if (!data_.dataset() || recovery_.path().isEmpty()) return;
  // While a suggested ε is awaited there is none to keep.
  if (data_.awaitsEps()) return autosaveTimer_.start();
  SessionState state = stateToSave();
  state.savedAs = sessionPath_;
  jobs_.start<void>(
      JobKind::Autosave, {},
      [path = recovery_.path(), state = std::move(state)](const Task&) {
        return saveSessionFile(path, state);
      },
      [this](Result<void> saved) {
        if (saved) {
          if (!restoredFrom_.isEmpty()) recovery_.discard(std::exchange(restoredFrom_, {}));
        } else if (!std::exchange(autosaveFailed_, true)) {
          jobs_.warn(tr("This session is not kept for recovery: %1")
                         .arg(QString::fromStdString(saved.error().message)));
        }
      });
}

}  // namespace clusterloom
