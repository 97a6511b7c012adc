#pragma once

#include <QLocale>
#include <QString>
#include <cstdint>

namespace clusterloom {

// The one formatter of displayed numbers, the same for panels, tables, messages and (through
// render/paint/ticks.h) charts. The decimal sign is a point in every language, as in files, command
// lines and fields for numbers. Groups of digits are separated by commas in English and, since a
// comma would be read as the decimal sign, by apostrophes in German, as in Switzerland (12’345.6).

/// The locale of all numbers on screen; the application's default locale must be this one, too, so
/// that Qt's own spin boxes agree.
QLocale numberLocale();

/// 12345 as "12,345".
QString count(std::uint64_t number);
/// "1 cluster", "12 clusters": the translated pair that goes with the number, %1 in the second
/// replaced by it.
QString counted(std::uint64_t number, const QString& one, const QString& several);
/// A number for reading, up to seven significant digits ("4,821,337.2", "0.00025"). Whole numbers
/// of four digits are not grouped: they may be years.
QString readable(double number);
/// The shortest text that reads back to the same number, not grouped, with an exponent only below
/// 0.0001 and from 1e15 on: for fields, and for values as a file has them.
QString shortestText(double number);
QString shortestText(float number);
/// A number with exactly this many decimals, grouped.
QString fixed(double number, int decimals);
/// At most this many significant digits, with an exponent where the number is very large or small.
/// Whole numbers of four digits are not grouped.
QString significant(double number, int digits);
/// ε as charts write it: up to six significant digits, not grouped.
QString epsText(double eps);
/// "20.5 µs", "12.3 ms", "1.8 s", "2 min 5 s".
QString duration(double seconds);
/// A share as percentText (engine/core/number_text.h) writes it: "18.7 %", "0.03 %", "< 0.01 %".
QString percent(double fraction);
/// "24.6 % ± 0.3 %"; without an error where there is none or it is unknown.
QString percentWithError(double fraction, double error);

}  // namespace clusterloom
