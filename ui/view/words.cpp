#include "ui/view/words.h"

#include <QCoreApplication>
#include <QLocale>
#include <cmath>

#include "ui/session/grid_cells.h"
#include "ui/session/results.h"

namespace clusterloom {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("Words", text); }

}  // namespace

QString count(std::uint64_t number) { return QLocale().toString(qulonglong(number)); }

QString counted(std::uint64_t number, const QString& one, const QString& several) {
  return number == 1 ? one : several.arg(count(number));
}

QString readable(double number) {
  const QLocale locale;
  const double size = std::abs(number);
  if (number == 0) return locale.toString(0);
  if (!std::isfinite(number)) return locale.toString(number);
  if (size >= 1e9 || size < 1e-4) return locale.toString(number, 'g', 5);
  const int before = std::max(1, int(std::floor(std::log10(size))) + 1);
  QString text = locale.toString(number, 'f', std::max(0, std::min(8, 7 - before)));
  if (text.contains(locale.decimalPoint())) {
    while (text.endsWith(locale.zeroDigit())) text.chop(1);
    if (text.endsWith(locale.decimalPoint())) text.chop(locale.decimalPoint().size());
  }
  return text;
}

QString duration(double seconds) {
  const QLocale locale;
  if (seconds > 0 && seconds < 1e-4) return tr("%1 µs").arg(locale.toString(seconds * 1e6, 'f', 1));
  if (seconds < 0.01) return tr("%1 ms").arg(locale.toString(seconds * 1e3, 'f', 1));
  if (seconds < 1) return tr("%1 ms").arg(locale.toString(seconds * 1e3, 'f', 0));
  if (seconds < 60) return tr("%1 s").arg(locale.toString(seconds, 'f', seconds < 10 ? 2 : 1));
  const int whole = int(seconds);
  return tr("%1 min %2 s").arg(whole / 60).arg(whole % 60);
}

QString percent(double fraction) {
  const double value = 100 * fraction;
  const int digits = value > 0 && value < 0.1 ? 2 : 1;
  return tr("%1 %").arg(QLocale().toString(value, 'f', digits));
}

QString percentWithError(double fraction, double error) {
  if (!(error > 0) || !std::isfinite(error)) return percent(fraction);
  return tr("%1 ± %2").arg(percent(fraction), percent(error));
}

QString roleWord(int role) {
  switch (PointRole(role)) {
    case PointRole::Core:
      return tr("core");
    case PointRole::Border:
      return tr("border");
    case PointRole::Noise:
      break;
  }
  return tr("noise");
}

QString pointWords(std::int64_t point, const ClusterResult* result) {
  QString name = tr("point %1").arg(count(std::uint64_t(point)));
  if (result == nullptr || std::size_t(point) >= result->clustering.labels.size()) return name;
  const std::int32_t label = result->clustering.labels[std::size_t(point)];
  if (label == kNoise) return tr("%1 · noise").arg(name);
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
