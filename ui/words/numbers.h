#pragma once

#include <QLocale>
#include <QString>
#include <QStringList>
#include <cstdint>
#include <optional>
#include <vector>

namespace clusterloom {

// The one formatter of displayed numbers, the same for panels, tables, messages and (through
// engine/core/number_text.h) charts and texts of the engine. Numbers are written as the language
// writes them: 12,345.6 in English, 12.345,6 in German. Fields have no groups of digits; whole
// numbers of a spin box may have them. Files, command lines, JSON and what is copied as a table
// have a decimal point and no groups.

/// The locale of all numbers on screen; the application's default locale must be this one, too, so
/// that Qt's own spin boxes agree.
QLocale numberLocale();

/// A number from a field. A point and a comma are both the decimal sign, in every language; nothing
/// where the text is no finite number.
std::optional<double> typedNumber(const QString& text);
/// The words of a field, which are separated by semicolons, by blanks, by commas before a blank
/// and, where the decimal sign is a point, by commas alone.
QStringList typedWords(const QString& text);
/// The numbers of a field in the notation of files, separated by commas: "1; 0,5" as "1,0.5".
QString plainList(const QString& text);
/// Numbers as a field shows them, separated for plainList: "1, 0.5" or "1; 0,5".
QString listText(const std::vector<double>& numbers);

/// 12345 as "12,345".
QString count(std::uint64_t number);
/// "1 frame", "12 frames": `english` for 1 in English, else the translation with its %1 replaced by
/// the number. A translation has its language's forms for numbers: tr("%1 frames", nullptr,
/// pluralNumber(number)).
QString counted(std::uint64_t number, const char* english, const QString& translation);
/// The number as tr() takes it, in the same plural form.
int pluralNumber(std::uint64_t number);
QString countedPoints(std::uint64_t number);
QString countedClusters(std::uint64_t number);
QString countedDimensions(std::uint64_t number);
QString countedRows(std::uint64_t number);
/// A number for reading, up to seven significant digits ("4,821,337.2", "0.00025"). Whole numbers
/// of four digits are not grouped: they may be years.
QString readable(double number);
/// The shortest text that typedNumber turns back into the same number, not grouped, with an
/// exponent only below 0.0001 and from 1e15 on: for fields, and for values of a file with all their
/// digits.
QString shortestText(double number);
QString shortestText(float number);
/// The same with a decimal point in every language: for tables that are copied.
QString plainText(double number);
/// A number with exactly this many decimals, grouped.
QString fixed(double number, int decimals);
/// At most this many significant digits, but all before the decimal sign; with an exponent where
/// the number is very large or small. Whole numbers of four digits are not grouped.
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
