#include "ui/session/csv.h"

#include <QLocale>

namespace clusterloom {

void CsvTable::addRow(const QStringList& cells) {
  QStringList quoted;
  for (QString cell : cells) {
    const bool needs = cell.contains(QLatin1Char(',')) || cell.contains(QLatin1Char('"')) ||
                       cell.contains(QLatin1Char('\n')) || cell.contains(QLatin1Char('\r'));
    if (needs) {
      cell.replace(QLatin1String("\""), QLatin1String("\"\""));
      cell = QLatin1Char('"') + cell + QLatin1Char('"');
    }
    quoted << cell;
  }
  bytes_ += quoted.join(QLatin1Char(',')).toUtf8() + "\r\n";
}

QString number(double value) {
  return QLocale::c().toString(value, 'g', QLocale::FloatingPointShortest);
}

QString number(std::uint64_t value) { return QString::number(value); }

}  // namespace clusterloom
