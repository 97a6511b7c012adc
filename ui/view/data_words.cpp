#include "ui/view/data_words.h"

#include <QCoreApplication>

#include "ui/session/grid_cells.h"
#include "ui/session/results.h"
#include "ui/words/column_words.h"

namespace clusterloom {
namespace {

// lupdate gives texts of functions the namespace as context.
QString tr(const char* text) { return QCoreApplication::translate("clusterloom", text); }

}  // namespace

QString cutForDisplay(const QString& message) {
  constexpr qsizetype most = 2000;
  constexpr qsizetype end = 500;
  if (message.size() <= most) return message;
  return message.left(most - end) + QStringLiteral(" … ") + message.right(end);
}

QString tableWords(std::size_t rows, const std::vector<ColumnRange>& ranges) {
  QStringList words{countedRows(rows)};
  for (const ColumnRange& range : ranges) {
    const QString name = columnWords(range.name);
    const QString least = readable(range.least);
    words << (range.least == range.most ? tr("%1 %2").arg(name, least)
                                        : tr("%1 %2 to %3").arg(name, least, readable(range.most)));
  }
  return words.join(QStringLiteral(", "));
}

QString roleWord(int role) {
  switch (PointRole(role)) {
    case PointRole::Core: return tr("core");
    case PointRole::Border: return tr("border");
    case PointRole::Noise: break;
  }
  return tr("noise");
}

QString pointWords(std::int64_t point, const ClusterResult* result) {
  QString name = tr("point %1").arg(count(std::uint64_t(point)));
  if (result == nullptr || std::size_t(point) >= result->clustering.labels.size()) return name;
  const std::int32_t label = result->clustering.labels[std::size_t(point)];
  if (label == kNoise) return tr("%1 · noise").arg(name);
  if (result->clustering.roles.empty())
    return tr("%1 · cluster %2").arg(name, count(std::uint64_t(label)));
  return tr("%1 · cluster %2 · %3")
      .arg(name, count(std::uint64_t(label)),
           roleWord(int(result->clustering.roles[std::size_t(point)])));
}

QString cellWords(const GridCells& cells, std::int64_t cell) {
  const CellDescription words = describeCell(cells, cell);
  return tr("cell %1 · points: %2 · candidates: %3 · adjacent cells: %4")
      .arg(words.linearId)
      .arg(count(words.points), count(words.candidates), count(words.adjacent.size()));
}

}  // namespace clusterloom
