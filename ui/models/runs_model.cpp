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
  const auto cell = [asText](double value, const QString& text) {
    return asText ? QVariant(text) : QVariant(value);
  };
  const DbscanParams& dbscan = record.parameters.dbscan;
  const auto noise = static_cast<double>(record.noise);
  switch (index.column()) {
    case Number: return cell(double(record.job), locale.toString(record.job));
    case Eps: return cell(dbscan.eps, epsText(dbscan.eps));
    case MinPts:
      return cell(double(dbscan.minPts), locale.toString(static_cast<qlonglong>(dbscan.minPts)));
    case IndexedDims:
      return cell(double(stats.indexedDims),
                  stats.indexedDims == 0 ? QString() : locale.toString(stats.indexedDims));
    case StrategyText: return engineList(stats.strategy);
    case Clusters: return cell(double(record.clusters), locale.toString(record.clusters));
    case Noise:
      return cell(noise,
                  percent(record.points == 0 ? 0 : noise / static_cast<double>(record.points)));
    case Distances: {
      const std::uint64_t done = stats.distanceCalculations;
      return cell(static_cast<double>(done),
                  done == 0 ? tr("not counted") : locale.toString(static_cast<qulonglong>(done)));
    }
    case Seconds: return cell(stats.seconds.total, duration(stats.seconds.total));
    case Backend:
      // Not "%n thread(s)": without a translation the raw text would be shown.
      if (stats.threads == 1) return tr("%1, 1 thread").arg(QString::fromStdString(stats.backend));
      return tr("%1, %2 threads").arg(QString::fromStdString(stats.backend)).arg(stats.threads);
    default: return {};
  }
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  // In the order of the columns.
  return QStringList{tr("Job"),      tr("ε"),     tr("minPts"),    tr("k"),    tr("Strategy"),
                     tr("Clusters"), tr("Noise"), tr("Distances"), tr("Time"), tr("Engine")}
      .value(section);
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
