#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clusterloom {

/// Whether a column is named like one of a projection to few dimensions: "umap_x", "X_umap1", "tSNE
/// 2".
bool isProjectionName(std::string_view name);

/// The names of columns that are proposed as axes of a view: the first two or three that are those
/// of a projection and differ in their last letter or number only, else the first two. Empty where
/// there are fewer than two.
std::vector<std::string> proposedProjection(std::span<const std::string> names);

}  // namespace clusterloom
