#include "ui/words/numbers.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>
#include <charconv>
#include <cmath>

#include "engine/core/number_text.h"
#include "render/paint/ticks.h"
#include "ui/words/language.h"

namespace clusterloom {
namespace {

// lupdate gives texts of functions the namespace as context.
QString tr(const char* text, const char* note = nullptr, int number = -1) {
  return QCoreApplication::translate("clusterloom", text, note, number);
}

bool hasDecimalPoint() { return numberSigns().decimal == "."; }

/// The locale that writes this number.
QLocale localeFor(double number) {
  QLocale locale = numberLocale();
  if (std::abs(number) < 10000 && number == std::round(number))
    locale.setNumberOptions(locale.numberOptions() | QLocale::OmitGroupSeparator);
  return locale;
}

template <class Number>
std::string shortestDigits(Number number) {
  const double size = std::abs(static_cast<double>(number));
  if (std::isinf(size)) return number < 0 ? "-∞" : "∞";
  const bool plain = number == 0 || (size >= 1e-4 && size < 1e15);
  char digits[64];
  const auto end = std::to_chars(digits, digits + sizeof digits, number,
                                 plain ? std::chars_format::fixed : std::chars_format::scientific)
                       .ptr;
  return {digits, end};
}

}  // namespace

QLocale numberLocale() { return QLocale(language()); }

std::optional<double> typedNumber(const QString& text) {
  bool understood = false;
  const double number =
      QString(text.trimmed()).replace(QLatin1Char(','), QLatin1Char('.')).toDouble(&understood);
  if (!understood || !std::isfinite(number)) return std::nullopt;
  return number;
}

QStringList typedWords(const QString& text) {
  static const QRegularExpression withPoint(QStringLiteral("[;,\\s]+"));
  static const QRegularExpression withComma(QStringLiteral("(;|\\s|,(?=\\s))+"));
  return text.split(hasDecimalPoint() ? withPoint : withComma, Qt::SkipEmptyParts);
}

QString plainList(const QString& text) {
  QStringList words = typedWords(text);
  words.replaceInStrings(QStringLiteral(","), QStringLiteral("."));
  return words.join(QLatin1Char(','));
}

QString listText(const std::vector<double>& numbers) {
  QStringList words;
  for (const double number : numbers) words << shortestText(number);
  return words.join(hasDecimalPoint() ? QStringLiteral(", ") : QStringLiteral("; "));
}

QString count(std::uint64_t number) { return numberLocale().toString(qulonglong(number)); }

QString counted(std::uint64_t number, const char* english, const QString& translation) {
  if (number == 1 && language() == QLatin1String("en")) return QString::fromUtf8(english);
  return translation.contains(QLatin1String("%1")) ? translation.arg(count(number)) : translation;
}

int pluralNumber(std::uint64_t number) {
  // Plural forms depend on the last two digits and on whether there are more, in every language.
  constexpr std::uint64_t kMost = 1'000'000'000;
  return int(number < kMost ? number : kMost + number % kMost);
}

QString countedPoints(std::uint64_t number) {
  return counted(number, "1 point", tr("%1 points", nullptr, pluralNumber(number)));
}

QString countedClusters(std::uint64_t number) {
  return counted(number, "1 cluster", tr("%1 clusters", nullptr, pluralNumber(number)));
}

QString countedDimensions(std::uint64_t number) {
  return counted(number, "1 dimension", tr("%1 dimensions", nullptr, pluralNumber(number)));
}

QString countedRows(std::uint64_t number) {
  return counted(number, "1 row", tr("%1 rows", nullptr, pluralNumber(number)));
}

QString shortestText(double number) {
  return QString::fromStdString(withSigns(shortestDigits(number), Groups::None));
}

QString shortestText(float number) {
  return QString::fromStdString(withSigns(shortestDigits(number), Groups::None));
}

QString plainText(double number) { return QString::fromStdString(shortestDigits(number)); }

QString readable(double number) {
  const QLocale locale = localeFor(number);
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

QString fixed(double number, int decimals) {
  return numberLocale().toString(number, 'f', decimals);
}

QString significant(double number, int digits) {
  const double size = std::abs(number);
  if (size >= std::pow(10.0, digits) - 0.5 && size < 1e15)
    return localeFor(std::round(number)).toString(number, 'f', 0);
  return localeFor(number).toString(number, 'g', digits);
}

QString epsText(double eps) { return QString::fromStdString(shortNumber(eps)); }

QString duration(double seconds) {
  const QLocale locale = numberLocale();
  if (seconds > 0 && seconds < 1e-4) return tr("%1 µs").arg(locale.toString(seconds * 1e6, 'f', 1));
  if (seconds < 0.01) return tr("%1 ms").arg(locale.toString(seconds * 1e3, 'f', 1));
  // Limits are those of the rounded number: no "1000 ms" and no "60.0 s".
  if (seconds < 0.9995) return tr("%1 ms").arg(locale.toString(seconds * 1e3, 'f', 0));
  if (seconds < 59.95)
    return tr("%1 s").arg(locale.toString(seconds, 'f', seconds < 9.995 ? 2 : 1));
  const auto whole = std::lround(seconds);
  return tr("%1 min %2 s").arg(whole / 60).arg(whole % 60);
}

QString percent(double fraction) { return QString::fromStdString(percentText(fraction)); }

QString percentWithError(double fraction, double error) {
  if (!(error > 0) || !std::isfinite(error)) return percent(fraction);
  constexpr double kLeast = 1e-4;  // smaller errors are rounded up, not to "< 0.01 %"
  return tr("%1 ± %2").arg(percent(fraction), percent(std::max(error, kLeast)));
}

}  // namespace clusterloom
