#include "engine/join/join_input.h"

#include <string>

namespace clusterloom {
namespace {

Result<void> validateAs(const std::string& role, const PointCloud& cloud) {
  Result<void> valid = validate(cloud);
  if (!valid) return fail(valid.error().kind, role + ": " + valid.error().message);
  return {};
}

}  // namespace

Result<void> validate(const JoinInput& input) {
  if (!input.twoClouds) return validate(input.points);
  if (auto valid = validateAs("The cloud that is searched", input.points); !valid) return valid;
  if (auto valid = validateAs("The cloud of the query points", input.queries); !valid) return valid;
  if (input.queries.dims() != input.points.dims())
    return fail(ErrorKind::BadInput,
                "A join of two clouds needs the same dimensions in both: the "
                "query points have " +
                    std::to_string(input.queries.dims()) + ", the cloud that is searched has " +
                    std::to_string(input.points.dims()) +
                    ". Choose as many coordinate columns of each.");
  return {};
}

Result<void> checkLabels(const JoinInput& input, std::span<const std::int32_t> labels) {
  if (labels.size() == input.points.size()) return {};
  return fail(ErrorKind::BadCall,
              "There must be a label for each of the " + std::to_string(input.points.size()) +
                  " points that are searched, not " + std::to_string(labels.size()) + ".");
}

}  // namespace clusterloom
