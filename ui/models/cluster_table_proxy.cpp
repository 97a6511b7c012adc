#include "ui/models/cluster_table_proxy.h"

#include <QRegularExpression>
#include <algorithm>
#include <cmath>

#include "ui/models/cluster_table_model.h"
#include "ui/words/numbers.h"

namespace clusterloom {

namespace {

/// The column that a filter's word means; −1 for none. The words stay English in every language, as
/// the exported table's header does; a dimension's name works unchanged.
int columnOf(const QString& word, const ClusterTableModel& table) {
  static const std::pair<const char*, int> kWords[] = {
      {"label", ClusterTableModel::Label},
      {"size", ClusterTableModel::Size},
      {"validity", ClusterTableModel::Validity},
      {"found_percent", ClusterTableModel::FoundAgain},
      {"persistence", ClusterTableModel::Persistence},
      {"core", ClusterTableModel::Core},
      {"border", ClusterTableModel::Border},
      {"density", ClusterTableModel::Density},
      {"nearest", ClusterTableModel::Nearest},
      {"distance", ClusterTableModel::Distance}};
  for (const auto& [name, column] : kWords)
    if (word.compare(QLatin1String(name), Qt::CaseInsensitive) == 0 && table.shows(column))
      return column;
  for (int column = ClusterTableModel::Label; column < table.columnCount(); ++column) {
    const QString title = table.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    if (word.compare(title, Qt::CaseInsensitive) == 0) return column;
  }
  return -1;
}

}  // namespace

ClusterTableProxy::ClusterTableProxy(QObject* parent) : QAbstractProxyModel(parent) {}

const ClusterTableModel* ClusterTableProxy::table() const {
  return static_cast<const ClusterTableModel*>(sourceModel());
}

void ClusterTableProxy::setSourceModel(QAbstractItemModel* model) {
  Q_ASSERT(!model || qobject_cast<ClusterTableModel*>(model));
  beginResetModel();
  if (sourceModel()) disconnect(sourceModel(), nullptr, this, nullptr);
  QAbstractProxyModel::setSourceModel(model);
  if (model) {
    connect(model, &QAbstractItemModel::modelAboutToBeReset, this, [this] { beginResetModel(); });
    connect(model, &QAbstractItemModel::modelReset, this, [this] {
      parse();  // the names of dimensions may be others
      arrange();
      endResetModel();
    });
    connect(model, &QAbstractItemModel::headerDataChanged, this,
            [this](Qt::Orientation orientation, int first, int last) {
              parse();  // other columns are shown
              rearrange();
              Q_EMIT headerDataChanged(orientation, first, last);
            });
    connect(model, &QAbstractItemModel::dataChanged, this, &ClusterTableProxy::onSourceData);
  }
  parse();
  arrange();
  endResetModel();
}

void ClusterTableProxy::setFilterText(const QString& text) {
  if (text == text_) return;
  text_ = text;
  parse();
  rearrange();
}

void ClusterTableProxy::sort(int column, Qt::SortOrder order) {
  sortColumn_ = column;
  sortOrder_ = order;
  rearrange();
}

void ClusterTableProxy::arrange() {
  const int count = sourceModel() ? sourceModel()->rowCount() : 0;
  const int noiseRow = table() ? table()->rowOfLabel(kNoise) : -1;
  std::vector<int> shown;
  for (int row = 0; row < count; ++row)
    if (row != noiseRow && table()->number(row, ClusterTableModel::Size) != 0 && accepts(row))
      shown.push_back(row);

  if (sortColumn_ >= 0 && !shown.empty()) {
    std::vector<std::pair<double, int>> keys;
    std::vector<int> without;
    for (const int row : shown) {
      const double key = table()->number(row, sortColumn_);
      if (std::isnan(key))
        without.push_back(row);
      else
        keys.emplace_back(sortOrder_ == Qt::AscendingOrder ? key : -key, row);
    }
    std::sort(keys.begin(), keys.end());
    shown.clear();
    for (const auto& [key, row] : keys) shown.push_back(row);
    shown.insert(shown.end(), without.begin(), without.end());
  }
  if (noiseRow >= 0 && accepts(noiseRow)) shown.insert(shown.begin(), noiseRow);
  sourceRows_ = std::move(shown);
  rows_.assign(static_cast<std::size_t>(count), -1);
  for (std::size_t row = 0; row < sourceRows_.size(); ++row)
    rows_[static_cast<std::size_t>(sourceRows_[row])] = static_cast<int>(row);
}

bool ClusterTableProxy::hasEmptyClusters() const {
  for (int row = 0; row < sourceModel()->rowCount(); ++row)
    if (table()->number(row, ClusterTableModel::Size) == 0) return true;
  return false;
}

void ClusterTableProxy::rearrange() {
  Q_EMIT layoutAboutToBeChanged();
  const QModelIndexList before = persistentIndexList();
  QModelIndexList inSource;
  for (const QModelIndex& index : before) inSource << mapToSource(index);
  arrange();
  QModelIndexList after;
  for (const QModelIndex& index : inSource) after << mapFromSource(index);
  changePersistentIndexList(before, after);
  Q_EMIT layoutChanged();
}

void ClusterTableProxy::onSourceData(const QModelIndex& topLeft, const QModelIndex& bottomRight,
                                     const QList<int>& roles) {
  // A box ticked or a colour changed moves no row.
  const bool numbersMoved = roles.isEmpty() || roles.contains(ClusterTableModel::ValueRole);
  // Clusters without points, of which labels from a file may have some, are left out.
  const bool emptyOnes = numbersMoved && sourceRows_.size() == rows_.size() && hasEmptyClusters();
  if (numbersMoved && (sortColumn_ >= 0 || !conditions_.empty() || emptyOnes)) rearrange();
  if (sourceRows_.empty()) return;
  const bool one = topLeft.row() == bottomRight.row();
  const int shown = one ? rows_[static_cast<std::size_t>(topLeft.row())] : 0;
  if (shown < 0) return;
  Q_EMIT dataChanged(index(shown, topLeft.column()),
                     index(one ? shown : rowCount() - 1, bottomRight.column()), roles);
}

QModelIndex ClusterTableProxy::mapToSource(const QModelIndex& index) const {
  if (!index.isValid() || !sourceModel()) return {};
  return sourceModel()->index(sourceRows_[static_cast<std::size_t>(index.row())], index.column());
}

QModelIndex ClusterTableProxy::mapFromSource(const QModelIndex& index) const {
  if (!index.isValid()) return {};
  const auto row = static_cast<std::size_t>(index.row());
  return row < rows_.size() && rows_[row] >= 0 ? createIndex(rows_[row], index.column())
                                               : QModelIndex();
}

QModelIndex ClusterTableProxy::index(int row, int column, const QModelIndex& parent) const {
  return hasIndex(row, column, parent) ? createIndex(row, column) : QModelIndex();
}

QModelIndex ClusterTableProxy::parent(const QModelIndex&) const { return {}; }

int ClusterTableProxy::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(sourceRows_.size());
}

