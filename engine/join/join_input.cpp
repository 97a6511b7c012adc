#include "engine/join/join_input.h"

#include <string>

#include "engine/grid/dimension_order.h"

namespace clusterloom {
namespace {

Result<void> validPoints(const JoinInput& input) {
  return input.prepared != nullptr ? input.prepared->valid() : validate(input.points);
}

Result<void> validAs(const std::string& role, const Result<void>& valid) {
  if (!valid) return fail(valid.error().kind, role + ": " + valid.error().message);
  return {};
}

}  // namespace

Result<void> validate(const JoinInput& input) {
  if (!input.twoClouds) return validPoints(input);
  if (auto valid = validAs("The cloud that is searched", validPoints(input)); !valid) return valid;
  if (auto valid = validAs("The cloud of the query points", validate(input.queries)); !valid)
    return valid;
  return checkDims(input);
}

Result<void> checkDims(const JoinInput& input) {
  if (input.queries.dims() != input.points.dims())
    return badInput(
        "A join of two clouds needs the same dimensions in both: the query points have " +
        std::to_string(input.queries.dims()) + ", the cloud that is searched has " +
        std::to_string(input.points.dims()) +
        ". Choose the same number of coordinate columns for both.");
  return {};
}

Bounds boundsOf(const JoinInput& input) {
  return input.prepared != nullptr ? input.prepared->bounds() : boundsOf(input.points);
}

std::vector<int> dimensionsByVariance(const JoinInput& input) {
  return input.prepared != nullptr ? input.prepared->byVariance()
                                   : dimensionsByVariance(input.points);
}

Result<void> checkLabels(const JoinInput& input, std::span<const std::int32_t> labels) {
  if (labels.size() == input.points.size()) return {};
  return badCall("There must be a label for each of the " + std::to_string(input.points.size()) +
                 " points that are searched, not " + std::to_string(labels.size()) + ".");
}

}  // namespace clusterloom
