#include <QRegularExpression>
#include <algorithm>
#include <cmath>

#include "ui/models/cluster_table_model.h"

namespace clusterloom {

namespace {

/// The column that a filter's word means; −1 for none. The words stay English in every language, as
/// the exported table's header does; a dimension's name works as it is.
int columnOf(const QString& word, const ClusterTableModel& table) {
  static const std::pair<const char*, int> kWords[] = {
      {"label", ClusterTableModel::Label},      {"size", ClusterTableModel::Size},
      {"core", ClusterTableModel::Core},        {"border", ClusterTableModel::Border},
      {"density", ClusterTableModel::Density},  {"nearest", ClusterTableModel::Nearest},
      {"distance", ClusterTableModel::Distance}};
  for (const auto& [name, column] : kWords)
    if (word.compare(QLatin1String(name), Qt::CaseInsensitive) == 0) return column;
  for (int column = ClusterTableModel::Label; column < table.columnCount(); ++column) {
    const QString title = table.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    if (word.compare(title, Qt::CaseInsensitive) == 0) return column;
  }
  return -1;
}

}  // namespace

ClusterTableProxy::ClusterTableProxy(QObject* parent) : QSortFilterProxyModel(parent) {
  setSortRole(ClusterTableModel::ValueRole);
}

const ClusterTableModel* ClusterTableProxy::table() const {
  return static_cast<const ClusterTableModel*>(sourceModel());
}

void ClusterTableProxy::setSourceModel(QAbstractItemModel* model) {
  Q_ASSERT(!model || qobject_cast<ClusterTableModel*>(model));
  if (sourceModel()) disconnect(sourceModel(), nullptr, this, nullptr);
  // Before the base class connects: names of dimensions must be known when it filters anew.
  if (model) connect(model, &QAbstractItemModel::modelReset, this, &ClusterTableProxy::parse);
  QSortFilterProxyModel::setSourceModel(model);
  parse();
  invalidateFilter();
}

void ClusterTableProxy::setFilterText(const QString& text) {
  if (text == text_) return;
  text_ = text;
  parse();
  invalidateFilter();
}

void ClusterTableProxy::parse() {
  static const QRegularExpression blanks(QStringLiteral("[\\s,]+"));
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

  for (const QString& word : text_.split(blanks, Qt::SkipEmptyParts)) {
    if (const auto match = labels.match(word); match.hasMatch()) {
      bool ok = false;
      const int from = match.captured(1).toInt(&ok);
      bool okTo = true;
      const int to = match.captured(2).isEmpty() ? from : match.captured(2).toInt(&okTo);
      if (ok && okTo)
        labels_.emplace_back(from, to);
      else
        error_ = tr("“%1” is no label.").arg(word);
      continue;
    }
    const auto match = comparison.match(word);
    if (!match.hasMatch()) {
      error_ = tr("“%1” is neither a label nor a condition such as size>100.").arg(word);
      continue;
    }
    Condition condition{columnOf(match.captured(1), *table()), Comparison::Equal, 0};
    bool ok = false;
    condition.value = match.captured(3).toDouble(&ok);
    if (condition.column < 0) {
      error_ = tr("There is no column “%1”.").arg(match.captured(1));
      continue;
    }
    if (!ok) {
      error_ = tr("“%1” is no number.").arg(match.captured(3));
      continue;
    }
    for (const auto& [sign, meaning] : kOperators)
      if (match.captured(2) == QLatin1String(sign)) condition.comparison = meaning;
    conditions_.push_back(condition);
  }
  if (!error_.isEmpty()) {
    conditions_.clear();
    labels_.clear();
  }
}

bool ClusterTableProxy::filterAcceptsRow(int row, const QModelIndex&) const {
  const auto inRange = [row](const auto& range) {
    return range.first <= row && row <= range.second;
  };
  if (!labels_.empty() && std::none_of(labels_.begin(), labels_.end(), inRange)) return false;
  return std::all_of(conditions_.begin(), conditions_.end(), [&](const Condition& condition) {
    const double value = table()->number(row, condition.column);
    switch (condition.comparison) {
      case Comparison::Less:
        return value < condition.value;
      case Comparison::LessEqual:
        return value <= condition.value;
      case Comparison::Greater:
        return value > condition.value;
      case Comparison::GreaterEqual:
        return value >= condition.value;
      case Comparison::Equal:
        return value == condition.value;
      case Comparison::NotEqual:
        return value != condition.value;
    }
    return false;
  });
}

bool ClusterTableProxy::lessThan(const QModelIndex& left, const QModelIndex& right) const {
  const double a = table()->number(left.row(), left.column());
  const double b = table()->number(right.row(), right.column());
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && !std::isnan(b);
  if (a != b) return a < b;
  return left.row() < right.row();
}

}  // namespace clusterloom
