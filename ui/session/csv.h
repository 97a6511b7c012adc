#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <cstdint>

namespace clusterloom {

/// A table as CSV (RFC 4180): commas, points for decimals whatever the language, quotes where a
/// cell needs them.
class CsvTable {
 public:
  explicit CsvTable(const QStringList& names) { addRow(names); }
  void addRow(const QStringList& cells);
  const QByteArray& bytes() const { return bytes_; }

 private:
  QByteArray bytes_;
};

/// A number with the digits that restore it exactly.
QString number(double value);
QString number(std::uint64_t value);

}  // namespace clusterloom
