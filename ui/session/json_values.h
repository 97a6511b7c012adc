#pragma once

#include <QByteArray>
#include <QColor>
#include <QJsonArray>
#include <QJsonObject>
#include <QJsonValue>
#include <QString>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/core/number_text.h"
#include "engine/join/strategy_options.h"
#include "ui/session/display_state.h"
#include "ui/session/fields.h"

namespace clusterloom {

// Values of session files. `jsonOf` writes one; an undefined value is left out of its object.
// `take` reads what `jsonOf` wrote and reports a fault for other values.

/// A fault of a value.
struct JsonFault {
  QString where;     ///< "strategy.pattern", below the value; empty: the value itself
  QString expected;  ///< "a whole number in range"
};
using Taken = std::optional<JsonFault>;  ///< nothing: the value was taken

inline JsonFault wanted(const char* what) { return {{}, QString::fromUtf8(what)}; }

/// The fault of a member as a fault of the object.
inline Taken below(const char* name, Taken fault) {
  if (!fault) return fault;
  const QString member = QString::fromUtf8(name);
  fault->where = fault->where.isEmpty() ? member : member + QLatin1Char('.') + fault->where;
  return fault;
}

inline QJsonValue jsonOf(bool value) { return value; }
inline QJsonValue jsonOf(double value) { return value; }
inline QJsonValue jsonOf(int value) { return value; }
// 64-bit integers travel as text: JSON numbers are doubles to most readers.
inline QJsonValue jsonOf(std::int64_t value) { return QString::number(value); }
inline QJsonValue jsonOf(std::uint64_t value) { return QString::number(value); }
inline QJsonValue jsonOf(const QString& value) { return value; }
inline QJsonValue jsonOf(const std::string& value) { return QString::fromStdString(value); }

template <class Numbers>
QJsonArray numbersToArray(const Numbers& numbers) {
  QJsonArray array;
  for (const auto number : numbers) array.append(number);
  return array;
}

template <class Number>
Taken takeNumbers(const QJsonValue& json, std::vector<Number>& numbers) {
  if (!json.isArray()) return wanted("a list");
  numbers.clear();
  for (const QJsonValue value : json.toArray()) {
    const double number = value.toDouble(std::numeric_limits<double>::quiet_NaN());
    const bool fits = std::is_floating_point_v<Number>
                          ? std::isfinite(number)
                          : number == std::floor(number) && std::abs(number) < 2147483648.0;
    if (!fits) return wanted("a list of numbers");
    numbers.push_back(static_cast<Number>(number));
  }
  return {};
}

/// Words as text and numbers as numbers; 0 stands for "auto".
inline QJsonValue optionJson(const StrategyOption& option, const Strategy& strategy) {
  const std::string text = option.get(strategy);
  if (!option.values.empty() && option.name != "threads-per-point") return jsonOf(text);
  if (option.decimal) return text == "auto" ? 0.0 : readNumber({}, text).value_or(0);
  const std::uint64_t number = text == "auto" ? 0 : readUnsigned({}, text, 0).value_or(0);
  constexpr std::uint64_t kExact = std::uint64_t{1} << 53;
  return number < kExact ? QJsonValue(qint64(number)) : jsonOf(number);
}

inline Taken takeOption(const QJsonValue& json, const StrategyOption& option, Strategy& strategy) {
  if (!json.isString() && !json.isDouble()) return wanted("a text or a number");
  std::string text = json.toString().toStdString();
  if (json.isDouble())
    text =
        json.toInteger(-1) >= 0 ? std::to_string(json.toInteger()) : roundTripText(json.toDouble());
  if (option.automatic && text == "0") text = "auto";
  if (!setOption(strategy, option, text)) return wanted(requirementOf(option).c_str());
  return {};
}

inline QJsonValue jsonOf(char value) {
  return value == '\0' ? QString() : QString(QChar::fromLatin1(value));
}
inline QJsonValue jsonOf(const QByteArray& value) { return QString::fromLatin1(value.toBase64()); }
inline QJsonValue jsonOf(const QColor& value) { return value.isValid() ? value.name() : QString(); }
inline QJsonValue jsonOf(const std::vector<std::string>& value) {
  QJsonArray array;
  for (const std::string& text : value) array.append(jsonOf(text));
  return array;
}
inline QJsonValue jsonOf(const std::vector<double>& value) { return numbersToArray(value); }
inline QJsonValue jsonOf(const std::vector<int>& value) { return numbersToArray(value); }
inline QJsonValue jsonOf(const std::set<std::int32_t>& value) { return numbersToArray(value); }
inline QJsonValue jsonOf(const std::array<int, 3>& value) { return numbersToArray(value); }
inline QJsonValue jsonOf(const std::optional<ValueRange>& value) {
  if (!value) return QJsonValue(QJsonValue::Undefined);
  return QJsonArray{value->low, value->high};
}
inline QJsonValue jsonOf(const PointSet& value) {
  if (!value) return QJsonValue(QJsonValue::Undefined);
  return pointsText(*value);
}
inline QJsonValue jsonOf(const FileRowSelection& value) {
  if (!value) return QJsonValue(QJsonValue::Undefined);
  return QJsonObject{{"rows", rowsText(*value)}, {"of", jsonOf(value->of)}};
}
inline QJsonValue jsonOf(const Strategy& value) {
  QJsonObject object;
  for (const StrategyOption& option : strategyOptions())
    object[QString::fromStdString(option.key)] = optionJson(option, value);
  return object;
}

inline Taken take(const QJsonValue& json, bool& value) {
  if (!json.isBool()) return wanted("true or false");
  value = json.toBool();
  return {};
}

inline Taken take(const QJsonValue& json, QString& value) {
  if (!json.isString()) return wanted("a text");
  value = json.toString();
  return {};
}

inline Taken take(const QJsonValue& json, std::string& value) {
  QString text;
  if (Taken fault = take(json, text)) return fault;
  value = text.toStdString();
  return {};
}

inline Taken take(const QJsonValue& json, char& value) {
  const QString text = json.toString();
  if (!json.isString() || text.size() > 1 || (text.size() == 1 && text[0].unicode() > 127))
    return wanted("one character");
  value = text.isEmpty() ? '\0' : text[0].toLatin1();
  return {};
}

inline Taken take(const QJsonValue& json, QByteArray& value) {
  QString text;
  if (Taken fault = take(json, text)) return fault;
  value = QByteArray::fromBase64(text.toLatin1());
  return {};
}

inline Taken take(const QJsonValue& json, QColor& value) {
  QString text;
  if (Taken fault = take(json, text)) return fault;
  value = text.isEmpty() ? QColor() : QColor(text);
  if (!text.isEmpty() && !value.isValid()) return wanted("a colour such as #202020");
  return {};
}

inline Taken take(const QJsonValue& json, std::vector<std::string>& value) {
  if (!json.isArray()) return wanted("a list");
  value.clear();
  for (const QJsonValue element : json.toArray())
    if (take(element, value.emplace_back())) return wanted("a list of texts");
  return {};
}

inline Taken take(const QJsonValue& json, std::vector<double>& value) {
  return takeNumbers(json, value);
}
inline Taken take(const QJsonValue& json, std::vector<int>& value) {
  return takeNumbers(json, value);
}

inline Taken take(const QJsonValue& json, std::set<std::int32_t>& value) {
  std::vector<int> numbers;
  if (Taken fault = takeNumbers(json, numbers)) return fault;
  value = {numbers.begin(), numbers.end()};
  return {};
}

inline Taken take(const QJsonValue& json, std::array<int, 3>& value) {
  std::vector<int> numbers;
  if (takeNumbers(json, numbers) || numbers.size() != value.size())
    return wanted("a list of three numbers");
  std::copy(numbers.begin(), numbers.end(), value.begin());
  return {};
}

inline Taken take(const QJsonValue& json, std::optional<ValueRange>& value) {
  std::vector<double> range;
  if (takeNumbers(json, range) || range.size() != 2 || !(range[0] < range[1]))
    return wanted("a list of two ascending numbers");
  value = ValueRange{range[0], range[1]};
  return {};
}

inline Taken take(const QJsonValue& json, PointSet& value) {
  value = pointsFrom(json.toString());
  if (!value) return wanted("a list of points");
  return {};
}

inline Taken take(const QJsonValue& json, FileRowSelection& value) {
  value = rowsFrom(json["rows"].toString(), json["of"].toString().toULongLong());
  if (!value) return wanted("a list of rows");
  return {};
}

inline Taken take(const QJsonValue& json, Strategy& value) {
  if (!json.isObject()) return wanted("an object");
  for (const StrategyOption& option : strategyOptions()) {
    const QJsonValue member = json.toObject().value(QString::fromStdString(option.key));
    if (member.isUndefined()) continue;
    if (Taken fault = below(option.key.c_str(), takeOption(member, option, value))) return fault;
  }
  return {};
}

inline Taken take(const QJsonValue& json, double& value, const Within<double>& range) {
  const double number = json.toDouble(std::numeric_limits<double>::quiet_NaN());
  if (!(number >= range.low && number <= range.high)) return wanted("a number in range");
  value = number;
  return {};
}

/// A whole number: a JSON number, or text.
template <class Integer>
Taken take(const QJsonValue& json, Integer& value, const Within<Integer>& range) {
  bool ok = false;
  Integer number = 0;
  if (json.isDouble()) {
    const double real = json.toDouble();
    ok = real == std::floor(real) && std::abs(real) < 9e15 &&
         real >= static_cast<double>(range.low) && real <= static_cast<double>(range.high);
    if (ok) number = static_cast<Integer>(real);
  } else if constexpr (std::is_unsigned_v<Integer>) {
    number = json.toString().toULongLong(&ok);
  } else {
    const qlonglong wide = json.toString().toLongLong(&ok);
    ok = ok && std::in_range<Integer>(wide);
    if (ok) number = static_cast<Integer>(wide);
  }
  if (!ok || number < range.low || number > range.high) return wanted("a whole number in range");
  value = number;
  return {};
}

/// An enumeration has a word for each value: `wordsOf(E)` returns them in order.
template <class E>
requires std::is_enum_v<E> QJsonValue jsonOf(E value) {
  return QLatin1String(wordsOf(value)[static_cast<std::size_t>(value)]);
}
template <class E>
requires std::is_enum_v<E> Taken take(const QJsonValue& json, E& value) {
  const QString text = json.toString();
  int index = 0;
  for (const char* word : wordsOf(value)) {
    if (text == QLatin1String(word)) {
      value = static_cast<E>(index);
      return {};
    }
    ++index;
  }
  return wanted("one of the words this version knows");
}

}  // namespace clusterloom
