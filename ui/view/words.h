#pragma once

#include <QString>
#include <cstdint>

namespace clusterloom {

struct ClusterResult;
struct GridCells;

/// 12345 as "12,345" in the user's language.
QString count(std::uint64_t number);
/// "1 cluster", "12 clusters": the translated pair that goes with the number, %1 in the second
/// replaced by it.
QString counted(std::uint64_t number, const QString& one, const QString& several);
/// A number for reading, up to seven significant digits ("4,821,337.2", "0.00025").
QString readable(double number);
/// "20.5 µs", "12.3 ms", "1.8 s", "2 min 5 s".
QString duration(double seconds);
/// "18.7 %"; shows two digits where the first would be nothing ("0.03 %").
QString percent(double fraction);
/// "24.6 % ± 0.3 %"; without an error where there is none or it is unknown.
QString percentWithError(double fraction, double error);
/// "core", "border", "noise".
QString roleWord(int role);

/// A point in one line: its number, cluster and role where a result is given.
QString pointWords(std::int64_t point, const ClusterResult* result);
/// A cell in one line: linear id, points, candidates, adjacent cells.
QString cellWords(const GridCells& cells, std::int64_t cell);

}  // namespace clusterloom
