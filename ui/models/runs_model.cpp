#include "ui/models/runs_model.h"

#include "ui/session/parameters.h"
#include "ui/words/engine_words.h"
#include "ui/words/numbers.h"

namespace clusterloom {

RunsModel::RunsModel(QObject* parent) : QAbstractTableModel(parent) {}

void RunsModel::setRuns(const std::vector<RunRecord>& runs) {
  beginResetModel();
  runs_ = runs;
  endResetModel();
}

const RunRecord& RunsModel::run(int row) const {
  return runs_[runs_.size() - 1 - static_cast<std::size_t>(row)];
}

int RunsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(runs_.size());
}

int RunsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : Backend + 1;
}

QVariant RunsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const RunRecord& record = run(index.row());
  const RunStats& stats = record.stats;
  const QLocale locale = numberLocale();
  const bool asText = role == Qt::DisplayRole;
  if (role == Qt::TextAlignmentRole && index.column() != StrategyText && index.column() != Backend)
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole) {
    QString tip = record.when.toString(Qt::ISODate);
    tip += QLatin1Char('\n') + engineList(stats.strategy);
    // Scaling, distances, weights and the like, where they are not the usual ones.
    Parameters usual;
    usual.dbscan = record.parameters.dbscan;
    usual.strategy = record.parameters.strategy;
    usual.kept = record.parameters.kept;
    usual.keptRows = record.parameters.keptRows;
    if (const QString more = differenceText(record.parameters, usual); !more.isEmpty())
      tip += QLatin1Char('\n') + more;
    if (record.parameters.kept)
      tip += QLatin1Char('\n') + tr("of %1 kept").arg(countedPoints(record.points));
    if (!stats.note.empty()) tip += QLatin1Char('\n') + QString::fromStdString(stats.note);
    return tip;
  }
  if (!asText && role != ValueRole) return {};
  switch (index.column()) {
    case Number:
      return asText ? QVariant(locale.toString(record.job)) : QVariant(double(record.job));
    case Eps: {
      const double eps = record.parameters.dbscan.eps;
      return asText ? QVariant(epsText(eps)) : QVariant(eps);
    }
    case MinPts: {
      const auto minPts = static_cast<qlonglong>(record.parameters.dbscan.minPts);
      return asText ? QVariant(locale.toString(minPts)) : QVariant(double(minPts));
    }
    case IndexedDims:
      if (stats.indexedDims == 0) return asText ? QVariant(QString()) : QVariant(0.0);
      return asText ? QVariant(locale.toString(stats.indexedDims))
                    : QVariant(double(stats.indexedDims));
    case StrategyText: return engineList(stats.strategy);
    case Clusters:
      return asText ? QVariant(locale.toString(record.clusters))
                    : QVariant(double(record.clusters));
    case Noise: {
      const double share = record.points == 0 ? 0
                                              : static_cast<double>(record.noise) /
                                                    static_cast<double>(record.points);
      return asText ? QVariant(percent(share)) : QVariant(static_cast<double>(record.noise));
    }
    case Distances: {
      const std::uint64_t done = stats.distanceCalculations;
      if (!asText) return static_cast<double>(done);
      return done == 0 ? tr("not counted") : locale.toString(static_cast<qulonglong>(done));
    }
    case Seconds: {
      const double seconds = stats.seconds.total;
      if (!asText) return seconds;
      return duration(seconds);
    }
    case Backend:
      // Not "%n thread(s)": without a translation the raw text would be shown.
      if (stats.threads == 1) return tr("%1, 1 thread").arg(QString::fromStdString(stats.backend));
      return tr("%1, %2 threads").arg(QString::fromStdString(stats.backend)).arg(stats.threads);
    default: return {};
  }
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  switch (section) {
    case Number: return tr("Job");
    case Eps: return tr("ε");
    case MinPts: return tr("minPts");
    case IndexedDims: return tr("k");
    case StrategyText: return tr("Strategy");
    case Clusters: return tr("Clusters");
    case Noise: return tr("Noise");
    case Distances: return tr("Distances");
    case Seconds: return tr("Time");
    case Backend: return tr("Engine");
    default: return {};
  }
}

DataTable runsTable(const std::vector<RunRecord>& runs) {
  DataTable table{{"job", "when", "points", "eps", "min_pts", "indexed_dims", "strategy",
                   "clusters", "noise_points", "distance_calculations", "batches", "index_seconds",
                   "join_seconds", "label_seconds", "total_seconds", "backend", "threads"},
                  {}};
  for (const RunRecord& run : runs) {
    const RunStats& stats = run.stats;
    table.rows.push_back({std::to_string(run.job), run.when.toString(Qt::ISODate).toStdString(),
                          exactNumber(run.points), exactNumber(run.parameters.dbscan.eps),
                          std::to_string(run.parameters.dbscan.minPts),
                          std::to_string(stats.indexedDims), stats.strategy,
                          std::to_string(run.clusters), exactNumber(run.noise),
                          exactNumber(stats.distanceCalculations), exactNumber(stats.batches),
                          exactNumber(stats.seconds.index), exactNumber(stats.seconds.join),
                          exactNumber(stats.seconds.label), exactNumber(stats.seconds.total),
                          stats.backend, std::to_string(stats.threads)});
  }
  return table;
}

}  // namespace clusterloom
