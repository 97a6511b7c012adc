#include "ui/models/cluster_table_model.h"

#include <QColor>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "render/paint/palette.h"
#include "ui/session/check_columns.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr int kDigits = 6;  // of measured numbers, as people read them

bool isCount(int column) {
  return column == ClusterTableModel::Size || column == ClusterTableModel::Core ||
         column == ClusterTableModel::Border;
}

}  // namespace

ClusterTableModel::ClusterTableModel(QObject* parent)
    : QAbstractTableModel(parent), palette_([](int index) {
        const clusterloom::Colour colour = clusterColour(index, Background::Light);
        return QColor(colour.r, colour.g, colour.b);
      }) {}

void ClusterTableModel::setResult(std::shared_ptr<const ClusterResult> result,
                                  std::shared_ptr<const ClusteringStatistics> statistics,
                                  const QStringList& dimensionNames) {
  if (result && statistics &&
      statistics->clusters.size() != static_cast<std::size_t>(result->clustering.clusters))
    statistics.reset();  // of another result
  // Statistics that follow their result fill in numbers: the rows, and so the selection, stay.
  if (result && result == result_ && dimensionNames == dimensionNames_) {
    statistics_ = std::move(statistics);
    if (rowCount() > 0)
      Q_EMIT dataChanged(index(0, Size), index(rowCount() - 1, columnCount() - 1));
    return;
  }
  beginResetModel();
  result_ = std::move(result);
  statistics_ = std::move(statistics);
  dimensionNames_ = dimensionNames;
  endResetModel();
}

void ClusterTableModel::setFigures(const ClusterFigures& figures, const std::set<int>& columns) {
  if (figures == figures_ && columns == checked_) return;
  figures_ = figures;
  if (std::exchange(checked_, columns) != columns)
    Q_EMIT headerDataChanged(Qt::Horizontal, Validity, Persistence);
  if (rowCount() > 0) Q_EMIT dataChanged(index(0, Validity), index(rowCount() - 1, Persistence));
}

void ClusterTableModel::setPalette(std::function<QColor(int)> palette) {
  palette_ = std::move(palette);
  repaintColours();
}

void ClusterTableModel::repaintColours() {
  if (rowCount() > 0)
    Q_EMIT dataChanged(index(0, Colour), index(rowCount() - 1, Colour), {Qt::DecorationRole});
}

std::set<std::int32_t> ClusterTableModel::setHidden(const std::set<std::int32_t>& hidden) {
  std::set<std::int32_t> changed;
  std::set_symmetric_difference(hidden.begin(), hidden.end(), hidden_.begin(), hidden_.end(),
                                std::inserter(changed, changed.end()));
  if (changed.empty()) return changed;
  hidden_ = hidden;
  if (rowCount() > 0)
    Q_EMIT dataChanged(index(0, Label), index(rowCount() - 1, Label),
                       {Qt::CheckStateRole, Qt::AccessibleTextRole});
  return changed;
}

int ClusterTableModel::clusterRows() const { return result_ ? result_->clustering.clusters : 0; }

int ClusterTableModel::rowCount(const QModelIndex& parent) const {
  if (parent.isValid() || !result_) return 0;
  return clusterRows() + (result_->clustering.noiseCount > 0 ? 1 : 0);
}

std::int32_t ClusterTableModel::labelOfRow(int row) const {
  return row < clusterRows() ? row : kNoise;
}

int ClusterTableModel::rowOfLabel(std::int32_t label) const {
  const int row = label == kNoise ? clusterRows() : label;
  return row >= 0 && row < rowCount() ? row : -1;
}

int ClusterTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : FirstCentroid + static_cast<int>(dimensionNames_.size());
}

