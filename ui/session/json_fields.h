#pragma once

#include <QJsonArray>
#include <QJsonObject>
#include <functional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/cloud/space.h"
#include "ui/session/json_values.h"

namespace clusterloom {

// Described structs (fields.h) as objects of session files.

/// Writes the described fields of a struct into an object.
template <Described T>
void put(QJsonObject& object, const T& value) {
  allFields<T>([&](const auto& of) {
    using Rule = std::remove_cvref_t<decltype(of.rule)>;
    const auto& member = std::invoke(of.member, value);
    if constexpr (std::is_same_v<Rule, Inlined>) {
      put(object, member);
    } else {
      bool left = false;
      if constexpr (std::is_same_v<Rule, WrittenUnlessEmpty>) left = member.isEmpty();
      if (!left) object.insert(QLatin1String(of.name), jsonOf(member));
    }
    return true;
  });
}

/// Reads them. Missing fields (older versions lack some) keep their values.
template <Described T>
Taken takeFields(const QJsonObject& object, T& value) {
  Taken fault;
  allFields<T>([&](const auto& of) {
    using Rule = std::remove_cvref_t<decltype(of.rule)>;
    auto& member = std::invoke(of.member, value);
    if constexpr (std::is_same_v<Rule, Inlined>) {
      fault = takeFields(object, member);
    } else {
      const QJsonValue json = object.value(QLatin1String(of.name));
      if (json.isUndefined() && !std::is_same_v<Rule, Required>) return true;
      if constexpr (requires { take(json, member, of.rule); })
        fault = below(of.name, take(json, member, of.rule));
      else
        fault = below(of.name, take(json, member));
    }
    return !fault;
  });
  return fault;
}

template <Described T>
QJsonValue jsonOf(const T& value) {
  QJsonObject object;
  put(object, value);
  return object;
}
template <Described T>
Taken take(const QJsonValue& json, T& value) {
  if (!json.isObject()) return wanted("an object");
  return takeFields(json.toObject(), value);
}

template <Described T>
QJsonValue jsonOf(const std::vector<T>& values) {
  QJsonArray array;
  for (const T& value : values) array.append(jsonOf(value));
  return array;
}
template <Described T>
Taken take(const QJsonValue& json, std::vector<T>& values) {
  if (!json.isArray()) return wanted("a list");
  for (const QJsonValue element : json.toArray())
    if (Taken fault = take(element, values.emplace_back())) return fault;
  return {};
}

/// A Space as session files write it.
struct WrittenSpace {
  std::vector<double> periods;
  bool geographic = false;
  bool latitudeFirst = false;
  std::string metric{toText(Metric::Euclidean)};
};
constexpr auto fieldsOf(const WrittenSpace* /*type*/) {
  return std::tuple{
      Field{"periods", &WrittenSpace::periods}, Field{"geographic", &WrittenSpace::geographic},
      Field{"latitudeFirst", &WrittenSpace::latitudeFirst}, Field{"metric", &WrittenSpace::metric}};
}

inline QJsonValue jsonOf(const Space& value) {
  if (value.isEuclidean()) return QJsonValue(QJsonValue::Undefined);
  return jsonOf(WrittenSpace{value.periods, value.sphere.has_value(),
                             value.sphere && value.sphere->latitudeFirst,
                             std::string(toText(value.metric))});
}

inline Taken take(const QJsonValue& json, Space& value) {
  WrittenSpace written;
  if (Taken fault = take(json, written)) return fault;
  const auto metric = parseMetric(written.metric);
  if (!metric) return below("metric", wanted("a metric"));
  value = {.periods = std::move(written.periods), .sphere = {}, .metric = *metric};
  if (written.geographic) value.sphere.emplace().latitudeFirst = written.latitudeFirst;
  return {};
}

}  // namespace clusterloom
