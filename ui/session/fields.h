#pragma once

#include <algorithm>
#include <functional>
#include <tuple>
#include <vector>

#include "ui/session/file_row_set.h"
#include "ui/session/point_set.h"

namespace clusterloom {

// Rules: properties that the type of a member does not express.

/// No restriction.
struct AnyValue {};
/// A number from `low` to `high`.
template <class Number>
struct Within {
  Number low;
  Number high;
};
template <class Number>
Within(Number, Number) -> Within<Number>;
/// An empty value is not written.
struct WrittenUnlessEmpty {};
/// A file without it is refused.
struct Required {};
/// The fields of the member stand among those of the struct; the name is not used.
struct Inlined {};

/// No text names the member.
struct NoText {};

/// One member of a plain struct, described once. A described struct has a function
/// `fieldsOf(const Struct*)`, which returns a tuple of descriptions. Session files (json_fields.h)
/// and equality follow from it.
template <class Member, class Rule = AnyValue, class Text = NoText>
struct Field {
  const char* name;  ///< in session files
  Member member;     ///< a pointer to it, or a function from the struct to a reference
  Rule rule = {};
  Text text = {};
};
template <class Member, class Rule = AnyValue, class Text = NoText>
Field(const char*, Member, Rule = {}, Text = {}) -> Field<Member, Rule, Text>;

template <class T>
concept Described = requires {
  fieldsOf(static_cast<const T*>(nullptr));
};

/// Calls `visit` with each description until it returns false. Returns whether all calls returned
/// true.
template <Described T, class Visit>
bool allFields(const Visit& visit) {
  return std::apply([&](const auto&... fields) { return (visit(fields) && ...); },
                    fieldsOf(static_cast<const T*>(nullptr)));
}

inline bool sameValues(const PointSet& a, const PointSet& b) { return samePoints(a, b); }
inline bool sameValues(const FileRowSelection& a, const FileRowSelection& b) {
  return sameRows(a, b);
}

/// Whether all described fields are the same; of other types, whether the values are equal.
template <class T>
bool sameValues(const T& a, const T& b) {
  if constexpr (Described<T>)
    return allFields<T>([&](const auto& of) {
      return sameValues(std::invoke(of.member, a), std::invoke(of.member, b));
    });
  else
    return a == b;
}

template <Described T>
bool sameValues(const std::vector<T>& a, const std::vector<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const T& c, const T& d) { return sameValues(c, d); });
}

}  // namespace clusterloom