double ClusterTableModel::number(int row, int column) const {
  if (row < 0 || row >= rowCount()) return kNone;
  if (labelOfRow(row) == kNoise) {
    if (column == Label) return kNoise;
    return column == Size ? static_cast<double>(result_->clustering.noiseCount) : kNone;
  }
  const auto r = static_cast<std::size_t>(row);
  if (column == Colour) return row;  // as in the view: the palette's entry of the label
  if (column == Label) return row;
  if (column >= Validity && column <= Persistence) return checkedNumber(row, column);
  if (!statistics_) return kNone;
  const ClusterStatistics& cluster = statistics_->clusters[r];
  switch (column) {
    case Size: return static_cast<double>(cluster.size);
    case Core:
      return cluster.core + cluster.border == 0 ? kNone : static_cast<double>(cluster.core);
    case Border:
      return cluster.core + cluster.border == 0 ? kNone : static_cast<double>(cluster.border);
    case Density: return cluster.density;
    case Nearest: return cluster.nearest < 0 ? kNone : cluster.nearest;
    case Distance: return cluster.nearest < 0 ? kNone : cluster.nearestDistance;
    default: break;
  }
  const auto dimension = static_cast<std::size_t>(column - FirstCentroid);
  return dimension < cluster.centroid.size() ? cluster.centroid[dimension] : kNone;
}

double ClusterTableModel::checkedNumber(std::int32_t label, int column) const {
  if (column == Validity) {
    const ClusterValidity* known = validityOf(figures_, label);
    return known ? known->validity : kNone;
  }
  if (column == FoundAgain) {
    const ClusterStability* known = stabilityOf(figures_, label);
    return known && known->samples > 0 ? 100.0 * known->found / known->samples : kNone;
  }
  const auto& ranges = figures_.persistence;
  return ranges && std::size_t(label) < ranges->size() ? (*ranges)[std::size_t(label)].ratio()
                                                       : kNone;
}

QString ClusterTableModel::checkedWords(std::int32_t label, int column) const {
  if (std::isnan(checkedNumber(label, column))) return {};
  if (column == Validity) {
    const ClusterValidity& known = *validityOf(figures_, label);
    return tr("sparseness %1 inside, separation %2 from cluster %3")
        .arg(significant(known.sparseness, kDigits), significant(known.separation, kDigits))
        .arg(known.nearest);
  }
  if (column == FoundAgain) {
    const ClusterStability& known = *stabilityOf(figures_, label);
    return tr("in %1 of %2 samples; mean Jaccard index %3")
        .arg(known.found)
        .arg(known.samples)
        .arg(fixed(known.jaccard, 2));
  }
  const EpsRangeOfCluster& range = (*figures_.persistence)[std::size_t(label)];
  return std::isinf(range.to) ? tr("from ε %1 on").arg(epsText(range.from))
                              : tr("from ε %1 to %2").arg(epsText(range.from), epsText(range.to));
}

QString ClusterTableModel::text(int row, int column) const {
  if (column == Colour) return {};
  const double value = number(row, column);
  if (std::isnan(value)) return {};
  if (column == Label && labelOfRow(row) == kNoise) return tr("noise");
  if (column == Label || column == Nearest)
    return numberLocale().toString(static_cast<qlonglong>(value));
  if (column == Validity) return fixed(value, 2);
  if (column == FoundAgain) return fixed(value, 0) + QStringLiteral(" %");
  if (column == Persistence) return std::isinf(value) ? QStringLiteral("∞") : significant(value, 3);
  if (isCount(column)) return count(static_cast<std::uint64_t>(value));
  return significant(value, kDigits);
}

QVariant ClusterTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const int row = index.row();
  const int column = index.column();
  switch (role) {
    case Qt::DisplayRole: return text(row, column);
    case ValueRole: {
      const double value = number(row, column);
      return std::isnan(value) ? QVariant() : QVariant(value);
    }
    case PaletteIndexRole:
      return labelOfRow(row) == kNoise ? kNoise : static_cast<int>(number(row, Colour));
    case Qt::DecorationRole:
      if (column != Colour || !palette_) return {};
      return palette_(labelOfRow(row) == kNoise ? kNoise : static_cast<int>(number(row, Colour)));
    case Qt::AccessibleTextRole:
      if (column == Colour && labelOfRow(row) == kNoise) return tr("colour of the noise");
      if (column == Colour) return tr("colour of cluster %1").arg(row);
      if (column == Label)
        return (hidden_.count(labelOfRow(row)) ? tr("%1, hidden") : tr("%1, shown"))
            .arg(text(row, column));
      return text(row, column);
    case Qt::TextAlignmentRole:
      return column == Colour ? QVariant() : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::CheckStateRole:
      if (column != Label) return {};
      return hidden_.count(labelOfRow(row)) ? Qt::Unchecked : Qt::Checked;
    case Qt::ToolTipRole:
      if (column == Label) return tr("Unchecked clusters are not drawn.");
      if (column >= Validity && column <= Persistence && labelOfRow(row) != kNoise)
        return checkedWords(row, column);
      return {};
    default: return {};
  }
}