int ClusterTableProxy::columnCount(const QModelIndex& parent) const {
  return parent.isValid() || !sourceModel() ? 0 : sourceModel()->columnCount();
}

QVariant ClusterTableProxy::headerData(int section, Qt::Orientation orientation, int role) const {
  // Columns are those of the source; the base class would look them up through the first row, which
  // may be missing.
  if (orientation == Qt::Horizontal && sourceModel())
    return sourceModel()->headerData(section, orientation, role);
  return QAbstractProxyModel::headerData(section, orientation, role);
}

namespace {

/// "size>1,234" as "size>1234": the table shows numbers so, and a comma would end the word.
QString withoutCommaGroups(QString text) {
  static const QRegularExpression grouped(
      QStringLiteral("(?<=[<>=])\\d{1,3}(?:,\\d{3})+(?![\\d.,])"));
  if (numberLocale().groupSeparator() != QLatin1String(",")) return text;
  for (auto found = grouped.match(text); found.hasMatch(); found = grouped.match(text))
    text.replace(found.capturedStart(), found.capturedLength(),
                 found.captured().remove(QLatin1Char(',')));
  return text;
}

/// "1.234" of a column of whole numbers as "1234", where a point separates groups.
QString withoutPointGroups(QString number, int column) {
  static const QRegularExpression grouped(QStringLiteral("^\\d{1,3}(?:\\.\\d{3})+$"));
  const bool isWhole = column == ClusterTableModel::Label || column == ClusterTableModel::Size ||
                       column == ClusterTableModel::Core || column == ClusterTableModel::Border ||
                       column == ClusterTableModel::Nearest;
  if (isWhole && numberLocale().groupSeparator() == QLatin1String(".") &&
      grouped.match(number).hasMatch())
    number.remove(QLatin1Char('.'));
  return number;
}

}  // namespace

void ClusterTableProxy::parse() {
  static const QRegularExpression labels(QStringLiteral("^(\\d+)(?:-(\\d+))?$"));
  static const QRegularExpression comparison(QStringLiteral("^(.+?)(<=|>=|!=|<|>|=)(.+)$"));
  static const std::pair<const char*, Comparison> kOperators[] = {
      {"<", Comparison::Less},    {"<=", Comparison::LessEqual},
      {">", Comparison::Greater}, {">=", Comparison::GreaterEqual},
      {"=", Comparison::Equal},   {"!=", Comparison::NotEqual}};
  error_.clear();
  conditions_.clear();
  labels_.clear();
  if (!sourceModel()) return;

  for (const QString& word : typedWords(withoutCommaGroups(text_))) {
    if (word.compare(QLatin1String("noise"), Qt::CaseInsensitive) == 0) {
      labels_.emplace_back(kNoise, kNoise);
      continue;
    }
    if (const auto match = labels.match(word); match.hasMatch()) {
      bool ok = false;
      const int from = match.captured(1).toInt(&ok);
      bool okTo = true;
      const int to = match.captured(2).isEmpty() ? from : match.captured(2).toInt(&okTo);
      if (ok && okTo)
        labels_.emplace_back(std::min(from, to), std::max(from, to));
      else
        error_ = tr("“%1” is not a label.").arg(word);
      continue;
    }
    const auto match = comparison.match(word);
    if (!match.hasMatch()) {
      error_ = tr("“%1” is neither a label nor a condition such as size>100.").arg(word);
      continue;
    }
    Condition condition{columnOf(match.captured(1), *table()), Comparison::Equal, 0};
    const auto value = typedNumber(withoutPointGroups(match.captured(3), condition.column));
    if (condition.column < 0) {
      error_ = tr("There is no column “%1”.").arg(match.captured(1));
      continue;
    }
    if (!value) {
      error_ = tr("“%1” is not a number.").arg(match.captured(3));
      continue;
    }
    condition.value = *value;
    for (const auto& [sign, meaning] : kOperators)
      if (match.captured(2) == QLatin1String(sign)) condition.comparison = meaning;
    conditions_.push_back(condition);
  }
  if (!error_.isEmpty()) {
    conditions_.clear();
    labels_.clear();
  }
}

bool ClusterTableProxy::accepts(int row) const {
  const std::int32_t label = table()->labelOfRow(row);
  const auto inRange = [label](const auto& range) {
    return range.first <= label && label <= range.second;
  };
  if (!labels_.empty() && std::none_of(labels_.begin(), labels_.end(), inRange)) return false;
  return std::all_of(conditions_.begin(), conditions_.end(), [&](const Condition& condition) {
    const double value = table()->number(row, condition.column);
    switch (condition.comparison) {
      case Comparison::Less: return value < condition.value;
      case Comparison::LessEqual: return value <= condition.value;
      case Comparison::Greater: return value > condition.value;
      case Comparison::GreaterEqual: return value >= condition.value;
      case Comparison::Equal: return value == condition.value;
      // As with the others, a cluster without a value meets no condition.
      case Comparison::NotEqual: return value != condition.value && !std::isnan(value);
    }
    return false;
  });
}

}  // namespace clusterloom