bool ClusterTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid() || index.column() != Label || role != Qt::CheckStateRole) return false;
  const std::int32_t label = labelOfRow(index.row());
  const bool hide = value.toInt() == Qt::Unchecked;
  if (hide == (hidden_.count(label) > 0)) return true;
  if (hide)
    hidden_.insert(label);
  else
    hidden_.erase(label);
  Q_EMIT dataChanged(index, index, {Qt::CheckStateRole});
  Q_EMIT hiddenToggled(label, hide);
  return true;
}

QVariant ClusterTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  // The first click on a header sorts descending where large numbers are of interest.
  if (role == Qt::InitialSortOrderRole)
    return isCount(section) || section == Density ? Qt::DescendingOrder : Qt::AscendingOrder;
  if (role == Qt::ToolTipRole) {
    switch (section) {
      case Validity:
        return tr(
            "Density-based validity (DBCV), −1 to 1: above 0 where the cluster is denser "
            "inside than between it and the nearest other one");
      case FoundAgain:
        return tr("In how many of %1 random samples DBSCAN finds the cluster again. A sample has "
                  "half of the points. The Jaccard index of the two clusters must be at least "
                  "0.75: three quarters of the points of either must be in both")
            .arg(ResamplingOptions().resamples);
      case Persistence:
        return tr(
            "Largest ε ÷ smallest ε of the range in which the cluster persists: there, some "
            "cluster has a Jaccard index of at least 0.75 with it, by core points");
      case Density: return tr("Points per unit volume of the cluster’s bounding box");
      case Nearest: return tr("The cluster with the nearest centroid");
      case Distance: return tr("Distance between the two centroids");
      default: return {};
    }
  }
  if (role == Qt::AccessibleTextRole && section == Colour) return tr("Colour");
  if (role != Qt::DisplayRole || !shows(section)) return {};
  // In the order of the columns.
  const QStringList titles{
      {},         tr("Label"),  tr("Size"),    tr("Validity"), tr("Found"),   tr("Persistence"),
      tr("Core"), tr("Border"), tr("Density"), tr("Nearest"),  tr("Distance")};
  return section < FirstCentroid ? titles.value(section)
                                 : dimensionNames_.value(section - FirstCentroid);
}

Qt::ItemFlags ClusterTableModel::flags(const QModelIndex& index) const {
  Qt::ItemFlags flags = QAbstractTableModel::flags(index);
  if (index.isValid() && index.column() == Label) flags |= Qt::ItemIsUserCheckable;
  return flags;
}

QString selectionAsTsv(const QAbstractItemModel& model, const QModelIndexList& selected) {
  std::set<int> rows;
  for (const QModelIndex& index : selected) rows.insert(index.row());

  // A column without a title (the colour) has no place in a text.
  std::vector<int> columns;
  QStringList titles;
  for (int column = 0; column < model.columnCount(); ++column) {
    const QString title = model.headerData(column, Qt::Horizontal).toString();
    if (title.isEmpty()) continue;
    columns.push_back(column);
    titles << QString(title).replace('\t', ' ');
  }
  QString text = titles.join('\t') + '\n';
  for (const int row : rows) {
    QStringList cells;
    for (const int column : columns) {
      const QModelIndex index = model.index(row, column);
      const QVariant value = index.data(ClusterTableModel::ValueRole);
      cells << (value.typeId() == QMetaType::Double
                    ? plainText(value.toDouble())
                    : index.data(Qt::DisplayRole).toString().replace('\t', ' '));
    }
    text += cells.join('\t') + '\n';
  }
  return text;
}

}  // namespace clusterloom
